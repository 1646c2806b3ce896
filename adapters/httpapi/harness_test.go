package httpapi_test

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"io"
	"log/slog"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/casino-service/casino/adapters/httpapi"
	"github.com/casino-service/casino/adapters/httpapi/api"
	"github.com/casino-service/casino/adapters/httpapi/client"
	"github.com/casino-service/casino/adapters/jwttoken"
	"github.com/casino-service/casino/adapters/system"
	"github.com/casino-service/casino/app"
	"github.com/casino-service/casino/app/admin"
	"github.com/casino-service/casino/app/sharedcrash"
	"github.com/casino-service/casino/domain/agent"
	"github.com/casino-service/casino/domain/audit"
	"github.com/casino-service/casino/domain/branding"
	"github.com/casino-service/casino/domain/limit"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/rbac"
	"github.com/casino-service/casino/domain/token"
	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/ports"
	"github.com/casino-service/casino/test/fakes"
	"github.com/casino-service/casino/test/stores"
)

const (
	base    = "/casino"
	sol     = string(money.SOL)
	jwtKey  = "test:000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f"
	issuer  = "casino-test"
	minimum = 10_000
)

var (
	usd    = string(fakes.Mint("usd"))
	tokens = []token.Terms{terms(money.SOL, token.System, 9), terms(money.Token(usd), token.SPL, 6)}
)

// house is a whole casino in memory behind its HTTP API. Every request through it is
// checked against the published contract, and at the end of a test no response and no log
// line may contain a secret.
type house struct {
	*testing.T
	clock   *fakes.Clock
	chain   *fakes.Chain
	hooks   *fakes.WebhookSites
	slots   *fakes.Beacons
	store   stores.Store
	entropy *watchedEntropy
	casino  *app.Casino
	api     http.Handler
	spec    *contract
	log     *lockedBuffer

	mu      sync.Mutex
	seen    bytes.Buffer      // every response, headers included
	secrets map[string]string // secret → what it is, for the log
	tokens  map[string]string // bearer tokens by name
	players map[wallet.Address]bool
	visitor int
}

// setup holds the options of a test.
type setup struct {
	config  func(*httpapi.Config)
	deps    func(*app.Deps)
	capital money.Amount
}

func newHouse(t *testing.T) *house { return openHouse(t, setup{}) }

func openHouse(t *testing.T, s setup) *house {
	t.Helper()
	h := &house{
		T: t, clock: &fakes.Clock{}, chain: fakes.NewChain(tokens...), hooks: fakes.NewWebhookSites(), slots: fakes.NewBeacons(), store: stores.New(t), spec: published(t),
		log: &lockedBuffer{}, secrets: map[string]string{}, tokens: map[string]string{},
		players: map[wallet.Address]bool{},
	}
	stores.Follow(h.store, h.clock)
	h.entropy = newWatchedEntropy(h.clock.Now)
	ring, err := jwttoken.ParseKeys([]string{jwtKey})
	h.must(err)
	games, err := fakes.HouseGames()
	h.must(err)
	logger := slog.New(slog.NewTextHandler(h.log, &slog.HandlerOptions{Level: slog.LevelDebug}))
	deps := app.Deps{
		Store: app.StoreOf(h.store), Chain: h.chain, Clock: h.clock, Entropy: h.entropy, Games: games,
		Sessions: jwttoken.New(ring, issuer, issuer, 30*time.Minute, h.clock, h.entropy),
		Tokens:   token.NewBook(tokens...),
		Policy:   rbac.DefaultPolicy(), Branding: branding.Default(), Logger: logger,
		Receipts: fakes.StatementSigner{}, WebhookSite: h.hooks, EventEncoder: httpapi.EventEncoder{},
		Beacons: h.slots, Crash: sharedcrash.Rules{Cap: 100_00, Betting: 5 * time.Second, Delay: 2, Window: 10, Length: 20},
		Settings: app.Settings{Version: "test", SolvencyKeep: 24 * time.Hour},
	}
	if s.deps != nil {
		s.deps(&deps)
	}
	h.casino, err = app.New(deps)
	h.must(err)
	h.casino.Began()
	h.must(h.casino.Deposits.BeginWatch(t.Context()))
	config := httpapi.Config{Limiter: fakes.NewLimiter(h.clock), DemoWallets: demoWallets{h.chain}, Logger: logger}
	config.Limits.Writes = limit.Rule{Max: 1 << 20, Window: time.Minute} // races repeat rejected requests
	config.Limits.Changes, config.Limits.Launches = config.Limits.Writes, config.Limits.Writes
	if s.config != nil {
		s.config(&config)
	}
	h.api, err = httpapi.New(h.casino, config)
	h.must(err)
	h.capital(s.capital)
	t.Cleanup(h.noSecrets)
	return h
}

