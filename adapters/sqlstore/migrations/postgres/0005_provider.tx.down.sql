DROP TABLE IF EXISTS provider_transactions;

--bun:split

DROP VIEW IF EXISTS readable_provider_rounds;

--bun:split

DROP TABLE IF EXISTS provider_rounds;

--bun:split

DROP TABLE IF EXISTS lane_provider_bets;

--bun:split

DROP TABLE IF EXISTS provider_hours;

--bun:split

DROP TABLE IF EXISTS provider_launches;

--bun:split

DELETE FROM guards WHERE kind = 'reconciliation';

--bun:split

DROP TABLE IF EXISTS provider_reconciled;
