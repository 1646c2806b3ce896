package admin

import (
	"context"

	"github.com/uptrace/bun"

	"github.com/casino-service/casino/adapters/sqlstore/internal/db"
	"github.com/casino-service/casino/adapters/sqlstore/internal/rows"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/token"
	"github.com/casino-service/casino/ports"
)

// Initialize serves ports.Registry.
func (c *Changes) Initialize(ctx context.Context, id ports.Identity) error {
	return c.short(ctx, "registry", func(ctx context.Context, tx bun.Tx) error {
		for _, fact := range []struct{ name, title, value string }{
			{"mode", "the mode", string(id.Mode)}, {"genesis", "the genesis hash", id.Genesis},
		} {
			stored := rows.Fact{Name: fact.name, Value: fact.value}
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

// RegisterTokens serves ports.Registry.
func (c *Changes) RegisterTokens(ctx context.Context, open []token.Terms) (book token.Book, err error) {
	err = c.short(ctx, "registry", func(ctx context.Context, tx bun.Tx) error {
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
	var all []rows.TokenRow
	if err := tx.NewSelect().Model(&all).ColumnExpr(rows.Tokens.Columns()).Scan(ctx); err != nil {
		return nil, db.Wrap("read tokens", err)
	}
	known := make(map[money.Token]token.Terms, len(all))
	for _, row := range all {
		known[row.Terms.Mint] = token.Terms(row.Terms)
	}
	return known, nil
}

func writeTerms(ctx context.Context, tx bun.Tx, t token.Terms) error {
	// Decimals and program are those that are stored.
	_, err := tx.NewInsert().Model(rows.Tokens.Row(&t)).On("CONFLICT (mint) DO UPDATE").Exec(ctx)
	if err != nil {
		return db.Wrap("write token", err)
	}
	_, err = tx.NewInsert().Model(&rows.TokenFee{Mint: t.Mint, NewAccountFee: t.NewAccountFee}).On("CONFLICT (mint) DO UPDATE").Exec(ctx)
	return db.Wrap("write a token's fee", err)
}
