package sqlstore

import (
	"context"
	"database/sql"
	"strings"

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
const playedAsRounds = `r.id, r.wallet, r.agent, r.game, r.provider AS rules, r.token, r.wager, r.payout, 0 AS multiplier_num,
	1 AS multiplier_den, 'null' AS config, 'null' AS outcome, FALSE AS void, '' AS pair_id, 0 AS nonce, r.balance, r.at`

// bareRound are the columns of rounds that roundColumns begins with, of pages
// whose rounds are joined to their pairs after they were chosen.
const bareRound = `r.id, r.wallet, r.agent, r.game, r.rules, r.token, r.wager, r.payout, r.multiplier_num, r.multiplier_den,
	CAST(r.config AS TEXT) AS config, CAST(r.outcome AS TEXT) AS outcome, r.void, r.pair_id, r.nonce, r.balance, r.at`

// Round serves ports.Rounds.
func (s *Store) Round(ctx context.Context, id string) (bet.Round, error) {
	var round bet.Round
	err := s.one(ctx, "read round", "SELECT "+roundColumns+" FROM rounds AS r"+pairsOfRounds+" WHERE r.id = ? UNION ALL SELECT "+
		playedAsRounds+", '', '', '' FROM provider_rounds AS r WHERE r.id = ?", []any{id, id},
		func(row *sql.Row) (err error) {
			round, err = scanRound(row)
			return err
		}, fault.New(fault.NotFound, "no round %q", id))
	return round, err
}

// roundLists are the house's own rounds and those of providers under a filter.
func (s *Store) roundLists(filter ports.RoundFilter) (own, provided list) {
	own = list{columns: bareRound, from: "rounds AS r", id: "r.id"}
	own.equals("r.wallet", string(filter.Wallet))
	own.figures(filter, "r.")
	if filter.Agent != "" && filter.Agent != player.HouseAgent {
		own.texts = append(own.texts, "r.agent <> '"+player.HouseAgent+"'") // says that the partial index has them all
	}
	s.between(&own, "r.at", filter.From, filter.To)
	return own, list{columns: playedAsRounds, from: "provider_rounds AS r", id: own.id, conditions: own.conditions}
}

// figures narrows by what kept figures tell apart too; prefix names the table.
func (c *conditions) figures(filter ports.RoundFilter, prefix string) {
	c.equals(prefix+"game", filter.GameType)
	c.equals(prefix+"token", string(filter.Token))
	c.equals(prefix+"agent", filter.Agent)
}

// Rounds serves ports.Rounds.
func (s *Store) Rounds(ctx context.Context, filter ports.RoundFilter, page ports.Page) (ports.RoundPage, error) {
	answer := ports.RoundPage{Rounds: []bet.Round{}}
	own, provided := s.roundLists(filter)
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
	text, arguments := chosen(lists, after, page.Limit+1)
	answer.Next, err = s.pageOf(ctx, doing, "SELECT "+roundsChosen+" FROM ("+text+") AS r LEFT"+pairsOfRounds+" ORDER BY r.id DESC",
		arguments, page.Limit, func(row *sql.Rows) (string, error) {
			round, err := scanRound(row)
			answer.Rounds = append(answer.Rounds, round)
			return round.ID, err
		})
	return answer, err
}

// roundsChosen are roundColumns where a round may have no pair.
var roundsChosen = strings.ReplaceAll(strings.ReplaceAll(strings.ReplaceAll(roundColumns, "p.commitment", "coalesce(p.commitment, '')"),
	"p.client_seed", "coalesce(p.client_seed, '')"), "p.client_source", "coalesce(p.client_source, '')")

// RecentRounds serves ports.Rounds.
func (s *Store) RecentRounds(ctx context.Context, n int) ([]bet.Round, error) {
	own := list{columns: bareRound, from: "rounds AS r", id: "r.id", conditions: conditions{texts: []string{"NOT r.void"}}}
	provided := list{columns: playedAsRounds, from: "provider_rounds AS r", id: "r.id", conditions: conditions{texts: []string{"r.wager > 0"}}}
	text, arguments := chosen([]list{own, provided}, "", n)
	recent := []bet.Round{}
	err := s.rows(ctx, "read recent rounds", "SELECT "+roundsChosen+" FROM ("+text+") AS r LEFT"+pairsOfRounds+" ORDER BY r.id DESC",
		arguments, func(row *sql.Rows) error {
			round, err := scanRound(row)
			recent = append(recent, round)
			return err
		})
	return recent, err
}
