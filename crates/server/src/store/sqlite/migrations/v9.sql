-- The event that the game counts for, such as a season of the ladder. Its participants include it, with the role 'event'.
ALTER TABLE game ADD COLUMN event TEXT;
