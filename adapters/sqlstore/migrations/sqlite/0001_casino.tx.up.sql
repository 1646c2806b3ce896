-- Amounts are in base units and times in microseconds since 1970 UTC, both 64-bit integers. Ids
-- sort by time: those of rounds and seed pairs are the 16 bytes of a UUIDv7, the others are text.
-- Every statement can be run again, so that a killed migration can be repeated.

-- The lock of a row of players guards everything its wallet owns; a row without created_at exists
-- only for that: the wallet never signed in. key is the wallet's key in every other table: the
-- first 16 bytes of the SHA-256 of "wallet", a zero byte and the wallet's text, so that it is the
-- same in every database.
CREATE TABLE IF NOT EXISTS players (
  wallet        TEXT    NOT NULL UNIQUE,
  key           BLOB    NOT NULL PRIMARY KEY CHECK (length(key) = 16),
  agent         TEXT    NOT NULL DEFAULT '',
  created_at    INTEGER,
  sessions_from INTEGER
) STRICT, WITHOUT ROWID;

--bun:split

CREATE TRIGGER IF NOT EXISTS players_key_fixed BEFORE UPDATE OF wallet, key ON players
BEGIN SELECT RAISE(ABORT, 'a player keeps the wallet and its key'); END;

--bun:split

-- kind is player, hold or unclaimed; hold names the withdrawal of a hold and is empty otherwise.
-- The columns after the amount are the tally of a player's balance since the row exists, each sum
-- in two parts. They are in this table so that a bet writes no further row.
CREATE TABLE IF NOT EXISTS balances (
  wallet BLOB    NOT NULL CHECK (length(wallet) = 16),
  kind   TEXT    NOT NULL CHECK (kind IN ('player', 'hold', 'unclaimed', 'stake')),
  hold   TEXT    NOT NULL CHECK ((kind = 'hold') = (hold <> '')),
  token  TEXT    NOT NULL,
  amount INTEGER NOT NULL CHECK (amount >= 0),
  rounds INTEGER NOT NULL DEFAULT 0,
  wagered_hi INTEGER NOT NULL DEFAULT 0, wagered_lo INTEGER NOT NULL DEFAULT 0,
  won_hi INTEGER NOT NULL DEFAULT 0, won_lo INTEGER NOT NULL DEFAULT 0,
  deposited_hi INTEGER NOT NULL DEFAULT 0, deposited_lo INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (wallet, kind, hold, token)
) STRICT, WITHOUT ROWID;

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
  wallet     BLOB    NOT NULL CHECK (length(wallet) = 16),
  issued_at  INTEGER NOT NULL,
  keep_until INTEGER NOT NULL,
  counted    TEXT    NOT NULL,
  PRIMARY KEY (wallet, issued_at)
) STRICT, WITHOUT ROWID;

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
  wallet        BLOB    NOT NULL,
  id            BLOB    NOT NULL,
  state         TEXT    NOT NULL CHECK (state IN ('next', 'active', 'closing', 'retired')),
  sealed        BLOB,
  commitment    TEXT    NOT NULL,
  client_seed   TEXT    NOT NULL,
  client_source TEXT    NOT NULL CHECK (client_source IN ('', 'server', 'player', 'repeated')),
  nonce         INTEGER NOT NULL CHECK (nonce >= 0 AND nonce <= 10000),
  was           INTEGER NOT NULL DEFAULT 0 CHECK (was >= 0 AND was <= nonce),
  revealed      TEXT,
  next_id       BLOB,
  epoch         INTEGER NOT NULL CHECK (epoch >= 1),
  since         INTEGER NOT NULL CHECK (since >= 0),
  CHECK (state NOT IN ('active', 'closing') OR since > 0),
  CHECK (state <> 'next' OR since = 0),
  CHECK ((state = 'next') = (next_id IS NULL)),
  CHECK ((state = 'next') = (client_source = '')),
  CHECK ((state = 'retired') = (sealed IS NULL)),
  CHECK ((state = 'retired') = (revealed IS NOT NULL)),
  PRIMARY KEY (wallet, id),
  CHECK (length(id) = 16 AND length(next_id) = 16 AND length(wallet) = 16)
) STRICT, WITHOUT ROWID;

--bun:split

CREATE UNIQUE INDEX IF NOT EXISTS seed_pairs_active ON seed_pairs (wallet) WHERE state = 'active';

--bun:split

CREATE INDEX IF NOT EXISTS seed_pairs_closing ON seed_pairs (wallet) WHERE state = 'closing';

--bun:split

CREATE UNIQUE INDEX IF NOT EXISTS seed_pairs_next ON seed_pairs (wallet) WHERE state = 'next';

--bun:split

-- Public requests name pairs by their ids alone.
CREATE UNIQUE INDEX IF NOT EXISTS seed_pairs_id ON seed_pairs (id);

--bun:split

CREATE INDEX IF NOT EXISTS seed_pairs_client ON seed_pairs (wallet, client_seed) WHERE state = 'retired';

--bun:split

-- A retired pair never changes, a closing one only retires unchanged, and no pair goes back to an
-- earlier state or nonce, so that no nonce is used twice.
CREATE TRIGGER IF NOT EXISTS seed_pairs_forward BEFORE UPDATE ON seed_pairs
WHEN OLD.state = 'retired' OR NEW.state = 'next' AND OLD.state <> 'next' OR NEW.nonce < OLD.nonce OR NEW.was <> OLD.nonce
  OR NEW.id <> OLD.id OR NEW.wallet <> OLD.wallet OR NEW.commitment <> OLD.commitment OR NEW.epoch <> OLD.epoch
  OR OLD.state = 'closing' AND (NEW.state <> 'retired' OR NEW.nonce <> OLD.nonce)
  OR OLD.state IN ('active', 'closing') AND
    (NEW.client_seed <> OLD.client_seed OR NEW.client_source <> OLD.client_source OR NEW.next_id <> OLD.next_id OR NEW.since <> OLD.since)
BEGIN SELECT RAISE(ABORT, 'seed pairs only go forward'); END;

--bun:split

CREATE TRIGGER IF NOT EXISTS seed_pairs_kept BEFORE DELETE ON seed_pairs
BEGIN SELECT RAISE(ABORT, 'seed pairs are kept'); END;

