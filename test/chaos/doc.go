// Package chaos breaks the service and looks at what is left: processes killed
// under load, bytes changed in the database, a Redis that is away, silent, slow,
// wrong or emptied while players sign in.
//
// Nobody imports it. `go test ./test/chaos` runs a short form, `make chaos` the
// whole one: CASINO_TEST_KILLS says how often the service is killed,
// CASINO_TEST_REDIS_FAULTS how often Redis is broken in each way.
package chaos
