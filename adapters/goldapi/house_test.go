package goldapi_test

import (
	"bytes"
	"crypto/ed25519"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/mr-tron/base58"

	"github.com/casino-service/casino/adapters/goldapi"
	"github.com/casino-service/casino/adapters/httpapi"
	"github.com/casino-service/casino/adapters/memory"
	"github.com/casino-service/casino/app"
	"github.com/casino-service/casino/app/accounts"
	"github.com/casino-service/casino/app/admin"
	appaudit "github.com/casino-service/casino/app/audit"
	"github.com/casino-service/casino/app/providers"
	"github.com/casino-service/casino/domain/agent"
	"github.com/casino-service/casino/domain/audit"
	"github.com/casino-service/casino/domain/branding"
	"github.com/casino-service/casino/domain/deposit"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/player"
	"github.com/casino-service/casino/domain/rbac"
	"github.com/casino-service/casino/domain/token"
	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/ports"
	"github.com/casino-service/casino/test/conformance"
	"github.com/casino-service/casino/test/fakes"
	"github.com/casino-service/casino/test/stores"
)

// Store is every port of a store, for tests that wrap one.
type Store = conformance.Ports

// scale is the scale of the tested casino: a unit of the provider's money is 10^6 lamports.
const scale = 6

var terms = token.Terms{
	Mint: money.SOL, Symbol: "SOL", Decimals: 9, Program: token.System, MinDeposit: 1, MinWager: 1, MaxWager: 1 << 40,
	MaxPayout: 1 << 50, MinWithdrawal: 1, MaxWithdrawal: 1 << 50, TwoPersonAbove: token.NoTwoPerson, TwoPersonAbovePerDay: token.NoTwoPerson,
	PayoutCap: 1 << 50, PayoutCapPerHour: 1 << 60, BankrollShare: money.Ratio{Num: 1, Den: 1},
}

// house is a casino with a demo provider, connected in both directions over HTTP.
type house struct {
	*testing.T
	casino *app.Casino
	site   *site
	store  Store
	clock  *fakes.Clock
	server *httptest.Server
	log    *lockedBuffer
	mu     sync.Mutex
	serial int
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

// inMemory and onSQLite are the stores that tests run on.
func inMemory(*testing.T) Store   { return memory.New() }
func onSQLite(t *testing.T) Store { return stores.SQLite(t) }

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// open makes a casino whose catalogue is synced and whose games are enabled.
func open(t *testing.T, newStore func(*testing.T) Store, caps player.ProviderCaps, change func(*httpapi.Config)) *house {
	t.Helper()
	h := &house{T: t, clock: fakes.NewClock(fakes.Start), store: newStore(t), log: &lockedBuffer{}}
	stores.Follow(h.store, h.clock)
	var handler http.Handler
	h.server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { handler.ServeHTTP(w, r) }))
	t.Cleanup(h.server.Close)
	h.site = newSite(t, h.server.URL+"/casino/gold_api")
	games, err := fakes.StandardGames()
	must(t, err)
	logger := slog.New(slog.NewTextHandler(h.log, nil))
	h.casino, err = app.New(app.Deps{
		Store: app.StoreOf(h.store), Chain: fakes.NewChain(terms), Clock: h.clock, Entropy: fakes.NewEntropy(1), Games: games,
		Sessions: fakes.NewSessions(h.clock, "test", 30*time.Minute), Tokens: token.NewBook(terms),
		Policy: rbac.DefaultPolicy(), Branding: branding.Default(), Logger: logger,
		Provider: &app.ProviderConnection{
			Code: "goldapi", Games: newClient(t, h.site, nil), Token: money.SOL, Scale: scale, Caps: caps, EnableNew: true,
		},
	})
	must(t, err)
	callbacks, err := goldapi.NewHandler(goldapi.HandlerConfig{
		Wallet: h.casino.Providers, AgentCode: agentCode, AgentSecret: agentSecret, Limiter: fakes.NewLimiter(h.clock), Logger: logger,
	})
	must(t, err)
	config := httpapi.Config{Limiter: fakes.NewLimiter(h.clock), Callbacks: httpapi.Callbacks{Handler: callbacks}, Logger: logger}
	if change != nil {
		change(&config)
	}
	handler, err = httpapi.New(h.casino, config)
	must(t, err)
	_, err = h.casino.Providers.ProviderSync().Sync(t.Context())
	must(t, err)
	t.Cleanup(func() {
		for _, secret := range []string{agentSecret, agentToken} {
			if strings.Contains(h.log.String(), secret) {
				t.Error("a credential is in the log")
			}
		}
	})
	return h
}

var generous = player.ProviderCaps{NetWin: money.Max, WithoutDebit: money.Max, Connection: money.Max}

// guest is a signed-in player with a bearer token.
type guest struct {
	*house
	address wallet.Address
	bearer  string
}

// enter signs a new player in with a deposit.
func (h *house) enter(name string, lamports money.Amount) guest {
	h.Helper()
	return h.enterAs(name, lamports, "")
}

// agent puts an agent into a state, without a site of its own.
func (h *house) agent(code string, status agent.Status) {
	h.Helper()
	h.change(agent.Agent{Code: code, Status: status})
}

// agentSite gives an agent a site of its own.
func (h *house) agentSite(code, site string) {
	h.Helper()
	h.change(agent.Agent{Code: code, Status: agent.Active, SiteEndpoint: site})
}

func (h *house) change(next agent.Agent) {
	h.Helper()
	code := next.Code
	at := h.clock.Now()
	h.serial++
	record := audit.Record{ID: fmt.Sprint("agent-", h.serial), Action: audit.AgentChanged, Target: code, At: at}
	err := h.store.ChangeAgent(h.Context(), "", code, func(_ rbac.Assignment, present *agent.Agent) (ports.AgentChange, audit.Record, error) {
		next.ID, next.Name, next.CreatedAt, next.UpdatedAt = "id-"+code, code, at, at
		if present != nil {
			next.CreatedAt = present.CreatedAt
		}
		return ports.AgentChange{Agent: next}, record, nil
	})
	must(h.T, err)
}

