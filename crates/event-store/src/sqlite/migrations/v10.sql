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
    starts_at  INTEGER NOT NULL,
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
