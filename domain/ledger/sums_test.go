package ledger_test

import (
	"maps"
	"testing"

	"github.com/casino-service/casino/domain/ledger"
	"github.com/casino-service/casino/domain/money"
)

// TestSumsShowAnUnsoundBook: Sums is what others prove a book by, so it must be
// seen to fail. No posting makes an unsound book, the test does.
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
