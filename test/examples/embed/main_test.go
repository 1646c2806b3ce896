package main

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/casino-service/casino/adapters/httpapi/api"
	"github.com/casino-service/casino/adapters/httpapi/client"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/token"
	"github.com/casino-service/casino/test/fakes"
)

// TestTheSiteHasBoth checks that the shop serves its page, and that the casino answers below
// /casino, with its games. No worker runs in it, and its health says so.
func TestTheSiteHasBoth(t *testing.T) {
	t.Parallel()
	site, _, err := newSite(t.Context(), fakes.NewChain(token.DefaultSOLTerms()), fakes.Wallet("olga"))
	if err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]string{
		"/": "the shop", "/casino/public/games": `"gameType":"blackjack"`, "/casino/health": `"status":"degraded"`,
	} {
		answer := httptest.NewRecorder()
		site.ServeHTTP(answer, httptest.NewRequestWithContext(t.Context(), http.MethodGet, path, nil))
		if body := answer.Body.String(); answer.Code != http.StatusOK || !strings.Contains(body, want) {
			t.Errorf("%s: %d %s, expected %s", path, answer.Code, body, want)
		}
	}
}

// TestABetAndAPayoutInTheSite lets alice sign in, deposit 1 SOL, bet a hundredth of it and
// withdraw half; olga approves, and the payout lands.
func TestABetAndAPayoutInTheSite(t *testing.T) {
	t.Parallel()
	chain := fakes.NewChain(token.DefaultSOLTerms())
	site, casino, err := newSite(t.Context(), chain, fakes.Wallet("olga"))
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(site)
	t.Cleanup(server.Close)
	alice, _, err := client.New(server.URL+"/casino", nil).SignIn(t.Context(), fakes.Key("alice"), time.Now())
	if err != nil {
		t.Fatal(err)
	}
	chain.Fund(fakes.Wallet("alice"), money.SOL, 1_000_000_000)
	paid := chain.Deposit(fakes.Wallet("alice"), money.SOL, 1_000_000_000)
	chain.Finalize()
	if _, err := alice.Deposit(t.Context(), api.DepositRequest{Signature: paid, Token: string(money.SOL)}); err != nil {
		t.Fatal(err)
	}
	bet, err := alice.Play(t.Context(), api.PlayRequest{GameType: "dice", Wager: 10_000_000, Token: string(money.SOL)})
	if err != nil || bet.Balance != 990_000_000+bet.Round.Payout {
		t.Errorf("a bet: %+v, %v", bet, err)
	}
	asked, err := alice.Withdraw(t.Context(), api.WithdrawRequest{Amount: 500_000_000, Token: string(money.SOL), Destination: string(fakes.Wallet("alice"))})
	if err != nil {
		t.Fatal(err)
	}
	olga, _, err := client.New(server.URL+"/casino", nil).SignIn(t.Context(), fakes.Key("olga"), time.Now())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := olga.ApproveWithdrawal(t.Context(), api.ApproveRequest{ID: asked.Withdrawal.ID}); err != nil {
		t.Fatal(err)
	}
	payouts := casino.Payouts.PayoutWorker()
	for range 2 { // rounds: sign and send, then see it land
		for worked := true; worked; {
			if worked, err = payouts.Step(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
		chain.Finalize()
	}
	if ended, err := alice.AccountTransactions(t.Context(), api.AccountTransactionsParams{}); err != nil || ended.Transactions[0].Status != "completed" {
		t.Errorf("the payout: %+v, %v", ended.Transactions, err)
	}
}
