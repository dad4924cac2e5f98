DELETE FROM participant;
INSERT OR IGNORE INTO participant
SELECT role, name, finished_at, stream, is_white, result, reason, clock, plies, opponent, opponent_bot, NULL, NULL, NULL, NULL
FROM (
    SELECT game.*, 'player' AS role, white AS name, 1 AS is_white, black AS opponent, black_bot AS opponent_bot FROM game
    UNION ALL SELECT game.*, 'player', black, 0, white, white_bot FROM game
    UNION ALL SELECT game.*, 'bot', white_bot, 1, black, black_bot FROM game
    UNION ALL SELECT game.*, 'bot', black_bot, 0, white, white_bot FROM game
    UNION ALL SELECT game.*, 'event', event, 1, NULL, NULL FROM game
)
WHERE name IS NOT NULL
ORDER BY is_white DESC;
-- All games are reviewed again.
UPDATE game SET white_moves = NULL WHERE white_moves IS NOT NULL;
