-- A tournament, with all that decides its games.
CREATE TABLE tournament_run (
    id               integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    name             text NOT NULL UNIQUE,
    -- The first line of its journal, as JSON.
    header           text NOT NULL,
    -- What workers must have in common with the coordinator, as JSON.
    terms            text NOT NULL,
    -- The file of openings, if there is one.
    openings         text,
    unequal_machines boolean NOT NULL,
    state            text NOT NULL DEFAULT 'open' CHECK (state IN ('open', 'stopped', 'complete')),
    -- Why it was stopped.
    reason           text,
    began_at         timestamptz NOT NULL DEFAULT now(),
    ended_at         timestamptz
);

-- A process that plays.
CREATE TABLE tournament_worker (
    id        integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    run       integer NOT NULL REFERENCES tournament_run ON DELETE CASCADE,
    name      text NOT NULL,
    -- As JSON.
    machine   text NOT NULL,
    -- Nodes per second of a fixed search, where limits of time make it matter.
    speed     double precision,
    -- Until when its pairings are its own.
    lease     timestamptz NOT NULL,
    joined_at timestamptz NOT NULL DEFAULT now()
) WITH (fillfactor = 50);

CREATE INDEX tournament_worker_run ON tournament_worker (run);

-- A pairing of a run: to be played, in play, or played.
CREATE TABLE tournament_task (
    run     integer NOT NULL REFERENCES tournament_run ON DELETE CASCADE,
    id      bigint NOT NULL,
    -- As JSON, like a line of the journal.
    pairing text NOT NULL,
    -- How often it was handed out; only the result of the last time counts.
    attempt integer NOT NULL DEFAULT 0,
    -- Who has it.
    worker  integer,
    -- The line of the journal, as JSON.
    result  text,
    PRIMARY KEY (run, id)
);

CREATE INDEX tournament_task_fresh ON tournament_task (run, id) WHERE result IS NULL AND attempt = 0;

CREATE INDEX tournament_task_claimed ON tournament_task (run, worker) WHERE result IS NULL AND attempt > 0;
