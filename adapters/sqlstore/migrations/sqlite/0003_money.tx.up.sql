-- Which worker works on which withdrawal, and until when. A lease that ran out is free.
CREATE TABLE IF NOT EXISTS payout_leases (
  withdrawal_id TEXT    NOT NULL PRIMARY KEY,
  worker        TEXT    NOT NULL,
  until         INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

--bun:split

-- The switch that stops payouts: one row, missing until it is first used.
CREATE TABLE IF NOT EXISTS payout_pause (
  id     INTEGER NOT NULL PRIMARY KEY CHECK (id = 1),
  paused INTEGER NOT NULL CHECK (paused IN (0, 1)),
  actor  TEXT    NOT NULL,
  reason TEXT    NOT NULL,
  at     INTEGER NOT NULL
) STRICT;

--bun:split

-- Every signing commit sums up what was signed within the last hour.
CREATE INDEX IF NOT EXISTS payout_attempts_recent ON payout_attempts (stored_at) WHERE NOT dead;

--bun:split

INSERT INTO guards (kind) VALUES ('payouts'), ('deposits') ON CONFLICT DO NOTHING;

--bun:split

-- How far the watcher of each token came; cursor is the chain adapter's own text, after the slot
-- (unsigned, the same bits) up to which the watch doesn't look.
CREATE TABLE IF NOT EXISTS watch_cursors (
  token  TEXT    NOT NULL PRIMARY KEY,
  cursor TEXT    NOT NULL,
  after  INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

--bun:split

-- Transactions that a watcher found and did not credit. next_at is when a pending one is queried
-- again; amount is what arrived and is not booked, 0 while it isn't known.
CREATE TABLE IF NOT EXISTS parked_deposits (
  token     TEXT    NOT NULL,
  signature TEXT    NOT NULL,
  status    TEXT    NOT NULL CHECK (status IN ('pending', 'review', 'rejected')),
  reason    TEXT    NOT NULL,
  amount    INTEGER NOT NULL CHECK (amount >= 0),
  tries     INTEGER NOT NULL CHECK (tries >= 0),
  found_at  INTEGER NOT NULL,
  next_at   INTEGER,
  PRIMARY KEY (signature, token),
  CHECK ((status = 'pending') = (next_at IS NOT NULL))
) STRICT, WITHOUT ROWID;

--bun:split

CREATE INDEX IF NOT EXISTS parked_deposits_due ON parked_deposits (next_at) WHERE status = 'pending';

--bun:split

CREATE INDEX IF NOT EXISTS parked_deposits_status ON parked_deposits (status, found_at);

--bun:split

-- How far the index of the treasury's transactions reaches: one row, missing before the first
-- page; cursor is the chain adapter's own text, slot is unsigned, the same bits.
CREATE TABLE IF NOT EXISTS treasury_index (
  id INTEGER NOT NULL PRIMARY KEY CHECK (id = 1),
  cursor TEXT NOT NULL,
  slot INTEGER NOT NULL,
  at INTEGER,
  since INTEGER
) STRICT;

--bun:split

-- Finalized transactions that the treasury signed, as the chain shows them. payments has one line
-- per payment: token, amount, destination.
CREATE TABLE IF NOT EXISTS treasury_movements (
  signature TEXT NOT NULL PRIMARY KEY,
  slot INTEGER NOT NULL,
  at INTEGER NOT NULL,
  failed INTEGER NOT NULL CHECK (failed IN (0, 1)),
  withdrawal_id TEXT NOT NULL,
  tag TEXT NOT NULL,
  payments TEXT NOT NULL,
  fee INTEGER NOT NULL CHECK (fee >= 0),
  rent INTEGER NOT NULL CHECK (rent >= 0),
  state TEXT NOT NULL CHECK (state IN ('new', 'explained', 'foreign'))
) STRICT;

--bun:split

CREATE INDEX IF NOT EXISTS treasury_movements_withdrawal ON treasury_movements (withdrawal_id) WHERE withdrawal_id <> '';

--bun:split

CREATE INDEX IF NOT EXISTS treasury_movements_open ON treasury_movements (state, slot, signature) WHERE state <> 'explained';

--bun:split

-- Announced transfers of the operator's own money out of the treasury; signature is that of the
-- transaction, empty until it landed.
CREATE TABLE IF NOT EXISTS treasury_sweeps (
  id TEXT NOT NULL PRIMARY KEY,
  token TEXT NOT NULL,
  amount INTEGER NOT NULL CHECK (amount > 0),
  destination TEXT NOT NULL,
  reason TEXT NOT NULL,
  at INTEGER NOT NULL,
  until INTEGER NOT NULL,
  signature TEXT NOT NULL
) STRICT;

--bun:split

-- All players' claims to one transaction, for the admin who decides between them.
CREATE INDEX IF NOT EXISTS transactions_signature ON transactions (signature) WHERE type = 'deposit';

--bun:split

-- The fee held in addition to a withdrawal's amount, for an account that may have to be opened;
-- withdrawals without a fee have no row.
CREATE TABLE IF NOT EXISTS withdrawal_fees (
  wallet BLOB NOT NULL CHECK (length(wallet) = 16),
  withdrawal_id TEXT NOT NULL,
  fee INTEGER NOT NULL CHECK (fee > 0),
  PRIMARY KEY (wallet, withdrawal_id)
) STRICT, WITHOUT ROWID;

--bun:split

-- The fee that a token's withdrawals hold for such an account.
CREATE TABLE IF NOT EXISTS token_fees (
  mint TEXT    NOT NULL PRIMARY KEY,
  new_account_fee INTEGER NOT NULL CHECK (new_account_fee >= 0)
) STRICT, WITHOUT ROWID;

--bun:split

-- The state of a wallet when money last left it: its balances, and up to which blocks they were
-- computed, with the service's seal.
CREATE TABLE IF NOT EXISTS wallet_proofs (
  wallet BLOB NOT NULL PRIMARY KEY CHECK (length(wallet) = 16),
  state TEXT NOT NULL,
  seal TEXT NOT NULL
) STRICT, WITHOUT ROWID;

--bun:split

INSERT INTO guards (kind) VALUES ('proofs'), ('seals') ON CONFLICT DO NOTHING;
