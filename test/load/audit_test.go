package load_test

import (
	"bytes"
	"context"
	"crypto/ed25519"
	"crypto/rand"
	"database/sql"
	"fmt"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	_ "github.com/jackc/pgx/v5/stdlib" // the driver "pgx"

	"github.com/casino-service/casino/adapters/sealer"
	"github.com/casino-service/casino/adapters/sqlstore"
	"github.com/casino-service/casino/adapters/sqlstore/sqlite"
	"github.com/casino-service/casino/adapters/system"
	"github.com/casino-service/casino/app"
	"github.com/casino-service/casino/app/accounts"
	"github.com/casino-service/casino/app/play"
	"github.com/casino-service/casino/domain/branding"
	"github.com/casino-service/casino/domain/game"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/rbac"
	"github.com/casino-service/casino/domain/token"
	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/ports"
	"github.com/casino-service/casino/test/fakes"
	"github.com/casino-service/casino/test/services"
)

// Environment variables of the audit's measurement, and their defaults.
const (
	auditRounds  = "CASINO_BENCH_ROUNDS"  // 100,000
	auditPlayers = "CASINO_BENCH_PLAYERS" // a hundredth of the rounds
)

// auditCallers play concurrently while the ledger is made, and auditBeside while it is audited.
const (
	auditCallers = 256
	auditBeside  = 4
)

// rotateAfter is after how many rounds at most a player changes seeds: an audit recomputes rounds
// with revealed seeds.
const rotateAfter = 50

// auditSeals are the keys that seal the ledger's seeds and rows, and auditSigns those that sign
// checkpoints.
const (
	auditSeals = "bench:000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f"
	auditSigns = "bench:1f1e1d1c1b1a191817161514131211100f0e0d0c0b0a09080706050403020100"
)

// BenchmarkAudit makes a ledger by the service's own writer and measures `casino audit` as a
// separate process: of everything, then from its checkpoint after a hundredth more rounds, then
// that again while players play. Rounds a second count those read anew, by the clock and by the
// CPU time of the audit alone; memory is its maximum. On PostgreSQL the longest transaction of
// the audit is measured by a look every 20 ms.
func BenchmarkAudit(b *testing.B) {
	b.Run("PostgreSQL", func(b *testing.B) {
		url := benchCluster(b).URL()
		auditLedger(b, openPostgres(b, url), url)
	})
	b.Run("SQLite", func(b *testing.B) {
		file := filepath.Join(b.TempDir(), "casino.db")
		ring, err := sealer.ParseKeys([]string{auditSeals})
		noError(b, err)
		store, err := sqlite.Open(b.Context(), file, sealer.New(ring, rand.Reader))
		if err == nil {
			_, err = store.Migrate(b.Context())
		}
		noError(b, err)
		b.Cleanup(func() { _ = store.Close() })
		auditLedger(b, store, "sqlite:"+file)
	})
}

func auditLedger(b *testing.B, store *sqlstore.Store, url string) {
	rounds := positive(b, auditRounds, 100_000)
	players := positive(b, auditPlayers, max(rounds/100, 1))
	noError(b, store.Initialize(b.Context(), ports.Identity{Mode: ports.ModeDev, Genesis: "none", Ledger: "measured"}))
	l := newLedgerMaker(b, store, players)
	l.rotate = max(min(rotateAfter, rounds/players/2), 2)
	began := time.Now()
	l.play(b.Context(), rounds)
	b.Logf("%d players and %d rounds in %v", players, rounds, time.Since(began).Round(time.Second))
	checkpoint := filepath.Join(b.TempDir(), "checkpoint")
	for b.Loop() {
		t := newTable()
		everything := []string{"--checkpoint", checkpoint}
		since := []string{"--since", checkpoint}
		l.audit(t, "everything", url, rounds, everything)
		l.play(b.Context(), max(rounds/100, 1))
		l.audit(t, "since its checkpoint", url, max(rounds/100, 1), since)
		var beside sync.WaitGroup
		ctx, stop := context.WithCancel(b.Context())
		for range auditBeside {
			beside.Go(func() {
				for ctx.Err() == nil {
					l.play(ctx, 1)
				}
			})
		}
		before, started := l.played.Load(), time.Now()
		l.audit(t, "since its checkpoint, beside players", url, max(rounds/100, 1), since)
		t.add("since its checkpoint, beside players", "played/s", float64(l.played.Load()-before)/time.Since(started).Seconds())
		stop()
		beside.Wait()
		fmt.Print(t.String())
	}
	b.ReportMetric(0, "ns/op")
}

