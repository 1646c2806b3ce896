-- Which worker works on which withdrawal, and until when. A lease that ran out is
-- nobody's.
CREATE TABLE IF NOT EXISTS payout_leases (
  withdrawal_id text COLLATE "C" NOT NULL PRIMARY KEY,
  worker text COLLATE "C" NOT NULL,
  until bigint NOT NULL
);

--bun:split

-- The switch that stops payouts: one row, none until it is first turned.
CREATE TABLE IF NOT EXISTS payout_pause (
  id bigint NOT NULL PRIMARY KEY CHECK (id = 1),
  paused boolean NOT NULL,
  actor text COLLATE "C" NOT NULL,
  reason text COLLATE "C" NOT NULL,
  at bigint NOT NULL
);

--bun:split

-- What was signed within the last hour is summed in every signing commit.
CREATE INDEX IF NOT EXISTS payout_attempts_recent ON payout_attempts (stored_at) WHERE NOT dead;

--bun:split

INSERT INTO guards (kind) VALUES ('payouts'), ('deposits') ON CONFLICT DO NOTHING;

--bun:split

-- How far the watcher of each token came; cursor is the chain adapter's own text,
-- after the slot up to which the watch doesn't look (unsigned, the same bits).
CREATE TABLE IF NOT EXISTS watch_cursors (
  token text COLLATE "C" NOT NULL PRIMARY KEY,
  cursor text COLLATE "C" NOT NULL,
  after bigint NOT NULL
);

--bun:split

-- Transactions that a watcher met and did not credit. next_at is when a pending
-- one is asked for again; amount is what arrived and is in no book, 0 while it
-- isn't known.
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

-- How far the index of what the treasury signed reaches: one row, none before the first
-- page; cursor is the chain adapter's own text, slot is unsigned, the same bits.
CREATE TABLE IF NOT EXISTS treasury_index (
  id bigint NOT NULL PRIMARY KEY CHECK (id = 1),
  cursor text COLLATE "C" NOT NULL,
  slot bigint NOT NULL,
  at bigint,
  since bigint
);

--bun:split

-- Finalized transactions that the treasury signed, as the chain shows them. payments has
-- a line for each payment: token, amount, destination.
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

-- Money of the operator's own that is announced to leave the treasury; signature is of
-- the transaction that was it, empty until then.
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

-- Everybody's claims to one transaction, for who decides between them.
CREATE INDEX IF NOT EXISTS transactions_signature ON transactions (signature) WHERE type = 'deposit';

--bun:split

-- What is held beside the amount of a withdrawal for the account that may have to
-- be opened; withdrawals without a fee have no row.
CREATE TABLE IF NOT EXISTS withdrawal_fees (
  wallet uuid NOT NULL,
  withdrawal_id text COLLATE "C" NOT NULL,
  fee bigint NOT NULL CHECK (fee > 0),
  PRIMARY KEY (wallet, withdrawal_id),
  FOREIGN KEY (wallet, withdrawal_id) REFERENCES transactions
);

--bun:split

-- What a token's withdrawals hold for such an account.
CREATE TABLE IF NOT EXISTS token_fees (
  mint text COLLATE "C" NOT NULL PRIMARY KEY,
  new_account_fee bigint NOT NULL CHECK (new_account_fee >= 0)
);

--bun:split

-- What was counted of a wallet when money last left it: what it had, and up to which
-- blocks that is; with the service's seal.
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
