package bench_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/casino-service/casino/adapters/httpapi/api"
	"github.com/casino-service/casino/adapters/system"
	"github.com/casino-service/casino/cmd/internal/bench"
)

const mint = "So11111111111111111111111111111111111111112"

var hash = strings.Repeat("ab", 32)

// casino answers like the service, with one player per token, and gives false answers on
// request.
type casino struct {
	mu       sync.Mutex
	balances map[string]int64
	nonces   map[string]int64
	steps    map[string]int64 // steps in a player's open round
	provider int64            // each player's balance there, in billionths
	signIns  map[string]int   // by address
	requests map[string]int   // by path
	// wrong changes an answer with status 200 before it is sent.
	wrong func(path, body string) string
	// before is called before a request is answered; true means that it was answered.
	before func(http.ResponseWriter, *http.Request) bool
	// left counts down to the request at which full is called.
	left atomic.Int64
	full func()
}

func newCasino() *casino {
	return &casino{
		provider: 5_000_000_000, balances: map[string]int64{}, nonces: map[string]int64{}, steps: map[string]int64{}, signIns: map[string]int{}, requests: map[string]int{},
		wrong:  func(_, body string) string { return body },
		before: func(http.ResponseWriter, *http.Request) bool { return false },
	}
}

// start serves the casino under a base path, and returns the load's target.
func (c *casino) start(t *testing.T) *bench.Service {
	t.Helper()
	service, err := bench.NewService(c.serve(t).URL+"/casino", time.Second, system.Default())
	noError(t, err)
	return service
}

func (c *casino) serve(t *testing.T) *httptest.Server {
	t.Helper()
	server := httptest.NewServer(http.StripPrefix("/casino", c))
	t.Cleanup(server.Close)
	return server
}

// ServeHTTP answers a request.
func (c *casino) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if c.left.Add(-1) == 0 {
		c.full()
	}
	if c.before(w, r) {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.requests[r.URL.Path]++
	who := strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer ")
	var body string
	switch r.URL.Path {
	case "/play":
		var bet api.PlayRequest
		if err := json.NewDecoder(r.Body).Decode(&bet); err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		payout, multiplier := int64(0), "0"
		if c.nonces[who]%2 == 0 {
			payout, multiplier = bet.Wager*198/100, "1.98"
		}
		c.balances[who] += payout - bet.Wager
		body = fmt.Sprintf(`{"round":{"id":"r","provider":"casino","gameType":%q,"rules":"dice/1","token":%q,"wager":%d,"payout":%d,"multiplier":%s,`+
			`"config":{},"outcome":{},"serverSeedHash":%q,"serverSeed":null,"nonce":%d,"createdAt":1},"balance":%d}`,
			bet.GameType, bet.Token, bet.Wager, payout, multiplier, hash, c.nonces[who], 1_000_000+c.balances[who])
		if r.Header.Get("Prefer") == "receipt" {
			body = strings.TrimSuffix(body, "}") + `,"receipt":{"signature":"x"}}`
		}
		c.nonces[who]++
	case "/rounds", "/rounds/r/steps":
		body = c.stepped(w, r, who)
	case "/auth/login":
		var login api.LoginRequest
		if err := json.NewDecoder(r.Body).Decode(&login); err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		from, _, _ := net.SplitHostPort(r.RemoteAddr)
		c.signIns[from]++
		body = fmt.Sprintf(`{"token":"%s-%d","wallet":%q,"expiresAt":%d}`, login.Wallet, login.Timestamp, login.Wallet, time.Now().Add(time.Hour).UnixMilli())
	case "/balance":
		body = fmt.Sprintf(`{"balances":[{"token":%q,"balance":%d}]}`, mint, 1_000_000+c.balances[who])
	case "/seed":
		body = fmt.Sprintf(`{"serverSeedHash":%q,"nonce":%d}`, hash, c.nonces[who])
	case "/gold_api":
		c.provider -= 1_000 // a bet of 10,000, a win of 9,000
		body = fmt.Sprintf(`{"status":1,"user_balance":%d.%09d,"msg":""}`, c.provider/1_000_000_000, c.provider%1_000_000_000)
	default:
		body = `{"rounds":[]}`
	}
	_, _ = w.Write([]byte(c.wrong(r.URL.Path, body)))
}

// stepped answers requests of a round of mines: every second round is lost at its third
// tile.
func (c *casino) stepped(w http.ResponseWriter, r *http.Request, who string) string {
	if r.Method == http.MethodGet {
		if step, open := c.steps[who]; open {
			return fmt.Sprintf(`{"rounds":[{"id":"r","gameType":"mines","step":%d},{"id":"other","gameType":"hilo"}]}`, step)
		}
		return `{"rounds":[]}`
	}
	var asked struct {
		Wager  int64          `json:"wager"`
		Step   int64          `json:"step"`
		Action map[string]any `json:"action"`
	}
	if err := json.NewDecoder(r.Body).Decode(&asked); err != nil {
		return err.Error()
	}
	const wager = 100
	switch {
	case r.URL.Path == "/rounds":
		c.steps[who] = 0
		c.balances[who] -= wager
		c.nonces[who]++
		w.WriteHeader(http.StatusCreated)
	case asked.Step != c.steps[who]:
		return "a step that isn't the next"
	default:
		c.steps[who]++
	}
	nonce, step := c.nonces[who]-1, c.steps[who]
	payout, multiplier := int64(0), "0"
	switch {
	case asked.Action["type"] == "cashOut":
		payout, multiplier = 495, "4.95"
	case nonce%2 == 1 && step == 3:
	default:
		return fmt.Sprintf(`{"round":{"id":"r","status":"open","gameType":"mines","token":%q,"wager":%d,"stake":%d,"config":{},"step":%d,`+
			`"actions":[],"shown":{},"choices":[],"serverSeedHash":%q,"nonce":%d,"createdAt":1},"balance":%d}`,
			mint, wager, wager, step, hash, nonce, 1_000_000+c.balances[who])
	}
	delete(c.steps, who)
	c.balances[who] += payout
	return fmt.Sprintf(`{"round":{"id":"r","gameType":"mines","token":%q,"wager":%d,"payout":%d,"multiplier":%s,"serverSeedHash":%q,"serverSeed":null,`+
		`"nonce":%d,"createdAt":1},"balance":%d}`, mint, wager, payout, multiplier, hash, nonce, 1_000_000+c.balances[who])
}

// plan returns a short load of some bets and reads.
func plan(service *bench.Service, mix string, players int) bench.Plan {
	parsed, err := bench.ParseMix(mix)
	if err != nil {
		panic(err)
	}
	p := bench.Plan{Service: service, Mix: parsed, Clients: 2, Duration: 200 * time.Millisecond, Bet: bench.Bet{GameType: "dice", Token: mint, Wager: 100}}
	for i := range players {
		p.Players = append(p.Players, &bench.Player{Wallet: fmt.Sprint("wallet", i), Token: fmt.Sprint("player", i)})
	}
	return p
}

func run(t *testing.T, p bench.Plan) bench.Result {
	t.Helper()
	result, err := bench.Run(t.Context(), p, system.Default(), nil)
	noError(t, err)
	return result
}

// run sends a load until the given number of requests, however slow the machine is.
func (c *casino) run(t *testing.T, p bench.Plan, requests int64) bench.Result {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	c.full = cancel
	c.left.Store(requests)
	p.Duration = time.Minute
	result, err := bench.Run(ctx, p, system.Default(), nil)
	noError(t, err)
	return result
}