--bun:split

-- The names that rounds refer to by keys of 4 bytes: games, their rules and tokens. A key is the
-- first four bytes of the SHA-256 of the kind, a zero byte and the name, so that every instance
-- can compute it. A name with the key of another one is refused, and so is an existing name with
-- another key.
CREATE TABLE IF NOT EXISTS names (
  key  INTEGER NOT NULL PRIMARY KEY,
  kind TEXT    NOT NULL CHECK (kind IN ('game', 'rules', 'token')),
  name TEXT    NOT NULL,
  UNIQUE (kind, name)
) STRICT;

--bun:split

CREATE TRIGGER IF NOT EXISTS names_apart BEFORE INSERT ON names
WHEN EXISTS (SELECT 1 FROM names AS n WHERE (n.key = NEW.key) <> (n.kind = NEW.kind AND n.name = NEW.name))
BEGIN SELECT RAISE(ABORT, 'another name has this key, or it has another key'); END;

--bun:split

CREATE TRIGGER IF NOT EXISTS names_update BEFORE UPDATE ON names
BEGIN SELECT RAISE(ABORT, 'names are append-only'); END;

--bun:split

CREATE TRIGGER IF NOT EXISTS names_delete BEFORE DELETE ON names
BEGIN SELECT RAISE(ABORT, 'names are append-only'); END;

--bun:split

-- The facts a round was drawn from (commitment, client seed and its source) are in its pair,
-- where they don't change once the pair is active. The numbers of the multiplier are unsigned and
-- stored as the signed integer of the same bits. position is that of the wager in its block; the
-- payout's is the next. actions are those of a round played step by step, else empty. Game, rules
-- and token are keys of names: the view readable_rounds shows the names. Fixed-length columns
-- come first, the longest before, to avoid padding.
CREATE TABLE IF NOT EXISTS rounds (
  id             BLOB    NOT NULL PRIMARY KEY,
  wallet         BLOB    NOT NULL,
  pair_id        BLOB, -- null for a bet on a shared round
  wager          INTEGER NOT NULL CHECK (wager > 0),
  payout         INTEGER NOT NULL CHECK (payout >= 0),
  multiplier_num INTEGER NOT NULL,
  multiplier_den INTEGER NOT NULL,
  nonce          INTEGER NOT NULL CHECK (nonce >= 0),
  balance        INTEGER NOT NULL CHECK (balance >= 0),
  at             INTEGER NOT NULL,
  seq            INTEGER NOT NULL,
  position       INTEGER NOT NULL,
  game           INTEGER NOT NULL,
  rules          INTEGER NOT NULL,
  token          INTEGER NOT NULL,
  lane           INTEGER NOT NULL,
  void           INTEGER NOT NULL CHECK (void IN (0, 1)),
  agent          TEXT    NOT NULL,
  config         TEXT    NOT NULL,
  outcome        TEXT    NOT NULL,
  actions        TEXT    NOT NULL DEFAULT '',
  UNIQUE (pair_id, nonce),
  CHECK (length(id) = 16 AND length(pair_id) = 16 AND length(wallet) = 16)
) STRICT;

--bun:split

-- Agent, game and token are included for lists of a player, which then need no rows. An index of
-- a player's combinations, as on PostgreSQL, would add an eighth to a bet's cost here.
CREATE INDEX IF NOT EXISTS rounds_wallet ON rounds (wallet, id, agent, game, token);

--bun:split

-- Lists by any combination of game, token and agent, of all players, read little more than their
-- page even if the combination is rare: list_cells has the values for columns that a filter
-- leaves open. These indexes are most of the cost of lists to a bet.
CREATE INDEX IF NOT EXISTS rounds_cell ON rounds (game, token, agent, id);

--bun:split

CREATE INDEX IF NOT EXISTS rounds_block ON rounds (lane, seq);

--bun:split

-- The bets on a shared round. Other rounds are not in it.
CREATE INDEX IF NOT EXISTS rounds_shared ON rounds (config ->> 'chain', CAST(config ->> 'round' AS bigint), id) WHERE pair_id IS NULL;

--bun:split

-- The pair's row is written first and moves the pair past the round. Its nonce lies between the
-- old and the new value. A retired pair doesn't change, and one of an earlier epoch takes no
-- nonce.
CREATE TRIGGER IF NOT EXISTS rounds_of_pair BEFORE INSERT ON rounds
WHEN NOT EXISTS (SELECT 1 FROM seed_pairs AS p
  WHERE p.wallet = NEW.wallet AND p.id = NEW.pair_id AND p.state <> 'next' AND NEW.nonce >= p.was AND NEW.nonce < p.nonce
    AND p.epoch = (SELECT c.epoch FROM control AS c))
  AND NOT EXISTS (SELECT 1 FROM open_rounds AS o WHERE o.wallet = NEW.wallet AND o.id = NEW.id AND o.pair_id IS NEW.pair_id AND o.nonce = NEW.nonce)
  OR EXISTS (SELECT 1 FROM open_rounds AS o WHERE o.id = NEW.id AND (o.pair_id IS NOT NEW.pair_id OR o.nonce <> NEW.nonce))
BEGIN SELECT RAISE(ABORT, 'the round''s seed pair has not taken this nonce'); END;

--bun:split

CREATE TRIGGER IF NOT EXISTS rounds_update BEFORE UPDATE ON rounds
BEGIN SELECT RAISE(ABORT, 'rounds are append-only'); END;

--bun:split

CREATE TRIGGER IF NOT EXISTS rounds_delete BEFORE DELETE ON rounds
BEGIN SELECT RAISE(ABORT, 'rounds are append-only'); END;

--bun:split

