package conformance

import (
	"slices"
	"testing"

	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/token"
	"github.com/casino-service/casino/ports"
)

// DepositHistory proves the contract of ports.DepositHistory.
func DepositHistory(t *testing.T, newChain func(t *testing.T) Chain) {
	for name := range (Chain{}).both() {
		onChain(t, newChain, "Since lists finalized transactions that touched where deposits of the token arrive, oldest first: "+name, func(t *testing.T, c Chain) { listed(t, c, name) })
		onChain(t, newChain, "At most limit are listed, and the next page goes on behind them: "+name, func(t *testing.T, c Chain) { paged(t, c, name) })
	}
	onChain(t, newChain, "What is listed may be anything that names the account: payouts, failed transactions", func(t *testing.T, c Chain) {
		from := c.beginning(t, c.SOL)
		player := c.NewWallet()
		c.Fund(player, c.SOL, depositUnits)
		failed := c.Deposit(player, c.SOL, depositUnits, true)
		attempt := c.signed(t, "w1", c.SPL, payoutUnits, string(c.NewWallet()))
		c.send(t, attempt)
		c.Finalize()
		for _, entry := range c.since(t, c.SOL, from, 0).Entries {
			if entry.Failed != (entry.Signature == failed) {
				t.Errorf("%+v", entry)
			}
		}
		if all := signatures(c.since(t, c.SOL, from, 0)); !slices.Contains(all, failed) || !slices.Contains(all, attempt.Signature) {
			t.Errorf("%v without the failed %s or the payout %s", all, failed, attempt.Signature)
		}
	})
	onChain(t, newChain, "A cursor that Since didn't make is a fault of kind Invalid", func(t *testing.T, c Chain) {
		for _, cursor := range []string{"yesterday", "-1", "99999999999999999999999"} {
			if _, err := c.Since(t.Context(), c.SOL, cursor, 0); !fault.Is(err, fault.Invalid) {
				t.Errorf("Since(%q): %v", cursor, err)
			}
		}
	})
	onChain(t, newChain, "a chain that can't be asked is External", func(t *testing.T, c Chain) {
		c.SetUnreachable(true)
		external(t, "Since", errorOf(c.Since(t.Context(), c.SOL, "", 0)))
	})
}

// since asks for a page.
func (c Chain) since(t *testing.T, terms token.Terms, cursor string, limit int) ports.HistoryPage {
	t.Helper()
	page, err := c.Since(t.Context(), terms, cursor, limit)
	if err != nil {
		t.Fatalf("Since: %v", err)
	}
	if page.Next == "" {
		t.Fatal("a page without the cursor of the next one")
	}
	return page
}

// beginning is a cursor after all that is finalized now.
func (c Chain) beginning(t *testing.T, terms token.Terms) (cursor string) {
	t.Helper()
	for more := true; more; {
		page := c.since(t, terms, cursor, 0)
		cursor, more = page.Next, page.More
	}
	return cursor
}

func signatures(page ports.HistoryPage) (all []string) {
	for _, entry := range page.Entries {
		all = append(all, entry.Signature)
	}
	return all
}

// follow lists all pages from a cursor on: each signature once, and the last cursor.
func (c Chain) follow(t *testing.T, terms token.Terms, cursor string, limit int) ([]string, string) {
	t.Helper()
	var all []string
	for slot, more := uint64(0), true; more; {
		page := c.since(t, terms, cursor, limit)
		if len(page.Entries) > limit || page.More && len(page.Entries) < limit {
			t.Fatalf("%d entries of at most %d, more %v", len(page.Entries), limit, page.More)
		}
		for _, entry := range page.Entries {
			if entry.Slot < slot || slices.Contains(all, entry.Signature) {
				t.Fatalf("%+v comes after slot %d, or twice", entry, slot)
			}
			slot, all = entry.Slot, append(all, entry.Signature)
		}
		cursor, more = page.Next, page.More
	}
	return all, cursor
}

// listed makes deposits of both tokens and checks the list of one.
func listed(t *testing.T, c Chain, name string) {
	terms, player := c.both()[name], c.NewWallet()
	for _, each := range c.both() {
		c.Fund(player, each, 10*depositUnits)
	}
	from := c.beginning(t, terms)
	first := c.Deposit(player, terms, depositUnits, false)
	if got, _ := c.follow(t, terms, from, ports.HistoryMax); slices.Contains(got, first) {
		t.Error("listed before it is finalized")
	}
	c.Finalize()
	for other, each := range c.both() {
		if other != name {
			c.Deposit(player, each, depositUnits, false)
		}
	}
	second := c.Deposit(player, terms, depositUnits, false)
	c.Finalize()
	got, cursor := c.follow(t, terms, from, ports.HistoryMax)
	ours := slices.DeleteFunc(slices.Clone(got), func(s string) bool { return s != first && s != second })
	if !slices.Equal(ours, []string{first, second}) {
		t.Errorf("%v, want %s and then %s among them", got, first, second)
	}
	// A watch begins at a slot that is listed, and claims are judged by the slot that is observed.
	for _, entry := range c.since(t, terms, from, ports.HistoryMax).Entries {
		if seen, err := c.Observe(t.Context(), entry.Signature); err != nil || seen.Slot != entry.Slot {
			t.Errorf("listed in slot %d and observed in %d, %v", entry.Slot, seen.Slot, err)
		}
	}
	third := c.Deposit(player, terms, depositUnits, false)
	c.Finalize()
	for _, kept := range []string{from, cursor} {
		if got, _ := c.follow(t, terms, kept, ports.HistoryMax); !slices.Contains(got, third) {
			t.Errorf("from %q: %v without %s", kept, got, third)
		}
	}
}

// paged reads a history in small pages.
func paged(t *testing.T, c Chain, name string) {
	const count = 7
	terms, player := c.both()[name], c.NewWallet()
	c.Fund(player, terms, count*depositUnits)
	from := c.beginning(t, terms)
	var made []string
	for i := range count {
		made = append(made, c.Deposit(player, terms, depositUnits-money.Amount(i), false))
	}
	c.Finalize()
	for _, limit := range []int{1, 2, 3, count, ports.HistoryMax} {
		got, _ := c.follow(t, terms, from, limit)
		ours := slices.DeleteFunc(slices.Clone(got), func(s string) bool { return !slices.Contains(made, s) })
		slices.Sort(ours)
		want := slices.Sorted(slices.Values(made))
		if !slices.Equal(ours, want) {
			t.Errorf("in pages of %d: %v, want %v", limit, got, made)
		}
	}
	if whole := c.since(t, terms, from, 0); whole.More || len(whole.Entries) < count {
		t.Errorf("without a limit: %d entries, more %v", len(whole.Entries), whole.More)
	}
}
