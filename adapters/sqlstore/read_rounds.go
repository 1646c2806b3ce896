package sqlstore

import (
	"context"
	"database/sql"
	"time"

	"github.com/casino-service/casino/domain/bet"
	"github.com/casino-service/casino/domain/fault"
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

// roundLists are the house's own rounds and those of providers under a filter, whose
// ids are within a slack of their moments.
func (s *Store) roundLists(filter ports.RoundFilter, slack time.Duration) (own, provided list) {
	own = list{columns: roundColumns, from: "rounds AS r", joined: pairsOfRounds, id: "r.id", slack: slack}
	provided = list{columns: playedAsRounds, from: "provider_rounds AS r", id: "r.id", slack: slack}
	for _, l := range [...]*list{&own, &provided} {
		l.equals("r.wallet", string(filter.Wallet))
		l.figures(filter, "r.")
		s.between(l, "r.at", filter.From, filter.To)
	}
	return own, provided
}

// figures narrows by what kept figures tell apart too; prefix names the table.
func (c *conditions) figures(filter ports.RoundFilter, prefix string) {
	c.equals(prefix+"game", filter.GameType)
	c.equals(prefix+"token", string(filter.Token))
	c.equals(prefix+"agent", filter.Agent)
	if filter.Agent != "" && filter.Agent != player.HouseAgent {
		c.texts = append(c.texts, prefix+"agent <> '"+player.HouseAgent+"'") // says that a partial index has them all
	}
}

// Rounds serves ports.Rounds.
func (s *Store) Rounds(ctx context.Context, filter ports.RoundFilter, page ports.Page) (ports.RoundPage, error) {
	answer := ports.RoundPage{Rounds: []bet.Round{}}
	slack, err := s.slack(ctx, filter.From, filter.To)
	if err != nil {
		return answer, err
	}
	own, provided := s.roundLists(filter, slack)
	lists := []list{own, provided}
	if !page.Uncounted {
		counted, err := s.countRounds(ctx, filter, own, provided)
		if err != nil {
			return answer, s.asked("count rounds", err)
		}
		answer.Total, answer.Capped = counted.total()
		lists = s.worthReading(own, provided, counted)
	}
	const doing = "list rounds"
	after, empty, err := s.begin(ctx, doing, lists, page, answer.PageInfo)
	if empty || err != nil {
		return answer, err
	}
	answer.Next, err = s.pageOf(ctx, doing, lists, after, page.Limit, func(row *sql.Rows) (string, error) {
		round, err := scanRound(row)
		answer.Rounds = append(answer.Rounds, round)
		return round.ID, err
	})
	return answer, err
}

// RecentRounds serves ports.Rounds.
func (s *Store) RecentRounds(ctx context.Context, n int) ([]bet.Round, error) {
	own, provided := s.roundLists(ports.RoundFilter{}, idSlack)
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
