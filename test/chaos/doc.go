// Package chaos breaks the real binary and looks at what is left: processes
// killed under load, bytes changed in the database.
//
// Nobody imports it. `go test ./test/chaos` runs it; CASINO_TEST_KILLS says how
// often the service is killed.
package chaos
