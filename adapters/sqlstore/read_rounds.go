package sqlstore

import (
	"context"
	"database/sql"

	"github.com/casino-service/casino/domain/bet"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/figure"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/player"
	"github.com/casino-service/casino/ports"
)

var _ ports.Rounds = (*Store)(nil)

// pairsOfRounds joins each round to the pair that it was drawn from.
const pairsOfRounds = " JOIN seed_pairs AS p ON p.id = r.pair_id"

// playedAsRounds are provider_rounds with the columns of rounds; the maker of the
// game takes the place of the rules.
const playedAsRounds = `r.id, r.wallet, r.agent, r.game, r.provider, r.token, r.wager, r.payout, 0, 1, 'null', 'null',
	FALSE, '', 0, r.balance, r.at, '', '', ''`

// Round serves ports.Rounds.
func (s *Store) Round(ctx context.Context, id string) (bet.Round, error) {
	var round bet.Round
	err := s.one(ctx, "read round", "SELECT "+roundColumns+" FROM rounds AS r"+pairsOfRounds+" WHERE r.id = ? UNION ALL SELECT "+
		playedAsRounds+" FROM provider_rounds AS r WHERE r.id = ?", []any{id, id},
		func(row *sql.Row) (err error) {
			round, err = scanRound(row)
			return err
		}, fault.New(fault.NotFound, "no round %q", id))
	return round, err
}

// roundLists are the house's own rounds and those of providers under a filter.
func (s *Store) roundLists(filter ports.RoundFilter) (own, provided list) {
	own = list{columns: roundColumns, from: "rounds AS r", joined: pairsOfRounds, id: "r.id"}
	provided = list{columns: playedAsRounds, from: "provider_rounds AS r", id: "r.id"}
	for _, l := range [...]*list{&own, &provided} {
		l.equals("r.wallet", string(filter.Wallet))
		l.equals("r.game", filter.GameType)
		l.equals("r.token", string(filter.Token))
		l.equals("r.agent", filter.Agent)
		s.between(l, "r.at", filter.From, filter.To, idSlack)
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
func (s *Store) Rounds(ctx context.Context, filter ports.RoundFilter, page ports.Page) (ports.RoundPage, error) {
	answer := ports.RoundPage{Rounds: []bet.Round{}}
	own, provided := s.roundLists(filter)
	lists := []list{own, provided}
	played, err := s.everPlayed(ctx, filter)
	if err != nil {
		return answer, err
	}
	if !played {
		lists = lists[1:]
	}
	answer.PageInfo, err = s.listed(ctx, "list rounds", page, func(row *sql.Rows) (string, error) {
		round, err := scanRound(row)
		answer.Rounds = append(answer.Rounds, round)
		return round.ID, err
	}, lists...)
	return answer, err
}

// everPlayed tells by kept figures whether the house has any round of a game, a
// token and an operator together. No index has all three, nor the two that are left
// out of theirs because most rounds are of them (SOL, the house's own players): where
// nothing was ever played so, all rounds would be looked through for one.
func (s *Store) everPlayed(ctx context.Context, filter ports.RoundFilter) (bool, error) {
	if filter.Wallet != "" || filter.GameType == "" && filter.Token == "" && filter.Agent == "" {
		return true, nil
	}
	kept := conditions{texts: []string{"source = '" + figure.Own + "'"}}
	kept.equals("game", filter.GameType)
	kept.equals("token", string(filter.Token))
	kept.equals("agent", filter.Agent)
	var found bool
	err := s.db.Read.QueryRowContext(ctx, "SELECT EXISTS (SELECT 1 FROM daily_figures"+kept.where()+")", kept.arguments...).Scan(&found)
	return found, s.asked("look for figures", err)
}

// RecentRounds serves ports.Rounds.
func (s *Store) RecentRounds(ctx context.Context, n int) ([]bet.Round, error) {
	own, provided := s.roundLists(ports.RoundFilter{})
	own.texts, provided.texts = []string{"NOT r.void"}, []string{"r.wager > 0"}
	text, arguments := chosen([]list{own, provided}, "", n)
	recent := []bet.Round{}
	err := s.rows(ctx, "read recent rounds", text+" LIMIT ?", append(arguments, n), func(row *sql.Rows) error {
		round, err := scanRound(row)
		recent = append(recent, round)
		return err
	})
	return recent, err
}
