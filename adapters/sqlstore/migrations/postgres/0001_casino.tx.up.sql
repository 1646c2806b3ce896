-- Amounts are in base units and times in microseconds since 1970 UTC, both bigint. Ids sort by
-- time: those of rounds and seed pairs are UUIDv7, the others are text, with the "C" collation
-- unless that is the database's own. Every table with a wallet's data has the wallet's key in its
-- column wallet, and in its primary key and unique indexes: an engine that distributes tables by
-- one column can use them unchanged and has all rows of a wallet on one machine. Every statement
-- can be run again, so that a killed migration can be repeated.

-- The role of the service: users that connect for it are members. It owns nothing, so it can't
-- change the schema, and has grants on each table for what it does.
DO $$
BEGIN
  IF NOT EXISTS (SELECT FROM pg_catalog.pg_roles WHERE rolname = 'casino_runtime') THEN
    CREATE ROLE casino_runtime NOLOGIN;
  END IF;
EXCEPTION
  WHEN duplicate_object OR unique_violation THEN NULL; -- another database of the server made it at the same time
  WHEN insufficient_privilege THEN
    RAISE EXCEPTION 'this user may not create the role casino_runtime'
      USING HINT = 'Have an administrator run: CREATE ROLE casino_runtime NOLOGIN';
END $$;

--bun:split

DO $$
BEGIN
  EXECUTE format('REVOKE CREATE ON SCHEMA %I FROM PUBLIC', current_schema());
  EXECUTE format('GRANT USAGE ON SCHEMA %I TO casino_runtime', current_schema());
END $$;

--bun:split

-- Raises the error of a trigger, with the trigger's argument as text.
CREATE OR REPLACE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION '%', TG_ARGV[0] USING ERRCODE = 'restrict_violation';
END $$;

--bun:split

-- Raises an error unless as many rows were changed as were sent; the error also prevents the
-- commit that is sent with the change.
CREATE OR REPLACE FUNCTION all_changed(changed bigint, sent integer) RETURNS bigint LANGUAGE plpgsql AS $$
BEGIN
  IF changed <> sent THEN
    RAISE EXCEPTION '% rows changed, % were sent', changed, sent USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  RETURN changed;
END $$;

--bun:split

-- The key of a wallet in all tables but players: the first 16 bytes of the SHA-256 of "wallet", a
-- zero byte and the wallet's text, so that it is the same in every database. In queries by hand,
-- write wallet = wallet_key('…').
CREATE OR REPLACE FUNCTION wallet_key(wallet text) RETURNS uuid LANGUAGE sql IMMUTABLE STRICT AS $$
  SELECT encode(substring(sha256('\x77616c6c657400'::bytea || convert_to($1, 'UTF8')) FOR 16), 'hex')::uuid
$$;

--bun:split

-- The lock of a row of players guards everything its wallet owns; a row without created_at exists
-- only for that: the wallet never signed in. Rows stay small and half empty pages make room for
-- their updates. No two wallets have the same key, so no wallet has two rows.
CREATE TABLE IF NOT EXISTS players (
  wallet        text COLLATE "C" NOT NULL CHECK (wallet <> ''),
  key           uuid NOT NULL PRIMARY KEY CHECK (key = wallet_key(wallet)),
  agent         text COLLATE "C" NOT NULL DEFAULT '',
  created_at    bigint,
  sessions_from bigint
) WITH (fillfactor = 80);

--bun:split

CREATE OR REPLACE TRIGGER players_key_fixed BEFORE UPDATE OF wallet, key ON players FOR EACH ROW
EXECUTE FUNCTION refuse('a player keeps the wallet and its key');

--bun:split

CREATE INDEX IF NOT EXISTS players_wallet ON players (wallet);

--bun:split

-- kind is player, hold or unclaimed; hold names the withdrawal of a hold and is empty otherwise.
-- The columns after the amount are the tally of a player's balance since the row exists, each sum
-- in two parts. They are in this table so that a bet writes no further row.
CREATE TABLE IF NOT EXISTS balances (
  wallet uuid NOT NULL REFERENCES players,
  kind   text COLLATE "C" NOT NULL CHECK (kind IN ('player', 'hold', 'unclaimed', 'stake')),
  hold   text COLLATE "C" NOT NULL CHECK ((kind = 'hold') = (hold <> '')),
  token  text COLLATE "C" NOT NULL,
  amount bigint NOT NULL CHECK (amount >= 0),
  rounds bigint NOT NULL DEFAULT 0,
  wagered_hi bigint NOT NULL DEFAULT 0, wagered_lo bigint NOT NULL DEFAULT 0,
  won_hi bigint NOT NULL DEFAULT 0, won_lo bigint NOT NULL DEFAULT 0,
  deposited_hi bigint NOT NULL DEFAULT 0, deposited_lo bigint NOT NULL DEFAULT 0,
  PRIMARY KEY (wallet, kind, hold, token)
) WITH (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.05);

--bun:split

-- Audits read holds in the order of withdrawals. Bets don't change this index.
CREATE INDEX IF NOT EXISTS balances_holds ON balances (hold, token) WHERE kind = 'hold';

--bun:split

-- Admins list unclaimed balances. The amount is not included, so bets don't change this index.
CREATE INDEX IF NOT EXISTS balances_unclaimed ON balances (wallet, token) WHERE kind = 'unclaimed';

--bun:split

-- The tallies of a wallet's balances when a session began. A row is deleted when the session's
-- token has expired.
CREATE TABLE IF NOT EXISTS sessions (
  wallet     uuid NOT NULL REFERENCES players,
  issued_at  bigint NOT NULL,
  keep_until bigint NOT NULL,
  counted    text COLLATE "C" NOT NULL,
  PRIMARY KEY (wallet, issued_at)
);

--bun:split

CREATE INDEX IF NOT EXISTS sessions_expiry ON sessions (keep_until);

--bun:split

-- sealed is the encrypted server seed until the pair retires, revealed its text after that. nonce
-- is the one for the next round, was its value before the row's last change. next_id names the
-- following pair, from when the pair becomes active. A closing pair ended while rounds drawn from
-- it were open: it takes no further nonce and retires with the last of them. epoch is the
-- ledger's epoch in which the pair was made: it takes no nonce in a later one. since is when the
-- pair became active, 0 if it never was. A client seed that an earlier pair had is found by
-- seed_pairs_client.
CREATE TABLE IF NOT EXISTS seed_pairs (
  wallet        uuid NOT NULL REFERENCES players,
  id            uuid NOT NULL,
  state         text COLLATE "C" NOT NULL CHECK (state IN ('next', 'active', 'closing', 'retired')),
  sealed        bytea,
  commitment    text COLLATE "C" NOT NULL,
  client_seed   text COLLATE "C" NOT NULL,
  client_source text COLLATE "C" NOT NULL CHECK (client_source IN ('', 'server', 'player', 'repeated')),
  nonce         bigint NOT NULL CHECK (nonce >= 0 AND nonce <= 10000),
  was           bigint NOT NULL DEFAULT 0 CHECK (was >= 0 AND was <= nonce),
  revealed      text COLLATE "C",
  next_id       uuid,
  epoch         bigint NOT NULL CHECK (epoch >= 1),
  since         bigint NOT NULL CHECK (since >= 0),
  PRIMARY KEY (wallet, id),
  CHECK (state NOT IN ('active', 'closing') OR since > 0),
  CHECK (state <> 'next' OR since = 0),
  CHECK ((state = 'next') = (next_id IS NULL)),
  CHECK ((state = 'next') = (client_source = '')),
  CHECK ((state = 'retired') = (sealed IS NULL)),
  CHECK ((state = 'retired') = (revealed IS NOT NULL))
) WITH (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.05);

--bun:split

CREATE UNIQUE INDEX IF NOT EXISTS seed_pairs_active ON seed_pairs (wallet) WHERE state = 'active';

--bun:split

CREATE INDEX IF NOT EXISTS seed_pairs_closing ON seed_pairs (wallet) WHERE state = 'closing';

--bun:split

CREATE UNIQUE INDEX IF NOT EXISTS seed_pairs_next ON seed_pairs (wallet) WHERE state = 'next';

--bun:split

-- Public requests name pairs by their ids alone.
CREATE INDEX IF NOT EXISTS seed_pairs_id ON seed_pairs (id);

--bun:split

CREATE INDEX IF NOT EXISTS seed_pairs_client ON seed_pairs (wallet, client_seed) WHERE state = 'retired';

--bun:split

-- A retired pair never changes, a closing one only retires unchanged, and no pair goes back to an
-- earlier state or nonce, so that no nonce is used twice.
CREATE OR REPLACE TRIGGER seed_pairs_forward BEFORE UPDATE ON seed_pairs FOR EACH ROW
WHEN (OLD.state = 'retired' OR NEW.state = 'next' AND OLD.state <> 'next' OR NEW.nonce < OLD.nonce OR NEW.was <> OLD.nonce
  OR NEW.id <> OLD.id OR NEW.wallet <> OLD.wallet OR NEW.commitment <> OLD.commitment OR NEW.epoch <> OLD.epoch
  OR OLD.state = 'closing' AND (NEW.state <> 'retired' OR NEW.nonce <> OLD.nonce)
  OR OLD.state IN ('active', 'closing') AND
    (NEW.client_seed <> OLD.client_seed OR NEW.client_source <> OLD.client_source OR NEW.next_id <> OLD.next_id OR NEW.since <> OLD.since))
