package solana_test

import (
	"slices"
	"testing"

	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/treasury"
	"github.com/casino-service/casino/test/validator"
)

// paidAndFinal pays something out and returns the payout's signature.
func (w *world) paidAndFinal(id string) string {
	w.Helper()
	attempt := w.signed(id, w.sol, 5_000_000, w.newWallet())
	if err := w.Send(w.Context(), attempt); err != nil {
		w.Fatal(err)
	}
	w.finalize()
	return attempt.Signature
}

func has(movements []treasury.Movement, signature string) bool {
	return slices.ContainsFunc(movements, func(m treasury.Movement) bool { return m.Signature == signature })
}

// listsNothing empties a node's lists.
func listsNothing() func(validator.Call) *validator.Reply {
	return func(c validator.Call) *validator.Reply {
		if c.Method == "getSignaturesForAddress" {
			return c.Result([]any{})
		}
		return nil
	}
}

// TestOneNodeHidesNoPayment: a payment that one node doesn't list or show is never taken as
// unpaid.
func TestOneNodeHidesNoPayment(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	cluster, doors := w.cluster(2)
	signature := w.paidAndFinal("w1")
	forgets := func(c validator.Call) *validator.Reply {
		if c.Method == "getTransaction" {
			return c.Result(nil)
		}
		return nil
	}
	for i, door := range doors {
		door.Spoil(listsNothing())
		page, err := cluster.Signed(t.Context(), treasury.Position{}, 0)
		if err != nil || !has(page.Movements, signature) {
			t.Errorf("node %d doesn't list it: %+v, %v", i+1, page, err)
		}
		door.Spoil(nil)
	}
	for i := range doors {
		fresh, others := w.cluster(2)
		others[i].Spoil(forgets)
		if page, err := fresh.Signed(t.Context(), treasury.Position{}, 0); !fault.Is(err, fault.External) {
			t.Errorf("node %d doesn't show it: %+v, %v", i+1, page, err)
		}
	}
}

// TestNodesThatDisagreeGiveNoPage: one node that calls a payment failed must not cause a
// second payment.
func TestNodesThatDisagreeGiveNoPage(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	signature := w.paidAndFinal("w1")
	slot := uint64(0)
	if page, err := w.Node.Signed(t.Context(), treasury.Position{}, 0); err != nil || !has(page.Movements, signature) {
		t.Fatalf("%+v, %v", page, err)
	} else {
		slot = page.Movements[0].Slot
	}
	failedThere := func(c validator.Call) *validator.Reply {
		if c.Method != "getSignaturesForAddress" {
			return nil
		}
		return c.Result([]any{map[string]any{
			"signature": signature, "slot": slot, "err": map[string]any{"InstructionError": []any{0, "Custom"}}, "confirmationStatus": "finalized",
		}})
	}
	for i := range 2 {
		cluster, doors := w.cluster(2)
		doors[i].Spoil(failedThere)
		if page, err := cluster.Signed(t.Context(), treasury.Position{}, 0); !fault.Is(err, fault.External) {
			t.Errorf("node %d calls it failed: %+v, %v", i+1, page, err)
		}
		doors[i].Spoil(func(validator.Call) *validator.Reply { return &validator.Reply{Drop: true} })
		if page, err := cluster.Signed(t.Context(), treasury.Position{}, 0); !fault.Is(err, fault.External) {
			t.Errorf("node %d is away: %+v, %v", i+1, page, err)
		}
	}
}

// TestAHistoryThatWasPrunedIsUnknown: the index can't continue without the entries after
// its position, and a new one records since when it is complete.
func TestAHistoryThatWasPrunedIsUnknown(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.slots(2_000)
	begin, err := w.Node.Signed(t.Context(), treasury.Position{}, 0)
	if err != nil || !begin.Next.Since.IsZero() {
		t.Fatalf("%+v, %v", begin, err)
	}
	w.paidAndFinal("w1")
	w.slots(3_000)
	first := begin.Next.Slot + 1_500
	w.spoiled(func(c call) *reply {
		if c.method == "getFirstAvailableBlock" {
			return c.result(first)
		}
		return nil
	})
	if page, err := w.Node.Signed(t.Context(), begin.Next, 0); !fault.Is(err, fault.External) {
		t.Errorf("it goes on: %+v, %v", page, err)
	}
	page, err := w.Node.Signed(t.Context(), treasury.Position{}, 0)
	if err != nil || page.Next.Since.IsZero() || !page.Next.Since.Before(page.Next.At) {
		t.Errorf("it begins anew: %+v, %v", page, err)
	}
}

// TestALookThatFoundNothingNewFetchesNothing: pages overlap by some minutes, and fetched
// transactions are remembered.
func TestALookThatFoundNothingNewFetchesNothing(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	player := w.newWallet()
	w.fund(player, w.sol, 500_000_000)
	for i := range 20 {
		w.deposit(player, w.sol, money.Amount(1_000_000+i), false)
	}
	signature := w.paidAndFinal("w1")
	calls := map[string]int{}
	w.spoiled(func(c call) *reply {
		calls[c.method]++
		return nil
	})
	from := treasury.Position{}
	for range 3 {
		page, err := w.Node.Signed(t.Context(), from, 0)
		if err != nil || !has(page.Movements, signature) {
			t.Fatalf("%+v, %v", page, err)
		}
		from = page.Next
	}
	if calls["getTransaction"] < 21 || calls["getTransaction"] > 40 || calls["getSignaturesForAddress"] != 3 {
		t.Errorf("%v", calls)
	}
	t.Logf("three looks at %d transactions: %v", calls["getTransaction"], calls)
}
