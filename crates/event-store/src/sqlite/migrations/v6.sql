-- Accounts. `skeleton` is equal for confusable names; `identity` is the key by which tables know the player, or, while
-- the account is being deleted (role 'leaving' instead of 'person'), the name under which its games stay; `password` is
-- a PHC string, or empty.
CREATE TABLE account (
    id         INTEGER PRIMARY KEY,
    name       TEXT NOT NULL,
    skeleton   TEXT NOT NULL UNIQUE,
    role       TEXT NOT NULL,
    identity   TEXT NOT NULL,
    password   TEXT NOT NULL DEFAULT '',
    created_at INTEGER NOT NULL
) STRICT;
CREATE INDEX account_identity ON account (identity);

-- Credentials. `kind` is 'session', 'token' (of a program), 'link' or 'recovery' (single use), or 'invitation', whose
-- account is 0. `hash` is the SHA-256 of the secret. Times are milliseconds since 1970.
CREATE TABLE credential (
    id         INTEGER PRIMARY KEY,
    hash       BLOB NOT NULL UNIQUE,
    account    INTEGER NOT NULL,
    kind       TEXT NOT NULL,
    label      TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    used_at    INTEGER NOT NULL,
    expires_at INTEGER NOT NULL
) STRICT;
CREATE INDEX credential_account ON credential (account, kind);
