-- The shared crash. Chains of hashes: commitment is the published text, epoch and terminal are
-- values of it, n counts the chains.
CREATE TABLE IF NOT EXISTS crash_chains (
  chain      text COLLATE "C" NOT NULL PRIMARY KEY,
  n          bigint NOT NULL UNIQUE,
  commitment text COLLATE "C" NOT NULL,
  epoch      bigint NOT NULL CHECK (epoch >= 1),
  terminal   text COLLATE "C" NOT NULL UNIQUE
);

--bun:split

-- Some hashes of each chain, encrypted; those of other rounds follow from the next way point.
CREATE TABLE IF NOT EXISTS crash_way_points (
  chain  text COLLATE "C" NOT NULL REFERENCES crash_chains,
  number bigint NOT NULL CHECK (number > 0),
  sealed bytea NOT NULL,
  PRIMARY KEY (chain, number)
);

--bun:split

-- Rounds. What isn't known yet is empty, zero or null: hash and point until the curve has ended.
-- fence is that of the lease under which the row was last changed; blocks cover all other columns.
CREATE TABLE IF NOT EXISTS crash_rounds (
  chain         text COLLATE "C" NOT NULL REFERENCES crash_chains,
  number        bigint NOT NULL CHECK (number > 0),
  status        text COLLATE "C" NOT NULL CHECK (status IN ('betting', 'closed', 'flying', 'crashed', 'settled', 'cancelled')),
  cap           bigint NOT NULL CHECK (cap > 100),
  previous      text COLLATE "C" NOT NULL UNIQUE,
  above         bigint NOT NULL CHECK (above >= 0),
  opened_at     bigint NOT NULL,
  stopped       boolean NOT NULL,
  closing       text COLLATE "C" NOT NULL CHECK (status <> 'betting' OR closing = ''),
  height        bigint NOT NULL CHECK ((height > 0) = (closing <> '')),
  salt          text COLLATE "C" NOT NULL CHECK (salt = '' OR closing <> '' AND beacon_height > 0),
  beacon_height bigint NOT NULL CHECK (beacon_height >= 0),
  started_at    bigint CHECK ((started_at IS NOT NULL) = (status IN ('flying', 'crashed', 'settled'))),
  hash          text COLLATE "C" NOT NULL CHECK ((hash <> '') = (status IN ('crashed', 'settled', 'cancelled'))),
  point         bigint NOT NULL CHECK ((point > 0) = (status IN ('crashed', 'settled'))),
  paying        boolean NOT NULL CHECK (NOT paying OR hash <> ''),
  recovered     boolean NOT NULL,
  fence         bigint NOT NULL CHECK (fence > 0),
  PRIMARY KEY (chain, number),
  CHECK (status IN ('betting', 'cancelled') OR closing <> '' AND stopped),
  CHECK (started_at IS NULL OR salt <> ''),
  CHECK (status <> 'settled' OR paying)
);

--bun:split

CREATE INDEX IF NOT EXISTS crash_rounds_open ON crash_rounds (chain, number) WHERE status NOT IN ('settled', 'cancelled');

--bun:split

-- The worker that drives the rounds. fence grows whenever the lease begins anew.
CREATE TABLE IF NOT EXISTS crash_lease (
  one    integer NOT NULL PRIMARY KEY CHECK (one = 1),
  worker text COLLATE "C" NOT NULL,
  fence  bigint NOT NULL CHECK (fence >= 0),
  until  bigint NOT NULL
);

--bun:split

INSERT INTO crash_lease (one, worker, fence, until) VALUES (1, '', 0, 0) ON CONFLICT DO NOTHING;

--bun:split

-- Each instance has answered the cash-outs that it received before drained_at.
CREATE TABLE IF NOT EXISTS crash_instances (
  instance   text COLLATE "C" NOT NULL PRIMARY KEY,
  drained_at bigint NOT NULL,
  until      bigint NOT NULL
);

--bun:split

CREATE OR REPLACE FUNCTION crash_rounds_follow() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NOT (NEW.status = 'betting' AND NOT EXISTS (SELECT 1 FROM crash_rounds AS o WHERE o.status IN ('betting', 'closed', 'flying'))
    AND EXISTS (SELECT 1 FROM crash_chains AS c JOIN control AS s ON s.epoch = c.epoch WHERE c.chain = NEW.chain
      AND (NEW.number = 1 AND c.terminal = NEW.previous
        OR EXISTS (SELECT 1 FROM crash_rounds AS b WHERE b.chain = NEW.chain AND b.number = NEW.number - 1 AND b.hash = NEW.previous)))) THEN
    RAISE EXCEPTION 'a crash round follows the one before it, and is the only one that is played' USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN NEW;
