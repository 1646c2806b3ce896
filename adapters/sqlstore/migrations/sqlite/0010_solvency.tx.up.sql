-- What was owed to players at the hours: the statement of each, the roots of each token's
-- chunks, and the chunks with their leaves, to make proofs of. salt_key is what the salts of
-- the hour are made with. Old ones are forgotten.
CREATE TABLE IF NOT EXISTS solvency_snapshots (
  hour      INTEGER NOT NULL PRIMARY KEY,
  salt_key  BLOB NOT NULL,
  statement TEXT NOT NULL,
  kid       TEXT NOT NULL,
  signature BLOB NOT NULL
) STRICT;

--bun:split

CREATE TABLE IF NOT EXISTS solvency_trees (
  hour  INTEGER NOT NULL,
  token TEXT NOT NULL,
  roots BLOB NOT NULL,
  PRIMARY KEY (hour, token)
) STRICT;

--bun:split

-- first is the owner of the first leaf: whose leaf it is is found by it.
CREATE TABLE IF NOT EXISTS solvency_chunks (
  hour   INTEGER NOT NULL,
  token  TEXT NOT NULL,
  first  BLOB NOT NULL,
  n      INTEGER NOT NULL CHECK (n >= 0),
  leaves BLOB NOT NULL,
  PRIMARY KEY (hour, token, first)
) STRICT;

--bun:split

INSERT INTO guards (kind) VALUES ('solvency') ON CONFLICT DO NOTHING;

--bun:split

-- The sums that were stated, by their moments, and for what balances were at a moment: the
-- newest block of a lane by then, and the newest rows with the balance after them. Rounds
-- have rounds_wallet. Bets pay for that of blocks, once a batch. What a fact's id ends
-- with is its token.
CREATE INDEX IF NOT EXISTS ledger_events_solvency ON ledger_events (id) WHERE kind = 'solvency';

--bun:split

CREATE INDEX IF NOT EXISTS blocks_at ON blocks (lane, at, seq);

--bun:split

CREATE INDEX IF NOT EXISTS ledger_events_balance ON ledger_events (wallet, replace(id, rtrim(id, replace(id, '/', '')), ''), lane, seq, position)
WHERE kind = 'balance';

--bun:split

CREATE INDEX IF NOT EXISTS provider_transactions_wallet_token ON provider_transactions (wallet, token, id) WHERE status = 'taken' AND site = '';