EXECUTE FUNCTION refuse('seed pairs only go forward');

--bun:split

CREATE OR REPLACE TRIGGER seed_pairs_kept BEFORE DELETE ON seed_pairs FOR EACH ROW
EXECUTE FUNCTION refuse('seed pairs are kept');

--bun:split

CREATE OR REPLACE TRIGGER seed_pairs_truncate BEFORE TRUNCATE ON seed_pairs
EXECUTE FUNCTION refuse('seed pairs are kept');

--bun:split

-- The names that rounds refer to by keys of 4 bytes: games, their rules and tokens. A key is the
-- first four bytes of the SHA-256 of the kind, a zero byte and the name, so that every instance
-- can compute it. A name with the key of another one is refused, and so is an existing name with
-- another key.
CREATE TABLE IF NOT EXISTS names (
  key  integer NOT NULL PRIMARY KEY,
  kind text COLLATE "C" NOT NULL CHECK (kind IN ('game', 'rules', 'token')),
  name text COLLATE "C" NOT NULL,
  UNIQUE (kind, name)
);

--bun:split

CREATE OR REPLACE FUNCTION names_apart() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT FROM names AS n WHERE (n.key = NEW.key) <> (n.kind = NEW.kind AND n.name = NEW.name)) THEN
    RAISE EXCEPTION 'another name has the key of % %, or it has another key', NEW.kind, NEW.name USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN NEW;
END $$;

--bun:split

CREATE OR REPLACE TRIGGER names_apart BEFORE INSERT ON names FOR EACH ROW EXECUTE FUNCTION names_apart();

--bun:split

CREATE OR REPLACE TRIGGER names_append_only BEFORE UPDATE OR DELETE ON names FOR EACH ROW
EXECUTE FUNCTION refuse('names are append-only');

--bun:split

CREATE OR REPLACE TRIGGER names_truncate BEFORE TRUNCATE ON names
EXECUTE FUNCTION refuse('names are append-only');

--bun:split

-- The facts a round was drawn from (commitment, client seed and its source) are in its pair,
-- where they don't change once the pair is active. The numbers of the multiplier are unsigned and
-- stored as the signed integer of the same bits. position is that of the wager in its block; the
-- payout's is the next. actions are those of a round played step by step, else empty. Game, rules
-- and token are keys of names: the view readable_rounds shows the names. Fixed-length columns
-- come first, the longest before, to avoid padding.
--
-- Rounds and transfers are partitioned by id. UUIDv7 ids contain their time, so each month has
-- its partition; other ids are in the partition called other, and ids of months without a
-- partition in the one called rest.
CREATE TABLE IF NOT EXISTS rounds (
  id             uuid NOT NULL,
  wallet         uuid NOT NULL,
  pair_id        uuid, -- null for a bet on a shared round
  wager          bigint NOT NULL CHECK (wager > 0),
  payout         bigint NOT NULL CHECK (payout >= 0),
  multiplier_num bigint NOT NULL,
  multiplier_den bigint NOT NULL,
  nonce          bigint NOT NULL CHECK (nonce >= 0),
  balance        bigint NOT NULL CHECK (balance >= 0),
  at             bigint NOT NULL,
  seq            bigint NOT NULL,
  position       integer NOT NULL,
  game           integer NOT NULL,
  rules          integer NOT NULL,
  token          integer NOT NULL,
  lane           smallint NOT NULL,
  void           boolean NOT NULL,
  agent          text COLLATE "C" NOT NULL,
  config         json NOT NULL,
  outcome        json NOT NULL,
  actions        text COLLATE "C" NOT NULL DEFAULT '',
  -- The agent is included for a player's lists by agent, which then need no rows.
  PRIMARY KEY (wallet, id) INCLUDE (agent)
) PARTITION BY RANGE (id);

--bun:split

-- The newest rounds of all players, and one round by its id.
CREATE INDEX IF NOT EXISTS rounds_id ON rounds (id);

--bun:split

-- Lists by any combination of game, token and agent, of all players or of one, read little more
-- than their page even if the combination is rare: list_cells has the values for columns that a
-- filter leaves open. These indexes are most of the cost of lists to a bet.
CREATE INDEX IF NOT EXISTS rounds_cell ON rounds (game, token, agent, id);

--bun:split

CREATE INDEX IF NOT EXISTS rounds_wallet_cell ON rounds (wallet, game, token, id);

--bun:split

-- The bets on a shared round. Other rounds are not in it.
CREATE INDEX IF NOT EXISTS rounds_shared ON rounds ((config ->> 'chain'), (CAST(config ->> 'round' AS bigint)), id) WHERE pair_id IS NULL;

--bun:split

-- The class of how much later a round ended than it was opened, which is the time in its id: 0 up
-- to a minute, 1 up to 10 minutes, 2 up to 100, and so on.
CREATE OR REPLACE FUNCTION lateness(id uuid, at bigint) RETURNS integer LANGUAGE sql IMMUTABLE AS $$
  SELECT width_bucket(at / 1000 - ('x' || left(replace(id::text, '-', ''), 12))::bit(48)::bigint,
    ARRAY[60001, 600000, 6000000, 60000000, 600000000, 6000000000])
$$;

--bun:split

-- Lists of a period find rounds by the times in their ids. These indexes have the rounds that
-- this misses, which were played step by step for longer. Other rounds aren't in them and don't
-- pay for them.
CREATE INDEX IF NOT EXISTS rounds_late ON rounds (lateness(id, at), at, id) INCLUDE (game, token, agent)
WHERE actions <> '' AND lateness(id, at) > 0;

--bun:split

CREATE INDEX IF NOT EXISTS rounds_wallet_late ON rounds (wallet, lateness(id, at), at, id)
WHERE actions <> '' AND lateness(id, at) > 0;

--bun:split

-- A round takes a nonce only in the transaction that moves its pair past it: the pair's row is
-- written first, and the round's nonce lies between the old and the new value, unless the round
-- was open since it took its nonce. Thus no nonce is used twice, in any month. A retired pair,
-- which doesn't change, takes none, and neither does one of an earlier epoch: a batch that read
-- the control state before an epoch began is run again.
CREATE OR REPLACE FUNCTION rounds_of_pairs() RETURNS trigger LANGUAGE plpgsql
SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off AS $$
BEGIN
  IF EXISTS (SELECT FROM fresh AS r WHERE NOT EXISTS (SELECT FROM seed_pairs AS p
      WHERE p.wallet = r.wallet AND p.id = r.pair_id AND p.state <> 'next' AND r.nonce >= p.was AND r.nonce < p.nonce
      AND p.xmin = pg_current_xact_id()::xid AND p.epoch = (SELECT c.epoch FROM control AS c) OFFSET 0)
      AND NOT EXISTS (SELECT FROM open_rounds AS o WHERE o.wallet = r.wallet AND o.id = r.id AND o.pair_id IS NOT DISTINCT FROM r.pair_id AND o.nonce = r.nonce OFFSET 0)
    OR EXISTS (SELECT FROM open_rounds AS o WHERE o.id = r.id AND (o.pair_id IS DISTINCT FROM r.pair_id OR o.nonce <> r.nonce) OFFSET 0)) THEN
    IF EXISTS (SELECT FROM fresh AS r JOIN seed_pairs AS p ON p.wallet = r.wallet AND p.id = r.pair_id
        WHERE p.xmin = pg_current_xact_id()::xid AND p.epoch < (SELECT c.epoch FROM control AS c)) THEN
      RAISE EXCEPTION 'an epoch began after the seed pair took its nonce' USING ERRCODE = 'serialization_failure';
    END IF;
    RAISE EXCEPTION 'a round''s seed pair has not taken its nonce in this transaction' USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN NULL;
END $$;

--bun:split

CREATE OR REPLACE TRIGGER rounds_of_pairs AFTER INSERT ON rounds REFERENCING NEW TABLE AS fresh
FOR EACH STATEMENT EXECUTE FUNCTION rounds_of_pairs();

--bun:split

CREATE OR REPLACE TRIGGER rounds_append_only BEFORE UPDATE OR DELETE ON rounds FOR EACH ROW
EXECUTE FUNCTION refuse('rounds are append-only');

--bun:split

CREATE OR REPLACE TRIGGER rounds_truncate BEFORE TRUNCATE ON rounds
EXECUTE FUNCTION refuse('rounds are append-only');

--bun:split

