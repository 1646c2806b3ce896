-- Requests that two admins decide. wallet and agent are the player it is about and the player's
-- agent, empty if it is about no player.
CREATE TABLE IF NOT EXISTS approval_requests (
  id         text COLLATE "C" NOT NULL PRIMARY KEY,
  kind       text COLLATE "C" NOT NULL,
  wallet     text COLLATE "C" NOT NULL,
  agent      text COLLATE "C" NOT NULL,
  token      text COLLATE "C" NOT NULL,
  amount     bigint NOT NULL,
  reference  text COLLATE "C" NOT NULL,
  reason     text NOT NULL,
  asked_by   text COLLATE "C" NOT NULL,
  status     text COLLATE "C" NOT NULL CHECK (status IN ('open', 'approved', 'refused')),
  created_at bigint NOT NULL,
  expires_at bigint NOT NULL,
  decided_by text COLLATE "C" NOT NULL CHECK ((status = 'open') = (decided_by = '')),
  decided_at bigint CHECK ((status = 'open') = (decided_at IS NULL)),
  CHECK (status <> 'approved' OR decided_by <> asked_by)
);

--bun:split

CREATE INDEX IF NOT EXISTS approval_requests_open ON approval_requests (id) WHERE status = 'open';

--bun:split

CREATE OR REPLACE TRIGGER approval_requests_fixed BEFORE UPDATE ON approval_requests FOR EACH ROW
WHEN (OLD.status <> 'open' OR NEW.id <> OLD.id OR NEW.kind <> OLD.kind OR NEW.wallet <> OLD.wallet OR NEW.agent <> OLD.agent
  OR NEW.token <> OLD.token OR NEW.amount <> OLD.amount OR NEW.reference <> OLD.reference OR NEW.reason <> OLD.reason
  OR NEW.asked_by <> OLD.asked_by OR NEW.created_at <> OLD.created_at OR NEW.expires_at <> OLD.expires_at)
EXECUTE FUNCTION refuse('a request is decided once and otherwise fixed');

--bun:split

CREATE OR REPLACE TRIGGER approval_requests_kept BEFORE DELETE ON approval_requests FOR EACH ROW
EXECUTE FUNCTION refuse('requests are kept');

--bun:split

CREATE OR REPLACE TRIGGER approval_requests_truncate BEFORE TRUNCATE ON approval_requests
EXECUTE FUNCTION refuse('requests are kept');

--bun:split

-- Every vote of an admin that let money move: an approval of a withdrawal or a part in a credit.
-- subject is the withdrawal's, adjustment's or deposit's id; destination is a withdrawal's;
-- granted_by and granted_at are the origin of the admin's role, empty and null for a founding
-- admin; passes says that this vote released the amount; after is the time of the newest vote
-- before it on the same subject, after_own that of the admin's own.
CREATE TABLE IF NOT EXISTS votes (
  subject     text COLLATE "C" NOT NULL,
  by_wallet   text COLLATE "C" NOT NULL,
  at          bigint NOT NULL,
  credit      boolean NOT NULL,
  wallet      uuid NOT NULL,
  destination text COLLATE "C" NOT NULL,
  token       text COLLATE "C" NOT NULL,
  amount      bigint NOT NULL CHECK (amount > 0),
  granted_by  text COLLATE "C" NOT NULL,
  granted_at  bigint,
  after       bigint,
  after_own   bigint,
  passes      boolean NOT NULL,
  PRIMARY KEY (subject, by_wallet, at, wallet)
);

--bun:split

-- The sums of votes, in intervals of ten minutes, each subject in the interval of its newest
-- vote: for a player (name is the wallet, or empty for no player), to a destination, by an admin,
-- and in total what was released.
CREATE TABLE IF NOT EXISTS vote_sums (
  sort   text COLLATE "C" NOT NULL CHECK (sort IN ('player', 'destination', 'admin', 'all')),
  name   text COLLATE "C" NOT NULL,
  token  text COLLATE "C" NOT NULL,
  credit boolean NOT NULL,
  slot   bigint NOT NULL,
  hi     bigint NOT NULL,
  lo     bigint NOT NULL,
  PRIMARY KEY (sort, name, token, credit, slot)
) WITH (fillfactor = 50);

--bun:split

-- The admins who voted for credits to a player, by the origin of their role (granted_at is 0 for
-- a founding admin), and when last.
CREATE TABLE IF NOT EXISTS creditors (
  wallet     uuid NOT NULL,
  by_wallet  text COLLATE "C" NOT NULL,
  granted_by text COLLATE "C" NOT NULL,
  granted_at bigint NOT NULL,
  at         bigint NOT NULL,
  PRIMARY KEY (wallet, by_wallet, granted_by, granted_at)
) WITH (fillfactor = 50);

--bun:split

CREATE OR REPLACE TRIGGER votes_kept BEFORE UPDATE OR DELETE ON votes FOR EACH ROW
EXECUTE FUNCTION refuse('votes are append-only');

--bun:split

CREATE OR REPLACE TRIGGER votes_truncate BEFORE TRUNCATE ON votes
EXECUTE FUNCTION refuse('votes are append-only');

--bun:split

-- The total of released amounts never falls. The other sums fall when a subject moves to a later
-- interval.
CREATE OR REPLACE TRIGGER vote_sums_rise BEFORE UPDATE ON vote_sums FOR EACH ROW
WHEN (OLD.sort = 'all' AND (NEW.hi, NEW.lo) < (OLD.hi, OLD.lo))
EXECUTE FUNCTION refuse('the sum of released amounts never falls');

--bun:split