// ledgerMaker lets signed-in players with money play.
type ledgerMaker struct {
	*testing.B
	*app.Casino
	callers []app.Caller
	rotate  int // after how many rounds a player changes seeds
	played  atomic.Int64
}

var auditTerms = token.Terms{
	Mint: money.SOL, Symbol: "SOL", Decimals: 9, Program: token.System, MinDeposit: 1, MinWager: 1, MaxWager: 1 << 40, MaxPayout: 1 << 50,
	MinWithdrawal: 1, MaxWithdrawal: 1 << 50, TwoPersonAbove: token.NoTwoPerson, TwoPersonAbovePerDay: token.NoTwoPerson, PayoutCap: 1 << 50, PayoutCapPerHour: 1 << 60,
	BankrollShare: money.Ratio{Num: 1, Den: 1},
}

func newLedgerMaker(b *testing.B, store *sqlstore.Store, players int) *ledgerMaker {
	b.Helper()
	writer, err := store.Writer(sqlstore.WriterOptions{ID: "bench"})
	noError(b, err)
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- writer.Run(ctx) }()
	b.Cleanup(func() {
		cancel()
		if err := <-done; err != nil {
			b.Error(err)
		}
	})
	ring, err := sealer.ParseKeys([]string{auditSeals})
	noError(b, err)
	games, err := game.NewRegistry(game.Standard()...)
	noError(b, err)
	chain, clock := fakes.NewChain(auditTerms), system.Default()
	l := &ledgerMaker{B: b, callers: make([]app.Caller, players)}
	l.Casino, err = app.New(app.Deps{
		Store: app.StoreOf(struct {
			*sqlstore.Store
			ports.Writer
		}{store, writer}), Chain: chain, Clock: clock, Entropy: system.Default(), Games: games,
		Sessions: fakes.NewSessions(clock, "bench", 24*time.Hour), Tokens: token.NewBook(auditTerms), Policy: rbac.DefaultPolicy(),
		Branding: branding.Default(), Authenticator: sealer.NewAuthenticator(ring), Logger: slog.New(slog.DiscardHandler),
	})
	if err == nil {
		err = l.Deposits.BeginWatch(b.Context())
	}
	if err == nil {
		_, err = l.Treasury.BookCapital(b.Context(), money.SOL, 1<<50, "founding")
	}
	noError(b, err)
	var ofChain sync.Mutex
	l.atOnce(players, func(n int) error {
		name, millis := fmt.Sprint("player ", n), time.Now().UnixMilli()
		w := fakes.Wallet(name)
		l.callers[n] = app.Caller{Wallet: w, RequestID: "bench"}
		if _, err := l.Accounts.SignIn(b.Context(), accounts.SignInRequest{
			Wallet: string(w), Timestamp: millis, Signature: ed25519.Sign(fakes.Key(name), []byte(wallet.LoginMessage(w, millis))),
		}); err != nil {
			return err
		}
		ofChain.Lock()
		chain.Fund(w, money.SOL, 1<<31)
		signature := chain.Deposit(w, money.SOL, 1<<30)
		chain.Finalize()
		ofChain.Unlock()
		_, err := l.Deposits.Deposit(b.Context(), l.callers[n], signature, string(money.SOL))
		return err
	})
	return l
}

// atOnce runs n calls, many concurrently.
func (l *ledgerMaker) atOnce(n int, work func(i int) error) {
	l.Helper()
	var next atomic.Int64
	var all sync.WaitGroup
	for range auditCallers {
		all.Go(func() {
			for i := int(next.Add(1)) - 1; i < n; i = int(next.Add(1)) - 1 {
				if err := work(i); err != nil {
					l.Error(err)
					return
				}
			}
		})
	}
	all.Wait()
	if l.Failed() {
		l.FailNow()
	}
}

