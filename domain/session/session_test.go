package session_test

import (
	"fmt"
	"reflect"
	"testing"

	"pgregory.net/rapid"

	"github.com/casino-service/casino/domain/ledger"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/session"
	"github.com/casino-service/casino/domain/wallet"
)

const alice = wallet.Address("alice")

// TestWhatATransferCounts tries every kind of counter-account, both ways.
func TestWhatATransferCounts(t *testing.T) {
	t.Parallel()
	own, total := ledger.PlayerOf(alice), money.TotalOfInt
	stake, win := session.Tally{Rounds: 1, Wagered: total(7)}, session.Tally{Won: total(7)}
	in, out := session.Tally{Deposited: total(7)}, session.Tally{Deposited: total(-7)}
	want := map[ledger.Kind][2]session.Tally{ // from the player, to the player
		ledger.House: {stake, win}, ledger.Provider: {stake, win},
		ledger.Stake: {}, ledger.Chain: {out, in}, ledger.Hold: {out, in}, ledger.Unclaimed: {out, in}, ledger.Assigned: {out, in},
	}
	for _, kind := range ledger.Kinds() {
		if kind == ledger.Player {
			continue
		}
		other := ledger.Account{Kind: kind}
		if kind.Owned() {
			other.Owner = "x"
		}
		for i, transfer := range []ledger.Transfer{{Debit: own, Credit: other}, {Debit: other, Credit: own}} {
			transfer.Token, transfer.Amount = money.SOL, 7
			of, got, counts := session.Of("", &transfer)
			if counts != (want[kind][i] != session.Tally{}) || got != want[kind][i] || counts && of != own {
				t.Errorf("%v to %v: %+v of %v, %v", transfer.Debit, transfer.Credit, got, of, counts)
			}
		}
		if kind == ledger.Provider {
			for i, want := range []session.Tally{{Won: total(-7)}, {Rounds: -1, Wagered: total(-7)}} {
				transfer := ledger.Transfer{Debit: own, Credit: other, Token: money.SOL, Amount: 7}
				if i == 1 {
					transfer.Debit, transfer.Credit = other, own
				}
				if of, got, counts := session.Of(ledger.ProviderRollback, &transfer); !counts || got != want || of != own {
					t.Errorf("a rollback from %v: %+v of %v", transfer.Debit, got, of)
				}
			}
		}
		if _, got, counts := session.Of("", &ledger.Transfer{Debit: other, Credit: ledger.AgentOf("acme"), Token: money.SOL, Amount: 7}); counts {
			t.Errorf("between %v and an agent: %+v", other, got)
		}
	}
}

// TestTalliesAndBalancesAgree: the amounts won, lost, deposited and withdrawn explain
// the balance, in any order.
func TestTalliesAndBalancesAgree(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		var balance, rounds, wagered int64
		var tally session.Tally
		for _, amount := range rapid.SliceOf(rapid.Int64Range(1, 1<<62)).Draw(t, "amounts") {
			other := rapid.SampledFrom([]ledger.Account{ledger.System(ledger.House), ledger.ProviderOf("maker"), ledger.HoldOf("w"), ledger.System(ledger.Chain)}).Draw(t, "other")
			transfer := ledger.Transfer{Debit: other, Credit: ledger.PlayerOf(alice), Token: money.SOL, Amount: money.Amount(amount % 1000 * 1000)}
			if transfer.Amount == 0 {
				transfer.Amount = 1
			}
			moved := int64(transfer.Amount)
			if rapid.Bool().Draw(t, "out") {
				transfer.Debit, transfer.Credit = transfer.Credit, transfer.Debit
				balance -= moved
				if other.Kind == ledger.House || other.Kind == ledger.Provider {
					rounds, wagered = rounds+1, wagered+moved
				}
			} else {
				balance += moved
			}
			_, by, counts := session.Of("", &transfer)
			if !counts {
				t.Fatalf("%+v counts nothing", transfer)
			}
			tally = tally.Add(by)
		}
		if tally.Net().Add(tally.Deposited) != money.TotalOfInt(balance) || tally.Rounds != rounds || tally.Wagered != money.TotalOfInt(wagered) {
			t.Fatalf("%+v, balance %d, %d rounds of %d", tally, balance, rounds, wagered)
		}
		if tally.Sub(tally) != (session.Tally{}) {
			t.Fatalf("less itself: %+v", tally.Sub(tally))
		}
	})
}

func TestWhatASessionHas(t *testing.T) {
	t.Parallel()
	tally := func(n int64) session.Tally {
		total := money.TotalOfInt
		return session.Tally{Rounds: n, Wagered: total(10 * n), Won: total(9 * n), Deposited: total(-n)}
	}
	s := session.Session{Wallet: alice, Before: []session.Played{{"a", tally(3)}, {"c", tally(5)}, {"d", tally(2)}}}
	now := []session.Played{{"a", tally(3)}, {"b", tally(4)}, {"c", tally(6)}, {"d", tally(2)}}
	if got, want := s.Since(now), []session.Played{{"b", tally(4)}, {"c", tally(1)}}; !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v, want %+v", got, want)
	}
	if got := s.Since(s.Before); got != nil {
		t.Errorf("of nothing: %+v", got)
	}
	if got, want := session.Tallies(map[money.Token]session.Tally{"b": tally(1), "a": tally(2), "z": {}}), []session.Played{{"a", tally(2)}, {"b", tally(1)}}; !reflect.DeepEqual(got, want) {
		t.Errorf("sorted: %+v", got)
	}
}

func ExampleSession_Since() {
	stake := ledger.Transfer{Debit: ledger.PlayerOf(alice), Credit: ledger.System(ledger.House), Token: money.SOL, Amount: 500}
	win := ledger.Transfer{Debit: ledger.System(ledger.House), Credit: ledger.PlayerOf(alice), Token: money.SOL, Amount: 990}
	counted := session.Tally{Rounds: 20, Wagered: money.TotalOf(10_000), Won: money.TotalOf(8_000)}
	begun := session.Session{Wallet: alice, Before: session.Tallies(map[money.Token]session.Tally{money.SOL: counted})}
	for _, t := range []ledger.Transfer{stake, win, stake} {
		_, by, _ := session.Of("", &t)
		counted = counted.Add(by)
	}
	for _, p := range begun.Since(session.Tallies(map[money.Token]session.Tally{money.SOL: counted})) {
		fmt.Println(p.Rounds, p.Wagered, p.Won, p.Net())
	}
	// Output: 2 1000 990 -10
}

// TestAnEndedRoundCountsItsStakes: stakes of an open round count when the round ends.
func TestAnEndedRoundCountsItsStakes(t *testing.T) {
	t.Parallel()
	of, got, counts := session.Of("", &ledger.Transfer{Debit: ledger.StakeOf(alice), Credit: ledger.System(ledger.House), Token: money.SOL, Amount: 7})
	if want := (session.Tally{Rounds: 1, Wagered: money.TotalOf(7)}); !counts || got != want || of != ledger.PlayerOf(alice) {
		t.Errorf("%+v of %v, %v", got, of, counts)
	}
}
