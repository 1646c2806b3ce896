package sqlstore

import (
	"context"
	"database/sql"

	"github.com/uptrace/bun"

	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/token"
	"github.com/casino-service/casino/ports"
)

var _ ports.Registry = (*Store)(nil)

// Found serves ports.Registry.
func (s *Store) Found(ctx context.Context, id ports.Identity) error {
	return s.small(ctx, "registry", func(ctx context.Context, tx bun.Tx) error {
		for _, fact := range []struct{ name, title, value string }{
			{"mode", "the mode", string(id.Mode)}, {"genesis", "the genesis hash", id.Genesis},
		} {
			_, err := tx.ExecContext(ctx, "INSERT INTO meta (name, value) VALUES (?, ?) ON CONFLICT DO NOTHING", fact.name, fact.value)
			if err != nil {
				return wrap("found", err)
			}
			var stored string
			if err := tx.QueryRowContext(ctx, "SELECT value FROM meta WHERE name = ?", fact.name).Scan(&stored); err != nil {
				return wrap("found", err)
			}
			if stored != fact.value {
				return fault.New(fault.InvalidState, "%s differs: the database was made for %q, not %q", fact.title, stored, fact.value)
			}
		}
		return nil
	})
}

// Identity returns what the database was founded on, and false before it was.
func (s *Store) Identity(ctx context.Context) (id ports.Identity, founded bool, err error) {
	err = s.rows(ctx, "read identity", "SELECT name, value FROM meta", nil, func(row *sql.Rows) error {
		var name, value string
		if err := row.Scan(&name, &value); err != nil {
			return err
		}
		switch name {
		case "mode":
			id.Mode, founded = ports.Mode(value), true
		case "genesis":
			id.Genesis = value
		}
		return nil
	})
	return id, founded, err
}

// tokenColumns are the columns of a token in the order of scanTerms, which scans the
// fee of a new account after them.
// #nosec G101 -- these tokens are coins, not credentials.
const tokenColumns = `mint, symbol, decimals, program, min_deposit, min_wager, max_wager, max_payout, min_withdrawal,
	max_withdrawal, two_person_above, payout_cap, payout_cap_per_hour, bankroll_share_num, bankroll_share_den`

func scanTerms(row *sql.Rows) (t token.Terms, err error) {
	var num, den int64
	err = row.Scan(&t.Mint, &t.Symbol, &t.Decimals, &t.Program, &t.MinDeposit, &t.MinWager, &t.MaxWager, &t.MaxPayout,
		&t.MinWithdrawal, &t.MaxWithdrawal, &t.TwoPersonAbove, &t.PayoutCap, &t.PayoutCapPerHour, &num, &den, &t.NewAccountFee)
	t.BankrollShare = money.Ratio{Num: uint64(num), Den: uint64(den)}
	return t, err
}

// KnowTokens serves ports.Registry.
func (s *Store) KnowTokens(ctx context.Context, open []token.Terms) (book token.Book, err error) {
	err = s.small(ctx, "registry", func(ctx context.Context, tx bun.Tx) error {
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
	answer, err := tx.QueryContext(ctx, "SELECT "+tokenColumns+`,
		coalesce((SELECT f.new_account_fee FROM token_fees AS f WHERE f.mint = tokens.mint), 0) FROM tokens`)
	if err != nil {
		return nil, wrap("read tokens", err)
	}
	known := map[money.Token]token.Terms{}
	err = scanAll(answer, func(row *sql.Rows) error {
		terms, err := scanTerms(row)
		known[terms.Mint] = terms
		return err
	})
	return known, wrap("read tokens", err)
}

func writeTerms(ctx context.Context, tx bun.Tx, t token.Terms) error {
	_, err := tx.ExecContext(ctx, "INSERT INTO tokens ("+tokenColumns+`) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
		ON CONFLICT (mint) DO UPDATE SET symbol = excluded.symbol, min_deposit = excluded.min_deposit, min_wager = excluded.min_wager,
		max_wager = excluded.max_wager, max_payout = excluded.max_payout, min_withdrawal = excluded.min_withdrawal,
		max_withdrawal = excluded.max_withdrawal, two_person_above = excluded.two_person_above, payout_cap = excluded.payout_cap,
		payout_cap_per_hour = excluded.payout_cap_per_hour, bankroll_share_num = excluded.bankroll_share_num,
		bankroll_share_den = excluded.bankroll_share_den`,
		string(t.Mint), t.Symbol, t.Decimals, string(t.Program), int64(t.MinDeposit), int64(t.MinWager), int64(t.MaxWager),
		int64(t.MaxPayout), int64(t.MinWithdrawal), int64(t.MaxWithdrawal), int64(t.TwoPersonAbove), int64(t.PayoutCap),
		int64(t.PayoutCapPerHour), int64(t.BankrollShare.Num), int64(t.BankrollShare.Den))
	if err != nil {
		return wrap("write token", err)
	}
	_, err = tx.ExecContext(ctx, `INSERT INTO token_fees (mint, new_account_fee) VALUES (?, ?)
		ON CONFLICT (mint) DO UPDATE SET new_account_fee = excluded.new_account_fee`, string(t.Mint), int64(t.NewAccountFee))
	return wrap("write a token's fee", err)
}

// Ping reports whether the database answers.
func (s *Store) Ping(ctx context.Context) error { return s.asked("ping", s.db.Read.PingContext(ctx)) }
