package sqlstore_test

import (
	"strings"
	"testing"

	"github.com/casino-service/casino/adapters/sqlstore"
	"github.com/casino-service/casino/domain/audit"
	"github.com/casino-service/casino/ports"
)

// TestPlayersRecordsAreNotInTheWayOfAdmins asks both databases how they would list each
// part of a log of which nearly all is players': an index has that part alone.
func TestPlayersRecordsAreNotInTheWayOfAdmins(t *testing.T) {
	everywhere(t, func(t *testing.T, on engine) {
		w, _ := watched(t, on, sqlstore.WriterOptions{})
		w.begin(1000, w.login(alice))
		if _, errs := w.together(w.adjust(alice, 5)); errs[0] != nil {
			t.Fatal(errs)
		}
		db := w.beside()
		execAll(t, db, `INSERT INTO audit (id, action, actor, target, was, became, at, request_id, lane, seq, position)
			WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 20000)
			SELECT 'z' || (100000 + i), 'limits.changed', 'carol', 'carol', '', '', 1, '', 0, 1, 100 + i FROM n`, `ANALYZE audit`)
		seen := &reads{}
		w.store.WatchReads(seen)
		for part, index := range map[audit.Part]string{audit.Admins: "audit_admins", audit.Players: "audit_players"} {
			seen.text = nil
			found, err := w.store.Records(t.Context(), ports.AuditFilter{Part: part}, ports.Page{Number: 1, Limit: 20})
			if err != nil || len(found.Records) == 0 {
				t.Fatalf("%s: %d records, %v", part, len(found.Records), err)
			}
			for _, r := range found.Records {
				if r.Part() != part {
					t.Errorf("among the records of %s is %+v", part, r)
				}
			}
			if len(seen.text) < 2 {
				t.Fatalf("only %d reads were seen", len(seen.text))
			}
			for _, query := range seen.text {
				plan := ""
				if on.arrays {
					plan = w.planOf(db, query)
				} else {
					plan = strings.Join(stepsOf(t, db, query), "\n")
				}
				if !strings.Contains(plan, index) {
					t.Errorf("%s are listed without their index:\n%s\n%s", part, query, plan)
				}
			}
		}
	})
}
