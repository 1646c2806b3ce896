package main

import (
	"context"
	"errors"
	"fmt"
	"text/tabwriter"
	"time"

	"github.com/casino-service/casino/app/payouts"
	"github.com/casino-service/casino/cmd/internal/settings"
	"github.com/casino-service/casino/domain/withdrawal"
)

type payoutsCommand struct {
	Pause  pausePayoutsCommand  `cmd:"" help:"Pause payouts: nothing is signed or sent until they are resumed. Example: casino payouts pause 'odd withdrawals'"`
	Resume resumePayoutsCommand `cmd:"" help:"Resume payouts. Example: casino payouts resume 'looked at all of them'"`
	List   listPayoutsCommand   `cmd:"" help:"Show whether payouts are paused, and the payout queue. Example: casino payouts list"`
}

type pausePayoutsCommand struct {
	turnPayoutsFlags
}

// Run pauses payouts. No role is needed: whoever runs it holds the database. The service
// sees it in the next signing commit.
func (c pausePayoutsCommand) Run(ctx context.Context, s streams) error {
	return c.turn(ctx, s, true)
}

type resumePayoutsCommand struct {
	turnPayoutsFlags
}

// Run resumes payouts. No role is needed: whoever runs it holds the database.
func (c resumePayoutsCommand) Run(ctx context.Context, s streams) error {
	return c.turn(ctx, s, false)
}

// turnPayoutsFlags are those of whatever turns the switch.
type turnPayoutsFlags struct {
	storeFlags
	settings.Seeds
	settings.State
	Reason string `arg:"" help:"Why, for the audit log."`
}

func (f turnPayoutsFlags) turn(ctx context.Context, s streams, paused bool) error {
	return f.withOffline(ctx, func(o *offline) error {
		keeper, err := f.keeper(o, f.Seeds, f.State)
		if err != nil {
			return err
		}
		stands, err := payouts.PayoutSwitch{Controls: keeper.Payouts(o.store), Clock: o.machine, Entropy: o.machine}.Set(ctx, paused, f.Reason)
		if err != nil {
			return err
		}
		_, err = fmt.Fprintln(s.out, switchText(stands))
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
	if p.By != "" { // else the command line did it, or the service itself
		since += ", by " + string(p.By)
	}
	return since + ": " + p.Reason
}

type listPayoutsCommand struct {
	storeFlags
	Limit int `default:"100" help:"How many of each state are shown at most."`
}

// Run lists what is sending, approved and failed.
func (c listPayoutsCommand) Run(ctx context.Context, s streams) error {
	if c.Limit < 1 || c.Limit > 10_000 {
		return usageError{errors.New("--limit: must be from 1 to 10000")}
	}
	return c.withOffline(ctx, func(o *offline) error {
		queue, err := payouts.ListPayouts(ctx, o.store, c.Limit, o.machine.Now())
		if err != nil {
			return err
		}
		fmt.Fprintln(s.out, switchText(queue.Pause))
		table := tabwriter.NewWriter(s.out, 0, 0, 2, ' ', 0)
		fmt.Fprintln(table, "ID\tSTATUS\tAMOUNT\tTOKEN\tDESTINATION\tSINCE\tATTEMPTS\tSIGNATURE\tREASON")
		for _, w := range queue.Waiting {
			fmt.Fprintf(table, "%s\t%s\t%d\t%s\t%s\t%s\t%d\t%s\t%s\n", w.ID, w.Status, w.Amount, w.Token, w.Destination,
				w.UpdatedAt.UTC().Format(time.RFC3339), w.Attempt, w.Signature, w.Reason)
		}
		return table.Flush()
	})
}
