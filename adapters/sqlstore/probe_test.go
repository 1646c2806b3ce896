package sqlstore_test

import (
	"context"
	"testing"
	"time"

	"github.com/casino-service/casino/adapters/sqlstore"
	"github.com/casino-service/casino/test/services"
)

func TestAProbeWritesAndLeavesTheLedgerAlone(t *testing.T) {
	everywhere(t, func(t *testing.T, on engine) {
		w := idleWorld(t, on, sqlstore.WriterOptions{}, unwrapped)
		w.begin(1000, w.login(alice))
		blocks := w.number("SELECT count(*) FROM blocks")
		for range 3 {
			if err := w.store.ProbeWrite(t.Context()); err != nil {
				t.Fatal(err)
			}
			if err := w.writer.ProbeLane(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
		if n := w.number("SELECT count(*) FROM blocks"); n != blocks {
			t.Errorf("%d blocks, there were %d", n, blocks)
		}
		if err := on.probeIsInTheWay(w); err == nil {
			t.Error("a probe that could not write says nothing")
		}
	})
}

// probeIsInTheWay asks for a probe while somebody else has the row, or the file: whoever
// only reads would not notice.
func (on engine) probeIsInTheWay(w *world) error {
	begin := "BEGIN IMMEDIATE"
	if on.numbered {
		begin = "BEGIN"
	}
	session, err := w.beside().Conn(w.Context())
	if err != nil {
		w.Fatal(err)
	}
	defer func() { _ = session.Close() }()
	for _, text := range []string{begin, "UPDATE guards SET kind = kind WHERE kind = 'probe'"} {
		if _, err := session.ExecContext(w.Context(), text); err != nil {
			w.Fatal(err)
		}
	}
	defer func() { _, _ = session.ExecContext(context.WithoutCancel(w.Context()), "ROLLBACK") }()
	ctx, cancel := context.WithTimeout(w.Context(), 2*time.Second)
	defer cancel()
	return w.store.ProbeWrite(ctx)
}

func TestPostgresAProbeFailsWhereNothingCanBeWritten(t *testing.T) {
	t.Parallel()
	server := services.NewCluster(t)
	if _, err := openOwner(t, server.URL()).Migrate(t.Context()); err != nil {
		t.Fatal(err)
	}
	w := worldAt(t, onPostgres, server.URL(), sqlstore.WriterOptions{}, unwrapped)
	side, err := w.beside().Conn(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := side.ExecContext(t.Context(), "SELECT pg_advisory_lock((('public'::regnamespace::oid::bigint << 32) + 1667301376 + lane)) FROM generate_series(1, 64) AS lane"); err != nil {
		t.Fatal(err)
	}
	if err := w.writer.ProbeLane(t.Context()); err == nil {
		t.Error("no lane is left, and the probe says nothing")
	}
	if err := w.store.ProbeWrite(t.Context()); err != nil {
		t.Errorf("without a lane nothing else is wrong: %v", err)
	}
	_ = side.Close()
	server.ReadOnly(t)
	limit, cancel := context.WithTimeout(t.Context(), 10*time.Second)
	defer cancel()
	for w.store.ProbeWrite(limit) == nil { // the server tells its sessions one after the other
		if limit.Err() != nil {
			t.Fatal("nothing can be written, and the probe says nothing")
		}
	}
	if err := w.store.Ping(t.Context()); err != nil {
		t.Errorf("reads don't go on: %v", err)
	}
}
