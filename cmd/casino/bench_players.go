package main

import (
	"bufio"
	"cmp"
	"context"
	"crypto/ed25519"
	"errors"
	"fmt"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/gagliardetto/solana-go"
	"github.com/gagliardetto/solana-go/rpc"

	"github.com/casino-service/casino/adapters/httpapi/api"
	"github.com/casino-service/casino/adapters/httpapi/client"
	"github.com/casino-service/casino/cmd/internal/bench"
)

// benchPlayers say who plays.
type benchPlayers struct {
	Players       int           `default:"1000" help:"How many wallets are made, signed in and funded on the simulated chain."`
	Stake         string        `default:"0.1" placeholder:"SOL" help:"What each of them pays in, as a decimal."`
	Token         string        `default:"SOL" placeholder:"SYMBOL" help:"The symbol or mint of the token that is bet."`
	Wait          time.Duration `default:"2m" help:"How long to wait until the chain has their payments."`
	SessionsFile  string        `type:"path" placeholder:"FILE" help:"Play with these sessions instead: bearer tokens, one a line. Their players must have money, and nobody else may play with them."`
	SessionsOut   string        `type:"path" placeholder:"FILE" help:"Keep the sessions of the wallets that were made, for another run within their half hour."`
	SharedPlayers bool          `help:"The players also play elsewhere meanwhile: compare their balances with nothing."`
	BetRealMoney  bool          `help:"Load a service that isn't the casino dev of the folder: what its players hold is bet, mostly lost in the end, and stays in its ledger."`
}

// setupClients is how many wallets are prepared at a time.
const setupClients = 32

// players returns those of the file, or makes, signs in and funds as many as are asked
// for.
func (b *benchmark) players(ctx context.Context, line statusLine) ([]*bench.Player, error) {
	if b.SessionsFile != "" {
		return b.ofFile()
	}
	funds, err := b.newFunds(ctx)
	if err != nil {
		return nil, err
	}
	players, keys := make([]*bench.Player, b.Players), make([]ed25519.PrivateKey, b.Players)
	for i := range players {
		seed := b.clock.Seed()
		key := ed25519.NewKeyFromSeed(seed[:])
		address, err := addressOf(key)
		if err != nil {
			return nil, err
		}
		keys[i] = key
		players[i] = &bench.Player{Wallet: string(address), SignIn: func(at time.Time) (api.LoginRequest, error) { return client.SignLogin(key, at) }}
	}
	count := counter{line: line, of: b.Players}
	if err := bench.SignIn(ctx, b.service, players, setupClients, b.clock, count.step("signed in")); err != nil {
		if !b.service.ManyAddresses() {
			err = fmt.Errorf("%w. A service admits 10 sign-ins a minute from an address: at 127.0.0.1 they come from many, "+
				"elsewhere name sessions with --sessions-file", err)
		}
		return nil, err
	}
	if err := funds.payAll(ctx, players, keys, &count); err != nil {
		return nil, err
	}
	line.clear()
	return players, b.keep(players)
}

// ofFile reads sessions.
func (b *benchmark) ofFile() ([]*bench.Player, error) {
	file, err := os.Open(b.SessionsFile)
	if err != nil {
		return nil, usageError{err}
	}
	var players []*bench.Player
	lines, seen := bufio.NewScanner(file), map[string]int{}
	for n := 1; lines.Scan(); n++ {
		token := strings.TrimSpace(lines.Text())
		if token == "" || token[0] == '#' {
			continue
		}
		if strings.ContainsFunc(token, func(r rune) bool { return r <= ' ' || r > '~' }) {
			return nil, usageError{errors.Join(fmt.Errorf("--sessions-file: line %d is no bearer token", n), file.Close())}
		}
		p := &bench.Player{Token: token, Wallet: subjectOf(token)}
		who := cmp.Or(p.Wallet, token)
		if seen[who] > 0 && !b.SharedPlayers {
			return nil, usageError{errors.Join(fmt.Errorf("--sessions-file: lines %d and %d are of the same player, whose balance two clients would change; "+
				"--shared-players compares balances with nothing", seen[who], n), file.Close())}
		}
		seen[who] = n
		players = append(players, p)
	}
	if err := errors.Join(lines.Err(), file.Close()); err != nil {
		return nil, err
	}
	if len(players) < b.Clients {
		return nil, usageError{fmt.Errorf("--sessions-file: %d sessions for %d clients; each plays for one client at a time", len(players), b.Clients)}
	}
	return players, nil
}

// keep writes the sessions down where that was asked for.
func (b *benchmark) keep(players []*bench.Player) error {
	if b.SessionsOut == "" {
		return nil
	}
	var text strings.Builder
	for _, p := range players {
		fmt.Fprintln(&text, p.Token)
	}
	file, err := os.OpenFile(b.SessionsOut, newOwnerOnly, ownerOnly)
	if err != nil {
		return err
	}
	err = file.Chmod(ownerOnly) // where the file was there before
	if err == nil {
		_, err = file.WriteString(text.String())
	}
	return errors.Join(err, file.Close())
}

