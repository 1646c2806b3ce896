package load_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net"
	"net/http"
	"path/filepath"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/casino-service/casino/adapters/httpapi"
	"github.com/casino-service/casino/adapters/jwttoken"
	"github.com/casino-service/casino/adapters/ratelimit/local"
	"github.com/casino-service/casino/adapters/sealer"
	"github.com/casino-service/casino/adapters/sqlstore"
	"github.com/casino-service/casino/adapters/sqlstore/sqlite"
	"github.com/casino-service/casino/adapters/system"
	"github.com/casino-service/casino/app"
	"github.com/casino-service/casino/domain/branding"
	"github.com/casino-service/casino/domain/fairness"
	"github.com/casino-service/casino/domain/game"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/player"
	"github.com/casino-service/casino/domain/rbac"
	"github.com/casino-service/casino/domain/token"
	"github.com/casino-service/casino/ports"
	"github.com/casino-service/casino/test/fakes"
)

const (
	players = 10_000
	clients = 64
	// measured is how long each side runs in each of the rounds that the medians
	// are taken of.
	measured = 3 * time.Second
	rounds   = 3
)

var terms = token.Terms{
	Mint: money.SOL, Symbol: "SOL", Decimals: 9, Program: token.System,
	MinDeposit: 1, MinWager: token.MinWagerDefault, MaxWager: 1_000_000_000, MaxPayout: 100_000_000_000,
	MinWithdrawal: 1, MaxWithdrawal: 1_000_000_000, TwoPersonAbove: token.NoTwoPerson, TwoPersonAbovePerDay: token.NoTwoPerson,
	PayoutCap: 1_000_000_000, PayoutCapPerHour: 1_000_000_000, BankrollShare: money.Ratio{Num: 1, Den: 1},
}

// BenchmarkPlays measures bets a second over HTTP with full authentication on
// SQLite with durable commits, and in turns with it the same rows committed one
// bet a transaction. The ratio of the medians is what counts: both use the same
// disk in the same seconds.
func BenchmarkPlays(b *testing.B) {
	for b.Loop() {
		p := openPlain(b)
		address, tokens := serve(b, openSQLite(b))
		var alone, over []float64
		var latencies []time.Duration
		for range rounds {
			alone = append(alone, measurePlain(b, &p))
			perSecond, took := measureHTTP(b, []string{address}, clients, plays(tokens))
			over, latencies = append(over, perSecond), append(latencies, took...)
		}
		slices.Sort(latencies)
		b.ReportMetric(median(over), "plays/s")
		b.ReportMetric(median(alone), "one-a-transaction/s")
		b.ReportMetric(median(over)/median(alone), "ratio")
		b.ReportMetric(milliseconds(latencies[len(latencies)/2]), "p50-ms")
		b.ReportMetric(milliseconds(latencies[len(latencies)*99/100]), "p99-ms")
	}
}

func median(of []float64) float64 {
	slices.Sort(of)
	return of[len(of)/2]
}

func milliseconds(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

func measurePlain(b *testing.B, p *plain) float64 {
	b.Helper()
	begin, before := time.Now(), p.bets
	for time.Since(begin) < measured {
		if err := p.bet(context.Background()); err != nil {
			b.Fatal(err)
		}
	}
	return float64(p.bets-before) / time.Since(begin).Seconds()
}

// plays bets with one of the tokens.
func plays(tokens []string) func(*caller, *rand.Rand) error {
	return func(c *caller, random *rand.Rand) error { return c.play(tokens[random.IntN(len(tokens))]) }
}

// measureHTTP lets so many clients, spread over the addresses, send one request after
// the other.
func measureHTTP(b *testing.B, addresses []string, clients int, ask func(*caller, *rand.Rand) error) (perSecond float64, latencies []time.Duration) {
	b.Helper()
	var done atomic.Bool
	took := make([][]time.Duration, clients)
	var all sync.WaitGroup
	begin := time.Now()
	for c := range clients {
		all.Go(func() {
			random := rand.New(rand.NewPCG(uint64(c), 2))
			caller, err := dial(addresses[c%len(addresses)])
			if err != nil {
				b.Error(err)
				return
			}
			defer caller.close()
			for !done.Load() {
				asked := time.Now()
				if err := ask(caller, random); err != nil {
					b.Error(err)
					return
				}
				took[c] = append(took[c], time.Since(asked))
			}
		})
	}
	time.AfterFunc(measured, func() { done.Store(true) })
	all.Wait()
	elapsed := time.Since(begin)
	latencies = slices.Concat(took...)
	if b.Failed() || len(latencies) == 0 {
		b.Fatal("no play was answered")
	}
	return float64(len(latencies)) / elapsed.Seconds(), latencies
}

// newSealer returns what seeds are sealed with, and the keys tokens are signed with.
func newSealer(b *testing.B, machine *system.System) (ports.Sealer, sealer.Keyring) {
	b.Helper()
	ring, err := sealer.ParseKeys([]string{"bench:000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f"})
	if err != nil {
		b.Fatal(err)
	}
	return sealer.New(ring, machine.Reader()), ring
}

func openSQLite(b *testing.B) *sqlstore.Store {
	b.Helper()
	seeds, _ := newSealer(b, system.Default())
	store, err := sqlite.Open(context.Background(), filepath.Join(b.TempDir(), "casino.db"), seeds)
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { _ = store.Close() })
	if _, err := store.Migrate(context.Background()); err != nil {
		b.Fatal(err)
	}
	return store
}

