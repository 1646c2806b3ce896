package sqlstore

import (
	"time"

	"github.com/casino-service/casino/domain/player"
)

// idSlack is how far the moment that an id tells may be from its row's own. Use
// cases draw both together, and ids follow a clock that is set back by more than
// half a minute. A change with more is refused: lists of a span of time find rows by their
// ids and would miss it.
const idSlack = time.Minute

// recordSlack is the same for audit records, which short administrative
// transactions write too: those are not looked at one by one.
const recordSlack = time.Hour

// drawnTogether checks that the ids of a change's new rows tell their moments, where
// ids tell any.
func (s *Store) drawnTogether(c player.Change) error {
	if s.idFrom == nil {
		return nil
	}
	for _, row := range idsOf(c) {
		if row.id < s.idFrom(row.at.Add(-idSlack)) || row.id >= s.idFrom(row.at.Add(idSlack)) {
			return defect("the id %q was not drawn at its row's moment, %s", row.id, row.at)
		}
	}
	return nil
}

// drawn is an id with its row's moment.
type drawn struct {
	id string
	at time.Time
}

// idsOf are the ids of the rows of a change that lists find by time.
func idsOf(c player.Change) []drawn {
	var all []drawn
	if c.Round != nil {
		all = append(all, drawn{c.Round.ID, c.Round.At})
	}
	if c.ProviderRound != nil {
		all = append(all, drawn{c.ProviderRound.ID, c.ProviderRound.At})
	}
	if c.Seamless != nil {
		all = append(all, drawn{c.Seamless.ID, c.Seamless.At})
	}
	if c.Adjustment != nil {
		all = append(all, drawn{c.Adjustment.ID, c.Adjustment.At})
	}
	if c.Withdrawal != nil {
		all = append(all, drawn{c.Withdrawal.ID, c.Withdrawal.CreatedAt})
	}
	if c.Deposit != nil {
		all = append(all, drawn{c.Deposit.ID, c.Deposit.CreatedAt})
	}
	return all
}
