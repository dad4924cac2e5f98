-- The first event of a stream is in bundle `first` or after it; once the stream is closed, `bundles`
-- has the number of the bundle for each of its events, 8 bytes, little endian.
ALTER TABLE stream ADD COLUMN first INTEGER NOT NULL DEFAULT 1;
ALTER TABLE stream ADD COLUMN bundles BLOB;

-- The events of all streams in the order in which they came, many in a row.
CREATE TABLE bundle (
    id     INTEGER PRIMARY KEY,
    events BLOB NOT NULL
) STRICT;
