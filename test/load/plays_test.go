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
	"github.com/casino-service/casino/adapters/httpapi/client"
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
	// measured is how long each side of the comparison runs.
	measured = 8 * time.Second
)

var terms = token.Terms{
	Mint: money.SOL, Symbol: "SOL", Decimals: 9, Program: token.System,
	MinDeposit: 1, MinWager: token.MinWagerDefault, MaxWager: 1_000_000_000, MaxPayout: 100_000_000_000,
	MinWithdrawal: 1, MaxWithdrawal: 1_000_000_000, TwoPersonAbove: token.NoTwoPerson,
	PayoutCap: 1_000_000_000, PayoutCapPerHour: 1_000_000_000, BankrollShare: money.Ratio{Num: 1, Den: 1},
}

// BenchmarkPlays measures bets a second over HTTP with full authentication on
// SQLite with durable commits, and in the same run the same rows committed one
// bet a transaction. The ratio is what counts: both meet the same disk.
func BenchmarkPlays(b *testing.B) {
	for b.Loop() {
		alone := measurePlain(b)
		over := measureHTTP(b)
		b.ReportMetric(over.perSecond, "plays/s")
		b.ReportMetric(alone, "one-a-transaction/s")
		b.ReportMetric(over.perSecond/alone, "ratio")
		b.ReportMetric(float64(over.p50.Microseconds())/1000, "p50-ms")
		b.ReportMetric(float64(over.p99.Microseconds())/1000, "p99-ms")
	}
}

func measurePlain(b *testing.B) float64 {
	b.Helper()
	p := openPlain(b)
	random := rand.New(rand.NewPCG(1, 1))
	begin, bets := time.Now(), 0
	for time.Since(begin) < measured {
		if err := p.bet(context.Background(), fmt.Sprintf("round-%012d", bets), random); err != nil {
			b.Fatal(err)
		}
		bets++
	}
	return float64(bets) / time.Since(begin).Seconds()
}

type figures struct {
	perSecond float64
	p50, p99  time.Duration
}

func measureHTTP(b *testing.B) figures {
	b.Helper()
	base, tokens := serve(b)
	transport := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: clients, MaxConnsPerHost: clients}}
	var done atomic.Bool
	latencies := make([][]time.Duration, clients)
	var all sync.WaitGroup
	begin := time.Now()
	for c := range clients {
		all.Go(func() {
			random := rand.New(rand.NewPCG(uint64(c), 2))
			api := client.New(base, transport)
			for !done.Load() {
				asked := time.Now()
				session := api.WithToken(tokens[random.IntN(players)])
				_, err := session.Play(context.Background(), client.PlayRequest{GameType: "dice", Wager: 10_000, Token: string(money.SOL)})
				if err != nil {
					b.Error(err)
					return
				}
				latencies[c] = append(latencies[c], time.Since(asked))
			}
		})
	}
	time.AfterFunc(measured, func() { done.Store(true) })
	all.Wait()
	elapsed := time.Since(begin)
	merged := slices.Concat(latencies...)
	slices.Sort(merged)
	if len(merged) == 0 {
		b.Fatal("no play was answered")
	}
	return figures{
		perSecond: float64(len(merged)) / elapsed.Seconds(),
		p50:       merged[len(merged)/2], p99: merged[len(merged)*99/100],
	}
}

// serve starts the service on a fresh SQLite file with so many signed-in,
// funded players, and returns its base URL and their bearer tokens.
func serve(b *testing.B) (base string, tokens []string) {
	b.Helper()
	machine := system.Default()
	ring, err := sealer.ParseKeys([]string{"bench:000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f"})
	if err != nil {
		b.Fatal(err)
	}
	store, err := sqlite.Open(context.Background(), filepath.Join(b.TempDir(), "casino.db"), sealer.New(ring, machine.Reader()))
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { _ = store.Close() })
	if _, err := store.Migrate(context.Background()); err != nil {
		b.Fatal(err)
	}
	writer, err := store.Writer(sqlstore.WriterOptions{ID: machine.ID()})
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
	sessions := jwttoken.New(ring, "casino", "bench", time.Hour, machine, machine)
	tokens = enroll(b, writer, machine, sessions)
	casino := newCasino(b, store, writer, machine, sessions)
	api, err := httpapi.New(casino, httpapi.Config{Limiter: local.New(machine)})
	if err != nil {
		b.Fatal(err)
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		b.Fatal(err)
	}
	server := &http.Server{Handler: api, ReadHeaderTimeout: 5 * time.Second}
	go func() { _ = server.Serve(listener) }()
	b.Cleanup(func() { _ = server.Close() })
	return "http://" + listener.Addr().String() + "/casino", tokens
}

func newCasino(b *testing.B, store *sqlstore.Store, writer *sqlstore.Writer, machine *system.System, sessions *jwttoken.Tokens) *app.Casino {
	b.Helper()
	games, err := game.NewRegistry(game.Standard()...)
	if err != nil {
		b.Fatal(err)
	}
	casino, err := app.New(app.Deps{
		Store: struct {
			*sqlstore.Store
			ports.Writer
		}{store, writer},
		Chain: fakes.NewChain(), Clock: machine, Entropy: machine, Sessions: sessions, Games: games,
		Tokens: token.NewBook(terms), Policy: rbac.DefaultPolicy(), Branding: branding.Default(),
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
func enroll(b *testing.B, writer *sqlstore.Writer, machine *system.System, sessions *jwttoken.Tokens) []string {
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
				signIn := player.SignIn{
					Wallet: address, Agent: player.HouseAgent, First: spare(), Next: spare(), ClientSeed: "bench",
					Login:   player.Login{Wallet: address, Timestamp: now.UnixMilli(), KeepUntil: now.Add(time.Minute)},
					AuditID: machine.ID(), At: now,
				}
				stake := player.Adjustment{
					ID: machine.ID(), Wallet: address, Token: money.SOL, Amount: 1_000_000_000, Reason: "stake", By: "bench", At: now,
				}
				for _, item := range []player.Item{
					{Wallet: address, At: now, Claims: []player.Claim{{Kind: player.LoginMessage, Scope: string(address), ID: "1"}},
						Decide: func(v player.View) (player.Change, error) { return player.SignsIn(v, signIn) }},
					{Wallet: address, At: now, Claims: []player.Claim{{Kind: player.AdjustmentID, ID: stake.ID}},
						Needs:  player.Needs{Tokens: []money.Token{money.SOL}},
						Decide: func(v player.View) (player.Change, error) { return player.Adjusts(v, stake, machine.ID(), "") }},
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