-- Rounds played step by step that have not ended: the actions taken and what was shown. Nothing
-- random is stored. The nonce is taken when the round is opened, exposure is what the house may
-- owe for it, and seal proves that the service wrote the row. The row is deleted when its round
-- is written; all of its states are in ledger_events. A bet on a shared round has the round's
-- chain and number and no pair.
CREATE TABLE IF NOT EXISTS open_rounds (
  wallet         BLOB    NOT NULL CHECK (length(wallet) = 16),
  id             BLOB    NOT NULL CHECK (length(id) = 16),
  agent          TEXT    NOT NULL,
  game           TEXT    NOT NULL,
  rules          TEXT    NOT NULL,
  token          TEXT    NOT NULL,
  wager          INTEGER NOT NULL CHECK (wager > 0),
  stake          INTEGER NOT NULL CHECK (stake >= wager),
  config         TEXT    NOT NULL,
  asked          TEXT    NOT NULL,
  max_payout     INTEGER NOT NULL CHECK (max_payout >= 0),
  pair_id        BLOB CHECK (length(pair_id) = 16),
  nonce          INTEGER NOT NULL CHECK (nonce >= 0),
  chain          TEXT    NOT NULL,
  number         INTEGER NOT NULL,
  actions        TEXT    NOT NULL,
  shown          TEXT    NOT NULL,
  choices        TEXT    NOT NULL,
  multiplier_num INTEGER NOT NULL,
  multiplier_den INTEGER NOT NULL,
  exposure       INTEGER NOT NULL CHECK (exposure >= 0),
  opened_at      INTEGER NOT NULL,
  touched_at     INTEGER NOT NULL CHECK (touched_at >= opened_at),
  seal           TEXT    NOT NULL,
  PRIMARY KEY (wallet, id),
  UNIQUE (wallet, pair_id, nonce),
  CHECK ((pair_id IS NULL) = (chain <> ''))
) STRICT, WITHOUT ROWID;

--bun:split

CREATE UNIQUE INDEX IF NOT EXISTS open_rounds_id ON open_rounds (id);

--bun:split

-- A wallet has one bet on a shared round, in which all are found.
CREATE UNIQUE INDEX IF NOT EXISTS open_rounds_shared ON open_rounds (chain, number, wallet) WHERE chain <> '';

--bun:split

-- Like a round, an open round takes a nonce that its pair was just moved past, or it is a bet on
-- the shared round that takes bets. It can't have the id of a round.
CREATE TRIGGER IF NOT EXISTS open_rounds_of_pair BEFORE INSERT ON open_rounds
WHEN NEW.chain = '' AND NOT EXISTS (SELECT 1 FROM seed_pairs AS p
  WHERE p.wallet = NEW.wallet AND p.id = NEW.pair_id AND p.state <> 'next' AND NEW.nonce >= p.was AND NEW.nonce < p.nonce
    AND p.epoch = (SELECT c.epoch FROM control AS c))
  OR NEW.chain <> '' AND NOT EXISTS (SELECT 1 FROM control AS c WHERE c.crash_chain = NEW.chain AND c.crash_number = NEW.number AND c.crash_betting)
  OR EXISTS (SELECT 1 FROM rounds AS r WHERE r.id = NEW.id)
BEGIN SELECT RAISE(ABORT, 'the open round''s seed pair has not taken this nonce, or its id is taken'); END;

--bun:split

CREATE TRIGGER IF NOT EXISTS open_rounds_forward BEFORE UPDATE ON open_rounds
WHEN NEW.wallet <> OLD.wallet OR NEW.id <> OLD.id OR NEW.agent <> OLD.agent OR NEW.game <> OLD.game OR NEW.rules <> OLD.rules
  OR NEW.token <> OLD.token OR NEW.wager <> OLD.wager OR NEW.stake < OLD.stake OR NEW.config <> OLD.config
  OR NEW.asked <> OLD.asked OR NEW.max_payout <> OLD.max_payout
  OR NEW.pair_id IS NOT OLD.pair_id OR NEW.chain <> OLD.chain OR NEW.number <> OLD.number OR NEW.nonce <> OLD.nonce OR json_array_length(NEW.actions) <= json_array_length(OLD.actions)
  OR NEW.multiplier_num <> OLD.multiplier_num OR NEW.multiplier_den <> OLD.multiplier_den OR NEW.exposure <> OLD.exposure
  OR NEW.opened_at <> OLD.opened_at OR NEW.touched_at < OLD.touched_at
BEGIN SELECT RAISE(ABORT, 'open rounds only go forward'); END;

--bun:split

-- An open round ends as a round with the same data.
CREATE TRIGGER IF NOT EXISTS open_rounds_ended BEFORE DELETE ON open_rounds
WHEN NOT EXISTS (SELECT 1 FROM rounds AS r WHERE r.id = OLD.id AND r.wallet = OLD.wallet AND r.pair_id IS OLD.pair_id AND r.nonce = OLD.nonce)
BEGIN SELECT RAISE(ABORT, 'an open round has not ended'); END;

--bun:split

-- What open rounds may cost. A total is hi·2^40 + lo with 0 ≤ lo < 2^40.
CREATE TABLE IF NOT EXISTS lane_exposures (
  lane  INTEGER NOT NULL,
  token TEXT    NOT NULL,
  hi    INTEGER NOT NULL,
  lo    INTEGER NOT NULL CHECK (lo >= 0 AND lo < 1099511627776),
  PRIMARY KEY (token, lane)
) STRICT, WITHOUT ROWID;

--bun:split

-- Transfers other than those of rounds, which follow from the rounds' rows (see the view
-- all_transfers). n counts the transfers of one posting (kind, scope, id) from 0; position counts
-- all rows of one block, in any table; a round takes two. wallet is the one under whose lock the
-- posting was made; postings between system accounts have the key of an empty wallet.
CREATE TABLE IF NOT EXISTS transfers (
  kind         TEXT    NOT NULL CHECK (kind <> 'round'),
  scope        TEXT    NOT NULL,
  id           TEXT    NOT NULL,
  n            INTEGER NOT NULL CHECK (n >= 0),
  debit_kind   TEXT    NOT NULL,
  debit_owner  TEXT    NOT NULL,
  credit_kind  TEXT    NOT NULL,
  credit_owner TEXT    NOT NULL,
  token        TEXT    NOT NULL,
  amount       INTEGER NOT NULL CHECK (amount > 0),
  wallet       BLOB    NOT NULL CHECK (length(wallet) = 16),
  lane         INTEGER NOT NULL,
  seq          INTEGER NOT NULL,
  position     INTEGER NOT NULL,
  PRIMARY KEY (kind, scope, id, n),
  CHECK (debit_kind <> credit_kind OR debit_owner <> credit_owner)
) STRICT;

