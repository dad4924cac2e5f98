-- Games and who took part as version 4 has them, from the tables of version 3: what a search asks is
-- in the documents there.
CREATE TEMP VIEW told AS
SELECT
    stream,
    ifnull(kept ->> 'reason', '') AS reason,
    ifnull(kept ->> 'white_clock', 'none') AS white_clock,
    ifnull(kept ->> 'black_clock', 'none') AS black_clock,
    max(ifnull(json_array_length(kept, '$.elapsed_ms'), 0), ifnull(json_array_length(kept, '$.moves'), 0)) AS plies
FROM (
    SELECT stream, iif(json_valid(CAST(document AS TEXT)), CAST(document AS TEXT), '{}') AS kept
    FROM main.game
);

CREATE TEMP VIEW game AS
SELECT
    game.stream AS stream, events, finished_at, result, told.reason AS reason,
    iif(white_clock = black_clock, white_clock, white_clock || ',' || black_clock) AS clock, plies,
    white, black, white_bot, black_bot, document
FROM main.game AS game CROSS JOIN told ON told.stream = game.stream;

CREATE TEMP VIEW side AS
SELECT game.*, 1 AS is_white, white AS own, white_bot AS own_bot, black AS opponent, black_bot AS opponent_bot
FROM temp.game AS game
UNION ALL
SELECT game.*, 0, black, black_bot, white, white_bot
FROM temp.game AS game;

CREATE TEMP VIEW participant AS
SELECT 'player' AS role, own AS name, finished_at, stream, is_white, result, reason, clock, plies, opponent, opponent_bot
FROM side WHERE own IS NOT NULL
UNION ALL
SELECT 'bot', own_bot, finished_at, stream, is_white, result, reason, clock, plies, opponent, opponent_bot
FROM side WHERE own_bot IS NOT NULL;
