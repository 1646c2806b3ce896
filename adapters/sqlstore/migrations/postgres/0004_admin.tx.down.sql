DROP TABLE IF EXISTS provider_games;

--bun:split

DROP TABLE IF EXISTS agents;

--bun:split

DROP TABLE IF EXISTS player_protection;

--bun:split

DROP TABLE IF EXISTS branding;

--bun:split

DROP INDEX IF EXISTS audit_action;

--bun:split

DROP INDEX IF EXISTS audit_target;

--bun:split

DROP INDEX IF EXISTS audit_actor;

--bun:split

DROP INDEX IF EXISTS transactions_holding;

--bun:split

DROP INDEX IF EXISTS players_agent;

--bun:split

DROP TABLE IF EXISTS lane_players;

--bun:split

DROP TABLE IF EXISTS creditors;

--bun:split

DROP TABLE IF EXISTS vote_sums;

--bun:split

DROP TABLE IF EXISTS votes;

--bun:split

DROP TABLE IF EXISTS approval_requests;
