-- `rated` is 0 for a game that is not rated, -1 for one that waits for it, or else its number in the order of rating.
ALTER TABLE game ADD COLUMN rated INTEGER NOT NULL DEFAULT 0;
CREATE INDEX game_to_rate ON game (finished_at, stream) WHERE rated = -1;
CREATE UNIQUE INDEX game_rated ON game (rated) WHERE rated > 0;

-- One row. Whoever changes ratings, or the names of their players, counts it up.
CREATE TABLE rating_version (
    version INTEGER NOT NULL
) STRICT;
INSERT INTO rating_version VALUES (0);

-- Ratings by class of time controls ('blitz', 'rapid' or 'classic'), after the player's last rated game. All of this
-- can be computed from the games. Ratings, deviations and volatilities are millionths.
CREATE TABLE rating (
    name       TEXT NOT NULL,
    speed      TEXT NOT NULL,
    rating     INTEGER NOT NULL,
    deviation  INTEGER NOT NULL,
    volatility INTEGER NOT NULL,
    games      INTEGER NOT NULL,
    rated_at   INTEGER NOT NULL,
    PRIMARY KEY (name, speed)
) STRICT, WITHOUT ROWID;
CREATE INDEX rating_best ON rating (speed, rating);

-- The rating of a player after each rated game.
CREATE TABLE rating_change (
    name     TEXT NOT NULL,
    speed    TEXT NOT NULL,
    number   INTEGER NOT NULL,
    at       INTEGER NOT NULL,
    opponent TEXT NOT NULL,
    rating   INTEGER NOT NULL,
    PRIMARY KEY (name, speed, number)
) STRICT, WITHOUT ROWID;
CREATE INDEX rating_meeting ON rating_change (name, opponent, at);