CREATE OR REPLACE TRIGGER creditors_kept BEFORE UPDATE ON creditors FOR EACH ROW
WHEN (NEW.at < OLD.at)
EXECUTE FUNCTION refuse('creditors are kept');

--bun:split

-- The number of players, by agent. A lane may be negative: a player who moves to another agent is
-- counted in the lane of that commit.
CREATE TABLE IF NOT EXISTS lane_players (
  lane    smallint NOT NULL,
  agent   text COLLATE "C" NOT NULL,
  players bigint NOT NULL,
  PRIMARY KEY (lane, agent)
) WITH (fillfactor = 50);

--bun:split

CREATE INDEX IF NOT EXISTS players_agent ON players (agent, wallet) WHERE created_at IS NOT NULL;

--bun:split

-- Withdrawals that hold money, to be counted by agent and status.
CREATE INDEX IF NOT EXISTS transactions_holding ON transactions (agent, status)
WHERE type = 'withdrawal' AND status IN ('pending', 'approved', 'sending', 'failed');

--bun:split

CREATE INDEX IF NOT EXISTS audit_actor ON audit (actor, id);

--bun:split

CREATE INDEX IF NOT EXISTS audit_target ON audit (target, id);

--bun:split

CREATE INDEX IF NOT EXISTS audit_action ON audit (action, id);

--bun:split

-- The one row of the branding, missing until it is first changed.
CREATE TABLE IF NOT EXISTS branding (
  one          integer NOT NULL PRIMARY KEY CHECK (one = 1),
  title        text NOT NULL,
  logo_url     text NOT NULL,
  accent_color text NOT NULL
);

--bun:split

INSERT INTO guards (kind) VALUES ('votes'), ('branding') ON CONFLICT DO NOTHING;

--bun:split

GRANT SELECT, INSERT ON votes TO casino_runtime;

--bun:split

GRANT SELECT, INSERT, UPDATE ON approval_requests, lane_players, branding TO casino_runtime;

--bun:split

GRANT SELECT, INSERT, UPDATE (hi, lo) ON vote_sums TO casino_runtime;

--bun:split

GRANT SELECT, INSERT, UPDATE (at) ON creditors TO casino_runtime;

--bun:split

-- The restrictions of a player's play, as JSON; a player without any has no row, or an empty
-- state.
CREATE TABLE IF NOT EXISTS player_protection (
  wallet uuid NOT NULL PRIMARY KEY REFERENCES players,
  state text NOT NULL
);

--bun:split

-- Agents. rtp and share are hundredths of a percent; allowlist is a list of networks separated by
-- blanks; token_hash is the SHA-256 of the agent's token, sealed its encrypted secret, both empty
-- before the first credentials.
CREATE TABLE IF NOT EXISTS agents (
  code          text COLLATE "C" NOT NULL PRIMARY KEY,
  id            text COLLATE "C" NOT NULL UNIQUE,
  name text NOT NULL,
  status        text COLLATE "C" NOT NULL CHECK (status IN ('active', 'blocked')),
  rtp           bigint NOT NULL CHECK (rtp BETWEEN 0 AND 10000),
  share         bigint NOT NULL CHECK (share BETWEEN 0 AND 10000),
  site_endpoint text COLLATE "C" NOT NULL,
  allowlist     text COLLATE "C" NOT NULL,
  memo text NOT NULL,
  deleted       boolean NOT NULL,
  token_hash    text COLLATE "C" NOT NULL DEFAULT '',
  sealed        bytea,
  created_at    bigint NOT NULL,
  updated_at    bigint NOT NULL,
  CHECK (code <> 'house' OR status = 'active' AND NOT deleted)
);

--bun:split

INSERT INTO agents (code, id, name, status, rtp, share, site_endpoint, allowlist, memo, deleted, created_at, updated_at)
VALUES ('house', 'house', 'House', 'active', 9500, 0, '', '', '', false, 0, 0) ON CONFLICT DO NOTHING;

--bun:split

-- The few agents that batches read.
CREATE INDEX IF NOT EXISTS agents_blocked ON agents (code) WHERE status <> 'active' OR deleted;

--bun:split

CREATE OR REPLACE TRIGGER agents_fixed BEFORE UPDATE ON agents FOR EACH ROW
WHEN (NEW.code <> OLD.code OR NEW.id <> OLD.id OR NEW.created_at <> OLD.created_at OR OLD.deleted AND NOT NEW.deleted)
EXECUTE FUNCTION refuse('an agent''s code and id are fixed, and a deleted one stays deleted');

--bun:split

CREATE OR REPLACE TRIGGER agents_kept BEFORE DELETE ON agents FOR EACH ROW
EXECUTE FUNCTION refuse('agents are kept');

--bun:split

CREATE OR REPLACE TRIGGER agents_truncate BEFORE TRUNCATE ON agents
EXECUTE FUNCTION refuse('agents are kept');

--bun:split

CREATE TABLE IF NOT EXISTS provider_games (
  code       text COLLATE "C" NOT NULL PRIMARY KEY,
  provider   text COLLATE "C" NOT NULL,
  name text NOT NULL,
  type       text COLLATE "C" NOT NULL,
  banner     text COLLATE "C" NOT NULL,
  enabled    boolean NOT NULL,
  updated_at bigint NOT NULL,
  vanished   boolean NOT NULL
);

--bun:split

INSERT INTO guards (kind) VALUES ('agents'), ('games') ON CONFLICT DO NOTHING;

--bun:split

GRANT SELECT, INSERT, UPDATE ON player_protection, agents, provider_games TO casino_runtime;
