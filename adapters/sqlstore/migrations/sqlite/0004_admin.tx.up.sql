-- Requests that two admins decide. wallet and agent are the player it is about and the player's
-- agent, empty if it is about no player.
CREATE TABLE IF NOT EXISTS approval_requests (
  id         TEXT    NOT NULL PRIMARY KEY,
  kind       TEXT    NOT NULL,
  wallet     TEXT    NOT NULL,
  agent      TEXT    NOT NULL,
  token      TEXT    NOT NULL,
  amount     INTEGER NOT NULL,
  reference  TEXT    NOT NULL,
  reason     TEXT    NOT NULL,
  asked_by   TEXT    NOT NULL,
  status     TEXT    NOT NULL CHECK (status IN ('open', 'approved', 'refused')),
  created_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  decided_by TEXT    NOT NULL CHECK ((status = 'open') = (decided_by = '')),
  decided_at INTEGER CHECK ((status = 'open') = (decided_at IS NULL)),
  CHECK (status <> 'approved' OR decided_by <> asked_by)
) STRICT;

--bun:split

CREATE INDEX IF NOT EXISTS approval_requests_open ON approval_requests (id) WHERE status = 'open';

--bun:split

CREATE TRIGGER IF NOT EXISTS approval_requests_fixed BEFORE UPDATE ON approval_requests
WHEN OLD.status <> 'open' OR NEW.id <> OLD.id OR NEW.kind <> OLD.kind OR NEW.wallet <> OLD.wallet OR NEW.agent <> OLD.agent
  OR NEW.token <> OLD.token OR NEW.amount <> OLD.amount OR NEW.reference <> OLD.reference OR NEW.reason <> OLD.reason
  OR NEW.asked_by <> OLD.asked_by OR NEW.created_at <> OLD.created_at OR NEW.expires_at <> OLD.expires_at
BEGIN SELECT RAISE(ABORT, 'a request is decided once and otherwise fixed'); END;

--bun:split

CREATE TRIGGER IF NOT EXISTS approval_requests_kept BEFORE DELETE ON approval_requests
BEGIN SELECT RAISE(ABORT, 'requests are kept'); END;

--bun:split

-- Every vote of an admin that let money move: an approval of a withdrawal or a part in a credit.
-- subject is the withdrawal's, adjustment's or deposit's id; destination is a withdrawal's;
-- granted_by and granted_at are the origin of the admin's role, empty and null for a founding
-- admin; passes says that this vote released the amount; after is the time of the newest vote
-- before it on the same subject, after_own that of the admin's own.
CREATE TABLE IF NOT EXISTS votes (
  subject     TEXT    NOT NULL,
  by_wallet   TEXT    NOT NULL,
  at          INTEGER NOT NULL,
  credit      INTEGER NOT NULL CHECK (credit IN (0, 1)),
  wallet      BLOB    NOT NULL CHECK (length(wallet) = 16),
  destination TEXT    NOT NULL,
  token       TEXT    NOT NULL,
  amount      INTEGER NOT NULL CHECK (amount > 0),
  granted_by  TEXT    NOT NULL,
  granted_at  INTEGER,
  after       INTEGER,
  after_own   INTEGER,
  passes      INTEGER NOT NULL CHECK (passes IN (0, 1)),
  PRIMARY KEY (subject, by_wallet, at)
) STRICT, WITHOUT ROWID;

--bun:split

-- The sums of votes, in intervals of ten minutes, each subject in the interval of its newest
-- vote: for a player (name is the wallet, or empty for no player), to a destination, by an admin,
-- and in total what was released.
CREATE TABLE IF NOT EXISTS vote_sums (
  sort   TEXT    NOT NULL CHECK (sort IN ('player', 'destination', 'admin', 'all')),
  name   TEXT    NOT NULL,
  token  TEXT    NOT NULL,
  credit INTEGER NOT NULL CHECK (credit IN (0, 1)),
  slot   INTEGER NOT NULL,
  hi     INTEGER NOT NULL,
  lo     INTEGER NOT NULL,
  PRIMARY KEY (sort, name, token, credit, slot)
) STRICT, WITHOUT ROWID;

--bun:split

-- The admins who voted for credits to a player, by the origin of their role (granted_at is 0 for
-- a founding admin), and when last.
CREATE TABLE IF NOT EXISTS creditors (
  wallet     BLOB    NOT NULL CHECK (length(wallet) = 16),
  by_wallet  TEXT    NOT NULL,
  granted_by TEXT    NOT NULL,
  granted_at INTEGER NOT NULL,
  at         INTEGER NOT NULL,
  PRIMARY KEY (wallet, by_wallet, granted_by, granted_at)
) STRICT, WITHOUT ROWID;

--bun:split

CREATE TRIGGER IF NOT EXISTS votes_update BEFORE UPDATE ON votes
BEGIN SELECT RAISE(ABORT, 'votes are append-only'); END;

