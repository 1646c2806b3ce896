package remote

import (
	"bufio"
	"cmp"
	"context"
	"crypto/ed25519"
	"encoding/base64"
	"errors"
	"fmt"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	solanago "github.com/gagliardetto/solana-go"
	"github.com/gagliardetto/solana-go/rpc"
	"github.com/go-json-experiment/json"

	"github.com/casino-service/casino/adapters/httpapi/api"
	"github.com/casino-service/casino/adapters/httpapi/client"
	"github.com/casino-service/casino/adapters/solana"
	"github.com/casino-service/casino/cmd/internal/bench"
	"github.com/casino-service/casino/cmd/internal/cli"
	"github.com/casino-service/casino/cmd/internal/dev"
	"github.com/casino-service/casino/domain/catalog"
)

// benchPlayers select or make the players.
type benchPlayers struct {
	Players       int           `default:"1000" help:"How many wallets are made, signed in and funded on the simulated chain."`
	Stake         string        `default:"0.1" placeholder:"SOL" help:"What each of them pays in, as a decimal."`
	Token         string        `default:"SOL" placeholder:"SYMBOL" help:"The symbol or mint of the token that is bet."`
	Wait          time.Duration `default:"2m" help:"How long to wait until the chain has their payments."`
	SessionsFile  string        `type:"path" placeholder:"FILE" help:"Play with these sessions instead: bearer tokens, one a line. Their players must have money, and must not be used elsewhere meanwhile."`
	SessionsOut   string        `type:"path" placeholder:"FILE" help:"Keep the sessions of the wallets that were made, for another run within their half hour."`
	SharedPlayers bool          `help:"The players also play elsewhere meanwhile: compare their balances with nothing."`
	BetRealMoney  bool          `help:"Load a service that isn't the casino dev of the folder: what its players hold is bet, mostly lost in the end, and stays in its ledger."`
}

// setupClients is the number of wallets prepared at a time.
const setupClients = 32

// preparePlayers returns the players of the sessions file, or makes, signs in and funds new
// ones.
func (b *benchmark) preparePlayers(ctx context.Context, line cli.StatusLine) ([]*bench.Player, error) {
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
		address, err := dev.AddressOf(key)
		if err != nil {
			return nil, err
		}
		keys[i] = key
		players[i] = &bench.Player{Wallet: string(address), SignIn: func(at time.Time) (api.LoginRequest, error) { return client.SignLogin(key, at) }}
	}
	count := counter{line: line, of: b.Players}
	if err := bench.SignIn(ctx, b.service, players, setupClients, b.clock, count.countStep("signed in")); err != nil {
		if !b.service.ManyAddresses() {
			err = fmt.Errorf("%w. A service admits 10 sign-ins a minute from an address: at 127.0.0.1 they come from many, "+
				"elsewhere name sessions with --sessions-file", err)
		}
		return nil, err
	}
	if err := funds.payAll(ctx, players, keys, &count); err != nil {
		return nil, err
	}
	line.Clear()
	return players, b.keepSessions(players)
}

// ofFile reads the sessions file.
func (b *benchmark) ofFile() ([]*bench.Player, error) {
	file, err := os.Open(b.SessionsFile)
	if err != nil {
		return nil, cli.Usage(err)
	}
	var players []*bench.Player
	lines, seen := bufio.NewScanner(file), map[string]int{}
	for n := 1; lines.Scan(); n++ {
		token := strings.TrimSpace(lines.Text())
		if token == "" || token[0] == '#' {
			continue
		}
		if strings.ContainsFunc(token, func(r rune) bool { return r <= ' ' || r > '~' }) {
			return nil, cli.Usage(errors.Join(fmt.Errorf("--sessions-file: line %d is not a bearer token", n), file.Close()))
		}
		p := &bench.Player{Token: token, Wallet: subjectOf(token)}
		who := cmp.Or(p.Wallet, token)
		if seen[who] > 0 && !b.SharedPlayers {
			return nil, cli.Usage(errors.Join(fmt.Errorf("--sessions-file: lines %d and %d are of the same player, so two clients would change one balance; "+
				"--shared-players compares balances with nothing", seen[who], n), file.Close()))
		}
		seen[who] = n
		players = append(players, p)
	}
	if err := errors.Join(lines.Err(), file.Close()); err != nil {
		return nil, err
	}
	if len(players) < b.Clients {
		return nil, cli.Usage(fmt.Errorf("--sessions-file: %d sessions for %d clients; each plays for one client at a time", len(players), b.Clients))
	}
	return players, nil
}

// keepSessions writes the sessions to a file if requested.
func (b *benchmark) keepSessions(players []*bench.Player) error {
	if b.SessionsOut == "" {
		return nil
	}
	var text strings.Builder
	for _, p := range players {
		fmt.Fprintln(&text, p.Token)
	}
	file, err := os.OpenFile(b.SessionsOut, cli.NewOwnerOnly, cli.OwnerOnly)
	if err != nil {
		return err
	}
	err = file.Chmod(cli.OwnerOnly) // for an existing file
	if err == nil {
		_, err = file.WriteString(text.String())
	}
	return errors.Join(err, file.Close())
}

