PRAGMA application_id = 0x52445354; -- "RDST": marks the file as ours, for `file` and against mix-ups

-- The streams. Their ids are small numbers, so that the index of the events stays small.
CREATE TABLE stream (
    id   INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    open INTEGER NOT NULL DEFAULT 1
) STRICT;
CREATE INDEX stream_open ON stream (id) WHERE open = 1;

-- The events, in the order in which they came: a commit of many streams fills one page.
CREATE TABLE event (
    id       INTEGER PRIMARY KEY,
    stream   INTEGER NOT NULL REFERENCES stream,
    seq      INTEGER NOT NULL CHECK (seq > 0),
    at       INTEGER NOT NULL,
    kind     TEXT NOT NULL,
    payload  BLOB NOT NULL,
    checksum INTEGER NOT NULL
) STRICT;
CREATE UNIQUE INDEX event_order ON event (stream, seq);

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
