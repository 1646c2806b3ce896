-- The shared crash. Chains of hashes: commitment is the published text, epoch and terminal are
-- values of it, n counts the chains.
CREATE TABLE IF NOT EXISTS crash_chains (
  chain      TEXT NOT NULL PRIMARY KEY,
  n          INTEGER NOT NULL UNIQUE,
  commitment TEXT NOT NULL,
  epoch      INTEGER NOT NULL CHECK (epoch >= 1),
  terminal   TEXT NOT NULL UNIQUE
) STRICT, WITHOUT ROWID;

--bun:split

-- Some hashes of each chain, encrypted; those of other rounds follow from the next way point.
CREATE TABLE IF NOT EXISTS crash_way_points (
  chain  TEXT NOT NULL,
  number INTEGER NOT NULL CHECK (number > 0),
  sealed BLOB NOT NULL,
  PRIMARY KEY (chain, number)
) STRICT, WITHOUT ROWID;

--bun:split

-- Rounds. What isn't known yet is empty, zero or null: hash and point until the curve has ended.
-- fence is that of the lease under which the row was last changed; blocks cover all other columns.
CREATE TABLE IF NOT EXISTS crash_rounds (
  chain         TEXT NOT NULL,
  number        INTEGER NOT NULL CHECK (number > 0),
  status        TEXT NOT NULL CHECK (status IN ('betting', 'closed', 'flying', 'crashed', 'settled', 'cancelled')),
  cap           INTEGER NOT NULL CHECK (cap > 100),
  previous      TEXT NOT NULL UNIQUE,
  above         INTEGER NOT NULL CHECK (above >= 0),
  opened_at     INTEGER NOT NULL,
  stopped       INTEGER NOT NULL CHECK (stopped IN (0, 1)),
  closing       TEXT NOT NULL CHECK (status <> 'betting' OR closing = ''),
  height        INTEGER NOT NULL CHECK ((height > 0) = (closing <> '')),
  salt          TEXT NOT NULL CHECK (salt = '' OR closing <> '' AND beacon_height > 0),
  beacon_height INTEGER NOT NULL CHECK (beacon_height >= 0),
  started_at    INTEGER CHECK ((started_at IS NOT NULL) = (status IN ('flying', 'crashed', 'settled'))),
  hash          TEXT NOT NULL CHECK ((hash <> '') = (status IN ('crashed', 'settled', 'cancelled'))),
  point         INTEGER NOT NULL CHECK ((point > 0) = (status IN ('crashed', 'settled'))),
  paying        INTEGER NOT NULL CHECK (paying IN (0, 1)) CHECK (NOT paying OR hash <> ''),
  recovered     INTEGER NOT NULL CHECK (recovered IN (0, 1)),
  fence         INTEGER NOT NULL CHECK (fence > 0),
  PRIMARY KEY (chain, number),
  CHECK (status IN ('betting', 'cancelled') OR closing <> '' AND stopped),
  CHECK (started_at IS NULL OR salt <> ''),
  CHECK (status <> 'settled' OR paying)
) STRICT, WITHOUT ROWID;

--bun:split

CREATE INDEX IF NOT EXISTS crash_rounds_open ON crash_rounds (chain, number) WHERE status NOT IN ('settled', 'cancelled');

--bun:split

-- The worker that drives the rounds. fence grows whenever the lease begins anew.
CREATE TABLE IF NOT EXISTS crash_lease (
  one    INTEGER NOT NULL PRIMARY KEY CHECK (one = 1),
  worker TEXT NOT NULL,
  fence  INTEGER NOT NULL CHECK (fence >= 0),
  until  INTEGER NOT NULL
) STRICT;

--bun:split

INSERT INTO crash_lease (one, worker, fence, until) VALUES (1, '', 0, 0) ON CONFLICT DO NOTHING;

--bun:split

