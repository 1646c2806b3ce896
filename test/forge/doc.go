// Package forge changes the rows of a database behind the service's back, as whoever got
// hold of its own role and as a superuser, and looks who notices: what moves money is
// refused before it moves any, and the rest is named by the audit. docs/attacks.md is the
// table.
package forge
