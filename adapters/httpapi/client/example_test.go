package client_test

import (
	"context"
	"errors"
	"fmt"
	"net/http/httptest"
	"time"

	"github.com/casino-service/casino/adapters/httpapi"
	"github.com/casino-service/casino/adapters/httpapi/api"
	"github.com/casino-service/casino/adapters/httpapi/client"
	"github.com/casino-service/casino/adapters/memory"
	"github.com/casino-service/casino/app"
	"github.com/casino-service/casino/domain/game"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/rbac"
	"github.com/casino-service/casino/domain/token"
	"github.com/casino-service/casino/test/fakes"
)

// A player signs in with a wallet's key, deposits, and plays. A write with an idempotency
// key can be repeated without harm, and a refusal has the contract's code.
func Example() {
	clock, chain := fakes.NewClock(fakes.Start), fakes.NewChain(terms)
	server, err := serve(clock, chain)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer server.Close()
	alice := fakes.Wallet("alice")
	chain.Fund(alice, money.SOL, 50_000_000)
	paid := chain.Deposit(alice, money.SOL, 50_000_000)
	chain.Finalize()
	if err := play(server.URL+httpapi.BasePathDefault, paid, clock.Now()); err != nil {
		fmt.Println(err)
	}
	// Output:
	// deposit credited
	// balance 50000000
	// round of dice: outcome {"roll":98.01}, payout 19800000, balance 59800000, replayed: false
	// round of dice: outcome {"roll":98.01}, payout 19800000, balance 59800000, replayed: true
	// refused: 400 INSUFFICIENT_USER_FUNDS
}

func play(service, paid string, now time.Time) error {
	ctx := context.Background()
	player, _, err := client.New(service, nil).SignIn(ctx, fakes.Key("alice"), now)
	if err != nil {
		return err
	}
	deposited, err := player.Deposit(ctx, api.DepositRequest{Signature: paid, Token: string(money.SOL)})
	if err != nil {
		return err
	}
	fmt.Println("deposit", deposited.Transaction.Status)
	balances, err := player.Balance(ctx, api.BalanceParams{})
	if err != nil {
		return err
	}
	fmt.Println("balance", balances[0].Balance)

	bet := api.PlayRequest{GameType: "dice", Wager: 10_000_000, Token: string(money.SOL), IdempotencyKey: "tonight's first"}
	for range 2 {
		played, err := player.Play(ctx, bet)
		if err != nil {
			return err
		}
		fmt.Printf("round of %s: outcome %s, payout %d, balance %d, replayed: %v\n",
			played.Round.GameType, played.Round.Outcome, played.Round.Payout, played.Balance, played.Replayed)
	}
	_, err = player.Withdraw(ctx, api.WithdrawRequest{
		Token: string(money.SOL), Amount: 1_000_000_000, Destination: string(fakes.Wallet("alice")), IdempotencyKey: "all of it"})
	var refusal *client.Error
	if !errors.As(err, &refusal) {
		return fmt.Errorf("not refused: %w", err)
	}
	fmt.Println("refused:", refusal.Status, refusal.Code)
	return nil
}

var terms = token.Terms{
	Mint: money.SOL, Symbol: "SOL", Decimals: 9, Program: token.System,
	MinDeposit: 1_000_000, MinWager: token.MinWagerDefault, MaxWager: 10_000_000, MaxPayout: 1_000_000_000,
	MinWithdrawal: 1_000_000, MaxWithdrawal: 1_000_000_000, TwoPersonAbove: token.NoTwoPerson, TwoPersonAbovePerDay: token.NoTwoPerson,
	PayoutCap: 1_000_000_000, PayoutCapPerHour: 10_000_000_000, BankrollShare: money.Ratio{Num: 1, Den: 10},
}

// serve starts a service in memory, on a fake chain.
func serve(clock *fakes.Clock, chain *fakes.Chain) (*httptest.Server, error) {
	games, err := game.NewRegistry(game.Standard()...)
	if err != nil {
		return nil, err
	}
	casino, err := app.New(app.Deps{
		Store: app.StoreOf(memory.New()), Chain: chain, Clock: clock, Entropy: fakes.NewEntropy(1),
		Sessions: fakes.NewSessions(clock, "example", time.Hour), Games: games, Tokens: token.NewBook(terms),
		Policy: rbac.DefaultPolicy(),
	})
	if err != nil {
		return nil, err
	}
	if err := casino.Deposits.BeginWatch(context.Background()); err != nil {
		return nil, err
	}
	if _, err := casino.Treasury.BookCapital(context.Background(), money.SOL, 1_000_000_000, "founding"); err != nil {
		return nil, err
	}
	api, err := httpapi.New(casino, httpapi.Config{Limiter: fakes.NewLimiter(clock)})
	if err != nil {
		return nil, err
	}
	return httptest.NewServer(api), nil
}
