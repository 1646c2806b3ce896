package load_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/casino-service/casino/adapters/goldapi"
	"github.com/casino-service/casino/adapters/httpapi"
	"github.com/casino-service/casino/adapters/ratelimit/local"
	"github.com/casino-service/casino/adapters/system"
	"github.com/casino-service/casino/app"
	"github.com/casino-service/casino/domain/catalog"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/player"
	"github.com/casino-service/casino/domain/seamless"
	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/ports"
	"github.com/casino-service/casino/test/fakes"
)

const providerSecret = "secret-of-the-benchmark"

// idleProvider is a provider that launches games and does nothing else.
type idleProvider struct{}

func (idleProvider) Launch(context.Context, ports.LaunchRequest) (string, error) {
	return "https://games.example/", nil
}
func (idleProvider) Games(context.Context) ([]seamless.Game, error)  { return nil, nil }
func (idleProvider) Funds(context.Context) (seamless.Decimal, error) { return "1", nil }
func (idleProvider) Log(context.Context, wallet.Address, time.Time, time.Time) ([]seamless.Record, error) {
	return nil, nil
}

func connection() *app.ProviderConnection {
	return &app.ProviderConnection{
		Code: "goldapi", Games: idleProvider{}, Token: money.SOL, Scale: 9,
		Caps: player.ProviderCaps{NetWin: money.Max, WithoutDebit: money.Max, Connection: money.Max},
	}
}

// callbacks is the handler that the provider calls.
func callbacks(b *testing.B, casino *app.Casino, store ports.Catalog, machine *system.System) httpapi.Callbacks {
	b.Helper()
	if _, err := store.RegisterGames(context.Background(), []catalog.Game{
		{Code: "fruits", Provider: "MAKER", Name: "Fruits", Type: "slot", Enabled: true, UpdatedAt: machine.Now()},
	}); err != nil {
		b.Fatal(err)
	}
	handler, err := goldapi.NewHandler(goldapi.HandlerConfig{
		Wallet: casino, AgentCode: "bench", AgentSecret: providerSecret, Limiter: local.New(machine),
	})
	if err != nil {
		b.Fatal(err)
	}
	return httpapi.Callbacks{Handler: handler}
}

// BenchmarkCallbacks measures whole rounds of a provider's game, one callback
// each, at 64 connections on SQLite with durable commits, in turns with bets on
// the house's own games on the same service.
func BenchmarkCallbacks(b *testing.B) {
	for b.Loop() {
		address, tokens := serve(b, openSQLite(b))
		launchAll(b, address, tokens)
		var number atomic.Int64
		call := func(c *caller, random *rand.Rand) error {
			user := fakes.Wallet(fmt.Sprintf("player %d", random.IntN(players)))
			return c.post("/casino/gold_api", "", fmt.Sprintf(`{"method":"transaction","agent_code":"bench","agent_secret":%q,`+
				`"user_code":%q,"game_type":"slot","slot":{"provider_code":"MAKER","game_code":"fruits","bet_money":0.00001,`+
				`"win_money":0.000009,"txn_id":"t-%d","txn_type":"debit_credit"}}`, providerSecret, user, number.Add(1)))
		}
		var calls, bets []float64
		var called, played []time.Duration
		for range rounds {
			perSecond, took := measureHTTP(b, []string{address}, clients, call)
			calls, called = append(calls, perSecond), append(called, took...)
			perSecond, took = measureHTTP(b, []string{address}, clients, plays(tokens))
			bets, played = append(bets, perSecond), append(played, took...)
		}
		slices.Sort(called)
		slices.Sort(played)
		b.ReportMetric(median(calls), "callbacks/s")
		b.ReportMetric(median(bets), "plays/s")
		b.ReportMetric(milliseconds(called[len(called)/2]), "callback-p50-ms")
		b.ReportMetric(milliseconds(called[len(called)*99/100]), "callback-p99-ms")
		b.ReportMetric(milliseconds(played[len(played)/2]), "play-p50-ms")
		b.ReportMetric(milliseconds(played[len(played)*99/100]), "play-p99-ms")
	}
}

// launchAll launches a game for every player.
func launchAll(b *testing.B, address string, tokens []string) {
	b.Helper()
	var all sync.WaitGroup
	for c := range clients {
		all.Go(func() {
			caller, err := dial(address)
			if err != nil {
				b.Error(err)
				return
			}
			defer caller.close()
			for i := c; i < len(tokens); i += clients {
				body := fmt.Sprintf(`{"gameCode":"fruits","userCode":%q}`, fakes.Wallet(fmt.Sprintf("player %d", i)))
				if err := caller.post("/casino/legacy/launch", tokens[i], body); err != nil {
					b.Error(err)
					return
				}
			}
		})
	}
	all.Wait()
	if b.Failed() {
		b.FailNow()
	}
}
