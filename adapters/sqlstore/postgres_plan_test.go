package sqlstore_test

import (
	"context"
	"database/sql"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/casino-service/casino/adapters/sqlstore"
)

var (
	parameter  = regexp.MustCompile(`\$[0-9]+`)
	wholeTable = regexp.MustCompile(`Seq Scan on ([a-z_]+)`)
	indexScan  = regexp.MustCompile(`(Index|Index Only|Bitmap Index) Scan( Backward)? (using|on) [a-z_]+`)
)

// TestPostgresEveryStatementFindsItsRowsByAnIndex asks the server for the plans
// that the writer's sessions make on tables of a million rows: each look into a
// table goes by a key.
func TestPostgresEveryStatementFindsItsRowsByAnIndex(t *testing.T) {
	t.Parallel()
	w, f := watched(t, onPostgres, sqlstore.WriterOptions{})
	w.everything()
	w.forwards()
	db := w.beside()
	ctx := t.Context()
	execAll(t, db, `INSERT INTO roles VALUES ('somebody', 'admin', '', '', 1, false)`)
	// An empty index costs as much to go through as to look into.
	execAll(t, db, `INSERT INTO provider_games SELECT 'game' || n, 'MAKER', '', 'slot', '', true, 1, false FROM generate_series(1, 2000) AS n`)
	// The planner counts on as many rows a page as there were when it last looked.
	execAll(t, db, `UPDATE pg_class SET relpages = 1, reltuples = 1000000 WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace`)
	session, err := db.Conn(ctx)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = session.Close() }()
	for _, setting := range []string{
		"plan_cache_mode = force_generic_plan", "enable_seqscan = off", "enable_hashjoin = off", "enable_mergejoin = off",
	} {
		if _, err := session.ExecContext(ctx, "SET "+setting); err != nil {
			t.Fatal(err)
		}
	}
	explained := 0
	for query := range f.ever {
		if !isSent(query) || readsWhole(query) {
			continue
		}
		explained++
		plan := planOf(t, ctx, session, query, fmt.Sprint("q", explained))
		for at, line := range plan {
			found := wholeTable.FindStringSubmatch(line)
			if found != nil {
				t.Errorf("%s\nreads all of %s:\n%s", query, found[1], strings.Join(plan, "\n"))
			}
			// The condition stands in the lines below its scan, before the next step. The index
			// of blocked agents has no others, and all of them are read.
			if indexScan.MatchString(line) && !strings.Contains(line, " agents_blocked ") && !(at+1 < len(plan) && strings.Contains(plan[at+1], "Index Cond:")) {
				t.Errorf("%s\ngoes through a whole index:\n%s", query, strings.Join(plan, "\n"))
			}
		}
	}
	if explained < 20 {
		t.Errorf("only %d statements were seen", explained)
	}
}

func planOf(t *testing.T, ctx context.Context, session *sql.Conn, query, name string) (plan []string) {
	t.Helper()
	if _, err := session.ExecContext(ctx, "PREPARE "+name+" AS "+query); err != nil {
		t.Fatalf("%s: %v", query, err)
	}
	seen := map[string]bool{}
	for _, p := range parameter.FindAllString(query, -1) {
		seen[p] = true
	}
	nulls := strings.TrimSuffix(strings.Repeat("NULL, ", len(seen)), ", ")
	answer, err := session.QueryContext(ctx, "EXPLAIN EXECUTE "+name+"("+nulls+")")
	if err != nil {
		t.Fatalf("%s: %v", query, err)
	}
	defer func() { _ = answer.Close() }()
	for answer.Next() {
		var line string
		if err := answer.Scan(&line); err != nil {
			t.Fatal(err)
		}
		plan = append(plan, line)
	}
	if err := answer.Err(); err != nil {
		t.Fatal(err)
	}
	return plan
}
