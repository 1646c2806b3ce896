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

// Round serves ports.Rounds.
func (s *Store) Round(ctx context.Context, id string) (bet.Round, error) {
	var round bet.Round
	err := s.one(ctx, "read round", "SELECT "+roundColumns+" FROM "+roundsWithPairs+" WHERE r.id = ?", []any{id},
		func(row *sql.Row) (err error) {
			round, err = scanRound(row)
			return err
		}, fault.New(fault.NotFound, "no round %q", id))
	return round, err
}

// Rounds serves ports.Rounds.
func (s *Store) Rounds(ctx context.Context, filter ports.RoundFilter, page ports.Page) (ports.RoundPage, error) {
	l := list{columns: roundColumns, from: "rounds AS r", joined: pairsOfRounds, id: "r.id"}
	l.equals("r.wallet", string(filter.Wallet))
	l.equals("r.game", filter.GameType)
	l.equals("r.token", string(filter.Token))
	l.equals("r.agent", filter.Agent)
	if filter.Agent != "" && filter.Agent != player.HouseAgent {
		l.texts = append(l.texts, "r.agent <> '"+player.HouseAgent+"'") // says that the partial index has them all
	}
	s.between(&l, "r.at", filter.From, filter.To)
	answer := ports.RoundPage{Rounds: []bet.Round{}}
	info, err := s.listed(ctx, "list rounds", l, page, func(row *sql.Rows) (string, error) {
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
	err := s.rows(ctx, "read recent rounds", "SELECT "+roundColumns+" FROM "+roundsWithPairs+
		" WHERE NOT r.void ORDER BY r.id DESC LIMIT ?", []any{n}, func(row *sql.Rows) error {
		round, err := scanRound(row)
		recent = append(recent, round)
		return err
	})
	return recent, err
}
