package database

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"time"

	"github.com/casino-service/casino/adapters/sqlstore"
	apptreasury "github.com/casino-service/casino/app/treasury"
	"github.com/casino-service/casino/cmd/internal/cli"
	"github.com/casino-service/casino/cmd/internal/settings"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/treasury"
)

type CapitalCommand struct {
	Book   bookCommand   `cmd:"" help:"Book what the operator put into the treasury. Example: casino capital book So11111111111111111111111111111111111111112 5000000000 <signature>"`
	Sweep  sweepCommand  `cmd:"" help:"Announce that the operator's own money will leave the treasury, so that payouts aren't paused for it. Example: casino capital sweep So11111111111111111111111111111111111111112 5000000000 <destination> 'profit of May'"`
	Accept acceptCommand `cmd:"" help:"Account for a transaction of the treasury's that payouts were paused for: what it took is booked as the operator's own money. Example: casino capital accept <signature> 'opened a token account'"`
}

type bookCommand struct {
	storeFlags
	settings.Seeds
	nodeFlags
	Token     string `arg:"" help:"The token's mint."`
	Amount    string `arg:"" help:"The amount in base units, exactly what the treasury received."`
	Reference string `arg:"" help:"The signature of the transaction that paid it in; each is booked once."`
	Unread    bool   `help:"Book without reading the transaction, for one that no node has any more. The audit log says so."`
}

// Run reads the transaction on chain and books what it paid in. It needs no role, only
// access to the database. Until capital is booked, the house has no bankroll, and every bet
// is refused.
func (c bookCommand) Run(ctx context.Context, s cli.Streams) error {
	token, amount, err := parseAmount(c.Token, c.Amount)
	if err != nil {
		return cli.Usage(err)
	}
	return c.withSealing(ctx, c.Seeds, func(o *offline) error {
		known, err := o.store.RegisterTokens(ctx, nil)
		if err != nil {
			return err
		}
		terms, err := known.Known(token)
		if err != nil {
			return fmt.Errorf("%w: start casino serve with it in the tokens file first", err)
		}
		var chain chainReader
		if !c.Unread {
			if chain, err = c.open(c.storeFlags, known); err != nil {
				return err
			}
			defer chain.Close()
		}
		return o.withWriter(ctx, func(writer *sqlstore.Writer) error {
			capital := apptreasury.CapitalCommands{Bookings: o.store, Writer: writer, Clock: o.machine, Entropy: o.machine}
			if c.Unread {
				err = capital.BookUnread(ctx, terms.Mint, amount, c.Reference)
			} else {
				err = capital.BookPayment(ctx, chain, terms, amount, c.Reference)
			}
			if err == nil {
				_, err = fmt.Fprintf(s.Out, "booked %d of %s\n", amount, token)
			}
			return err
		})
	})
}

// parseAmount parses a mint and an amount in base units, and reports both errors.
func parseAmount(mint, units string) (money.Token, money.Amount, error) {
	token, tokenErr := money.ParseToken(mint)
	amount, err := strconv.ParseInt(units, 10, 64)
	if err != nil || amount < 1 {
		err = fmt.Errorf("%q is not an amount in base units", units)
	}
	return token, money.Amount(amount), errors.Join(tokenErr, err)
}

// withWriter runs do with a writer. The service may run beside it.
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

type sweepCommand struct {
	storeFlags
	settings.Seeds
	Token       string        `arg:"" help:"The token's mint."`
	Amount      string        `arg:"" help:"The amount in base units, exactly."`
	Destination string        `arg:"" help:"The wallet that it goes to."`
	Reason      string        `arg:"" help:"Why, for the audit log."`
	Valid       time.Duration `default:"24h" help:"For how long it is expected, at most 720h."`
}

// Run announces a sweep. It needs no role, only access to the database. The transaction is
// signed elsewhere; the service books it once it is finalized.
func (c sweepCommand) Run(ctx context.Context, s cli.Streams) error {
	token, amount, err := parseAmount(c.Token, c.Amount)
	if err != nil {
		return cli.Usage(err)
	}
	return c.withSealing(ctx, c.Seeds, func(o *offline) error {
		payment := treasury.Payment{Token: token, Amount: amount, Destination: c.Destination}
		sweep, err := o.treasuryCommands(nil).Announce(ctx, payment, c.Reason, c.Valid)
		if err != nil {
			return err
		}
		_, err = fmt.Fprintf(s.Out, "announced: %d of %s to %s, until %s\n", amount, token, c.Destination, sweep.Until.Format(time.RFC3339))
		return err
	})
}

type acceptCommand struct {
	storeFlags
	settings.Seeds
	Signature string `arg:"" help:"The transaction's signature."`
	Reason    string `arg:"" help:"Why, for the audit log."`
}

// Run accounts for a transaction. It needs no role, only access to the database. Payouts
// stay paused until they are resumed.
func (c acceptCommand) Run(ctx context.Context, s cli.Streams) error {
	return c.withSealing(ctx, c.Seeds, func(o *offline) error {
		return o.withWriter(ctx, func(writer *sqlstore.Writer) error {
			m, err := o.treasuryCommands(writer).Accept(ctx, c.Signature, c.Reason)
			if err != nil {
				return err
			}
			for _, paid := range m.Payments {
				if _, err := fmt.Fprintf(s.Out, "booked %d of %s\n", paid.Amount, paid.Token); err != nil {
					return err
				}
			}
			_, err = fmt.Fprintf(s.Out, "booked a cost of %d lamports\n", m.Fee+m.Rent)
			return err
		})
	})
}

func (o *offline) treasuryCommands(writer *sqlstore.Writer) apptreasury.TreasuryCommands {
	return apptreasury.TreasuryCommands{Store: o.store, Writer: writer, Clock: o.machine, Entropy: o.machine}
}
