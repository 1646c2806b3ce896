package audit_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/casino-service/casino/app/audit"
	"github.com/casino-service/casino/domain/seal"
	"github.com/casino-service/casino/test/fakes"
)

// sealedRows are rows in memory.
type sealedRows struct {
	rows []seal.Row
	// breaks is the number of replacements before the database fails, negative for never.
	breaks int
}

func (s *sealedRows) SealedRows(_ context.Context, visit func(seal.Row) error) error {
	for _, row := range s.rows {
		if err := visit(row); err != nil {
			return err
		}
	}
	return nil
}

func (s *sealedRows) Reseal(_ context.Context, replaced []seal.Replacement) (int, error) {
	put := 0
	for _, r := range replaced {
		if s.breaks == 0 {
			return put, errors.New("away")
		}
		s.breaks--
		for i := range s.rows {
			if s.rows[i].ID == r.ID && s.rows[i].Seal == r.Seal {
				s.rows[i].Seal = r.By
				put++
			}
		}
	}
	return put, nil
}

// TestSealsAreMadeAnew changes the keys: valid seals are replaced, invalid ones are named
// and kept, and an interrupted run is completed by the next.
func TestSealsAreMadeAnew(t *testing.T) {
	t.Parallel()
	before, after := fakes.Authenticator{Names: []string{"old"}}, fakes.Authenticator{Names: []string{"new", "old"}}
	rows := &sealedRows{breaks: 300}
	for i := range 1_200 {
		row := seal.Row{Purpose: "p", ID: "row " + strings.Repeat("x", i), Message: []byte{byte(i), byte(i >> 8)}}
		row.Seal, _ = before.Seal(row.Purpose, row.Message)
		rows.rows = append(rows.rows, row)
	}
	rows.rows[7].Message = []byte("another")
	rows.rows[9].Seal = "gone:00"
	forged := []seal.Row{rows.rows[7], rows.rows[9]}
	if _, err := audit.Reseal(t.Context(), rows, after); err == nil {
		t.Fatal("a run that broke off says that it is done")
	}
	rows.breaks = -1
	done, err := audit.Reseal(t.Context(), rows, after)
	if err != nil || done.Rows != 1_200 || done.Resealed != 1_198-300 || done.FailedCount != 2 || len(done.Failed) != 2 {
		t.Fatalf("%d rows, %d resealed, failed %q, %v", done.Rows, done.Resealed, done.Failed, err)
	}
	if rows.rows[7].Seal != forged[0].Seal || rows.rows[9].Seal != forged[1].Seal || !strings.Contains(done.Failed[1], rows.rows[9].ID+": ") {
		t.Errorf("what nobody sealed was not left, or not named: %q", done.Failed)
	}
	alone := fakes.Authenticator{Names: []string{"new"}}
	if again, err := audit.Reseal(t.Context(), rows, alone); err != nil || again.Resealed != 0 || again.FailedCount != 2 {
		t.Errorf("without the old key: %+v, %v", again, err)
	}
}
