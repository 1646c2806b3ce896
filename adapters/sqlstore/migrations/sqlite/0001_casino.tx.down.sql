DROP VIEW IF EXISTS all_transfers;
--bun:split
DROP VIEW IF EXISTS readable_rounds;
--bun:split
DROP VIEW IF EXISTS readable_seed_pairs;
--bun:split
DROP VIEW IF EXISTS readable_open_rounds;
--bun:split
DROP VIEW IF EXISTS kept_rounds;
--bun:split
DROP VIEW IF EXISTS kept_transfers;
--bun:split
DROP VIEW IF EXISTS heads;
--bun:split
DROP TABLE IF EXISTS origin;
--bun:split
DROP TABLE IF EXISTS control;
--bun:split
DROP TABLE IF EXISTS guards;
--bun:split
DROP TABLE IF EXISTS tokens;
--bun:split
DROP TABLE IF EXISTS meta;
--bun:split
DROP TABLE IF EXISTS role_list;

--bun:split

DROP TABLE IF EXISTS roles;
--bun:split
DROP TABLE IF EXISTS list_cells;

--bun:split

DROP TABLE IF EXISTS daily_figures;
--bun:split
DROP TABLE IF EXISTS lane_totals;
--bun:split
DROP TABLE IF EXISTS ledger_events;
--bun:split
DROP TABLE IF EXISTS log_anchors;

--bun:split

DROP TABLE IF EXISTS log_checkpoints;

--bun:split

DROP TABLE IF EXISTS log_hashes;

--bun:split

DROP TABLE IF EXISTS log_entries;

--bun:split

DROP TABLE IF EXISTS blocks;
--bun:split
DROP TABLE IF EXISTS audit;
--bun:split
DROP TABLE IF EXISTS unique_keys;

--bun:split

DROP TABLE IF EXISTS once;
--bun:split
DROP TABLE IF EXISTS payout_attempts;
--bun:split
DROP TABLE IF EXISTS approvals;
--bun:split
DROP TABLE IF EXISTS transactions;
--bun:split
DROP TABLE IF EXISTS transfers;
--bun:split
DROP TABLE IF EXISTS lane_exposures;
--bun:split
DROP TABLE IF EXISTS open_rounds;
--bun:split
DROP TABLE IF EXISTS rounds;
--bun:split
DROP TABLE IF EXISTS names;
--bun:split
DROP TABLE IF EXISTS seed_pairs;
--bun:split
DROP TABLE IF EXISTS sessions;
--bun:split
DROP TABLE IF EXISTS balances;
--bun:split
DROP TABLE IF EXISTS players;
