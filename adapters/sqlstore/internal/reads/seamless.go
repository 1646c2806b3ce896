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
	return one(ctx, r, "read launch", rows.Launches.Select()+" WHERE l.wallet = ? AND l.connection = ?", []any{r.key(w), connection},
		rows.Launches.Scan, fault.New(fault.NotFound, "%s never launched a game at %q", w, connection))
}

// LaunchedSince serves ports.Launches.
func (r *Reads) LaunchedSince(ctx context.Context, connection string, since time.Time, after wallet.Address, limit int,
) ([]seamless.Launch, error) {
	return everyKept(ctx, r, "list launches", "SELECT "+rows.Launches.Columns()+" FROM players AS w CROSS JOIN "+rows.Launches.From()+
		" WHERE l.wallet = w.key AND l.connection = ? AND l.at >= ? AND w.wallet > ? ORDER BY w.wallet LIMIT ?",
		[]any{connection, db.Micros(since), string(after), limit}, rows.Launches.Scan)
}

// SeamlessTransaction serves ports.SeamlessTransactions.
func (r *Reads) SeamlessTransaction(ctx context.Context, id string) (seamless.Transaction, error) {
	return one(ctx, r, "read provider transaction", rows.ProviderTransactions.Select()+" WHERE t.id = ?", []any{id},
		rows.ProviderTransactions.Scan, fault.New(fault.NotFound, "no provider transaction %q", id))
}

// SeamlessTransactions serves ports.SeamlessTransactions.
func (r *Reads) SeamlessTransactions(ctx context.Context, f ports.SeamlessFilter, page ports.Page) (ports.SeamlessPage, error) {
	l := list{columns: rows.ProviderTransactions.Columns(), from: rows.ProviderTransactions.From(), id: "t.id", ofKeys: true}
	l.equals("t.connection", f.Connection)
	l.owned(r.db.Dialect, f.Wallet)
	l.equals("t.agent", f.Agent)
	if f.Open {
		l.texts = append(l.texts, `t.status = 'review' AND NOT EXISTS (SELECT 1 FROM provider_transactions AS d
			WHERE d.wallet = t.wallet AND d.connection = t.connection AND d.txn_id = t.txn_id AND d.kind = 'settlement')`)
	}
	r.between(&l, "t.at", f.From, f.To, rows.IDSlack)
	found, info, err := listed(ctx, r, "list provider transactions", page, rows.ProviderTransactions.Scan,
		func(t *seamless.Transaction) string { return t.ID }, l)
	return ports.SeamlessPage{Transactions: found, PageInfo: info}, err
}
