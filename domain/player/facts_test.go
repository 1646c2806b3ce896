package player_test

import (
	"reflect"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/casino-service/casino/domain/agent"
	"github.com/casino-service/casino/domain/approval"
	"github.com/casino-service/casino/domain/audit"
	"github.com/casino-service/casino/domain/bet"
	"github.com/casino-service/casino/domain/deposit"
	"github.com/casino-service/casino/domain/event"
	"github.com/casino-service/casino/domain/fairness"
	"github.com/casino-service/casino/domain/ledger"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/player"
	"github.com/casino-service/casino/domain/protection"
	"github.com/casino-service/casino/domain/session"
	"github.com/casino-service/casino/domain/withdrawal"
)

// TestWhatIsCoveredIsReadBack covers things with a value in each field, reads them back
// and covers them again: nothing is lost.
func TestWhatIsCoveredIsReadBack(t *testing.T) {
	t.Parallel()
	readBack(t, withdrawal.Withdrawal.Covered, withdrawal.FromCovered)
	readBack(t, deposit.Claim.Covered, deposit.FromCovered)
	readBack(t, approval.Approval.Covered, approval.FromCovered)
	readBack(t, player.Player.Covered, player.FromCovered)
	readBack(t, bet.Open.Covered, func(e event.Event) bet.Open {
		o, ok := bet.FromCovered(e)
		if !ok {
			t.Errorf("%v isn't read back", e)
		}
		return o
	})
	retired := fairness.Revealed{ID: "p", ServerSeed: "never", Commitment: "c", ClientSeed: "mine", ClientSource: fairness.FromRepeated, Rounds: 7, Since: at}
	want := fairness.PairState{
		ID: "p", State: fairness.RetiredState, Commitment: "c", ClientSeed: "mine", ClientSource: fairness.FromRepeated, Next: "q", Rounds: 7, Since: at,
	}
	if got := fairness.FromCovered(retired.Covered(alice, "q")); got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
}

func readBack[T any](t *testing.T, covered func(T) event.Event, from func(event.Event) T) {
	t.Helper()
	var thing T
	filledIn(reflect.ValueOf(&thing).Elem())
	if p, is := any(&thing).(*player.Player); is { // its field names contain values
		p.Protection.Limits = []protection.Limit{
			{Kind: protection.Loss, Period: protection.Week, Token: "sol", Amount: 5, From: at, Next: 7, NextAt: at.Add(time.Hour)},
			{Kind: protection.Loss, Period: protection.Week, Token: "sol", Imposed: true, From: at, Lifted: true, NextAt: at},
		}
	}
	want := covered(thing)
	got := covered(from(want))
	if got.Digest() != want.Digest() || got.ID != want.ID {
		t.Errorf("%T: %v of %+v, read back %+v", thing, got.Differences(want), want, got)
	}
}

