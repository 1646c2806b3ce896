package deposit_test

import (
	"errors"
	"testing"
	"time"

	"github.com/casino-service/casino/domain/deposit"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/token"
)

func TestFindNamesTheSenderOrGoesToReview(t *testing.T) {
	t.Parallel()
	terms := token.Terms{Mint: money.SOL, Decimals: 9, Program: token.System, MinDeposit: 100}
	treasury := deposit.Treasury{Owner: "treasury", WrappedSOL: "wsol"}
	seen := func(signers []string, lamports ...deposit.LamportChange) deposit.Observation {
		return deposit.Observation{Signature: "s", Found: true, Finalized: true, Signers: signers, Lamports: lamports}
	}
	to := func(amount uint64) deposit.LamportChange {
		return deposit.LamportChange{Address: "treasury", Pre: 7, Post: 7 + amount}
	}
	from := func(who string, amount uint64) deposit.LamportChange {
		return deposit.LamportChange{Address: who, Pre: amount, Post: 0}
	}
	failed := seen([]string{"alice"}, from("alice", 500), to(500))
	failed.Failed = true
	early := failed
	early.Failed, early.Finalized = false, false
	for name, row := range map[string]struct {
		obs  deposit.Observation
		want deposit.Verdict
	}{
		"one sender": {seen([]string{"alice"}, from("alice", 505), to(500)),
			deposit.Verdict{Status: deposit.Credited, Amount: 500, Sender: "alice"}},
		"a fee payer beside the sender is a second owner": {seen([]string{"bob", "alice"}, from("bob", 5), from("alice", 500), to(500)),
			deposit.Verdict{Status: deposit.Review, Reason: deposit.NoSender, Amount: 500}},
		"two senders": {seen([]string{"alice", "bob"}, from("alice", 300), from("bob", 205), to(500)),
			deposit.Verdict{Status: deposit.Review, Reason: deposit.NoSender, Amount: 500}},
		"the payer did not sign": {seen([]string{"bob"}, from("alice", 505), to(500)),
			deposit.Verdict{Status: deposit.Review, Reason: deposit.NoSender, Amount: 500}},
		"below the minimum": {seen([]string{"alice"}, from("alice", 99), to(99)),
			deposit.Verdict{Status: deposit.Rejected, Reason: deposit.BelowMinimum, Sender: "alice"}},
		"the treasury moves its own": {seen([]string{"treasury"}, to(500)),
			deposit.Verdict{Status: deposit.Rejected, Reason: deposit.TreasurySigned}},
		"nothing arrived": {seen([]string{"alice"}, from("alice", 500)),
			deposit.Verdict{Status: deposit.Rejected, Reason: deposit.NoCredit}},
		"more than an amount holds": {seen([]string{"bob"}, deposit.LamportChange{Address: "treasury", Post: 1 << 63}),
			deposit.Verdict{Status: deposit.Review, Reason: deposit.AmountTooLarge}},
		"wrapped SOL": {deposit.Observation{Signature: "s", Found: true, Finalized: true, Signers: []string{"alice"}, Tokens: []deposit.TokenChange{
			wrapped("alice/wsol", "alice", 500, 0), wrapped("wsol", "treasury", 7, 507),
		}}, deposit.Verdict{Status: deposit.Review, Reason: deposit.WrappedSOL, Amount: 500}},
		"wrapped SOL whose account was handed over": {deposit.Observation{Signature: "s", Found: true, Finalized: true, Signers: []string{"alice"},
			Tokens: []deposit.TokenChange{{
				Account: "wsol", Mint: money.SOL, Program: token.SPL, Decimals: 9, OwnerPre: "alice", OwnerPost: "treasury", Post: 500,
			}}}, deposit.Verdict{Status: deposit.Rejected, Reason: deposit.NoCredit}},
		"failed":        {failed, deposit.Verdict{Status: deposit.Rejected, Reason: deposit.TransactionFailed}},
		"not finalized": {early, deposit.Verdict{Status: deposit.Pending}},
		"not found":     {deposit.Observation{}, deposit.Verdict{Status: deposit.Pending, Reason: deposit.NotFound}},
	} {
		if got := deposit.Find(row.obs, terms, treasury); got != row.want {
			t.Errorf("%s: %+v, want %+v", name, got, row.want)
		}
	}
}

func TestPaymentsBeforeTheWatchAreNoDeposits(t *testing.T) {
	t.Parallel()
	terms := token.Terms{Mint: money.SOL, Decimals: 9, Program: token.System, MinDeposit: 100}
	for name, row := range map[string]struct {
		slot, after uint64
		want        deposit.Verdict
	}{
		"long before":            {1, 10, deposit.Verdict{Status: deposit.Rejected, Reason: deposit.BeforeWatch}},
		"in the slot it began":   {10, 10, deposit.Verdict{Status: deposit.Rejected, Reason: deposit.BeforeWatch}},
		"in the next":            {11, 10, deposit.Verdict{Status: deposit.Credited, Amount: 500, Sender: "alice"}},
		"where nobody watches":   {0, 0, deposit.Verdict{Status: deposit.Credited, Amount: 500, Sender: "alice"}},
		"on a chain that is new": {1, 0, deposit.Verdict{Status: deposit.Credited, Amount: 500, Sender: "alice"}},
	} {
		treasury := deposit.Treasury{Owner: "treasury", WrappedSOL: "wsol", After: row.after}
		obs := deposit.Observation{
			Signature: "s", Found: true, Finalized: true, Slot: row.slot, Signers: []string{"alice"},
			Lamports: []deposit.LamportChange{{Address: "alice", Pre: 500}, {Address: "treasury", Post: 500}},
		}
		if got := deposit.Find(obs, terms, treasury); got != row.want {
			t.Errorf("%s: found %+v, want %+v", name, got, row.want)
		}
		if got := deposit.Judge(obs, "alice", terms, treasury); got != row.want {
			t.Errorf("%s: claimed %+v, want %+v", name, got, row.want)
		}
	}
}

