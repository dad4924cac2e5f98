-- The last turn of a game by correspondence that its player was notified of: the number of moves before it.
ALTER TABLE correspondence ADD COLUMN notified INTEGER NOT NULL DEFAULT -1;

-- Addresses at push services: one for each session that wants notifications. `session` is the hash of its credential.
CREATE TABLE push_subscription (
    number     INTEGER PRIMARY KEY,
    endpoint   TEXT NOT NULL UNIQUE,
    session    BLOB NOT NULL UNIQUE,
    -- The page from which the browser subscribed; may be empty.
    origin     TEXT NOT NULL,
    created_at INTEGER NOT NULL
) STRICT;

-- The private key by which push services recognise the server, as PKCS#8: one row.
CREATE TABLE push_key (
    number INTEGER PRIMARY KEY,
    key    BLOB NOT NULL
) STRICT;
