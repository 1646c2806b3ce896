// Package load measures the product: the real binary, each part as a process of its own
// with its default settings, loaded from outside by `casino bench`, in turns with the
// same rows committed one bet a transaction or with pgbench, in one run on one machine;
// what lists cost when there is much to list, and what an audit takes of a long ledger.
//
// Nobody imports it; the targets of the Makefile that begin with bench run it. Its figures are for reading, no test passes or fails by them, but for answers that
// can't be true and for the audit afterwards.
package load
