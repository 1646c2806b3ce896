package treasury_test

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/casino-service/casino/domain/deposit"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/treasury"
)

const (
	house = "house"
	usd   = money.Token("usd")
)

var noon = time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC)

func lamports(address string, pre, post uint64) deposit.LamportChange {
	return deposit.LamportChange{Address: address, Pre: pre, Post: post}
}

func units(account, owner string, pre, post uint64) deposit.TokenChange {
	return deposit.TokenChange{Account: account, Mint: usd, OwnerPre: owner, OwnerPost: owner, Pre: pre, Post: post}
}

func opened(account, owner string, post uint64) deposit.TokenChange {
	return deposit.TokenChange{Account: account, Mint: usd, OwnerPost: owner, Post: post}
}

func observed(signers []string, sol []deposit.LamportChange, tokens ...deposit.TokenChange) treasury.Observed {
	return treasury.Observed{
		Observation: deposit.Observation{Signature: "sig", Found: true, Finalized: true, Signers: signers, Lamports: sol, Tokens: tokens},
		Slot:        7, At: noon, Fee: 5, Memo: "w1 0123456789abcdef",
	}
}

func TestAMovementIsReadFromItsEffect(t *testing.T) {
	t.Parallel()
	signed := []string{house}
	sol := func(amount money.Amount, to string) treasury.Payment {
		return treasury.Payment{Token: money.SOL, Amount: amount, Destination: to}
	}
	usds := func(amount money.Amount, to string) treasury.Payment {
		return treasury.Payment{Token: usd, Amount: amount, Destination: to}
	}
	wrapped := opened("wrap", house, 40)
	wrapped.Mint = money.SOL
	handed := units("own", house, 30, 30)
	handed.OwnerPost = "dave"
	for name, row := range map[string]struct {
		seen     treasury.Observed
		payments []treasury.Payment
		fee      money.Amount
		rent     money.Amount
	}{
		"a payout in SOL":                    {observed(signed, []deposit.LamportChange{lamports(house, 100, 65), lamports("dave", 0, 30)}), []treasury.Payment{sol(30, "dave")}, 5, 0},
		"one that cost its fee":              {observed(signed, []deposit.LamportChange{lamports(house, 100, 95)}), nil, 5, 0},
		"another one paid the fee":           {observed([]string{"eve", house}, []deposit.LamportChange{lamports("eve", 9, 34), lamports(house, 100, 70)}), []treasury.Payment{sol(30, "eve")}, 0, 0},
		"SOL to two":                         {observed(signed, []deposit.LamportChange{lamports(house, 100, 65), lamports("dave", 0, 10), lamports("eve", 1, 21)}), []treasury.Payment{sol(30, "")}, 5, 0},
		"a payout in a token":                {observed(signed, []deposit.LamportChange{lamports(house, 100, 95)}, units("own", house, 50, 20), units("his", "dave", 0, 30)), []treasury.Payment{usds(30, "dave")}, 5, 0},
		"a token with a fee on transfers":    {observed(signed, []deposit.LamportChange{lamports(house, 100, 95)}, units("own", house, 50, 20), units("his", "dave", 0, 28)), []treasury.Payment{usds(30, "dave")}, 5, 0},
		"a token into a new account":         {observed(signed, []deposit.LamportChange{lamports(house, 100, 75), lamports("his", 0, 20)}, units("own", house, 50, 20), opened("his", "dave", 30)), []treasury.Payment{usds(30, "dave")}, 5, 20},
		"SOL beside a token":                 {observed(signed, []deposit.LamportChange{lamports(house, 100, 65), lamports("his", 0, 20), lamports("eve", 0, 10)}, units("own", house, 50, 20), opened("his", "dave", 30)), []treasury.Payment{sol(10, "eve"), usds(30, "dave")}, 5, 20},
		"a token to two":                     {observed(signed, []deposit.LamportChange{lamports(house, 100, 95)}, units("own", house, 50, 20), units("his", "dave", 0, 10), units("hers", "eve", 0, 20)), []treasury.Payment{usds(30, "")}, 5, 0},
		"an account handed over":             {observed(signed, []deposit.LamportChange{lamports(house, 100, 95)}, handed), []treasury.Payment{usds(30, "dave")}, 5, 0},
		"its own accounts in between":        {observed(signed, []deposit.LamportChange{lamports(house, 100, 95)}, units("own", house, 50, 20), units("other", house, 0, 30)), nil, 5, 0},
		"SOL that is wrapped stays":          {observed(signed, []deposit.LamportChange{lamports(house, 100, 35), lamports("wrap", 0, 60)}, wrapped), nil, 5, 20},
		"more came than left":                {observed(signed, []deposit.LamportChange{lamports(house, 100, 300), lamports("eve", 300, 95)}), nil, 5, 0},
		"what no amount can hold, saturated": {observed(signed, []deposit.LamportChange{lamports(house, 1<<64-1, 0), lamports("eve", 0, 1<<64-6)}), []treasury.Payment{sol(money.Max, "eve")}, 5, 0},
	} {
		m, ok := treasury.Read(row.seen, house)
		if !ok || !slices.Equal(m.Payments, row.payments) || m.Fee != row.fee || m.Rent != row.rent {
			t.Errorf("%s: %+v, %v", name, m, ok)
		}
		if m.Signature != "sig" || m.Slot != 7 || !m.At.Equal(noon) || m.WithdrawalID != "w1" || m.Tag != "0123456789abcdef" {
			t.Errorf("%s: %+v", name, m)
		}
	}
	if _, ok := treasury.Read(observed([]string{"eve"}, []deposit.LamportChange{lamports("eve", 9, 3), lamports(house, 1, 2)}), house); ok {
		t.Error("a lamport from somebody with a withdrawal's memo is a movement of the treasury")
	}
}

