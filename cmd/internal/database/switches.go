package database

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"text/tabwriter"
	"time"

	"github.com/casino-service/casino/app/payouts"
	"github.com/casino-service/casino/app/play"
	"github.com/casino-service/casino/cmd/internal/cli"
	"github.com/casino-service/casino/cmd/internal/settings"
	"github.com/casino-service/casino/domain/control"
	"github.com/casino-service/casino/domain/game"
	"github.com/casino-service/casino/domain/withdrawal"
)

type PayoutsCommand struct {
	Pause  pausePayoutsCommand  `cmd:"" help:"Pause payouts: nothing is signed or sent until they are resumed. Example: casino payouts pause 'odd withdrawals'"`
	Resume resumePayoutsCommand `cmd:"" help:"Resume payouts. Example: casino payouts resume 'looked at all of them'"`
	List   listPayoutsCommand   `cmd:"" help:"Show whether payouts are paused, and the payout queue. Example: casino payouts list"`
}

type pausePayoutsCommand struct {
	turnPayoutsFlags
}

// Run pauses payouts. It needs no role, only access to the database. It applies from the
// service's next signing commit.
func (c pausePayoutsCommand) Run(ctx context.Context, s cli.Streams) error {
	return c.turnPayouts(ctx, s, true)
}

type resumePayoutsCommand struct {
	turnPayoutsFlags
}

// Run resumes payouts. It needs no role, only access to the database.
func (c resumePayoutsCommand) Run(ctx context.Context, s cli.Streams) error {
	return c.turnPayouts(ctx, s, false)
}

// turnPayoutsFlags are the flags of commands that turn the switch.
type turnPayoutsFlags struct {
	storeFlags
	settings.Seeds
	settings.State
	Reason string `arg:"" help:"Why, for the audit log."`
}

func (f turnPayoutsFlags) turnPayouts(ctx context.Context, s cli.Streams, paused bool) error {
	return f.withSealing(ctx, f.Seeds, func(o *offline) error {
		keeper, err := f.restrictionKeeper(o, f.Seeds, f.State)
		if err != nil {
			return err
		}
		stands, err := payouts.PayoutSwitch{Controls: keeper.Payouts(o.store), Clock: o.machine, Entropy: o.machine}.Set(ctx, paused, f.Reason)
		if err != nil {
			return err
		}
		_, err = fmt.Fprintln(s.Out, switchText(stands))
		return err
	})
}

func switchText(p withdrawal.Pause) string {
	state := "payouts are made"
	if p.Paused {
		state = "payouts are paused"
	}
	if p.At.IsZero() {
		return state
	}
	since := state + " since " + p.At.UTC().Format(time.RFC3339)
	if p.By != "" { // otherwise the command line or the service did it
		since += ", by " + string(p.By)
	}
	return since + ": " + p.Reason
}

type listPayoutsCommand struct {
	storeFlags
	Limit int `default:"100" help:"How many of each state are shown at most."`
}

// Run lists the withdrawals that are sending, approved or failed.
func (c listPayoutsCommand) Run(ctx context.Context, s cli.Streams) error {
	if c.Limit < 1 || c.Limit > 10_000 {
		return cli.Usage(errors.New("--limit: must be from 1 to 10000"))
	}
	return c.withOffline(ctx, func(o *offline) error {
		queue, err := payouts.ListPayouts(ctx, o.store, c.Limit, o.machine.Now())
		if err != nil {
			return err
		}
		fmt.Fprintln(s.Out, switchText(queue.Pause))
		table := tabwriter.NewWriter(s.Out, 0, 0, 2, ' ', 0)
		fmt.Fprintln(table, "ID\tSTATUS\tAMOUNT\tTOKEN\tDESTINATION\tSINCE\tATTEMPTS\tSIGNATURE\tREASON")
		for _, w := range queue.Waiting {
			fmt.Fprintf(table, "%s\t%s\t%d\t%s\t%s\t%s\t%d\t%s\t%s\n", w.ID, w.Status, w.Amount, w.Token, w.Destination,
				w.UpdatedAt.UTC().Format(time.RFC3339), w.Attempt, w.Signature, w.Reason)
		}
		return table.Flush()
	})
}

type PlayCommand struct {
	Pause  pausePlayCommand  `cmd:"" help:"Refuse new bets as soon as it returns; open rounds can be finished. Example: casino play pause --game dice 'more wins than it should have'"`
	Resume resumePlayCommand `cmd:"" help:"End one pause: that of exactly this game, agent, or all. Example: casino play resume --game dice 'the rounds were verified'"`
	List   listPlayCommand   `cmd:"" help:"List the pauses of play. Example: casino play list"`
}

// playFlags select the play to pause or resume.
type playFlags struct {
	storeFlags
	settings.Seeds
	settings.State
	Game   string `help:"A house game, or the code of a provider's game; all games unless given."`
	Agent  string `help:"The agent whose players are paused; all players unless given."`
	Reason string `arg:"" help:"Why, for the audit log."`
}

type pausePlayCommand struct{ playFlags }

// Run pauses play. It needs no role, only access to the database. It applies from a running
// service's next batch, and the command waits for earlier batches.
func (c pausePlayCommand) Run(ctx context.Context, s cli.Streams) error {
	return c.turnPlay(ctx, s, play.PlaySwitch.Pause)
}

type resumePlayCommand struct{ playFlags }

// Run resumes play. It needs no role, only access to the database.
func (c resumePlayCommand) Run(ctx context.Context, s cli.Streams) error {
	return c.turnPlay(ctx, s, play.PlaySwitch.Resume)
}

func (f playFlags) turnPlay(ctx context.Context, s cli.Streams,
	turn func(play.PlaySwitch, context.Context, play.PlayPauseRequest) ([]control.PlayPause, error)) error {
	games, err := game.NewRegistry(game.House()...)
	if err != nil {
		return err
	}
	return f.withSealing(ctx, f.Seeds, func(o *offline) error {
		keeper, err := f.restrictionKeeper(o, f.Seeds, f.State)
		if err != nil {
			return err
		}
		pauses, err := turn(play.PlaySwitch{
			Controls: keeper.Control(o.store), Agents: o.store, Catalog: o.store, Games: games, Clock: o.machine, Entropy: o.machine,
		}, ctx, play.PlayPauseRequest{GameType: f.Game, AgentCode: f.Agent, Reason: f.Reason})
		if err != nil {
			return err
		}
		return printPauses(s, pauses)
	})
}

type listPlayCommand struct{ storeFlags }

// Run lists the pauses in effect.
func (c listPlayCommand) Run(ctx context.Context, s cli.Streams) error {
	return c.withOffline(ctx, func(o *offline) error {
		now, err := o.store.State(ctx)
		if err != nil {
			return err
		}
		return printPauses(s, now.Pauses)
	})
}

func printPauses(s cli.Streams, pauses []control.PlayPause) error {
	if len(pauses) == 0 {
		_, err := fmt.Fprintln(s.Out, "no play is paused")
		return err
	}
	table := tabwriter.NewWriter(s.Out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "GAME\tAGENT\tSINCE\tBY\tREASON")
	for _, p := range pauses {
		fmt.Fprintf(table, "%s\t%s\t%s\t%s\t%s\n", cmp.Or(p.GameType, "all"), cmp.Or(p.AgentCode, "all"), p.At.UTC().Format(time.RFC3339),
			cmp.Or(string(p.By), "the command line"), p.Reason)
	}
	return table.Flush()
}
