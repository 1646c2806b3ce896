// Package remote has the commands that call a running service over HTTP, as a player, an
// admin, or many players under load.
package remote

import (
	"context"
	"crypto/ed25519"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/gagliardetto/solana-go"
	"github.com/gagliardetto/solana-go/rpc"

	"github.com/casino-service/casino/adapters/httpapi/api"
	"github.com/casino-service/casino/adapters/httpapi/client"
	"github.com/casino-service/casino/adapters/system"
	"github.com/casino-service/casino/cmd/internal/cli"
	"github.com/casino-service/casino/cmd/internal/dev"
	"github.com/casino-service/casino/domain/game"
)

type DemoCommand struct {
	dev.APIFlags
	dev.LocalnetFlags
	Wait time.Duration `default:"30s" help:"How long to wait for the chain at each step."`
}

// demo is a running session.
type demo struct {
	DemoCommand
	out    cli.Streams
	casino *client.Client
	chain  *rpc.Client
	games  *game.Registry
	clock  *system.System
	step   int

	alice    solana.PrivateKey
	finance  ed25519.PrivateKey
	player   *client.Player
	admin    *client.Client
	treasury string
	tokens   []api.TokenTerms
	rounds   []api.Round // of the active seed pair
}

// Run plays a whole session and checks each response. It ends at the first failed check.
func (c DemoCommand) Run(ctx context.Context, s cli.Streams) error {
	games, err := game.NewRegistry(game.House()...)
	if err != nil {
		return err
	}
	base, baseErr := c.API()
	node, nodeErr := c.Chain(c.DataDir)
	if err := errors.Join(baseErr, nodeErr); err != nil {
		return err
	}
	c.BaseURL = base
	d := &demo{DemoCommand: c, out: s, casino: client.New(base, nil), chain: rpc.New(node), games: games, clock: system.Default()}
	for _, step := range []struct {
		title string
		run   func(context.Context) error
	}{
		{"The service is up and lists the tokens it accepts", d.signInAll},
		{"Alice signs in with her wallet; her login message works once", d.signIn},
		{"She pays SOL to the treasury on chain and registers it", func(ctx context.Context) error { return d.depositToken(ctx, "SOL") }},
		{"She pays the demo token (SPL) and registers it", func(ctx context.Context) error { return d.depositToken(ctx, dev.DemoSymbol) }},
		{"She plays every game in both tokens", d.playAll},
		{"The same Idempotency-Key again returns the first answer and changes nothing", d.replayRequest},
		{"She rotates her seeds, choosing the next client seed herself", d.rotateSeed},
		{"She plays on her own seed, rotates again, and recomputes", d.ownSeed},
		{"She withdraws SOL; the finance admin approves; it arrives on chain", func(ctx context.Context) error { return d.withdrawToken(ctx, "SOL") }},
		{"She withdraws the demo token; approved; it arrives on chain", func(ctx context.Context) error { return d.withdrawToken(ctx, dev.DemoSymbol) }},
		{"Her account shows all of it", d.showAccount},
	} {
		d.step++
		fmt.Fprintf(s.Out, "%2d. %s\n", d.step, step.title)
		if err := step.run(ctx); err != nil {
			return fmt.Errorf("step %d: %w", d.step, err)
		}
	}
	fmt.Fprintln(s.Out, "\nThe session holds. Prove the ledger with make audit, or: casino audit --data-dir", c.DataDir)
	return nil
}

// printFact prints one fact and how it was checked.
func (d *demo) printFact(format string, args ...any) {
	fmt.Fprintf(d.out.Out, "      %s\n", fmt.Sprintf(format, args...))
}

func (d *demo) signInAll(ctx context.Context) error {
	health, err := d.casino.Health(ctx)
	if err != nil {
		return fmt.Errorf("no casino dev answers at %s: %w", d.BaseURL, err)
	}
	dir := dev.Folder(d.DataDir)
	if d.treasury, err = dir.OurTreasury(ctx, d.casino, d.BaseURL); err != nil {
		return err
	}
	if d.tokens, err = d.casino.Tokens(ctx); err != nil {
		return err
	}
	for name, key := range map[string]*ed25519.PrivateKey{"alice": (*ed25519.PrivateKey)(&d.alice), "finance": &d.finance} {
		raw, err := os.ReadFile(dir.Wallet(name))
		if err != nil {
			return fmt.Errorf("the demo wallets of casino dev: %w", err)
		}
		if *key, err = dev.ParseKeypair(dir.Wallet(name), raw); err != nil {
			return err
		}
	}
	d.printFact("%s, version %s; treasury %s", health.Status, health.Version, d.treasury)
	return nil
}

func (d *demo) signIn(ctx context.Context) error {
	at := d.clock.Now()
	player, session, err := d.casino.SignIn(ctx, ed25519.PrivateKey(d.alice), at)
	if err != nil {
		return err
	}
	if _, _, err := d.casino.SignIn(ctx, ed25519.PrivateKey(d.alice), at); client.CodeOf(err) != "REPLAYED_LOGIN" {
		return fmt.Errorf("the same login message again answered %w, expected REPLAYED_LOGIN", err)
	}
	admin, _, err := d.casino.SignIn(ctx, d.finance, d.clock.Now())
	if err != nil {
		return err
	}
	d.player, d.admin = player.Player(), admin
	seed, err := player.Seed(ctx)
	if err == nil && seed.Nonce > 0 { // the session begins with a fresh pair, whatever was played before
		_, err = d.player.RotateSeed(ctx, api.RotateRequest{})
	}
	if err != nil {
		return err
	}
	d.printFact("%s, until %s; used again: REPLAYED_LOGIN", session.Wallet, time.UnixMilli(session.ExpiresAt).UTC().Format(time.TimeOnly))
	return nil
}

func (d *demo) findAccepted(symbol string) (api.TokenTerms, error) {
	for _, t := range d.tokens {
		if t.Symbol == symbol {
			return t, nil
		}
	}
	return api.TokenTerms{}, fmt.Errorf("the service does not accept %s", symbol)
}

func (d *demo) readBalance(ctx context.Context, mint string) (int64, error) {
	balances, err := d.player.Balance(ctx, api.BalanceParams{})
	if err != nil {
		return 0, err
	}
	for _, b := range balances {
		if b.Token == mint {
			return b.Balance, nil
		}
	}
	return 0, nil
}

// waitUntil repeats done until it reports true or the wait is over.
func (d *demo) waitUntil(ctx context.Context, what string, done func(context.Context) (bool, error)) error {
	ctx, cancel := context.WithTimeout(ctx, d.Wait)
	defer cancel()
	for {
		ok, err := done(ctx)
		if ok || err != nil {
			return err
		}
		again := time.NewTimer(100 * time.Millisecond)
		select {
		case <-ctx.Done():
			again.Stop()
			return fmt.Errorf("%s: not within %s", what, d.Wait)
		case <-again.C:
		}
	}
}

// formatAmount formats base units as a decimal with the token's symbol.
func formatAmount(t api.TokenTerms, units int64) string {
	whole := units
	for range t.Decimals {
		whole /= 10
	}
	fraction := units
	for w, i := whole, uint8(0); i < t.Decimals; i++ {
		w *= 10
		if i == t.Decimals-1 {
			fraction -= w
		}
	}
	return fmt.Sprintf("%d.%0*d %s", whole, int(t.Decimals), fraction, t.Symbol)
}
