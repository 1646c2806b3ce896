package main

import (
	"cmp"
	"context"
	"fmt"
	"text/tabwriter"
	"time"

	"github.com/casino-service/casino/app/play"
	"github.com/casino-service/casino/cmd/internal/settings"
	"github.com/casino-service/casino/domain/control"
	"github.com/casino-service/casino/domain/game"
)

type playCommand struct {
	Pause  pausePlayCommand  `cmd:"" help:"Refuse new bets from the moment it returns; rounds that were begun are finished. Example: casino play pause --game dice 'more wins than it should have'"`
	Resume resumePlayCommand `cmd:"" help:"End one pause: that of exactly this game, agent, or all. Example: casino play resume --game dice 'the rounds were verified'"`
	List   listPlayCommand   `cmd:"" help:"Show what play is paused. Example: casino play list"`
}

// playFlags say which play is paused or resumed.
type playFlags struct {
	storeFlags
	settings.Seeds
	settings.State
	Game   string `help:"A game of the house, or a provider's game code; all games without it."`
	Agent  string `help:"Whose players; everybody without it."`
	Reason string `arg:"" help:"Why, for the audit log."`
}

type pausePlayCommand struct{ playFlags }

// Run pauses play. No role is needed: whoever runs it holds the database. A running
// service sees it in the next batch, and the command waits for those before.
func (c pausePlayCommand) Run(ctx context.Context, s streams) error {
	return c.turn(ctx, s, play.PlaySwitch.Pause)
}

type resumePlayCommand struct{ playFlags }

// Run resumes play. No role is needed: whoever runs it holds the database.
func (c resumePlayCommand) Run(ctx context.Context, s streams) error {
	return c.turn(ctx, s, play.PlaySwitch.Resume)
}

func (f playFlags) turn(ctx context.Context, s streams,
	turn func(play.PlaySwitch, context.Context, play.PlayPauseRequest) ([]control.PlayPause, error)) error {
	games, err := game.NewRegistry(game.House()...)
	if err != nil {
		return err
	}
	return f.withOffline(ctx, func(o *offline) error {
		keeper, err := f.keeper(o, f.Seeds, f.State)
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
func (c listPlayCommand) Run(ctx context.Context, s streams) error {
	return c.withOffline(ctx, func(o *offline) error {
		now, err := o.store.State(ctx)
		if err != nil {
			return err
		}
		return printPauses(s, now.Pauses)
	})
}

func printPauses(s streams, pauses []control.PlayPause) error {
	if len(pauses) == 0 {
		_, err := fmt.Fprintln(s.out, "no play is paused")
		return err
	}
	table := tabwriter.NewWriter(s.out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "GAME\tAGENT\tSINCE\tBY\tREASON")
	for _, p := range pauses {
		fmt.Fprintf(table, "%s\t%s\t%s\t%s\t%s\n", cmp.Or(p.GameType, "all"), cmp.Or(p.AgentCode, "all"), p.At.UTC().Format(time.RFC3339),
			cmp.Or(string(p.By), "the command line"), p.Reason)
	}
	return table.Flush()
}