--bun:split

CREATE INDEX IF NOT EXISTS transfers_block ON transfers (lane, seq);

--bun:split

-- The rows that audits read. On PostgreSQL they include detached months.
CREATE VIEW IF NOT EXISTS kept_rounds AS SELECT * FROM rounds;

--bun:split

CREATE VIEW IF NOT EXISTS kept_transfers AS SELECT * FROM transfers;

--bun:split

-- Rounds and seed pairs with readable texts only, for people and their own queries.
CREATE VIEW IF NOT EXISTS readable_rounds AS SELECT lower(substr(hex(r.id), 1, 8) || '-' || substr(hex(r.id), 9, 4) || '-' || substr(hex(r.id), 13, 4) || '-' ||
  substr(hex(r.id), 17, 4) || '-' || substr(hex(r.id), 21)) AS id, coalesce((SELECT w.wallet FROM players AS w WHERE w.key = r.wallet), '') AS wallet, r.agent,
  coalesce((SELECT n.name FROM names AS n WHERE n.key = r.game), '') AS game,
  coalesce((SELECT n.name FROM names AS n WHERE n.key = r.rules), '') AS rules,
  coalesce((SELECT n.name FROM names AS n WHERE n.key = r.token), '') AS token, r.wager, r.payout,
  r.multiplier_num, r.multiplier_den, r.config, r.outcome, r.actions, r.void, nullif(lower(substr(hex(r.pair_id), 1, 8) || '-' || substr(hex(r.pair_id), 9, 4) || '-' || substr(hex(r.pair_id), 13, 4) || '-' ||
  substr(hex(r.pair_id), 17, 4) || '-' || substr(hex(r.pair_id), 21)), '----') AS pair_id, r.nonce, r.balance,
  r.at, r.lane, r.seq, r.position
FROM kept_rounds AS r;

--bun:split

CREATE VIEW IF NOT EXISTS readable_seed_pairs AS SELECT lower(substr(hex(p.id), 1, 8) || '-' || substr(hex(p.id), 9, 4) || '-' || substr(hex(p.id), 13, 4) || '-' ||
  substr(hex(p.id), 17, 4) || '-' || substr(hex(p.id), 21)) AS id,
  coalesce((SELECT w.wallet FROM players AS w WHERE w.key = p.wallet), '') AS wallet, p.state, p.commitment, p.client_seed, p.client_source,
  p.nonce, p.was, p.revealed, lower(substr(hex(p.next_id), 1, 8) || '-' || substr(hex(p.next_id), 9, 4) || '-' || substr(hex(p.next_id), 13, 4) || '-' ||
  substr(hex(p.next_id), 17, 4) || '-' || substr(hex(p.next_id), 21)) AS next_id, p.epoch, p.since
FROM seed_pairs AS p;

--bun:split

CREATE VIEW IF NOT EXISTS readable_open_rounds AS SELECT lower(substr(hex(o.id), 1, 8) || '-' || substr(hex(o.id), 9, 4) || '-' || substr(hex(o.id), 13, 4) || '-' ||
  substr(hex(o.id), 17, 4) || '-' || substr(hex(o.id), 21)) AS id,
  coalesce((SELECT w.wallet FROM players AS w WHERE w.key = o.wallet), '') AS wallet, o.agent, o.game, o.rules, o.token, o.wager, o.stake,
  o.config, nullif(lower(substr(hex(o.pair_id), 1, 8) || '-' || substr(hex(o.pair_id), 9, 4) || '-' || substr(hex(o.pair_id), 13, 4) || '-' ||
  substr(hex(o.pair_id), 17, 4) || '-' || substr(hex(o.pair_id), 21)), '----') AS pair_id, o.nonce, o.chain, o.number,
  o.actions, o.shown, o.choices, o.multiplier_num, o.multiplier_den, o.exposure, o.opened_at, o.touched_at
FROM open_rounds AS o;

--bun:split

-- All transfers, including those that follow from rounds' rows.
CREATE VIEW IF NOT EXISTS all_transfers AS
SELECT t.kind, t.scope, t.id, t.n, t.debit_kind, t.debit_owner, t.credit_kind, t.credit_owner, t.token, t.amount,
  coalesce((SELECT w.wallet FROM players AS w WHERE w.key = t.wallet), '') AS wallet, t.lane, t.seq, t.position FROM kept_transfers AS t
UNION ALL SELECT 'round', '', id, 0, CASE WHEN actions = '' THEN 'player' ELSE 'stake' END, wallet, 'house', '', token, wager, wallet, lane, seq, position FROM readable_rounds
UNION ALL SELECT 'round', '', id, 1, 'house', '', 'player', wallet, token, payout, wallet, lane, seq, position + 1 FROM readable_rounds WHERE payout > 0;

--bun:split

CREATE TRIGGER IF NOT EXISTS transfers_update BEFORE UPDATE ON transfers
BEGIN SELECT RAISE(ABORT, 'transfers are append-only'); END;

--bun:split

CREATE TRIGGER IF NOT EXISTS transfers_delete BEFORE DELETE ON transfers
BEGIN SELECT RAISE(ABORT, 'transfers are append-only'); END;

--bun:split

