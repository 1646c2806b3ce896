DROP TABLE IF EXISTS provider_deliveries;

--bun:split

DROP TABLE IF EXISTS agent_funds;