func TestAMovementPaysExactlyOnePayment(t *testing.T) {
	t.Parallel()
	one := treasury.Payment{Token: usd, Amount: 30, Destination: "dave"}
	m := treasury.Movement{Payments: []treasury.Payment{one}}
	failed, two, none := m, m, m
	failed.Failed = true
	two.Payments, none.Payments = []treasury.Payment{one, one}, nil
	for name, row := range map[string]struct {
		m    treasury.Movement
		want bool
	}{"one": {m, true}, "failed": {failed, false}, "two": {two, false}, "none": {none, false}} {
		if row.m.Pays(usd, 30, "dave") != row.want {
			t.Errorf("%s: %v", name, !row.want)
		}
	}
	if m.Pays(money.SOL, 30, "dave") || m.Pays(usd, 31, "dave") || m.Pays(usd, 30, "eve") {
		t.Error("it pays something else")
	}
}

func TestWhatAnIndexCovers(t *testing.T) {
	t.Parallel()
	for name, row := range map[string]struct {
		p         treasury.Position
		requested time.Time
		status    string // empty if it covers
	}{
		"never complete":                 {treasury.Position{Cursor: "x", At: noon}, noon, treasury.StaleStatus},
		"a minute old":                   {treasury.Position{Slot: 1, At: noon.Add(-time.Minute)}, noon, ""},
		"more than a minute old":         {treasury.Position{Slot: 1, At: noon.Add(-time.Minute - 1)}, noon, treasury.StaleStatus},
		"a minute ahead":                 {treasury.Position{Slot: 1, At: noon.Add(time.Minute)}, noon, ""},
		"more than a minute ahead":       {treasury.Position{Slot: 1, At: noon.Add(time.Minute + 1)}, noon, treasury.StaleStatus},
		"requested since it begins":      {treasury.Position{Slot: 1, At: noon, Since: noon}, noon, ""},
		"requested before it begins":     {treasury.Position{Slot: 1, At: noon, Since: noon}, noon.Add(-1), treasury.UnknownStatus},
		"old, in a history that's whole": {treasury.Position{Slot: 1, At: noon}, time.Time{}, ""},
	} {
		err := row.p.Covers(row.requested, noon)
		var refusal *fault.Error
		if errors.As(err, &refusal) != (row.status != "") || refusal != nil && refusal.Details["status"] != row.status {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestMemosAreReadAsTheyAreWritten(t *testing.T) {
	t.Parallel()
	for _, pair := range [][2]string{{"w1", ""}, {"019ab-1", "0123456789abcdef"}, {strings.Repeat("x", 64), "ffffffffffffffff"}} {
		if id, tag, ok := treasury.ParseMemo(treasury.Memo(pair[0], pair[1])); !ok || id != pair[0] || tag != pair[1] {
			t.Errorf("%v: %q %q %v", pair, id, tag, ok)
		}
	}
	for _, text := range []string{
		"", " ", " 0123456789abcdef", "w1 ", "w1 0123456789abcde", "w1 0123456789abcdef0", "w1 0123456789ABCDEF", "w1  0123456789abcdef",
		"w1 0123456789abcdef ", "w\x001", "w\n1", "é", strings.Repeat("x", 65), "thank you",
	} {
		if id, tag, ok := treasury.ParseMemo(text); ok || id != "" || tag != "" {
			t.Errorf("%q: %q %q %v", text, id, tag, ok)
		}
	}
}
