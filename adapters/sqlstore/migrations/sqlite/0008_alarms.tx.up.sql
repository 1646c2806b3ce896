-- Alarms, which need a person's attention. At most one alarm of a kind and a subject is open.
-- facts is a JSON object. Blocks cover all columns but last_seen and seen.
CREATE TABLE IF NOT EXISTS alarms (
  id              TEXT NOT NULL PRIMARY KEY,
  kind            TEXT NOT NULL,
  about           TEXT NOT NULL,
  agent           TEXT NOT NULL,
  facts           TEXT NOT NULL,
  raised_at       INTEGER NOT NULL,
  last_seen       INTEGER NOT NULL CHECK (last_seen >= raised_at),
  seen            INTEGER NOT NULL CHECK (seen > 0),
  acknowledged_by TEXT NOT NULL,
  acknowledged_at INTEGER CHECK ((acknowledged_at IS NULL) = (acknowledged_by = '')),
  note            TEXT NOT NULL,
  cleared_at      INTEGER,
  cleared_by      TEXT NOT NULL CHECK (cleared_at IS NOT NULL OR cleared_by = '')
) STRICT;

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

CREATE TRIGGER IF NOT EXISTS alarms_cleared BEFORE UPDATE ON alarms WHEN OLD.cleared_at IS NOT NULL
BEGIN SELECT RAISE(ABORT, 'a cleared alarm stays as it is'); END;

--bun:split

CREATE TRIGGER IF NOT EXISTS alarms_fixed BEFORE UPDATE ON alarms
WHEN NEW.id <> OLD.id OR NEW.kind <> OLD.kind OR NEW.about <> OLD.about OR NEW.agent <> OLD.agent OR NEW.facts <> OLD.facts OR
  NEW.raised_at <> OLD.raised_at
BEGIN SELECT RAISE(ABORT, 'the subject of an alarm is fixed'); END;

--bun:split

CREATE TRIGGER IF NOT EXISTS alarms_kept BEFORE DELETE ON alarms
BEGIN SELECT RAISE(ABORT, 'alarms are kept'); END;

--bun:split

INSERT INTO guards (kind) VALUES ('alarms') ON CONFLICT DO NOTHING;
