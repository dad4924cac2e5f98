-- The event that the game belongs to, such as a season of the ladder. Its participants include it, with the role 'event'.
ALTER TABLE game ADD COLUMN event text;
