// Package services finds or starts the servers that tests need: one database per test on a shared
// server, separate clusters for tests that kill them, and the casino itself as `casino dev`.
//
// Tests import it. A server named in the environment (CASINO_TEST_POSTGRES_URL or
// CASINO_TEST_REDIS_URL) is used as it is. Otherwise the first test that needs one starts a
// private server on a free loopback port, which always ends with the test process. The shared
// private PostgreSQL server keeps its files in memory if there is room. If a program is missing,
// the test fails and names the command that installs it; under -short such tests are skipped,
// because `make check` needs no service.
package services