-- Rounds played step by step that have not ended: the actions taken and what was shown. Nothing
-- random is stored. The nonce is taken when the round is opened, exposure is what the house may
-- owe for it, and seal proves that the service wrote the row. The row is deleted when its round
-- is written; all of its states are in ledger_events. A bet on a shared round has the round's
-- chain and number and no pair.
CREATE TABLE IF NOT EXISTS open_rounds (
  wallet         uuid NOT NULL,
  id             uuid NOT NULL,
  agent          text COLLATE "C" NOT NULL,
  game           text COLLATE "C" NOT NULL,
  rules          text COLLATE "C" NOT NULL,
  token          text COLLATE "C" NOT NULL,
  wager          bigint NOT NULL CHECK (wager > 0),
  stake          bigint NOT NULL CHECK (stake >= wager),
  config         json NOT NULL,
  asked          json NOT NULL,
  max_payout     bigint NOT NULL CHECK (max_payout >= 0),
  pair_id        uuid,
  nonce          bigint NOT NULL CHECK (nonce >= 0),
  chain          text COLLATE "C" NOT NULL,
  number         bigint NOT NULL,
  actions        json NOT NULL,
  shown          json NOT NULL,
  choices        json NOT NULL,
  multiplier_num bigint NOT NULL,
  multiplier_den bigint NOT NULL,
  exposure       bigint NOT NULL CHECK (exposure >= 0),
  opened_at      bigint NOT NULL,
  touched_at     bigint NOT NULL CHECK (touched_at >= opened_at),
  seal           text COLLATE "C" NOT NULL,
  PRIMARY KEY (wallet, id),
  UNIQUE (wallet, pair_id, nonce),
  CHECK ((pair_id IS NULL) = (chain <> ''))
) WITH (fillfactor = 50);

--bun:split

CREATE INDEX IF NOT EXISTS open_rounds_id ON open_rounds (id);

--bun:split

-- A wallet has one bet on a shared round, in which all are found.
CREATE UNIQUE INDEX IF NOT EXISTS open_rounds_shared ON open_rounds (chain, number, wallet) WHERE chain <> '';

--bun:split

-- Like a round, an open round takes a nonce only in the transaction that moves its pair past it,
-- or it is a bet on the shared round that takes bets. It can't have the id of a round.
CREATE OR REPLACE FUNCTION open_rounds_of_pairs() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.chain <> '' AND NOT EXISTS (SELECT FROM control AS c WHERE c.crash_chain = NEW.chain AND c.crash_number = NEW.number AND c.crash_betting) THEN
    RAISE EXCEPTION 'the shared round takes no bets any more' USING ERRCODE = 'serialization_failure';
  END IF;
  IF NEW.chain = '' AND NOT EXISTS (SELECT FROM seed_pairs AS p
      WHERE p.wallet = NEW.wallet AND p.id = NEW.pair_id AND p.state <> 'next' AND NEW.nonce >= p.was AND NEW.nonce < p.nonce
      AND p.xmin = pg_current_xact_id()::xid AND p.epoch = (SELECT c.epoch FROM control AS c))
    OR EXISTS (SELECT FROM rounds AS r WHERE r.id = NEW.id) OR EXISTS (SELECT FROM open_rounds AS o WHERE o.id = NEW.id) THEN
    IF EXISTS (SELECT FROM seed_pairs AS p WHERE p.wallet = NEW.wallet AND p.id = NEW.pair_id
        AND p.xmin = pg_current_xact_id()::xid AND p.epoch < (SELECT c.epoch FROM control AS c)) THEN
      RAISE EXCEPTION 'an epoch began after the seed pair took its nonce' USING ERRCODE = 'serialization_failure';
    END IF;
    RAISE EXCEPTION 'an open round''s seed pair has not taken its nonce in this transaction, or its id is taken' USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN NEW;
END $$;

--bun:split

CREATE OR REPLACE TRIGGER open_rounds_of_pairs BEFORE INSERT ON open_rounds FOR EACH ROW EXECUTE FUNCTION open_rounds_of_pairs();

--bun:split

CREATE OR REPLACE TRIGGER open_rounds_forward BEFORE UPDATE ON open_rounds FOR EACH ROW
WHEN (NEW.wallet <> OLD.wallet OR NEW.id <> OLD.id OR NEW.agent <> OLD.agent OR NEW.game <> OLD.game OR NEW.rules <> OLD.rules
  OR NEW.token <> OLD.token OR NEW.wager <> OLD.wager OR NEW.stake < OLD.stake OR NEW.config::text <> OLD.config::text
  OR NEW.asked::text <> OLD.asked::text OR NEW.max_payout <> OLD.max_payout
  OR NEW.pair_id IS DISTINCT FROM OLD.pair_id OR NEW.chain <> OLD.chain OR NEW.number <> OLD.number OR NEW.nonce <> OLD.nonce OR json_array_length(NEW.actions) <= json_array_length(OLD.actions)
  OR NEW.multiplier_num <> OLD.multiplier_num OR NEW.multiplier_den <> OLD.multiplier_den OR NEW.exposure <> OLD.exposure
  OR NEW.opened_at <> OLD.opened_at OR NEW.touched_at < OLD.touched_at)
EXECUTE FUNCTION refuse('open rounds only go forward');

--bun:split

-- An open round ends as a round with the same data.
CREATE OR REPLACE FUNCTION open_rounds_ended() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NOT EXISTS (SELECT FROM rounds AS r WHERE r.id = OLD.id AND r.wallet = OLD.wallet AND r.pair_id IS NOT DISTINCT FROM OLD.pair_id AND r.nonce = OLD.nonce) THEN
    RAISE EXCEPTION 'an open round has not ended' USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN OLD;
END $$;

--bun:split

CREATE OR REPLACE TRIGGER open_rounds_ended BEFORE DELETE ON open_rounds FOR EACH ROW EXECUTE FUNCTION open_rounds_ended();

--bun:split

CREATE OR REPLACE TRIGGER open_rounds_truncate BEFORE TRUNCATE ON open_rounds
EXECUTE FUNCTION refuse('open rounds are kept until they end');

--bun:split

-- What open rounds may cost, by the lane in which they were opened; a lane in which rounds of
-- other lanes ended may be negative. A total is hi·2^40 + lo with 0 ≤ lo < 2^40.
CREATE TABLE IF NOT EXISTS lane_exposures (
  lane  smallint NOT NULL,
  token text COLLATE "C" NOT NULL,
  hi    bigint NOT NULL,
  lo    bigint NOT NULL CHECK (lo >= 0 AND lo < 1099511627776),
  PRIMARY KEY (token, lane)
) WITH (fillfactor = 50);

--bun:split

GRANT SELECT, INSERT, UPDATE, DELETE ON open_rounds TO casino_runtime;

--bun:split

GRANT SELECT, INSERT, UPDATE ON lane_exposures TO casino_runtime;

--bun:split

-- Transfers other than those of rounds, which follow from the rounds' rows (see the view
-- all_transfers). n counts the transfers of one posting (kind, scope, id) from 0; position counts
-- all rows of one block, in any table; a round takes two. wallet is the one under whose lock the
-- posting was made; postings between system accounts have the key of an empty wallet. Postings
-- are searched by id for all wallets.
CREATE TABLE IF NOT EXISTS transfers (
  kind         text COLLATE "C" NOT NULL CHECK (kind <> 'round'),
  scope        text COLLATE "C" NOT NULL,
  id           text COLLATE "C" NOT NULL,
  n            smallint NOT NULL CHECK (n >= 0),
  debit_kind   text COLLATE "C" NOT NULL,
  debit_owner  text COLLATE "C" NOT NULL,
  credit_kind  text COLLATE "C" NOT NULL,
  credit_owner text COLLATE "C" NOT NULL,
  token        text COLLATE "C" NOT NULL,
  amount       bigint NOT NULL CHECK (amount > 0),
  wallet       uuid NOT NULL,
  lane         smallint NOT NULL,
  seq          bigint NOT NULL,
  position     integer NOT NULL,
  PRIMARY KEY (id, kind, scope, n, wallet),
  CHECK (debit_kind <> credit_kind OR debit_owner <> credit_owner)
) PARTITION BY RANGE (id);

--bun:split

CREATE INDEX IF NOT EXISTS transfers_block ON transfers (lane, seq);

--bun:split

CREATE OR REPLACE TRIGGER transfers_append_only BEFORE UPDATE OR DELETE ON transfers FOR EACH ROW
EXECUTE FUNCTION refuse('transfers are append-only');

--bun:split

CREATE OR REPLACE TRIGGER transfers_truncate BEFORE TRUNCATE ON transfers
EXECUTE FUNCTION refuse('transfers are append-only');

--bun:split

-- The least UUIDv7 of a time: its first twelve digits are the milliseconds since 1970.
CREATE OR REPLACE FUNCTION id_from(moment timestamptz) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT left(digits, 8) || '-' || right(digits, 4) || '-0000-0000-000000000000'
  FROM (SELECT lpad(to_hex((extract(epoch FROM moment) * 1000)::bigint), 12, '0')) AS hex(digits)
$$;

--bun:split

-- A generic plan is made for the average wallet, as ANALYZE estimates it. If that has fewer rows
-- than a page, the plan reads and sorts all rows of a player with a million; if it has a large
-- part of the table, the plan walks down all players' ids for a player without rows. So planners
-- assume 500 rows per wallet: more than a page, and too few for a walk to find. Engines that
-- distribute tables don't support the setting and plan with ANALYZE's estimate.
CREATE OR REPLACE FUNCTION plan_for_any_wallet(of text) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  EXECUTE format('ALTER TABLE %I ALTER COLUMN wallet SET (n_distinct = -0.002)', of);
EXCEPTION WHEN feature_not_supported THEN
  NULL;
