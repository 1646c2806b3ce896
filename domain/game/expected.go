package game

import (
	"math/big"
	"strings"

	"github.com/casino-service/casino/domain/money"
)

// Expected is what somebody was shown of a round: what Verify recomputed is compared
// with it. Members that are absent, nil or empty aren't compared.
type Expected struct {
	Outcome Value
	// Multiplier is a number. One that money.Ratio.NumberText cuts is compared to a
	// billionth of a wager, as readers of JSON keep still less of it.
	Multiplier Value
	// Commitment is the server seed's hash in hexadecimal.
	Commitment string
	// Wager is compared with what the config or the actions staked, Payout with what the
	// wager pays; it needs the wager.
	Wager, Payout *money.Amount
}

// Differences names what differs, as the API names it: "serverSeedHash", "outcome",
// "multiplier", "wager", "payout", in this order. Outcomes are compared as JSON is read: members
// in any order, 2.50 equal to 2.5.
func (e Expected) Differences(result Result, commitment string) []string {
	var names []string
	differs := func(name string, compared, equal bool) {
		if compared && !equal {
			names = append(names, name)
		}
	}
	differs("serverSeedHash", e.Commitment != "", e.Commitment == commitment)
	differs("outcome", e.Outcome.Kind() != Absent, alike(e.Outcome, result.Outcome))
	differs("multiplier", e.Multiplier.Kind() != Absent, e.multiplied(result.Multiplier))
	if e.Wager != nil {
		differs("wager", true, result.Wagers.Allow(*e.Wager))
	}
	if e.Wager != nil && e.Payout != nil {
		payout, fits := e.Wager.Times(result.Multiplier)
		differs("payout", true, fits && payout == *e.Payout)
	}
	return names
}

// multiplied reports whether the expected multiplier is the ratio.
func (e Expected) multiplied(r money.Ratio) bool {
	said, ok := e.Multiplier.rational()
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

// digitsMax is how long a number may be that is compared: an exponent, which could stand
// for any number of digits, is not read.
const digitsMax = 64

// rational returns what a number is worth, also of one that is only kept as written.
func (v Value) rational() (*big.Rat, bool) {
	text := v.NumberText()
	if text == "" || len(text) > digitsMax || strings.ContainsAny(text, "eE") {
		return nil, false
	}
	return new(big.Rat).SetString(text)
}

// alike compares as readers of JSON do: numbers by what they are worth, members by name.
func alike(v, w Value) bool {
	if v.kind != w.kind || v.Len() != w.Len() {
		return false
	}
	switch v.kind {
	case NumberKind:
		return v.worth().Equal(w.worth())
	case ListKind:
		for i := range v.members {
			if !alike(v.members[i].Value, w.members[i].Value) {
				return false
			}
		}
		return true
	case ObjectKind:
		for name, value := range v.Members() {
			if !alike(value, w.Get(name)) {
				return false
			}
		}
		return true
	}
	return v.Equal(w)
}

// worth returns a number without the zeros at the end of its decimals. One that is only
// kept as written is none that a game states.
func (v Value) worth() Value {
	if v.wide {
		return v
	}
	for v.scale > 0 && v.number%10 == 0 {
		v.number, v.scale = v.number/10, v.scale-1
	}
	return v
}
