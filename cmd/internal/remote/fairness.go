package remote

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/casino-service/casino/cmd/internal/bench"
	"github.com/casino-service/casino/cmd/internal/capture"
	"github.com/casino-service/casino/cmd/internal/cli"
	"github.com/casino-service/casino/cmd/internal/dev"
	"github.com/casino-service/casino/domain/game"
)

type FairnessCommand struct {
	Capture captureCommand `cmd:"" help:"Play rounds of every game at a running casino dev, or with --bet-real-money at any service, and write down all that a player is shown, for casino fairness check. Example: casino fairness capture capture.jsonl"`
	Check   checkCommand   `cmd:"" help:"Prove a capture without the service: every round recomputed, every commitment, nonce and balance followed, draws and returns tested. Exit code 1 says that something was found. Example: casino fairness check capture.jsonl"`
}

type captureCommand struct {
	dev.APIFlags
	dev.LocalnetFlags
	File         string        `arg:"" type:"path" help:"The file to write; it must not exist yet."`
	Rounds       int           `default:"1000" help:"How many rounds are played of each game, over its configs in turn."`
	PairRounds   int           `default:"100" help:"How many rounds are played of a seed pair before it is revealed."`
	SharedRounds int           `default:"3" help:"How many rounds of the shared crash the first player bets on afterwards, where it is offered; about a minute each."`
	Games        []string      `placeholder:"GAME,…" help:"The games that are played; all that are offered unless given."`
	Players      int           `default:"8" help:"How many wallets are made, signed in and funded on the simulated chain, and play side by side."`
	Stake        string        `default:"10" placeholder:"SOL" help:"What each of them pays in, as a decimal."`
	Token        string        `default:"SOL" placeholder:"SYMBOL" help:"The symbol or mint of the token that is bet, in stakes of 1, 2, 5 and 10 times its smallest."`
	Wait         time.Duration `default:"2m" help:"How long to wait until the chain has their payments."`
	SessionsFile string        `type:"path" placeholder:"FILE" help:"Play with these sessions instead: bearer tokens, one a line. Their players must have money, and must not be used elsewhere meanwhile."`
	BetRealMoney bool          `help:"Play at a service that isn't the casino dev of the folder: what the players hold is bet, and the rounds stay in its ledger."`
}

// Run captures rounds. After an error or an interruption, the played rounds are still
// revealed and written.
func (c captureCommand) Run(ctx context.Context, s cli.Streams) error {
	if c.SharedRounds < 0 {
		return cli.Usage(errors.New("--shared-rounds must be 0 at least"))
	}
	if c.Rounds < 1 || c.PairRounds < 1 || c.PairRounds > pairRoundsMax {
		return cli.Usage(fmt.Errorf("--rounds must be 1 at least, and --pair-rounds 1 to %d", pairRoundsMax))
	}
	games, err := game.NewRegistry(game.House()...)
	if err != nil {
		return err
	}
	// casino bench has the code that finds, makes and funds players.
	b, err := BenchCommand{
		APIFlags: c.APIFlags, LocalnetFlags: c.LocalnetFlags, Mix: bench.Play + "=1", Clients: 1, Duration: time.Second, Timeout: callTime,
		benchPlayers: benchPlayers{Players: c.Players, Stake: c.Stake, Token: c.Token, Wait: c.Wait, SessionsFile: c.SessionsFile, BetRealMoney: c.BetRealMoney},
	}.prepareBench(ctx, s)
	if err != nil {
		return err
	}
	file, err := os.OpenFile(c.File, os.O_WRONLY|os.O_CREATE|os.O_EXCL, cli.OwnerOnly)
	if err != nil {
		return cli.Usage(err)
	}
	line := cli.NewStatusLine(s.Err)
	players, err := b.preparePlayers(ctx, line)
	if err != nil {
		return errors.Join(err, file.Close(), os.Remove(c.File))
	}
	plan := capture.Plan{
		BaseURL: b.base, Players: b.capturePlayers(players), Token: b.token.Token, Rounds: c.Rounds, PairRounds: c.PairRounds, SharedRounds: c.SharedRounds,
		Games: c.Games, Registry: games, TakenBy: cli.Version, Clock: b.clock, Entropy: b.clock, Wait: sleepContext,
	}
	if line.Seen() {
		plan.Watch = func(done, of int) { line.Show(fmt.Sprintf("%d of %d rounds", done, of)) }
	}
	summary, err := capture.Run(ctx, plan, capture.NewWriter(file))
	line.Clear()
	if err := errors.Join(err, file.Sync(), file.Close()); err != nil {
		return err
	}
	for _, refused := range summary.Refused {
		fmt.Fprintf(s.Err, "not played: %s\n", refused)
	}
	fmt.Fprintf(s.Out, "%d rounds in %d pairs, all revealed: %s\nSHA-256 of its lines: %s\n", summary.Rounds, summary.Pairs, c.File, summary.SHA256)
	if summary.Stopped != "" {
		return fmt.Errorf("the capture ended early: %s", summary.Stopped)
	}
	return nil
}

// pairRoundsMax prevents pairs that the service ends itself.
const pairRoundsMax = 5000

// capturePlayers converts the players of a load to those of a capture.
func (b *benchmark) capturePlayers(players []*bench.Player) (seated []capture.Player) {
	for _, p := range players {
		one := capture.Player{Wallet: p.Wallet, Token: p.Token}
		if p.SignIn != nil {
			one.SignIn = func(ctx context.Context) (string, error) {
				login, err := p.SignIn(b.clock.Now())
				if err != nil {
					return "", err
				}
				session, err := b.casino.Login(ctx, login)
				return session.Token, err
			}
		}
		seated = append(seated, one)
	}
	return seated
}

// sleepContext sleeps, or returns early if the context ends.
func sleepContext(ctx context.Context, d time.Duration) {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
	case <-timer.C:
	}
}

type checkCommand struct {
	File  string  `arg:"" type:"path" help:"What casino fairness capture wrote."`
	Level float64 `default:"0.001" help:"The chance that the statistical tests, all together, find something in a fair capture."`
	JSON  bool    `name:"json" help:"Print the report as JSON."`
}

// Run checks a capture and prints the report. It returns an error if there are findings.
func (c checkCommand) Run(s cli.Streams) error {
	if !(c.Level > 0 && c.Level < 1) {
		return cli.Usage(errors.New("--level: must be between 0 and 1"))
	}
	games, err := game.NewRegistry(game.House()...)
	if err != nil {
		return err
	}
	file, err := os.Open(c.File)
	if err != nil {
		return cli.Usage(err)
	}
	report, err := capture.Check(file, games, c.Level)
	if err := errors.Join(err, file.Close()); err != nil {
		return err
	}
	if c.JSON {
		text, err := json.Marshal(report, jsontext.WithIndent("  "))
		if err != nil {
			return err
		}
		fmt.Fprintln(s.Out, string(text))
	} else if err := report.Print(s.Out); err != nil {
		return err
	}
	if !report.Clean {
		return fmt.Errorf("the capture has %d findings", report.Found)
	}
	return nil
}
