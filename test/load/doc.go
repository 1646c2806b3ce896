// Package load measures: bets per second over HTTP beside the same rows
// committed one bet a transaction, or beside pgbench, in one run on one machine,
// and what lists cost when there is much to list.
//
// Nobody imports it; `make bench`, `make bench-postgres` and `make bench-lists` run
// it. Its figures are for reading, no test passes or fails by them.
package load
