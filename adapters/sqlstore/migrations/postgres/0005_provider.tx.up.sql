-- A player's state at a provider connection. hour counts from 1970 UTC; net is the wins minus the
-- bets in it, without_debit the credits without a debit.
CREATE TABLE IF NOT EXISTS provider_launches (
  wallet     uuid NOT NULL REFERENCES players,
  connection text COLLATE "C" NOT NULL,
  token      text COLLATE "C" NOT NULL,
  scale      smallint NOT NULL CHECK (scale BETWEEN 0 AND 18),
  first_at   bigint NOT NULL,
  at         bigint NOT NULL,
  hour       bigint NOT NULL,
  net        bigint NOT NULL,
  without_debit      bigint NOT NULL CHECK (without_debit >= 0),
  PRIMARY KEY (wallet, connection)
);

--bun:split

-- What all players of a connection won there in a token within the hour, counted from
-- 1970 UTC by the database's clock. Every win locks the row, after the wallets and the
-- agents' accounts and before the unique keys.
CREATE TABLE IF NOT EXISTS provider_hours (
  connection text COLLATE "C" NOT NULL,
  token      text COLLATE "C" NOT NULL,
  number     bigint NOT NULL,
  hi         bigint NOT NULL,
  lo         bigint NOT NULL,
  PRIMARY KEY (connection, token)
) WITH (fillfactor = 50);

--bun:split

-- What they bet there, per lane, within the latest hour in which the lane had a bet.
CREATE TABLE IF NOT EXISTS lane_provider_bets (
  lane       smallint NOT NULL,
  connection text COLLATE "C" NOT NULL,
  token      text COLLATE "C" NOT NULL,
  number     bigint NOT NULL,
  hi         bigint NOT NULL,
  lo         bigint NOT NULL,
  PRIMARY KEY (connection, token, lane)
) WITH (fillfactor = 50);

--bun:split

-- Until when the log of a connection was compared with the ledger.
CREATE TABLE IF NOT EXISTS provider_reconciled (
  connection text COLLATE "C" NOT NULL PRIMARY KEY,
  until      bigint NOT NULL
);

--bun:split

INSERT INTO guards (kind) VALUES ('reconciliation') ON CONFLICT DO NOTHING;

--bun:split

GRANT SELECT, INSERT, UPDATE ON provider_reconciled TO casino_runtime;

--bun:split

-- Rounds of third-party games: a debit with the credits that followed it, or a credit without a
-- debit (without_debit). They are the sums of provider_transactions. rolled_back: the
-- debit was undone. site is where the debit was
-- forwarded to, empty for play on a balance here.
CREATE TABLE IF NOT EXISTS provider_rounds (
  id         uuid NOT NULL,
  wallet     uuid NOT NULL,
  agent      text COLLATE "C" NOT NULL,
  connection text COLLATE "C" NOT NULL,
  txn_id     text COLLATE "C" NOT NULL,
  provider   text COLLATE "C" NOT NULL,
  game       text COLLATE "C" NOT NULL,
  game_type  text COLLATE "C" NOT NULL,
  token      text COLLATE "C" NOT NULL,
  scale      smallint NOT NULL CHECK (scale BETWEEN 0 AND 18),
  site       text COLLATE "C" NOT NULL,
  wager      bigint NOT NULL CHECK (wager >= 0),
  payout     bigint NOT NULL CHECK (payout >= 0),
  balance    bigint NOT NULL CHECK (balance >= 0),
  credits    integer NOT NULL CHECK (credits >= 0),
  without_debit      boolean NOT NULL,
  rolled_back        boolean NOT NULL,
  at         bigint NOT NULL,
  PRIMARY KEY (wallet, id) INCLUDE (agent)
);

--bun:split

SELECT plan_for_any_wallet('provider_rounds');

--bun:split

-- Like those of own rounds, but a catalogue has thousands of games: lists without a game have
-- their own indexes.
CREATE INDEX IF NOT EXISTS provider_rounds_id ON provider_rounds (id);

--bun:split

CREATE INDEX IF NOT EXISTS provider_rounds_wallet_token ON provider_rounds (wallet, token, id);

--bun:split

CREATE INDEX IF NOT EXISTS provider_rounds_wallet_cell ON provider_rounds (wallet, game, token, id);

--bun:split

CREATE INDEX IF NOT EXISTS provider_rounds_txn ON provider_rounds (wallet, connection, txn_id) WHERE NOT without_debit;

--bun:split

CREATE INDEX IF NOT EXISTS provider_rounds_game ON provider_rounds (wallet, connection, provider, game, id) WHERE NOT without_debit;

--bun:split

CREATE INDEX IF NOT EXISTS provider_rounds_agent ON provider_rounds (token, agent, id);

--bun:split

CREATE INDEX IF NOT EXISTS provider_rounds_cell ON provider_rounds (game, token, agent, id);

--bun:split

-- The same with readable texts only, for people and their own queries.
CREATE OR REPLACE VIEW readable_provider_rounds AS SELECT r.id::text AS id,
  coalesce((SELECT w.wallet FROM players AS w WHERE w.key = r.wallet), '') AS wallet, r.agent, r.connection,
  r.txn_id, r.provider, r.game, r.game_type, r.token, r.scale, r.site, r.wager, r.payout, r.balance, r.credits, r.without_debit, r.rolled_back, r.at
