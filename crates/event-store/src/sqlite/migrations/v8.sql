-- The account that a bot (role 'bot') belongs to; 0 for a person, or a bot of the operator.
ALTER TABLE account ADD COLUMN owner INTEGER NOT NULL DEFAULT 0;
CREATE INDEX account_owner ON account (owner) WHERE owner > 0;

-- Tokens were those of people.
DELETE FROM credential WHERE kind = 'token';
