// Package chaos breaks the service and checks the result: processes killed under load, with and
// without their database; several instances on one database; bytes changed in it; floods of
// unauthenticated requests; the binary alone in an empty root; a Redis that is down, silent,
// slow, wrong or emptied while players sign in. No package imports it.
//
// `go test ./test/chaos` runs a short form, `make chaos` the whole one. CASINO_TEST_KILLS is how
// often `casino dev` is killed, CASINO_TEST_SERVE_KILLS how often `casino serve`,
// CASINO_TEST_POSTGRES_KILLS how often its database, CASINO_TEST_LOG_KILLS how often while a
// witness cosigns CASINO_TEST_LOG_BLOCKS blocks of the public log (`make log`), CASINO_TEST_REDIS_FAULTS how often Redis is
// broken in each way; CASINO_TEST_ROUND_KILLS how often the service is killed on each database
// while rounds are played step by step (`make kills-rounds`), CASINO_TEST_HEARD_KILLS and
// CASINO_TEST_HEARD_POSTGRES_KILLS how often two instances and their database are killed while
// clients follow events (`make heard`), CASINO_TEST_HOOK_KILLS and
// CASINO_TEST_HOOK_POSTGRES_KILLS the same with agents' servers that receive events (`make
// webhooks`), CASINO_TEST_FAILOVERS how often the standby takes over (`make failovers`),
// CASINO_TEST_CITUS_KILLS how often each part of a Citus cluster is killed (`make citus`),
// CASINO_TEST_STARVE how many seconds each flood lasts (`make starve`), from
// CASINO_TEST_STARVE_ADDRESSES addresses in floods from many, and CASINO_TEST_CALM for how many
// seconds failures without a loss happen (`make calm`).
package chaos
