package solana_test

import (
	"testing"

	"github.com/casino-service/casino/domain/fault"
)

// TestABacklogIsWalkedOnce: pages of a long history come from one walk, even if
// transactions land meanwhile; a new Node also continues from the cursor.
func TestABacklogIsWalkedOnce(t *testing.T) {
	t.Parallel()
	const count = 9
	w := newWorld(t)
	player := w.newWallet()
	w.fund(player, w.sol, 50_000_000)
	begin, err := w.Since(t.Context(), w.sol, "", 0)
	if err != nil {
		t.Fatal(err)
	}
	for i := range count {
		w.deposit(player, w.sol, 1_000_000+1, false)
		w.slots(1 + i)
	}
	w.finalize()
	lists := 0
	w.spoiled(func(c call) *reply {
		if c.method == "getSignaturesForAddress" {
			lists++
		}
		return nil
	})
	seen, cursor := map[string]int{}, begin.Next
	for page := range count {
		found, err := w.Since(t.Context(), w.sol, cursor, 2)
		if err != nil {
			t.Fatal(err)
		}
		for _, entry := range found.Entries {
			seen[entry.Signature]++
		}
		if page == 1 && lists != 2 { // the wallet's and that of wrapped SOL
			t.Errorf("%d lists were asked for, want one walk", lists)
		}
		if page == 2 {
			w.Node = w.node(w.url) // it has nothing kept
		}
		if cursor = found.Next; !found.More {
			break
		}
	}
	if lists != 4 {
		t.Errorf("%d lists were asked for, want one walk before the restart and one after", lists)
	}
	deposits := 0
	for signature, times := range seen {
		if times > 1 {
			t.Errorf("%s is listed %d times in one run", signature, times)
		}
		deposits++
	}
	if deposits < count {
		t.Errorf("%d of %d are listed", deposits, count)
	}
}

// TestAHistoryWithAHoleIsNoHistory: missing, unordered or unsettled entries must not look
// like a complete list.
func TestAHistoryWithAHoleIsNoHistory(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	player := w.newWallet()
	w.fund(player, w.sol, 50_000_000)
	signature := w.deposit(player, w.sol, 1_000_000, false)
	w.slots(500)
	begin, err := w.Since(t.Context(), w.sol, "", 0)
	if err != nil || len(begin.Entries) == 0 {
		t.Fatalf("%+v, %v", begin, err)
	}
	listed := func(slot int, level string) map[string]any {
		return map[string]any{"signature": signature, "slot": slot, "err": nil, "confirmationStatus": level}
	}
	const now = 1_000_000
	for name, spoil := range map[string]func(call) *reply{
		"pruned": func(c call) *reply {
			if c.method == "getFirstAvailableBlock" {
				return c.result(now)
			}
			return nil
		},
		"out of order": func(c call) *reply {
			if c.method == "getSignaturesForAddress" {
				return c.result([]any{listed(now, "finalized"), listed(now+1, "finalized")})
			}
			return nil
		},
		"not finalized": func(c call) *reply {
			if c.method == "getSignaturesForAddress" {
				return c.result([]any{listed(now, "confirmed")})
			}
			return nil
		},
		"no signature": func(c call) *reply {
			if c.method == "getSignaturesForAddress" {
				return c.result([]any{map[string]any{"signature": "x", "slot": now, "confirmationStatus": "finalized"}})
			}
			return nil
		},
		"endless": func(c call) *reply {
			if c.method == "getSignaturesForAddress" {
				all := make([]any, 1000)
				for i := range all {
					all[i] = listed(now, "finalized")
				}
				return c.result(all)
			}
			return nil
		},
	} {
		w.spoiled(spoil)
		if page, err := w.Since(t.Context(), w.sol, begin.Next, 0); !fault.Is(err, fault.External) || len(page.Entries) > 0 {
			t.Errorf("%s: %d entries, %v", name, len(page.Entries), err)
		}
	}
	w.spoiled(nil)
	if _, err := w.Since(t.Context(), w.sol, begin.Next, 0); err != nil {
		t.Error(err)
	}
}
