package main

import (
	"fmt"
	"io"

	"github.com/casino-service/casino/app"
)

// printRestrictions prints what was forbidden since the copy was made, and what becomes of
// it.
func printRestrictions(out io.Writer, r app.RecoveryReport) {
	switch {
	case r.Roles.Forged:
		fmt.Fprintln(out, "WARNING the list of admins' roles is not the service's own: it allows nobody anything until it is repaired")
	case r.Roles.Older:
		fmt.Fprintf(out, "roles: the list of version %d is taken as it is, version %d is kept\n", r.Roles.Version, r.Roles.Kept)
	}
}
