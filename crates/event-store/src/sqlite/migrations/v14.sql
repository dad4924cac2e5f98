-- Running games by correspondence: what their players want to know, and what becomes due, while they are not in memory.
CREATE TABLE correspondence (
    number   INTEGER PRIMARY KEY,
    -- The id of the game, which is its stream.
    game     TEXT NOT NULL UNIQUE,
    -- Accounts.
    white    INTEGER NOT NULL,
    black    INTEGER NOT NULL,
    days     INTEGER NOT NULL,
    rated    INTEGER NOT NULL,
    -- The last event of the stream that the row knows of.
    seq      INTEGER NOT NULL,
    ply      INTEGER NOT NULL,
    -- Who is to move: 0 for White, 1 for Black; since when, and until when.
    turn     INTEGER NOT NULL,
    since    INTEGER NOT NULL,
    deadline INTEGER NOT NULL
) STRICT;
CREATE INDEX correspondence_white ON correspondence (white);
CREATE INDEX correspondence_black ON correspondence (black);
CREATE INDEX correspondence_deadline ON correspondence (deadline);

-- Challenges that wait for their answer, whoever is connected.
CREATE TABLE correspondence_challenge (
    number      INTEGER PRIMARY KEY,
    -- The id of the table of the game.
    id          TEXT NOT NULL UNIQUE,
    -- Accounts.
    challenger  INTEGER NOT NULL,
    opponent    INTEGER NOT NULL,
    -- What the challenger plays: 'white', 'black' or 'random'.
    color       TEXT NOT NULL,
    days        INTEGER NOT NULL,
    rated       INTEGER NOT NULL,
    created_at  INTEGER NOT NULL,
    -- When it was accepted, until the game begins; 0 before.
    accepted_at INTEGER NOT NULL DEFAULT 0,
    UNIQUE (challenger, opponent)
) STRICT;
CREATE INDEX correspondence_challenge_opponent ON correspondence_challenge (opponent);

-- Vacations of accounts, in which their time for a move stands still.
CREATE TABLE vacation (
    number    INTEGER PRIMARY KEY,
    account   INTEGER NOT NULL,
    starts_at INTEGER NOT NULL,
    ends_at   INTEGER NOT NULL
) STRICT;
CREATE INDEX vacation_account ON vacation (account, ends_at);

-- The answers that a player has left for moves of the opponent.
CREATE TABLE conditional_moves (
    number  INTEGER PRIMARY KEY,
    game    TEXT NOT NULL,
    account INTEGER NOT NULL,
    -- The number of moves before them.
    ply     INTEGER NOT NULL,
    -- The lines, in JSON.
    lines   TEXT NOT NULL,
    UNIQUE (game, account)
) STRICT;