END $$;

--bun:split

-- Indexes a partition of rounds by block: audits read the rows of blocks, and every instance and
-- process that follows events reads the newest at once. A block range index (BRIN) would cost less
-- per row, but doesn't cover the last minute's rows. The index also keeps each nonce of a pair
-- unique within a block, and the trigger above across transactions, of which each writes one block.
-- It has the 8 bytes of a hash instead of the pair's 16 and the nonce's 8. Two nonces of a block
-- with the same hash would be refused as if they were one, and the batch is written again item by
-- item. An index that begins with the wallet would change a page of its own for each round.
CREATE OR REPLACE FUNCTION index_blocks(part text) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  EXECUTE format('CREATE UNIQUE INDEX %I ON %I (lane, seq, uuid_hash_extended(pair_id, nonce))', part || '_block', part);
END $$;

--bun:split

-- Makes the partition of a table from one id to another, unless it exists.
CREATE OR REPLACE FUNCTION make_partition(parent text, suffix text, bounds text) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  part text := parent || '_' || suffix;
BEGIN
  IF to_regclass(format('%I', part)) IS NOT NULL THEN
    RETURN false;
  END IF;
  BEGIN
    EXECUTE format('CREATE TABLE %I PARTITION OF %I %s', part, parent, bounds);
  EXCEPTION WHEN check_violation THEN
    RETURN false; -- the month began without a partition and its rows stay in the one called rest
  END;
  IF parent = 'rounds' THEN
    PERFORM index_blocks(part);
    PERFORM plan_for_any_wallet(part);
  END IF;
  EXECUTE format('CREATE TRIGGER %I BEFORE TRUNCATE ON %I EXECUTE FUNCTION refuse(%L)',
    part || '_truncate', part, parent || ' are append-only');
  RETURN true;
END $$;

--bun:split

-- Makes the partitions of a number of months, beginning with that of the given time in
-- microseconds, and returns how many it made. The service may call it, with its owner's rights.
-- It waits briefly for each lock, else fails with an error: the next call continues.
CREATE OR REPLACE FUNCTION make_months(moment bigint, months integer) RETURNS integer LANGUAGE plpgsql SECURITY DEFINER AS $$
DECLARE
  month timestamptz;
  parent text;
  made integer := 0;
BEGIN
  FOR i IN 0 .. least(months, 24) - 1 LOOP
    month := (date_trunc('month', to_timestamp(moment / 1000000) AT TIME ZONE 'UTC') + make_interval(months => i)) AT TIME ZONE 'UTC';
    FOREACH parent IN ARRAY ARRAY['rounds', 'transfers'] LOOP
      IF make_partition(parent, to_char(month AT TIME ZONE 'UTC', 'YYYY_MM'), format('FOR VALUES FROM (%L) TO (%L)',
          id_from(month), id_from((month AT TIME ZONE 'UTC' + interval '1 month') AT TIME ZONE 'UTC'))) THEN
        made := made + 1;
      END IF;
    END LOOP;
  END LOOP;
  RETURN made;
END $$;

--bun:split

-- The rows that audits read: rounds and transfers, including those of detached months while their
-- tables exist.
CREATE OR REPLACE FUNCTION refresh_kept() RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  parent text;
  parts text;
BEGIN
  FOREACH parent IN ARRAY ARRAY['rounds', 'transfers'] LOOP
    SELECT string_agg(format(' UNION ALL SELECT * FROM %I', relname), '' ORDER BY relname) INTO parts
    FROM pg_catalog.pg_class WHERE relkind = 'r' AND NOT relispartition AND relnamespace = quote_ident(current_schema())::regnamespace
      AND relname ~ ('^' || parent || '_[0-9]{4}_[0-9]{2}$');
    EXECUTE format('CREATE OR REPLACE VIEW %I AS SELECT * FROM %I%s', 'kept_' || parent, parent, coalesce(parts, ''));
  END LOOP;
END $$;

--bun:split

-- Detached months: once its tables are gone, a month can't be read as events any more.
CREATE TABLE IF NOT EXISTS detached_months (
  month text COLLATE "C" NOT NULL PRIMARY KEY CHECK (month ~ '^[0-9]{4}_[0-9]{2}$')
);

--bun:split

GRANT SELECT ON detached_months TO casino_runtime;

--bun:split

-- Detaches the rounds and transfers of a month, written YYYY_MM, from the tables that the service
-- reads and writes. Their own tables stay, append-only, for audits and exports. A month with an
-- open withdrawal, deposit or round is refused, because it will still be written, and so is one
-- that ended within the time for which clients' keys are kept.
CREATE OR REPLACE FUNCTION detach_month(month text) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  first timestamptz := to_date(month, 'YYYY_MM')::timestamp AT TIME ZONE 'UTC';
  after timestamptz := (to_date(month, 'YYYY_MM') + interval '1 month')::timestamp AT TIME ZONE 'UTC';
  parent text;
BEGIN
  IF after > now() - interval '31 days' THEN
    RAISE EXCEPTION 'month % ended less than 31 days ago', month USING ERRCODE = 'object_not_in_prerequisite_state';
  END IF;
  IF EXISTS (SELECT 1 FROM transactions WHERE id >= id_from(first) AND id < id_from(after)
      AND (type = 'withdrawal' AND status IN ('pending', 'approved', 'sending', 'failed')
        OR type = 'deposit' AND status IN ('pending', 'review'))) THEN
    RAISE EXCEPTION 'a transaction of month % is still open', month USING ERRCODE = 'object_not_in_prerequisite_state';
  END IF;
  IF EXISTS (SELECT 1 FROM open_rounds WHERE id >= id_from(first)::uuid AND id < id_from(after)::uuid) THEN
    RAISE EXCEPTION 'a round of month % is still open', month USING ERRCODE = 'object_not_in_prerequisite_state';
  END IF;
  FOREACH parent IN ARRAY ARRAY['rounds', 'transfers'] LOOP
    EXECUTE format('ALTER TABLE %I DETACH PARTITION %I', parent, parent || '_' || month);
    EXECUTE format('CREATE TRIGGER %I BEFORE UPDATE OR DELETE ON %I FOR EACH ROW EXECUTE FUNCTION refuse(%L)',
      parent || '_detached', parent || '_' || month, parent || ' are append-only');
    EXECUTE format('GRANT SELECT ON %I TO casino_runtime', parent || '_' || month);
  END LOOP;
  INSERT INTO detached_months (month) VALUES (month);
  PERFORM refresh_kept();
END $$;

--bun:split

-- Attaches the rounds and transfers of a detached month again.
CREATE OR REPLACE FUNCTION attach_month(month text) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  first timestamptz := to_date(month, 'YYYY_MM')::timestamp AT TIME ZONE 'UTC';
  after timestamptz := (to_date(month, 'YYYY_MM') + interval '1 month')::timestamp AT TIME ZONE 'UTC';
  parent text;
BEGIN
  FOREACH parent IN ARRAY ARRAY['rounds', 'transfers'] LOOP
    EXECUTE format('DROP TRIGGER IF EXISTS %I ON %I', parent || '_detached', parent || '_' || month);
    EXECUTE format('ALTER TABLE %I ATTACH PARTITION %I FOR VALUES FROM (%L) TO (%L)',
      parent, parent || '_' || month, id_from(first), id_from(after));
  END LOOP;
  DELETE FROM detached_months AS d WHERE d.month = attach_month.month;
  PERFORM refresh_kept();
END $$;

--bun:split

-- Drops the tables of a detached month. After that it can be neither audited nor read as events.
CREATE OR REPLACE FUNCTION drop_month(month text) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  parent text;
BEGIN
  IF NOT EXISTS (SELECT 1 FROM detached_months AS d WHERE d.month = drop_month.month) THEN
    RAISE EXCEPTION 'month % is not detached', month USING ERRCODE = 'object_not_in_prerequisite_state';
  END IF;
  FOREACH parent IN ARRAY ARRAY['rounds', 'transfers'] LOOP
    EXECUTE format('ALTER TABLE %I RENAME TO %I', parent || '_' || month, parent || '_' || month || '_dropped');
  END LOOP;
  PERFORM refresh_kept(); -- the views depend on the tables until then
  FOREACH parent IN ARRAY ARRAY['rounds', 'transfers'] LOOP
    EXECUTE format('DROP TABLE %I', parent || '_' || month || '_dropped');
  END LOOP;
END $$;

--bun:split

SELECT refresh_kept();

--bun:split

-- Rounds and seed pairs with readable texts only, for people and their own queries.
CREATE OR REPLACE VIEW readable_rounds AS SELECT r.id::text AS id, coalesce((SELECT w.wallet FROM players AS w WHERE w.key = r.wallet), '') AS wallet, r.agent,
  coalesce((SELECT n.name FROM names AS n WHERE n.key = r.game), '') AS game,
  coalesce((SELECT n.name FROM names AS n WHERE n.key = r.rules), '') AS rules,
  coalesce((SELECT n.name FROM names AS n WHERE n.key = r.token), '') AS token, r.wager, r.payout,
  r.multiplier_num, r.multiplier_den, r.config, r.outcome, r.actions, r.void, r.pair_id::text AS pair_id, r.nonce, r.balance,
  r.at, r.lane, r.seq, r.position
