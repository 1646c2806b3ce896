-- A player's state at a provider connection. hour counts from 1970 UTC; net is the wins minus the
-- bets in it, without_debit the credits without a debit.
CREATE TABLE IF NOT EXISTS provider_launches (
  wallet     BLOB    NOT NULL CHECK (length(wallet) = 16),
  connection TEXT    NOT NULL,
  token      TEXT    NOT NULL,
  scale      INTEGER NOT NULL CHECK (scale BETWEEN 0 AND 18),
  first_at   INTEGER NOT NULL,
  at         INTEGER NOT NULL,
  hour       INTEGER NOT NULL,
  net        INTEGER NOT NULL,
  without_debit      INTEGER NOT NULL CHECK (without_debit >= 0),
  PRIMARY KEY (wallet, connection)
) STRICT, WITHOUT ROWID;

--bun:split

-- What all players of a connection won there in a token within the hour, counted from
-- 1970 UTC by the database's clock. Every win locks the row, after the wallets and the
-- agents' accounts and before the unique keys.
CREATE TABLE IF NOT EXISTS provider_hours (
  connection TEXT NOT NULL,
  token      TEXT NOT NULL,
  number     INTEGER NOT NULL,
  hi         INTEGER NOT NULL,
  lo         INTEGER NOT NULL,
  PRIMARY KEY (connection, token)
) STRICT, WITHOUT ROWID;

--bun:split

-- What they bet there, per lane, within the latest hour in which the lane had a bet.
CREATE TABLE IF NOT EXISTS lane_provider_bets (
  lane       INTEGER NOT NULL,
  connection TEXT NOT NULL,
  token      TEXT NOT NULL,
  number     INTEGER NOT NULL,
  hi         INTEGER NOT NULL,
  lo         INTEGER NOT NULL,
  PRIMARY KEY (connection, token, lane)
) STRICT, WITHOUT ROWID;

--bun:split

