package main

import (
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/casino-service/casino/app/recovery"
)

// unknowable is what a recovery can't know.
var unknowable = []string{
	"bonuses and corrections that admins credited after the copy was made",
	"wins and bets at providers: casino provider reconcile compares their log",
}

// unkept is what a recovery can't know either where no restrictions are kept.
var unkept = []string{
	"admin roles that were revoked after the copy was made: casino role list",
	"exclusions, freezes and lower limits of players, asked for after the copy was made",
	"agents that were blocked, and credentials of agents that were rotated after the copy was made",
	"play and payouts that were paused after the copy was made",
}

// toCheck is what is left to a person.
func toCheck(r recovery.RecoveryReport) (all []string) {
	for _, f := range r.Restrictions.ByHand {
		all = append(all, f.What)
	}
	if r.Restrictions.Since.IsZero() {
		all = append(all, unkept...)
	}
	return append(all, unknowable...)
}

// printRestrictions prints what was forbidden since the copy was made, and what becomes of
// it.
func printRestrictions(out io.Writer, r recovery.RecoveryReport) {
	switch {
	case r.Roles.Forged:
		fmt.Fprintln(out, "WARNING the list of admins' roles is not the service's own: it allows nobody anything until it is repaired")
	case r.Roles.Older:
		fmt.Fprintf(out, "roles: the list of version %d is taken as it is, version %d is kept\n", r.Roles.Version, r.Roles.Kept)
	}
	kept := r.Restrictions
	if len(kept.Unread) > 0 {
		fmt.Fprintf(out, "WARNING what was forbidden could not be read from: %s\n", strings.Join(kept.Unread, ", "))
	}
	if kept.Spoiled > 0 {
		fmt.Fprintf(out, "WARNING %d lines of what was forbidden are torn or were not written by this service\n", kept.Spoiled)
	}
	if kept.Since.IsZero() {
		fmt.Fprintln(out, "WARNING nothing is kept of what was forbidden: see what is to be checked by hand")
	} else {
		fmt.Fprintf(out, "what was forbidden is kept since %s; a copy from before that may lack more\n", kept.Since.UTC().Format(time.RFC3339))
	}
	for _, f := range kept.Again {
		fmt.Fprintln(out, "forbidden again:", f.What)
	}
}

// restrictionsJSON is what --json prints of it.
type restrictionsJSON struct {
	Since   *time.Time `json:"since"` // null when nothing is kept
	Spoiled int        `json:"spoiled"`
	Unread  []string   `json:"unread"`
	Again   []string   `json:"again"`
}

func restrictionsJSONOf(r recovery.RecoveredRestrictions) restrictionsJSON {
	made := restrictionsJSON{Spoiled: r.Spoiled, Unread: append([]string{}, r.Unread...), Again: []string{}}
	if !r.Since.IsZero() {
		made.Since = &r.Since
	}
	for _, f := range r.Again {
		made.Again = append(made.Again, f.What)
	}
	return made
}
