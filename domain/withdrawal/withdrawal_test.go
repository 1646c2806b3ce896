package withdrawal_test

import (
	"crypto/ed25519"
	"errors"
	"math"
	"reflect"
	"slices"
	"testing"
	"time"

	"github.com/mr-tron/base58"
	"pgregory.net/rapid"

	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/ledger"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/token"
	"github.com/casino-service/casino/domain/treasury"
	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/domain/withdrawal"
)

func person(name byte) wallet.Address {
	raw := make([]byte, ed25519.SeedSize)
	raw[0] = name
	address, err := wallet.FromPublicKey(ed25519.NewKeyFromSeed(raw).Public().(ed25519.PublicKey))
	if err != nil {
		panic(err)
	}
	return address
}

var (
	alice, bob, carol, dave = person('a'), person('b'), person('c'), person('d')

	made  = time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)
	later = made.Add(time.Minute)
	terms = token.Terms{Mint: money.SOL, MinWithdrawal: 100, MaxWithdrawal: 5000, TwoPersonAbove: 1000, TwoPersonAbovePerDay: 10_000}
)

func to(address wallet.Address) withdrawal.Destination {
	return withdrawal.Destination{Address: string(address)}
}

// request is alice's withdrawal of 700 to dave.
func request(t testing.TB) withdrawal.Withdrawal {
	t.Helper()
	w, _, err := withdrawal.Request("w1", alice, terms, 700, to(dave), 0, made)
	if err != nil {
		t.Fatal(err)
	}
	return w
}

func must[T any](t testing.TB) func(T, error) T {
	return func(v T, err error) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
}

func attempt(number int) withdrawal.Attempt {
	return withdrawal.Attempt{WithdrawalID: "w1", Number: number, Signature: "signature " + string(rune('0'+number))}
}

// in brings alice's withdrawal into a state by the shortest path.
func in(t testing.TB, s withdrawal.Status) withdrawal.Withdrawal {
	t.Helper()
	ok := must[withdrawal.Withdrawal](t)
	w := request(t)
	switch s {
	case withdrawal.Rejected:
		w, _, err := w.Reject(bob, "no", made)
		return ok(w, err)
	case withdrawal.Cancelled:
		w, _, err := w.Cancel(made)
		return ok(w, err)
	case withdrawal.Pending:
		return w
	}
	w = ok(w.Approve(bob, "fine", 1, made))
	if s == withdrawal.Approved {
		return w
	}
	w = ok(w.SignedAs(attempt(1), made))
	switch s {
	case withdrawal.Completed:
		w, _, err := w.Completed(false, made)
		return ok(w, err)
	case withdrawal.Failed:
		return ok(w.FailedWith("it broke", made))
	}
	return w
}

// do applies an event by its method.
func do(w withdrawal.Withdrawal, e withdrawal.Event) (withdrawal.Withdrawal, []ledger.Transfer, error) {
	switch e {
	case withdrawal.Approve:
		w, err := w.Approve(carol, "fine", 1, later)
		return w, nil, err
	case withdrawal.Reject:
		return w.Reject(carol, "no", later)
	case withdrawal.Cancel:
		if w.Status == withdrawal.Approved {
			w.Reason = withdrawal.HinderedReason("the destination is a program")
		}
		return w.Cancel(later)
	case withdrawal.Sign:
		w, err := w.SignedAs(attempt(w.Attempt+1), later)
		return w, nil, err
	case withdrawal.Finalize:
		return w.Completed(false, later)
	case withdrawal.Fail:
		w, err := w.FailedWith("it broke", later)
		return w, nil, err
	case withdrawal.Prove:
		return w.ProvedBy(treasury.Movement{
			Signature: "another", WithdrawalID: w.ID,
			Payments: []treasury.Payment{{Token: w.Token, Amount: w.Amount, Destination: w.Destination}},
		}, false, later)
	}
	w, err := w.Expired(later)
	return w, nil, err
}

