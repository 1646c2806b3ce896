package audit

import (
	"context"
	"fmt"

	"github.com/casino-service/casino/domain/seal"
	"github.com/casino-service/casino/ports"
)

// Resealing is the result of resealing a database.
type Resealing struct {
	// Rows have a seal; Resealed of them got a new one under the newest key.
	Rows, Resealed int
	// Failed rows have an invalid seal, or one under a key that wasn't given, and keep it.
	// All are counted, but only the first findingsMax are named.
	Failed      []string
	FailedCount int
}

// resealAtOnce is the number of rows resealed in one commit.
const resealAtOnce = 500

// Reseal verifies every seal of a database and replaces valid seals under older keys with
// seals under the newest key. It can be interrupted and run again.
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

// Seals makes the auditor also check the seals of all rows that have one.
func (a *Auditor) Seals(rows ports.SealedRows, seals ports.Authenticator) *Auditor {
	a.sealed, a.seals = rows, seals
	return a
}

// sealedRows checks the seals if Seals was called.
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
