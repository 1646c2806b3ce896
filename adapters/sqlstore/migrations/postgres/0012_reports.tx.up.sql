-- What each player played on a day (of day·86400 s since 1970, UTC), in a token, for the agent of
-- the rounds. Unlike daily_figures no bet writes them: short transactions add the rounds of a lane's
-- blocks up to counted_blocks. Sums are hi·2^40 + lo.
CREATE TABLE IF NOT EXISTS player_days (
  wallet     uuid NOT NULL,
  day        bigint NOT NULL,
  token      text COLLATE "C" NOT NULL,
  agent      text COLLATE "C" NOT NULL,
  rounds     bigint NOT NULL CHECK (rounds >= 0),
  wagered_hi bigint NOT NULL,
  wagered_lo bigint NOT NULL CHECK (wagered_lo >= 0 AND wagered_lo < 1099511627776),
  paid_hi    bigint NOT NULL,
  paid_lo    bigint NOT NULL CHECK (paid_lo >= 0 AND paid_lo < 1099511627776),
  PRIMARY KEY (wallet, day, token, agent)
) WITH (fillfactor = 80);

--bun:split

CREATE INDEX IF NOT EXISTS player_days_day ON player_days (day, token, agent);

--bun:split

CREATE TABLE IF NOT EXISTS counted_blocks (
  lane smallint NOT NULL PRIMARY KEY,
  seq  bigint NOT NULL CHECK (seq > 0)
);

--bun:split

CREATE OR REPLACE TRIGGER counted_blocks_forward BEFORE UPDATE ON counted_blocks FOR EACH ROW
WHEN (NEW.lane <> OLD.lane OR NEW.seq <= OLD.seq)
EXECUTE FUNCTION refuse('counted blocks only go forward');

--bun:split

CREATE OR REPLACE TRIGGER counted_blocks_kept BEFORE DELETE ON counted_blocks FOR EACH ROW
EXECUTE FUNCTION refuse('counted blocks only go forward');

--bun:split

CREATE OR REPLACE TRIGGER counted_blocks_truncate BEFORE TRUNCATE ON counted_blocks
EXECUTE FUNCTION refuse('counted blocks only go forward');

--bun:split

GRANT SELECT, INSERT, UPDATE (rounds, wagered_hi, wagered_lo, paid_hi, paid_lo) ON player_days TO casino_runtime;

--bun:split

GRANT SELECT, INSERT, UPDATE (seq) ON counted_blocks TO casino_runtime;

--bun:split

-- Money that came, went or was corrected in a period, for reports. Bets write no transactions.
CREATE INDEX IF NOT EXISTS transactions_ended ON transactions (updated_at)
WHERE NOT (type = 'deposit' AND status <> 'credited' OR type = 'withdrawal' AND status <> 'completed');

--bun:split

INSERT INTO guards (kind) VALUES ('player days') ON CONFLICT DO NOTHING;