--bun:split

CREATE TRIGGER IF NOT EXISTS votes_delete BEFORE DELETE ON votes
BEGIN SELECT RAISE(ABORT, 'votes are append-only'); END;

--bun:split

-- The total of released amounts never falls. The other sums fall when a subject moves to a later
-- interval.
CREATE TRIGGER IF NOT EXISTS vote_sums_rise BEFORE UPDATE ON vote_sums
WHEN OLD.sort = 'all' AND (NEW.hi, NEW.lo) < (OLD.hi, OLD.lo)
BEGIN SELECT RAISE(ABORT, 'the sum of released amounts never falls'); END;

--bun:split

CREATE TRIGGER IF NOT EXISTS creditors_kept BEFORE UPDATE ON creditors
WHEN NEW.at < OLD.at
BEGIN SELECT RAISE(ABORT, 'creditors are kept'); END;

--bun:split

INSERT INTO guards (kind) VALUES ('votes') ON CONFLICT DO NOTHING;

--bun:split

-- The number of players, by agent. A lane may be negative: a player who moves to another agent is
-- counted in the lane of that commit.
CREATE TABLE IF NOT EXISTS lane_players (
  lane    INTEGER NOT NULL,
  agent   TEXT    NOT NULL,
  players INTEGER NOT NULL,
  PRIMARY KEY (lane, agent)
) STRICT, WITHOUT ROWID;

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
  one          INTEGER NOT NULL PRIMARY KEY CHECK (one = 1),
  title        TEXT    NOT NULL,
  logo_url     TEXT    NOT NULL,
  accent_color TEXT    NOT NULL
) STRICT;

--bun:split

INSERT INTO guards (kind) VALUES ('branding') ON CONFLICT DO NOTHING;

--bun:split

-- The restrictions of a player's play, as JSON; a player without any has no row, or an empty
-- state.
CREATE TABLE IF NOT EXISTS player_protection (
  wallet BLOB NOT NULL PRIMARY KEY CHECK (length(wallet) = 16),
  state  TEXT NOT NULL
) STRICT, WITHOUT ROWID;

--bun:split

-- Agents. rtp and share are hundredths of a percent; allowlist is a list of networks separated by
-- blanks; token_hash is the SHA-256 of the agent's token, sealed its encrypted secret, both empty
-- before the first credentials.
CREATE TABLE IF NOT EXISTS agents (
  code          TEXT    NOT NULL PRIMARY KEY,
  id            TEXT    NOT NULL UNIQUE,
  name          TEXT    NOT NULL,
  status        TEXT    NOT NULL CHECK (status IN ('active', 'blocked')),
  rtp           INTEGER NOT NULL CHECK (rtp BETWEEN 0 AND 10000),
  share         INTEGER NOT NULL CHECK (share BETWEEN 0 AND 10000),
  site_endpoint TEXT    NOT NULL,
  allowlist     TEXT    NOT NULL,
  memo          TEXT    NOT NULL,
  deleted       INTEGER NOT NULL CHECK (deleted IN (0, 1)),
  token_hash    TEXT    NOT NULL DEFAULT '',
  sealed        BLOB,
  created_at    INTEGER NOT NULL,
  updated_at    INTEGER NOT NULL,
  CHECK (code <> 'house' OR status = 'active' AND deleted = 0)
) STRICT;

--bun:split

INSERT INTO agents (code, id, name, status, rtp, share, site_endpoint, allowlist, memo, deleted, created_at, updated_at)
VALUES ('house', 'house', 'House', 'active', 9500, 0, '', '', '', 0, 0, 0) ON CONFLICT DO NOTHING;

--bun:split

CREATE TRIGGER IF NOT EXISTS agents_fixed BEFORE UPDATE ON agents
WHEN NEW.code <> OLD.code OR NEW.id <> OLD.id OR NEW.created_at <> OLD.created_at OR OLD.deleted > NEW.deleted
BEGIN SELECT RAISE(ABORT, 'an agent''s code and id are fixed, and a deleted one stays deleted'); END;

--bun:split

CREATE TRIGGER IF NOT EXISTS agents_kept BEFORE DELETE ON agents
BEGIN SELECT RAISE(ABORT, 'agents are kept'); END;

--bun:split

CREATE TABLE IF NOT EXISTS provider_games (
  code       TEXT    NOT NULL PRIMARY KEY,
  provider   TEXT    NOT NULL,
  name       TEXT    NOT NULL,
  type       TEXT    NOT NULL,
  banner     TEXT    NOT NULL,
  enabled    INTEGER NOT NULL CHECK (enabled IN (0, 1)),
  updated_at INTEGER NOT NULL,
  vanished   INTEGER NOT NULL CHECK (vanished IN (0, 1))
) STRICT;

--bun:split

INSERT INTO guards (kind) VALUES ('agents'), ('games') ON CONFLICT DO NOTHING;
