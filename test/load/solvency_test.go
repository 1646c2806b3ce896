package load_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/casino-service/casino/adapters/system"
	"github.com/casino-service/casino/domain/audit"
	"github.com/casino-service/casino/domain/checkpoint"
	"github.com/casino-service/casino/domain/event"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/solvency"
	"github.com/casino-service/casino/ports"
	"github.com/casino-service/casino/test/fakes"
)

// owedPlayers is how many players a snapshot is made of.
const owedPlayers = 100_000

// BenchmarkSolvency makes and stores snapshots of what is owed to 100,000 players in one token,
// and reports the seconds of each part and the bytes that a snapshot adds to the database.
func BenchmarkSolvency(b *testing.B) {
	location := database(b, benchCluster(b).URL(), "postgres")
	store := openPostgres(b, location)
	ctx := context.Background()
	owner, err := pgx.Connect(ctx, location)
	noError(b, err)
	defer func() { _ = owner.Close(ctx) }()
	name := func(i int) string { return string(fakes.Wallet(fmt.Sprint("player ", i))) }
	noError(b, copyRows(ctx, owner, "players (wallet, key, agent, created_at)", owedPlayers, func(r *row, i int) {
		r.add(name(i), walletKey(name(i)), "house", 1)
	}))
	noError(b, copyRows(ctx, owner, "balances (wallet, kind, hold, token, amount)", owedPlayers, func(r *row, i int) {
		r.add(walletKey(name(i)), "player", "", string(money.SOL), 1+i*12_345)
	}))
	_, err = owner.Exec(ctx, "VACUUM ANALYZE")
	noError(b, err)
	size := func() (bytes int64) {
		noError(b, owner.QueryRow(ctx, `SELECT sum(pg_total_relation_size(t::regclass))::bigint
			FROM unnest(ARRAY['solvency_snapshots', 'solvency_trees', 'solvency_chunks']) AS t`).Scan(&bytes))
		return bytes
	}
	hour, before, machine := time.Now().UTC().Truncate(time.Hour), size(), system.Default()
	var read, built, stored time.Duration
	for i := 0; b.Loop(); i++ {
		begin := time.Now()
		debts, heads, err := store.Debts(ctx)
		noError(b, err)
		read += time.Since(begin)
		begin = time.Now()
		seed, at := machine.Seed(), hour.Add(time.Duration(i)*time.Hour)
		l, err := solvency.NewLedger(money.SOL, seed[:], at, debts[money.SOL])
		noError(b, err)
		built += time.Since(begin)
		begin = time.Now()
		noError(b, store.AddSnapshot(ctx, ports.SolvencySnapshot{
			Hour: at, Key: seed[:], Signed: checkpoint.Signed{Text: "text", Key: "k", Signature: []byte{1}}, Ledgers: []solvency.Ledger{l},
		}, hour, audit.Record{ID: machine.ID(), Action: audit.SolvencyStated, At: at}, []event.Event{l.Event(at, heads)}))
		stored += time.Since(begin)
	}
	for of, took := range map[string]time.Duration{"read": read, "build": built, "store": stored} {
		b.ReportMetric(took.Seconds()/float64(b.N), of+"-s")
	}
	b.ReportMetric(float64(size()-before)/float64(b.N), "bytes/snapshot")
}
