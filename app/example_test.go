package app_test

import (
	"context"
	"crypto/ed25519"
	"fmt"
	"time"

	"github.com/casino-service/casino/adapters/memory"
	"github.com/casino-service/casino/app"
	"github.com/casino-service/casino/app/accounts"
	"github.com/casino-service/casino/app/play"
	"github.com/casino-service/casino/domain/game"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/rbac"
	"github.com/casino-service/casino/domain/token"
	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/test/fakes"
)

// A casino in one process: a player signs in, deposits 0.05 SOL, rolls the dice, and
// recomputes the roll once the server seed is revealed. In production, real adapters
// replace the store in memory, the fake chain and the clock.
func ExampleNew() {
	ctx := context.Background()
	terms := fakes.Terms()
	chain, clock := fakes.NewChain(terms), fakes.NewClock(fakes.Start)
	games, err := game.NewRegistry(game.Standard()...)
	if err != nil {
		fmt.Println(err)
		return
	}
	casino, err := app.New(app.Deps{
		Store: app.StoreOf(memory.New()), Chain: chain, Clock: clock, Entropy: fakes.NewEntropy(1),
		Sessions: fakes.NewSessions(clock, "example", time.Hour),
		Games:    games, Tokens: token.NewBook(terms), Policy: rbac.DefaultPolicy(),
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	if err := casino.Deposits.BeginWatch(ctx); err != nil {
		fmt.Println(err)
		return
	}
	chain.Fund(fakes.Wallet("treasury"), money.SOL, 1_000_000_000)
	if _, err := casino.Treasury.BookCapital(ctx, money.SOL, 1_000_000_000, "initial capital"); err != nil {
		fmt.Println(err)
		return
	}
	if err := evening(ctx, casino, chain, clock.Now()); err != nil {
		fmt.Println(err)
	}
	// Output:
	// deposit credited, balance 50000000
	// dice {roll: 98.01}, payout 19800000, balance 59800000
	// recomputed {roll: 98.01}, 1.98 wagers, the commitment is the one published before
}

// evening plays one player's session.
func evening(ctx context.Context, casino *app.Casino, chain *fakes.Chain, now time.Time) error {
	alice, millis := fakes.Wallet("alice"), now.UnixMilli()
	session, err := casino.Accounts.SignIn(ctx, accounts.SignInRequest{
		Wallet: string(alice), Timestamp: millis,
		Signature: ed25519.Sign(fakes.Key("alice"), []byte(wallet.LoginMessage(alice, millis))),
	})
	if err != nil {
		return err
	}
	caller := app.Caller{Wallet: session.Wallet}
	chain.Fund(alice, money.SOL, 50_000_000)
	paid := chain.Deposit(alice, money.SOL, 50_000_000)
	chain.Finalize()
	deposit, err := casino.Deposits.Deposit(ctx, caller, paid, string(money.SOL))
	if err != nil {
		return err
	}
	fmt.Printf("deposit %s, balance %d\n", deposit.Claim.Status, deposit.Balance)

	published, err := casino.Play.Seed(ctx, caller)
	if err != nil {
		return err
	}
	bet, err := casino.Play.Play(ctx, caller, play.PlayRequest{GameType: "dice", Wager: 10_000_000, Token: string(money.SOL)})
	if err != nil {
		return err
	}
	round := bet.Round
	fmt.Printf("%s %v, payout %d, balance %d\n", round.GameType, round.Outcome, round.Payout, bet.Balance)

	rotation, err := casino.Play.Rotate(ctx, caller, play.RotateRequest{})
	if err != nil {
		return err
	}
	result, commitment, err := casino.VerifyRound(game.RoundInputs{
		GameType: round.GameType, Rules: round.Rules, Config: round.Config,
		ServerSeed: rotation.Revealed.ServerSeed, ClientSeed: round.ClientSeed, Nonce: round.Nonce,
	})
	if err != nil {
		return err
	}
	if commitment != published.Commitment {
		return fmt.Errorf("the revealed seed is not the one committed to")
	}
	fmt.Printf("recomputed %v, %v wagers, the commitment is the one published before\n", result.Outcome, result.Multiplier)
	return nil
}
