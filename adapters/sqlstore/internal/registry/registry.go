// Package registry stores the identity of the database and the terms of tokens, and deletes
// expired rows.
package registry

import (
	"context"
	"errors"
	"time"

	"github.com/uptrace/bun"

	"github.com/casino-service/casino/adapters/sqlstore/internal/change"
	"github.com/casino-service/casino/adapters/sqlstore/internal/db"
	"github.com/casino-service/casino/adapters/sqlstore/internal/read"
	"github.com/casino-service/casino/adapters/sqlstore/internal/table"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/token"
	"github.com/casino-service/casino/ports"
)

// Store implements ports.Registry.
type Store struct{ *change.Changes }

// The models of small tables, which only short transactions and reads use.

// Fact is a row of meta: a fact of the database's identity.
type Fact struct {
	bun.BaseModel `bun:"table:meta,alias:m"`
	Name          string `bun:",pk"`
	Value         string
}

// TokenFee is a row of token_fees: the cost of opening an account of a token.
type TokenFee struct {
	bun.BaseModel `bun:"table:token_fees,alias:f"`
	Mint          money.Token `bun:",pk"`
	NewAccountFee money.Amount
}

// Facts is the model of the database's identity.
var Facts = table.ModelOf[Fact, Fact]()

// TokenRow is a row of tokens. The cost of opening an account of a token is in another table.
type TokenRow struct {
	bun.BaseModel `bun:"table:tokens,alias:t"`
	Terms         struct {
		Mint                 money.Token `bun:",pk"`
		Symbol               string
		Decimals             uint8
		Program              token.Program
		MinDeposit           money.Amount
		MinWager             money.Amount
		MaxWager             money.Amount
		MaxPayout            money.Amount
		MinWithdrawal        money.Amount
		MaxWithdrawal        money.Amount
		TwoPersonAbove       money.Amount
		TwoPersonAbovePerDay money.Amount
		PayoutCap            money.Amount
		PayoutCapPerHour     money.Amount
		NewAccountFee        money.Amount `bun:",scanonly"`
		BankrollShare        money.Ratio  `bun:"embed:bankroll_share_"`
		LargeWin             money.Amount `bun:"-"`
		Seal                 string
		Closing              bool `bun:"-"`
	} `bun:"embed:"`
}

// Tokens is the model of every known token with its latest terms.
// #nosec G101 -- these tokens are coins, not credentials.
var Tokens = table.ModelOf[TokenRow, token.Terms]().Reading("new_account_fee", "coalesce((SELECT f.new_account_fee FROM token_fees AS f WHERE f.mint = t.mint), 0)")

// Identity returns the identity of the database, and false before it has one.
func (s *Store) Identity(ctx context.Context) (id ports.Identity, founded bool, err error) {
	err = read.From(s.Reads, Facts).Each(ctx, "read identity", func(f Fact) error {
		switch f.Name {
		case "mode":
			id.Mode, founded = ports.Mode(f.Value), true
		case "genesis":
			id.Genesis = f.Value
		}
		return nil
	})
	return id, founded, err
}

// PruneMax is how many rows of a kind one pruning step deletes.
const PruneMax = 1000

// expired lists the rows to delete after their time: used login messages outside every window,
// clients' keys, and the initial tallies of expired sessions.
var expired = []struct{ what, table, key string }{
	{"prune unique keys", "unique_keys", "kind, scope, id, place"},
	{"prune sessions", "sessions", "wallet, issued_at"},
}

// Prune deletes expired rows, and reports whether there may be more. Nothing else is ever
// deleted.
func (s *Store) Prune(ctx context.Context, now time.Time) (worked bool, err error) {
	for _, kind := range expired {
		which := s.DB.Write.NewSelect().Table(kind.table).ColumnExpr(kind.key).Where("keep_until < ?", db.Micros(now)).Order("keep_until").Limit(PruneMax)
		forgotten, failed := change.RowsChanged(s.DB.Write.NewDelete().Table(kind.table).Where("("+kind.key+") IN (?)", which).Exec(ctx))
		worked, err = worked || forgotten > 0, errors.Join(err, db.Wrap(kind.what, failed))
	}
	return worked, err
}

// Initialize implements ports.Registry.
func (s *Store) Initialize(ctx context.Context, id ports.Identity) error {
	return s.Run(ctx, "registry", func(ctx context.Context, tx bun.Tx) error {
		for _, fact := range []struct{ name, title, value string }{
			{"mode", "the mode", string(id.Mode)}, {"genesis", "the genesis hash", id.Genesis},
		} {
			stored := Fact{Name: fact.name, Value: fact.value}
			if _, err := tx.NewInsert().Model(&stored).On("CONFLICT DO NOTHING").Exec(ctx); err != nil {
				return db.Wrap("found", err)
			}
			if err := tx.NewSelect().Model(&stored).WherePK().Scan(ctx); err != nil {
				return db.Wrap("found", err)
			}
			if stored.Value != fact.value {
				return fault.New(fault.InvalidState, "%s differs: the database was made for %q, not %q", fact.title, stored.Value, fact.value)
			}
		}
		_, err := tx.NewUpdate().Table("control").Set("ledger = ?", id.Ledger).Where("ledger = ''").Exec(ctx)
		return db.Wrap("found", err)
	})
}

// RegisterTokens implements ports.Registry.
func (s *Store) RegisterTokens(ctx context.Context, open []token.Terms) (book token.Book, err error) {
	err = s.Run(ctx, "registry", func(ctx context.Context, tx bun.Tx) error {
		known, err := readTerms(ctx, tx)
		if err != nil {
			return err
		}
		for _, terms := range open {
			stored, ok := known[terms.Mint]
			if ok && (stored.Decimals != terms.Decimals || stored.Program != terms.Program) {
				return fault.New(fault.InvalidState, "token %s differs: %d decimals under %s are stored, %d under %s were given",
					terms.Mint, stored.Decimals, stored.Program, terms.Decimals, terms.Program)
			}
		}
		for mint, terms := range known {
			terms.Closing = true
			known[mint] = terms
		}
		for _, terms := range open {
			if err := writeTerms(ctx, tx, terms); err != nil {
				return err
			}
			terms.Closing = false
			known[terms.Mint] = terms
		}
		all := make([]token.Terms, 0, len(known))
		for _, terms := range known {
			all = append(all, terms)
		}
		book = token.NewBook(all...)
		return nil
	})
	return book, err
}

func readTerms(ctx context.Context, tx bun.Tx) (map[money.Token]token.Terms, error) {
	var all []TokenRow
	if err := tx.NewSelect().Model(&all).ColumnExpr(Tokens.Columns()).Scan(ctx); err != nil {
		return nil, db.Wrap("read tokens", err)
	}
	known := make(map[money.Token]token.Terms, len(all))
	for _, row := range all {
		known[row.Terms.Mint] = token.Terms(row.Terms)
	}
	return known, nil
}

func writeTerms(ctx context.Context, tx bun.Tx, t token.Terms) error {
	// Stored decimals and programs are kept.
	_, err := tx.NewInsert().Model(Tokens.Row(&t)).On("CONFLICT (mint) DO UPDATE").Exec(ctx)
	if err != nil {
		return db.Wrap("write token", err)
	}
	_, err = tx.NewInsert().Model(&TokenFee{Mint: t.Mint, NewAccountFee: t.NewAccountFee}).On("CONFLICT (mint) DO UPDATE").Exec(ctx)
	return db.Wrap("write a token's fee", err)
}
