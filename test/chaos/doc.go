// Package chaos breaks the service and checks what is left: processes killed
// under load, with their database and without; several instances on one
// database; bytes changed in it; floods of what strangers can send; the binary
// alone in an empty root; a Redis that is down, silent, slow, wrong or emptied
// while players sign in.
//
// Nobody imports it. `go test ./test/chaos` runs a short form, `make chaos` the
// whole one: CASINO_TEST_KILLS says how often `casino dev` is killed,
// CASINO_TEST_SERVE_KILLS how often `casino serve`, CASINO_TEST_POSTGRES_KILLS how
// often its database, CASINO_TEST_REDIS_FAULTS how often Redis is broken in each
// way; CASINO_TEST_ROUND_KILLS how often the service is killed on each database while
// rounds are played step by step (`make kills-rounds`), CASINO_TEST_HEARD_KILLS and
// CASINO_TEST_HEARD_POSTGRES_KILLS how often two instances and their database are killed while
// they are listened to (`make heard`), CASINO_TEST_HOOK_KILLS and CASINO_TEST_HOOK_POSTGRES_KILLS
// the same under agents' own servers that events are sent to (`make webhooks`),
// CASINO_TEST_FAILOVERS how often the standby takes over (`make failovers`),
// CASINO_TEST_STARVE for how many seconds each flood lasts (`make starve`), from
// CASINO_TEST_STARVE_ADDRESSES addresses where there are many, and
// CASINO_TEST_CALM for how many seconds anything happens but a loss (`make calm`).
package chaos
