-- Spreads the tables of a migrated schema over the machines of a Citus cluster, by the keys
-- of wallets. Run it once on the coordinator, as a superuser, with the casino's schema first
-- in search_path, before the first instance connects:
--
--   psql -1 -v ON_ERROR_STOP=1 -f distribute.sql "$CASINO_DATABASE_URL"
--
-- What each table is, what the cluster then can't have of the rules of one server, and
-- which statements of a batch go to more than one machine, says docs/growth.md.

-- Triggers of spread tables run on the machine of their rows, and see nothing else of them.
-- Those here look at the row alone, or at rows of the same wallet (below).
SET citus.enable_unsafe_triggers = on;
-- All of it is one transaction.
SET citus.multi_shard_modify_mode = 'sequential';
DO $$
BEGIN
  -- For partitions of months to come.
  EXECUTE format('ALTER DATABASE %I SET citus.enable_unsafe_triggers = on', current_database());
END $$;

-- Everything of a wallet lies on one machine.
SELECT create_distributed_table('players', 'key');
SELECT create_distributed_table(of, 'wallet', colocate_with => 'players') FROM unnest(ARRAY[
  'balances', 'sessions', 'seed_pairs', 'rounds', 'open_rounds', 'transfers', 'transactions', 'approvals', 'payout_attempts', 'withdrawal_fees',
  'player_protection', 'wallet_proofs', 'creditors', 'votes',
  'provider_launches', 'provider_rounds', 'provider_transactions', 'provider_deliveries']) AS of;

-- Clients' keys and logins lie with their wallets, every other claim by itself, and so does
-- what is there once in the whole ledger.
SELECT create_distributed_table('unique_keys', 'place', colocate_with => 'players');
SELECT create_distributed_table('once', 'id', colocate_with => 'none');

-- What statements about wallets look at beside them is on every machine. Everything else
-- stays on the coordinator: lanes with their blocks, what administrators decide, and what is
-- one list for all.
SELECT create_reference_table(of) FROM unnest(ARRAY['names', 'control', 'agents', 'list_cells']) AS of;

-- Grants are copied to the machines table by table; those of single columns are not known
-- there, so that whole tables are granted.
DO $$
DECLARE
  granted record;
BEGIN
  FOR granted IN SELECT g.table_name, string_agg(DISTINCT g.privilege_type, ', ') AS what FROM information_schema.column_privileges AS g
      WHERE g.table_schema = current_schema() AND g.grantee = 'casino_runtime'
        AND format('%I.%I', g.table_schema, g.table_name)::regclass IN (SELECT d.logicalrelid FROM pg_catalog.pg_dist_partition AS d)
      GROUP BY g.table_name LOOP
    EXECUTE format('GRANT %s ON %I TO casino_runtime', granted.what, granted.table_name);
  END LOOP;
END $$;

-- Whoever adds rows that a query finds locks a table of every machine as if to change it.
-- Names refuse to be changed all the same.
GRANT UPDATE ON names, list_cells TO casino_runtime;

-- A name is held against the others in the copy that it is put into.
CREATE OR REPLACE FUNCTION names_apart() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  taken boolean;
BEGIN
  EXECUTE format('SELECT EXISTS (SELECT FROM %I.%I AS n WHERE (n.key = $1) <> (n.kind = $2 AND n.name = $3))', TG_TABLE_SCHEMA, TG_TABLE_NAME)
    INTO taken USING NEW.key, NEW.kind, NEW.name;
  IF taken THEN
    RAISE EXCEPTION 'another name has the key of % %, or it has another key', NEW.kind, NEW.name USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN NEW;
END $$;

-- A round lies beside its pair: the part of seed_pairs that has the same wallets as this
-- part of rounds is a table of the same machine.
CREATE OR REPLACE FUNCTION rounds_of_pairs() RETURNS trigger LANGUAGE plpgsql
SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off AS $$
DECLARE
  part bigint := substring(TG_TABLE_NAME FROM '_([0-9]+)$');
  pairs text;
  state text;
  broken boolean;
BEGIN
  SELECT 'seed_pairs_' || s.shardid INTO STRICT pairs FROM pg_catalog.pg_dist_shard AS s
  WHERE s.logicalrelid = format('%I.seed_pairs', TG_TABLE_SCHEMA)::regclass AND s.shardid = ANY (get_colocated_shard_array(part));
  SELECT 'control_' || s.shardid INTO STRICT state FROM pg_catalog.pg_dist_shard AS s
  WHERE s.logicalrelid = format('%I.control', TG_TABLE_SCHEMA)::regclass;
  EXECUTE format('SELECT EXISTS (SELECT FROM fresh AS r WHERE NOT EXISTS (SELECT FROM %1$I.%2$I AS p
      WHERE p.wallet = r.wallet AND p.id = r.pair_id AND p.state <> ''next'' AND r.nonce >= p.was AND r.nonce < p.nonce
      AND p.xmin = pg_current_xact_id()::xid AND p.epoch = (SELECT c.epoch FROM %1$I.%3$I AS c) OFFSET 0))', TG_TABLE_SCHEMA, pairs, state)
    INTO broken;
  IF broken THEN
    RAISE EXCEPTION 'a round''s seed pair has not taken its nonce in this transaction' USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN NULL;
END $$;
