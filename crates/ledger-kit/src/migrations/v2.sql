-- A run is a tournament, or work of another program: then its tasks and their results are that program's.
ALTER TABLE tournament_run ADD COLUMN kind text NOT NULL DEFAULT 'tournament';
