package fakes_test

import (
	"context"
	"crypto/ed25519"
	"errors"
	"fmt"
	"time"

	"github.com/casino-service/casino/adapters/memory"
	"github.com/casino-service/casino/app"
	"github.com/casino-service/casino/app/accounts"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/game"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/rbac"
	"github.com/casino-service/casino/domain/token"
	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/test/fakes"
)

// kiosk is an embedder's code that uses the casino: a terminal that signs its player in again
// after the session has ended, and registers the player's payments.
type kiosk struct {
	casino *app.Casino
	clock  *fakes.Clock
	key    ed25519.PrivateKey
	bearer string
}

// caller returns the player at the kiosk, signed in again if necessary.
func (k *kiosk) caller(ctx context.Context) (app.Caller, error) {
	session, err := k.casino.Accounts.Authenticate(ctx, k.bearer)
	if fault.Is(err, fault.ExpiredToken) || k.bearer == "" {
		fmt.Println("signs in")
		return k.signIn(ctx)
	}
	return app.Caller{Wallet: session.Wallet}, err
}

func (k *kiosk) signIn(ctx context.Context) (app.Caller, error) {
	public, ok := k.key.Public().(ed25519.PublicKey)
	if !ok {
		return app.Caller{}, errors.New("not an Ed25519 key")
	}
	address, err := wallet.FromPublicKey(public)
	if err != nil {
		return app.Caller{}, err
	}
	millis := k.clock.Now().UnixMilli()
	answer, err := k.casino.Accounts.SignIn(ctx, accounts.SignInRequest{
		Wallet: string(address), Timestamp: millis, Signature: ed25519.Sign(k.key, []byte(wallet.LoginMessage(address, millis))),
	})
	k.bearer = answer.Token
	return app.Caller{Wallet: address}, err
}

// paid registers a payment and prints its status.
func (k *kiosk) paid(ctx context.Context, signature string) error {
	caller, err := k.caller(ctx)
	if err != nil {
		return err
	}
	answer, err := k.casino.Deposits.Deposit(ctx, caller, signature, string(money.SOL))
	if err != nil {
		return err
	}
	fmt.Printf("deposit %s, balance %d\n", answer.Claim.Status, answer.Balance)
	return nil
}

// Test your own code on a casino with a clock that you move and a chain that you fund: nothing
// waits, nothing is random, and a whole day takes no time.
func Example() {
	ctx := context.Background()
	terms := fakes.Terms()
	clock, chain := fakes.NewClock(fakes.Start), fakes.NewChain(terms)
	games, err := game.NewRegistry(game.Standard()...)
	if err != nil {
		fmt.Println(err)
		return
	}
	casino, err := app.New(app.Deps{
		Store: app.StoreOf(memory.New()), Chain: chain, Clock: clock, Entropy: fakes.NewEntropy(1),
		Sessions: fakes.NewSessions(clock, "example", 30*time.Minute), Games: games,
		Tokens: token.NewBook(terms), Policy: rbac.DefaultPolicy(),
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	if err := casino.Deposits.BeginWatch(ctx); err != nil {
		fmt.Println(err)
		return
	}
	alice := fakes.Wallet("alice")
	chain.Fund(alice, money.SOL, 50_000_000)
	paid := chain.Deposit(alice, money.SOL, 50_000_000)

	terminal := &kiosk{casino: casino, clock: clock, key: fakes.Key("alice")}
	if err := terminal.paid(ctx, paid); err != nil {
		fmt.Println(err)
	}
	chain.Finalize()
	clock.Advance(24 * time.Hour)
	if err := terminal.paid(ctx, paid); err != nil {
		fmt.Println(err)
	}
	chain.SetUnreachable(true)
	if err := terminal.paid(ctx, fakes.Signature("another payment")); err != nil {
		fmt.Println("refused:", fault.KindOf(err) == fault.External)
	}
	// Output:
	// signs in
	// deposit pending, balance 0
	// signs in
	// deposit credited, balance 50000000
	// refused: true
}