// counter shows how many players are ready.
type counter struct {
	line cli.StatusLine
	of   int
}

// countStep returns a function to call for each prepared player.
func (c *counter) countStep(done string) func() {
	var n atomic.Int64
	return func() {
		if now := n.Add(1); now%50 == 0 || now == int64(c.of) {
			c.line.Show(fmt.Sprintf("%d of %d %s", now, c.of, done))
		}
	}
}

// funds funds players on the simulated chain, like casino pay.
type funds struct {
	*benchmark
	units uint64
}

func (b *benchmark) newFunds(ctx context.Context) (*funds, error) {
	node, err := b.Chain(b.DataDir)
	if err == nil {
		err = checkNode(node)
	}
	if err != nil {
		return nil, cli.Usage(err)
	}
	if b.token.Symbol != "SOL" {
		return nil, cli.Usage(errors.New("--token: wallets that are made are funded in SOL; for another token name sessions with --sessions-file"))
	}
	units, err := unitsOf(b.Stake, b.token.Decimals)
	if err != nil {
		return nil, cli.Usage(fmt.Errorf("--stake: %w", err))
	}
	if int64(units) < b.token.MinDeposit {
		return nil, cli.Usage(fmt.Errorf("--stake: the least deposit is %s", formatAmount(b.token, b.token.MinDeposit)))
	}
	b.chain = rpc.New(node)
	return &funds{b, units}, refuseMainnet(ctx, b.chain)
}

// walletKeeps is what stays in a wallet beside the fee, because the chain refuses accounts
// below the rent for two years.
const walletKeeps = 1_000_000

// payAll gives every wallet its stake from the chain's faucet, pays it to the treasury, and
// registers the payments. Each step is done for all wallets before the next, because the
// chain needs time to finalize payments.
func (f *funds) payAll(ctx context.Context, players []*bench.Player, keys []ed25519.PrivateKey, count *counter) error {
	signatures := make([]solanago.Signature, len(players))
	for _, step := range []struct {
		done string
		run  func(context.Context, int) (err error)
	}{
		{"given SOL by the faucet", func(ctx context.Context, i int) (err error) {
			signatures[i], err = f.chain.RequestAirdrop(ctx, dev.PublicKey(keys[i]), f.units+lamportsPerPayment+walletKeeps, rpc.CommitmentConfirmed)
			return err
		}},
		{"paid in", func(ctx context.Context, i int) (err error) {
			payer := &demo{alice: solanago.PrivateKey(keys[i]), treasury: f.treasury, chain: f.chain}
			signatures[i], err = payer.payTreasury(ctx, f.token, f.units)
			return err
		}},
	} {
		if err := forEachBelow(ctx, len(players), step.run, count.countStep(step.done)); err != nil {
			return fmt.Errorf("funding the players on the simulated chain: %w", err)
		}
		if err := f.waitFinalized(ctx, signatures[len(signatures)-1]); err != nil {
			return err
		}
	}
	waiting := &demo{DemoCommand: DemoCommand{Wait: f.Wait}}
	return forEachBelow(ctx, len(players), func(ctx context.Context, i int) error {
		player := f.casino.WithToken(players[i].Token)
		return waiting.waitUntil(ctx, "a player's deposit is credited", func(ctx context.Context) (bool, error) {
			claimed, err := player.Deposit(ctx, api.DepositRequest{Signature: signatures[i].String(), Token: f.token.Token})
			return claimed.Transaction.Status == "credited", err
		})
	}, count.countStep("credited"))
}

// waitFinalized waits until the newest payment, and thus every earlier one, is finalized.
func (f *funds) waitFinalized(ctx context.Context, newest solanago.Signature) error {
	waiting := &demo{DemoCommand: DemoCommand{Wait: f.Wait}}
	return waiting.waitUntil(ctx, "the chain finalizes payments", func(ctx context.Context) (bool, error) {
		found, err := f.chain.GetSignatureStatuses(ctx, false, newest)
		return err == nil && len(found.Value) == 1 && found.Value[0] != nil && found.Value[0].ConfirmationStatus == rpc.ConfirmationStatusFinalized, err
	})
}

