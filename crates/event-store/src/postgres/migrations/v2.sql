-- The nodes of a cluster. Their rows are apart from those that appends lock: a heartbeat and an append do not
-- wait for each other, and an append that takes long is not mistaken for the end of its node. `beat` counts up
-- while the node lives; `surplus` is how many shards it should give up to others.
CREATE TABLE node (
    session  integer PRIMARY KEY,
    beat     bigint NOT NULL DEFAULT 0,
    draining boolean NOT NULL DEFAULT false,
    surplus  integer NOT NULL DEFAULT 0
) WITH (fillfactor = 50);

-- `confirmed` counts the commits that confirm an append in doubt.
ALTER TABLE session DROP COLUMN draining;
ALTER TABLE session RENAME COLUMN beat TO confirmed;