FROM kept_rounds AS r;

--bun:split

CREATE OR REPLACE VIEW readable_seed_pairs AS SELECT p.id::text AS id,
  coalesce((SELECT w.wallet FROM players AS w WHERE w.key = p.wallet), '') AS wallet, p.state, p.commitment, p.client_seed, p.client_source,
  p.nonce, p.was, p.revealed, p.next_id::text AS next_id, p.epoch, p.since
FROM seed_pairs AS p;

--bun:split

CREATE OR REPLACE VIEW readable_open_rounds AS SELECT o.id::text AS id,
  coalesce((SELECT w.wallet FROM players AS w WHERE w.key = o.wallet), '') AS wallet, o.agent, o.game, o.rules, o.token, o.wager, o.stake,
  o.config, o.pair_id::text AS pair_id, o.nonce, o.chain, o.number, o.actions, o.shown, o.choices, o.multiplier_num, o.multiplier_den, o.exposure,
  o.opened_at, o.touched_at
FROM open_rounds AS o;

--bun:split

-- All transfers, including those that follow from rounds' rows.
CREATE OR REPLACE VIEW all_transfers AS
SELECT t.kind, t.scope, t.id, t.n, t.debit_kind, t.debit_owner, t.credit_kind, t.credit_owner, t.token, t.amount,
  coalesce((SELECT w.wallet FROM players AS w WHERE w.key = t.wallet), '') AS wallet, t.lane, t.seq, t.position FROM kept_transfers AS t
UNION ALL SELECT 'round', '', id, 0::smallint, CASE WHEN actions = '' THEN 'player' ELSE 'stake' END, wallet, 'house', '', token, wager, wallet, lane, seq, position FROM readable_rounds
UNION ALL SELECT 'round', '', id, 1::smallint, 'house', '', 'player', wallet, token, payout, wallet, lane, seq, position + 1 FROM readable_rounds WHERE payout > 0;

--bun:split

-- The objects that a function with its owner's rights uses must not depend on its caller.
DO $$
BEGIN
  EXECUTE format('ALTER FUNCTION make_months(bigint, integer) SET search_path = %I, pg_temp', current_schema());
  EXECUTE format('ALTER FUNCTION make_months(bigint, integer) SET lock_timeout = %L', '500ms');
  REVOKE ALL ON FUNCTION make_months(bigint, integer), make_partition(text, text, text), index_blocks(text), plan_for_any_wallet(text),
    refresh_kept(), detach_month(text), attach_month(text), drop_month(text) FROM PUBLIC;
  GRANT EXECUTE ON FUNCTION make_months(bigint, integer) TO casino_runtime;
END $$;

--bun:split

-- A UUIDv7 begins with 0 until the year 2527; UUIDs of other versions, signatures and other names
-- don't.
SELECT make_partition('rounds', 'other', 'FOR VALUES FROM (''10000000-0000-0000-0000-000000000000'') TO (MAXVALUE)'),
  make_partition('transfers', 'other', 'FOR VALUES FROM (''1'') TO (MAXVALUE)'),
  make_partition('rounds', 'rest', 'DEFAULT'), make_partition('transfers', 'rest', 'DEFAULT');

--bun:split

SELECT make_months((extract(epoch FROM now()) * 1000000)::bigint, 3);

--bun:split

-- Deposits (claims), withdrawals and adjustments in one list: a withdrawal is its transaction.
-- amount is positive, or 0 for a deposit whose amount is not known yet; credit says that it is
-- for the player. agent is the player's agent at the time. signature is a deposit's or the newest
-- payout attempt's; attempts counts a withdrawal's signed transactions; actor is the admin who
-- made an adjustment; balance is the player's in the token after the change that made the row.
-- seal proves what a withdrawal's player requested; it is empty for all others. reference is the
-- wallet whose unclaimed money was assigned, or the id of the adjustment that a correction reverses.
CREATE TABLE IF NOT EXISTS transactions (
  wallet      uuid NOT NULL REFERENCES players,
  id          text COLLATE "C" NOT NULL,
  type        text COLLATE "C" NOT NULL CHECK (type IN ('deposit', 'withdrawal', 'adjustment', 'assignment', 'adjustment_correction', 'assignment_correction')),
  agent       text COLLATE "C" NOT NULL,
  credit      boolean NOT NULL,
  status      text COLLATE "C" NOT NULL,
  token       text COLLATE "C" NOT NULL,
  amount      bigint NOT NULL CHECK (amount >= 0),
  destination text COLLATE "C" NOT NULL,
  signature   text COLLATE "C" NOT NULL,
  reason      text COLLATE "C" NOT NULL,
  note        text COLLATE "C" NOT NULL,
  attempts    integer NOT NULL CHECK (attempts >= 0),
  actor       text COLLATE "C" NOT NULL,
  balance     bigint NOT NULL CHECK (balance >= 0),
  seal        text COLLATE "C" NOT NULL,
  reference   text COLLATE "C" NOT NULL,
  created_at  bigint NOT NULL,
  updated_at  bigint NOT NULL,
  PRIMARY KEY (wallet, id) INCLUDE (agent),
  CHECK (amount > 0 OR type = 'deposit'),
  CHECK (type <> 'withdrawal' OR status IN
    ('pending', 'approved', 'sending', 'completed', 'failed', 'rejected', 'cancelled')),
  CHECK (type <> 'deposit' OR status IN ('pending', 'review', 'credited', 'rejected'))
) WITH (fillfactor = 85);

--bun:split

CREATE INDEX IF NOT EXISTS transactions_id ON transactions (id);

--bun:split

-- Types, statuses, tokens and agents are few: with list_cells each of these indexes finds every
-- combination of its columns.
CREATE INDEX IF NOT EXISTS transactions_wallet_cell ON transactions (wallet, token, type, status, id);

--bun:split

CREATE INDEX IF NOT EXISTS transactions_agent ON transactions (agent, token, type, status, id);

--bun:split

CREATE INDEX IF NOT EXISTS transactions_status ON transactions (type, status, id);

--bun:split

-- Open transactions by wallet: they are counted under the wallet's lock.
CREATE INDEX IF NOT EXISTS transactions_open ON transactions (wallet, type)
WHERE type = 'withdrawal' AND status IN ('pending', 'approved', 'sending', 'failed')
   OR type = 'deposit' AND status = 'pending';

--bun:split

CREATE UNIQUE INDEX IF NOT EXISTS transactions_claim ON transactions (wallet, signature, token) WHERE type = 'deposit';

--bun:split

-- An adjustment is corrected once.
CREATE UNIQUE INDEX IF NOT EXISTS transactions_corrected ON transactions (wallet, reference)
WHERE type IN ('adjustment_correction', 'assignment_correction');

--bun:split

CREATE OR REPLACE TRIGGER transactions_fixed BEFORE UPDATE ON transactions FOR EACH ROW
WHEN (NEW.id <> OLD.id OR NEW.type <> OLD.type OR NEW.wallet <> OLD.wallet OR NEW.token <> OLD.token
  OR NEW.credit <> OLD.credit OR NEW.balance <> OLD.balance OR NEW.created_at <> OLD.created_at OR OLD.type NOT IN ('deposit', 'withdrawal')
  OR OLD.type = 'withdrawal' AND (NEW.amount <> OLD.amount OR NEW.destination <> OLD.destination))
EXECUTE FUNCTION refuse('the subject of a transaction is fixed');

--bun:split

CREATE OR REPLACE TRIGGER transactions_kept BEFORE DELETE ON transactions FOR EACH ROW
EXECUTE FUNCTION refuse('transactions are kept');

--bun:split

CREATE OR REPLACE TRIGGER transactions_truncate BEFORE TRUNCATE ON transactions
EXECUTE FUNCTION refuse('transactions are kept');

--bun:split

-- The votes of a withdrawal's current round of approval, n from 0, oldest first: after how many
-- payout attempts each was given, and how many votes were needed then. If the admin signed it,
-- also the signature, its time in milliseconds and its treasury (else '', 0 and '').
CREATE TABLE IF NOT EXISTS approvals (
  wallet        uuid NOT NULL,
  withdrawal_id text COLLATE "C" NOT NULL,
  n             integer NOT NULL CHECK (n >= 0),
  approver      text COLLATE "C" NOT NULL,
  at            bigint NOT NULL,
  note          text COLLATE "C" NOT NULL,
  attempt       integer NOT NULL CHECK (attempt >= 0),
  needed        integer NOT NULL CHECK (needed >= 0),
  signature     text COLLATE "C" NOT NULL,
  signed_at     bigint NOT NULL,
  treasury      text COLLATE "C" NOT NULL,
  seal          text COLLATE "C" NOT NULL,
  PRIMARY KEY (withdrawal_id, n, wallet),
  UNIQUE (withdrawal_id, approver, wallet),
  FOREIGN KEY (wallet, withdrawal_id) REFERENCES transactions
);

