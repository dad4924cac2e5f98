-- A row for each event again, in the order in which they were written: the events of one commit share
-- pages. `checksum` is the CRC-32 that docs/persistence.md describes.
CREATE TABLE event_5 (
    id       INTEGER PRIMARY KEY,
    stream   INTEGER NOT NULL REFERENCES stream,
    seq      INTEGER NOT NULL,
    at       INTEGER NOT NULL,
    kind     TEXT NOT NULL,
    payload  TEXT NOT NULL,
    checksum INTEGER NOT NULL
) STRICT;
CREATE UNIQUE INDEX event_position ON event_5 (stream, seq);
