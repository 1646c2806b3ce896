package ledger_test

import (
	"fmt"
	"maps"
	"math/big"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/ledger"
	"github.com/casino-service/casino/domain/money"
)

var accounts = []ledger.Account{
	ledger.PlayerOf("alice"), ledger.PlayerOf("bob"), ledger.HoldOf("w1"), ledger.UnclaimedOf("carol"),
	ledger.System(ledger.House), ledger.System(ledger.Chain), ledger.ProviderOf("p"), ledger.AgentOf("p"),
}

func transfers(t *rapid.T) []ledger.Transfer {
	return rapid.SliceOfN(rapid.Custom(func(t *rapid.T) ledger.Transfer {
		pair := rapid.Permutation(accounts).Draw(t, "accounts")
		return ledger.Transfer{
			Debit: pair[0], Credit: pair[1], Token: rapid.SampledFrom([]money.Token{"sol", "usd"}).Draw(t, "token"),
			Amount: money.Amount(rapid.OneOf(rapid.Int64Range(1, 50), rapid.Int64Range(1, int64(money.Max))).Draw(t, "amount")),
		}
	}), 1, 4).Draw(t, "transfers")
}

// TestBookAgainstBigIntegers compares the book with a map of big integers.
func TestBookAgainstBigIntegers(t *testing.T) {
	t.Parallel()
	largest := big.NewInt(int64(money.Max))
	rapid.Check(t, func(t *rapid.T) {
		var book ledger.Book
		model := map[string]*big.Int{}
		for i := range rapid.IntRange(1, 30).Draw(t, "postings") {
			posting := ledger.Posting{Key: ledger.Key{Kind: ledger.Adjust, ID: fmt.Sprint(i)}, Transfers: transfers(t)}
			next, possible := map[string]*big.Int{}, true
			for name, amount := range model {
				next[name] = new(big.Int).Set(amount)
			}
			for _, move := range posting.Transfers {
				for _, side := range []struct {
					account ledger.Account
					sign    int64
				}{{move.Debit, -1}, {move.Credit, 1}} {
					name := side.account.String() + "/" + string(move.Token)
					if next[name] == nil {
						next[name] = new(big.Int)
					}
					next[name].Add(next[name], new(big.Int).Mul(big.NewInt(side.sign), big.NewInt(int64(move.Amount))))
					if side.account.Kind.Liability() && (next[name].Sign() < 0 || next[name].Cmp(largest) > 0) {
						possible = false
					}
				}
			}
			if err := book.Post(posting); (err == nil) != possible {
				t.Fatalf("%+v: %v, possible %v", posting, err, possible)
			}
			if possible {
				model = next
			}
			same(t, &book, model)
		}
	})
}

func same(t *rapid.T, book *ledger.Book, model map[string]*big.Int) {
	stored := book.Balances()
	if len(stored) != len(model) {
		t.Fatalf("the book has %d balances, the model %d", len(stored), len(model))
	}
	totals := map[ledger.Account]map[money.Token]money.Total{}
	for _, b := range stored {
		if want := model[b.Account.String()+"/"+string(b.Token)]; want == nil || want.Cmp(b.Amount.Big()) != 0 {
			t.Fatalf("%v has %v of %s, the model %v", b.Account, b.Amount, b.Token, want)
		}
		if book.Balance(b.Account, b.Token) != b.Amount {
			t.Fatalf("%v has two balances", b.Account)
		}
		bucket := b.Account.Bucket()
		if totals[bucket] == nil {
			totals[bucket] = map[money.Token]money.Total{}
		}
		totals[bucket][b.Token] = totals[bucket][b.Token].Add(b.Amount)
	}
	if !maps.EqualFunc(totals, book.Totals(), maps.Equal) {
		t.Fatalf("totals %v, want %v", book.Totals(), totals)
	}
	for token, sum := range book.Sums() {
		if sum.Sign() != 0 {
			t.Fatalf("all accounts of %s add up to %v", token, sum)
		}
	}
}

func deposit(id string, amount money.Amount) ledger.Posting {
	return ledger.Posting{
		Key: ledger.Key{Kind: ledger.Deposit, Scope: "sol", ID: id},
		Transfers: []ledger.Transfer{{
			Debit: ledger.System(ledger.Chain), Credit: ledger.PlayerOf("alice"), Token: "sol", Amount: amount,
		}},
	}
}