func terms(mint money.Token, program token.Program, decimals uint8) token.Terms {
	return token.Terms{
		Mint: mint, Symbol: strings.ToUpper(string(mint[:3])), Decimals: decimals, Program: program,
		MinDeposit: 1, MinWager: minimum, MaxWager: 1 << 40, MaxPayout: 1 << 50, MinWithdrawal: 1_000, MaxWithdrawal: 1 << 50,
		TwoPersonAbove: 1_000_000_000, TwoPersonAbovePerDay: token.NoTwoPerson, PayoutCap: 1 << 50, PayoutCapPerHour: 1 << 60, BankrollShare: money.Ratio{Num: 1, Den: 1},
	}
}

// capital books the operator's own money, so that bets can be afforded.
func (h *house) capital(amount money.Amount) {
	h.Helper()
	if amount == 0 {
		amount = 1 << 52
	}
	for _, mint := range []money.Token{money.SOL, money.Token(usd)} {
		_, err := h.casino.Treasury.BookCapital(h.Context(), mint, amount, "capital "+string(mint))
		h.must(err)
	}
}

func (h *house) must(err error) {
	h.Helper()
	if err != nil {
		h.Fatal(err)
	}
}

// watchedEntropy records the drawn secrets, so that tests can check that they don't leak.
type watchedEntropy struct {
	*system.System
	mu    sync.Mutex
	drawn [][32]byte
}

func newWatchedEntropy(now func() time.Time) *watchedEntropy {
	return &watchedEntropy{System: system.New(now, rand.NewChaCha8([32]byte{7}))}
}

func (w *watchedEntropy) Seed() [32]byte {
	seed := w.System.Seed()
	w.mu.Lock()
	defer w.mu.Unlock()
	w.drawn = append(w.drawn, seed)
	return seed
}

type lockedBuffer struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (l *lockedBuffer) Write(b []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(b)
}

func (l *lockedBuffer) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}

// token returns the bearer token of a name. The first call signs in, from an address of its
// own.
func (h *house) token(name string) string {
	h.Helper()
	h.mu.Lock()
	held, ok := h.tokens[name]
	h.visitor++
	from := fmt.Sprintf("198.51.%d.%d:1000", h.visitor/250, h.visitor%250)
	h.mu.Unlock()
	if ok {
		return held
	}
	answer := h.ask(question{method: http.MethodPost, path: "/auth/login", from: from, body: h.login(name)}).ok(http.StatusOK)
	bearer := answer.text_("token")
	h.mu.Lock()
	defer h.mu.Unlock()
	h.tokens[name] = bearer
	return bearer
}

// login returns a login of a name's wallet, signed at the present time.
func (h *house) login(name string) api.LoginRequest {
	h.Helper()
	login, err := client.SignLogin(fakes.Key(name), h.clock.Now())
	h.must(err)
	h.mu.Lock()
	defer h.mu.Unlock()
	h.secrets[login.Signature] = "login signature of " + name
	return login
}

// funded signs a name in and credits it with a deposit made on chain.
func (h *house) funded(name string, mint string, amount money.Amount) {
	h.Helper()
	h.post(name, "/deposit", object{"signature": h.paid(name, mint, amount), "token": mint}).ok(http.StatusOK)
}

// paid makes a finalized payment to the treasury and returns its signature.
func (h *house) paid(name string, mint string, amount money.Amount) string {
	h.Helper()
	h.chain.Fund(fakes.Wallet(name), money.Token(mint), amount)
	signature := h.chain.Deposit(fakes.Wallet(name), money.Token(mint), amount)
	h.chain.Finalize()
	return signature
}

// there creates an agent unless it exists.
func (h *house) there(code string) {
	h.Helper()
	if _, err := h.store.Agent(h.Context(), code); err == nil {
		return
	}
	at := h.clock.Now()
	err := h.store.ChangeAgent(h.Context(), "", code, func(rbac.Assignment, *agent.Agent) (ports.AgentChange, audit.Record, error) {
		made := agent.Agent{ID: "id-" + code, Code: code, Name: code, Status: agent.Active, CreatedAt: at, UpdatedAt: at}
		return ports.AgentChange{Agent: made}, audit.Record{ID: "made-" + code, Action: audit.AgentCreated, Target: code, At: at}, nil
	})
	if err != nil {
		h.Fatal(err)
	}
}

// role gives a name's wallet a founding role.
func (h *house) role(name, role, agent string) {
	h.Helper()
	if agent != "" {
		h.there(agent)
	}
	w := fakes.Wallet(name)
	record := audit.Record{ID: h.entropy.ID(), Action: audit.RoleGranted, Target: string(w), After: role, At: h.clock.Now()}
	h.must(h.store.ChangeRole(h.Context(), w, func([]rbac.Assignment) (*rbac.Assignment, audit.Record, error) {
		return &rbac.Assignment{Wallet: w, Role: role, AgentCode: agent, GrantedAt: record.At, Founding: true}, record, nil
	}))
}

