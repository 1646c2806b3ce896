DROP VIEW IF EXISTS all_transfers, readable_rounds, readable_seed_pairs, readable_open_rounds, kept_rounds, kept_transfers, heads;

--bun:split

-- Detached months are no longer partitions of the tables dropped below.
DO $$
DECLARE
  part text;
BEGIN
  FOR part IN SELECT relname FROM pg_catalog.pg_class WHERE relkind = 'r' AND NOT relispartition
      AND relnamespace = quote_ident(current_schema())::regnamespace AND relname ~ '^(rounds|transfers)_[0-9]{4}_[0-9]{2}$' LOOP
    EXECUTE format('DROP TABLE %I', part);
  END LOOP;
END $$;

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

DROP TABLE IF EXISTS daily_figures;

--bun:split

DROP FUNCTION IF EXISTS cells_of_figures();

--bun:split

DROP TABLE IF EXISTS list_cells;

--bun:split

DROP TABLE IF EXISTS lane_totals;

--bun:split

DROP TABLE IF EXISTS ledger_events;

--bun:split

DROP TABLE IF EXISTS detached_months;

--bun:split

DROP FUNCTION IF EXISTS newest_blocks();

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

DROP SEQUENCE IF EXISTS block_numbers;

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

DROP FUNCTION IF EXISTS open_rounds_of_pairs();

--bun:split

DROP FUNCTION IF EXISTS open_rounds_ended();

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

--bun:split

DROP FUNCTION IF EXISTS drop_month(text);

--bun:split

DROP FUNCTION IF EXISTS attach_month(text);

--bun:split

DROP FUNCTION IF EXISTS detach_month(text);

--bun:split

DROP FUNCTION IF EXISTS refresh_kept();

--bun:split

DROP FUNCTION IF EXISTS make_months(bigint, integer);

--bun:split

DROP FUNCTION IF EXISTS make_partition(text, text, text);

--bun:split

DROP FUNCTION IF EXISTS index_blocks(text);

--bun:split

DROP FUNCTION IF EXISTS plan_for_any_wallet(text);

--bun:split

DROP FUNCTION IF EXISTS id_from(timestamptz);

--bun:split

DROP FUNCTION IF EXISTS lateness(uuid, bigint);

--bun:split

DROP FUNCTION IF EXISTS blocks_follow();

--bun:split

DROP FUNCTION IF EXISTS rounds_of_pairs();

--bun:split

DROP FUNCTION IF EXISTS names_apart();

--bun:split

DROP FUNCTION IF EXISTS all_changed(bigint, integer);

--bun:split

DROP FUNCTION IF EXISTS refuse();

--bun:split

DROP FUNCTION IF EXISTS wallet_key(text);

--bun:split

-- The role stays: other databases of the server may use it.
REVOKE ALL ON bun_migrations FROM casino_runtime;