func TestKeysAreUsedOnce(t *testing.T) {
	t.Parallel()
	var book ledger.Book
	for range 3 {
		if err := book.Post(deposit("tx", 100)); err != nil {
			t.Fatal(err)
		}
	}
	if err := book.Post(deposit("tx", 101)); !fault.Is(err, fault.IdempotencyConflict) {
		t.Errorf("other transfers under the same key: %v", err)
	}
	for _, other := range []ledger.Key{
		{Kind: ledger.Adjust, Scope: "sol", ID: "tx"}, {Kind: ledger.Deposit, Scope: "usd", ID: "tx"},
		{Kind: ledger.Deposit, Scope: "solt", ID: "x"}, {Kind: ledger.Deposit, ID: "soltx"},
	} {
		again := deposit("tx", 1)
		again.Key = other
		if err := book.Post(again); err != nil {
			t.Errorf("%v: %v", other, err)
		}
	}
	if got := book.Balance(ledger.PlayerOf("alice"), "sol"); got != money.TotalOf(104) {
		t.Errorf("alice has %v", got)
	}
	posted, ok := book.Posted(ledger.Key{Kind: ledger.Deposit, Scope: "sol", ID: "tx"})
	if !ok || !slices.Equal(posted, deposit("tx", 100).Transfers) {
		t.Errorf("posted %v, %v", posted, ok)
	}
	posted[0].Amount = 1
	if kept, _ := book.Posted(ledger.Key{Kind: ledger.Deposit, Scope: "sol", ID: "tx"}); kept[0].Amount != 100 {
		t.Error("what Posted returns is the book's own")
	}
	if _, ok := book.Posted(ledger.Key{Kind: ledger.Deposit, Scope: "sol", ID: "none"}); ok {
		t.Error("a key that was never used is posted")
	}
}

// A posting with an empty key would block all others with an empty key.
func TestAKeyNeedsAKindAndAnID(t *testing.T) {
	t.Parallel()
	for _, key := range []ledger.Key{{}, {Kind: ledger.Adjust}, {ID: "a"}, {Kind: ledger.Deposit, Scope: "sol"}, {Scope: "sol", ID: "tx"}} {
		var book ledger.Book
		posting := deposit("tx", 100)
		posting.Key = key
		for how, err := range map[string]error{"posted": book.Post(posting), "added": book.Add(posting), "checked": key.Check()} {
			if err == nil {
				t.Errorf("%v is %s", key, how)
			}
		}
		if _, ok := book.Posted(key); ok || len(book.Balances()) != 0 {
			t.Errorf("%v: the book is %v", key, book.Balances())
		}
	}
}

func TestRefusedPostingsChangeNothing(t *testing.T) {
	t.Parallel()
	alice, hold, house := ledger.PlayerOf("alice"), ledger.HoldOf("w"), ledger.System(ledger.House)
	move := func(from, to ledger.Account, amount money.Amount) ledger.Transfer {
		return ledger.Transfer{Debit: from, Credit: to, Token: "sol", Amount: amount}
	}
	for name, row := range map[string]struct {
		transfers []ledger.Transfer
		want      fault.Kind
	}{
		"more than there is":            {[]ledger.Transfer{move(alice, house, 101)}, fault.InsufficientFunds},
		"the second of two":             {[]ledger.Transfer{move(alice, house, 60), move(alice, hold, 41)}, fault.InsufficientFunds},
		"below zero for a moment":       {[]ledger.Transfer{move(alice, house, 101), move(house, alice, 101)}, fault.InsufficientFunds},
		"more than an account can have": {[]ledger.Transfer{move(house, alice, money.Max)}, fault.AmountOutOfRange},
		"an empty hold":                 {[]ledger.Transfer{move(hold, alice, 1)}, fault.InsufficientFunds},
		"nothing at all":                {[]ledger.Transfer{move(alice, house, 0)}, fault.Internal},
		"less than nothing":             {[]ledger.Transfer{move(alice, house, -1)}, fault.Internal},
		"to itself":                     {[]ledger.Transfer{move(alice, alice, 1)}, fault.Internal},
		"to nobody":                     {[]ledger.Transfer{move(alice, ledger.Account{}, 1)}, fault.Internal},
		"good first, then impossible":   {[]ledger.Transfer{move(alice, house, 1), move(alice, alice, 1)}, fault.Internal},
	} {
		var book ledger.Book
		if err := book.Post(deposit("tx", 100)); err != nil {
			t.Fatal(err)
		}
		before := fmt.Sprint(book.Balances())
		key := ledger.Key{Kind: ledger.Adjust, ID: "a"}
		if err := book.Post(ledger.Posting{Key: key, Transfers: row.transfers}); !fault.Is(err, row.want) {
			t.Errorf("%s: %v", name, err)
		}
		if _, ok := book.Posted(key); ok || fmt.Sprint(book.Balances()) != before {
			t.Errorf("%s: the book is %v, it was %v", name, book.Balances(), before)
		}
	}
}

