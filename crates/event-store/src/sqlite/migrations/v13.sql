-- What a player's page says of the game, for participants with the role 'player': the first moves if the players chose
-- them; the exact value for the player of the first position of a tablebase ('won', 'drawn' or 'lost'); the player's
-- moves in such positions, and the half points that they lost. Null until that is known, empty where there is none.
ALTER TABLE participant ADD COLUMN opening TEXT;
ALTER TABLE participant ADD COLUMN ending TEXT;
ALTER TABLE participant ADD COLUMN moves INTEGER;
ALTER TABLE participant ADD COLUMN lost INTEGER;

-- Moves and losses in endings of all games, not only of those of events; all games are read again.
UPDATE game SET white_moves = NULL WHERE white_moves IS NOT NULL;
DROP INDEX game_without_regret;
CREATE INDEX game_to_review ON game (finished_at, stream) WHERE white_moves IS NULL;

-- The side that gave a rated game up early ('white' or 'black').
ALTER TABLE game ADD COLUMN gave_up TEXT;

-- The highest rating with which players enter; 0 without a limit.
ALTER TABLE tournament ADD COLUMN max_rating INTEGER NOT NULL DEFAULT 0;
