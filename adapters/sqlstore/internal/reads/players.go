package reads

import (
	"context"
	"database/sql"
	"slices"

	"github.com/casino-service/casino/adapters/sqlstore/internal/db"
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

	_ ports.RevealedSeeds = (*Reads)(nil)
)

// readPlayers is asked by every request with a session, so that it is kept prepared,
// and requests at the same time share one.
func (r *Reads) readPlayers(ctx context.Context, wallets []string, found func(string, player.Player)) error {
	keys, _ := keysOf(wallets)
	return r.db.Known(ctx, "read players", rows.ReadPlayer, keys, func(row *sql.Rows) error {
		p, err := rows.ScanSession(row)
		found(string(p.Wallet), p)
		return err
	})
}

// keysOf are the keys of wallets, and the wallets by their keys.
func keysOf(wallets []string) (keys []string, named map[rows.ID]string) {
	keys, named = make([]string, len(wallets)), make(map[rows.ID]string, len(wallets))
	for i, w := range wallets {
		keys[i] = rows.WalletKey(wallet.Address(w))
		named[rows.ID(keys[i])] = w
	}
	return keys, named
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
	l := listOf(rows.ProtectedPlayers, "p.wallet")
	l.from, l.joined = rows.Players.From(), rows.WithProtection
	l.texts = append(l.texts, "p.created_at IS NOT NULL")
	l.equals("p.wallet", string(filter.Wallet))
	l.equals("p.agent", filter.Agent)
	found, info, err := listed(ctx, r, "list players", page, rows.ProtectedPlayers, func(p *player.Player) string { return string(p.Wallet) }, l)
	return ports.PlayerPage{Players: found, PageInfo: info}, err
}

// readBalances is what players ask for most, so that requests at the same time share it.
func (r *Reads) readBalances(ctx context.Context, wallets []string, found func(string, []ports.TokenBalance)) error {
	all := map[string][]ports.TokenBalance{}
	keys, named := keysOf(wallets)
	err := r.db.Known(ctx, "read balances", rows.ReadPlayerBalances, keys, func(row *sql.Rows) error {
		var of rows.ID
		var b ports.TokenBalance
		err := row.Scan(&of, &b.Token, &b.Amount)
		all[named[of]] = append(all[named[of]], b)
		return err
	})
	for of, balances := range all {
		found(of, balances)
	}
	return err
}

// Balances serves ports.Players.
func (r *Reads) Balances(ctx context.Context, w wallet.Address) ([]ports.TokenBalance, error) {
	balances, _, err := r.balances.find(ctx, string(w))
	return slices.Clone(balances), err // others got the same
}

// readPairs is asked by players before and after they play, so that requests at the same
// time share it.
func (r *Reads) readPairs(ctx context.Context, wallets []string, found func(string, fairness.Pair)) error {
	keys, named := keysOf(wallets)
	return r.db.Known(ctx, "read active pairs", rows.ReadShownPairs, keys, func(row *sql.Rows) error {
		pair, of, err := rows.ScanShownPair(row)
		found(named[of], pair)
		return err
	})
}

// ActivePair serves ports.Seeds. Sealed seeds are not even read.
func (r *Reads) ActivePair(ctx context.Context, w wallet.Address) (fairness.Pair, error) {
	pair, ok, err := r.pairs.find(ctx, string(w))
	if err == nil && !ok {
		err = fault.New(fault.NotFound, "%s has no seed pair", w)
	}
	return pair, err
}

// RevealedPairs serves ports.Seeds.
func (r *Reads) RevealedPairs(ctx context.Context, w wallet.Address, page ports.Page) (ports.RevealedPage, error) {
	l := listOf(rows.RevealedPairs, "p.id")
	l.uuid = true
	l.add("p.wallet = ?", r.key(w))
	l.texts = append(l.texts, "p.state = 'retired'")
	found, info, err := listed(ctx, r, "list revealed pairs", page, rows.RevealedPairs,
		func(p *fairness.Revealed) string { return p.ID }, l)
	return ports.RevealedPage{Pairs: found, PageInfo: info}, err
}

// RevealedPair serves ports.Seeds.
func (r *Reads) RevealedPair(ctx context.Context, id string) (fairness.Revealed, error) {
	missing := fault.New(fault.NotFound, "no revealed seed pair %q", id)
	if !db.IsID(id) {
		return fairness.Revealed{}, missing
	}
	return from(r, rows.RevealedPairs).where("p.id = ? AND p.state = 'retired'", r.db.Dialect.ID(id)).one(ctx, "read revealed pair", missing)
}

// readSeeds is asked by every page of rounds, so that requests at the same time share it.
func (r *Reads) readSeeds(ctx context.Context, pairs []string, found func(string, string)) error {
	return r.db.Known(ctx, "read revealed seeds", rows.ReadRevealedSeeds, pairs, func(row *sql.Rows) error {
		var id, seed string
		err := row.Scan((*rows.ID)(&id), &seed)
		found(id, seed)
		return err
	})
}

// RevealedSeeds serves ports.RevealedSeeds.
func (r *Reads) RevealedSeeds(ctx context.Context, pairs []string) (map[string]string, error) {
	return r.seeds.all(ctx, pairs)
}