func TestAccountsAreWrittenOneWay(t *testing.T) {
	t.Parallel()
	for _, kind := range ledger.Kinds() {
		account := ledger.Account{Kind: kind}
		if kind.Owned() {
			account.Owner = "some:owner"
		}
		if !account.Valid() {
			t.Errorf("%v is no account", account)
		}
		for _, a := range []ledger.Account{account, account.Bucket()} {
			if got, ok := ledger.ParseAccount(a.String()); !ok || got != a {
				t.Errorf("%q reads as %+v, %v", a, got, ok)
			}
		}
		if kind.Liability() && (!kind.Owned() || kind.Bankroll()) {
			t.Errorf("%v is owed to players and nobody's, or the house's own", kind)
		}
		account.Owner = map[bool]string{true: "", false: "somebody"}[kind.Owned()]
		if account.Valid() {
			t.Errorf("%+v is an account", account)
		}
	}
	for _, text := range []string{"", "player:", "nobody", "unknown", ":x", "Player:x"} {
		if got, ok := ledger.ParseAccount(text); ok {
			t.Errorf("%q reads as %+v", text, got)
		}
	}
	for _, bad := range []ledger.Kind{0, 99} {
		if (ledger.Account{Kind: bad}).Valid() || bad.String() != "unknown" {
			t.Errorf("kind %d is one", bad)
		}
	}
	own := []ledger.Kind{}
	for _, kind := range ledger.Kinds() {
		if kind.Bankroll() {
			own = append(own, kind)
		}
	}
	if want := []ledger.Kind{ledger.House, ledger.Adjustment, ledger.Capital, ledger.Fees}; !slices.Equal(own, want) {
		t.Errorf("the bankroll is %v, want %v", own, want)
	}
}

func ExampleBook() {
	alice, house := ledger.PlayerOf("alice"), ledger.System(ledger.House)
	var book ledger.Book
	post := func(key ledger.Key, moves ...ledger.Transfer) {
		err := book.Post(ledger.Posting{Key: key, Transfers: moves})
		fmt.Println(key, err, book.Balance(alice, "sol"), book.Balance(house, "sol"))
	}
	post(ledger.Key{Kind: ledger.Deposit, Scope: "sol", ID: "tx"},
		ledger.Transfer{Debit: ledger.System(ledger.Chain), Credit: alice, Token: "sol", Amount: 1000})
	post(ledger.Key{Kind: ledger.Round, ID: "r1"},
		ledger.Transfer{Debit: alice, Credit: house, Token: "sol", Amount: 100},
		ledger.Transfer{Debit: house, Credit: alice, Token: "sol", Amount: 198})
	post(ledger.Key{Kind: ledger.Round, ID: "r2"},
		ledger.Transfer{Debit: alice, Credit: house, Token: "sol", Amount: 5000})
	fmt.Println(book.Sums()["sol"])
	// Output:
	// (deposit, "sol", "tx") <nil> 1000 0
	// (round, "", "r1") <nil> 1098 -98
	// (round, "", "r2") player:alice would fall to -3902 1098 -98
	// 0
}

// TestPostingsWithoutAnOrder adds postings in reverse: accounts are below zero on the
// way, and the final book is the same.
func TestPostingsWithoutAnOrder(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		player, house := ledger.PlayerOf("alice"), ledger.System(ledger.House)
		var ordered, added ledger.Book
		var booked []ledger.Posting
		for i := range rapid.IntRange(1, 20).Draw(t, "postings") {
			moved := ledger.Transfer{Debit: house, Credit: player, Token: "token", Amount: money.Amount(rapid.IntRange(1, 9).Draw(t, "amount"))}
			if rapid.Bool().Draw(t, "back") {
				moved.Debit, moved.Credit = player, house
			}
			posting := ledger.Posting{Key: ledger.Key{Kind: "adjustment", ID: fmt.Sprint(i)}, Transfers: []ledger.Transfer{moved}}
			if ordered.Post(posting) == nil {
				booked = append(booked, posting)
			}
		}
		for _, posting := range slices.Backward(booked) {
			if err := added.Add(posting); err != nil {
				t.Fatal(err)
			}
		}
		if !slices.Equal(added.Balances(), ordered.Balances()) || len(added.OutOfBounds()) > 0 {
			t.Fatalf("%v, in order %v; out of bounds %v", added.Balances(), ordered.Balances(), added.OutOfBounds())
		}
		held, _ := added.Balance(player, "token").Amount()
		over := ledger.Posting{Key: ledger.Key{Kind: "adjustment", ID: "over"}, Transfers: []ledger.Transfer{
			{Debit: player, Credit: house, Token: "token", Amount: held + 1},
		}}
		if err := added.Add(over); err != nil {
			t.Fatal(err)
		}
		if out := added.OutOfBounds(); len(out) != 1 || out[0].Account != player {
			t.Fatalf("out of bounds: %v", out)
		}
	})
}

