-- Agents' prepaid accounts, which pay the bets of players whose money is at the agent's own site.
-- reserved is the sum of bets that sites were asked for and have not answered. A booking locks
-- its row first, after the wallets and before the unique keys.
CREATE TABLE IF NOT EXISTS agent_funds (
  agent        text COLLATE "C" NOT NULL,
  token        text COLLATE "C" NOT NULL,
  balance      bigint NOT NULL,
  reserved     bigint NOT NULL CHECK (reserved >= 0),
  credit_limit bigint NOT NULL CHECK (credit_limit >= 0),
  PRIMARY KEY (agent, token),
  CONSTRAINT agent_funds_cover CHECK (balance - reserved >= -credit_limit)
) WITH (fillfactor = 50);

--bun:split

CREATE OR REPLACE TRIGGER agent_funds_kept BEFORE DELETE ON agent_funds FOR EACH ROW
EXECUTE FUNCTION refuse('agents'' accounts are kept');

--bun:split

CREATE OR REPLACE TRIGGER agent_funds_truncate BEFORE TRUNCATE ON agent_funds
EXECUTE FUNCTION refuse('agents'' accounts are kept');

--bun:split

-- Legs of providers' transactions on their way to an agent's site: the destination and the
-- progress of each. transaction_id refers to provider_transactions, where a debit is stored once
-- it is answered.
CREATE TABLE IF NOT EXISTS provider_deliveries (
  id             text COLLATE "C" NOT NULL,
  transaction_id text COLLATE "C" NOT NULL,
  leg            text COLLATE "C" NOT NULL CHECK (leg IN ('debit', 'credit')),
  connection     text COLLATE "C" NOT NULL,
  txn_id         text COLLATE "C" NOT NULL,
  provider       text COLLATE "C" NOT NULL,
  game           text COLLATE "C" NOT NULL,
  kind           text COLLATE "C" NOT NULL CHECK (kind IN ('debit', 'credit', 'debit_credit', 'rollback', 'settlement')),
  game_type      text COLLATE "C" NOT NULL,
  wallet         uuid NOT NULL,
  agent          text COLLATE "C" NOT NULL,
  token          text COLLATE "C" NOT NULL,
  scale          smallint NOT NULL CHECK (scale BETWEEN 0 AND 18),
  requested_bet      text COLLATE "C" NOT NULL,
  requested_win      text COLLATE "C" NOT NULL,
  site           text COLLATE "C" NOT NULL CHECK (site <> ''),
  site_txn_id    text COLLATE "C" NOT NULL CHECK (site_txn_id <> ''),
  amount         bigint NOT NULL CHECK (amount >= 0),
  status         text COLLATE "C" NOT NULL CHECK (leg = 'debit' AND status IN ('asking', 'paid', 'declined', 'unknown', 'reversing', 'reversed')
    OR leg = 'credit' AND status IN ('delivering', 'delivered') OR status IN ('rejected', 'closed')),
  balance        bigint NOT NULL CHECK (balance >= 0),
  at             bigint NOT NULL,
  updated_at     bigint NOT NULL,
  PRIMARY KEY (wallet, id),
  UNIQUE (transaction_id, leg, wallet)
);

--bun:split

CREATE INDEX IF NOT EXISTS provider_deliveries_id ON provider_deliveries (id);

--bun:split

CREATE INDEX IF NOT EXISTS provider_deliveries_open ON provider_deliveries (id)
WHERE status IN ('asking', 'unknown', 'reversing', 'delivering', 'rejected');

--bun:split

CREATE INDEX IF NOT EXISTS provider_deliveries_status ON provider_deliveries (status, id);

--bun:split

CREATE INDEX IF NOT EXISTS provider_deliveries_agent ON provider_deliveries (agent, id);

--bun:split

CREATE OR REPLACE TRIGGER provider_deliveries_fixed BEFORE UPDATE ON provider_deliveries FOR EACH ROW
WHEN (NEW.id <> OLD.id OR NEW.transaction_id <> OLD.transaction_id OR NEW.leg <> OLD.leg OR NEW.connection <> OLD.connection
  OR NEW.txn_id <> OLD.txn_id OR NEW.kind <> OLD.kind OR NEW.wallet <> OLD.wallet OR NEW.agent <> OLD.agent
  OR NEW.token <> OLD.token OR NEW.scale <> OLD.scale OR NEW.site_txn_id <> OLD.site_txn_id OR NEW.amount <> OLD.amount
  OR NEW.at <> OLD.at OR OLD.status IN ('paid', 'declined', 'reversed', 'delivered', 'closed'))
EXECUTE FUNCTION refuse('a delivery only goes forward');

--bun:split

CREATE OR REPLACE TRIGGER provider_deliveries_kept BEFORE DELETE ON provider_deliveries FOR EACH ROW
EXECUTE FUNCTION refuse('deliveries are kept');

--bun:split

CREATE OR REPLACE TRIGGER provider_deliveries_truncate BEFORE TRUNCATE ON provider_deliveries
EXECUTE FUNCTION refuse('deliveries are kept');

--bun:split

GRANT SELECT, INSERT, UPDATE ON agent_funds, provider_deliveries TO casino_runtime;
