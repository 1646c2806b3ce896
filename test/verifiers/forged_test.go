package verifiers_test

import (
	"math"
	"math/big"
	"slices"
	"strings"
	"testing"

	"github.com/casino-service/casino/adapters/verifier"
	"github.com/casino-service/casino/domain/game"
	"github.com/casino-service/casino/domain/money"
)

// forgeries are changes of a round that a cheating house or player might make.
var forgeries = []struct {
	name  string
	forge func(t *testing.T, m maker, r *round)
}{
	{"outcome", func(_ *testing.T, m maker, r *round) { r.Outcome = m.changed(r.Outcome) }},
	{"multiplier", func(_ *testing.T, m maker, r *round) {
		near := r.Multiplier + ".0001"
		if strings.Contains(r.Multiplier, ".") {
			near = r.Multiplier + "1"
		}
		// A multiplier without a finite decimal is compared to a billionth.
		beside, _ := new(big.Rat).SetString(r.Multiplier)
		beside.Add(beside, big.NewRat(m.number(-3, 3), 2_000_000_000))
		if beside.Sign() < 0 {
			beside.Neg(beside)
		}
		r.Multiplier = []string{"0", "1", "0.0001", "1.98", "1000000", near, beside.FloatString(40), beside.FloatString(20)}[m.IntN(8)]
	}},
	{"payout", func(_ *testing.T, m maker, r *round) {
		if r.Payout += 1 - 2*(r.Payout%2); m.IntN(2) == 0 {
			r.Payout = r.Wager
		}
	}},
	{"wager", func(_ *testing.T, m maker, r *round) {
		result, _, err := m.registry.Verify(r.RoundInputs)
		was := r.Wager
		if r.Wager = money.Amount(m.number(1, math.MaxInt64)); m.IntN(2) == 0 {
			r.Wager = max(1, was+money.Amount(m.number(-2, 2)))
		}
		if err == nil && m.IntN(4) > 0 { // a payout that matches it
			if payout, fits := r.Wager.Times(result.Multiplier); fits {
				r.Payout = payout
			}
		}
	}},
	{"nonce", func(_ *testing.T, m maker, r *round) { r.Nonce = max(0, min(r.Nonce, math.MaxInt64-9)+m.Int64N(9)-4) }},
	{"serverSeed", func(_ *testing.T, m maker, r *round) { r.ServerSeed = m.otherDigit(r.ServerSeed) }},
	{"both seeds of the house", func(_ *testing.T, m maker, r *round) {
		r.ServerSeed = m.otherDigit(r.ServerSeed)
		r.Commitment = r.RoundInputs.Commitment()
	}},
	{"serverSeedHash", func(_ *testing.T, m maker, r *round) { r.Commitment = m.otherDigit(r.Commitment) }},
	{"clientSeed", func(_ *testing.T, m maker, r *round) {
		seed := []byte(r.ClientSeed)
		seed[m.IntN(len(seed))] = byte(m.number(' ', '~'))
		r.ClientSeed = string(seed)
	}},
	{"config", func(t *testing.T, m maker, r *round) {
		g, err := m.registry.Rules(r.GameType, r.Rules)
		noError(t, err)
		if by, ok := g.(game.Stepped); ok && r.Actions != nil {
			r.Config = m.begun(t, by).Config()
		} else {
			r.Config = m.config(t, g)
		}
		if m.IntN(4) == 0 {
			r.Config = m.changed(r.Config)
		}
	}},
	{"rules", func(_ *testing.T, m maker, r *round) {
		if r.Rules = m.games[m.IntN(len(m.games))].Rules(); m.IntN(2) == 0 {
			r.Rules = r.GameType + "/99"
		}
	}},
	{"an action", changedAction},
	{"an action less", func(_ *testing.T, m maker, r *round) {
		if i := m.someAction(*r); i >= 0 {
			r.Actions = slices.Delete(r.Actions, i, i+1)
		}
	}},
	{"an action more", func(_ *testing.T, m maker, r *round) {
		if i := m.someAction(*r); i >= 0 {
			r.Actions = slices.Insert(r.Actions, m.IntN(len(r.Actions)+1), r.Actions[i])
		}
	}},
	{"the order of actions", func(_ *testing.T, m maker, r *round) {
		m.Shuffle(len(r.Actions), func(i, j int) { r.Actions[i], r.Actions[j] = r.Actions[j], r.Actions[i] })
	}},
	{"whether there are actions", func(_ *testing.T, m maker, r *round) {
		if r.Actions != nil {
			r.Actions = nil
		} else if r.Actions = []game.Value{}; m.IntN(2) == 0 {
			r.Actions = append(r.Actions, game.ActionOf("cashOut"))
		}
	}},
}

