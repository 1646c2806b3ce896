package player

import (
	"errors"
	"slices"

	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/wallet"
)

// NeedsTries limits how often one item's decision may ask for more data.
const NeedsTries = 8

// errNeedsMore is the caller's error if a decision still asks for more after NeedsTries.
var errNeedsMore = fault.New(fault.InvalidState, "the decision asked for more than its item declared")

type missingNeeds struct{ more Needs }

func (m *missingNeeds) Error() string { return errNeedsMore.Error() }
func (m *missingNeeds) Unwrap() error { return errNeedsMore }

// Missing returns the error by which a decision asks for more than its item declared.
// The writer reads the missing data and runs the decision again; use cases never get the
// error.
func Missing(more Needs) error { return &missingNeeds{more} }

// MissingNeeds returns the needs in an error that Missing made.
func MissingNeeds(err error) (more Needs, missing bool) {
	var m *missingNeeds
	if !errors.As(err, &m) {
		return Needs{}, false
	}
	return m.more, true
}

// With returns the union of two needs. Of shared things only Funds and Hours are added.
func (n Needs) With(more Needs) Needs {
	all := Needs{Exposure: n.Exposure, Game: n.Game, Votes: n.Votes, Payouts: n.Payouts}
	all.Join(&n)
	all.Join(&more)
	all.Funds, all.Hours = appendMissing(slices.Clone(n.Funds), more.Funds), appendMissing(slices.Clone(n.Hours), more.Hours)
	return all
}

// sawRoles asks for the roles of wallets that the item didn't need.
func (v *View) sawRoles(of ...wallet.Address) error {
	if v.Asked == nil {
		return nil
	}
	unseen := slices.DeleteFunc(of, func(w wallet.Address) bool { return slices.Contains(v.Asked.Roles, w) })
	if len(unseen) == 0 {
		return nil
	}
	return Missing(Needs{Roles: unseen})
}

// sawBalance asks for the balance of a token that the item didn't need.
func (v *View) sawBalance(token money.Token) error {
	if v.Asked == nil || slices.Contains(v.Asked.Tokens, token) {
		return nil
	}
	return Missing(Needs{Tokens: []money.Token{token}})
}
