--bun:split

DROP TABLE IF EXISTS crash_instances;

--bun:split

DROP TABLE IF EXISTS crash_lease;

--bun:split

DROP TABLE IF EXISTS crash_rounds;

--bun:split

DROP TABLE IF EXISTS crash_way_points;

--bun:split

DROP TABLE IF EXISTS crash_chains;

--bun:split

DROP FUNCTION IF EXISTS crash_rounds_follow();
