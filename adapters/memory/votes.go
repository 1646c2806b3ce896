package memory

import (
	"time"

	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/player"
	"github.com/casino-service/casino/ports"
)

// This store counts votes one by one. What stores keep instead, so that nothing they read
// grows with the votes, it makes for whoever asks.

func (s *Store) voteSums() (rows []ports.LedgerRow) {
	sums := map[player.VoteTally]money.Total{}
	for _, y := range s.votes {
		y.Tally(func(k player.VoteTally, by money.Total) { sums[k] = sums[k].Add(by) })
	}
	for k, sum := range sums {
		rows = append(rows, ports.LedgerRow{Key: ports.KeyOfVoteSum(k), Sum: sum})
	}
	return rows
}

func (s *Store) creditors() (rows []ports.LedgerRow) {
	newest := map[string]time.Time{}
	for _, y := range s.votes {
		if c, credited := y.Creditor(); credited {
			if key := ports.KeyOfCreditor(c); y.At.After(newest[key]) {
				newest[key] = y.At
			}
		}
	}
	for key, at := range newest {
		rows = append(rows, ports.LedgerRow{Key: key, Last: at})
	}
	return rows
}
