DROP INDEX IF EXISTS provider_transactions_wallet_token;

--bun:split

DROP INDEX IF EXISTS ledger_events_balance;

--bun:split

DROP INDEX IF EXISTS blocks_at;

--bun:split

DROP INDEX IF EXISTS ledger_events_solvency;

--bun:split

DELETE FROM guards WHERE kind = 'solvency';

--bun:split

DROP TABLE IF EXISTS solvency_chunks;

--bun:split

DROP TABLE IF EXISTS solvency_trees;

--bun:split

DROP TABLE IF EXISTS solvency_snapshots;
