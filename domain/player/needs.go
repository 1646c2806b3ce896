package player

import (
	"errors"
	"slices"

	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/wallet"
)

// NeedsTries bounds how often one item's decision may ask for more.
const NeedsTries = 8

// errNeedsMore is what a caller sees of a decision that never had enough.
var errNeedsMore = fault.New(fault.InvalidState, "the decision asked for more than its item declared")

type missingNeeds struct{ more Needs }

func (m *missingNeeds) Error() string { return errNeedsMore.Error() }
func (m *missingNeeds) Unwrap() error { return errNeedsMore }

// Missing returns the error by which a decision asks for more than its item declared. The
// writer reads that too and decides again; no use case sees the error.
func Missing(more Needs) error { return &missingNeeds{more} }

// MissingNeeds returns what a decision that returned Missing asks for.
func MissingNeeds(err error) (more Needs, missing bool) {
	var m *missingNeeds
	if !errors.As(err, &m) {
		return Needs{}, false
	}
	return m.more, true
}

// With returns the needs and more: what wallets share is added for Funds and Hours alone.
func (n Needs) With(more Needs) Needs {
	all := Needs{Exposure: n.Exposure, Game: n.Game, Votes: n.Votes, Payouts: n.Payouts}
	all.Join(&n)
	all.Join(&more)
	all.Funds, all.Hours = appendMissing(slices.Clone(n.Funds), more.Funds), appendMissing(slices.Clone(n.Hours), more.Hours)
	return all
}

// sawRoles asks for those of the wallets whose roles weren't looked for.
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

// sawBalance asks for the balance of a token that wasn't looked for.
func (v *View) sawBalance(token money.Token) error {
	if v.Asked == nil || slices.Contains(v.Asked.Tokens, token) {
		return nil
	}
	return Missing(Needs{Tokens: []money.Token{token}})
}
