// Package bench loads a casino from outside: clients send requests over HTTP, check each
// answer, and measure.
//
// `casino bench` runs it. It uses only the public API, needs little processor time (clients
// write their requests themselves and read answers without reflection), and sends only the
// requests of a Plan. The caller makes and funds the players.
package bench
