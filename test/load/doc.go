// Package load measures the product: the real binary, each part as a separate process with
// default settings, loaded from outside by `casino bench`. It runs in turns with a yardstick, the
// same rows committed one bet per transaction or pgbench, in one run on one machine. It also
// measures lists of large databases, and audits of long ledgers.
//
// The targets of the Makefile that begin with bench run it. Its figures are for reading: it only
// fails for impossible answers and for the audit afterwards. No package imports it.
package load
