package main

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"time"

	"github.com/casino-service/casino/adapters/sqlstore"
	apptreasury "github.com/casino-service/casino/app/treasury"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/treasury"
)

type sweepCommand struct {
	storeFlags
	Token       string        `arg:"" help:"The token's mint."`
	Amount      string        `arg:"" help:"The amount in base units, exactly."`
	Destination string        `arg:"" help:"The wallet that it goes to."`
	Reason      string        `arg:"" help:"Why, for the audit log."`
	Valid       time.Duration `default:"24h" help:"For how long it is expected, at most 720h."`
}

// Run announces a sweep. No role is needed: whoever runs it holds the database. The
// transaction is signed elsewhere; the service books it once it is finalized.
func (c sweepCommand) Run(ctx context.Context, s streams) error {
	token, tokenErr := money.ParseToken(c.Token)
	amount, err := strconv.ParseInt(c.Amount, 10, 64)
	if err != nil || amount < 1 {
		err = fmt.Errorf("%q is not an amount in base units", c.Amount)
	}
	if err := errors.Join(tokenErr, err); err != nil {
		return usageError{err}
	}
	return c.withOffline(ctx, func(o *offline) error {
		payment := treasury.Payment{Token: token, Amount: money.Amount(amount), Destination: c.Destination}
		sweep, err := o.treasury(nil).Announce(ctx, payment, c.Reason, c.Valid)
		if err != nil {
			return err
		}
		_, err = fmt.Fprintf(s.out, "announced: %d of %s to %s, until %s\n", amount, token, c.Destination, sweep.Until.Format(time.RFC3339))
		return err
	})
}

type acceptCommand struct {
	storeFlags
	Signature string `arg:"" help:"The transaction's signature."`
	Reason    string `arg:"" help:"Why, for the audit log."`
}

// Run accounts for a transaction. No role is needed: whoever runs it holds the database.
// Payouts stay paused until they are resumed.
func (c acceptCommand) Run(ctx context.Context, s streams) error {
	return c.withOffline(ctx, func(o *offline) error {
		return o.withWriter(ctx, func(writer *sqlstore.Writer) error {
			m, err := o.treasury(writer).Accept(ctx, c.Signature, c.Reason)
			if err != nil {
				return err
			}
			for _, paid := range m.Payments {
				if _, err := fmt.Fprintf(s.out, "booked %d of %s\n", paid.Amount, paid.Token); err != nil {
					return err
				}
			}
			_, err = fmt.Fprintf(s.out, "booked a cost of %d lamports\n", m.Fee+m.Rent)
			return err
		})
	})
}

func (o *offline) treasury(writer *sqlstore.Writer) apptreasury.TreasuryCommands {
	return apptreasury.TreasuryCommands{Store: o.store, Writer: writer, Clock: o.machine, Entropy: o.machine}
}
