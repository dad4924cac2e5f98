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
