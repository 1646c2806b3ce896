package capture_test

import (
	"bytes"
	"context"
	"crypto/ed25519"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
	"time"

	"github.com/casino-service/casino/adapters/httpapi"
	"github.com/casino-service/casino/adapters/httpapi/api"
	"github.com/casino-service/casino/adapters/httpapi/client"
	"github.com/casino-service/casino/adapters/memory"
	"github.com/casino-service/casino/app"
	"github.com/casino-service/casino/app/sharedcrash"
	"github.com/casino-service/casino/cmd/internal/capture"
	"github.com/casino-service/casino/domain/game"
	"github.com/casino-service/casino/domain/limit"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/rbac"
	"github.com/casino-service/casino/domain/token"
	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/ports"
	"github.com/casino-service/casino/test/fakes"
)

// house is a whole casino behind its HTTP API, with replaceable parts that can cheat.
type house struct {
	// games changes the rules of games, and entropy the draws of server seeds.
	games   func(game.Game) game.Game
	entropy ports.Entropy
	// between wraps the API.
	between func(http.Handler) http.Handler
	// maxPayout is the maximum payout of a round; 0 is unlimited.
	maxPayout money.Amount
	// writer changes what is decided.
	writer func(ports.Writer) ports.Writer
	// snapshot receives a function that makes the hour's statement of what is owed.
	snapshot *func(context.Context) (bool, error)
	// shared turns on the shared crash; it receives a function that lets time pass for it.
	shared *func(time.Duration)
}

// registry returns the published rules.
func registry(t testing.TB) *game.Registry {
	t.Helper()
	games, err := published()
	if err != nil {
		t.Fatal(err)
	}
	return games
}

var published = sync.OnceValues(func() (*game.Registry, error) { return game.NewRegistry(game.House()...) })

// open starts the house and returns its address, and players with money.
func (h house) open(t testing.TB, players int) (baseURL string, seated []capture.Player) {
	t.Helper()
	terms := fakes.Terms()
	terms.MaxPayout, terms.BankrollShare = 1<<50, money.Ratio{Num: 1, Den: 1}
	if h.maxPayout > 0 {
		terms.MaxWager, terms.MaxPayout = h.maxPayout, h.maxPayout
	}
	clock, chain := fakes.NewClock(fakes.Start), fakes.NewChain(terms)
	if h.entropy == nil {
		h.entropy = fakes.NewEntropy(1)
	}
	games := registry(t)
	if h.games != nil {
		var err error
		played := game.House()
		for i, g := range played {
			played[i] = h.games(g)
		}
		if games, err = game.NewRegistry(played...); err != nil {
			t.Fatal(err)
		}
	}
	store := memory.New()
	if err := store.Initialize(t.Context(), ports.Identity{Mode: ports.ModeDev, Genesis: "g", Ledger: "the ledger"}); err != nil {
		t.Fatal(err)
	}
	kept := app.StoreOf(store)
	if h.writer != nil {
		kept.Writer = h.writer(kept.Writer)
	}
	deps := app.Deps{
		Store: kept, Chain: chain, Receipts: fakes.StatementSigner{}, Clock: clock, Entropy: h.entropy, Logger: slog.New(slog.DiscardHandler),
		Sessions: fakes.NewSessions(clock, "capture", time.Hour), Games: games, Tokens: token.NewBook(terms), Policy: rbac.DefaultPolicy(),
		Settings: app.Settings{SolvencyKeep: 2 * time.Hour},
	}
	slots := fakes.NewBeacons()
	if h.shared != nil {
		deps.Beacons, deps.Crash = slots, sharedcrash.Rules{Cap: 4_00, Betting: 5 * time.Second, Delay: 2, Window: 10, Length: 20}
	}
	casino, err := app.New(deps)
	if err != nil {
		t.Fatal(err)
	}
	if err := casino.Deposits.BeginWatch(t.Context()); err != nil {
		t.Fatal(err)
	}
	casino.Began()
	if h.shared != nil {
		*h.shared = driving(t, clock, slots, casino.Crash)
	}
	if h.snapshot != nil {
		*h.snapshot = casino.Solvency.Step
	}
	if _, err := casino.Treasury.BookCapital(t.Context(), terms.Mint, 1<<52, "capital"); err != nil {
		t.Fatal(err)
	}
	many := limit.Rule{Max: 1 << 30, Window: time.Minute}
	surface, err := httpapi.New(casino, httpapi.Config{
		Limiter: fakes.NewLimiter(clock), Logger: slog.New(slog.DiscardHandler),
		Limits: httpapi.Limits{Login: many, Public: many, Verify: many, Writes: many},
	})
	if err != nil {
		t.Fatal(err)
	}
	var handler http.Handler = surface
	if h.between != nil {
		handler = h.between(surface)
	}
	server := httptest.NewServer(handler)
	t.Cleanup(server.Close)
	baseURL = server.URL + httpapi.BasePathDefault
	for i := range players {
		seed := [ed25519.SeedSize]byte{1, byte(i)}
		key := ed25519.NewKeyFromSeed(seed[:])
		player, session, err := client.New(baseURL, nil).SignIn(t.Context(), key, clock.Now())
		if err != nil {
			t.Fatal(err)
		}
		chain.Fund(wallet.Address(session.Wallet), terms.Mint, 1<<45)
		paid := chain.Deposit(wallet.Address(session.Wallet), terms.Mint, 1<<45)
		chain.Finalize()
		if _, err := player.Deposit(t.Context(), api.DepositRequest{Signature: paid, Token: string(terms.Mint)}); err != nil {
			t.Fatal(err)
		}
		seated = append(seated, capture.Player{Wallet: session.Wallet, Token: session.Token})
	}
	return baseURL, seated
}

// taken captures rounds of a house.
func (h house) taken(t testing.TB, players int, change func(*capture.Plan)) ([]byte, capture.Summary) {
	t.Helper()
	return h.during(t.Context(), t, players, change)
}

// during is taken with a context that ends the capture.
func (h house) during(ctx context.Context, t testing.TB, players int, change func(*capture.Plan)) ([]byte, capture.Summary) {
	t.Helper()
	baseURL, seated := h.open(t, players)
	plan := capture.Plan{
		BaseURL: baseURL, Players: seated, Token: "SOL", Rounds: 40, PairRounds: 25, Registry: registry(t), TakenBy: "test",
		Clock: fakes.NewClock(fakes.Start), Entropy: fakes.NewEntropy(7), Wait: func(context.Context, time.Duration) {},
	}
	if change != nil {
		change(&plan)
	}
	var file bytes.Buffer
	summary, err := capture.Run(ctx, plan, capture.NewWriter(&file))
	if err != nil {
		t.Fatal(err)
	}
	return file.Bytes(), summary
}

// level is the level of all statistical tests of a capture together.
const level = 0.001

func checked(t testing.TB, file []byte) capture.Report {
	t.Helper()
	report, err := capture.Check(bytes.NewReader(file), registry(t), level)
	if err != nil {
		t.Fatal(err)
	}
	return report
}

// honest returns a small capture of a fair house, taken once.
func honest(t testing.TB) []byte {
	t.Helper()
	fair.once.Do(func() { fair.file, _ = house{}.taken(t, 1, few) })
	return bytes.Clone(fair.file)
}

var fair struct {
	once sync.Once
	file []byte
}
