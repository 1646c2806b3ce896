package app_test

import (
	"strings"
	"testing"
	"time"

	"github.com/casino-service/casino/adapters/memory"
	"github.com/casino-service/casino/app"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/rbac"
	"github.com/casino-service/casino/domain/token"
	"github.com/casino-service/casino/test/fakes"
)

// TestTermsWithoutABankrollShareAreRefusedAtStart: both tokens are named at once.
func TestTermsWithoutABankrollShareAreRefusedAtStart(t *testing.T) {
	t.Parallel()
	games, err := fakes.HouseGames()
	if err != nil {
		t.Fatal(err)
	}
	first, second := fakes.Terms(), fakes.TermsOf("USDC")
	first.BankrollShare, second.BankrollShare = money.Ratio{}, money.Ratio{Num: 2, Den: 1}
	clock := fakes.NewClock(fakes.Start)
	_, err = app.New(app.Deps{
		Store: app.StoreOf(memory.New()), Chain: fakes.NewChain(first, second), Clock: clock, Entropy: fakes.NewEntropy(1),
		Sessions: fakes.NewSessions(clock, "test", time.Hour),
		Games:    games, Tokens: token.NewBook(first, second), Policy: rbac.DefaultPolicy(),
	})
	for _, mint := range []money.Token{first.Mint, second.Mint} {
		if err == nil || !strings.Contains(err.Error(), string(mint)+": BankrollShare") {
			t.Errorf("%s isn't named: %v", mint, err)
		}
	}
}
