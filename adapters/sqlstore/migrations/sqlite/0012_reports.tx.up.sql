-- What each player played on a day (of day·86400 s since 1970, UTC), in a token, for the agent of
-- the rounds. Unlike daily_figures no bet writes them: short transactions add the rounds of a lane's
-- blocks up to counted_blocks. Sums are hi·2^40 + lo.
CREATE TABLE IF NOT EXISTS player_days (
  wallet     BLOB    NOT NULL CHECK (length(wallet) = 16),
  day        INTEGER NOT NULL,
  token      TEXT    NOT NULL,
  agent      TEXT    NOT NULL,
  rounds     INTEGER NOT NULL CHECK (rounds >= 0),
  wagered_hi INTEGER NOT NULL,
  wagered_lo INTEGER NOT NULL CHECK (wagered_lo >= 0 AND wagered_lo < 1099511627776),
  paid_hi    INTEGER NOT NULL,
  paid_lo    INTEGER NOT NULL CHECK (paid_lo >= 0 AND paid_lo < 1099511627776),
  PRIMARY KEY (wallet, day, token, agent)
) STRICT, WITHOUT ROWID;

--bun:split

CREATE INDEX IF NOT EXISTS player_days_day ON player_days (day, token, agent);

--bun:split

CREATE TABLE IF NOT EXISTS counted_blocks (
  lane INTEGER NOT NULL PRIMARY KEY,
  seq  INTEGER NOT NULL CHECK (seq > 0)
) STRICT;

--bun:split

CREATE TRIGGER IF NOT EXISTS counted_blocks_forward BEFORE UPDATE ON counted_blocks
WHEN NEW.lane <> OLD.lane OR NEW.seq <= OLD.seq
BEGIN SELECT RAISE(ABORT, 'counted blocks only go forward'); END;

--bun:split

CREATE TRIGGER IF NOT EXISTS counted_blocks_kept BEFORE DELETE ON counted_blocks
BEGIN SELECT RAISE(ABORT, 'counted blocks only go forward'); END;

--bun:split

-- Money that came, went or was corrected in a period, for reports. Bets write no transactions.
CREATE INDEX IF NOT EXISTS transactions_ended ON transactions (updated_at)
WHERE NOT (type = 'deposit' AND status <> 'credited' OR type = 'withdrawal' AND status <> 'completed');

--bun:split

INSERT INTO guards (kind) VALUES ('player days') ON CONFLICT DO NOTHING;
