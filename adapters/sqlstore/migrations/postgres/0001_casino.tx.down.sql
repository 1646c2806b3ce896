DROP TABLE IF EXISTS guards;

--bun:split

DROP TABLE IF EXISTS tokens;

--bun:split

DROP TABLE IF EXISTS meta;

--bun:split

DROP TABLE IF EXISTS roles;

--bun:split

DROP TABLE IF EXISTS daily_figures;

--bun:split

DROP TABLE IF EXISTS lane_totals;

--bun:split

DROP TABLE IF EXISTS blocks;

--bun:split

DROP TABLE IF EXISTS audit;

--bun:split

DROP TABLE IF EXISTS claims;

--bun:split

DROP TABLE IF EXISTS payout_attempts;

--bun:split

DROP TABLE IF EXISTS approvals;

--bun:split

DROP TABLE IF EXISTS transactions;

--bun:split

DROP TABLE IF EXISTS transfers;

--bun:split

DROP TABLE IF EXISTS rounds;

--bun:split

DROP TABLE IF EXISTS seed_pairs;

--bun:split

DROP TABLE IF EXISTS balances;

--bun:split

DROP TABLE IF EXISTS players;

--bun:split

DROP FUNCTION IF EXISTS make_months(bigint, integer);

--bun:split

DROP FUNCTION IF EXISTS make_partition(text, text, text);

--bun:split

DROP FUNCTION IF EXISTS id_from(timestamptz);

--bun:split

DROP FUNCTION IF EXISTS rounds_of_pairs();

--bun:split

DROP FUNCTION IF EXISTS refuse();

--bun:split

-- The role stays: other databases of the server may use it.
REVOKE ALL ON bun_migrations FROM casino_runtime;