func TestRequestHoldsTheMoney(t *testing.T) {
	t.Parallel()
	w, transfers, err := withdrawal.Request("w1", alice, terms, 700, to(dave), 4, made)
	want := withdrawal.Withdrawal{
		ID: "w1", Wallet: alice, Token: money.SOL, Amount: 700, Destination: string(dave), Status: withdrawal.Pending,
		CreatedAt: made, UpdatedAt: made,
	}
	if err != nil || !reflect.DeepEqual(w, want) {
		t.Errorf("%+v, %v; want %+v", w, err, want)
	}
	if !slices.Equal(transfers, []ledger.Transfer{{
		Debit: ledger.PlayerOf(alice), Credit: ledger.HoldOf("w1"), Token: money.SOL, Amount: 700,
	}}) {
		t.Errorf("transfers %+v", transfers)
	}
}

func TestRequestsAreRefused(t *testing.T) {
	t.Parallel()
	offCurve := base58.Encode(append([]byte{2}, make([]byte, 31)...))
	for name, r := range map[string]struct {
		destination withdrawal.Destination
		amount      money.Amount
		open        int
		kind        fault.Kind
	}{
		"no address":                  {withdrawal.Destination{Address: "dave"}, 700, 0, fault.InvalidDestination},
		"an address off the curve":    {withdrawal.Destination{Address: offCurve}, 700, 0, fault.InvalidDestination},
		"a key of small order":        {withdrawal.Destination{Address: base58.Encode(make([]byte, 32))}, 700, 0, fault.InvalidDestination},
		"an address of the house":     {withdrawal.Destination{Address: string(dave), Reserved: true}, 700, 0, fault.InvalidDestination},
		"another's, own ones only":    {withdrawal.Destination{Address: string(dave), OwnOnly: true}, 700, 0, fault.InvalidDestination},
		"below the minimum":           {to(dave), 99, 0, fault.AmountOutOfRange},
		"above the maximum":           {to(dave), 5001, 0, fault.AmountOutOfRange},
		"a sixth open one":            {to(dave), 700, withdrawal.OpenMax, fault.TooManyOpen},
		"the destination comes first": {withdrawal.Destination{Address: "dave"}, 99, withdrawal.OpenMax, fault.InvalidDestination},
		"the amount comes second":     {to(dave), 99, withdrawal.OpenMax, fault.AmountOutOfRange},
	} {
		w, transfers, err := withdrawal.Request("w1", alice, terms, r.amount, r.destination, r.open, made)
		if !fault.Is(err, r.kind) || transfers != nil || w.ID != "" {
			t.Errorf("%s: %+v, %v, %v", name, w, transfers, err)
		}
	}
	for _, amount := range []money.Amount{100, 5000} {
		if _, _, err := withdrawal.Request("w1", alice, terms, amount, withdrawal.Destination{Address: string(alice), OwnOnly: true}, 0, made); err != nil {
			t.Errorf("%d to oneself: %v", amount, err)
		}
	}
}

// TestEveryStepAndEveryIllegalStep tries each method in each state.
func TestEveryStepAndEveryIllegalStep(t *testing.T) {
	t.Parallel()
	for _, from := range withdrawal.Statuses() {
		for _, event := range withdrawal.Events() {
			w := in(t, from)
			if w.Status != from {
				t.Fatalf("the way to %s led to %s", from, w.Status)
			}
			after, transfers, err := do(w, event)
			to, legal := from.Next(event)
			if !legal {
				var refusal *fault.Error
				if !fault.Is(err, fault.InvalidState) || !errors.As(err, &refusal) || refusal.Details["status"] != string(from) ||
					transfers != nil || !reflect.DeepEqual(after, withdrawal.Withdrawal{}) {
					t.Errorf("%s on %s: %+v, %v, %v", from, event, after, transfers, err)
				}
				continue
			}
			if err != nil || after.Status != to || !after.UpdatedAt.Equal(later) || !after.CreatedAt.Equal(made) {
				t.Errorf("%s on %s: %+v, %v; want %s", from, event, after, err, to)
			}
			if moves := from.Open() && !to.Open(); moves != (len(transfers) == 1) {
				t.Errorf("%s on %s moves %v", from, event, transfers)
			}
		}
	}
}

func TestMoneyGoesBackOrOut(t *testing.T) {
	t.Parallel()
	for event, credit := range map[withdrawal.Event]ledger.Account{
		withdrawal.Reject: ledger.PlayerOf(alice), withdrawal.Cancel: ledger.PlayerOf(alice), withdrawal.Finalize: ledger.System(ledger.Chain),
	} {
		for _, from := range withdrawal.Statuses() {
			if _, legal := from.Next(event); !legal {
				continue
			}
			_, transfers, _ := do(in(t, from), event)
			if !slices.Equal(transfers, []ledger.Transfer{{Debit: ledger.HoldOf("w1"), Credit: credit, Token: money.SOL, Amount: 700}}) {
				t.Errorf("%s on %s: %+v", from, event, transfers)
			}
		}
	}
}

