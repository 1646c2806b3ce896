DELETE FROM guards WHERE kind IN ('payouts', 'deposits');

--bun:split

DROP INDEX IF EXISTS payout_attempts_recent;

--bun:split

DROP TABLE IF EXISTS payout_pause;

--bun:split

DROP TABLE IF EXISTS payout_leases;
