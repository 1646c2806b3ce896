-- What was owed to players at the hours: the statement of each, the roots of each token's
-- chunks, and the chunks with their leaves, to make proofs of. salt_key is what the salts of
-- the hour are made with. Old ones are forgotten.
CREATE TABLE IF NOT EXISTS solvency_snapshots (
  hour      bigint NOT NULL PRIMARY KEY,
  salt_key  bytea NOT NULL,
  statement text NOT NULL,
  kid       text COLLATE "C" NOT NULL,
  signature bytea NOT NULL
);

--bun:split

CREATE TABLE IF NOT EXISTS solvency_trees (
  hour  bigint NOT NULL,
  token text COLLATE "C" NOT NULL,
  roots bytea NOT NULL,
  PRIMARY KEY (hour, token)
);

--bun:split

-- first is the owner of the first leaf: whose leaf it is is found by it.
CREATE TABLE IF NOT EXISTS solvency_chunks (
  hour   bigint NOT NULL,
  token  text COLLATE "C" NOT NULL,
  first  bytea NOT NULL,
  n      integer NOT NULL CHECK (n >= 0),
  leaves bytea NOT NULL,
  PRIMARY KEY (hour, token, first)
);

--bun:split

-- Hashes don't get smaller by trying.
ALTER TABLE solvency_chunks ALTER COLUMN leaves SET STORAGE EXTERNAL;

--bun:split

GRANT SELECT, INSERT, DELETE ON solvency_snapshots, solvency_trees, solvency_chunks TO casino_runtime;

--bun:split

INSERT INTO guards (kind) VALUES ('solvency') ON CONFLICT DO NOTHING;

--bun:split

-- The sums that were stated, by their moments, and for what balances were at a moment: the
-- newest block of a lane by then, and the newest rows with the balance after them. Rounds
-- have rounds_wallet_cell. Bets pay for that of blocks, once a batch. What a fact's id ends
-- with is its token.
CREATE INDEX IF NOT EXISTS ledger_events_solvency ON ledger_events (id) WHERE kind = 'solvency';

--bun:split

CREATE INDEX IF NOT EXISTS blocks_at ON blocks (lane, at, seq);

--bun:split

CREATE INDEX IF NOT EXISTS ledger_events_balance ON ledger_events (wallet, replace(id, rtrim(id, replace(id, '/', '')), ''), lane, seq, position)
WHERE kind = 'balance';

--bun:split

CREATE INDEX IF NOT EXISTS provider_transactions_wallet_token ON provider_transactions (wallet, token, id) WHERE status = 'taken' AND site = '';