--bun:split

-- Signed payout transactions, number from 1. Heights and slots are unsigned and stored as the
-- signed integer of the same bits. stored_at is by the database's clock, by which the hourly
-- limit of signed payouts is counted. The only change of an attempt is that it is declared dead.
CREATE TABLE IF NOT EXISTS payout_attempts (
  wallet            uuid NOT NULL,
  withdrawal_id     text COLLATE "C" NOT NULL,
  number            integer NOT NULL CHECK (number > 0),
  signature         text COLLATE "C" NOT NULL,
  bytes             bytea NOT NULL,
  blockhash         text COLLATE "C" NOT NULL,
  last_valid_height bigint NOT NULL,
  slot              bigint NOT NULL,
  created_at        bigint NOT NULL,
  stored_at         bigint NOT NULL,
  dead              boolean NOT NULL,
  seal              text COLLATE "C" NOT NULL,
  PRIMARY KEY (withdrawal_id, number, wallet),
  UNIQUE (signature, wallet),
  FOREIGN KEY (wallet, withdrawal_id) REFERENCES transactions
);

--bun:split

CREATE OR REPLACE TRIGGER payout_attempts_fixed BEFORE UPDATE ON payout_attempts FOR EACH ROW
WHEN (NEW.withdrawal_id <> OLD.withdrawal_id OR NEW.number <> OLD.number OR NEW.wallet <> OLD.wallet
  OR NEW.signature <> OLD.signature OR NEW.bytes <> OLD.bytes OR NEW.blockhash <> OLD.blockhash
  OR NEW.last_valid_height <> OLD.last_valid_height OR NEW.slot <> OLD.slot
  OR NEW.created_at <> OLD.created_at OR NEW.stored_at <> OLD.stored_at OR NEW.dead < OLD.dead)
EXECUTE FUNCTION refuse('a payout attempt is fixed');

--bun:split

CREATE OR REPLACE TRIGGER payout_attempts_kept BEFORE DELETE ON payout_attempts FOR EACH ROW
EXECUTE FUNCTION refuse('payout attempts are kept');

--bun:split

CREATE OR REPLACE TRIGGER payout_attempts_truncate BEFORE TRUNCATE ON payout_attempts
EXECUTE FUNCTION refuse('payout attempts are kept');

--bun:split

-- The keys that are unique in the whole ledger, for all wallets together: the keys of postings
-- except those of rounds, which have random ids; the ids and commitments of seed pairs; the
-- signatures of payouts. The unique indexes of their own tables include the wallet.
CREATE TABLE IF NOT EXISTS once (
  kind  text COLLATE "C" NOT NULL,
  scope text COLLATE "C" NOT NULL,
  id    text COLLATE "C" NOT NULL,
  PRIMARY KEY (id, kind, scope)
);

--bun:split

CREATE OR REPLACE TRIGGER once_append_only BEFORE UPDATE OR DELETE ON once FOR EACH ROW
EXECUTE FUNCTION refuse('the table once is append-only');

--bun:split

CREATE OR REPLACE TRIGGER once_truncate BEFORE TRUNCATE ON once
EXECUTE FUNCTION refuse('the table once is append-only');

--bun:split

-- A held claim with the answer of its item. taken_by names the run of a writer that took it;
-- keep_until is null if it never expires. Rounds, withdrawals and adjustments without a client's
-- key have no row here: their own row is the claim. place is the distribution key where tables
-- are spread over machines. Clients' keys and logins belong to one wallet and have its key. For
-- all other claims, which are unique over all wallets, it is computed from the claim alone; for
-- claims on money a check enforces that.
CREATE TABLE IF NOT EXISTS unique_keys (
  kind        text COLLATE "C" NOT NULL,
  scope       text COLLATE "C" NOT NULL,
  id          text COLLATE "C" NOT NULL,
  place       uuid NOT NULL,
  holder      text COLLATE "C" NOT NULL,
  fingerprint text COLLATE "C" NOT NULL,
  taken_by    text COLLATE "C" NOT NULL,
  answer      text COLLATE "C" NOT NULL DEFAULT '',
  at          bigint NOT NULL,
  keep_until  bigint,
  PRIMARY KEY (kind, scope, id, place),
  CHECK (kind IN ('idempotency', 'login') OR place = encode(substring(sha256(convert_to(kind, 'UTF8') || '\x00'::bytea ||
    convert_to(scope, 'UTF8') || '\x00'::bytea || convert_to(id, 'UTF8')) FOR 16), 'hex')::uuid)
) WITH (fillfactor = 60);

--bun:split

CREATE INDEX IF NOT EXISTS unique_keys_expiry ON unique_keys (keep_until) WHERE keep_until IS NOT NULL;

--bun:split

CREATE OR REPLACE TRIGGER unique_keys_kept BEFORE DELETE ON unique_keys FOR EACH ROW
WHEN (OLD.keep_until IS NULL AND OLD.answer <> '')
EXECUTE FUNCTION refuse('a claim that never expires is kept');

--bun:split

CREATE OR REPLACE TRIGGER unique_keys_truncate BEFORE TRUNCATE ON unique_keys
EXECUTE FUNCTION refuse('unique keys are kept');

--bun:split

CREATE TABLE IF NOT EXISTS audit (
  id         text COLLATE "C" NOT NULL PRIMARY KEY,
  action     text COLLATE "C" NOT NULL,
  actor      text COLLATE "C" NOT NULL,
  target     text COLLATE "C" NOT NULL,
  was        text COLLATE "C" NOT NULL,
  became     text COLLATE "C" NOT NULL,
  at         bigint NOT NULL,
  request_id text COLLATE "C" NOT NULL,
  lane       smallint NOT NULL,
  seq        bigint NOT NULL,
  position   integer NOT NULL
);

--bun:split

CREATE INDEX IF NOT EXISTS audit_block ON audit (lane, seq);

--bun:split

-- Actions of players on their own account, and all others.
CREATE INDEX IF NOT EXISTS audit_admins ON audit (id) WHERE NOT (action IN ('session.opened', 'sessions.ended', 'player.first_signed_in', 'admission.decided')
  OR (action IN ('limits.changed', 'player.excluded', 'player.cooled_off') AND actor = target));

--bun:split

CREATE INDEX IF NOT EXISTS audit_players ON audit (id) WHERE (action IN ('session.opened', 'sessions.ended', 'player.first_signed_in', 'admission.decided')
  OR (action IN ('limits.changed', 'player.excluded', 'player.cooled_off') AND actor = target));

--bun:split

CREATE OR REPLACE TRIGGER audit_append_only BEFORE UPDATE OR DELETE ON audit FOR EACH ROW
EXECUTE FUNCTION refuse('the audit log is append-only');

--bun:split

CREATE OR REPLACE TRIGGER audit_truncate BEFORE TRUNCATE ON audit
EXECUTE FUNCTION refuse('the audit log is append-only');

--bun:split

-- The numbers of blocks, over all lanes.
CREATE SEQUENCE IF NOT EXISTS block_numbers;

--bun:split

GRANT USAGE ON SEQUENCE block_numbers TO casino_runtime;

--bun:split

-- One row per batch and lane; hashes are 64 hexadecimal digits. The key on seq is the fence
-- between two writers that believe they have the same lane. number is drawn when the row is
-- inserted, after all locks of the batch: of two blocks with rows of one wallet the later one has
-- the greater number.
CREATE TABLE IF NOT EXISTS blocks (
  lane     smallint NOT NULL,
  seq      bigint NOT NULL CHECK (seq > 0),
  previous text COLLATE "C" NOT NULL CHECK (length(previous) = 64),
  hash     text COLLATE "C" NOT NULL CHECK (length(hash) = 64),
  root     text COLLATE "C" NOT NULL CHECK (length(root) = 64),
  size     integer NOT NULL CHECK (size >= 0),
  at       bigint NOT NULL,
  epoch    bigint NOT NULL CHECK (epoch >= 1),
  number   bigint NOT NULL DEFAULT nextval('block_numbers') CHECK (number > 0),
  seal     text COLLATE "C" NOT NULL,
  PRIMARY KEY (lane, seq),
  UNIQUE (lane, number)
);

--bun:split

CREATE OR REPLACE TRIGGER blocks_append_only BEFORE DELETE ON blocks FOR EACH ROW
EXECUTE FUNCTION refuse('blocks are append-only');

--bun:split

-- A seal changes with the keys.
CREATE OR REPLACE TRIGGER blocks_fixed BEFORE UPDATE ON blocks FOR EACH ROW
WHEN (NEW.lane <> OLD.lane OR NEW.seq <> OLD.seq OR NEW.previous <> OLD.previous OR NEW.hash <> OLD.hash OR NEW.at <> OLD.at
  OR NEW.root <> OLD.root OR NEW.size <> OLD.size OR NEW.epoch <> OLD.epoch OR NEW.number <> OLD.number)
EXECUTE FUNCTION refuse('blocks are append-only');

--bun:split

CREATE OR REPLACE TRIGGER blocks_truncate BEFORE TRUNCATE ON blocks
EXECUTE FUNCTION refuse('blocks are append-only');

