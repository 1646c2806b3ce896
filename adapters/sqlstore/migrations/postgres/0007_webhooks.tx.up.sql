-- Agents' endpoints that events are sent to. cursor is how far each is, event_id and the columns
-- after it are the state of the event after that; worker holds a lease until a time. An admin's
-- change raises version. types are separated by blanks; secrets are encrypted.
CREATE TABLE IF NOT EXISTS webhooks (
  id               text COLLATE "C" NOT NULL PRIMARY KEY,
  agent            text COLLATE "C" NOT NULL,
  url              text NOT NULL,
  types            text NOT NULL,
  state            text COLLATE "C" NOT NULL CHECK (state IN ('active', 'disabled')),
  reason           text COLLATE "C" NOT NULL CHECK ((state = 'active') = (reason = '')),
  cursor           text NOT NULL,
  event_id         text COLLATE "C" NOT NULL,
  tries            integer NOT NULL CHECK (tries >= 0),
  refused          integer NOT NULL CHECK (refused >= 0),
  unanswered       integer NOT NULL CHECK (unanswered >= 0),
  tried_since      bigint,
  next_at          bigint NOT NULL,
  last_status      integer NOT NULL,
  last_failure     text COLLATE "C" NOT NULL,
  last_retry_after bigint NOT NULL,
  failing_since    bigint,
  version          bigint NOT NULL CHECK (version > 0),
  previous_until   bigint,
  created_at       bigint NOT NULL,
  updated_at       bigint NOT NULL,
  current_secret   bytea,
  previous_secret  bytea,
  worker           text COLLATE "C" NOT NULL DEFAULT '',
  until            bigint NOT NULL DEFAULT 0
) WITH (fillfactor = 50);

--bun:split

CREATE INDEX IF NOT EXISTS webhooks_agent ON webhooks (agent, id);

--bun:split

CREATE INDEX IF NOT EXISTS webhooks_active ON webhooks (id) WHERE state = 'active';

--bun:split

-- Events that could not be delivered to an endpoint, with what was sent. due marks those to be
-- sent again.
CREATE TABLE IF NOT EXISTS dead_letters (
  webhook          text COLLATE "C" NOT NULL,
  id               text COLLATE "C" NOT NULL,
  event_id         text COLLATE "C" NOT NULL,
  type             text COLLATE "C" NOT NULL,
  event_at         bigint NOT NULL,
  body             bytea,
  tries            integer NOT NULL CHECK (tries >= 0),
  last_status      integer NOT NULL,
  last_failure     text COLLATE "C" NOT NULL,
  last_retry_after bigint NOT NULL,
  at               bigint NOT NULL,
  due              boolean NOT NULL,
  PRIMARY KEY (webhook, id)
);

--bun:split

CREATE INDEX IF NOT EXISTS dead_letters_due ON dead_letters (webhook, id) WHERE due;

--bun:split

INSERT INTO guards (kind) VALUES ('webhooks') ON CONFLICT DO NOTHING;

--bun:split

GRANT SELECT, INSERT, UPDATE, DELETE ON webhooks, dead_letters TO casino_runtime;
