package game

import (
	"fmt"
	"math/big"
	"slices"
	"strings"

	"github.com/casino-service/casino/domain/fairness"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/money"
)

// RoundInputs are the inputs for recomputing a round after its server seed is revealed.
type RoundInputs struct {
	GameType string
	// Rules is the version of the rules that decided the round; empty means the offered
	// one.
	Rules string
	// Config may leave out fields with a default.
	Config Value
	// ServerSeed is the revealed seed as text.
	ServerSeed string
	ClientSeed string
	Nonce      int64
	// Actions are those of a stepped round, in order; nil for a round decided in one call.
	Actions []Value
}

// Commitment returns the hexadecimal hash that must have been published before the
// round.
func (c RoundInputs) Commitment() string {
	return fairness.ServerSeedFromText(c.ServerSeed).Commitment()
}

// Refund returns the result of a void round: its stake.
func Refund() Result { return Result{Multiplier: money.Ratio{Num: 1, Den: 1}} }

// Verify recomputes a round and returns its result and the commitment that must have
// been published before it. It uses the functions that decide real rounds: Prepare,
// fairness.NewStream, Play; for a stepped round Begin, fairness.NewStream, Replay,
// Settle. The multiplier refers to the total stake.
//
// Faults name the field, in this order: "gameType" (InvalidGame; Invalid if it isn't
// played that way), "rules", "config.…", "serverSeed", "clientSeed", "nonce" and
// "actions…" (Invalid). A round that hasn't ended after its actions is refused by
// "actions". Any other error is from Play or Replay: the game fails with these draws,
// and such a round is void.
func (r *Registry) Verify(c RoundInputs) (result Result, commitment string, err error) {
	g, err := r.Rules(c.GameType, c.Rules)
	if err != nil {
		return Result{}, "", err
	}
	plan, steps, err := c.planRound(g)
	if err != nil {
		return Result{}, "", err
	}
	seed, err := fairness.ParseServerSeed(c.ServerSeed)
	if err != nil {
		return Result{}, "", err
	}
	clientSeed, err := fairness.ParseClientSeed(c.ClientSeed)
	if err != nil {
		return Result{}, "", err
	}
	if c.Nonce < 0 {
		return Result{}, "", fault.Field("nonce", "must not be negative")
	}
	draws := func() Draws { return fairness.NewStream(seed, clientSeed, c.Nonce) }
	if steps != nil {
		result, err = foldToEnd(steps, draws, c.Actions)
	} else {
		result, err = Play(plan, draws())
		result.Wagers = wagersOf(plan)
	}
	if err != nil {
		return Result{}, "", err
	}
	return result, seed.Commitment(), nil
}

// VoidNote returns a sentence for people about what the seeds of a void round would have
// paid. The wager may be nil.
func VoidNote(multiplier money.Ratio, wager *money.Amount) string {
	note := "The round is void: its stake was returned. Its seeds decide a multiplier of " + multiplier.NumberText()
	if wager != nil {
		if payout, fits := wager.Times(multiplier); fits {
			note += fmt.Sprintf(", which would have paid %d", payout)
		}
	}
	return note + ". Seeds can't show why a round failed: a house that voids wins has void rounds that would have paid."
}

// planRound plans the round from its config, in one call or by steps.
func (c RoundInputs) planRound(g Game) (plan Plan, steps Steps, err error) {
	if c.Actions == nil {
		plan, err = Prepare(g, c.Config, 0)
	} else {
		steps, err = Begin(g, c.Config, 0)
	}
	return plan, steps, err
}

// ActionsOf returns the actions in a list: nil for an absent value. Any other kind is a
// fault of kind Invalid that names "actions". Replay checks the actions themselves.
func ActionsOf(list Value) ([]Value, error) {
	switch {
	case list.kind == Absent:
		return nil, nil
	case list.kind != ListKind:
		return nil, fault.Field("actions", "must be a list")
	case list.Len() > StepsMax:
		return nil, fault.Field("actions", "must be at most %d", StepsMax)
	}
	return slices.AppendSeq(make([]Value, 0, list.Len()), list.Items()), nil
}

