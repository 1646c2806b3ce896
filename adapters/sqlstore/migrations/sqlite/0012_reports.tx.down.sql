DELETE FROM guards WHERE kind = 'player days';

--bun:split

DROP INDEX IF EXISTS transactions_ended;

--bun:split

DROP TABLE IF EXISTS counted_blocks;

--bun:split

DROP TABLE IF EXISTS player_days;
