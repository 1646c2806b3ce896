package main

import (
	"context"
	"errors"
	"fmt"
	"strconv"

	"github.com/casino-service/casino/adapters/sqlstore"
	"github.com/casino-service/casino/app/treasury"
	"github.com/casino-service/casino/domain/money"
)

type capitalCommand struct {
	Book   bookCommand   `cmd:"" help:"Book what the operator put into the treasury. Example: casino capital book So11111111111111111111111111111111111111112 5000000000 <signature>"`
	Sweep  sweepCommand  `cmd:"" help:"Announce that the operator's own money will leave the treasury, so that payouts aren't paused for it. Example: casino capital sweep So11111111111111111111111111111111111111112 5000000000 <destination> 'profit of May'"`
	Accept acceptCommand `cmd:"" help:"Account for a transaction of the treasury's that payouts were paused for: what it took is booked as the operator's own money. Example: casino capital accept <signature> 'opened a token account'"`
}

type bookCommand struct {
	storeFlags
	Token     string `arg:"" help:"The token's mint."`
	Amount    string `arg:"" help:"The amount in base units."`
	Reference string `arg:"" help:"The signature of the transaction that paid it in; each is booked once."`
}

// Run books the capital. No role is needed: whoever runs it holds the database. Until
// capital is booked the house has no bankroll, and every bet is refused.
func (c bookCommand) Run(ctx context.Context, s streams) error {
	token, tokenErr := money.ParseToken(c.Token)
	amount, err := strconv.ParseInt(c.Amount, 10, 64)
	if err != nil || amount < 1 {
		err = fmt.Errorf("%q is not an amount in base units", c.Amount)
	}
	if err := errors.Join(tokenErr, err); err != nil {
		return usageError{err}
	}
	return c.withOffline(ctx, func(o *offline) error {
		known, err := o.store.RegisterTokens(ctx, nil)
		if err != nil {
			return err
		}
		if _, err := known.Known(token); err != nil {
			return fmt.Errorf("%w: start casino serve with it in the tokens file first", err)
		}
		return o.withWriter(ctx, func(writer *sqlstore.Writer) error {
			capital := treasury.CapitalCommands{Writer: writer, Clock: o.machine, Entropy: o.machine}
			booked, err := capital.BookCapital(ctx, token, money.Amount(amount), c.Reference)
			if err != nil {
				return err
			}
			outcome := "booked"
			if !booked {
				outcome = "not booked, because this reference was booked before:"
			}
			_, err = fmt.Fprintf(s.out, "%s %d of %s\n", outcome, amount, token)
			return err
		})
	})
}

// withWriter runs a writer for the duration of do. The service may run beside it.
func (o *offline) withWriter(ctx context.Context, do func(*sqlstore.Writer) error) error {
	writer, err := o.store.Writer(sqlstore.WriterOptions{ID: o.machine.ID()})
	if err != nil {
		return err
	}
	running, cancel := context.WithCancel(ctx)
	ended := make(chan error, 1)
	go func() { ended <- writer.Run(running) }()
	err = do(writer)
	cancel()
	return errors.Join(err, <-ended)
}
