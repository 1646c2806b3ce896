DELETE FROM guards WHERE kind = 'webhooks';

--bun:split

DROP TABLE IF EXISTS dead_letters;

--bun:split

DROP TABLE IF EXISTS webhooks;
