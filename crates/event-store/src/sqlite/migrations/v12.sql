-- Until when a moderator has muted or suspended the account; milliseconds since 1970, 0 if never.
ALTER TABLE account ADD COLUMN muted_until INTEGER NOT NULL DEFAULT 0;
ALTER TABLE account ADD COLUMN suspended_until INTEGER NOT NULL DEFAULT 0;

-- What a token may be used for: 1 read, 2 play, 4 challenge, 8 tournament. The kind 'administrator' is a code for the
-- first administrator, whose account is 0.
ALTER TABLE credential ADD COLUMN scopes INTEGER NOT NULL DEFAULT 15;

-- Players with whom an account does not play.
CREATE TABLE block (
    number     INTEGER PRIMARY KEY,
    account    INTEGER NOT NULL,
    blocked    INTEGER NOT NULL,
    created_at INTEGER NOT NULL,
    UNIQUE (account, blocked)
) STRICT;
CREATE INDEX block_blocked ON block (blocked);

-- Reports of players about an account.
CREATE TABLE report (
    id         INTEGER PRIMARY KEY,
    account    INTEGER NOT NULL,
    subject    INTEGER NOT NULL,
    reason     TEXT NOT NULL,
    -- The id of a game, or empty.
    game       TEXT NOT NULL,
    text       TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    -- 0 while the report is open.
    closed_at  INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE INDEX report_open ON report (id) WHERE closed_at = 0;
CREATE INDEX report_account ON report (account);
CREATE INDEX report_subject ON report (subject);

-- What moderators have done. Accounts are named by their identities, which say nothing once an account is deleted;
-- that of the operator is empty.
CREATE TABLE moderation_log (
    id        INTEGER PRIMARY KEY,
    at        INTEGER NOT NULL,
    moderator TEXT NOT NULL,
    action    TEXT NOT NULL,
    subject   TEXT NOT NULL,
    reason    TEXT NOT NULL,
    -- The end of a mute or a suspension, or 0.
    until     INTEGER NOT NULL
) STRICT;
CREATE INDEX moderation_log_subject ON moderation_log (subject);
CREATE TRIGGER moderation_log_changed BEFORE UPDATE ON moderation_log
BEGIN SELECT RAISE(ABORT, 'the moderation log is only added to'); END;
CREATE TRIGGER moderation_log_shortened BEFORE DELETE ON moderation_log
BEGIN SELECT RAISE(ABORT, 'the moderation log is only added to'); END;
