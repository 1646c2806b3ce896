package reads

import (
	"context"
	"database/sql"

	"github.com/casino-service/casino/adapters/sqlstore/internal/rows"
	"github.com/casino-service/casino/domain/bet"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/figure"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/player"
	"github.com/casino-service/casino/ports"
)

var _ ports.Rounds = (*Reads)(nil)

// Round serves ports.Rounds.
func (r *Reads) Round(ctx context.Context, id string) (bet.Round, error) {
	return one(ctx, r, "read round", rows.Rounds.Select()+rows.PairsOfRounds+" WHERE r.id = ? UNION ALL SELECT "+
		rows.ProvidedAsRounds+" FROM provider_rounds AS r WHERE r.id = ?", []any{id, id}, rows.ScanRound,
		fault.New(fault.NotFound, "no round %q", id))
}

// roundLists are the house's own rounds and those of providers under a filter.
func (r *Reads) roundLists(filter ports.RoundFilter) (own, provided list) {
	own = list{columns: rows.Rounds.Columns(), from: rows.Rounds.From(), joined: rows.PairsOfRounds, id: "r.id"}
	provided = list{columns: rows.ProvidedAsRounds, from: rows.ProviderRounds.From(), id: "r.id"}
	for _, l := range [...]*list{&own, &provided} {
		l.equals("r.wallet", string(filter.Wallet))
		l.equals("r.game", filter.GameType)
		l.equals("r.token", string(filter.Token))
		l.equals("r.agent", filter.Agent)
		r.between(l, "r.at", filter.From, filter.To, rows.IDSlack)
	}
	// Says that the partial index of what isn't usual has them all.
	if filter.Agent != "" && filter.Agent != player.HouseAgent {
		own.texts = append(own.texts, "r.agent <> '"+player.HouseAgent+"'")
	}
	if filter.Token != "" && filter.Token != money.SOL {
		own.texts = append(own.texts, "r.token <> '"+string(money.SOL)+"'")
	}
	return own, provided
}

// Rounds serves ports.Rounds.
func (r *Reads) Rounds(ctx context.Context, filter ports.RoundFilter, page ports.Page) (ports.RoundPage, error) {
	own, provided := r.roundLists(filter)
	lists := []list{own, provided}
	played, err := r.hasProviderRounds(ctx, filter)
	if err != nil {
		return ports.RoundPage{Rounds: []bet.Round{}}, err
	}
	if !played {
		lists = lists[1:]
	}
	found, info, err := listed(ctx, r, "list rounds", page, rows.ScanRound, func(round *bet.Round) string { return round.ID }, lists...)
	return ports.RoundPage{Rounds: found, PageInfo: info}, err
}

// hasProviderRounds tells by kept figures whether the house has any round of a game, a
// token and an operator together. No index has all three, nor the two that are left
// out of theirs because most rounds are of them (SOL, the house's own players): where
// nothing was ever played so, all rounds would be looked through for one.
func (r *Reads) hasProviderRounds(ctx context.Context, filter ports.RoundFilter) (bool, error) {
	if filter.Wallet != "" || filter.GameType == "" && filter.Token == "" && filter.Agent == "" {
		return true, nil
	}
	kept := conditions{texts: []string{"source = '" + figure.Own + "'"}}
	kept.equals("game", filter.GameType)
	kept.equals("token", string(filter.Token))
	kept.equals("agent", filter.Agent)
	var found bool
	err := r.db.Read.QueryRowContext(ctx, "SELECT EXISTS (SELECT 1 FROM daily_figures"+kept.where()+")", kept.arguments...).Scan(&found)
	return found, r.db.Unreachable("look for figures", err)
}

// RecentRounds serves ports.Rounds.
func (r *Reads) RecentRounds(ctx context.Context, n int) ([]bet.Round, error) {
	own, provided := r.roundLists(ports.RoundFilter{})
	own.texts, provided.texts = []string{"NOT r.void"}, []string{"r.wager > 0"}
	text, arguments := chosen([]list{own, provided}, "", n)
	recent := []bet.Round{}
	err := r.db.Rows(ctx, "read recent rounds", text+" LIMIT ?", append(arguments, n), func(row *sql.Rows) error {
		round, err := rows.ScanRound(row)
		recent = append(recent, round)
		return err
	})
	return recent, err
}
