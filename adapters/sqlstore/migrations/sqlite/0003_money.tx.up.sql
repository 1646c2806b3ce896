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
CREATE INDEX IF NOT EXISTS payout_attempts_recent ON payout_attempts (created_at) WHERE dead = 0;

--bun:split

INSERT INTO guards (kind) VALUES ('payouts'), ('deposits') ON CONFLICT DO NOTHING;
