package audit

import (
	"context"
	"fmt"

	"github.com/casino-service/casino/domain/seal"
	"github.com/casino-service/casino/ports"
)

// Resealing is what became of the seals of a database.
type Resealing struct {
	// Rows carry a seal; Resealed of them got one of the newest key.
	Rows, Resealed int
	// Failed are those whose seal isn't the service's, or of a key that wasn't given:
	// they keep it. The first thousand are named, all are counted.
	Failed      []string
	FailedCount int
}

// resealAtOnce is how many rows get their seals in one commit.
const resealAtOnce = 500

// Reseal verifies every seal of a database and puts one of the newest key in the place of
// each older one that holds. It can be broken off and run again: what was done is found
// done.
func Reseal(ctx context.Context, rows ports.SealedRows, seals ports.Authenticator) (done Resealing, err error) {
	var waiting []seal.Replacement
	put := func() error {
		n, err := rows.Reseal(ctx, waiting)
		done.Resealed += n
		waiting = waiting[:0]
		return err
	}
	err = rows.SealedRows(ctx, func(row seal.Row) error {
		done.Rows++
		if wrong := seals.Verify(row.Purpose, row.Message, row.Seal); wrong != nil {
			if done.FailedCount++; len(done.Failed) < findingsMax {
				done.Failed = append(done.Failed, wrongSeal(row, wrong))
			}
			return nil
		}
		newest, err := seals.Seal(row.Purpose, row.Message)
		if err != nil || newest == row.Seal {
			return err
		}
		if waiting = append(waiting, seal.Replacement{Row: row, By: newest}); len(waiting) < resealAtOnce {
			return nil
		}
		return put()
	})
	if err == nil && len(waiting) > 0 {
		err = put()
	}
	return done, err
}

func wrongSeal(row seal.Row, wrong error) string {
	return fmt.Sprintf("%s %s: its seal is not the service's: %v", row.Purpose, row.ID, wrong)
}

// Seals makes the auditor check the seals of all rows that carry one, too.
func (a *Auditor) Seals(rows ports.SealedRows, seals ports.Authenticator) *Auditor {
	a.sealed, a.seals = rows, seals
	return a
}

// sealedRows checks seals, where the auditor was asked to.
func (a *Auditor) sealedRows(ctx context.Context) error {
	if a.sealed == nil {
		return nil
	}
	return a.sealed.SealedRows(ctx, func(row seal.Row) error {
		a.report.Sealed++
		if wrong := a.seals.Verify(row.Purpose, row.Message, row.Seal); wrong != nil {
			a.addFinding("%s", wrongSeal(row, wrong))
		}
		return nil
	})
}
