-- Tournaments for people or for bots. The id is in the events of their games.
CREATE TABLE tournament (
    number     INTEGER PRIMARY KEY,
    id         TEXT NOT NULL UNIQUE,
    owner      INTEGER NOT NULL,
    name       TEXT NOT NULL,
    format     TEXT NOT NULL,
    entrants   TEXT NOT NULL,
    -- What players enter with; empty if everybody may.
    invitation TEXT NOT NULL,
    clock      TEXT NOT NULL,
    rated      INTEGER NOT NULL,
    -- Whether games begin with drawn openings.
    openings   INTEGER NOT NULL,
    -- Rounds, and games of a pairing; 0 if the format has none.
    rounds     INTEGER NOT NULL,
    games      INTEGER NOT NULL,
    starts_at  INTEGER NOT NULL,
    -- 0 until it is known.
    ends_at    INTEGER NOT NULL,
    paused     INTEGER NOT NULL,
    created_at INTEGER NOT NULL
) STRICT;
CREATE INDEX tournament_start ON tournament (starts_at);
CREATE INDEX tournament_end ON tournament (ends_at);
CREATE INDEX tournament_owner ON tournament (owner);

CREATE TABLE tournament_player (
    number     INTEGER PRIMARY KEY,
    tournament TEXT NOT NULL,
    name       TEXT NOT NULL,
    -- 'in', 'out' after leaving, or 'removed' by the organiser.
    state      TEXT NOT NULL,
    entered_at INTEGER NOT NULL,
    UNIQUE (tournament, name)
) STRICT;
CREATE INDEX tournament_player_name ON tournament_player (name);

-- Results that the organiser has changed, by the ids of games.
CREATE TABLE tournament_correction (
    number       INTEGER PRIMARY KEY,
    tournament   TEXT NOT NULL,
    game         TEXT NOT NULL,
    result       TEXT NOT NULL,
    corrected_at INTEGER NOT NULL,
    UNIQUE (tournament, game)
) STRICT;

-- Who plays whom in a round; without Black, White has a bye.
CREATE TABLE tournament_pairing (
    number     INTEGER PRIMARY KEY,
    tournament TEXT NOT NULL,
    round      INTEGER NOT NULL,
    board      INTEGER NOT NULL,
    -- The game of the pairing, from 1.
    game       INTEGER NOT NULL,
    white      TEXT NOT NULL,
    black      TEXT NOT NULL,
    -- The table, whose first game it is; empty for a bye.
    place      TEXT NOT NULL,
    opening    INTEGER NOT NULL,
    -- A result without a game, such as that of a player who did not come; empty otherwise.
    result     TEXT NOT NULL,
    paired_at  INTEGER NOT NULL,
    UNIQUE (tournament, round, board, game)
) STRICT;
CREATE INDEX tournament_pairing_white ON tournament_pairing (white);
CREATE INDEX tournament_pairing_black ON tournament_pairing (black);
