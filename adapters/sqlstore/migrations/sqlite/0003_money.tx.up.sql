-- Which worker works on which withdrawal, and until when. A lease that ran out is
-- nobody's.
CREATE TABLE IF NOT EXISTS payout_leases (
  withdrawal_id TEXT    NOT NULL PRIMARY KEY,
  worker        TEXT    NOT NULL,
  until         INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

--bun:split

-- The switch that stops payouts: one row, none until it is first turned.
CREATE TABLE IF NOT EXISTS payout_pause (
  id     INTEGER NOT NULL PRIMARY KEY CHECK (id = 1),
  paused INTEGER NOT NULL CHECK (paused IN (0, 1)),
  actor  TEXT    NOT NULL,
  reason TEXT    NOT NULL,
  at     INTEGER NOT NULL
) STRICT;

--bun:split

-- What was signed within the last hour is summed in every signing commit.
CREATE INDEX IF NOT EXISTS payout_attempts_recent ON payout_attempts (created_at) WHERE NOT dead;

--bun:split

INSERT INTO guards (kind) VALUES ('payouts'), ('deposits') ON CONFLICT DO NOTHING;

--bun:split

-- How far the watcher of each token came; cursor is the chain adapter's own text,
-- after the slot up to which the watch doesn't look (unsigned, the same bits).
CREATE TABLE IF NOT EXISTS watch_cursors (
  token  TEXT    NOT NULL PRIMARY KEY,
  cursor TEXT    NOT NULL,
  after  INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

--bun:split

-- Transactions that a watcher met and did not credit. next_at is when a pending
-- one is asked for again; amount is what arrived and is in no book, 0 while it
-- isn't known.
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

-- Everybody's claims to one transaction, for who decides between them.
CREATE INDEX IF NOT EXISTS transactions_signature ON transactions (signature) WHERE type = 'deposit';

--bun:split

-- What is held beside the amount of a withdrawal for the account that may have to
-- be opened; withdrawals without a fee have no row.
CREATE TABLE IF NOT EXISTS withdrawal_fees (
  withdrawal_id TEXT    NOT NULL PRIMARY KEY,
  fee INTEGER NOT NULL CHECK (fee > 0)
) STRICT, WITHOUT ROWID;

--bun:split

-- What a token's withdrawals hold for such an account.
CREATE TABLE IF NOT EXISTS token_fees (
  mint TEXT    NOT NULL PRIMARY KEY,
  new_account_fee INTEGER NOT NULL CHECK (new_account_fee >= 0)
) STRICT, WITHOUT ROWID;