FROM provider_rounds AS r;

--bun:split

CREATE OR REPLACE TRIGGER provider_rounds_fixed BEFORE UPDATE ON provider_rounds FOR EACH ROW
WHEN (NEW.id <> OLD.id OR NEW.wallet <> OLD.wallet OR NEW.agent <> OLD.agent OR NEW.connection <> OLD.connection
  OR NEW.txn_id <> OLD.txn_id OR NEW.provider <> OLD.provider OR NEW.game <> OLD.game OR NEW.token <> OLD.token
  OR NEW.scale <> OLD.scale OR NEW.site <> OLD.site OR NEW.at <> OLD.at OR NEW.without_debit <> OLD.without_debit
  OR NEW.wager > OLD.wager OR NEW.credits < OLD.credits OR NEW.rolled_back < OLD.rolled_back
  OR (NEW.wager < OLD.wager OR NEW.payout < OLD.payout) AND NEW.credits = OLD.credits)
EXECUTE FUNCTION refuse('a provider''s round only gains credits and rollbacks');

--bun:split

CREATE OR REPLACE TRIGGER provider_rounds_kept BEFORE DELETE ON provider_rounds FOR EACH ROW
EXECUTE FUNCTION refuse('provider rounds are kept');

--bun:split

-- Every callback that was answered, including refused ones, and admins' decisions on those in
-- review. requested_bet and requested_win are decimals as the provider wrote them; reference is the
-- txn_id of the bet that a win settles or of the transaction that a rollback undoes.
CREATE TABLE IF NOT EXISTS provider_transactions (
  id         text COLLATE "C" NOT NULL,
  connection text COLLATE "C" NOT NULL,
  txn_id     text COLLATE "C" NOT NULL,
  kind       text COLLATE "C" NOT NULL CHECK (kind IN ('debit', 'credit', 'debit_credit', 'rollback', 'settlement')),
  provider   text COLLATE "C" NOT NULL,
  game       text COLLATE "C" NOT NULL,
  game_type  text COLLATE "C" NOT NULL,
  reference  text COLLATE "C" NOT NULL,
  wallet     uuid NOT NULL,
  agent      text COLLATE "C" NOT NULL,
  token      text COLLATE "C" NOT NULL,
  scale      smallint NOT NULL CHECK (scale BETWEEN 0 AND 18),
  requested_bet  text COLLATE "C" NOT NULL,
  requested_win  text COLLATE "C" NOT NULL,
  bet        bigint NOT NULL CHECK (bet >= 0),
  win        bigint NOT NULL CHECK (win >= 0),
  residue    text COLLATE "C" NOT NULL,
  status     text COLLATE "C" NOT NULL CHECK (status IN ('taken', 'refused', 'review')),
  reason     text COLLATE "C" NOT NULL,
  round_id   text COLLATE "C" NOT NULL,
  site       text COLLATE "C" NOT NULL,
  balance    bigint NOT NULL CHECK (balance >= 0),
  at         bigint NOT NULL,
  lane       smallint NOT NULL,
  seq        bigint NOT NULL,
  position   integer NOT NULL,
  PRIMARY KEY (wallet, id),
  UNIQUE (connection, txn_id, kind, wallet)
);

--bun:split

CREATE INDEX IF NOT EXISTS provider_transactions_id ON provider_transactions (id);

--bun:split

CREATE INDEX IF NOT EXISTS provider_transactions_review ON provider_transactions (id) WHERE status = 'review';

--bun:split

CREATE INDEX IF NOT EXISTS provider_transactions_reference ON provider_transactions (wallet, connection, reference) WHERE reference <> '';

--bun:split

CREATE INDEX IF NOT EXISTS provider_transactions_block ON provider_transactions (lane, seq);

--bun:split

CREATE OR REPLACE TRIGGER provider_transactions_update BEFORE UPDATE ON provider_transactions FOR EACH ROW
EXECUTE FUNCTION refuse('provider transactions are append-only');

--bun:split

CREATE OR REPLACE TRIGGER provider_transactions_delete BEFORE DELETE ON provider_transactions FOR EACH ROW
EXECUTE FUNCTION refuse('provider transactions are append-only');

--bun:split

CREATE OR REPLACE TRIGGER provider_rounds_truncate BEFORE TRUNCATE ON provider_rounds
EXECUTE FUNCTION refuse('provider rounds are kept');

--bun:split

CREATE OR REPLACE TRIGGER provider_transactions_truncate BEFORE TRUNCATE ON provider_transactions
EXECUTE FUNCTION refuse('provider transactions are append-only');

--bun:split

GRANT SELECT, INSERT ON provider_transactions TO casino_runtime;

--bun:split

GRANT SELECT ON readable_provider_rounds TO casino_runtime;

--bun:split

GRANT SELECT, INSERT, UPDATE ON provider_launches, provider_rounds, provider_hours, lane_provider_bets TO casino_runtime;
