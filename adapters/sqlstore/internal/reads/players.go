package reads

import (
	"context"
	"database/sql"

	"github.com/casino-service/casino/adapters/sqlstore/internal/rows"
	"github.com/casino-service/casino/domain/fairness"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/player"
	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/ports"
)

var (
	_ ports.Players = (*Reads)(nil)
	_ ports.Seeds   = (*Reads)(nil)
)

// readPlayers is asked by every request with a session, so that it is kept prepared,
// and requests at the same time share one.
func (r *Reads) readPlayers(ctx context.Context, wallets []string, found func(string, player.Player)) error {
	return r.db.Known(ctx, "read players", rows.ReadPlayer, wallets, func(row *sql.Rows) error {
		p, err := rows.ScanSession(row)
		found(string(p.Wallet), p)
		return err
	})
}

// Player serves ports.Players.
func (r *Reads) Player(ctx context.Context, w wallet.Address) (player.Player, error) {
	p, ok, err := r.players.find(ctx, string(w))
	if err == nil && !ok {
		err = fault.New(fault.NotFound, "no player %s", w)
	}
	return p, err
}

// PlayerList serves ports.Players.
func (r *Reads) PlayerList(ctx context.Context, filter ports.PlayerFilter, page ports.Page) (ports.PlayerPage, error) {
	l := list{
		columns: rows.Players.Columns() + ", " + rows.Protection, from: rows.Players.From(), joined: rows.WithProtection, id: "p.wallet",
	}
	l.texts = append(l.texts, "p.created_at IS NOT NULL")
	l.equals("p.wallet", string(filter.Wallet))
	l.equals("p.agent", filter.Agent)
	found, info, err := listed(ctx, r, "list players", page, rows.ScanProtected, func(p *player.Player) string { return string(p.Wallet) }, l)
	return ports.PlayerPage{Players: found, PageInfo: info}, err
}

// Balances serves ports.Players.
func (r *Reads) Balances(ctx context.Context, w wallet.Address) ([]ports.TokenBalance, error) {
	var all []ports.TokenBalance
	err := r.db.Rows(ctx, "read balances", `SELECT token, amount FROM balances
		WHERE wallet = ? AND kind = 'player' AND hold = '' ORDER BY token`, []any{string(w)}, func(row *sql.Rows) error {
		var b ports.TokenBalance
		if err := row.Scan(&b.Token, &b.Amount); err != nil {
			return err
		}
		all = append(all, b)
		return nil
	})
	return all, err
}

// ActivePair serves ports.Seeds. Sealed seeds are not even read.
func (r *Reads) ActivePair(ctx context.Context, w wallet.Address) (fairness.Pair, error) {
	return one(ctx, r, "read active pair", rows.ShownPairs.Select()+` JOIN seed_pairs AS n ON n.id = a.next_id
		WHERE a.wallet = ? AND a.state = 'active'`, []any{string(w)},
		rows.ShownPairs.Scan, fault.New(fault.NotFound, "%s has no seed pair", w))
}

// RevealedPairs serves ports.Seeds.
func (r *Reads) RevealedPairs(ctx context.Context, w wallet.Address, page ports.Page) (ports.RevealedPage, error) {
	l := list{columns: rows.RevealedPairs.Columns(), from: rows.RevealedPairs.From(), id: "p.id"}
	l.equals("p.wallet", string(w))
	l.texts = append(l.texts, "p.state = 'retired'")
	found, info, err := listed(ctx, r, "list revealed pairs", page, rows.RevealedPairs.Scan,
		func(p *fairness.Revealed) string { return p.ID }, l)
	return ports.RevealedPage{Pairs: found, PageInfo: info}, err
}

// RevealedPair serves ports.Seeds.
func (r *Reads) RevealedPair(ctx context.Context, id string) (fairness.Revealed, error) {
	return one(ctx, r, "read revealed pair", rows.RevealedPairs.Select()+" WHERE p.id = ? AND p.state = 'retired'", []any{id},
		rows.RevealedPairs.Scan, fault.New(fault.NotFound, "no revealed seed pair %q", id))
}
