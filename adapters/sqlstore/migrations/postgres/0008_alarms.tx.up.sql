-- Alarms, which need a person's attention. At most one alarm of a kind and a subject is open.
-- facts is a JSON object. Blocks cover all columns but last_seen and seen.
CREATE TABLE IF NOT EXISTS alarms (
  id              text COLLATE "C" NOT NULL PRIMARY KEY,
  kind            text COLLATE "C" NOT NULL,
  about           text COLLATE "C" NOT NULL,
  agent           text COLLATE "C" NOT NULL,
  facts           text NOT NULL,
  raised_at       bigint NOT NULL,
  last_seen       bigint NOT NULL CHECK (last_seen >= raised_at),
  seen            bigint NOT NULL CHECK (seen > 0),
  acknowledged_by text COLLATE "C" NOT NULL,
  acknowledged_at bigint CHECK ((acknowledged_at IS NULL) = (acknowledged_by = '')),
  note            text NOT NULL,
  cleared_at      bigint,
  cleared_by      text COLLATE "C" NOT NULL CHECK (cleared_at IS NOT NULL OR cleared_by = '')
) WITH (fillfactor = 80);

--bun:split

CREATE UNIQUE INDEX IF NOT EXISTS alarms_one_open ON alarms (kind, about) WHERE cleared_at IS NULL;

--bun:split

CREATE INDEX IF NOT EXISTS alarms_open ON alarms (id) WHERE cleared_at IS NULL;

--bun:split

CREATE INDEX IF NOT EXISTS alarms_kind ON alarms (kind, id);

--bun:split

CREATE INDEX IF NOT EXISTS alarms_about ON alarms (about, id);

--bun:split

CREATE INDEX IF NOT EXISTS alarms_agent ON alarms (agent, id) WHERE agent <> '';

--bun:split

CREATE OR REPLACE TRIGGER alarms_cleared BEFORE UPDATE ON alarms FOR EACH ROW WHEN (OLD.cleared_at IS NOT NULL)
EXECUTE FUNCTION refuse('a cleared alarm stays as it is');

--bun:split

CREATE OR REPLACE TRIGGER alarms_fixed BEFORE UPDATE ON alarms FOR EACH ROW
WHEN (NEW.id <> OLD.id OR NEW.kind <> OLD.kind OR NEW.about <> OLD.about OR NEW.agent <> OLD.agent OR NEW.facts <> OLD.facts OR
  NEW.raised_at <> OLD.raised_at)
EXECUTE FUNCTION refuse('the subject of an alarm is fixed');

--bun:split

CREATE OR REPLACE TRIGGER alarms_kept BEFORE DELETE ON alarms FOR EACH ROW
EXECUTE FUNCTION refuse('alarms are kept');

--bun:split

CREATE OR REPLACE TRIGGER alarms_truncate BEFORE TRUNCATE ON alarms
EXECUTE FUNCTION refuse('alarms are kept');

--bun:split

INSERT INTO guards (kind) VALUES ('alarms') ON CONFLICT DO NOTHING;

--bun:split

GRANT SELECT, INSERT, UPDATE (last_seen, seen, acknowledged_by, acknowledged_at, note, cleared_at, cleared_by) ON alarms TO casino_runtime;