-- Deposits (claims), withdrawals and adjustments in one list: a withdrawal is its transaction.
-- amount is positive, or 0 for a deposit whose amount is not known yet; credit says that it is
-- for the player. agent is the player's agent at the time. signature is a deposit's or the newest
-- payout attempt's; attempts counts a withdrawal's signed transactions; actor is the admin who
-- made an adjustment; balance is the player's in the token after the change that made the row.
-- seal proves what a withdrawal's player requested; it is empty for all others. reference is the
-- wallet whose unclaimed money was assigned, or the id of the adjustment that a correction reverses.
CREATE TABLE IF NOT EXISTS transactions (
  id          TEXT    NOT NULL PRIMARY KEY,
  type        TEXT    NOT NULL CHECK (type IN ('deposit', 'withdrawal', 'adjustment', 'assignment', 'adjustment_correction', 'assignment_correction')),
  wallet      BLOB    NOT NULL CHECK (length(wallet) = 16),
  agent       TEXT    NOT NULL,
  credit      INTEGER NOT NULL CHECK (credit IN (0, 1)),
  status      TEXT    NOT NULL,
  token       TEXT    NOT NULL,
  amount      INTEGER NOT NULL CHECK (amount >= 0),
  destination TEXT    NOT NULL,
  signature   TEXT    NOT NULL,
  reason      TEXT    NOT NULL,
  note        TEXT    NOT NULL,
  attempts    INTEGER NOT NULL CHECK (attempts >= 0),
  actor       TEXT    NOT NULL,
  balance     INTEGER NOT NULL CHECK (balance >= 0),
  seal        TEXT    NOT NULL,
  reference   TEXT    NOT NULL,
  created_at  INTEGER NOT NULL,
  updated_at  INTEGER NOT NULL,
  CHECK (amount > 0 OR type = 'deposit'),
  CHECK (type <> 'withdrawal' OR status IN
    ('pending', 'approved', 'sending', 'completed', 'failed', 'rejected', 'cancelled')),
  CHECK (type <> 'deposit' OR status IN ('pending', 'review', 'credited', 'rejected'))
) STRICT;

--bun:split

CREATE INDEX IF NOT EXISTS transactions_wallet ON transactions (wallet, id, agent);

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
CREATE INDEX IF NOT EXISTS transactions_open ON transactions (wallet, type, status)
WHERE type = 'withdrawal' AND status IN ('pending', 'approved', 'sending', 'failed')
   OR type = 'deposit' AND status = 'pending';

--bun:split

CREATE UNIQUE INDEX IF NOT EXISTS transactions_claim ON transactions (wallet, signature, token) WHERE type = 'deposit';

--bun:split

-- An adjustment is corrected once.
CREATE UNIQUE INDEX IF NOT EXISTS transactions_corrected ON transactions (wallet, reference)
WHERE type IN ('adjustment_correction', 'assignment_correction');

--bun:split

CREATE TRIGGER IF NOT EXISTS transactions_fixed BEFORE UPDATE ON transactions
WHEN NEW.id <> OLD.id OR NEW.type <> OLD.type OR NEW.wallet <> OLD.wallet OR NEW.token <> OLD.token
  OR NEW.credit <> OLD.credit OR NEW.balance <> OLD.balance OR NEW.created_at <> OLD.created_at OR OLD.type NOT IN ('deposit', 'withdrawal')
  OR OLD.type = 'withdrawal' AND (NEW.amount <> OLD.amount OR NEW.destination <> OLD.destination)
BEGIN SELECT RAISE(ABORT, 'the subject of a transaction is fixed'); END;

--bun:split

CREATE TRIGGER IF NOT EXISTS transactions_kept BEFORE DELETE ON transactions
BEGIN SELECT RAISE(ABORT, 'transactions are kept'); END;

--bun:split

-- The votes of a withdrawal's current round of approval, n from 0, oldest first: after how many
-- payout attempts each was given, and how many votes were needed then. If the admin signed it,
-- also the signature, its time in milliseconds and its treasury (else '', 0 and '').
CREATE TABLE IF NOT EXISTS approvals (
  withdrawal_id TEXT    NOT NULL,
  n             INTEGER NOT NULL CHECK (n >= 0),
  wallet        BLOB    NOT NULL CHECK (length(wallet) = 16),
  approver      TEXT    NOT NULL,
  at            INTEGER NOT NULL,
  note          TEXT    NOT NULL,
  attempt       INTEGER NOT NULL CHECK (attempt >= 0),
  needed        INTEGER NOT NULL CHECK (needed >= 0),
  signature     TEXT    NOT NULL,
  signed_at     INTEGER NOT NULL,
  treasury      TEXT    NOT NULL,
  seal          TEXT    NOT NULL,
  PRIMARY KEY (withdrawal_id, n),
  UNIQUE (withdrawal_id, approver)
) STRICT, WITHOUT ROWID;

--bun:split

-- Signed payout transactions, number from 1. Heights and slots are unsigned and stored as the
-- signed integer of the same bits. The only change of an attempt is that it is declared dead.
CREATE TABLE IF NOT EXISTS payout_attempts (
  withdrawal_id     TEXT    NOT NULL,
  number            INTEGER NOT NULL CHECK (number > 0),
  wallet            BLOB    NOT NULL CHECK (length(wallet) = 16),
  signature         TEXT    NOT NULL UNIQUE,
  bytes             BLOB    NOT NULL,
  blockhash         TEXT    NOT NULL,
  last_valid_height INTEGER NOT NULL,
  slot              INTEGER NOT NULL,
  created_at        INTEGER NOT NULL,
  stored_at         INTEGER NOT NULL,
  dead              INTEGER NOT NULL CHECK (dead IN (0, 1)),
  seal              TEXT    NOT NULL,
  PRIMARY KEY (withdrawal_id, number)
) STRICT;

--bun:split

CREATE TRIGGER IF NOT EXISTS payout_attempts_fixed BEFORE UPDATE ON payout_attempts
WHEN NEW.withdrawal_id <> OLD.withdrawal_id OR NEW.number <> OLD.number OR NEW.wallet <> OLD.wallet
  OR NEW.signature <> OLD.signature OR NEW.bytes <> OLD.bytes OR NEW.blockhash <> OLD.blockhash
  OR NEW.last_valid_height <> OLD.last_valid_height OR NEW.slot <> OLD.slot
  OR NEW.created_at <> OLD.created_at OR NEW.stored_at <> OLD.stored_at OR NEW.dead < OLD.dead
BEGIN SELECT RAISE(ABORT, 'a payout attempt is fixed'); END;

--bun:split

CREATE TRIGGER IF NOT EXISTS payout_attempts_kept BEFORE DELETE ON payout_attempts
BEGIN SELECT RAISE(ABORT, 'payout attempts are kept'); END;

--bun:split

-- The keys that are unique in the whole ledger, for all wallets together: the keys of postings
-- except those of rounds, which have random ids; the ids and commitments of seed pairs; the
-- signatures of payouts.
CREATE TABLE IF NOT EXISTS once (
  kind  TEXT NOT NULL,
  scope TEXT NOT NULL,
  id    TEXT NOT NULL,
  PRIMARY KEY (id, kind, scope)
) STRICT, WITHOUT ROWID;

