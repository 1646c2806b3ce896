package remote

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/gagliardetto/solana-go/rpc"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/casino-service/casino/adapters/httpapi/api"
	"github.com/casino-service/casino/adapters/httpapi/client"
	"github.com/casino-service/casino/adapters/system"
	"github.com/casino-service/casino/cmd/internal/bench"
	"github.com/casino-service/casino/cmd/internal/cli"
	"github.com/casino-service/casino/cmd/internal/dev"
)

type BenchCommand struct {
	dev.APIFlags
	dev.LocalnetFlags
	benchPlayers
	benchCallbacks
	Mix      string        `default:"play=90,read=8,login=2" placeholder:"KIND=SHARE,…" help:"What is sent: play, receipt (play with a signed receipt), step (mines, a tile at a time), read (balance, seed and history in turn), login, callback (a provider's bet and win), or any path that is read, such as /history?limit=100."`
	Clients  int           `default:"64" help:"How many requests are open at a time, each over its own connection."`
	Duration time.Duration `default:"30s" help:"How long is measured."`
	Warmup   time.Duration `default:"3s" help:"How long requests are sent before that."`
	Listen   int           `placeholder:"N" help:"So many of the players hear their own events meanwhile: how long after its answer each bet is heard, and that none is missing."`
	Rate     float64       `placeholder:"N" help:"Send N requests a second, answered or not: latencies count from when each was due. Without it each client sends the next when the one before is answered."`
	Timeout  time.Duration `default:"30s" help:"How long a request may take."`
	Game     string        `default:"dice" help:"The game that is played, with its default configuration."`
	Wager    int64         `placeholder:"UNITS" help:"What is bet, in base units; the token's smallest wager unless given."`
	JSON     bool          `name:"json" help:"Print the result as JSON."`
	Figures  string        `type:"path" name:"histogram" placeholder:"FILE" help:"Write the distribution of latencies there, as HdrHistogram's plotters read it."`
}

// Run loads a service, measures it and prints the result. It returns an error if any answer
// is impossible.
func (c BenchCommand) Run(ctx context.Context, s cli.Streams) error {
	b, err := c.prepareBench(ctx, s)
	if err != nil {
		return err
	}
	line := cli.NewStatusLine(s.Err)
	plan := bench.Plan{
		Service: b.service, Mix: b.mix, Clients: c.Clients, Warmup: c.Warmup, Duration: c.Duration, Rate: c.Rate, Listeners: c.Listen,
		Bet: bench.Bet{GameType: c.Game, Token: b.token.Token, Wager: c.Wager, Shared: c.SharedPlayers},
	}
	if c.Wager == 0 {
		plan.Bet.Wager = b.token.MinWager
	}
	if plan.Players, err = b.preparePlayers(ctx, line); err != nil {
		return err
	}
	if b.mix.Has(bench.Callback) {
		if plan.Callback, err = b.prepareCallbacks(ctx, plan.Players, line); err != nil {
			return err
		}
	}
	var watch func(bench.Progress)
	if line.Seen() {
		watch = func(p bench.Progress) { line.Show(p.Line()) }
	}
	result, err := bench.Run(ctx, plan, b.clock, watch)
	line.Clear()
	if err != nil {
		return err
	}
	result.BaseURL, result.Version, result.Mix = b.base, b.version, b.mix.String()
	result.Clients, result.Players, result.Rate = c.Clients, len(plan.Players), c.Rate
	if err := errors.Join(c.printResult(result, s.Out), c.keepFigures(result)); err != nil {
		return err
	}
	if result.Heard != nil && result.Heard.Missing > 0 {
		return fmt.Errorf("%d bets were not heard", result.Heard.Missing)
	}
	if result.Bad > 0 {
		return fmt.Errorf("%d answers can't be true", result.Bad)
	}
	if result.Answered == 0 {
		return errors.New("no request was answered well")
	}
	return nil
}

func (c BenchCommand) printResult(result bench.Result, out io.Writer) error {
	if !c.JSON {
		return result.Print(out)
	}
	text, err := json.Marshal(result, jsontext.WithIndent("  "))
	if err == nil {
		_, err = fmt.Fprintln(out, string(text))
	}
	return err
}