// unrole removes the role of a name's wallet.
func (h *house) unrole(name string) {
	h.Helper()
	w := fakes.Wallet(name)
	record := audit.Record{ID: h.entropy.ID(), Action: audit.RoleRevoked, Target: string(w), At: h.clock.Now()}
	h.must(h.store.ChangeRole(h.Context(), w, func([]rbac.Assignment) (*rbac.Assignment, audit.Record, error) { return nil, record, nil }))
}

// newcomer gives a name's wallet a role, granted as from the command line.
func (h *house) newcomer(name, role, agent string) {
	h.Helper()
	if agent != "" {
		h.there(agent)
	}
	operator := admin.RoleCommands{
		Roles: h.store, Agents: h.store, Withdrawals: h.store, Policy: h.casino.Policy, Clock: h.clock, Entropy: h.entropy,
	}
	h.must(operator.Grant(h.Context(), fakes.Wallet(name), role, agent))
}

func (h *house) balance(name string, mint string) money.Amount {
	h.Helper()
	balances, err := h.store.Balances(h.Context(), fakes.Wallet(name))
	h.must(err)
	for _, b := range balances {
		if string(b.Token) == mint {
			return b.Amount
		}
	}
	return 0
}

// client returns a typed client that calls the API in process.
func (h *house) client() *client.Client {
	return client.New("http://casino.test"+base, &http.Client{Transport: inProcess{h}})
}

type inProcess struct{ *house }

func (p inProcess) RoundTrip(r *http.Request) (*http.Response, error) {
	body := io.Reader(http.NoBody)
	if r.Body != nil {
		body = r.Body
	}
	served := httptest.NewRequest(r.Method, r.URL.String(), body)
	served.Header = r.Header.Clone()
	served.RemoteAddr = remote
	got := p.serve(served)
	return &http.Response{
		StatusCode: got.status, Header: got.header, Body: io.NopCloser(bytes.NewReader(got.text)), Request: r,
	}, nil
}

// hexRun and base64Run match texts that may contain 32 bytes.
var hexRun, base64Run = regexp.MustCompile("[0-9a-f]{64,}"), regexp.MustCompile("[A-Za-z0-9+/=]{44,}")

// windows returns all substrings of length size in the expression's matches, so that each
// secret needs one look-up instead of a search through the text.
func windows(run *regexp.Regexp, text string, size int) map[string]bool {
	all := map[string]bool{}
	for _, found := range run.FindAllString(text, -1) {
		for i := 0; i+size <= len(found); i++ {
			all[found[i:i+size]] = true
		}
	}
	return all
}

var credentialsShown = regexp.MustCompile("ag[ts]_[0-9a-f]{64}")

// noSecrets looks for every active server seed in all responses and log lines,
// and for bearer tokens and signatures in the log.
func (h *house) noSecrets() {
	// An agent's credentials are drawn like seeds and shown once, by their names.
	log, seen := h.log.String(), credentialsShown.ReplaceAllString(h.seen.String(), "")
	revealed := map[string]bool{}
	h.entropy.mu.Lock()
	defer h.entropy.mu.Unlock()
	for w := range h.players {
		pairs, err := h.store.RevealedPairs(context.Background(), w, ports.Page{Number: 1, Limit: ports.PageMax})
		if err != nil || pairs.Capped || pairs.Total > ports.PageMax {
			h.Errorf("the revealed pairs of %s can't all be read: %v", w, err)
		}
		for _, pair := range pairs.Pairs {
			revealed[pair.ServerSeed] = true
		}
	}
	answered, logged, logged64 := windows(hexRun, seen, 64), windows(hexRun, log, 64), windows(base64Run, log, 44)
	for _, seed := range h.entropy.drawn {
		text := hex.EncodeToString(seed[:])
		if !revealed[text] && answered[text] {
			h.Errorf("server seed %s shows while it is active", text)
		}
		if logged[text] || logged64[base64.StdEncoding.EncodeToString(seed[:])] {
			h.Errorf("server seed %s stands in the log", text)
		}
	}
	for secret, what := range h.secrets {
		if strings.Contains(log, secret) {
			h.Errorf("%s stands in the log", what)
		}
	}
	if strings.Contains(log, "Bearer ") || strings.Contains(log, strings.TrimPrefix(jwtKey, "test:")) {
		h.Error("an Authorization header or a signing key stands in the log")
	}
}

// manyLogins raises the limit on logins.
func manyLogins(c *httpapi.Config) {
	c.Limits.Login = limit.Rule{Max: 1 << 20, Window: time.Minute}
}

// tokensWithoutLimits removes every limit of the tokens but that of the amount's type.
func tokensWithoutLimits() func(*app.Deps) {
	return func(d *app.Deps) {
		free := tokens[0]
		free.MaxWager, free.MaxPayout, free.MaxWithdrawal = money.Max, money.Max, money.Max
		free.TwoPersonAbove = token.NoTwoPerson
		free.PayoutCap, free.PayoutCapPerHour = money.Max, money.Max
		d.Tokens = token.NewBook(free, tokens[1])
	}
}