-- Each instance has answered the cash-outs that it received before drained_at.
CREATE TABLE IF NOT EXISTS crash_instances (
  instance   TEXT NOT NULL PRIMARY KEY,
  drained_at INTEGER NOT NULL,
  until      INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

--bun:split

CREATE TRIGGER IF NOT EXISTS crash_rounds_follow BEFORE INSERT ON crash_rounds
WHEN NOT (NEW.status = 'betting' AND NOT EXISTS (SELECT 1 FROM crash_rounds AS o WHERE o.status IN ('betting', 'closed', 'flying'))
    AND EXISTS (SELECT 1 FROM crash_chains AS c JOIN control AS s ON s.epoch = c.epoch WHERE c.chain = NEW.chain
      AND (NEW.number = 1 AND c.terminal = NEW.previous
        OR EXISTS (SELECT 1 FROM crash_rounds AS b WHERE b.chain = NEW.chain AND b.number = NEW.number - 1 AND b.hash = NEW.previous))))
BEGIN SELECT RAISE(ABORT, 'a crash round follows the one before it, and is the only one that is played'); END;

--bun:split

CREATE TRIGGER IF NOT EXISTS crash_rounds_forward BEFORE UPDATE ON crash_rounds
WHEN NEW.chain <> OLD.chain OR NEW.number <> OLD.number OR NEW.cap <> OLD.cap OR NEW.previous <> OLD.previous OR NEW.above <> OLD.above
  OR NEW.opened_at <> OLD.opened_at OR OLD.stopped AND NOT NEW.stopped
  OR NEW.status <> OLD.status AND OLD.status || '>' || NEW.status
    NOT IN ('betting>closed', 'betting>cancelled', 'closed>flying', 'closed>cancelled', 'flying>crashed', 'crashed>settled')
  OR OLD.closing <> '' AND (NEW.closing <> OLD.closing OR NEW.height <> OLD.height)
  OR OLD.salt <> '' AND NEW.salt <> OLD.salt OR OLD.beacon_height <> 0 AND NEW.beacon_height <> OLD.beacon_height
  OR OLD.started_at <> NEW.started_at OR OLD.hash <> '' AND NEW.hash <> OLD.hash OR OLD.point <> 0 AND NEW.point <> OLD.point
  OR OLD.paying AND NOT NEW.paying OR OLD.recovered AND NOT NEW.recovered OR NEW.fence < OLD.fence
BEGIN SELECT RAISE(ABORT, 'crash rounds only go forward'); END;

--bun:split

CREATE TRIGGER IF NOT EXISTS crash_rounds_kept BEFORE DELETE ON crash_rounds
BEGIN SELECT RAISE(ABORT, 'crash rounds and their chains are kept'); END;

--bun:split

CREATE TRIGGER IF NOT EXISTS crash_chains_fixed BEFORE UPDATE ON crash_chains
BEGIN SELECT RAISE(ABORT, 'crash rounds and their chains are kept'); END;

--bun:split

CREATE TRIGGER IF NOT EXISTS crash_chains_kept BEFORE DELETE ON crash_chains
BEGIN SELECT RAISE(ABORT, 'crash rounds and their chains are kept'); END;

--bun:split

CREATE TRIGGER IF NOT EXISTS crash_way_points_fixed BEFORE UPDATE ON crash_way_points
BEGIN SELECT RAISE(ABORT, 'crash rounds and their chains are kept'); END;

--bun:split

CREATE TRIGGER IF NOT EXISTS crash_way_points_kept BEFORE DELETE ON crash_way_points
BEGIN SELECT RAISE(ABORT, 'crash rounds and their chains are kept'); END;

--bun:split

CREATE TRIGGER IF NOT EXISTS crash_lease_grows BEFORE UPDATE ON crash_lease
WHEN NEW.fence < OLD.fence OR NEW.fence = OLD.fence AND NEW.worker <> OLD.worker
BEGIN SELECT RAISE(ABORT, 'another holder of a lease has a greater fence'); END;

--bun:split

CREATE TRIGGER IF NOT EXISTS crash_lease_kept BEFORE DELETE ON crash_lease
BEGIN SELECT RAISE(ABORT, 'another holder of a lease has a greater fence'); END;