--bun:split

CREATE TRIGGER IF NOT EXISTS once_update BEFORE UPDATE ON once
BEGIN SELECT RAISE(ABORT, 'the table once is append-only'); END;

--bun:split

CREATE TRIGGER IF NOT EXISTS once_delete BEFORE DELETE ON once
BEGIN SELECT RAISE(ABORT, 'the table once is append-only'); END;

--bun:split

-- A held claim with the answer of its item. taken_by names the run of a writer that took it;
-- keep_until is null if it never expires. Rounds, withdrawals and adjustments without a client's
-- key have no row here: their own row is the claim.
CREATE TABLE IF NOT EXISTS unique_keys (
  kind        TEXT    NOT NULL,
  scope       TEXT    NOT NULL,
  id          TEXT    NOT NULL,
  place       BLOB    NOT NULL CHECK (length(place) = 16),
  holder      TEXT    NOT NULL,
  fingerprint TEXT    NOT NULL,
  taken_by    TEXT    NOT NULL,
  answer      TEXT    NOT NULL DEFAULT '',
  at          INTEGER NOT NULL,
  keep_until  INTEGER,
  PRIMARY KEY (kind, scope, id)
) STRICT;

--bun:split

CREATE INDEX IF NOT EXISTS unique_keys_expiry ON unique_keys (keep_until) WHERE keep_until IS NOT NULL;

--bun:split

CREATE TABLE IF NOT EXISTS audit (
  id         TEXT    NOT NULL PRIMARY KEY,
  action     TEXT    NOT NULL,
  actor      TEXT    NOT NULL,
  target     TEXT    NOT NULL,
  was        TEXT    NOT NULL,
  became     TEXT    NOT NULL,
  at         INTEGER NOT NULL,
  request_id TEXT    NOT NULL,
  lane       INTEGER NOT NULL,
  seq        INTEGER NOT NULL,
  position   INTEGER NOT NULL
) STRICT;

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

CREATE TRIGGER IF NOT EXISTS audit_update BEFORE UPDATE ON audit
BEGIN SELECT RAISE(ABORT, 'the audit log is append-only'); END;

--bun:split

CREATE TRIGGER IF NOT EXISTS audit_delete BEFORE DELETE ON audit
BEGIN SELECT RAISE(ABORT, 'the audit log is append-only'); END;

--bun:split

-- One row per batch and lane; hashes are 64 hexadecimal digits. All commits use one lane, so a
-- block's seq is also its number over all blocks.
CREATE TABLE IF NOT EXISTS blocks (
  lane     INTEGER NOT NULL,
  seq      INTEGER NOT NULL CHECK (seq > 0),
  previous TEXT    NOT NULL,
  hash     TEXT    NOT NULL,
  root     TEXT    NOT NULL,
  size     INTEGER NOT NULL CHECK (size >= 0),
  at       INTEGER NOT NULL,
  epoch    INTEGER NOT NULL CHECK (epoch >= 1),
  number   INTEGER NOT NULL GENERATED ALWAYS AS (seq) VIRTUAL,
  seal     TEXT    NOT NULL,
  PRIMARY KEY (lane, seq)
) STRICT, WITHOUT ROWID;

--bun:split

CREATE UNIQUE INDEX IF NOT EXISTS blocks_number ON blocks (lane, number);

--bun:split

-- A seal changes with the keys.
CREATE TRIGGER IF NOT EXISTS blocks_update BEFORE UPDATE ON blocks
WHEN NEW.lane <> OLD.lane OR NEW.seq <> OLD.seq OR NEW.previous <> OLD.previous OR NEW.hash <> OLD.hash OR NEW.at <> OLD.at
  OR NEW.root <> OLD.root OR NEW.size <> OLD.size OR NEW.epoch <> OLD.epoch
BEGIN SELECT RAISE(ABORT, 'blocks are append-only'); END;

--bun:split

CREATE TRIGGER IF NOT EXISTS blocks_delete BEFORE DELETE ON blocks
BEGIN SELECT RAISE(ABORT, 'blocks are append-only'); END;

--bun:split

-- A block follows the previous one, by number and hash; one that begins an epoch follows the
-- newest of its lane; the first of a lane follows none. The primary key remains the fence between
-- two writers in one lane.
CREATE TRIGGER IF NOT EXISTS blocks_follow BEFORE INSERT ON blocks
WHEN NOT EXISTS (SELECT 1 FROM blocks AS b WHERE b.lane = NEW.lane AND b.seq = NEW.seq - 1 AND b.hash = NEW.previous)
  AND NOT EXISTS (SELECT 1 FROM (SELECT l.seq, l.hash, l.epoch FROM blocks AS l WHERE l.lane = NEW.lane ORDER BY l.seq DESC LIMIT 1) AS n
    WHERE n.seq < NEW.seq AND n.hash = NEW.previous AND n.epoch < NEW.epoch)
  AND NOT (NEW.previous = '0000000000000000000000000000000000000000000000000000000000000000' AND coalesce((SELECT min(f.seq) FROM blocks AS f WHERE f.lane = NEW.lane), NEW.seq) = NEW.seq
    AND (NEW.seq = 1 OR NEW.epoch > 1))
BEGIN SELECT RAISE(ABORT, 'a block follows the one before it'); END;

--bun:split

-- The newest block of each lane, found by one look-up in the key per lane.
CREATE VIEW IF NOT EXISTS heads AS
  WITH RECURSIVE lanes (lane) AS (SELECT min(f.lane) FROM blocks AS f
    UNION ALL SELECT (SELECT min(f.lane) FROM blocks AS f WHERE f.lane > l.lane) FROM lanes AS l WHERE l.lane IS NOT NULL)
  SELECT b.* FROM lanes AS l JOIN blocks AS b
    ON b.lane = l.lane AND b.seq = (SELECT max(n.seq) FROM blocks AS n WHERE n.lane = l.lane);

--bun:split