--bun:split

-- A block follows the previous one, by seq, number and hash; one that begins an epoch follows the
-- newest of its lane; the first of a lane follows none. The primary key remains the fence between
-- two writers in one lane.
CREATE OR REPLACE FUNCTION blocks_follow() RETURNS trigger LANGUAGE plpgsql
SET enable_seqscan = off AS $$
BEGIN
  IF EXISTS (SELECT FROM blocks AS b WHERE b.lane = NEW.lane AND b.seq = NEW.seq - 1 AND b.hash = NEW.previous AND b.number < NEW.number)
      OR EXISTS (SELECT FROM (SELECT l.seq, l.hash, l.epoch, l.number FROM blocks AS l WHERE l.lane = NEW.lane ORDER BY l.seq DESC LIMIT 1) AS n
        WHERE n.seq < NEW.seq AND n.hash = NEW.previous AND n.epoch < NEW.epoch AND n.number < NEW.number) THEN
    RETURN NEW;
  END IF;
  IF NEW.previous = repeat('0', 64) AND coalesce((SELECT min(f.seq) FROM blocks AS f WHERE f.lane = NEW.lane), NEW.seq) = NEW.seq
      AND (NEW.seq = 1 OR NEW.epoch > 1) THEN
    RETURN NEW;
  END IF;
  RAISE EXCEPTION 'a block follows the one before it' USING ERRCODE = 'restrict_violation';
END $$;

--bun:split

CREATE OR REPLACE TRIGGER blocks_follow BEFORE INSERT ON blocks FOR EACH ROW EXECUTE FUNCTION blocks_follow();

--bun:split

-- The newest block of each lane, found by one look-up in the key per lane, even if the planner
-- still takes the table for empty.
CREATE OR REPLACE FUNCTION newest_blocks() RETURNS SETOF blocks LANGUAGE plpgsql STABLE ROWS 16
SET enable_seqscan = off AS $$
DECLARE b blocks;
BEGIN
  SELECT * INTO b FROM blocks AS n ORDER BY n.lane DESC, n.seq DESC LIMIT 1;
  WHILE FOUND LOOP
    RETURN NEXT b;
    SELECT * INTO b FROM blocks AS n WHERE n.lane < b.lane ORDER BY n.lane DESC, n.seq DESC LIMIT 1;
  END LOOP;
END $$;

--bun:split

CREATE OR REPLACE VIEW heads AS SELECT * FROM newest_blocks();

--bun:split

-- The log of the headers of all lanes' blocks: entry n is the header of a block.
CREATE TABLE IF NOT EXISTS log_entries (
  n    bigint NOT NULL PRIMARY KEY CHECK (n >= 0),
  lane smallint NOT NULL,
  seq  bigint NOT NULL CHECK (seq > 0),
  UNIQUE (lane, seq)
);

--bun:split

-- The hashes of the log's tree: each leaf is followed by the nodes that it completes.
CREATE TABLE IF NOT EXISTS log_hashes (
  n    bigint NOT NULL PRIMARY KEY CHECK (n >= 0),
  hash bytea NOT NULL CHECK (length(hash) = 32)
);

--bun:split

CREATE OR REPLACE TRIGGER log_entries_append_only BEFORE UPDATE OR DELETE ON log_entries FOR EACH ROW
EXECUTE FUNCTION refuse('the log is append-only');

--bun:split

CREATE OR REPLACE TRIGGER log_entries_truncate BEFORE TRUNCATE ON log_entries
EXECUTE FUNCTION refuse('the log is append-only');

--bun:split

CREATE OR REPLACE TRIGGER log_hashes_append_only BEFORE UPDATE OR DELETE ON log_hashes FOR EACH ROW
EXECUTE FUNCTION refuse('the log is append-only');

--bun:split

CREATE OR REPLACE TRIGGER log_hashes_truncate BEFORE TRUNCATE ON log_hashes
EXECUTE FUNCTION refuse('the log is append-only');

--bun:split

-- The newest signed checkpoint of the log by its origin, of which there is one an epoch, and the
-- newest one that each witness cosigned.
CREATE TABLE IF NOT EXISTS log_checkpoints (
  origin  text COLLATE "C" NOT NULL,
  witness text COLLATE "C" NOT NULL,
  size    bigint NOT NULL CHECK (size > 0),
  at      bigint NOT NULL,
  note    text COLLATE "C" NOT NULL,
  PRIMARY KEY (origin, witness)
) WITH (fillfactor = 10);

--bun:split

CREATE OR REPLACE TRIGGER log_checkpoints_grow BEFORE UPDATE ON log_checkpoints FOR EACH ROW
WHEN (NEW.size < OLD.size OR NEW.origin <> OLD.origin OR NEW.witness <> OLD.witness)
EXECUTE FUNCTION refuse('a checkpoint is followed by larger ones');

--bun:split

-- Transactions whose memo states a checkpoint of the log. They are recorded before they are
-- sent; at most one isn't ended.
CREATE TABLE IF NOT EXISTS log_anchors (
  signature         text COLLATE "C" PRIMARY KEY,
  origin            text COLLATE "C" NOT NULL,
  size              bigint NOT NULL CHECK (size > 0),
  last_valid_height bigint NOT NULL,
  at                bigint NOT NULL,
  status            text COLLATE "C" NOT NULL CHECK (status IN ('sent', 'landed', 'dead'))
);

--bun:split

CREATE UNIQUE INDEX IF NOT EXISTS log_anchors_sent ON log_anchors (status) WHERE status = 'sent';

--bun:split

CREATE INDEX IF NOT EXISTS log_anchors_newest ON log_anchors (status, at, size);

--bun:split

CREATE INDEX IF NOT EXISTS log_anchors_of ON log_anchors (origin, status, size);

--bun:split

-- Events of withdrawals, deposits, roles and the like: fields is a JSON object of the new state
-- from this block on, was the digest of the state before. Audits compare current rows with the
-- newest of these.
CREATE TABLE IF NOT EXISTS ledger_events (
  lane     smallint NOT NULL,
  seq      bigint NOT NULL,
  position integer NOT NULL,
  kind     text COLLATE "C" NOT NULL,
  id       text COLLATE "C" NOT NULL,
  wallet   text COLLATE "C" NOT NULL,
  fields   text NOT NULL,
  was      text COLLATE "C" NOT NULL,
  PRIMARY KEY (lane, seq, position)
);

--bun:split

-- The events of a wallet, for listeners.
CREATE INDEX IF NOT EXISTS ledger_events_wallet ON ledger_events (wallet, lane, seq) WHERE wallet <> '';

--bun:split

-- The limits of bets that were published: a row where they changed.
CREATE INDEX IF NOT EXISTS ledger_events_limits ON ledger_events (lane, seq, position) WHERE kind = 'limits';

--bun:split

-- The newest event of a thing that players get receipts for.
CREATE INDEX IF NOT EXISTS ledger_events_id ON ledger_events (id, lane, seq)
WHERE kind IN ('round.open', 'withdrawal', 'deposit', 'pair');

--bun:split

CREATE OR REPLACE TRIGGER ledger_events_append_only BEFORE UPDATE OR DELETE ON ledger_events FOR EACH ROW
EXECUTE FUNCTION refuse('ledger events are append-only');

--bun:split

CREATE OR REPLACE TRIGGER ledger_events_truncate BEFORE TRUNCATE ON ledger_events
EXECUTE FUNCTION refuse('ledger events are append-only');

--bun:split

-- Totals of accounts by bucket, and by the agent of the player whose item moved them. A total is
-- hi·2^40 + lo with 0 ≤ lo < 2^40.
CREATE TABLE IF NOT EXISTS lane_totals (
  lane  smallint NOT NULL,
  kind  text COLLATE "C" NOT NULL,
  owner text COLLATE "C" NOT NULL,
  agent text COLLATE "C" NOT NULL,
  token text COLLATE "C" NOT NULL,
  hi    bigint NOT NULL,
  lo    bigint NOT NULL CHECK (lo >= 0 AND lo < 1099511627776),
  PRIMARY KEY (lane, kind, owner, agent, token)
) WITH (fillfactor = 50, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000);

--bun:split

CREATE TABLE IF NOT EXISTS daily_figures (
  lane        smallint NOT NULL,
  day         text COLLATE "C" NOT NULL CHECK (length(day) = 10),
  token       text COLLATE "C" NOT NULL,
  source      text COLLATE "C" NOT NULL,
  game        text COLLATE "C" NOT NULL,
  agent       text COLLATE "C" NOT NULL,
  rounds      bigint NOT NULL CHECK (rounds >= 0),
  wagered_hi  bigint NOT NULL,
  wagered_lo  bigint NOT NULL CHECK (wagered_lo >= 0 AND wagered_lo < 1099511627776),
  paid_hi     bigint NOT NULL,
  paid_lo     bigint NOT NULL CHECK (paid_lo >= 0 AND paid_lo < 1099511627776),
  expected_hi bigint NOT NULL,
  expected_lo bigint NOT NULL CHECK (expected_lo >= 0 AND expected_lo < 1099511627776),
  variance_hi bigint NOT NULL,
  variance_lo bigint NOT NULL CHECK (variance_lo >= 0 AND variance_lo < 1099511627776),
  PRIMARY KEY (lane, day, token, source, game, agent)
) WITH (fillfactor = 50, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000);