// serve starts the service on a fresh store with so many signed-in, funded
// players, and returns its address and their bearer tokens.
func serve(b *testing.B, store *sqlstore.Store) (address string, tokens []string) {
	b.Helper()
	return serveWith(b, store, nil)
}

// serveWith is serve for players who are there already; without their tokens it
// enrolls them.
func serveWith(b *testing.B, store *sqlstore.Store, enrolled []string) (address string, tokens []string) {
	b.Helper()
	machine := system.Default()
	_, ring := newSealer(b, machine)
	writer, err := store.Writers(sqlstore.WriterOptions{ID: machine.ID()})
	if err != nil {
		b.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		_ = writer.Run(ctx)
	}()
	b.Cleanup(func() { cancel(); <-ended })
	sessions := jwttoken.New(ring, "casino", "bench", time.Hour, machine, machine.SessionIDs())
	if tokens = enrolled; tokens == nil {
		tokens = enroll(b, writer, machine, sessions)
	}
	casino := newCasino(b, store, writer, machine, sessions)
	api, err := httpapi.New(casino, httpapi.Config{Limiter: local.New(machine), Callbacks: callbacks(b, casino, store, machine)})
	if err != nil {
		b.Fatal(err)
	}
	return listen(b, api), tokens
}

// listen serves a handler on a loopback port until the benchmark ends.
func listen(b *testing.B, handler http.Handler) (address string) {
	b.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		b.Fatal(err)
	}
	server := &http.Server{Handler: handler, ReadHeaderTimeout: 5 * time.Second}
	go func() { _ = server.Serve(listener) }()
	b.Cleanup(func() { _ = server.Close() })
	return listener.Addr().String()
}

func newCasino(b *testing.B, store *sqlstore.Store, writer *sqlstore.Writers, machine *system.System, sessions *jwttoken.Tokens) *app.Casino {
	b.Helper()
	games, err := game.NewRegistry(game.Standard()...)
	if err != nil {
		b.Fatal(err)
	}
	casino, err := app.New(app.Deps{
		Store: app.StoreOf(struct {
			*sqlstore.Store
			ports.Writer
		}{store, writer}),
		Chain: fakes.NewChain(), Clock: machine, Entropy: machine, Sessions: sessions, Games: games,
		Tokens: token.NewBook(terms), Policy: rbac.DefaultPolicy(), Branding: branding.Default(),
		Provider: connection(),
	})
	if err != nil {
		b.Fatal(err)
	}
	if _, err := casino.BookCapital(context.Background(), money.SOL, 1_000_000_000_000_000, "bench"); err != nil {
		b.Fatal(err)
	}
	return casino
}

// enroll signs the players in and gives each a stake, 64 at a time.
func enroll(b *testing.B, writer *sqlstore.Writers, machine *system.System, sessions *jwttoken.Tokens) []string {
	b.Helper()
	tokens := make([]string, players)
	var all sync.WaitGroup
	for c := range clients {
		all.Go(func() {
			for i := c; i < players; i += clients {
				address := fakes.Wallet(fmt.Sprintf("player %d", i))
				spare := func() fairness.Spare {
					return fairness.Spare{ID: machine.ID(), Seed: fairness.NewServerSeed(machine.Seed())}
				}
				now := machine.Now().Truncate(time.Microsecond)
				signIn := player.SignInRequest{
					Wallet: address, Agent: player.HouseAgent, First: spare(), Next: spare(), ClientSeed: "bench",
					Login:   player.Login{Wallet: address, Timestamp: now.UnixMilli(), KeepUntil: now.Add(time.Minute)},
					AuditID: machine.ID(), SessionAuditID: machine.ID(), At: now,
				}
				stake := player.Adjustment{
					ID: machine.ID(), Wallet: address, Token: money.SOL, Amount: 1_000_000_000, Reason: "stake", By: "bench", At: now,
				}
				for _, item := range []player.Item{
					{Wallet: address, At: now, Keys: []player.UniqueKey{{Kind: player.LoginKey, Scope: string(address), ID: "1"}},
						Decide: func(v player.View) (player.Change, error) { return player.SignIn(v, signIn) }},
					{Wallet: address, At: now, Keys: []player.UniqueKey{{Kind: player.AdjustmentKey, ID: stake.ID}},
						Needs:  player.Needs{Tokens: []money.Token{money.SOL}},
						Decide: func(v player.View) (player.Change, error) { return player.Adjust(v, stake, machine.ID(), "") }},
				} {
					if _, err := writer.Commit(context.Background(), item); err != nil {
						b.Error(err)
						return
					}
				}
				bearer, _, err := sessions.Issue(address)
				if err != nil {
					b.Error(err)
					return
				}
				tokens[i] = bearer
			}
		})
	}
	all.Wait()
	if b.Failed() {
		b.FailNow()
	}
	return tokens
}