-- The log of the headers of all lanes' blocks: entry n is the header of a block.
CREATE TABLE IF NOT EXISTS log_entries (
  n    INTEGER NOT NULL PRIMARY KEY CHECK (n >= 0),
  lane INTEGER NOT NULL,
  seq  INTEGER NOT NULL CHECK (seq > 0),
  UNIQUE (lane, seq)
) STRICT;

--bun:split

-- The hashes of the log's tree: each leaf is followed by the nodes that it completes.
CREATE TABLE IF NOT EXISTS log_hashes (
  n    INTEGER NOT NULL PRIMARY KEY CHECK (n >= 0),
  hash BLOB    NOT NULL CHECK (length(hash) = 32)
) STRICT;

--bun:split

CREATE TRIGGER IF NOT EXISTS log_entries_update BEFORE UPDATE ON log_entries
BEGIN SELECT RAISE(ABORT, 'the log is append-only'); END;

--bun:split

CREATE TRIGGER IF NOT EXISTS log_entries_delete BEFORE DELETE ON log_entries
BEGIN SELECT RAISE(ABORT, 'the log is append-only'); END;

--bun:split

CREATE TRIGGER IF NOT EXISTS log_hashes_update BEFORE UPDATE ON log_hashes
BEGIN SELECT RAISE(ABORT, 'the log is append-only'); END;

--bun:split

CREATE TRIGGER IF NOT EXISTS log_hashes_delete BEFORE DELETE ON log_hashes
BEGIN SELECT RAISE(ABORT, 'the log is append-only'); END;

--bun:split

-- The newest signed checkpoint of the log by its origin, of which there is one an epoch, and the
-- newest one that each witness cosigned.
CREATE TABLE IF NOT EXISTS log_checkpoints (
  origin  TEXT    NOT NULL,
  witness TEXT    NOT NULL,
  size    INTEGER NOT NULL CHECK (size > 0),
  at      INTEGER NOT NULL,
  note    TEXT    NOT NULL,
  PRIMARY KEY (origin, witness)
) STRICT;

--bun:split

CREATE TRIGGER IF NOT EXISTS log_checkpoints_grow BEFORE UPDATE ON log_checkpoints
WHEN NEW.size < OLD.size OR NEW.origin <> OLD.origin OR NEW.witness <> OLD.witness
BEGIN SELECT RAISE(ABORT, 'a checkpoint is followed by larger ones'); END;

--bun:split

-- Transactions whose memo states a checkpoint of the log. They are recorded before they are
-- sent; at most one isn't ended.
CREATE TABLE IF NOT EXISTS log_anchors (
  signature         TEXT    NOT NULL PRIMARY KEY,
  origin            TEXT NOT NULL,
  size              INTEGER NOT NULL CHECK (size > 0),
  last_valid_height INTEGER NOT NULL,
  at                INTEGER NOT NULL,
  status            TEXT NOT NULL CHECK (status IN ('sent', 'landed', 'dead'))
) STRICT;

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
  lane     INTEGER NOT NULL,
  seq      INTEGER NOT NULL,
  position INTEGER NOT NULL,
  kind     TEXT    NOT NULL,
  id       TEXT    NOT NULL,
  wallet   TEXT    NOT NULL,
  fields   TEXT    NOT NULL,
  was      TEXT    NOT NULL,
  PRIMARY KEY (lane, seq, position)
) STRICT, WITHOUT ROWID;

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

CREATE TRIGGER IF NOT EXISTS ledger_events_update BEFORE UPDATE ON ledger_events
BEGIN SELECT RAISE(ABORT, 'ledger events are append-only'); END;

--bun:split

CREATE TRIGGER IF NOT EXISTS ledger_events_delete BEFORE DELETE ON ledger_events
BEGIN SELECT RAISE(ABORT, 'ledger events are append-only'); END;

--bun:split

-- Totals of accounts by bucket, and by the agent of the player whose item moved them. A total is
-- hi·2^40 + lo with 0 ≤ lo < 2^40.
CREATE TABLE IF NOT EXISTS lane_totals (
  lane  INTEGER NOT NULL,
  kind  TEXT    NOT NULL,
  owner TEXT    NOT NULL,
  agent TEXT    NOT NULL,
  token TEXT    NOT NULL,
  hi    INTEGER NOT NULL,
  lo    INTEGER NOT NULL CHECK (lo >= 0 AND lo < 1099511627776),
  PRIMARY KEY (lane, kind, owner, agent, token)
) STRICT, WITHOUT ROWID;

--bun:split

CREATE TABLE IF NOT EXISTS daily_figures (
  lane        INTEGER NOT NULL,
  day         TEXT    NOT NULL,
  token       TEXT    NOT NULL,
  source      TEXT    NOT NULL,
  game        TEXT    NOT NULL,
  agent       TEXT    NOT NULL,
  rounds      INTEGER NOT NULL CHECK (rounds >= 0),
  wagered_hi  INTEGER NOT NULL,
  wagered_lo  INTEGER NOT NULL CHECK (wagered_lo >= 0 AND wagered_lo < 1099511627776),
  paid_hi     INTEGER NOT NULL,
  paid_lo     INTEGER NOT NULL CHECK (paid_lo >= 0 AND paid_lo < 1099511627776),
  expected_hi INTEGER NOT NULL,
  expected_lo INTEGER NOT NULL CHECK (expected_lo >= 0 AND expected_lo < 1099511627776),
  variance_hi INTEGER NOT NULL,
  variance_lo INTEGER NOT NULL CHECK (variance_lo >= 0 AND variance_lo < 1099511627776),
  PRIMARY KEY (lane, day, token, source, game, agent)
) STRICT, WITHOUT ROWID;

--bun:split

CREATE INDEX IF NOT EXISTS daily_figures_day ON daily_figures (day);

--bun:split

CREATE INDEX IF NOT EXISTS daily_figures_agent ON daily_figures (agent, day);

--bun:split

-- The combinations of game, token and agent that lists have rows of. The rows of a combination
-- may all be in a detached month; no combination is missing. game is empty if the list's index
-- has only token and agent.
CREATE TABLE IF NOT EXISTS list_cells (
  list  TEXT NOT NULL CHECK (list IN ('rounds', 'provider_rounds', 'transactions')),
  game  TEXT NOT NULL,
  token TEXT NOT NULL,
  agent TEXT NOT NULL,
  PRIMARY KEY (list, game, token, agent)
) STRICT, WITHOUT ROWID;