// enterAs is enter under an agent.
func (h *house) enterAs(name string, lamports money.Amount, agentCode string) guest {
	h.Helper()
	key := ed25519.NewKeyFromSeed([]byte(fmt.Sprintf("%-32.32s", name)))
	address := wallet.Address(base58.Encode(key.Public().(ed25519.PublicKey)))
	at := h.clock.Advance(time.Millisecond).UnixMilli()
	answer, err := h.casino.Accounts.SignIn(h.Context(), accounts.SignInRequest{
		Wallet: string(address), Timestamp: at, Signature: ed25519.Sign(key, []byte(wallet.LoginMessage(address, at))), AgentCode: agentCode,
	})
	must(h.T, err)
	if lamports > 0 {
		h.credit(address, name, lamports)
	}
	return guest{h, address, answer.Token}
}

func (h *house) credit(w wallet.Address, name string, lamports money.Amount) {
	h.Helper()
	at := h.clock.Now().UTC().Truncate(time.Microsecond)
	h.mu.Lock()
	h.serial++
	ref := deposit.Ref{Signature: fakes.Signature(fmt.Sprint(name, h.serial)), Token: money.SOL}
	claim := deposit.Claim{ID: fmt.Sprintf("deposit-%s-%d", name, h.serial), Wallet: w, Ref: ref, Status: deposit.Pending, CreatedAt: at, UpdatedAt: at}
	h.mu.Unlock()
	_, err := h.store.Commit(h.Context(), player.Item{
		Wallet: w, At: at, Keys: []player.UniqueKey{{Kind: player.DepositKey, Scope: string(money.SOL), ID: ref.Signature}},
		Needs: player.Needs{Tokens: []money.Token{money.SOL}, Deposits: []deposit.Ref{ref}, Open: true},
		Decide: func(v player.View) (player.Change, error) {
			return player.ClaimDeposit(v, claim, deposit.Verdict{Status: deposit.Credited, Amount: lamports}, at)
		},
	})
	must(h.T, err)
}

// TestBalancesAtASiteAreNotUsedWithoutSites launches for a player whose balance is at
// the agent's site.
func TestBalancesAtASiteAreNotUsedWithoutSites(t *testing.T) {
	t.Parallel()
	h := open(t, inMemory, generous, nil)
	h.agentSite("acme", "https://operator.example/wallet")
	g := h.enterAs("alice", 5, "acme")
	_, err := h.casino.Providers.Launch(t.Context(), app.Caller{Wallet: g.address}, providers.LaunchRequest{GameCode: "cherry-rush", UserCode: string(g.address)})
	if !fault.Is(err, fault.AgentSeamless) {
		t.Errorf("launched: %v", err)
	}
}

// launch records that the player launched a game.
func (g guest) launch() guest {
	g.Helper()
	_, err := g.casino.Providers.Launch(g.Context(), app.Caller{Wallet: g.address}, providers.LaunchRequest{
		GameCode: "cherry-rush", UserCode: string(g.address), Language: "pt-BR",
	})
	must(g.T, err)
	return g
}

// balance is the player's balance in lamports.
func (g guest) balance() money.Amount {
	g.Helper()
	lines, err := g.store.Balances(g.Context(), g.address)
	must(g.T, err)
	for _, line := range lines {
		return line.Amount
	}
	return 0
}

// said is a response to a callback.
type said struct {
	HTTP    int
	Status  int         `json:"status"`
	Balance json.Number `json:"user_balance"`
	Message string      `json:"msg"`
	Code    string      `json:"code"`
}

// post sends a body to the callbacks unchanged.
func (h *house) post(body string) said {
	h.Helper()
	response, err := http.Post(h.server.URL+"/casino/gold_api", "application/json", strings.NewReader(body))
	must(h.T, err)
	defer func() { _ = response.Body.Close() }()
	answer := said{HTTP: response.StatusCode}
	if err := json.NewDecoder(response.Body).Decode(&answer); err != nil {
		h.Errorf("%d without JSON: %v", response.StatusCode, err)
	}
	return answer
}

// callback is a transaction's body; win and bet are raw JSON.
func callback(user, txn, kind, bet, win string) string {
	return fmt.Sprintf(`{"method":"transaction","agent_code":%q,"agent_secret":%q,"agent_balance":1,"user_code":%q,
		"user_balance":0,"game_type":"slot","new_field":[],"slot":{"provider_code":"DEMOSPIN","game_code":"cherry-rush","type":"BASE",
		"bet_money":%s,"win_money":%s,"txn_id":%q,"txn_type":%q}}`, agentCode, agentSecret, user, bet, win, txn, kind)
}

// audited checks the ledger.
func (h *house) audited() appaudit.AuditReport {
	h.Helper()
	report, err := appaudit.NewAuditor(h.store, h.casino.Games, nil).Run(h.Context())
	must(h.T, err)
	for _, finding := range report.Findings {
		h.Error(finding)
	}
	return report
}

// grant makes a wallet a superadmin.
func (h *house) grant(w wallet.Address) {
	h.Helper()
	commands := admin.RoleCommands{Roles: h.store, Withdrawals: h.store, Policy: rbac.DefaultPolicy(), Clock: h.clock, Entropy: h.casino.Entropy}
	if err := commands.SeedSuperadmins(h.Context(), []wallet.Address{w}); err != nil && !fault.Is(err, fault.InvalidState) {
		h.Fatal(err)
	}
}