// counter shows how many of the players are ready.
type counter struct {
	line statusLine
	of   int
}

// step returns what is called for each that is.
func (c *counter) step(done string) func() {
	var n atomic.Int64
	return func() {
		if now := n.Add(1); now%50 == 0 || now == int64(c.of) {
			c.line.show(fmt.Sprintf("%d of %d %s", now, c.of, done))
		}
	}
}

// funds pays players in on the simulated chain, as casino pay does for one.
type funds struct {
	*benchmark
	units uint64
}

func (b *benchmark) newFunds(ctx context.Context) (*funds, error) {
	node, err := b.node(b.DataDir)
	if err == nil {
		err = checkNode(node)
	}
	if err != nil {
		return nil, usageError{err}
	}
	if b.token.Symbol != "SOL" {
		return nil, usageError{errors.New("--token: wallets that are made are funded in SOL; for another token name sessions with --sessions-file")}
	}
	units, err := unitsOf(b.Stake, b.token.Decimals)
	if err != nil {
		return nil, usageError{fmt.Errorf("--stake: %w", err)}
	}
	if int64(units) < b.token.MinDeposit {
		return nil, usageError{fmt.Errorf("--stake: the least deposit is %s", amount(b.token, b.token.MinDeposit))}
	}
	b.chain = rpc.New(node)
	return &funds{b, units}, refuseMainnet(ctx, b.chain)
}

// walletKeeps is what stays in a wallet beside the fee: accounts below the rent for their
// two years are refused by the chain.
const walletKeeps = 1_000_000

// payAll gives every wallet its stake from the chain's faucet, lets it pay the treasury,
// and registers the payments. Each step is done for all before the next, because the
// chain takes its time until a payment counts.
func (f *funds) payAll(ctx context.Context, players []*bench.Player, keys []ed25519.PrivateKey, count *counter) error {
	signatures := make([]solana.Signature, len(players))
	for _, step := range []struct {
		done string
		run  func(context.Context, int) (err error)
	}{
		{"given SOL by the faucet", func(ctx context.Context, i int) (err error) {
			signatures[i], err = f.chain.RequestAirdrop(ctx, publicKey(keys[i]), f.units+lamportsPerPayment+walletKeeps, rpc.CommitmentConfirmed)
			return err
		}},
		{"paid in", func(ctx context.Context, i int) (err error) {
			payer := &demo{alice: solana.PrivateKey(keys[i]), treasury: f.treasury, chain: f.chain}
			signatures[i], err = payer.pay(ctx, f.token, f.units)
			return err
		}},
	} {
		if err := each(ctx, len(players), step.run, count.step(step.done)); err != nil {
			return fmt.Errorf("funding the players on the simulated chain: %w", err)
		}
		if err := f.finalized(ctx, signatures[len(signatures)-1]); err != nil {
			return err
		}
	}
	waiting := &demo{demoCommand: demoCommand{Wait: f.Wait}}
	return each(ctx, len(players), func(ctx context.Context, i int) error {
		player := f.casino.WithToken(players[i].Token)
		return waiting.until(ctx, "a player's deposit is credited", func(ctx context.Context) (bool, error) {
			claimed, err := player.Deposit(ctx, api.DepositRequest{Signature: signatures[i].String(), Token: f.token.Token})
			return claimed.Transaction.Status == "credited", err
		})
	}, count.step("credited"))
}

// finalized waits until the newest payment, and so every one before it, is finalized.
func (f *funds) finalized(ctx context.Context, newest solana.Signature) error {
	waiting := &demo{demoCommand: demoCommand{Wait: f.Wait}}
	return waiting.until(ctx, "the chain finalizes payments", func(ctx context.Context) (bool, error) {
		found, err := f.chain.GetSignatureStatuses(ctx, false, newest)
		return err == nil && len(found.Value) == 1 && found.Value[0] != nil && found.Value[0].ConfirmationStatus == rpc.ConfirmationStatusFinalized, err
	})
}

// each does something for every number below n, some at a time, until one fails.
func each(ctx context.Context, n int, do func(context.Context, int) error, done func()) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	var next atomic.Int64
	var all sync.WaitGroup
	for range min(setupClients, n) {
		all.Go(func() {
			for i := int(next.Add(1)) - 1; i < n && ctx.Err() == nil; i = int(next.Add(1)) - 1 {
				if err := do(ctx, i); err != nil {
					cancel(err)
					return
				}
				done()
			}
		})
	}
	all.Wait()
	return context.Cause(ctx)
}
