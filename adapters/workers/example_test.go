package workers_test

import (
	"context"
	"crypto/ed25519"
	"errors"
	"fmt"
	"time"

	"github.com/casino-service/casino/adapters/memory"
	"github.com/casino-service/casino/adapters/workers"
	"github.com/casino-service/casino/app"
	"github.com/casino-service/casino/app/accounts"
	"github.com/casino-service/casino/app/kernel"
	"github.com/casino-service/casino/domain/game"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/rbac"
	"github.com/casino-service/casino/domain/token"
	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/test/fakes"
)

// A casino with its workers: money that reached the treasury before is not credited to a
// player. Money that arrives later is found, although nobody registers it. Before the
// workers run, health reports that they never ran.
func ExampleBegin() {
	ctx, stop := context.WithTimeout(context.Background(), time.Minute)
	defer stop()
	casino, chain, err := embedded()
	if err != nil {
		fmt.Println(err)
		return
	}
	pay := func(name string, units money.Amount) {
		chain.Fund(fakes.Wallet(name), money.SOL, units)
		chain.Deposit(fakes.Wallet(name), money.SOL, units)
		chain.Finalize()
	}
	pay("early", 9_000_000)
	fmt.Println("before:", casino.Health().Report().Checks[kernel.WorkersCheck].Detail)

	running, err := workers.Begin(ctx, casino) // or: go workers.Run(ctx, casino)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println("begun:", casino.Health().Report().Status)
	if err := errors.Join(signIn(ctx, casino, "early"), signIn(ctx, casino, "late")); err != nil {
		fmt.Println(err)
	}
	pay("late", 5_000_000)
	for balance(ctx, casino, "late") == 0 && ctx.Err() == nil { // the watcher looks once a second
		workers.Rest(ctx, 10*time.Millisecond)
	}
	fmt.Println("paid before the watch:", balance(ctx, casino, "early"))
	fmt.Println("paid afterwards:", balance(ctx, casino, "late"))
	running.Stop()
	// Output:
	// before: no worker has run yet for: payouts, deposits, watcher, treasury, returns, players' days, mints, limits, events, health, alarms, open rounds
	// begun: ok
	// paid before the watch: 0
	// paid afterwards: 5000000
}

// embedded is a casino in memory on a fake chain.
func embedded() (*app.Casino, *fakes.Chain, error) {
	games, err := game.NewRegistry(game.Standard()...)
	if err != nil {
		return nil, nil, err
	}
	chain, clock := fakes.NewChain(fakes.Terms()), fakes.NewClock(fakes.Start)
	casino, err := app.New(app.Deps{
		Store: app.StoreOf(memory.New()), Chain: chain, Clock: clock, Entropy: fakes.NewEntropy(1),
		Sessions: fakes.NewSessions(clock, "example", time.Hour), Games: games,
		Tokens: token.NewBook(fakes.Terms()), Policy: rbac.DefaultPolicy(),
	})
	return casino, chain, err
}

// signIn signs a wallet in for the first time.
func signIn(ctx context.Context, casino *app.Casino, name string) error {
	w, millis := fakes.Wallet(name), casino.Clock.Now().UnixMilli()
	_, err := casino.Accounts.SignIn(ctx, accounts.SignInRequest{
		Wallet: string(w), Timestamp: millis, Signature: ed25519.Sign(fakes.Key(name), []byte(wallet.LoginMessage(w, millis))),
	})
	return err
}

// balance returns a player's balance.
func balance(ctx context.Context, casino *app.Casino, name string) (units money.Amount) {
	balances, _ := casino.Accounts.Balances(ctx, app.Caller{Wallet: fakes.Wallet(name)}, time.Time{})
	for _, b := range balances {
		units += b.Amount
	}
	return units
}
