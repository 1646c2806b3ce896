-- Spreads the tables of a migrated schema over the machines of a Citus cluster, by the keys
-- of wallets. Run it once on the coordinator, as a superuser, with the casino's schema first
-- in search_path, before the first instance connects:
--
--   psql -1 -v ON_ERROR_STOP=1 -f distribute.sql "$CASINO_DATABASE_URL"
--
-- docs/growth.md lists where each table lies, the limits of a cluster, and the statements
-- that use more than one machine.

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

-- Statements of a few rows must not be compiled on the workers either: the service's own settings
-- don't reach them. Repeat this when a worker is added.
SELECT run_command_on_workers(format('ALTER DATABASE %I SET jit = off', current_database()));

-- Unique keys of spread tables must have the wallet: that of a pair's nonces, of months there are
-- and to come.
CREATE OR REPLACE FUNCTION index_blocks(part text) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  EXECUTE format('CREATE INDEX %I ON %I (lane, seq)', part || '_block', part);
  EXECUTE format('CREATE UNIQUE INDEX %I ON %I (wallet, uuid_hash_extended(pair_id, nonce))', part || '_nonce', part);
END $$;
DO $$
DECLARE
  part text;
BEGIN
  FOR part IN SELECT c.relname FROM pg_catalog.pg_inherits AS i JOIN pg_catalog.pg_class AS c ON c.oid = i.inhrelid
      WHERE i.inhparent = 'rounds'::regclass LOOP
    EXECUTE format('DROP INDEX %I', part || '_block');
    PERFORM index_blocks(part);
  END LOOP;
END $$;

-- Everything of a wallet lies on one machine.
SELECT create_distributed_table('players', 'key');
SELECT create_distributed_table(of, 'wallet', colocate_with => 'players') FROM unnest(ARRAY[
  'balances', 'sessions', 'seed_pairs', 'rounds', 'open_rounds', 'transfers', 'transactions', 'approvals', 'payout_attempts', 'withdrawal_fees',
  'player_protection', 'wallet_proofs', 'player_days', 'creditors', 'votes',
  'provider_launches', 'provider_rounds', 'provider_transactions', 'provider_deliveries']) AS of;

-- Clients' keys and logins lie with their wallets, every other claim by itself, and so do
-- globally unique keys.
SELECT create_distributed_table('unique_keys', 'place', colocate_with => 'players');
SELECT create_distributed_table('once', 'id', colocate_with => 'none');

-- Tables that statements about wallets join are on every machine. Everything else stays on
-- the coordinator: lanes with their blocks, administrative decisions, and single lists.
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

-- An INSERT … SELECT locks a table of every machine as if to change it. Triggers still
-- refuse changes of names.
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

-- The functions below keep this search_path in every session.
SELECT set_config('search_path', format('%I, pg_temp', current_schema()), true);

-- Rounds, open rounds and seed pairs of a wallet lie on one machine. This names the part of
-- a table that lies beside a part of another one (it has the same range of hashes), and the
-- whole of control.
CREATE OR REPLACE FUNCTION part_beside(part name, other text) RETURNS text LANGUAGE sql STABLE AS $$
  SELECT other || '_' || s.shardid FROM pg_catalog.pg_dist_shard AS s
  WHERE s.logicalrelid = other::regclass AND (other = 'control' OR s.shardminvalue =
    (SELECT b.shardminvalue FROM pg_catalog.pg_dist_shard AS b WHERE b.shardid = substring(part FROM '_([0-9]+)$')::bigint))
$$;

-- The same rules as on one server, held by what lies beside the row. Without enable_seqscan, the
-- planner would compile each statement (jit), which takes a second. That the id of an open
-- round is no other wallet's holds the table once, by the posting of its first stake.
CREATE OR REPLACE FUNCTION rounds_of_pairs() RETURNS trigger LANGUAGE plpgsql
SET search_path FROM CURRENT SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off SET jit = off AS $$
DECLARE
  pairs text := part_beside(TG_TABLE_NAME, 'seed_pairs');
  opened text := part_beside(TG_TABLE_NAME, 'open_rounds');
  state text := part_beside(TG_TABLE_NAME, 'control');
  broken boolean;
  outlived boolean;