func TestArrivedCountsTheTreasurysOwnAccountAlone(t *testing.T) {
	t.Parallel()
	terms := token.Terms{Mint: "usd", Decimals: 6, Program: token.SPL}
	treasury := deposit.Treasury{Owner: "treasury", TokenAccount: "ata"}
	good := deposit.TokenChange{
		Account: "ata", Mint: "usd", Program: token.SPL, Decimals: 6, OwnerPre: "treasury", OwnerPost: "treasury", Pre: 10, Post: 60,
	}
	for name, row := range map[string]struct {
		change func(*deposit.TokenChange)
		amount money.Amount
		reason deposit.Reason
	}{
		"paid":               {func(*deposit.TokenChange) {}, 50, deposit.NoReason},
		"opened and paid":    {func(c *deposit.TokenChange) { c.OwnerPre, c.Pre = "", 0 }, 60, deposit.NoReason},
		"another account":    {func(c *deposit.TokenChange) { c.Account = "other" }, 0, deposit.NoCredit},
		"handed over":        {func(c *deposit.TokenChange) { c.OwnerPre = "mallory" }, 0, deposit.OwnerChanged},
		"another mint":       {func(c *deposit.TokenChange) { c.Mint = "usb" }, 0, deposit.WrongToken},
		"it fell":            {func(c *deposit.TokenChange) { c.Post = 9 }, 0, deposit.NoCredit},
		"beyond every limit": {func(c *deposit.TokenChange) { c.Post = 1<<64 - 1 }, 0, deposit.AmountTooLarge},
	} {
		change := good
		row.change(&change)
		obs := deposit.Observation{Found: true, Finalized: true, Signers: []string{"x"}, Tokens: []deposit.TokenChange{change}}
		amount, reason := deposit.Arrived(obs, terms, treasury)
		if amount != row.amount || reason != row.reason {
			t.Errorf("%s: %d, %q; want %d, %q", name, amount, reason, row.amount, row.reason)
		}
	}
}

func TestParkedIsTriedLaterEachTimeAndForEver(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC)
	p := deposit.Parked{FoundAt: now}
	for _, want := range []time.Duration{5, 10, 20, 40, 80, 160, 320, 640, 1280, 2560, 3600, 3600} {
		p = p.Retry(deposit.Unreadable, now)
		if got := p.NextAt.Sub(now); got != want*time.Second || p.Status != deposit.Pending {
			t.Fatalf("try %d comes after %v, want %v", p.Tries, got, want*time.Second)
		}
	}
	for range 100 {
		p = p.Retry(deposit.Unreadable, now)
	}
	if p.NextAt.Sub(now) != deposit.RetryLast || p.Tries != 112 {
		t.Errorf("%+v", p)
	}
	if ended := p.Close(deposit.Review, deposit.NoSender, 5); ended.Status != deposit.Review || ended.Amount != 5 || !ended.NextAt.IsZero() {
		t.Errorf("%+v", ended)
	}
}

func TestCapitalIsWhatTheTransactionPaid(t *testing.T) {
	t.Parallel()
	for name, row := range map[string]struct {
		change  func(*deposit.Observation)
		amount  money.Amount
		kind    fault.Kind
		details [2]any
	}{
		"another amount":      {func(*deposit.Observation) {}, 999, fault.AmountOutOfRange, [2]any{"received", int64(1000)}},
		"more":                {func(*deposit.Observation) {}, 1001, fault.AmountOutOfRange, [2]any{"received", int64(1000)}},
		"not on chain":        {func(o *deposit.Observation) { *o = deposit.Observation{} }, 1000, fault.InvalidState, [2]any{"reason", string(deposit.NotFound)}},
		"not final":           {func(o *deposit.Observation) { o.Finalized = false }, 1000, fault.InvalidState, [2]any{"status", string(deposit.Pending)}},
		"not readable":        {func(o *deposit.Observation) { o.Incomplete = true }, 1000, fault.InvalidState, [2]any{"reason", string(deposit.Unreadable)}},
		"failed":              {func(o *deposit.Observation) { o.Failed = true }, 1000, fault.InvalidState, [2]any{"reason", string(deposit.TransactionFailed)}},
		"signed by the house": {func(o *deposit.Observation) { o.Signers = append(o.Signers, treasury.Owner) }, 1000, fault.InvalidState, [2]any{"reason", string(deposit.TreasurySigned)}},
		"another mint": {func(o *deposit.Observation) {
			for i := range o.Tokens {
				o.Tokens[i].Mint = "another"
			}
		}, 1000, fault.InvalidState, [2]any{"reason", string(deposit.WrongToken)}},
		"the other direction": {func(o *deposit.Observation) {
			for i, c := range o.Tokens {
				o.Tokens[i].Pre, o.Tokens[i].Post = c.Post, c.Pre
			}
		}, 1000, fault.InvalidState, [2]any{"reason", string(deposit.NoCredit)}},
	} {
		err := deposit.CheckCapital(with(paid(), row.change), tokenTerms, treasury, row.amount)
		var refusal *fault.Error
		if !fault.Is(err, row.kind) || !errors.As(err, &refusal) || refusal.Details[row.details[0].(string)] != row.details[1] {
			t.Errorf("%s: %v, %+v", name, err, refusal)
		}
	}
	if err := deposit.CheckCapital(paid(), tokenTerms, treasury, 1000); err != nil {
		t.Errorf("what was paid: %v", err)
	}
}
