-- The event that the game counts for, such as a season of the ladder. Its participants include it, with the role 'event'.
ALTER TABLE game ADD COLUMN event TEXT;

-- How well both sides played the ending of a game of an event: moves in positions of a tablebase, and half points that
-- they lost. Null until that is known.
ALTER TABLE game ADD COLUMN white_moves INTEGER;
ALTER TABLE game ADD COLUMN white_lost INTEGER;
ALTER TABLE game ADD COLUMN black_moves INTEGER;
ALTER TABLE game ADD COLUMN black_lost INTEGER;
CREATE INDEX game_without_regret ON game (stream) WHERE event IS NOT NULL AND white_moves IS NULL;

-- Ladders of their owners, until they delete them. Bots join with the code; the id is in the events of games.
CREATE TABLE private_ladder (
    number     INTEGER PRIMARY KEY,
    id         TEXT NOT NULL UNIQUE,
    code       TEXT NOT NULL UNIQUE,
    owner      INTEGER NOT NULL,
    name       TEXT NOT NULL,
    clock      TEXT NOT NULL,
    until      INTEGER NOT NULL,
    created_at INTEGER NOT NULL
) STRICT;
CREATE INDEX private_ladder_owner ON private_ladder (owner);