BEGIN
  EXECUTE format('SELECT EXISTS (SELECT FROM fresh AS r WHERE NOT EXISTS (SELECT FROM %1$I AS p
      WHERE p.wallet = r.wallet AND p.id = r.pair_id AND p.state <> ''next'' AND r.nonce >= p.was AND r.nonce < p.nonce
      AND p.xmin = pg_current_xact_id()::xid AND p.epoch = (SELECT c.epoch FROM %3$I AS c) OFFSET 0)
      AND NOT EXISTS (SELECT FROM %2$I AS o WHERE o.wallet = r.wallet AND o.id = r.id AND o.pair_id IS NOT DISTINCT FROM r.pair_id AND o.nonce = r.nonce OFFSET 0)
    OR EXISTS (SELECT FROM %2$I AS o WHERE o.id = r.id AND (o.pair_id IS DISTINCT FROM r.pair_id OR o.nonce <> r.nonce) OFFSET 0))', pairs, opened, state)
    INTO broken;
  IF broken THEN
    EXECUTE format('SELECT EXISTS (SELECT FROM fresh AS r JOIN %I AS p ON p.wallet = r.wallet AND p.id = r.pair_id
        WHERE p.xmin = pg_current_xact_id()::xid AND p.epoch < (SELECT c.epoch FROM %I AS c))', pairs, state) INTO outlived;
    IF outlived THEN
      RAISE EXCEPTION 'an epoch began after the seed pair took its nonce' USING ERRCODE = 'serialization_failure';
    END IF;
    RAISE EXCEPTION 'a round''s seed pair has not taken its nonce in this transaction' USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN NULL;
END $$;

CREATE OR REPLACE FUNCTION open_rounds_of_pairs() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
DECLARE
  late bigint; -- how many epochs the pair is behind, null where it has not taken the nonce
  taken boolean;
  betting boolean;
BEGIN
  EXECUTE format('SELECT (SELECT c.epoch FROM %I AS c) - p.epoch FROM %I AS p
      WHERE p.wallet = $1 AND p.id = $2 AND p.state <> ''next'' AND $3 >= p.was AND $3 < p.nonce AND p.xmin = pg_current_xact_id()::xid',
    part_beside(TG_TABLE_NAME, 'control'), part_beside(TG_TABLE_NAME, 'seed_pairs'))
    INTO late USING NEW.wallet, NEW.pair_id, NEW.nonce;
  EXECUTE format('SELECT EXISTS (SELECT FROM %I AS r WHERE r.id = $1) OR EXISTS (SELECT FROM %I AS o WHERE o.id = $1)',
    part_beside(TG_TABLE_NAME, 'rounds'), TG_TABLE_NAME) INTO taken USING NEW.id;
  IF NEW.chain <> '' THEN
    EXECUTE format('SELECT EXISTS (SELECT FROM %I AS c WHERE c.crash_chain = $1 AND c.crash_number = $2 AND c.crash_betting)',
      part_beside(TG_TABLE_NAME, 'control')) INTO betting USING NEW.chain, NEW.number;
    IF NOT betting THEN
      RAISE EXCEPTION 'the shared round takes no bets any more' USING ERRCODE = 'serialization_failure';
    END IF;
    late := 0;
  END IF;
  IF late > 0 THEN
    RAISE EXCEPTION 'an epoch began after the seed pair took its nonce' USING ERRCODE = 'serialization_failure';
  END IF;
  IF taken OR late IS DISTINCT FROM 0 THEN
    RAISE EXCEPTION 'an open round''s seed pair has not taken its nonce in this transaction, or its id is taken' USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN NEW;
END $$;

CREATE OR REPLACE FUNCTION open_rounds_ended() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
DECLARE
  ended boolean;
BEGIN
  EXECUTE format('SELECT EXISTS (SELECT FROM %I AS r WHERE r.id = $1 AND r.wallet = $2 AND r.pair_id IS NOT DISTINCT FROM $3 AND r.nonce = $4)',
    part_beside(TG_TABLE_NAME, 'rounds')) INTO ended USING OLD.id, OLD.wallet, OLD.pair_id, OLD.nonce;
  IF NOT ended THEN
    RAISE EXCEPTION 'an open round has not ended' USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN OLD;
END $$;