func (c BenchCommand) keepFigures(result bench.Result) error {
	if c.Figures == "" {
		return nil
	}
	file, err := os.Create(c.Figures) //nolint:gosec // the operator names the file
	if err != nil {
		return err
	}
	return errors.Join(result.PrintHistogram(file), file.Close())
}

// benchmark is a prepared load.
type benchmark struct {
	BenchCommand
	mix     bench.Mix
	base    string
	version string
	service *bench.Service
	casino  *client.Client
	clock   *system.System
	token   api.TokenTerms
	chain   *rpc.Client
	// treasury is the address that new players pay to.
	treasury string
	// ours means that the service is the casino dev of the folder.
	ours bool
}

// prepareBench reads the service's data, and refuses loads that aren't allowed.
func (c BenchCommand) prepareBench(ctx context.Context, s cli.Streams) (*benchmark, error) {
	b := &benchmark{BenchCommand: c, clock: system.Default()}
	var mixErr, baseErr, serviceErr error
	b.mix, mixErr = bench.ParseMix(c.Mix)
	if mixErr != nil {
		mixErr = fmt.Errorf("--mix: %w", mixErr)
	}
	if b.base, baseErr = c.API(); baseErr == nil {
		if baseErr = dev.CheckBaseURL(b.base); baseErr == nil {
			b.service, serviceErr = bench.NewService(b.base, c.Timeout, b.clock)
		}
	}
	if err := errors.Join(mixErr, baseErr, serviceErr, c.checkFlags(b.mix)); err != nil {
		return nil, cli.Usage(err)
	}
	b.casino = client.New(b.base, nil)
	health, err := b.casino.Health(ctx)
	if err != nil {
		return nil, fmt.Errorf("asking the casino at %s: %w", b.base, err)
	}
	b.version = health.Version
	if err := b.checkAllowed(ctx, s); err != nil {
		return nil, err
	}
	tokens, err := b.casino.Tokens(ctx)
	if err != nil {
		return nil, err
	}
	b.token, err = (&demo{tokens: tokens}).findToken(c.Token)
	if err != nil {
		return nil, cli.Usage(err)
	}
	return b, nil
}

// checkFlags returns all faults of the flags.
func (c BenchCommand) checkFlags(mix bench.Mix) error {
	var faults []error
	refuse := func(wrong bool, text string) {
		if wrong {
			faults = append(faults, errors.New(text))
		}
	}
	refuse(c.Clients < 1, "--clients: must be at least 1")
	refuse(c.Listen < 0, "--listen: must not be negative")
	refuse(c.SessionsFile == "" && c.Listen > c.Players, "--listen: no more than there are --players")
	refuse(c.Duration <= 0, "--duration: must be positive")
	refuse(c.Warmup < 0 || c.Wager < 0, "--warmup and --wager: must not be negative")
	if err := bench.CheckRate(c.Rate); err != nil {
		faults = append(faults, fmt.Errorf("--rate: %w", err))
	}
	refuse(c.Timeout <= 0, "--timeout: must be positive")
	refuse(c.SessionsFile == "" && c.Players < c.Clients, "--players: must be at least as many as --clients, because each plays for one client at a time")
	refuse(c.SessionsFile != "" && c.SessionsOut != "", "--sessions-out: keeps sessions of wallets that are made, and --sessions-file names others")
	refuse(c.SessionsFile != "" && mix.Has(bench.Login), "--mix: login needs players with known keys, but --sessions-file has only sessions")
	return errors.Join(append(faults, c.benchCallbacks.checkFlags(mix))...)
}

// checkAllowed refuses services other than the casino dev of the folder, unless
// --bet-real-money is given.
func (b *benchmark) checkAllowed(ctx context.Context, s cli.Streams) error {
	treasury, err := dev.Folder(b.DataDir).OurTreasury(ctx, b.casino, b.base)
	b.ours, b.treasury = err == nil, treasury
	if b.ours {
		return nil
	}
	if !b.BetRealMoney {
		return cli.Usage(fmt.Errorf("%w. A load bets its players' balances, and the rounds stay in the ledger: "+
			"--bet-real-money allows it on a service that isn't a casino dev", err))
	}
	if b.treasury, err = b.casino.WalletAddress(ctx); err != nil {
		return err
	}
	fmt.Fprintf(s.Err, "%s is not the casino dev of %s: its players' balances are bet, and the rounds stay in its ledger.\n", b.base, b.DataDir)
	return nil
}
