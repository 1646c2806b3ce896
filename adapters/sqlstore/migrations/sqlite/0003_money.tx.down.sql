DROP TABLE IF EXISTS wallet_proofs;

--bun:split

DROP TABLE IF EXISTS token_fees;

--bun:split

DROP TABLE IF EXISTS withdrawal_fees;

--bun:split

DROP INDEX IF EXISTS transactions_signature;

--bun:split

DROP TABLE IF EXISTS treasury_sweeps;

--bun:split

DROP TABLE IF EXISTS treasury_movements;

--bun:split

DROP TABLE IF EXISTS treasury_index;

--bun:split

DROP TABLE IF EXISTS parked_deposits;

--bun:split

DROP TABLE IF EXISTS watch_cursors;

--bun:split

DELETE FROM guards WHERE kind IN ('payouts', 'deposits', 'proofs', 'seals');

--bun:split

DROP INDEX IF EXISTS payout_attempts_recent;

--bun:split

DROP TABLE IF EXISTS payout_pause;

--bun:split

DROP TABLE IF EXISTS payout_leases;
