package restore_test

import (
	"context"
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/casino-service/casino/test/restore"
)

// BenchmarkReopen restores a copy with CASINO_BENCH_PLAYERS players (100,000), and measures how
// long the recovery takes until the service is open, without the wait for the chain, which is two
// minutes for any number of players.
func BenchmarkReopen(b *testing.B) {
	players := 100_000
	if text := os.Getenv("CASINO_BENCH_PLAYERS"); text != "" {
		var err error
		if players, err = strconv.Atoi(text); err != nil {
			b.Fatal(err)
		}
	}
	for name, database := range map[string]func(testing.TB) restore.Database{"SQLite": restore.SQLite, "PostgreSQL": restore.Postgres} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				reopen(b, database(b), players)
			}
		})
	}
}

func reopen(b *testing.B, database restore.Database, players int) {
	b.StopTimer()
	ctx := context.WithoutCancel(b.Context())
	world, err := restore.New(ctx, restore.Setting{Seed: 2, Database: database, Folder: filepath.Join(restore.Folder(b), "state")})
	if err != nil {
		b.Fatal(err)
	}
	defer func() {
		if err := world.Close(); err != nil {
			b.Error(err)
		}
	}()
	if err := world.Fill(ctx, players); err != nil {
		b.Fatal(err)
	}
	b.StartTimer()
	if err := world.Lose(ctx, restore.Everything, func(r restore.Report) {
		b.ReportMetric(r.Reopened.Seconds(), "s/reopened")
		b.ReportMetric(float64(r.Held)/(1<<20), "MiB/held")
		b.ReportMetric(float64(r.Payments), "payouts/lost")
	}); err != nil {
		b.Fatal(err)
	}
	each, err := world.Return(ctx, min(players, 500))
	if err != nil {
		b.Fatal(err)
	}
	b.ReportMetric(float64(each.Microseconds()), "µs/sign-in")
	if err := world.Prove(ctx); err != nil {
		b.Fatal(err)
	}
}
