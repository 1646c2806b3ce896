// Package capture records rounds of a running casino as a player sees them, and proves from
// the record alone, without the service, that they were fair.
//
// Run plays and writes a capture, JSON lines in the order in which things were answered.
// Check reads one. `casino fairness capture` and `casino fairness check` are these two, and
// docs/fairness/capture.md says what each check shows and what it can't. Only commands
// should import the package.
package capture
