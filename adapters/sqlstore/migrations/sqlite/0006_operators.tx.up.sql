-- Agents' prepaid accounts, which pay the bets of players whose money is at the agent's own site.
-- reserved is the sum of bets that sites were asked for and have not answered. A booking locks
-- its row first, after the wallets and before the unique keys.
CREATE TABLE IF NOT EXISTS agent_funds (
  agent        TEXT NOT NULL,
  token        TEXT NOT NULL,
  balance      INTEGER NOT NULL,
  reserved     INTEGER NOT NULL CHECK (reserved >= 0),
  credit_limit INTEGER NOT NULL CHECK (credit_limit >= 0),
  PRIMARY KEY (agent, token),
  CONSTRAINT agent_funds_cover CHECK (balance - reserved >= -credit_limit)
) STRICT, WITHOUT ROWID;

--bun:split

CREATE TRIGGER IF NOT EXISTS agent_funds_kept BEFORE DELETE ON agent_funds
BEGIN SELECT RAISE(ABORT, 'agents'' accounts are kept'); END;

--bun:split

-- Legs of providers' transactions on their way to an agent's site: the destination and the
-- progress of each. transaction_id refers to provider_transactions, where a debit is stored once
-- it is answered.
CREATE TABLE IF NOT EXISTS provider_deliveries (
  id             TEXT NOT NULL PRIMARY KEY,
  transaction_id TEXT NOT NULL,
  leg            TEXT NOT NULL CHECK (leg IN ('debit', 'credit')),
  connection     TEXT NOT NULL,
  txn_id         TEXT NOT NULL,
  provider       TEXT NOT NULL,
  game           TEXT NOT NULL,
  kind           TEXT NOT NULL CHECK (kind IN ('debit', 'credit', 'debit_credit', 'rollback', 'settlement')),
  game_type      TEXT NOT NULL,
  wallet         BLOB NOT NULL CHECK (length(wallet) = 16),
  agent          TEXT NOT NULL,
  token          TEXT NOT NULL,
  scale          INTEGER NOT NULL CHECK (scale BETWEEN 0 AND 18),
  requested_bet      TEXT NOT NULL,
  requested_win      TEXT NOT NULL,
  site           TEXT NOT NULL CHECK (site <> ''),
  site_txn_id    TEXT NOT NULL CHECK (site_txn_id <> ''),
  amount         INTEGER NOT NULL CHECK (amount >= 0),
  status         TEXT NOT NULL CHECK (leg = 'debit' AND status IN ('asking', 'paid', 'declined', 'unknown', 'reversing', 'reversed')
    OR leg = 'credit' AND status IN ('delivering', 'delivered') OR status IN ('rejected', 'closed')),
  balance        INTEGER NOT NULL CHECK (balance >= 0),
  at             INTEGER NOT NULL,
  updated_at     INTEGER NOT NULL,
  UNIQUE (transaction_id, leg)
) STRICT;

--bun:split

CREATE INDEX IF NOT EXISTS provider_deliveries_open ON provider_deliveries (id)
WHERE status IN ('asking', 'unknown', 'reversing', 'delivering', 'rejected');

--bun:split

CREATE INDEX IF NOT EXISTS provider_deliveries_status ON provider_deliveries (status, id);

--bun:split

CREATE INDEX IF NOT EXISTS provider_deliveries_agent ON provider_deliveries (agent, id);

--bun:split

CREATE TRIGGER IF NOT EXISTS provider_deliveries_fixed BEFORE UPDATE ON provider_deliveries
WHEN NEW.id <> OLD.id OR NEW.transaction_id <> OLD.transaction_id OR NEW.leg <> OLD.leg OR NEW.connection <> OLD.connection
  OR NEW.txn_id <> OLD.txn_id OR NEW.kind <> OLD.kind OR NEW.wallet <> OLD.wallet OR NEW.agent <> OLD.agent
  OR NEW.token <> OLD.token OR NEW.scale <> OLD.scale OR NEW.site_txn_id <> OLD.site_txn_id OR NEW.amount <> OLD.amount
  OR NEW.at <> OLD.at OR OLD.status IN ('paid', 'declined', 'reversed', 'delivered', 'closed')
BEGIN SELECT RAISE(ABORT, 'a delivery only goes forward'); END;

--bun:split

CREATE TRIGGER IF NOT EXISTS provider_deliveries_kept BEFORE DELETE ON provider_deliveries
BEGIN SELECT RAISE(ABORT, 'deliveries are kept'); END;