--bun:split

-- A figure is inserted once per day, and later updates fire no trigger: bets don't pay for this.
CREATE TRIGGER IF NOT EXISTS cells_of_own_figures AFTER INSERT ON daily_figures WHEN NEW.source = 'casino'
BEGIN
  INSERT INTO list_cells VALUES ('rounds', NEW.game, NEW.token, NEW.agent) ON CONFLICT DO NOTHING;
END;

--bun:split

CREATE TRIGGER IF NOT EXISTS cells_of_provider_figures AFTER INSERT ON daily_figures WHEN NEW.source <> 'casino'
BEGIN
  INSERT INTO list_cells VALUES ('provider_rounds', '', NEW.token, NEW.agent), ('provider_rounds', NEW.game, NEW.token, NEW.agent)
  ON CONFLICT DO NOTHING;
END;

--bun:split

CREATE TABLE IF NOT EXISTS roles (
  wallet     TEXT    NOT NULL PRIMARY KEY,
  role       TEXT    NOT NULL,
  agent      TEXT    NOT NULL,
  granted_by TEXT    NOT NULL,
  granted_at INTEGER NOT NULL,
  founding   INTEGER NOT NULL CHECK (founding IN (0, 1))
) STRICT, WITHOUT ROWID;

--bun:split

-- The one row with the version of the list of roles, which counts its changes, and the seal over
-- the version and all roles.
CREATE TABLE IF NOT EXISTS role_list (
  id      INTEGER NOT NULL PRIMARY KEY CHECK (id = 1),
  version INTEGER NOT NULL CHECK (version >= 0),
  seal    TEXT    NOT NULL
) STRICT;

--bun:split

INSERT INTO role_list (id, version, seal) VALUES (1, 0, '') ON CONFLICT DO NOTHING;

--bun:split

-- The identity of the database: 'mode', 'genesis'.
CREATE TABLE IF NOT EXISTS meta (
  name  TEXT NOT NULL PRIMARY KEY,
  value TEXT NOT NULL
) STRICT, WITHOUT ROWID;

--bun:split

-- Every known token, with its latest terms. Decimals and program never change.
CREATE TABLE IF NOT EXISTS tokens (
  mint                TEXT    NOT NULL PRIMARY KEY,
  symbol              TEXT    NOT NULL,
  decimals            INTEGER NOT NULL,
  program             TEXT    NOT NULL,
  min_deposit         INTEGER NOT NULL,
  min_wager           INTEGER NOT NULL,
  max_wager           INTEGER NOT NULL,
  max_payout          INTEGER NOT NULL,
  min_withdrawal      INTEGER NOT NULL,
  max_withdrawal      INTEGER NOT NULL,
  two_person_above    INTEGER NOT NULL,
  two_person_above_per_day INTEGER NOT NULL,
  payout_cap          INTEGER NOT NULL,
  payout_cap_per_hour INTEGER NOT NULL,
  bankroll_share_num  INTEGER NOT NULL,
  bankroll_share_den  INTEGER NOT NULL,
  seal                TEXT    NOT NULL
) STRICT, WITHOUT ROWID;

--bun:split

-- Short administrative transactions first lock the row of their kind, so that two of a kind run
-- one after the other even where nothing else serializes them.
CREATE TABLE IF NOT EXISTS guards (
  kind TEXT NOT NULL PRIMARY KEY
) STRICT, WITHOUT ROWID;

--bun:split

INSERT INTO guards (kind) VALUES ('roles'), ('registry'), ('blocks'), ('log'), ('probe') ON CONFLICT DO NOTHING;

--bun:split

-- The last known origin of the data: a server's system identifier and timeline. A file has none.
CREATE TABLE IF NOT EXISTS origin (
  one      INTEGER NOT NULL PRIMARY KEY CHECK (one = 1),
  system   TEXT    NOT NULL,
  timeline INTEGER NOT NULL
) STRICT;

--bun:split

-- The control state: the ledger, its epoch, how the database was found to have been set back, and
-- which play is paused. One row, written as a whole; every batch reads it. restored and pauses
-- are JSON, or empty.
CREATE TABLE IF NOT EXISTS control (
  one      INTEGER NOT NULL PRIMARY KEY CHECK (one = 1),
  ledger   TEXT    NOT NULL,
  epoch    INTEGER NOT NULL CHECK (epoch >= 1),
  epoch_at INTEGER,
  logins_from INTEGER,
  restored TEXT    NOT NULL,
  pauses   TEXT    NOT NULL,
  crash_chain   TEXT    NOT NULL DEFAULT '',
  crash_number  INTEGER NOT NULL DEFAULT 0,
  crash_betting INTEGER NOT NULL DEFAULT 0,
  crash_paying  INTEGER NOT NULL DEFAULT 0,
  CHECK ((epoch_at IS NULL) = (epoch = 1))
) STRICT;

--bun:split

INSERT INTO control (one, ledger, epoch, restored, pauses) VALUES (1, '', 1, '', '') ON CONFLICT DO NOTHING;

--bun:split

INSERT INTO guards (kind) VALUES ('control') ON CONFLICT DO NOTHING;

--bun:split

CREATE TRIGGER IF NOT EXISTS control_goes_on BEFORE UPDATE ON control
WHEN OLD.ledger <> '' AND NEW.ledger <> OLD.ledger OR NEW.epoch < OLD.epoch
  OR NEW.epoch = OLD.epoch AND NEW.epoch_at IS NOT OLD.epoch_at OR NEW.epoch_at < OLD.epoch_at
  OR OLD.logins_from IS NOT NULL AND (NEW.logins_from IS NULL OR NEW.logins_from < OLD.logins_from)
BEGIN SELECT RAISE(ABORT, 'a ledger keeps its id, and an epoch is never left for an earlier one'); END;

--bun:split

CREATE TRIGGER IF NOT EXISTS control_kept BEFORE DELETE ON control
BEGIN SELECT RAISE(ABORT, 'the control state is kept'); END;
