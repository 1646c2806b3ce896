package sqlstore

import (
	"context"
	"database/sql"

	"github.com/casino-service/casino/adapters/internal/wire"
	"github.com/casino-service/casino/domain/fairness"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/player"
	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/ports"
)

var (
	_ ports.Players = (*Store)(nil)
	_ ports.Seeds   = (*Store)(nil)
)

// readPlayer is asked by every request with a session, so it is kept prepared,
// and requests at the same time share one.
var readPlayer = newQuery("SELECT "+playerColumns+`, coalesce(x.state, '')
	FROM {sent} AS s CROSS JOIN players AS p`+withProtection+` WHERE p.wallet = s.wallet AND p.created_at IS NOT NULL`, "wallet")

func (s *Store) readPlayers(ctx context.Context, wallets []string, found func(string, player.Player)) error {
	return s.db.Known(ctx, "read players", readPlayer, wallets, func(row *sql.Rows) error {
		p, err := scanProtected(row)
		found(string(p.Wallet), p)
		return err
	})
}

// Player serves ports.Players.
func (s *Store) Player(ctx context.Context, w wallet.Address) (player.Player, error) {
	p, ok, err := s.players.find(ctx, string(w))
	if err == nil && !ok {
		err = fault.New(fault.NotFound, "no player %s", w)
	}
	return p, err
}

// PlayerList serves ports.Players.
func (s *Store) PlayerList(ctx context.Context, filter ports.PlayerFilter, page ports.Page) (ports.PlayerPage, error) {
	l := list{columns: playerColumns + ", coalesce(x.state, '')", from: "players AS p", joined: withProtection, id: "p.wallet"}
	l.texts = append(l.texts, "p.created_at IS NOT NULL")
	l.equals("p.wallet", string(filter.Wallet))
	l.equals("p.agent", filter.Agent)
	answer := ports.PlayerPage{Players: []player.Player{}}
	info, err := s.listed(ctx, "list players", page, func(row *sql.Rows) (string, error) {
		p, err := scanProtected(row)
		answer.Players = append(answer.Players, p)
		return string(p.Wallet), err
	}, l)
	answer.PageInfo = info
	return answer, err
}

// playerColumns are the columns of a player's own row in the order of scanPlayer.
const playerColumns = "p.wallet, p.agent, p.created_at, p.sessions_from"

// withProtection joins what restricts a player's play, if anything does.
const withProtection = " LEFT JOIN player_protection AS x ON x.wallet = p.wallet"

// scanPlayer reads the columns of a player's own row, and more that come after.
func scanPlayer(row Row, more ...any) (p player.Player, err error) {
	var created, from sql.NullInt64
	if err := row.Scan(append([]any{&p.Wallet, &p.Agent, &created, &from}, more...)...); err != nil {
		return p, err
	}
	if created.Valid {
		p.CreatedAt = moment(created.Int64)
	}
	if from.Valid {
		p.SessionsFrom = moment(from.Int64)
	}
	return p, nil
}

// scanProtected is scanPlayer with the state of the player's protection after it.
func scanProtected(row *sql.Rows) (player.Player, error) {
	var restricted string
	p, err := scanPlayer(row, &restricted)
	if err == nil {
		p.Protection, err = wire.DecodeProtection(restricted)
	}
	return p, err
}

// Balances serves ports.Players.
func (s *Store) Balances(ctx context.Context, w wallet.Address) ([]ports.TokenBalance, error) {
	var all []ports.TokenBalance
	err := s.rows(ctx, "read balances", `SELECT token, amount FROM balances
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
func (s *Store) ActivePair(ctx context.Context, w wallet.Address) (fairness.Pair, error) {
	var p fairness.Pair
	err := s.one(ctx, "read active pair", `SELECT a.id, a.commitment, a.client_seed, a.client_source, a.nonce, n.id, n.commitment
		FROM seed_pairs AS a JOIN seed_pairs AS n ON n.id = a.next_id
		WHERE a.wallet = ? AND a.state = 'active'`, []any{string(w)}, func(row *sql.Row) error {
		var source string
		if err := row.Scan(&p.ID, &p.Commitment, &p.ClientSeed, &source, &p.Nonce, &p.Next.ID, &p.Next.Commitment); err != nil {
			return err
		}
		var ok bool
		if p.ClientSource, ok = fairness.ParseClientSource(source); !ok {
			return defect("seed pair %s has the client source %q", p.ID, source)
		}
		return nil
	}, fault.New(fault.NotFound, "%s has no seed pair", w))
	if err != nil {
		return fairness.Pair{}, err
	}
	return p, nil
}

// revealedColumns are those of a retired pair in the order of scanRevealed.
const revealedColumns = "p.id, p.revealed, p.commitment, p.client_seed, p.client_source, p.nonce"

func scanRevealed(row interface{ Scan(...any) error }) (fairness.Revealed, error) {
	var r fairness.Revealed
	var source string
	if err := row.Scan(&r.ID, &r.ServerSeed, &r.Commitment, &r.ClientSeed, &source, &r.Rounds); err != nil {
		return fairness.Revealed{}, err
	}
	var ok bool
	if r.ClientSource, ok = fairness.ParseClientSource(source); !ok {
		return fairness.Revealed{}, defect("seed pair %s has the client source %q", r.ID, source)
	}
	return r, nil
}

// RevealedPairs serves ports.Seeds.
func (s *Store) RevealedPairs(ctx context.Context, w wallet.Address, page ports.Page) (ports.RevealedPage, error) {
	l := list{columns: revealedColumns, from: "seed_pairs AS p", id: "p.id"}
	l.equals("p.wallet", string(w))
	l.texts = append(l.texts, "p.state = 'retired'")
	answer := ports.RevealedPage{Pairs: []fairness.Revealed{}}
	info, err := s.listed(ctx, "list revealed pairs", page, func(row *sql.Rows) (string, error) {
		revealed, err := scanRevealed(row)
		answer.Pairs = append(answer.Pairs, revealed)
		return revealed.ID, err
	}, l)
	answer.PageInfo = info
	return answer, err
}

// RevealedPair serves ports.Seeds.
func (s *Store) RevealedPair(ctx context.Context, id string) (fairness.Revealed, error) {
	var revealed fairness.Revealed
	err := s.one(ctx, "read revealed pair", "SELECT "+revealedColumns+" FROM seed_pairs AS p WHERE p.id = ? AND p.state = 'retired'",
		[]any{id}, func(row *sql.Row) (err error) {
			revealed, err = scanRevealed(row)
			return err
		}, fault.New(fault.NotFound, "no revealed seed pair %q", id))
	return revealed, err
}
