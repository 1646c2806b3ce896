package rows

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/uptrace/bun"

	"github.com/casino-service/casino/adapters/sqlstore/internal/db"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/treasury"
)

// Movement is a transaction of the treasury's with its state.
type Movement struct {
	treasury.Movement
	State treasury.State
}

// Movements are what the treasury signed, as the chain shows it.
var Movements = table("treasury_movements", "m",
	text("signature", func(m *Movement) *string { return &m.Signature }).keyed(),
	bits("slot", func(m *Movement) *uint64 { return &m.Slot }),
	moment("at", func(m *Movement) *time.Time { return &m.At }),
	boolean("failed", func(m *Movement) *bool { return &m.Failed }),
	text("withdrawal_id", func(m *Movement) *string { return &m.WithdrawalID }),
	text("tag", func(m *Movement) *string { return &m.Tag }),
	payments("payments", func(m *Movement) *[]treasury.Payment { return &m.Payments }),
	integer("fee", func(m *Movement) *money.Amount { return &m.Fee }),
	integer("rent", func(m *Movement) *money.Amount { return &m.Rent }),
	text("state", func(m *Movement) *treasury.State { return &m.State }),
)

// MovementsInOrder is the order of the chain.
const MovementsInOrder = " ORDER BY m.slot, m.signature"

// IndexPositions is the one row of how far the index of movements reaches.
var IndexPositions = table("treasury_index", "x",
	single[treasury.Position]("id"),
	text("cursor", func(p *treasury.Position) *string { return &p.Cursor }),
	bits("slot", func(p *treasury.Position) *uint64 { return &p.Slot }),
	optional("at", func(p *treasury.Position) *time.Time { return &p.At }),
	optional("since", func(p *treasury.Position) *time.Time { return &p.Since }),
)

// Sweeps are the announced sweeps of the operator's own money.
var Sweeps = table("treasury_sweeps", "w",
	text("id", func(s *treasury.Sweep) *string { return &s.ID }).keyed(),
	text("token", func(s *treasury.Sweep) *money.Token { return &s.Token }),
	integer("amount", func(s *treasury.Sweep) *money.Amount { return &s.Amount }),
	text("destination", func(s *treasury.Sweep) *string { return &s.Destination }),
	text("reason", func(s *treasury.Sweep) *string { return &s.Reason }),
	moment("at", func(s *treasury.Sweep) *time.Time { return &s.At }),
	moment("until", func(s *treasury.Sweep) *time.Time { return &s.Until }),
	text("signature", func(s *treasury.Sweep) *string { return &s.Signature }),
)

// ReadIndexPosition reads how far the index reaches.
func ReadIndexPosition(ctx context.Context, from bun.IConn) (treasury.Position, error) {
	p, err := IndexPositions.Scan(from.QueryRowContext(ctx, IndexPositions.Select()))
	if errors.Is(err, sql.ErrNoRows) {
		return treasury.Position{}, nil
	}
	return p, db.Wrap("read how far the treasury's index reaches", err)
}

// readLanded reads which transaction has paid a withdrawal, empty when the index has
// none.
func readLanded(ctx context.Context, from bun.IConn, withdrawalID string) (signature string, err error) {
	err = from.QueryRowContext(ctx, "SELECT signature FROM treasury_movements WHERE withdrawal_id = ? AND withdrawal_id <> '' AND NOT failed LIMIT 1",
		withdrawalID).Scan(&signature)
	if errors.Is(err, sql.ErrNoRows) {
		return "", nil
	}
	return signature, db.Wrap("look for a payment of a withdrawal", err)
}

// payments are a text with a line for each: token, amount, destination.
func payments[T any](name string, at func(*T) *[]treasury.Payment) column[T] {
	return column[T]{
		Column: db.Column{Name: name, Type: db.Text},
		place:  func(v *T) any { return (*paymentLines)(at(v)) },
		value: func(v *T) any {
			var lines []string
			for _, p := range *at(v) {
				lines = append(lines, fmt.Sprintf("%s %d %s", p.Token, p.Amount, p.Destination))
			}
			return strings.Join(lines, "\n")
		},
	}
}

// paymentLines reads payments.
type paymentLines []treasury.Payment

// Scan implements sql.Scanner.
func (l *paymentLines) Scan(from any) error {
	read, err := textOf(from)
	if err != nil {
		return err
	}
	*l = nil
	for line := range strings.Lines(read) {
		parts := strings.Split(strings.TrimSuffix(line, "\n"), " ")
		if len(parts) != 3 {
			return fmt.Errorf("a payment of the treasury's is stored as %q", line)
		}
		amount, err := strconv.ParseInt(parts[1], 10, 64)
		if err != nil {
			return fmt.Errorf("a payment of the treasury's is stored as %q", line)
		}
		*l = append(*l, treasury.Payment{Token: money.Token(parts[0]), Amount: money.Amount(amount), Destination: parts[2]})
	}
	return nil
}