// forEachBelow calls do for every number below n, several at a time, until one fails.
func forEachBelow(ctx context.Context, n int, do func(context.Context, int) error, done func()) error {
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

// benchCallbacks have the credentials of callbacks. A casino dev needs none.
type benchCallbacks struct {
	CallbackAgent      string `placeholder:"CODE" help:"For callbacks to a service that isn't a casino dev: our agent code at the provider."`
	CallbackSecretFile string `type:"path" placeholder:"FILE" help:"A file with the secret that the provider's callbacks carry."`
	CallbackGame       string `placeholder:"PROVIDER/GAME" help:"A game of the provider that is on."`
}

func (c benchCallbacks) isNamed() bool { return c.CallbackAgent != "" }

func (c benchCallbacks) checkFlags(mix bench.Mix) error {
	given := 0
	for _, text := range []string{c.CallbackAgent, c.CallbackSecretFile, c.CallbackGame} {
		if text != "" {
			given++
		}
	}
	if given > 0 && (given < 3 || !strings.Contains(c.CallbackGame, "/") || !mix.Has(bench.Callback)) {
		return errors.New("--callback-agent, --callback-secret-file and --callback-game PROVIDER/GAME: callbacks need all three, and a share in --mix")
	}
	return nil
}

// callbackType is the game type in callbacks.
const callbackType = "slot"

// prepareCallbacks finds the game and credentials of callbacks, and launches the game for
// every player, without which callbacks are refused. In the folder's casino dev, the
// superadmin gives each player their stake, because its provider plays the demo token.
func (b *benchmark) prepareCallbacks(ctx context.Context, players []*bench.Player, line cli.StatusLine) (bench.CallbackGame, error) {
	game := bench.CallbackGame{AgentCode: b.CallbackAgent, Type: callbackType}
	prepare := func(context.Context, *bench.Player) error { return nil }
	secretFile := b.CallbackSecretFile
	switch {
	case b.isNamed():
		game.Provider, game.Game, _ = strings.Cut(b.CallbackGame, "/")
	case !b.ours:
		return game, cli.Usage(errors.New("--mix: callback needs --callback-agent, --callback-secret-file and --callback-game at a service that isn't a casino dev"))
	default:
		game.AgentCode, secretFile = dev.DemoAgent, dev.Folder(b.DataDir).File("provider-secret.key")
		var err error
		if prepare, err = b.demoGame(ctx, &game); err != nil {
			return game, err
		}
	}
	secret, err := os.ReadFile(secretFile)
	if err != nil {
		return game, cli.Usage(err)
	}
	game.AgentSecret = strings.TrimSpace(string(secret))
	count := counter{line: line, of: len(players)}
	err = forEachBelow(ctx, len(players), func(ctx context.Context, i int) error {
		p := players[i]
		if p.Wallet == "" {
			return cli.Usage(errors.New("--sessions-file: these tokens don't name their wallets, which callbacks need"))
		}
		if err := prepare(ctx, p); err != nil {
			return fmt.Errorf("giving a player the demo token: %w", err)
		}
		if _, err := b.casino.WithToken(p.Token).Launch(ctx, api.LaunchRequest{GameCode: game.Game, UserCode: p.Wallet}); err != nil {
			return fmt.Errorf("launching %s: %w", game.Game, err)
		}
		return nil
	}, count.countStep("in the provider's game"))
	line.Clear()
	return game, err
}

// callbackStake is each player's stake in the demo token, enough for a hundred thousand
// bets.
const callbackStake = 1_000_000

// demoGame finds a game of the demo provider, and returns a function that funds a player
// for it.
func (b *benchmark) demoGame(ctx context.Context, game *bench.CallbackGame) (func(context.Context, *bench.Player) error, error) {
	pair, err := solana.ReadKeypair(dev.Folder(b.DataDir).Wallet("superadmin"))
	if err != nil {
		return nil, err
	}
	admin, _, err := signIn(ctx, b.base, pair, b.clock, "")
	if err != nil {
		return nil, err
	}
	found, err := admin.ProviderGames(ctx, api.ProviderGamesParams{})
	if err != nil {
		return nil, err
	}
	for _, g := range found.Games {
		if g.Enabled && !g.Vanished && g.Provider != catalog.Own {
			game.Provider, game.Game = g.Provider, g.GameCode
			break
		}
	}
	if game.Game == "" {
		return nil, errors.New("the demo provider has no game that is on")
	}
	tokens, err := b.casino.Tokens(ctx)
	if err != nil {
		return nil, err
	}
	played, err := (&demo{tokens: tokens}).findAccepted(dev.DemoSymbol)
	if err != nil {
		return nil, err
	}
	return func(ctx context.Context, p *bench.Player) error {
		given, err := admin.AdjustBalance(ctx, p.Wallet, api.AdjustRequest{Token: played.Token, Amount: callbackStake, Reason: "casino bench"})
		if err == nil && given.Approval != nil {
			err = errors.New("it waits for a second admin's approval")
		}
		return err
	}, nil
}

// subjectOf returns the wallet in a session's token, or "".
func subjectOf(token string) string {
	parts := strings.Split(token, ".")
	if len(parts) != 3 {
		return ""
	}
	text, err := base64.RawURLEncoding.DecodeString(parts[1])
	if err != nil {
		return ""
	}
	var claims struct {
		Subject string `json:"sub"`
	}
	if err := json.Unmarshal(text, &claims); err != nil {
		return ""
	}
	return claims.Subject
}
