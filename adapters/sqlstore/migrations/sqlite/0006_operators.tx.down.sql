DROP TABLE IF EXISTS provider_routes;

--bun:split

DROP TABLE IF EXISTS agent_funds;
