package solvency_test

import (
	"errors"
	"maps"
	"slices"
	"testing"
	"time"

	"github.com/casino-service/casino/domain/checkpoint"
	"github.com/casino-service/casino/domain/event"
	"github.com/casino-service/casino/domain/hashchain"
	"github.com/casino-service/casino/domain/ledger"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/solvency"
	"github.com/casino-service/casino/domain/wallet"
)

// lanes are blocks of some lanes.
type lanes struct {
	heads  map[int]hashchain.Head
	blocks []hashchain.Content
	places []hashchain.Head
}

func (l *lanes) seal(lane int, c hashchain.Content) {
	previous := l.heads[lane]
	previous.Lane = lane
	l.heads[lane] = hashchain.Next(previous, c).Head()
	l.blocks, l.places = append(l.blocks, c), append(l.places, l.heads[lane])
}

func transfer(from, to ledger.Account, amount money.Amount) hashchain.Content {
	return hashchain.Content{Postings: []ledger.Posting{{Transfers: []ledger.Transfer{{Debit: from, Credit: to, Token: "sol", Amount: amount}}}}}
}

func (l *lanes) newest() []hashchain.Head {
	return slices.SortedFunc(maps.Values(l.heads), func(a, b hashchain.Head) int { return a.Lane - b.Lane })
}

// booked adds the blocks after the first n.
func (l *lanes) booked(t *testing.T, after []hashchain.Head, n int) *solvency.Bookings {
	t.Helper()
	b := solvency.BookedAfter(after)
	for i := n; i < len(l.blocks); i++ {
		if err := b.Add(l.places[i], l.blocks[i]); err != nil {
			t.Fatal(err)
		}
	}
	return b
}

// TestWhatIsOwedFollowsFromBlocks books each kind of debt on two lanes, checks it without and
// with a snapshot before, and changes each thing that the check reads.
func TestWhatIsOwedFollowsFromBlocks(t *testing.T) {
	t.Parallel()
	chain, alice, bob := ledger.System(ledger.Chain), ledger.PlayerOf("alice"), ledger.PlayerOf("bob")
	l := &lanes{heads: map[int]hashchain.Head{}}
	l.seal(0, transfer(chain, alice, 1_000))
	l.seal(1, transfer(chain, bob, 500))
	l.seal(0, transfer(chain, ledger.UnclaimedOf("carol"), 70))
	withdrawal := transfer(alice, ledger.HoldOf("w1"), 300)
	withdrawal.Events = []event.Event{event.New(event.Withdrawal, "w1", "alice", event.Text("status", "pending"))}
	l.seal(1, withdrawal)
	first := solvency.Debts{"sol": {"alice": {Available: 700, Held: 300}, "bob": {Available: 500}, "carol": {Unclaimed: 70}}}
	heads := l.newest()
	if err := l.booked(t, nil, 0).Check(first, heads, nil, time.Time{}, checkpoint.Statement{}); err != nil {
		t.Fatal(err)
	}

	key, snapshot := []byte("key"), checkpoint.Statement{At: hour.Add(time.Minute), Heads: heads}
	made, err := solvency.NewLedger("sol", key, hour, first["sol"])
	if err != nil {
		t.Fatal(err)
	}
	snapshot.Facts = solvency.Facts([]solvency.Stated{{Token: "sol", Root: made.Root(), Leaves: made.Size(), Treasury: "address"}})
	n := len(l.blocks)
	l.seal(0, hashchain.Content{Events: []event.Event{made.Event(snapshot.At, heads)}})
	l.seal(2, transfer(bob, ledger.StakeOf("bob"), 500))
	paid := transfer(ledger.HoldOf("w1"), chain, 300)
	paid.Events = []event.Event{event.New(event.Withdrawal, "w1", "alice", event.Text("status", "completed"))}
	l.seal(1, paid)
	owed := solvency.Debts{"sol": {"alice": {Available: 700}, "bob": {Staked: 500}, "carol": {Unclaimed: 70}}}
	type asked struct {
		owed   map[wallet.Address]solvency.Owed
		heads  []hashchain.Head
		key    []byte
		hour   time.Time
		before checkpoint.Statement
	}
	for name, c := range map[string]struct {
		change func(*asked)
		right  bool
	}{
		"what is booked":       {func(*asked) {}, true},
		"nothing more is owed": {func(a *asked) { a.owed["dave"] = solvency.Owed{} }, true},
		"less is owed":         {func(a *asked) { a.owed["alice"] = solvency.Owed{Available: 699} }, false},
		"more is owed":         {func(a *asked) { a.owed["alice"] = solvency.Owed{Available: 701} }, false},
		"a wallet is left out": {func(a *asked) { delete(a.owed, "carol") }, false},
		"a wallet is put in":   {func(a *asked) { a.owed["dave"] = solvency.Owed{Available: 1} }, false},
		"money is another's": {func(a *asked) {
			a.owed["alice"], a.owed["bob"] = solvency.Owed{Available: 600}, solvency.Owed{Available: 100, Staked: 500}
		}, false},
		"a stake is available":            {func(a *asked) { a.owed["bob"] = solvency.Owed{Available: 500} }, false},
		"what can't have been":            {func(a *asked) { a.owed["bob"] = solvency.Owed{} }, false},
		"another salt key":                {func(a *asked) { a.key = []byte("other") }, false},
		"another hour":                    {func(a *asked) { a.hour = hour.Add(time.Hour) }, false},
		"a snapshot of another time":      {func(a *asked) { a.before.At = a.before.At.Add(time.Millisecond) }, false},
		"a snapshot of other blocks":      {func(a *asked) { a.before.Heads = a.before.Heads[:1] }, false},
		"a snapshot without a token":      {func(a *asked) { a.before.Facts = nil }, false},
		"a head is missing":               {func(a *asked) { a.heads = a.heads[1:] }, false},
		"what is owed is of later blocks": {func(a *asked) { a.heads[2].Seq++ }, false},
	} {
		a := asked{maps.Clone(owed["sol"]), l.newest(), key, hour, snapshot}
		c.change(&a)
		err := l.booked(t, heads, n).Check(solvency.Debts{"sol": a.owed}, a.heads, a.key, a.hour, a.before)
		if c.right != (err == nil) || err != nil && !errors.Is(err, solvency.ErrUnproved) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if err := solvency.BookedAfter(l.newest()).Check(owed, l.newest(), key, hour, snapshot); !errors.Is(err, solvency.ErrUnproved) {
		t.Errorf("without the blocks since: %v", err)
	}
	if err := l.booked(t, nil, 0).Check(first, l.newest(), nil, time.Time{}, checkpoint.Statement{}); !errors.Is(err, solvency.ErrUnproved) {
		t.Errorf("without a snapshot: %v", err)
	}
	if err := l.booked(t, nil, 0).Check(owed, l.newest(), nil, time.Time{}, checkpoint.Statement{}); err != nil {
		t.Errorf("of the whole ledger: %v", err)
	}
	for name, at := range map[string]hashchain.Head{"a changed block": l.places[0], "a block that doesn't follow": l.places[2]} {
		if err := solvency.BookedAfter(nil).Add(at, transfer(chain, alice, 999)); !errors.Is(err, solvency.ErrUnproved) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if err := solvency.BookedAfter(nil).Add(l.places[2], l.blocks[2]); !errors.Is(err, solvency.ErrUnproved) {
		t.Errorf("a block without the one before: %v", err)
	}
}
