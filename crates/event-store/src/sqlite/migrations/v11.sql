-- Tournaments in rounds. An arena has no rounds.
ALTER TABLE tournament ADD COLUMN rounds INTEGER NOT NULL DEFAULT 0;
-- Games of a pairing.
ALTER TABLE tournament ADD COLUMN games INTEGER NOT NULL DEFAULT 1;
-- How long a game waits for its players, and how long a round waits after the last one.
ALTER TABLE tournament ADD COLUMN wait_ms INTEGER NOT NULL DEFAULT 0;
ALTER TABLE tournament ADD COLUMN break_ms INTEGER NOT NULL DEFAULT 0;

-- The rating that decides the seeding, in the unit of the table of ratings.
ALTER TABLE tournament_player ADD COLUMN rating INTEGER NOT NULL DEFAULT 0;

CREATE TABLE tournament_round (
    number     INTEGER PRIMARY KEY,
    tournament TEXT NOT NULL,
    round      INTEGER NOT NULL,
    drawn_at   INTEGER NOT NULL,
    -- A random number that chooses the opening of all its games.
    opening    INTEGER NOT NULL,
    UNIQUE (tournament, round)
) STRICT;

CREATE TABLE tournament_game (
    number     INTEGER PRIMARY KEY,
    tournament TEXT NOT NULL,
    round      INTEGER NOT NULL,
    board      INTEGER NOT NULL,
    -- From 1: which game of the pairing it is.
    part       INTEGER NOT NULL,
    white      TEXT NOT NULL,
    -- Empty if White has a bye.
    black      TEXT NOT NULL,
    -- The id of the game, also before it begins.
    game       TEXT NOT NULL UNIQUE,
    UNIQUE (tournament, round, board, part)
) STRICT;
CREATE INDEX tournament_game_white ON tournament_game (white);
CREATE INDEX tournament_game_black ON tournament_game (black);
