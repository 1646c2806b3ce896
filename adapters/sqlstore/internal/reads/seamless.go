package reads

import (
	"context"
	"time"

	"github.com/casino-service/casino/adapters/sqlstore/internal/db"
	"github.com/casino-service/casino/adapters/sqlstore/internal/rows"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/seamless"
	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/ports"
)

var (
	_ ports.Launches             = (*Reads)(nil)
	_ ports.SeamlessTransactions = (*Reads)(nil)
)

// Launch serves ports.Launches.
func (r *Reads) Launch(ctx context.Context, w wallet.Address, connection string) (seamless.Launch, error) {
	return from(r, rows.Launches).where("l.wallet = ? AND l.connection = ?", r.key(w), connection).
		one(ctx, "read launch", fault.New(fault.NotFound, "%s never launched a game at %q", w, connection))
}

// LaunchedSince serves ports.Launches.
func (r *Reads) LaunchedSince(ctx context.Context, connection string, since time.Time, after wallet.Address, limit int,
) ([]seamless.Launch, error) {
	return from(r, rows.Launches.ByWallet()).
		where("l.wallet = w.key AND l.connection = ? AND l.at >= ? AND w.wallet > ?", connection, db.Micros(since), after).
		order("w.wallet").limit(limit).kept(ctx, "list launches")
}

// SeamlessTransaction serves ports.SeamlessTransactions.
func (r *Reads) SeamlessTransaction(ctx context.Context, id string) (seamless.Transaction, error) {
	return from(r, rows.ProviderTransactions).where("t.id = ?", id).
		one(ctx, "read provider transaction", fault.New(fault.NotFound, "no provider transaction %q", id))
}

// SeamlessTransactions serves ports.SeamlessTransactions.
func (r *Reads) SeamlessTransactions(ctx context.Context, f ports.SeamlessFilter, page ports.Page) (ports.SeamlessPage, error) {
	l := listOf(rows.ProviderTransactions, "t.id")
	l.ofKeys = true
	l.equals("t.connection", f.Connection)
	l.owned(r.db.Dialect, f.Wallet)
	l.equals("t.agent", f.Agent)
	if f.Open {
		l.texts = append(l.texts, `t.status = 'review' AND NOT EXISTS (SELECT 1 FROM provider_transactions AS d
			WHERE d.wallet = t.wallet AND d.connection = t.connection AND d.txn_id = t.txn_id AND d.kind = 'settlement')`)
	}
	r.between(&l, "t.at", f.From, f.To, rows.IDSlack)
	found, info, err := listed(ctx, r, "list provider transactions", page, rows.ProviderTransactions,
		func(t *seamless.Transaction) string { return t.ID }, l)
	return ports.SeamlessPage{Transactions: found, PageInfo: info}, err
}
