DELETE FROM guards WHERE kind = 'alarms';

--bun:split

DROP TABLE IF EXISTS alarms;
