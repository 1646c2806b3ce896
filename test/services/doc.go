// Package services finds or starts the servers that tests need: a database for
// each test on one server, clusters of its own for tests that kill them, and the
// casino itself as `casino dev`.
//
// Tests import it. A server named in the environment (CASINO_TEST_POSTGRES_URL
// or CASINO_TEST_REDIS_URL) is used as it is; otherwise the first test that asks
// starts a private one on a free loopback port, which ends with the test process,
// however that ends. The private PostgreSQL server that tests share keeps its files in
// memory where there is room. A program that is missing fails the test with the command
// that installs it; under -short such tests are left out, since
// `make check` needs no service.
package services
