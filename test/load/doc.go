// Package load measures: bets per second over HTTP beside the same rows
// committed one bet a transaction, in one run on one machine.
//
// Nobody imports it; `make bench` runs it. Its figures are for reading, no test
// passes or fails by them.
package load
