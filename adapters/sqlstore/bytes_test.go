package sqlstore_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/casino-service/casino/adapters/sqlstore"
	"github.com/casino-service/casino/domain/game"
	"github.com/casino-service/casino/domain/money"
)

// BenchmarkBytes tells what a round takes of the disk, with its transfers and with every
// index, by table and index: 10,000 players play all games of the house, a million of them
// would not change it. On PostgreSQL the bytes that a round adds to the write-ahead log
// stand beside it. Bytes are those of whole files: pages are as full as play leaves them.
func BenchmarkBytes(b *testing.B) {
	for name, on := range map[string]engine{"PostgreSQL": onPostgres, "SQLite": onSQLite} {
		b.Run(name, func(b *testing.B) {
			w, people := crowd(b, on, sqlstore.WriterOptions{})
			before, logged := sizes(b, w)
			games := game.Standard()
			b.ResetTimer()
			callers(benchCallers, b.N, func(i int) {
				item := w.playOf(games[i%len(games)], people[i*7919%len(people)], money.SOL, 10_000)
				if _, err := w.writer.Commit(context.Background(), item); err != nil {
					b.Error(err)
				}
			})
			b.StopTimer()
			after, loggedAfter := sizes(b, w)
			report(b, before, after)
			if logged > 0 {
				b.ReportMetric(float64(loggedAfter-logged)/float64(b.N), "wal-B/round")
			}
		})
	}
}

// relation is how large a table or an index is.
type relation struct {
	name, of string // the index, and its table
	bytes    int64
}

// sizes are those of all tables and indexes, partitions with the table they are of, and
// how much was ever written into the write-ahead log.
func sizes(b *testing.B, w *world) (all []relation, logged int64) {
	b.Helper()
	db := w.beside()
	defer func() { _ = db.Close() }()
	query := `SELECT s.name, s.tbl_name, sum(d.pgsize) FROM dbstat AS d JOIN sqlite_schema AS s ON s.name = d.name GROUP BY 1, 2 ORDER BY 1`
	if w.on.numbered {
		query = `SELECT regexp_replace(c.relname, '_(\d{4}_\d{2}|other|rest)', ''), regexp_replace(coalesce(t.relname, c.relname), '_(\d{4}_\d{2}|other|rest)', ''),
				sum(pg_relation_size(c.oid))::bigint
			FROM pg_class AS c LEFT JOIN pg_index AS x ON x.indexrelid = c.oid LEFT JOIN pg_class AS t ON t.oid = x.indrelid
			WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind IN ('r', 'i') GROUP BY 1, 2 ORDER BY 1`
		if err := db.QueryRow("SELECT pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::bigint").Scan(&logged); err != nil {
			b.Fatal(err)
		}
	}
	rows(b, db, query, func(scan func(...any)) {
		var s relation
		scan(&s.name, &s.of, &s.bytes)
		all = append(all, s)
	})
	return all, logged
}

// report tells what grew by how much for each round.
func report(b *testing.B, before, after []relation) {
	b.Helper()
	had := map[string]int64{}
	for _, s := range before {
		had[s.name] = s.bytes
	}
	var table strings.Builder
	total := 0.0
	for _, s := range after {
		if s.of != "rounds" && s.of != "transfers" {
			continue
		}
		each := float64(s.bytes-had[s.name]) / float64(b.N)
		total += each
		fmt.Fprintf(&table, "%-28s %6.1f\n", s.name, each)
	}
	b.ReportMetric(total, "B/round")
	if b.N > 1 {
		fmt.Printf("\nbytes a round on %s\n%s%-28s %6.1f\n", strings.TrimPrefix(b.Name(), "BenchmarkBytes/"), table.String(), "together", total)
	}
}
