package sqlstore

import (
	"context"
	"database/sql"
	"time"

	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/seamless"
	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/ports"
)

var (
	_ ports.Launches             = (*Store)(nil)
	_ ports.SeamlessTransactions = (*Store)(nil)
)

// Launch serves ports.Launches.
func (s *Store) Launch(ctx context.Context, w wallet.Address, connection string) (seamless.Launch, error) {
	var launch seamless.Launch
	err := s.one(ctx, "read launch", "SELECT "+launchColumns+" FROM provider_launches AS l WHERE l.wallet = ? AND l.connection = ?",
		[]any{string(w), connection}, func(row *sql.Row) (err error) {
			launch, err = scanLaunch(row)
			return err
		}, fault.New(fault.NotFound, "%s never launched a game at %q", w, connection))
	if err != nil {
		return seamless.Launch{}, err
	}
	return launch, nil
}

// LaunchedSince serves ports.Launches.
func (s *Store) LaunchedSince(ctx context.Context, connection string, since time.Time, after wallet.Address, limit int) ([]seamless.Launch, error) {
	found := []seamless.Launch{}
	err := s.rows(ctx, "list launches", "SELECT "+launchColumns+` FROM provider_launches AS l
		WHERE l.connection = ? AND l.at >= ? AND l.wallet > ? ORDER BY l.wallet LIMIT ?`,
		[]any{connection, micros(since), string(after), limit}, func(row *sql.Rows) error {
			l, err := scanLaunch(row)
			found = append(found, l)
			return err
		})
	return found, err
}

// SeamlessTransaction serves ports.SeamlessTransactions.
func (s *Store) SeamlessTransaction(ctx context.Context, id string) (seamless.Transaction, error) {
	var found seamless.Transaction
	err := s.one(ctx, "read provider transaction", "SELECT "+seamlessColumns+" FROM provider_transactions AS t WHERE t.id = ?",
		[]any{id}, func(row *sql.Row) (err error) {
			found, err = scanSeamless(row)
			return err
		}, fault.New(fault.NotFound, "no provider transaction %q", id))
	if err != nil {
		return seamless.Transaction{}, err
	}
	return found, nil
}

// SeamlessTransactions serves ports.SeamlessTransactions.
func (s *Store) SeamlessTransactions(ctx context.Context, f ports.SeamlessFilter, page ports.Page) (ports.SeamlessPage, error) {
	l := list{columns: seamlessColumns, from: "provider_transactions AS t", id: "t.id"}
	l.equals("t.connection", f.Connection)
	l.equals("t.wallet", string(f.Wallet))
	l.equals("t.agent", f.Agent)
	if f.Open {
		l.texts = append(l.texts, `t.status = 'review' AND NOT EXISTS (SELECT 1 FROM provider_transactions AS d
			WHERE d.connection = t.connection AND d.txn_id = t.txn_id AND d.kind = 'settlement')`)
	}
	s.between(&l, "t.at", f.From, f.To, idSlack)
	answer := ports.SeamlessPage{Transactions: []seamless.Transaction{}}
	info, err := s.listed(ctx, "list provider transactions", page, func(row *sql.Rows) (string, error) {
		t, err := scanSeamless(row)
		answer.Transactions = append(answer.Transactions, t)
		return t.ID, err
	}, l)
	answer.PageInfo = info
	return answer, err
}

func (s *Store) spanSeamless(ctx context.Context, which []any, of func(int64) (*ports.Block, error)) error {
	return s.rows(ctx, "read provider transactions", "SELECT "+seamlessColumns+`, t.seq FROM provider_transactions AS t
		WHERE t.lane = ? AND t.seq BETWEEN ? AND ? ORDER BY t.seq, t.position`, which, func(row *sql.Rows) error {
		var seq int64
		t, err := scanSeamless(row, &seq)
		if err != nil {
			return err
		}
		b, err := of(seq)
		if err != nil {
			return err
		}
		b.Seamless = append(b.Seamless, t)
		return nil
	})
}

// ProviderRounds serves ports.Archive.
func (s *Store) ProviderRounds(ctx context.Context, visit func(seamless.Round) error) error {
	return s.rows(ctx, "read provider rounds", "SELECT "+playedColumns+" FROM provider_rounds AS r ORDER BY r.id", nil,
		func(row *sql.Rows) error {
			r, err := scanPlayed(row)
			if err != nil {
				return err
			}
			return visit(r)
		})
}
