// Package forge changes the rows of a database outside the service, as an attacker with the
// service's own role and as a superuser, and checks the detection: everything that moves money is
// refused before money moves, and the audit names the rest. docs/attacks.md has the table.
package forge
