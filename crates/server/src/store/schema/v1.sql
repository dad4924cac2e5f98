-- The streams. The first event of a stream is in bundle `first` or after it; once the stream is
-- closed, `bundles` has the number of the bundle for each of its events, 8 bytes, little endian.
CREATE TABLE stream (
    id      INTEGER PRIMARY KEY,
    name    TEXT NOT NULL UNIQUE,
    open    INTEGER NOT NULL DEFAULT 1,
    first   INTEGER NOT NULL,
    bundles BLOB
) STRICT;
CREATE INDEX stream_open ON stream (id) WHERE open = 1;

-- The events of all streams in the order in which they came, many in a row.
CREATE TABLE bundle (
    id     INTEGER PRIMARY KEY,
    events BLOB NOT NULL
) STRICT;

-- The archive: a row for each closed stream.
CREATE TABLE game (
    stream      INTEGER PRIMARY KEY REFERENCES stream,
    events      INTEGER NOT NULL,
    finished_at INTEGER NOT NULL,
    result      TEXT NOT NULL,
    white       TEXT,
    black       TEXT,
    white_bot   TEXT,
    black_bot   TEXT,
    document    BLOB NOT NULL
) STRICT;
CREATE INDEX game_finished ON game (finished_at, stream);
CREATE INDEX game_result ON game (result, finished_at, stream);

-- Who took part, whichever colour they had: role is 'player' or 'bot'.
CREATE TABLE participant (
    role        TEXT NOT NULL,
    name        TEXT NOT NULL,
    finished_at INTEGER NOT NULL,
    stream      INTEGER NOT NULL REFERENCES stream,
    PRIMARY KEY (role, name, finished_at, stream)
) STRICT, WITHOUT ROWID;

CREATE TABLE player (
    key        TEXT PRIMARY KEY,
    name       TEXT NOT NULL,
    token_hash BLOB NOT NULL UNIQUE,
    created_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE setting (
    key   TEXT PRIMARY KEY,
    value BLOB NOT NULL
) STRICT, WITHOUT ROWID;

-- Written after a commit that failed, to overwrite whatever it left in the write-ahead log.
CREATE TABLE fence (
    id    INTEGER PRIMARY KEY CHECK (id = 1),
    count INTEGER NOT NULL
) STRICT;
INSERT INTO fence VALUES (1, 0);