func TestPostingsAreComparedAsValues(t *testing.T) {
	t.Parallel()
	posting := deposit("tx", 100)
	if !posting.Equal(deposit("tx", 100)) {
		t.Error("the same posting is another")
	}
	for name, other := range map[string]ledger.Posting{
		"another key":       deposit("other", 100),
		"another amount":    deposit("tx", 101),
		"no transfer":       {Key: posting.Key},
		"one transfer more": {Key: posting.Key, Transfers: append(slices.Clone(posting.Transfers), posting.Transfers[0])},
	} {
		if posting.Equal(other) || other.Equal(posting) {
			t.Errorf("%s: is the same", name)
		}
	}
	order := ledger.Posting{Key: posting.Key, Transfers: append(slices.Clone(posting.Transfers), deposit("tx", 5).Transfers...)}
	turned := ledger.Posting{Key: order.Key, Transfers: slices.Clone(order.Transfers)}
	slices.Reverse(turned.Transfers)
	if order.Equal(turned) {
		t.Error("another order is the same")
	}
}

// TestSumsShowAnUnsoundBook: Sums proves a book correct, so it must be seen to fail. The
// test makes the incorrect book, because no posting can.
func TestSumsShowAnUnsoundBook(t *testing.T) {
	t.Parallel()
	var book ledger.Book
	house, chain := ledger.System(ledger.House), ledger.System(ledger.Chain)
	for id, token := range map[string]money.Token{"1": money.SOL, "2": "usd"} {
		err := book.Post(ledger.Posting{
			Key:       ledger.Key{Kind: ledger.TopUp, ID: id},
			Transfers: []ledger.Transfer{{Debit: chain, Credit: house, Token: token, Amount: 100}},
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if got := book.Sums(); !maps.Equal(got, map[money.Token]money.Total{money.SOL: {}, "usd": {}}) {
		t.Errorf("a sound book sums up to %v", got)
	}
	book.Unbalance(house, "usd", money.TotalOf(103))
	if got := book.Sums(); !maps.Equal(got, map[money.Token]money.Total{money.SOL: {}, "usd": money.TotalOf(3)}) {
		t.Errorf("a book with 3 too much sums up to %v", got)
	}
	book.Unbalance(house, "usd", money.TotalOf(99))
	if got := book.Sums()["usd"]; got != money.TotalOfInt(-1) {
		t.Errorf("a book that lacks 1 sums up to %v", got)
	}
}

func TestBucketsKeepOwnersButOfLiabilities(t *testing.T) {
	t.Parallel()
	for account, bucket := range map[ledger.Account]ledger.Account{
		ledger.PlayerOf("alice"):      {Kind: ledger.Player},
		ledger.HoldOf("w1"):           {Kind: ledger.Hold},
		ledger.UnclaimedOf("bob"):     {Kind: ledger.Unclaimed},
		ledger.AgentOf("north"):       ledger.AgentOf("north"),
		ledger.ProviderOf("goldapi"):  ledger.ProviderOf("goldapi"),
		ledger.System(ledger.Capital): ledger.System(ledger.Capital),
	} {
		if got := account.Bucket(); got != bucket {
			t.Errorf("%v is summed under %v, want %v", account, got, bucket)
		}
	}
	if got := ledger.Kind(len(ledger.Kinds()) + 1).String(); got != "unknown" {
		t.Errorf("the kind after the last is called %q", got)
	}
}

func TestATransferNamesItsToken(t *testing.T) {
	t.Parallel()
	transfer := ledger.Transfer{Debit: ledger.System(ledger.Chain), Credit: ledger.System(ledger.House), Amount: 1}
	if transfer.Check() == nil {
		t.Error("a transfer of no token passes")
	}
	transfer.Token = money.SOL
	if err := transfer.Check(); err != nil {
		t.Error(err)
	}
}
