package screening

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"

	"github.com/casino-service/casino/app"
	"github.com/casino-service/casino/domain/admission"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/ports"
)

// List finds on-chain addresses that are on a list in a file.
type List struct {
	name    string
	verdict admission.Verdict
	points  []admission.Point
	file    *watched[addresses]
}

var _ ports.Screener = (*List)(nil)

// listNameMax is the maximum length of a list's name in bytes.
const listNameMax = 30

// OpenList reads the list of a setting: its name, deny or review, its file, and the points that
// it is asked at, separated by blanks. Without points it is asked at all but Play.
func OpenList(setting string) (*List, error) {
	words := strings.Fields(setting)
	if len(words) < 3 {
		return nil, fmt.Errorf("%q is not a name, deny or review, and a file, separated by blanks", setting)
	}
	l := &List{
		name: words[0], verdict: admission.Verdict(words[1]),
		points: []admission.Point{admission.SignIn, admission.Deposit, admission.Withdrawal, admission.Payout},
	}
	if !validName(l.name) {
		return nil, fmt.Errorf("%q is not a name of at most %d letters, digits and dashes", l.name, listNameMax)
	}
	if l.verdict != admission.Deny && l.verdict != admission.Review {
		return nil, fmt.Errorf("%s: %q is neither deny nor review", l.name, words[1])
	}
	var err error
	if len(words) > 3 {
		if l.points, err = ParsePoints(words[3:]); err != nil {
			return nil, fmt.Errorf("%s: %w", l.name, err)
		}
	}
	if l.file, err = openFile(words[2], parseAddresses); err != nil {
		return nil, fmt.Errorf("%s: %w", l.name, err)
	}
	return l, nil
}

func validName(name string) bool {
	return len(name) <= listNameMax && !strings.ContainsFunc(name, func(r rune) bool {
		return (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (r < '0' || r > '9') && r != '-'
	})
}

// addresses is a set of on-chain addresses.
type addresses map[string]struct{}

// String describes the set for logs.
func (a addresses) String() string { return fmt.Sprintf("%d addresses", len(a)) }

func (a addresses) has(address string) bool {
	_, on := a[address]
	return on
}

// parseAddresses parses one address a line, # before a comment. It refuses a file without any
// line, such as one that a failed download left.
func parseAddresses(raw []byte) (addresses, error) {
	if len(bytes.TrimSpace(raw)) == 0 {
		return nil, errors.New("is empty: a list without addresses needs a comment, such as \"# none\"")
	}
	all, number := addresses{}, 0
	for line := range strings.Lines(string(raw)) {
		number++
		text, _, _ := strings.Cut(line, "#")
		if text = strings.TrimSpace(text); text == "" {
			continue
		}
		if _, err := money.ParseToken(text); err != nil { // same format: base58 of 32 bytes
			return nil, fmt.Errorf("line %d is not an address, base58 of 32 bytes: %.60q", number, text)
		}
		all[text] = struct{}{}
	}
	return all, nil
}

// Name implements ports.Screener.
func (l *List) Name() string { return "list-" + l.name }

// Screens implements ports.Screener.
func (l *List) Screens(at admission.Point) bool { return slices.Contains(l.points, at) }

// Screen implements ports.Screener.
func (l *List) Screen(_ context.Context, s admission.Subject) (admission.Finding, error) {
	if on := l.file.get(); on.has(s.Address) || on.has(string(s.Wallet)) {
		return admission.Finding{Screener: l.Name(), Verdict: l.verdict, Evidence: "list " + l.name}, nil
	}
	return admission.Finding{Screener: l.Name(), Verdict: admission.Allow, Evidence: "not on list " + l.name}, nil
}

// Files returns the contents in force, for the audit log.
func (l *List) Files() []ports.ScreenerFile { return []ports.ScreenerFile{l.file.file(l.Name())} }

// Workers returns the worker that reads the list again after it was replaced.
func (l *List) Workers(log *slog.Logger) []app.Worker { return []app.Worker{l.file.worker(log)} }