func TestOneApproval(t *testing.T) {
	t.Parallel()
	w, err := request(t).Approve(bob, "checked", 1, later)
	if err != nil || w.Status != withdrawal.Approved || w.Note != "checked" ||
		!slices.Equal(w.Approvals, []withdrawal.Approval{{By: bob, At: later, Note: "checked", Needed: 1}}) {
		t.Errorf("%+v, %v", w, err)
	}
}

func TestTwoPersons(t *testing.T) {
	t.Parallel()
	before := request(t)
	first, err := before.Approve(bob, "one", 2, later)
	if err != nil || first.Status != withdrawal.Pending || len(first.Approvals) != 1 || len(before.Approvals) != 0 {
		t.Fatalf("%+v, %v", first, err)
	}
	if _, err := first.Approve(bob, "again", 2, later); !fault.Is(err, fault.Forbidden) {
		t.Errorf("nobody counts twice: %v", err)
	}
	second, err := first.Approve(carol, "two", 2, later)
	if err != nil || second.Status != withdrawal.Approved || len(second.Approvals) != 2 || len(first.Approvals) != 1 {
		t.Errorf("%+v, %v", second, err)
	}
	if again, err := first.Approve(dave, "", 2, later); !fault.Is(err, fault.Forbidden) {
		t.Errorf("the destination itself approves: %+v, %v", again, err)
	}
	other, err := first.Approve(person('e'), "other", 2, later)
	if err != nil || second.Approvals[1].By != carol || other.Approvals[1].By != person('e') {
		t.Errorf("two futures of one past share memory: %+v", second.Approvals)
	}
	if _, transfers, err := first.Reject(bob, "changed my mind", later); err != nil || len(transfers) != 1 {
		t.Errorf("who approved may still reject: %v", err)
	}
}

func TestHowManyPersons(t *testing.T) {
	t.Parallel()
	for _, r := range []struct {
		above, amount, abovePerDay, perDay money.Amount
		want                               int
	}{
		{1000, 1000, token.NoTwoPerson, 9000, 1}, {1000, 1001, token.NoTwoPerson, 1001, 2}, {0, 1, token.NoTwoPerson, 1, 2},
		{token.NoTwoPerson, math.MaxInt64, token.NoTwoPerson, math.MaxInt64, 1},
		{1000, 1000, 5000, 5000, 1}, {1000, 1000, 5000, 5001, 2}, {token.NoTwoPerson, 1, 0, 1, 2},
	} {
		terms := token.Terms{TwoPersonAbove: r.above, TwoPersonAbovePerDay: r.abovePerDay}
		if got := withdrawal.ApprovalsNeeded(terms, r.amount, r.perDay); got != r.want {
			t.Errorf("%+v needs %d", r, got)
		}
	}
}

func TestAdminsCantDecideOnTheirOwnWithdrawals(t *testing.T) {
	t.Parallel()
	for _, from := range []withdrawal.Status{withdrawal.Pending, withdrawal.Failed} {
		for _, by := range []wallet.Address{alice, dave} {
			if _, err := in(t, from).Approve(by, "", 1, later); !fault.Is(err, fault.Forbidden) {
				t.Errorf("%s approved their own %s one: %v", by, from, err)
			}
			if _, transfers, err := in(t, from).Reject(by, "", later); !fault.Is(err, fault.Forbidden) || transfers != nil {
				t.Errorf("%s rejected their own %s one: %v", by, from, err)
			}
		}
	}
}

