-- Agents' endpoints that events are sent to. cursor is how far each is, event_id and the columns
-- after it are the state of the event after that; worker holds a lease until a time. An admin's
-- change raises version. types are separated by blanks; secrets are encrypted.
CREATE TABLE IF NOT EXISTS webhooks (
  id               TEXT NOT NULL PRIMARY KEY,
  agent            TEXT NOT NULL,
  url              TEXT NOT NULL,
  types            TEXT NOT NULL,
  state            TEXT NOT NULL CHECK (state IN ('active', 'disabled')),
  reason           TEXT NOT NULL CHECK ((state = 'active') = (reason = '')),
  cursor           TEXT NOT NULL,
  event_id         TEXT NOT NULL,
  tries            INTEGER NOT NULL CHECK (tries >= 0),
  refused          INTEGER NOT NULL CHECK (refused >= 0),
  unanswered       INTEGER NOT NULL CHECK (unanswered >= 0),
  tried_since      INTEGER,
  next_at          INTEGER NOT NULL,
  last_status      INTEGER NOT NULL,
  last_failure     TEXT NOT NULL,
  last_retry_after INTEGER NOT NULL,
  failing_since    INTEGER,
  version          INTEGER NOT NULL CHECK (version > 0),
  previous_until   INTEGER,
  created_at       INTEGER NOT NULL,
  updated_at       INTEGER NOT NULL,
  current_secret   BLOB,
  previous_secret  BLOB,
  worker           TEXT NOT NULL DEFAULT '',
  until            INTEGER NOT NULL DEFAULT 0
) STRICT;

--bun:split

CREATE INDEX IF NOT EXISTS webhooks_agent ON webhooks (agent, id);

--bun:split

CREATE INDEX IF NOT EXISTS webhooks_active ON webhooks (id) WHERE state = 'active';

--bun:split

-- Events that could not be delivered to an endpoint, with what was sent. due marks those to be
-- sent again.
CREATE TABLE IF NOT EXISTS dead_letters (
  webhook          TEXT NOT NULL,
  id               TEXT NOT NULL,
  event_id         TEXT NOT NULL,
  type             TEXT NOT NULL,
  event_at         INTEGER NOT NULL,
  body             BLOB,
  tries            INTEGER NOT NULL CHECK (tries >= 0),
  last_status      INTEGER NOT NULL,
  last_failure     TEXT NOT NULL,
  last_retry_after INTEGER NOT NULL,
  at               INTEGER NOT NULL,
  due              INTEGER NOT NULL CHECK (due IN (0, 1)),
  PRIMARY KEY (webhook, id)
) STRICT;

--bun:split

CREATE INDEX IF NOT EXISTS dead_letters_due ON dead_letters (webhook, id) WHERE due;

--bun:split

INSERT INTO guards (kind) VALUES ('webhooks') ON CONFLICT DO NOTHING;