--bun:split

CREATE INDEX IF NOT EXISTS daily_figures_day ON daily_figures (day);

--bun:split

CREATE INDEX IF NOT EXISTS daily_figures_agent ON daily_figures (agent, day);

--bun:split

-- The combinations of game, token and agent that lists have rows of. The rows of a combination
-- may all be in a detached month; no combination is missing. game is empty if the list's index
-- has only token and agent.
CREATE TABLE IF NOT EXISTS list_cells (
  list  text COLLATE "C" NOT NULL CHECK (list IN ('rounds', 'provider_rounds', 'transactions')),
  game  text COLLATE "C" NOT NULL,
  token text COLLATE "C" NOT NULL,
  agent text COLLATE "C" NOT NULL,
  PRIMARY KEY (list, game, token, agent)
);

--bun:split

-- A figure is inserted once per day and lane, and later updates fire no trigger: bets don't pay
-- for this.
CREATE OR REPLACE FUNCTION cells_of_figures() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.source = 'casino' THEN
    INSERT INTO list_cells VALUES ('rounds', NEW.game, NEW.token, NEW.agent) ON CONFLICT DO NOTHING;
  ELSE
    INSERT INTO list_cells VALUES ('provider_rounds', '', NEW.token, NEW.agent), ('provider_rounds', NEW.game, NEW.token, NEW.agent)
    ON CONFLICT DO NOTHING;
  END IF;
  RETURN NULL;
END $$;

--bun:split

CREATE OR REPLACE TRIGGER cells_of_figures AFTER INSERT ON daily_figures FOR EACH ROW EXECUTE FUNCTION cells_of_figures();

--bun:split

CREATE TABLE IF NOT EXISTS roles (
  wallet     text COLLATE "C" NOT NULL PRIMARY KEY,
  role       text COLLATE "C" NOT NULL,
  agent      text COLLATE "C" NOT NULL,
  granted_by text COLLATE "C" NOT NULL,
  granted_at bigint NOT NULL,
  founding   boolean NOT NULL
);

--bun:split

-- The one row with the version of the list of roles, which counts its changes, and the seal over
-- the version and all roles.
CREATE TABLE IF NOT EXISTS role_list (
  id      integer NOT NULL PRIMARY KEY CHECK (id = 1),
  version bigint NOT NULL CHECK (version >= 0),
  seal    text COLLATE "C" NOT NULL
);

--bun:split

INSERT INTO role_list (id, version, seal) VALUES (1, 0, '') ON CONFLICT DO NOTHING;

--bun:split

-- The identity of the database: 'mode', 'genesis'.
CREATE TABLE IF NOT EXISTS meta (
  name  text COLLATE "C" NOT NULL PRIMARY KEY,
  value text COLLATE "C" NOT NULL
);

--bun:split

CREATE OR REPLACE TRIGGER meta_append_only BEFORE UPDATE OR DELETE ON meta FOR EACH ROW
EXECUTE FUNCTION refuse('the identity of a database is fixed');

--bun:split

CREATE OR REPLACE TRIGGER meta_truncate BEFORE TRUNCATE ON meta
EXECUTE FUNCTION refuse('the identity of a database is fixed');

--bun:split

-- Every known token, with its latest terms. Decimals and program never change.
CREATE TABLE IF NOT EXISTS tokens (
  mint                text COLLATE "C" NOT NULL PRIMARY KEY,
  symbol              text COLLATE "C" NOT NULL,
  decimals            smallint NOT NULL CHECK (decimals >= 0),
  program             text COLLATE "C" NOT NULL,
  min_deposit         bigint NOT NULL,
  min_wager           bigint NOT NULL,
  max_wager           bigint NOT NULL,
  max_payout          bigint NOT NULL,
  min_withdrawal      bigint NOT NULL,
  max_withdrawal      bigint NOT NULL,
  two_person_above    bigint NOT NULL,
  two_person_above_per_day bigint NOT NULL,
  payout_cap          bigint NOT NULL,
  payout_cap_per_hour bigint NOT NULL,
  bankroll_share_num  bigint NOT NULL,
  bankroll_share_den  bigint NOT NULL,
  seal                text COLLATE "C" NOT NULL
);

--bun:split

CREATE OR REPLACE TRIGGER tokens_fixed BEFORE UPDATE ON tokens FOR EACH ROW
WHEN (NEW.mint <> OLD.mint OR NEW.decimals <> OLD.decimals OR NEW.program <> OLD.program)
EXECUTE FUNCTION refuse('a token''s decimals and program are fixed');

--bun:split

-- Short administrative transactions first lock the row of their kind, so that two of a kind run
-- one after the other; 'blocks' is the one for the chain of their audit records.
CREATE TABLE IF NOT EXISTS guards (
  kind text COLLATE "C" NOT NULL PRIMARY KEY
);

--bun:split

INSERT INTO guards (kind) VALUES ('roles'), ('registry'), ('blocks'), ('log'), ('probe') ON CONFLICT DO NOTHING;

--bun:split

-- The control state: the ledger, its epoch, how the database was found to have been set back, and
-- which play is paused. One row, written as a whole; every batch reads it without a lock.
-- restored and pauses are JSON, or empty.
CREATE TABLE IF NOT EXISTS control (
  one      smallint NOT NULL PRIMARY KEY CHECK (one = 1),
  ledger   text COLLATE "C" NOT NULL,
  epoch    bigint NOT NULL CHECK (epoch >= 1),
  epoch_at bigint,
  logins_from bigint,
  restored text NOT NULL,
  pauses   text NOT NULL,
  crash_chain   text COLLATE "C" NOT NULL DEFAULT '',
  crash_number  bigint NOT NULL DEFAULT 0,
  crash_betting boolean NOT NULL DEFAULT FALSE,
  crash_paying  boolean NOT NULL DEFAULT FALSE,
  CHECK ((epoch_at IS NULL) = (epoch = 1))
) WITH (fillfactor = 10);

--bun:split

INSERT INTO control (one, ledger, epoch, restored, pauses) VALUES (1, '', 1, '', '') ON CONFLICT DO NOTHING;

--bun:split

INSERT INTO guards (kind) VALUES ('control') ON CONFLICT DO NOTHING;

--bun:split

CREATE OR REPLACE TRIGGER control_goes_on BEFORE UPDATE ON control FOR EACH ROW
WHEN (OLD.ledger <> '' AND NEW.ledger <> OLD.ledger OR NEW.epoch < OLD.epoch
  OR NEW.epoch = OLD.epoch AND NEW.epoch_at IS DISTINCT FROM OLD.epoch_at OR NEW.epoch_at < OLD.epoch_at
  OR OLD.logins_from IS NOT NULL AND (NEW.logins_from IS NULL OR NEW.logins_from < OLD.logins_from))
EXECUTE FUNCTION refuse('a ledger keeps its id, and an epoch is never left for an earlier one');

--bun:split

CREATE OR REPLACE TRIGGER control_kept BEFORE DELETE ON control FOR EACH ROW
EXECUTE FUNCTION refuse('the control state is kept');

--bun:split

CREATE OR REPLACE TRIGGER control_truncate BEFORE TRUNCATE ON control
EXECUTE FUNCTION refuse('the control state is kept');

--bun:split

GRANT SELECT, UPDATE ON control TO casino_runtime;

--bun:split

-- What the service may do with each table, and nothing more.
GRANT SELECT, INSERT ON rounds, names, once, transfers, audit, blocks, log_entries, log_hashes, ledger_events, meta TO casino_runtime;

--bun:split

GRANT SELECT, INSERT, UPDATE ON players, balances, seed_pairs, transactions, lane_totals, daily_figures, tokens TO casino_runtime;

--bun:split

GRANT SELECT, INSERT ON list_cells TO casino_runtime;

--bun:split

GRANT SELECT, INSERT, UPDATE, DELETE ON unique_keys, sessions, approvals, roles TO casino_runtime;

--bun:split

GRANT SELECT, INSERT, UPDATE (dead, seal) ON payout_attempts TO casino_runtime;

--bun:split

GRANT UPDATE (seal) ON blocks TO casino_runtime;

--bun:split

GRANT SELECT, INSERT, UPDATE ON role_list, log_checkpoints, log_anchors TO casino_runtime;

--bun:split

GRANT SELECT, UPDATE ON guards TO casino_runtime;

--bun:split

GRANT SELECT ON bun_migrations, kept_rounds, kept_transfers, all_transfers, readable_rounds, readable_seed_pairs, readable_open_rounds, heads TO casino_runtime;

--bun:split

-- The last known origin of the data: the server's system identifier and timeline. It only counts
-- if no head is kept outside the database.
CREATE TABLE IF NOT EXISTS origin (
  one      smallint NOT NULL PRIMARY KEY CHECK (one = 1),
  system   text COLLATE "C" NOT NULL,
  timeline bigint NOT NULL
);

--bun:split

GRANT SELECT, INSERT, UPDATE ON origin TO casino_runtime;