// TestFactsOfBalances has each booking without a row of its own for the balance after
// it.
func TestFactsOfBalances(t *testing.T) {
	t.Parallel()
	before := player.View{Player: player.Player{Wallet: alice, CreatedAt: at}, Balances: map[money.Token]money.Amount{"sol": 100, "usd": 5}}
	own, house := ledger.PlayerOf(alice), ledger.System(ledger.House)
	post := func(kind ledger.KeyKind, id string, transfers ...ledger.Transfer) ledger.Posting {
		return ledger.Posting{Key: ledger.Key{Kind: kind, Scope: "s", ID: id}, Transfers: transfers}
	}
	move := func(from, to ledger.Account, token money.Token, amount money.Amount) ledger.Transfer {
		return ledger.Transfer{Debit: from, Credit: to, Token: token, Amount: amount}
	}
	change := player.Change{Postings: []ledger.Posting{
		post(ledger.Repayment, "w1", move(own, ledger.System(ledger.Owed), "sol", 10)),
		post(ledger.Withdraw, "w1", move(own, ledger.HoldOf("w1"), "sol", 90)),
		post(ledger.PayoutFee, "sig", move(ledger.System(ledger.Fees), ledger.System(ledger.Chain), "sol", 1)),
		post(ledger.Claimed, "alice", move(ledger.UnclaimedOf(alice), own, "usd", 2), move(ledger.UnclaimedOf(alice), own, "eur", 3), move(ledger.UnclaimedOf(alice), own, "usd", 1)),
		post(ledger.Round, "r1", move(own, house, "usd", 4)),
		post(ledger.ProviderDebit, "t1", move(own, ledger.ProviderOf("p"), "usd", 1)),
		post(ledger.Adjust, "a1", move(own, ledger.System(ledger.Adjustment), "usd", 3)),
	}}
	want := []string{
		"repayment/s/w1/sol -10 90 repayment w1", "withdraw/s/w1/sol -90 0 withdraw w1",
		"claimed/s/alice/usd 3 8 claimed alice", "claimed/s/alice/eur 3 3 claimed alice", "adjust/s/a1/usd -3 0 adjust a1",
	}
	got := []string{}
	for _, e := range before.Events(&change) {
		if e.Kind != event.Balance || e.Wallet != alice || e.Was != "" || e.Value("token") == "" {
			t.Errorf("%+v", e)
		}
		got = append(got, e.ID+" "+decimal(e.Number("amount"))+" "+decimal(e.Number("balance"))+" "+e.Value("cause")+" "+e.Value("of"))
	}
	if !slices.Equal(got, want) {
		t.Errorf("%q\nwant %q", got, want)
	}
}

func TestFactsOfSessionsProtectionAndFunds(t *testing.T) {
	t.Parallel()
	before := player.View{Player: player.Player{Wallet: alice, Agent: "south", CreatedAt: at}}
	after := before.Player
	after.SessionsFrom, after.Agent, after.Protection.Frozen = at.Add(time.Second), "north", true
	change := player.Change{
		Session: &session.Session{Wallet: alice, IssuedAt: at, Until: at.Add(time.Hour)},
		Player:  &after, Rebinding: &player.Rebinding{From: "south", To: "north"},
		Audit: []audit.Record{
			{ID: "q1", Action: audit.PlayerFrozen, By: boss, Target: "alice"}, {ID: "q2", Action: audit.SessionOpened, By: alice, Target: "alice"},
		},
		Funding: &player.Funding{
			ID: "f1", Ref: agent.FundsRef{Agent: "acme", Token: "sol"}, Amount: -3, Balance: -4, Reason: "invoice", By: boss, At: at,
		},
	}
	want := map[event.Kind]event.Event{
		event.Signout: event.New(event.Signout, "alice/"+decimal(after.SessionsFrom.UnixMicro()), alice, event.Time("from", after.SessionsFrom)),
		event.Session: event.New(event.Session, "alice/"+decimal(at.UnixMicro()), alice, event.Time("issuedAt", at), event.Time("until", at.Add(time.Hour))),
		event.Protection: event.New(event.Protection, "q1", alice, append([]event.Field{
			event.Text("action", audit.PlayerFrozen), event.Text("by", boss), event.Text("from", "south"),
		}, after.Covered().Fields...)...),
		event.Funding: event.New(event.Funding, "f1", "", event.Text("agent", "acme"), event.Text("token", "sol"), event.Int("amount", -3),
			event.Int("balance", -4), event.Text("reason", "invoice"), event.Text("by", boss), event.Time("at", at)),
	}
	for _, e := range before.Events(&change) {
		if !e.Kind.Fact() {
			continue
		}
		if due := want[e.Kind]; e.ID != due.ID || e.Digest() != due.Digest() || e.Was != "" {
			t.Errorf("%+v, want %+v", e, due)
		}
		delete(want, e.Kind)
	}
	if len(want) > 0 {
		t.Errorf("nothing says %v", want)
	}
	after.SessionsFrom = before.Player.SessionsFrom
	for _, e := range before.Events(&change) {
		if e.Kind == event.Signout {
			t.Errorf("sessions go on, and %+v", e)
		}
	}
}

func decimal(n int64) string { return strconv.FormatInt(n, 10) }
