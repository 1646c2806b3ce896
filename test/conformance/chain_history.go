package conformance

import (
	"slices"
	"testing"

	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/token"
	"github.com/casino-service/casino/ports"
)

// ChainWithHistory is an adapter under test that also tells its history.
type ChainWithHistory struct {
	Chain
	ports.DepositHistory
}

// DepositHistory proves the contract of ports.DepositHistory.
func DepositHistory(t *testing.T, newChain func(t *testing.T) ChainWithHistory) {
	for name := range (Chain{}).both() {
		t.Run("Since lists what named the treasury's account after the cursor, oldest first: "+name, func(t *testing.T) {
			t.Parallel()
			historyIsListed(t, newChain(t), name)
		})
		t.Run("Latest is the cursor after everything that is finalized: "+name, func(t *testing.T) {
			t.Parallel()
			c := newChain(t)
			terms := c.both()[name]
			before := c.paid(t, terms, 3)
			c.Finalize()
			cursor, err := c.Latest(t.Context(), terms)
			if err != nil {
				t.Fatalf("Latest: %v", err)
			}
			after := c.paid(t, terms, 2)
			c.Finalize()
			told, _ := c.walk(t, terms, cursor, 100)
			if !inOrder(told, after) {
				t.Errorf("after Latest %v are listed, want %v; before it were %v", told, after, before)
			}
		})
	}
	t.Run("what is not finalized is not listed", func(t *testing.T) {
		t.Parallel()
		c := newChain(t)
		early := c.paid(t, c.SPL, 1)
		told, cursor := c.walk(t, c.SPL, "", 100)
		if slices.Contains(told, early[0]) {
			t.Errorf("%v are listed at once", told)
		}
		c.Finalize()
		if told, _ = c.walk(t, c.SPL, cursor, 100); !inOrder(told, early) {
			t.Errorf("after it was finalized %v are listed, want %v", told, early)
		}
	})
	t.Run("a payout is listed too", func(t *testing.T) {
		t.Parallel()
		c := newChain(t)
		attempt := c.signed(t, "w-1", c.SPL, 1_000, string(c.NewWallet()))
		c.send(t, attempt)
		c.Finalize()
		for name, terms := range c.both() {
			if told, _ := c.walk(t, terms, "", 100); !inOrder(told, []string{attempt.Signature}) {
				t.Errorf("%s: %v are listed, want %s among them", name, told, attempt.Signature)
			}
		}
	})
	t.Run("a chain that can't be asked is a fault of kind External", func(t *testing.T) {
		t.Parallel()
		c := newChain(t)
		c.SetUnreachable(true)
		_, err := c.Latest(t.Context(), c.SOL)
		external(t, "Latest", err)
		_, err = c.Since(t.Context(), c.SOL, "", 10)
		external(t, "Since", err)
	})
}

// paid lands so many deposits of fresh wallets.
func (c ChainWithHistory) paid(t *testing.T, terms token.Terms, n int) []string {
	t.Helper()
	signatures := make([]string, n)
	for i := range signatures {
		player := c.NewWallet()
		c.Fund(player, terms, depositUnits)
		signatures[i] = c.Deposit(player, terms, depositUnits-money.Amount(i+1), false)
	}
	return signatures
}

// walk reads the history from a cursor to its end and returns where that is.
func (c ChainWithHistory) walk(t *testing.T, terms token.Terms, cursor string, limit int) (told []string, end string) {
	t.Helper()
	for range 100 {
		page, err := c.Since(t.Context(), terms, cursor, limit)
		if err != nil {
			t.Fatalf("Since: %v", err)
		}
		told, cursor = append(told, page.Signatures...), page.Cursor
		if len(cursor) > 256 {
			t.Fatalf("a cursor of %d bytes", len(cursor))
		}
		if !page.More {
			return told, cursor
		}
	}
	t.Fatal("the history has no end")
	return nil, ""
}

func historyIsListed(t *testing.T, c ChainWithHistory, name string) {
	terms := c.both()[name]
	first := c.paid(t, terms, 5)
	c.Finalize()
	for _, limit := range []int{100, 2} {
		told, cursor := c.walk(t, terms, "", limit)
		if !inOrder(told, first) {
			t.Fatalf("pages of %d: %v are listed, want %v", limit, told, first)
		}
		second := c.paid(t, terms, 3)
		c.Finalize()
		if told, _ := c.walk(t, terms, cursor, limit); !inOrder(told, second) {
			t.Errorf("pages of %d from the cursor: %v are listed, want %v", limit, told, second)
		}
		first = append(first, second...)
	}
}

// inOrder reports whether all of want are told, each first told after the one
// before it.
func inOrder(told, want []string) bool {
	last := -1
	for _, signature := range want {
		at := slices.Index(told, signature)
		if at <= last {
			return false
		}
		last = at
	}
	return true
}