-- Until when the log of a connection was compared with the ledger.
CREATE TABLE IF NOT EXISTS provider_reconciled (
  connection TEXT    NOT NULL PRIMARY KEY,
  until      INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

--bun:split

INSERT INTO guards (kind) VALUES ('reconciliation') ON CONFLICT DO NOTHING;

--bun:split

-- Rounds of third-party games: a debit with the credits that followed it, or a credit without a
-- debit (without_debit). They are the sums of provider_transactions. rolled_back: the
-- debit was undone. site is where the debit was
-- forwarded to, empty for play on a balance here.
CREATE TABLE IF NOT EXISTS provider_rounds (
  id         BLOB    NOT NULL UNIQUE CHECK (length(id) = 16),
  wallet     BLOB    NOT NULL CHECK (length(wallet) = 16),
  agent      TEXT    NOT NULL,
  connection TEXT    NOT NULL,
  txn_id     TEXT    NOT NULL,
  provider   TEXT    NOT NULL,
  game       TEXT    NOT NULL,
  game_type  TEXT    NOT NULL,
  token      TEXT    NOT NULL,
  scale      INTEGER NOT NULL CHECK (scale BETWEEN 0 AND 18),
  site       TEXT    NOT NULL,
  wager      INTEGER NOT NULL CHECK (wager >= 0),
  payout     INTEGER NOT NULL CHECK (payout >= 0),
  balance    INTEGER NOT NULL CHECK (balance >= 0),
  credits    INTEGER NOT NULL CHECK (credits >= 0),
  without_debit      INTEGER NOT NULL CHECK (without_debit IN (0, 1)),
  rolled_back        INTEGER NOT NULL CHECK (rolled_back IN (0, 1)),
  at         INTEGER NOT NULL,
  PRIMARY KEY (wallet, id)
) STRICT;

--bun:split

-- Like those of own rounds, but a catalogue has thousands of games: lists without a game have
-- their own indexes.
CREATE INDEX IF NOT EXISTS provider_rounds_wallet ON provider_rounds (wallet, id, agent);

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
CREATE VIEW IF NOT EXISTS readable_provider_rounds AS SELECT lower(substr(hex(r.id), 1, 8) || '-' || substr(hex(r.id), 9, 4) || '-' || substr(hex(r.id), 13, 4) || '-' ||
  substr(hex(r.id), 17, 4) || '-' || substr(hex(r.id), 21)) AS id,
  coalesce((SELECT w.wallet FROM players AS w WHERE w.key = r.wallet), '') AS wallet, r.agent, r.connection,
  r.txn_id, r.provider, r.game, r.game_type, r.token, r.scale, r.site, r.wager, r.payout, r.balance, r.credits, r.without_debit, r.rolled_back, r.at
FROM provider_rounds AS r;

--bun:split

CREATE TRIGGER IF NOT EXISTS provider_rounds_fixed BEFORE UPDATE ON provider_rounds
WHEN NEW.id <> OLD.id OR NEW.wallet <> OLD.wallet OR NEW.agent <> OLD.agent OR NEW.connection <> OLD.connection
  OR NEW.txn_id <> OLD.txn_id OR NEW.provider <> OLD.provider OR NEW.game <> OLD.game OR NEW.token <> OLD.token
  OR NEW.scale <> OLD.scale OR NEW.site <> OLD.site OR NEW.at <> OLD.at OR NEW.without_debit <> OLD.without_debit
  OR NEW.wager > OLD.wager OR NEW.credits < OLD.credits OR NEW.rolled_back < OLD.rolled_back
  OR (NEW.wager < OLD.wager OR NEW.payout < OLD.payout) AND NEW.credits = OLD.credits
BEGIN SELECT RAISE(ABORT, 'a provider''s round only gains credits and rollbacks'); END;

--bun:split

CREATE TRIGGER IF NOT EXISTS provider_rounds_kept BEFORE DELETE ON provider_rounds
BEGIN SELECT RAISE(ABORT, 'provider rounds are kept'); END;

--bun:split

-- Every callback that was answered, including refused ones, and admins' decisions on those in
-- review. requested_bet and requested_win are decimals as the provider wrote them; reference is the
-- txn_id of the bet that a win settles or of the transaction that a rollback undoes.
CREATE TABLE IF NOT EXISTS provider_transactions (
  id         TEXT    NOT NULL PRIMARY KEY,
  connection TEXT    NOT NULL,
  txn_id     TEXT    NOT NULL,
  kind       TEXT    NOT NULL CHECK (kind IN ('debit', 'credit', 'debit_credit', 'rollback', 'settlement')),
  provider   TEXT    NOT NULL,
  game       TEXT    NOT NULL,
  game_type  TEXT    NOT NULL,
  reference  TEXT    NOT NULL,
  wallet     BLOB    NOT NULL CHECK (length(wallet) = 16),
  agent      TEXT    NOT NULL,
  token      TEXT    NOT NULL,
  scale      INTEGER NOT NULL CHECK (scale BETWEEN 0 AND 18),
  requested_bet  TEXT    NOT NULL,
  requested_win  TEXT    NOT NULL,
  bet        INTEGER NOT NULL CHECK (bet >= 0),
  win        INTEGER NOT NULL CHECK (win >= 0),
  residue    TEXT    NOT NULL,
  status     TEXT    NOT NULL CHECK (status IN ('taken', 'refused', 'review')),
  reason     TEXT    NOT NULL,
  round_id   TEXT    NOT NULL,
  site       TEXT    NOT NULL,
  balance    INTEGER NOT NULL CHECK (balance >= 0),
  at         INTEGER NOT NULL,
  lane       INTEGER NOT NULL,
  seq        INTEGER NOT NULL,
  position   INTEGER NOT NULL,
  UNIQUE (connection, txn_id, kind)
) STRICT;

--bun:split

CREATE INDEX IF NOT EXISTS provider_transactions_wallet ON provider_transactions (wallet, id);

--bun:split

CREATE INDEX IF NOT EXISTS provider_transactions_review ON provider_transactions (id) WHERE status = 'review';

--bun:split

CREATE INDEX IF NOT EXISTS provider_transactions_reference ON provider_transactions (wallet, connection, reference) WHERE reference <> '';

--bun:split

CREATE INDEX IF NOT EXISTS provider_transactions_block ON provider_transactions (lane, seq);

--bun:split

CREATE TRIGGER IF NOT EXISTS provider_transactions_update BEFORE UPDATE ON provider_transactions
BEGIN SELECT RAISE(ABORT, 'provider transactions are append-only'); END;

--bun:split

CREATE TRIGGER IF NOT EXISTS provider_transactions_delete BEFORE DELETE ON provider_transactions
BEGIN SELECT RAISE(ABORT, 'provider transactions are append-only'); END;
