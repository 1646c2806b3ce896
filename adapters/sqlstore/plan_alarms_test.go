package sqlstore_test

import (
	"strings"
	"testing"

	"github.com/casino-service/casino/adapters/sqlstore"
	"github.com/casino-service/casino/domain/alarm"
	"github.com/casino-service/casino/ports"
)

// TestAlarmsAreFoundByIndexes asks both databases how they would list alarms of which
// nearly all are over: a page costs what the page costs.
func TestAlarmsAreFoundByIndexes(t *testing.T) {
	everywhere(t, func(t *testing.T, on engine) {
		w, _ := watched(t, on, sqlstore.WriterOptions{})
		db := w.beside()
		execAll(t, db, `INSERT INTO alarms (id, kind, about, agent, facts, raised_at, last_seen, seen, acknowledged_by, note, cleared_at, cleared_by)
			WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 20000)
			SELECT 'z' || (100000 + i), 'kind' || (i % 400), 'about' || (i % 5000), CASE i % 100 WHEN 0 THEN 'acme' ELSE '' END, '{}', 1, 1, 1, '', '',
				CASE i % 4000 WHEN 0 THEN NULL ELSE 2 END, '' FROM n`, `ANALYZE alarms`)
		seen, open := &reads{}, true
		w.store.WatchReads(seen)
		for index, f := range map[string]ports.AlarmFilter{
			"alarms_open": {Open: &open}, "alarms_kind": {Kind: alarm.Kind("kind7")}, "alarms_about": {About: "about7"}, "alarms_agent": {Agent: "acme"},
		} {
			seen.text = nil
			found, err := w.store.Alarms(t.Context(), f, ports.Page{Number: 1, Limit: 20})
			if err != nil || len(found.Alarms) == 0 {
				t.Fatalf("%+v: %d alarms, %v", f, len(found.Alarms), err)
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
					t.Errorf("%+v is listed without %s:\n%s\n%s", f, index, query, plan)
				}
			}
		}
	})
}