END $$;

--bun:split

CREATE OR REPLACE TRIGGER crash_rounds_follow BEFORE INSERT ON crash_rounds FOR EACH ROW EXECUTE FUNCTION crash_rounds_follow();

--bun:split

CREATE OR REPLACE TRIGGER crash_rounds_forward BEFORE UPDATE ON crash_rounds FOR EACH ROW
WHEN (NEW.chain <> OLD.chain OR NEW.number <> OLD.number OR NEW.cap <> OLD.cap OR NEW.previous <> OLD.previous OR NEW.above <> OLD.above
  OR NEW.opened_at <> OLD.opened_at OR OLD.stopped AND NOT NEW.stopped
  OR NEW.status <> OLD.status AND OLD.status || '>' || NEW.status
    NOT IN ('betting>closed', 'betting>cancelled', 'closed>flying', 'closed>cancelled', 'flying>crashed', 'crashed>settled')
  OR OLD.closing <> '' AND (NEW.closing <> OLD.closing OR NEW.height <> OLD.height)
  OR OLD.salt <> '' AND NEW.salt <> OLD.salt OR OLD.beacon_height <> 0 AND NEW.beacon_height <> OLD.beacon_height
  OR OLD.started_at <> NEW.started_at OR OLD.hash <> '' AND NEW.hash <> OLD.hash OR OLD.point <> 0 AND NEW.point <> OLD.point
  OR OLD.paying AND NOT NEW.paying OR OLD.recovered AND NOT NEW.recovered OR NEW.fence < OLD.fence)
EXECUTE FUNCTION refuse('crash rounds only go forward');

--bun:split

CREATE OR REPLACE TRIGGER crash_rounds_kept BEFORE DELETE ON crash_rounds FOR EACH ROW
EXECUTE FUNCTION refuse('crash rounds and their chains are kept');

--bun:split

CREATE OR REPLACE TRIGGER crash_rounds_truncate BEFORE TRUNCATE ON crash_rounds
EXECUTE FUNCTION refuse('crash rounds and their chains are kept');

--bun:split

CREATE OR REPLACE TRIGGER crash_chains_fixed BEFORE UPDATE OR DELETE ON crash_chains FOR EACH ROW
EXECUTE FUNCTION refuse('crash rounds and their chains are kept');

--bun:split

CREATE OR REPLACE TRIGGER crash_chains_truncate BEFORE TRUNCATE ON crash_chains
EXECUTE FUNCTION refuse('crash rounds and their chains are kept');

--bun:split

CREATE OR REPLACE TRIGGER crash_way_points_fixed BEFORE UPDATE OR DELETE ON crash_way_points FOR EACH ROW
EXECUTE FUNCTION refuse('crash rounds and their chains are kept');

--bun:split

CREATE OR REPLACE TRIGGER crash_way_points_truncate BEFORE TRUNCATE ON crash_way_points
EXECUTE FUNCTION refuse('crash rounds and their chains are kept');

--bun:split

CREATE OR REPLACE TRIGGER crash_lease_grows BEFORE UPDATE ON crash_lease FOR EACH ROW
WHEN (NEW.fence < OLD.fence OR NEW.fence = OLD.fence AND NEW.worker <> OLD.worker)
EXECUTE FUNCTION refuse('another holder of a lease has a greater fence');

--bun:split

CREATE OR REPLACE TRIGGER crash_lease_kept BEFORE DELETE ON crash_lease FOR EACH ROW
EXECUTE FUNCTION refuse('another holder of a lease has a greater fence');

--bun:split

CREATE OR REPLACE TRIGGER crash_lease_truncate BEFORE TRUNCATE ON crash_lease
EXECUTE FUNCTION refuse('another holder of a lease has a greater fence');

--bun:split

GRANT SELECT, INSERT ON crash_chains, crash_way_points TO casino_runtime;

--bun:split

GRANT SELECT, INSERT, UPDATE (status, stopped, closing, height, salt, beacon_height, started_at, hash, point, paying, recovered, fence) ON crash_rounds TO casino_runtime;

--bun:split

GRANT SELECT, UPDATE ON crash_lease TO casino_runtime;

--bun:split

GRANT SELECT, INSERT, UPDATE, DELETE ON crash_instances TO casino_runtime;
