package sqlstore

import (
	"context"
	"database/sql"

	"github.com/casino-service/casino/domain/bet"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/player"
	"github.com/casino-service/casino/ports"
)

var _ ports.Rounds = (*Store)(nil)

// pairsOfRounds joins each round to the pair that it was drawn from.
const pairsOfRounds = " JOIN seed_pairs AS p ON p.id = r.pair_id"

const roundsWithPairs = "rounds AS r" + pairsOfRounds

// playedAsRounds are provider_rounds with the columns of rounds; the maker of the
// game takes the place of the rules.
const playedAsRounds = `r.id, r.wallet, r.agent, r.game, r.provider, r.token, r.wager, r.payout, 0, 1, 'null', 'null',
	FALSE, '', 0, r.balance, r.at, '', '', ''`

// Round serves ports.Rounds.
func (s *Store) Round(ctx context.Context, id string) (bet.Round, error) {
	var round bet.Round
	err := s.one(ctx, "read round", "SELECT "+roundColumns+" FROM "+roundsWithPairs+" WHERE r.id = ? UNION ALL SELECT "+
		playedAsRounds+" FROM provider_rounds AS r WHERE r.id = ?", []any{id, id},
		func(row *sql.Row) (err error) {
			round, err = scanRound(row)
			return err
		}, fault.New(fault.NotFound, "no round %q", id))
	return round, err
}

// Rounds serves ports.Rounds.
func (s *Store) Rounds(ctx context.Context, filter ports.RoundFilter, page ports.Page) (ports.RoundPage, error) {
	own := list{columns: roundColumns, from: "rounds AS r", joined: pairsOfRounds, id: "r.id"}
	own.equals("r.wallet", string(filter.Wallet))
	own.equals("r.game", filter.GameType)
	own.equals("r.token", string(filter.Token))
	own.equals("r.agent", filter.Agent)
	if filter.Agent != "" && filter.Agent != player.HouseAgent {
		own.texts = append(own.texts, "r.agent <> '"+player.HouseAgent+"'") // says that the partial index has them all
	}
	s.between(&own, "r.at", filter.From, filter.To)
	provided := list{columns: playedAsRounds, from: "provider_rounds AS r", id: own.id, conditions: own.conditions}
	answer := ports.RoundPage{Rounds: []bet.Round{}}
	info, err := s.listedTwo(ctx, "list rounds", [2]list{own, provided}, page, func(row *sql.Rows) (string, error) {
		round, err := scanRound(row)
		answer.Rounds = append(answer.Rounds, round)
		return round.ID, err
	})
	answer.PageInfo = info
	return answer, err
}

// RecentRounds serves ports.Rounds.
func (s *Store) RecentRounds(ctx context.Context, n int) ([]bet.Round, error) {
	recent := []bet.Round{}
	err := s.rows(ctx, "read recent rounds", "SELECT * FROM (SELECT "+roundColumns+" FROM "+roundsWithPairs+
		" WHERE NOT r.void ORDER BY r.id DESC LIMIT ?) AS own UNION ALL SELECT * FROM (SELECT "+playedAsRounds+
		" FROM provider_rounds AS r WHERE r.wager > 0 ORDER BY r.id DESC LIMIT ?) AS provided ORDER BY id DESC LIMIT ?", []any{n, n, n},
		func(row *sql.Rows) error {
			round, err := scanRound(row)
			recent = append(recent, round)
			return err
		})
	return recent, err
}