// foldToEnd folds a round to its end.
func foldToEnd(steps Steps, draws func() Draws, actions []Value) (Result, error) {
	states, err := Replay(steps, draws, actions)
	if err != nil {
		return Result{}, err
	}
	end := states[len(states)-1]
	if !end.Ended {
		return Result{}, fault.Field("actions", "are not all: the round goes on after them")
	}
	return Settle(end), nil
}

// Expected is the shown part of a round, to be compared with Verify's result. Absent,
// nil and empty members aren't compared.
type Expected struct {
	Outcome Value
	// Multiplier is a number. If money.Ratio.NumberText cuts it, it is compared to a
	// billionth of a wager, because JSON readers may keep fewer digits.
	Multiplier Value
	// Commitment is the server seed's hexadecimal hash.
	Commitment string
	// Wager is compared with the stake by config or actions, Payout with the payout of the
	// wager; it needs the wager.
	Wager, Payout *money.Amount
}

// Differences returns the names, as in the API, of the members that differ:
// "serverSeedHash", "outcome", "multiplier", "wager", "payout", in this order. Outcomes
// are compared as JSON values: members in any order, 2.50 equal to 2.5.
func (e Expected) Differences(result Result, commitment string) []string {
	var names []string
	differs := func(name string, compared, equal bool) {
		if compared && !equal {
			names = append(names, name)
		}
	}
	differs("serverSeedHash", e.Commitment != "", e.Commitment == commitment)
	differs("outcome", e.Outcome.Kind() != Absent, equalJSON(e.Outcome, result.Outcome))
	differs("multiplier", e.Multiplier.Kind() != Absent, e.equalsMultiplier(result.Multiplier))
	if e.Wager != nil {
		differs("wager", true, result.Wagers.Allow(*e.Wager))
	}
	if e.Wager != nil && e.Payout != nil {
		payout, fits := e.Wager.Times(result.Multiplier)
		differs("payout", true, fits && payout == *e.Payout)
	}
	return names
}

// equalsMultiplier reports whether the expected multiplier is the ratio.
func (e Expected) equalsMultiplier(r money.Ratio) bool {
	said, ok := e.Multiplier.rationalValue()
	if !ok {
		return false
	}
	ratio := new(big.Rat).SetFrac(new(big.Int).SetUint64(r.Num), new(big.Int).SetUint64(r.Den))
	said.Sub(said, ratio)
	if shown, _ := new(big.Rat).SetString(r.NumberText()); shown.Cmp(ratio) == 0 {
		return said.Sign() == 0
	}
	return said.Abs(said).Cmp(big.NewRat(1, billion)) <= 0
}

// digitsMax is the greatest length of a compared number. Exponents, which could mean any
// number of digits, aren't compared.
const digitsMax = 64

// rationalValue returns a number's value, even if stored only as text.
func (v Value) rationalValue() (*big.Rat, bool) {
	text := v.NumberText()
	if text == "" || len(text) > digitsMax || strings.ContainsAny(text, "eE") {
		return nil, false
	}
	return new(big.Rat).SetString(text)
}

// equalJSON compares as JSON readers do: numbers by value, members by name.
func equalJSON(v, w Value) bool {
	if v.kind != w.kind || v.Len() != w.Len() {
		return false
	}
	switch v.kind {
	case NumberKind:
		return v.normalizedNumber().Equal(w.normalizedNumber())
	case ListKind:
		for i := range v.members {
			if !equalJSON(v.members[i].Value, w.members[i].Value) {
				return false
			}
		}
		return true
	case ObjectKind:
		for name, value := range v.Members() {
			if !equalJSON(value, w.Get(name)) {
				return false
			}
		}
		return true
	}
	return v.Equal(w)
}

// normalizedNumber returns a number without trailing zero decimals. A number stored only
// as text is returned unchanged; games state none.
func (v Value) normalizedNumber() Value {
	if v.wide {
		return v
	}
	for v.scale > 0 && v.number%10 == 0 {
		v.number, v.scale = v.number/10, v.scale-1
	}
	return v
}
