package database

import (
	"bufio"
	"context"
	"errors"
	"strings"
	"time"

	"github.com/go-json-experiment/json"

	"github.com/casino-service/casino/adapters/httpapi"
	"github.com/casino-service/casino/adapters/workers"
	"github.com/casino-service/casino/cmd/internal/cli"
	"github.com/casino-service/casino/domain/stream"
	"github.com/casino-service/casino/domain/wallet"
)

type EventsCommand struct {
	storeFlags
	From   string   `placeholder:"CURSOR" help:"Continue after the event with this cursor; from the beginning unless given. 'now' skips all earlier events."`
	Follow bool     `help:"Continue with later events until interrupted."`
	Types  []string `placeholder:"TYPE" help:"Only these types, such as round.settled,balance.changed."`
	Wallet string   `placeholder:"ADDRESS" help:"Only events of this player."`
}

const (
	// Number of events read at a time.
	eventLinesAtOnce = 500
	// followRest is the pause between two checks for new events.
	followRest = 50 * time.Millisecond
)

// Run prints committed events as CloudEvents, one JSON object per line, in order.
func (c EventsCommand) Run(ctx context.Context, s cli.Streams) error {
	filter, at, err := c.parseFlags()
	if err != nil {
		return cli.Usage(err)
	}
	return c.withOffline(ctx, func(o *offline) error {
		if c.From == "now" {
			if at, err = o.store.Newest(ctx); err != nil {
				return err
			}
		}
		state, err := o.store.State(ctx)
		if err != nil {
			return err
		}
		out := bufio.NewWriter(s.Out)
		for {
			page, err := o.store.After(ctx, at, filter, eventLinesAtOnce)
			if err != nil {
				return c.ignoreInterrupt(ctx, err)
			}
			for _, e := range page.Events {
				if err := json.MarshalWrite(out, httpapi.EventOf(state.Ledger, e), json.Deterministic(true)); err != nil {
					return err
				}
				_ = out.WriteByte('\n') // an error is kept until the flush
			}
			if err := out.Flush(); err != nil {
				return err
			}
			if at = page.Next; page.More {
				continue
			}
			if !c.Follow || ctx.Err() != nil {
				return nil //nolint:nilerr // an interrupt ends --follow
			}
			workers.Rest(ctx, followRest)
		}
	})
}

// ignoreInterrupt returns nil for an interrupt of --follow.
func (c EventsCommand) ignoreInterrupt(ctx context.Context, err error) error {
	if c.Follow && ctx.Err() != nil {
		return nil //nolint:nilerr // an interrupt ends --follow
	}
	return err
}

func (c EventsCommand) parseFlags() (f stream.Filter, at stream.Cursor, err error) {
	for _, name := range c.Types {
		kind, known := stream.ParseType(strings.TrimPrefix(name, "casino."))
		if !known {
			return f, at, errors.New("--types: " + name + " is not a type of event")
		}
		f.Types = append(f.Types, kind)
	}
	if c.Wallet != "" {
		if f.Wallet, err = wallet.Parse(c.Wallet); err != nil {
			return f, at, err
		}
	}
	if c.From != "now" {
		at, err = stream.ParseCursor(c.From)
	}
	return f, at, err
}
