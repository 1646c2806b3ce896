package player

import (
	"fmt"
	"maps"

	"github.com/casino-service/casino/domain/agent"
)

// Apply returns the view after the change; it leaves its argument alone. It is
// the only place that says what a change does to a wallet. An error is a
// defect, never a refusal: a decision returned an impossible change.
func Apply(v View, c Change) (View, error) {
	if err := v.Apply(&c); err != nil {
		return View{}, err
	}
	return v, nil
}

// Apply makes the view what it is after the change. Maps that change are replaced
// and never written to, so that a copy of the view stays what it was. After an
// error the view must not be used.
func (v *View) Apply(c *Change) error {
	funds := v.Funds
	for _, t := range things {
		if t.apply == nil {
			continue
		}
		if err := t.apply(v, c); err != nil {
			return err
		}
	}
	return checkFunds(funds, v.Funds)
}

// checkFunds checks that prepaid accounts move only where the view has them, and
// never below their credit limit.
func checkFunds(before, after map[agent.FundsRef]agent.Funds) error {
	for ref, funds := range after {
		was, seen := before[ref]
		if funds == was {
			continue
		}
		if !seen {
			return fmt.Errorf("funds of %s in %s move but are not in the view", ref.Agent, ref.Token)
		}
		if err := funds.Check(); err != nil {
			// Not wrapped: that a decision let it through is a defect, not a refusal.
			return fmt.Errorf("funds of %s in %s: %s", ref.Agent, ref.Token, err.Error())
		}
	}
	return nil
}

func with[K comparable, V any](m map[K]V, key K, value V) map[K]V {
	next := maps.Clone(m)
	if next == nil {
		next = make(map[K]V, 1)
	}
	next[key] = value
	return next
}

func opened(before, after bool) int {
	switch {
	case before == after:
		return 0
	case after:
		return 1
	}
	return -1
}
