-- The servers that have used the database. An append locks the row of its server, and is refused once that
-- says `dead`: a server that sets it waits for the append in progress, and no later one succeeds.
CREATE TABLE session (
    id       integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
    name     text NOT NULL,
    address  text,
    beat     bigint NOT NULL DEFAULT 0,
    draining boolean NOT NULL DEFAULT false,
    dead     boolean NOT NULL DEFAULT false
) WITH (fillfactor = 50);

-- Who writes which streams. The hash of a table's id determines the shard of its streams.
CREATE TABLE shard (
    id      smallint PRIMARY KEY CHECK (id BETWEEN 0 AND 255),
    session integer,
    epoch   bigint NOT NULL DEFAULT 0
) WITH (fillfactor = 50);
INSERT INTO shard (id) SELECT generate_series(0, 255);

-- The streams. The writer takes their ids from the sequence before it inserts them.
CREATE SEQUENCE stream_id;
CREATE TABLE stream (
    id    bigint PRIMARY KEY,
    name  text COLLATE "C" NOT NULL UNIQUE,
    shard smallint NOT NULL,
    open  boolean NOT NULL
);
ALTER SEQUENCE stream_id OWNED BY stream.id;
CREATE INDEX stream_open ON stream (id) WHERE open;

-- The events, in the order in which they were written. `session` wrote the event: an append that was sent
-- twice knows its own row by it. `checksum` is the CRC-32 that docs/persistence.md describes. References are
-- kept by the writer: checking each would cost more than the event.
CREATE TABLE event (
    stream   bigint NOT NULL,
    seq      integer NOT NULL,
    session  integer NOT NULL,
    at       bigint NOT NULL,
    checksum bigint NOT NULL,
    kind     text NOT NULL,
    payload  text NOT NULL,
    PRIMARY KEY (stream, seq)
);

-- The archive: a row for each closed stream with a game. `clock` is that of both sides, such as `5m+3s` or
-- `none`; where they differ, White's, a comma and Black's.
CREATE TABLE game (
    stream      bigint PRIMARY KEY,
    events      integer NOT NULL,
    finished_at bigint NOT NULL,
    result      text COLLATE "C" NOT NULL,
    reason      text NOT NULL,
    clock       text NOT NULL,
    plies       integer NOT NULL,
    white       text,
    black       text,
    white_bot   text,
    black_bot   text,
    document    bytea NOT NULL
);
CREATE INDEX game_finished ON game (finished_at, stream) INCLUDE (result, reason, clock, plies);
CREATE INDEX game_result ON game (result, finished_at, stream) INCLUDE (reason, clock, plies);

-- Who took part, whichever colour they had: role is 'player' or 'bot'.
CREATE TABLE participant (
    role         text COLLATE "C" NOT NULL,
    name         text COLLATE "C" NOT NULL,
    finished_at  bigint NOT NULL,
    stream       bigint NOT NULL,
    is_white     boolean NOT NULL,
    result       text NOT NULL,
    reason       text NOT NULL,
    clock        text NOT NULL,
    plies        integer NOT NULL,
    opponent     text,
    opponent_bot text,
    PRIMARY KEY (role, name, finished_at, stream)
        INCLUDE (is_white, result, reason, clock, plies, opponent, opponent_bot)
);
