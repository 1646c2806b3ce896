// Package capture records rounds of a running casino as a player sees them, and checks
// their fairness from the record alone, without the service.
//
// Run plays and writes a capture: JSON lines in the order of the answers. Check reads one.
// The commands `casino fairness capture` and `casino fairness check` use them;
// docs/fairness/capture.md describes what each check shows and what it can't show. Only
// commands should import the package.
package capture
