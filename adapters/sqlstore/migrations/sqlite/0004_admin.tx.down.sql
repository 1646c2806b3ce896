DROP TABLE IF EXISTS yeses;
--bun:split
DROP TABLE IF EXISTS approval_requests;