func TestAttemptsFollowOneAnother(t *testing.T) {
	t.Parallel()
	ok := must[withdrawal.Withdrawal](t)
	approved := in(t, withdrawal.Approved)
	for name, bad := range map[string]withdrawal.Attempt{
		"a gap": attempt(2), "the zeroth": attempt(0), "another's": {WithdrawalID: "w2", Number: 1},
	} {
		if _, err := approved.SignedAs(bad, later); !fault.Is(err, fault.InvalidState) {
			t.Errorf("%s: %v", name, err)
		}
	}
	first := ok(approved.SignedAs(attempt(1), later))
	if first.Attempt != 1 || first.Signature != "signature 1" {
		t.Errorf("%+v", first)
	}
	if _, err := first.SignedAs(attempt(2), later); !fault.Is(err, fault.InvalidState) {
		t.Errorf("signed anew while the first may land: %v", err)
	}
	dead := ok(first.Expired(later))
	if dead.Status != withdrawal.Approved || len(dead.Approvals) != 1 {
		t.Errorf("a dead attempt takes the approval with it: %+v", dead)
	}
	if _, err := dead.SignedAs(attempt(1), later); !fault.Is(err, fault.InvalidState) {
		t.Errorf("the first attempt twice: %v", err)
	}
	if second := ok(dead.SignedAs(attempt(2), later)); second.Attempt != 2 || second.Signature != "signature 2" {
		t.Errorf("%+v", second)
	}
}

func TestAFailedWithdrawalNeedsNewApprovals(t *testing.T) {
	t.Parallel()
	failed := in(t, withdrawal.Failed)
	if failed.Reason != "it broke" || failed.Approvals != nil {
		t.Errorf("%+v", failed)
	}
	again, err := failed.Approve(bob, "once more", 2, later)
	if err != nil || again.Status != withdrawal.Failed || again.Reason != "" {
		t.Fatalf("%+v, %v: one of two leaves it where it was", again, err)
	}
	again, err = again.Approve(carol, "", 2, later)
	if err != nil || again.Status != withdrawal.Approved || again.Attempt != 1 {
		t.Errorf("%+v, %v", again, err)
	}
}

// TestMoneyLeavesTheHoldOnce takes a random path and counts: the held amount is still
// held, or left exactly once.
func TestMoneyLeavesTheHoldOnce(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		amount := money.Amount(rapid.Int64Range(100, 5000).Draw(t, "amount"))
		w, transfers, err := withdrawal.Request("w1", alice, terms, amount, to(dave), 0, made)
		if err != nil {
			t.Fatal(err)
		}
		held := transfers[0].Amount
		for range rapid.IntRange(0, 30).Draw(t, "steps") {
			after, moved, err := do(w, rapid.SampledFrom(withdrawal.Events()).Draw(t, "event"))
			if err != nil {
				continue
			}
			for _, m := range moved {
				if m.Debit != ledger.HoldOf("w1") || m.Check() != nil {
					t.Fatalf("%+v", m)
				}
				held -= m.Amount
			}
			w = after
		}
		if want := map[bool]money.Amount{true: amount, false: 0}[w.Status.Open()]; held != want {
			t.Fatalf("%s with %d of %d held", w.Status, held, amount)
		}
	})
}

func TestWhatALandedTransactionCost(t *testing.T) {
	t.Parallel()
	transfers := withdrawal.Cost{Fee: 5000, Rent: 2_039_280}.Transfers()
	if !slices.Equal(transfers, []ledger.Transfer{{
		Debit: ledger.System(ledger.Fees), Credit: ledger.System(ledger.Chain), Token: money.SOL, Amount: 2_044_280,
	}}) {
		t.Errorf("%+v", transfers)
	}
	for _, none := range []withdrawal.Cost{{}, {Fee: money.Max, Rent: 1}} {
		if got := none.Transfers(); got != nil {
			t.Errorf("%+v books %+v", none, got)
		}
	}
}

// TestApprovedWithdrawalsAreCancelledOnlyIfUnpayable: other approved withdrawals may
// be signed at any moment.
func TestApprovedWithdrawalsAreCancelledOnlyIfUnpayable(t *testing.T) {
	t.Parallel()
	for _, status := range withdrawal.Statuses() {
		for reason, hindered := range map[string]bool{
			"": false, "the player is frozen": false, "it can never be paid: x": false,
			withdrawal.HinderedReason("destination: belongs to a program"): true,
		} {
			w := in(t, status)
			w.Reason = reason
			want := status == withdrawal.Pending || status == withdrawal.Approved && hindered
			after, transfers, err := w.Cancel(later)
			if w.Cancellable() != want || (err == nil) != want || want && (after.Status != withdrawal.Cancelled || len(transfers) != 1) ||
				!want && !fault.Is(err, fault.InvalidState) {
				t.Errorf("%s with reason %q: cancellable %v, %+v, %v", status, reason, w.Cancellable(), after, err)
			}
		}
	}
}
