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
-- What a search asks of a game is in columns, and these are in the indexes: the documents of games
-- that a search passes over are not read. `clock` is that of both sides, such as `5m+3s` or `none`;
-- where they differ, White's, a comma and Black's.
CREATE TABLE main.game_4 (
    stream      INTEGER PRIMARY KEY REFERENCES stream,
    events      INTEGER NOT NULL,
    finished_at INTEGER NOT NULL,
    result      TEXT NOT NULL,
    reason      TEXT NOT NULL,
    clock       TEXT NOT NULL,
    plies       INTEGER NOT NULL,
    white       TEXT,
    black       TEXT,
    white_bot   TEXT,
    black_bot   TEXT,
    document    BLOB NOT NULL
) STRICT;

-- Who took part, whichever colour they had: role is 'player' or 'bot'.
CREATE TABLE main.participant_4 (
    role         TEXT NOT NULL,
    name         TEXT NOT NULL,
    finished_at  INTEGER NOT NULL,
    stream       INTEGER NOT NULL REFERENCES stream,
    is_white     INTEGER NOT NULL,
    result       TEXT NOT NULL,
    reason       TEXT NOT NULL,
    clock        TEXT NOT NULL,
    plies        INTEGER NOT NULL,
    opponent     TEXT,
    opponent_bot TEXT,
    PRIMARY KEY (role, name, finished_at, stream)
) STRICT, WITHOUT ROWID;

INSERT INTO main.game_4 SELECT * FROM temp.game;
INSERT OR IGNORE INTO main.participant_4 SELECT * FROM temp.participant;

DROP VIEW temp.participant;
DROP VIEW temp.side;
DROP VIEW temp.game;
DROP VIEW temp.told;
DROP TABLE main.game;
DROP TABLE main.participant;
ALTER TABLE main.game_4 RENAME TO game;
ALTER TABLE main.participant_4 RENAME TO participant;

CREATE INDEX main.game_finished ON game (finished_at, stream, result, reason, clock, plies);
CREATE INDEX main.game_result ON game (result, finished_at, stream, reason, clock, plies);
