-- `rated` is 0 for a game that is not rated, -1 for one that waits for it, or else its number in the order of rating.
ALTER TABLE game ADD COLUMN rated bigint NOT NULL DEFAULT 0;
CREATE INDEX game_to_rate ON game (finished_at, stream) WHERE rated = -1;
CREATE UNIQUE INDEX game_rated ON game (rated) WHERE rated > 0;

-- One row. Whoever changes ratings, or the names of their players, counts it up.
CREATE TABLE rating_version (
    version bigint NOT NULL
);
INSERT INTO rating_version VALUES (0);

-- Ratings by class of time controls ('blitz', 'rapid' or 'classic'), after the player's last rated game. All of this
-- can be computed from the games. Ratings, deviations and volatilities are millionths.
CREATE TABLE rating (
    name       text COLLATE "C" NOT NULL,
    speed      text COLLATE "C" NOT NULL,
    rating     bigint NOT NULL,
    deviation  bigint NOT NULL,
    volatility bigint NOT NULL,
    games      bigint NOT NULL,
    rated_at   bigint NOT NULL,
    PRIMARY KEY (name, speed)
);
CREATE INDEX rating_best ON rating (speed, rating);

-- The rating of a player after each rated game.
CREATE TABLE rating_change (
    name     text COLLATE "C" NOT NULL,
    speed    text COLLATE "C" NOT NULL,
    number   bigint NOT NULL,
    at       bigint NOT NULL,
    opponent text COLLATE "C" NOT NULL,
    rating   bigint NOT NULL,
    PRIMARY KEY (name, speed, number)
);
CREATE INDEX rating_meeting ON rating_change (name, opponent, at);