// forged makes a round that differs from the true one in one way. It returns what differs, or
// nothing if it can't even be played, and then the action that couldn't be taken, if it is one.
func (m maker) forged(t *testing.T, how int) (r round, differs []string, place string) {
	t.Helper()
	for range 10_000 {
		r := m.round(t)
		before := r
		was := slices.Clone(r.Actions)
		forgeries[how].forge(t, m, &r)
		if strings.Contains(forgeries[how].name, "action") && slices.EqualFunc(was, r.Actions, game.Value.Equal) && (was == nil) == (r.Actions == nil) {
			continue
		}
		differs, err := m.judged(t, m.json(r))
		if err != nil {
			return r, nil, placeOf(err.Error())
		}
		if len(differs) > 0 {
			return r, differs, ""
		}
		if lies(before, r) {
			t.Fatalf("%s: the code that draws finds nothing in %s", forgeries[how].name, m.json(r))
		}
	}
	t.Fatalf("%s: no round in 10,000 differs", forgeries[how].name)
	return r, nil, ""
}

// lies reports whether a changed round can't be true for any draws, without the drawing code: a
// commitment that isn't its seed's, a payout that the same wager can't have, and a wager that
// isn't the sum of its bets or its actions' stakes.
func lies(before, r round) bool {
	staked := int64(1)
	for _, action := range r.Actions {
		if kind := action.Get("type").Text(); kind == "double" || kind == "split" {
			staked++
		}
	}
	switch {
	case (r.ServerSeed == before.ServerSeed) != (r.Commitment == before.Commitment):
		return true
	case r.ServerSeed != before.ServerSeed || r.ClientSeed != before.ClientSeed || r.Nonce != before.Nonce || !r.Config.Equal(before.Config):
		return false
	case r.Wager == before.Wager:
		return r.Payout != before.Payout
	default:
		return r.Config.Get("bets").Len() > 0 || int64(r.Wager)%staked != 0
	}
}

// judged returns what the drawing code finds different in a round.
func (m maker) judged(t *testing.T, text []byte) (differs []string, err error) {
	t.Helper()
	read, err := verifier.ReadRound(text)
	noError(t, err)
	found, err := verifier.Compare(m.registry, read)
	for _, one := range found {
		differs = append(differs, one.Name)
	}
	slices.Sort(differs)
	return differs, err
}

func (m maker) otherDigit(digits string) string {
	changed := []byte(digits)
	i := m.IntN(len(changed))
	for old := changed[i]; changed[i] == old; {
		changed[i] = "0123456789abcdef"[m.IntN(16)]
	}
	return string(changed)
}

// changed returns a value that differs in one place.
func (m maker) changed(v game.Value) game.Value {
	switch v.Kind() {
	case game.ObjectKind:
		var members []game.Member
		for name, value := range v.Members() {
			members = append(members, game.Member{Name: name, Value: value})
		}
		if len(members) == 0 || m.IntN(16) == 0 {
			return game.Object(append(members, game.Member{Name: "more", Value: game.Int(1)})...)
		}
		i := m.IntN(len(members))
		members[i].Value = m.changed(members[i].Value)
		return game.Object(members...)
	case game.ListKind:
		items := slices.Collect(v.Items())
		if len(items) == 0 || m.IntN(16) == 0 {
			return game.List(append(items, game.Int(1))...)
		}
		if i := m.IntN(len(items)); m.IntN(8) > 0 {
			items[i] = m.changed(items[i])
		} else {
			items = slices.Delete(items, i, i+1)
		}
		return game.List(items...)
	case game.NumberKind:
		coefficient, scale, _ := v.Decimal()
		return game.Dec(coefficient+1-2*m.Int64N(2), scale)
	case game.BoolKind:
		return game.Bool(!v.Bool())
	default:
		return game.Text([]string{"heads", "tails", "over", "under", "plum", v.Text() + " "}[m.IntN(6)])
	}
}
