package game

import (
	"math/bits"

	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/money"
)

// The games whose every strategy returns the same have a bound of what a round pays in
// their config: the player may set one to be cashed out by, and the house sets or lowers
// it to what it can afford. It is part of the config, so that who folds the round again
// needs nothing else.

const (
	// capName is the field of the bound, and capDecimals how finely it is set.
	capName, capDecimals = "maxMultiplier", 4
	// capMost is the greatest bound that a config may have, in its units.
	capMost = 100_000_000_000_0000
	// cashOutName is the action by which a round is ended that can be.
	cashOutName = "cashOut"
)

// cashOut is the action that ends a round and pays what it came to.
var cashOut = ActionOf(cashOutName)

// capField declares the bound.
func capField() Field {
	return Field{
		Name: capName, Title: "Cash out at", Optional: true,
		Description: "The most that the round may pay, in wagers: no step is offered that could pay more, and when none is left the round is cashed out.",
		Shape:       Number{Min: 1_0000, Max: capMost, Decimals: capDecimals},
	}
}

// capOf returns the bound of a config; without one that is false.
func capOf(config Value) (money.Ratio, bool) {
	units, ok := config.Get(capName).Units(capDecimals)
	return money.Ratio{Num: uint64(units), Den: tenThousandths}, ok
}

// NamesCap reports whether the config of a round names the most that it may pay.
func NamesCap(steps Steps) bool {
	_, named := capOf(steps.Config())
	return named
}

// cappedConfig returns a config with the bound lowered to most, rounded down.
func cappedConfig(config Value, most money.Ratio) (Value, bool) {
	if set, ok := capOf(config); ok && set.Cmp(most) <= 0 {
		return config, true
	}
	hi, lo := bits.Mul64(most.Num, tenThousandths)
	units := uint64(capMost)
	if hi < most.Den {
		if quotient, _ := bits.Div64(hi, lo, most.Den); quotient < capMost {
			units = quotient
		}
	}
	members := make([]Member, 0, config.Len()+1)
	for name, value := range config.Members() {
		if name != capName {
			members = append(members, Member{name, value})
		}
	}
	return Object(append(members, Member{capName, Dec(int64(units), capDecimals)})...), units >= tenThousandths
}

// errCap refuses a bound that leaves nothing to play for.
func errCap(least money.Ratio) error {
	return fault.Field("config."+capName, "must be at least %s, what the first step pays", least.DecimalText(capDecimals))
}
