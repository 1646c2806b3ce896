package conformance

import (
	"fmt"
	"slices"
	"testing"

	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/token"
	"github.com/casino-service/casino/domain/treasury"
	"github.com/casino-service/casino/ports"
)

// TreasuryHistory proves the contract of ports.TreasuryHistory.
func TreasuryHistory(t *testing.T, newChain func(t *testing.T) Chain) {
	for name := range (Chain{}).both() {
		onChain(t, newChain, "Signed lists the finalized transactions that the treasury signed, with what they paid: "+name, func(t *testing.T, c Chain) { signedIsRead(t, c, name) })
	}
	onChain(t, newChain, "what somebody else sent to the treasury is not among them", func(t *testing.T, c Chain) {
		from, _ := c.movements(t, treasury.Position{}, 0)
		player := c.NewWallet()
		for _, terms := range c.both() {
			c.Fund(player, terms, 2*depositUnits)
			c.Deposit(player, terms, depositUnits, false)
			c.Deposit(player, terms, depositUnits, true)
		}
		c.Finalize()
		if _, got := c.movements(t, from, 0); len(got) > 0 {
			t.Errorf("%+v", got)
		}
	})
	onChain(t, newChain, "a payout that failed is a movement that cost its fee", func(t *testing.T, c Chain) {
		attempt := c.signed(t, "w1", c.SPL, payoutUnits, string(c.NewWallet()))
		c.Drain(c.SPL)
		from, _ := c.movements(t, treasury.Position{}, 0)
		c.send(t, attempt)
		c.Finalize()
		_, got := c.movements(t, from, 0)
		if at := indexOf(got, attempt.Signature); at < 0 || !got[at].Failed || len(got[at].Payments) > 0 || got[at].Fee < 1 || got[at].WithdrawalID != "w1" {
			t.Errorf("%+v", got)
		}
	})
	onChain(t, newChain, "A transaction that is finalized when Signed is called is listed from every position that was returned before", func(t *testing.T, c Chain) { listedFromEveryPosition(t, c) })
	onChain(t, newChain, "At most limit are looked at, and only the last page moves Slot and At", func(t *testing.T, c Chain) { signedInPages(t, c) })
	onChain(t, newChain, "A position that Signed didn't make is a fault of kind Invalid", func(t *testing.T, c Chain) {
		for _, cursor := range []string{"yesterday", "-1", "99999999999999999999999"} {
			if _, err := c.Signed(t.Context(), treasury.Position{Cursor: cursor}, 0); !fault.Is(err, fault.Invalid) {
				t.Errorf("Signed(%q): %v", cursor, err)
			}
		}
	})
	onChain(t, newChain, "A chain that can't be asked is External", func(t *testing.T, c Chain) {
		c.SetUnreachable(true)
		external(t, "Signed", errorOf(c.Signed(t.Context(), treasury.Position{}, 0)))
	})
}

// movements reads the history from a position to its end, in pages.
func (c Chain) movements(t *testing.T, from treasury.Position, limit int) (treasury.Position, []treasury.Movement) {
	t.Helper()
	var all []treasury.Movement
	for more := true; more; {
		page, err := c.Signed(t.Context(), from, limit)
		if err != nil {
			t.Fatalf("Signed: %v", err)
		}
		checkPage(t, from, page)
		for _, m := range page.Movements {
			if indexOf(all, m.Signature) < 0 {
				all = append(all, m)
			}
		}
		from, more = page.Next, page.More
	}
	return from, all
}

func checkPage(t *testing.T, from treasury.Position, page ports.TreasuryPage) {
	t.Helper()
	next := page.Next
	switch {
	case next.Cursor == "":
		t.Fatal("a page without the cursor of the next one")
	case page.More && (next.Slot != from.Slot || !next.At.Equal(from.At)):
		t.Errorf("a page that isn't the last moved from %+v to %+v", from, next)
	case !page.More && (next.Slot == 0 || next.Slot < from.Slot || next.At.IsZero()):
		t.Errorf("the last page moved from %+v to %+v", from, next)
	}
}

func indexOf(all []treasury.Movement, signature string) int {
	return slices.IndexFunc(all, func(m treasury.Movement) bool { return m.Signature == signature })
}

func signedIsRead(t *testing.T, c Chain, name string) {
	terms, to := c.both()[name], string(c.NewWallet())
	from, _ := c.movements(t, treasury.Position{}, 0)
	w := approved("019ab-w1", terms, payoutUnits, to)
	w.Tag = "0123456789abcdef"
	attempt, err := c.Sign(t.Context(), w, terms)
	if err != nil {
		t.Fatal(err)
	}
	c.send(t, attempt)
	if _, got := c.movements(t, from, 0); len(got) > 0 {
		t.Errorf("before it is finalized: %+v", got)
	}
	c.Finalize()
	outcome, err := c.Outcome(t.Context(), attempt)
	if err != nil {
		t.Fatal(err)
	}
	_, got := c.movements(t, from, 0)
	if len(got) != 1 {
		t.Fatalf("%+v", got)
	}
	m := got[0]
	if m.Signature != attempt.Signature || m.Slot == 0 || m.At.IsZero() || m.WithdrawalID != w.ID || m.Tag != w.Tag ||
		!m.Pays(terms.Mint, payoutUnits, to) || m.Fee != outcome.Cost.Fee || m.Rent != outcome.Cost.Rent {
		t.Errorf("%+v, which cost %+v", m, outcome.Cost)
	}
}

func listedFromEveryPosition(t *testing.T, c Chain) {
	to := string(c.NewWallet())
	first := c.signed(t, "w1", c.SOL, payoutUnits, to)
	c.send(t, first)
	before, _ := c.movements(t, treasury.Position{}, 0) // landed, not final
	c.Finalize()
	between, got := c.movements(t, before, 0)
	if indexOf(got, first.Signature) < 0 {
		t.Errorf("%+v without %s", got, first.Signature)
	}
	second := c.signed(t, "w2", c.SPL, payoutUnits, to)
	c.send(t, second)
	c.Finalize()
	for _, from := range []treasury.Position{{}, before, between} {
		if _, got := c.movements(t, from, 0); indexOf(got, second.Signature) < 0 || from != between && indexOf(got, first.Signature) < 0 {
			t.Errorf("from %+v: %+v", from, got)
		}
	}
}

func signedInPages(t *testing.T, c Chain) {
	const count = 7
	from, _ := c.movements(t, treasury.Position{}, 0)
	to := string(c.NewWallet())
	var made []string
	for i := range count {
		attempt := c.signed(t, fmt.Sprint("w", i), []token.Terms{c.SOL, c.SPL}[i%2], payoutUnits, to)
		c.send(t, attempt)
		made = append(made, attempt.Signature)
	}
	c.Finalize()
	for _, limit := range []int{1, 2, 3, count, ports.HistoryMax} {
		_, got := c.movements(t, from, limit)
		for _, signature := range made {
			if indexOf(got, signature) < 0 {
				t.Errorf("in pages of %d: without %s", limit, signature)
			}
		}
		if !slices.IsSortedFunc(got, func(a, b treasury.Movement) int { return int(a.Slot) - int(b.Slot) }) {
			t.Errorf("in pages of %d: out of order", limit)
		}
	}
}
