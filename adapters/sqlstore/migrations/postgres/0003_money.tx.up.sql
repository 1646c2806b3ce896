-- Which worker works on which withdrawal, and until when. A lease that ran out is free.
CREATE TABLE IF NOT EXISTS payout_leases (
  withdrawal_id text COLLATE "C" NOT NULL PRIMARY KEY,
  worker text COLLATE "C" NOT NULL,
  until bigint NOT NULL
);

--bun:split

-- The switch that stops payouts: one row, missing until it is first used.
CREATE TABLE IF NOT EXISTS payout_pause (
  id bigint NOT NULL PRIMARY KEY CHECK (id = 1),
  paused boolean NOT NULL,
  actor text COLLATE "C" NOT NULL,
  reason text COLLATE "C" NOT NULL,
  at bigint NOT NULL
);

--bun:split

-- Every signing commit sums up what was signed within the last hour.
CREATE INDEX IF NOT EXISTS payout_attempts_recent ON payout_attempts (stored_at) WHERE NOT dead;

--bun:split

INSERT INTO guards (kind) VALUES ('payouts'), ('deposits') ON CONFLICT DO NOTHING;

--bun:split

-- How far the watcher of each token came; cursor is the chain adapter's own text, after the slot
-- (unsigned, the same bits) up to which the watch doesn't look.
CREATE TABLE IF NOT EXISTS watch_cursors (
  token text COLLATE "C" NOT NULL PRIMARY KEY,
  cursor text COLLATE "C" NOT NULL,
  after bigint NOT NULL
);

--bun:split

-- Transactions that a watcher found and did not credit. next_at is when a pending one is queried
-- again; amount is what arrived and is not booked, 0 while it isn't known.
CREATE TABLE IF NOT EXISTS parked_deposits (
  token text COLLATE "C" NOT NULL,
  signature text COLLATE "C" NOT NULL,
  status text COLLATE "C" NOT NULL CHECK (status IN ('pending', 'review', 'rejected')),
  reason text COLLATE "C" NOT NULL,
  amount bigint NOT NULL CHECK (amount >= 0),
  tries bigint NOT NULL CHECK (tries >= 0),
  found_at bigint NOT NULL,
  next_at bigint,
  PRIMARY KEY (signature, token),
  CHECK ((status = 'pending') = (next_at IS NOT NULL))
);

--bun:split

CREATE INDEX IF NOT EXISTS parked_deposits_due ON parked_deposits (next_at) WHERE status = 'pending';

--bun:split

CREATE INDEX IF NOT EXISTS parked_deposits_status ON parked_deposits (status, found_at);

--bun:split

-- How far the index of the treasury's transactions reaches: one row, missing before the first
-- page; cursor is the chain adapter's own text, slot is unsigned, the same bits.
CREATE TABLE IF NOT EXISTS treasury_index (
  id bigint NOT NULL PRIMARY KEY CHECK (id = 1),
  cursor text COLLATE "C" NOT NULL,
  slot bigint NOT NULL,
  at bigint,
  since bigint
);

--bun:split

-- Finalized transactions that the treasury signed, as the chain shows them. payments has one line
-- per payment: token, amount, destination.
CREATE TABLE IF NOT EXISTS treasury_movements (
  signature text COLLATE "C" NOT NULL PRIMARY KEY,
  slot bigint NOT NULL,
  at bigint NOT NULL,
  failed boolean NOT NULL,
  withdrawal_id text COLLATE "C" NOT NULL,
  tag text COLLATE "C" NOT NULL,
  payments text COLLATE "C" NOT NULL,
  fee bigint NOT NULL CHECK (fee >= 0),
  rent bigint NOT NULL CHECK (rent >= 0),
  state text COLLATE "C" NOT NULL CHECK (state IN ('new', 'explained', 'foreign'))
);

--bun:split

CREATE INDEX IF NOT EXISTS treasury_movements_withdrawal ON treasury_movements (withdrawal_id) WHERE withdrawal_id <> '';

--bun:split

CREATE INDEX IF NOT EXISTS treasury_movements_open ON treasury_movements (state, slot, signature) WHERE state <> 'explained';

--bun:split

-- Announced transfers of the operator's own money out of the treasury; signature is that of the
-- transaction, empty until it landed.
CREATE TABLE IF NOT EXISTS treasury_sweeps (
  id text COLLATE "C" NOT NULL PRIMARY KEY,
  token text COLLATE "C" NOT NULL,
  amount bigint NOT NULL CHECK (amount > 0),
  destination text COLLATE "C" NOT NULL,
  reason text COLLATE "C" NOT NULL,
  at bigint NOT NULL,
  until bigint NOT NULL,
  signature text COLLATE "C" NOT NULL
);

--bun:split

-- All players' claims to one transaction, for the admin who decides between them.
CREATE INDEX IF NOT EXISTS transactions_signature ON transactions (signature) WHERE type = 'deposit';

--bun:split

-- The fee held in addition to a withdrawal's amount, for an account that may have to be opened;
-- withdrawals without a fee have no row.
CREATE TABLE IF NOT EXISTS withdrawal_fees (
  wallet uuid NOT NULL,
  withdrawal_id text COLLATE "C" NOT NULL,
  fee bigint NOT NULL CHECK (fee > 0),
  PRIMARY KEY (wallet, withdrawal_id),
  FOREIGN KEY (wallet, withdrawal_id) REFERENCES transactions
);

--bun:split

-- The fee that a token's withdrawals hold for such an account.
CREATE TABLE IF NOT EXISTS token_fees (
  mint text COLLATE "C" NOT NULL PRIMARY KEY,
  new_account_fee bigint NOT NULL CHECK (new_account_fee >= 0)
);

--bun:split

-- The state of a wallet when money last left it: its balances, and up to which blocks they were
-- computed, with the service's seal.
CREATE TABLE IF NOT EXISTS wallet_proofs (
  wallet uuid NOT NULL PRIMARY KEY REFERENCES players,
  state text COLLATE "C" NOT NULL,
  seal text COLLATE "C" NOT NULL
);

--bun:split

INSERT INTO guards (kind) VALUES ('proofs'), ('seals') ON CONFLICT DO NOTHING;

--bun:split

GRANT SELECT, INSERT, UPDATE, DELETE ON payout_leases, parked_deposits TO casino_runtime;

--bun:split

GRANT SELECT, INSERT, UPDATE ON wallet_proofs, payout_pause, watch_cursors, token_fees, treasury_index, treasury_movements, treasury_sweeps TO casino_runtime;

--bun:split

GRANT SELECT, INSERT ON withdrawal_fees TO casino_runtime;