// play lets the players play this many more rounds, each in turn.
func (l *ledgerMaker) play(ctx context.Context, rounds int) {
	l.atOnce(rounds, func(int) error {
		n := int(l.played.Add(1)) - 1
		caller, before := l.callers[n%len(l.callers)], n/len(l.callers)
		if before%l.rotate == l.rotate-1 {
			if _, err := l.Play.Rotate(ctx, caller, play.RotateRequest{}); err != nil && ctx.Err() == nil {
				return err
			}
		}
		if _, err := l.Play.Play(ctx, caller, play.PlayRequest{GameType: "dice", Wager: 1_000, Token: string(money.SOL)}); err != nil && ctx.Err() == nil {
			return err
		}
		return nil
	})
}

// audit runs the real `casino audit` once. A finding ends the benchmark.
func (l *ledgerMaker) audit(t *table, row, url string, rounds int, flags []string) {
	l.Helper()
	binary, err := services.Binary()
	noError(l, err)
	command := exec.CommandContext(l.Context(), binary, append([]string{"audit"}, flags...)...) //nolint:gosec // our own binary
	command.Env = []string{
		"HOME=" + l.TempDir(), "TMPDIR=" + os.TempDir(), "CASINO_DATABASE_URL=" + url, "CASINO_SEED_KEYS=" + auditSeals, "CASINO_CHECKPOINT_KEYS=" + auditSigns,
	}
	var out bytes.Buffer
	command.Stdout, command.Stderr = &out, &out
	longest := l.watched(url)
	began := time.Now()
	noError(l, command.Start())
	most := memoryOf(command.Process.Pid)
	err = command.Wait()
	took, transaction, memory := time.Since(began), longest(), most()
	l.Log(strings.SplitN(out.String(), "\n", 2)[0])
	if err != nil {
		l.Fatalf("%v\n%s", err, &out)
	}
	cpu := command.ProcessState.UserTime() + command.ProcessState.SystemTime()
	t.add(row, "rounds", float64(rounds))
	t.add(row, "s", took.Seconds())
	t.add(row, "rounds/s", float64(rounds)/took.Seconds())
	t.add(row, "rounds/CPU s", float64(rounds)/cpu.Seconds())
	t.add(row, "MiB", memory)
	if transaction > 0 {
		t.add(row, "longest transaction ms", milliseconds(transaction))
	}
}

// memoryOf measures the most memory of a process until the returned function is called. The
// system's final value is no use: it begins with the parent's memory.
func memoryOf(pid int) (most func() float64) {
	stop, answer := make(chan struct{}), make(chan float64)
	go func() {
		var greatest float64
		for {
			select {
			case <-stop:
				answer <- greatest
				return
			case <-time.After(20 * time.Millisecond):
				greatest = max(greatest, services.ResidentMegabytes(pid))
			}
		}
	}()
	return func() float64 {
		close(stop)
		return <-answer
	}
}

// watched measures how long transactions of PostgreSQL's readers last until the returned function
// is called, which returns the longest.
func (l *ledgerMaker) watched(url string) (longest func() time.Duration) {
	l.Helper()
	if !strings.HasPrefix(url, "postgres") {
		return func() time.Duration { return 0 }
	}
	db, err := sql.Open("pgx", url)
	noError(l, err)
	stop, most := make(chan struct{}), make(chan time.Duration)
	go func() {
		var greatest time.Duration
		for {
			select {
			case <-stop:
				_ = db.Close()
				most <- greatest
				return
			case <-time.After(20 * time.Millisecond):
			}
			var micros int64
			if err := db.QueryRowContext(context.Background(), `SELECT coalesce(max(extract(epoch FROM clock_timestamp() - xact_start) * 1e6), 0)::bigint
				FROM pg_stat_activity WHERE application_name = 'casino reader'`).Scan(&micros); err == nil {
				greatest = max(greatest, time.Duration(micros)*time.Microsecond)
			}
		}
	}()
	return func() time.Duration {
		close(stop)
		return <-most
	}
}
