package reads

import (
	"context"
	"database/sql"

	"github.com/casino-service/casino/adapters/sqlstore/internal/rows"
	"github.com/casino-service/casino/domain/bet"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/ports"
)

var _ ports.Rounds = (*Reads)(nil)

// Round serves ports.Rounds.
func (r *Reads) Round(ctx context.Context, id string) (bet.Round, error) {
	return one(ctx, r, "read round", rows.Rounds.Select()+rows.PairsOfRounds+" WHERE r.id = ? UNION ALL SELECT "+
		rows.ProvidedAsRounds+" FROM provider_rounds AS r WHERE r.id = ?", []any{id, id}, rows.ScanRound,
		fault.New(fault.NotFound, "no round %q", id))
}

// roundLists are the house's own rounds and those of providers under a filter. The
// house has few games, so that one index without the wallet and one with it hold
// every combination of game, token and operator; providers have thousands, so that
// theirs are spelled with the game and without.
func (r *Reads) roundLists(filter ports.RoundFilter) (own, provided list) {
	own = list{columns: rows.Rounds.Columns(), from: rows.Rounds.From(), joined: rows.PairsOfRounds, id: "r.id"}
	provided = list{columns: rows.ProvidedAsRounds, from: rows.ProviderRounds.From(), id: "r.id"}
	for _, l := range [...]*list{&own, &provided} {
		l.equals("r.wallet", string(filter.Wallet))
		r.between(l, "r.at", filter.From, filter.To, rows.IDSlack)
	}
	game, others := filter.GameType != "", filter.Token != "" || filter.Agent != ""
	wants := []wanted{{"game", filter.GameType}, {"token", string(filter.Token)}, {"agent", filter.Agent}}
	ownCells := keptCells("rounds", true)
	switch {
	case filter.Wallet == "" && (game || others):
		own.by(ownCells, wants, "game", "token", "agent")
	case game || filter.Token != "":
		own.by(ownCells, wants, "game", "token")
	default: // all, or all of a wallet
		own.by("", wants)
	}
	switch {
	case filter.Wallet != "" && game:
		provided.by(keptCells("provider_rounds", true), wants, "game", "token")
	case filter.Wallet != "":
		provided.by(keptCells("provider_rounds", false), wants, "token")
	case game:
		provided.by(keptCells("provider_rounds", true), wants, "game", "token", "agent")
	case others:
		provided.by(keptCells("provider_rounds", false), wants, "token", "agent")
	}
	return own, provided
}

// Rounds serves ports.Rounds.
func (r *Reads) Rounds(ctx context.Context, filter ports.RoundFilter, page ports.Page) (ports.RoundPage, error) {
	own, provided := r.roundLists(filter)
	found, info, err := listed(ctx, r, "list rounds", page, rows.ScanRound, func(round *bet.Round) string { return round.ID }, own, provided)
	return ports.RoundPage{Rounds: found, PageInfo: info}, err
}

// RecentRounds serves ports.Rounds.
func (r *Reads) RecentRounds(ctx context.Context, n int) ([]bet.Round, error) {
	own, provided := r.roundLists(ports.RoundFilter{})
	own.texts, provided.texts = []string{"NOT r.void"}, []string{"r.wager > 0"}
	text, arguments := r.chosen([]list{own, provided}, "", n)
	recent := []bet.Round{}
	err := r.db.Rows(ctx, "read recent rounds", text+" LIMIT ?", append(arguments, n), func(row *sql.Rows) error {
		round, err := rows.ScanRound(row)
		recent = append(recent, round)
		return err
	})
	return recent, err
}
