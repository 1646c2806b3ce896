package app_test

import (
	"context"
	"crypto/ed25519"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/casino-service/casino/app"
	"github.com/casino-service/casino/app/accounts"
	"github.com/casino-service/casino/app/admin"
	"github.com/casino-service/casino/domain/agent"
	"github.com/casino-service/casino/domain/audit"
	"github.com/casino-service/casino/domain/branding"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/game"
	"github.com/casino-service/casino/domain/ledger"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/rbac"
	"github.com/casino-service/casino/domain/token"
	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/ports"
	"github.com/casino-service/casino/test/conformance"
	"github.com/casino-service/casino/test/fakes"
	"github.com/casino-service/casino/test/stores"
)

// The tokens under test: one accepted, one that left the configuration.
var (
	solTerms = token.Terms{
		Mint: money.SOL, Symbol: "SOL", Decimals: 9, Program: token.System,
		MinDeposit: 1_000, MinWager: 100, MaxWager: 100_000, MaxPayout: 1_000_000,
		MinWithdrawal: 1_000, MaxWithdrawal: 1_000_000, TwoPersonAbove: 500_000, TwoPersonAbovePerDay: token.NoTwoPerson,
		PayoutCap: 1_000_000, PayoutCapPerHour: 100_000_000, BankrollShare: money.Ratio{Num: 1, Den: 5},
	}
	closing = func() token.Terms {
		terms := solTerms
		terms.Mint, terms.Symbol, terms.Decimals, terms.Program = fakes.Mint("old"), "OLD", 6, token.SPL
		terms.Closing = true
		return terms
	}()
	sol = string(money.SOL)
)

// capital is what the operator put into the treasury before any play.
const capital money.Amount = 10_000_000

// house is one casino on fakes.
type house struct {
	*app.Casino
	t     *testing.T
	ctx   context.Context
	clock *fakes.Clock
	store stores.Store
	chain *wire
	log   *logged
	deps  app.Deps
}

// Store is every port of a store, for tests that wrap one.
type Store = conformance.Ports

// portsOf returns the store of a casino as one value.
func portsOf(d app.Deps) Store { return d.Store.Writer.(Store) }

// remade is another casino over the same parts, with what the option changes.
func (h *house) remade(option func(*app.Deps)) *house {
	h.t.Helper()
	next := *h
	option(&next.deps)
	next.Casino = ok(app.New(next.deps))(h.t)
	return &next
}

// bare opens a casino without any money in it, and begins its watch. Options change what
// it is made of.
func bare(t *testing.T, options ...func(*app.Deps)) *house {
	t.Helper()
	h := unwatched(t, options...)
	if err := h.Deposits.BeginWatch(h.ctx); err != nil {
		t.Fatal(err)
	}
	return h
}

// unwatched opens a casino whose watch has not begun.
func unwatched(t *testing.T, options ...func(*app.Deps)) *house {
	t.Helper()
	h := &house{t: t, ctx: t.Context(), clock: fakes.NewClock(fakes.Start), store: stores.New(t), chain: newWire(), log: &logged{}}
	t.Cleanup(h.hearsBalances)
	stores.Follow(h.store, h.clock)
	games, err := game.NewRegistry(game.Standard()...)
	if err != nil {
		t.Fatal(err)
	}
	deps := app.Deps{
		Store: app.StoreOf(h.store), Chain: h.chain, Clock: h.clock, Entropy: fakes.NewEntropy(1),
		Sessions: fakes.NewSessions(h.clock, "test", 30*time.Minute), Games: games,
		Tokens: token.NewBook(solTerms, closing), Policy: rbac.DefaultPolicy(), Branding: branding.Default(),
		Authenticator: fakes.Authenticator{}, TreasuryHistory: h.chain,
		Logger: slog.New(h.log),
	}
	h.chain.fake.Follow(h.clock)
	for _, option := range options {
		option(&deps)
	}
	terms, err := token.Seal(deps.Tokens.All(), deps.Authenticator)
	if err != nil {
		t.Fatal(err)
	}
	deps.Tokens = token.NewBook(terms...)
	h.deps = deps
	if h.Casino, err = app.New(deps); err != nil {
		t.Fatal(err)
	}
	return h
}

// logged counts what was logged, by message, and keeps what the newest alarm of each
// message said.
type logged struct {
	mu       sync.Mutex
	messages map[string]int
	facts    map[string]map[string]any
}

func (l *logged) Enabled(context.Context, slog.Level) bool { return true }
func (l *logged) WithAttrs([]slog.Attr) slog.Handler       { return l }
func (l *logged) WithGroup(string) slog.Handler            { return l }

func (l *logged) Handle(_ context.Context, r slog.Record) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.messages == nil {
		l.messages, l.facts = map[string]int{}, map[string]map[string]any{}
	}
	if r.Level == slog.LevelError {
		l.messages[r.Message]++
		facts := map[string]any{}
		r.Attrs(func(a slog.Attr) bool { facts[a.Key] = a.Value.Any(); return true })
		l.facts[r.Message] = facts
	}
	return nil
}

// alarms returns how often an alarm was raised.
func (h *house) alarms(message string) int {
	h.log.mu.Lock()
	defer h.log.mu.Unlock()
	return h.log.messages[message]
}

// fact returns what the newest alarm of a message said under a name.
func (h *house) fact(message, name string) any {
	h.log.mu.Lock()
	defer h.log.mu.Unlock()
	return h.log.facts[message][name]
}

// open opens a casino with its capital on chain and in the book.
func open(t *testing.T, options ...func(*app.Deps)) *house {
	t.Helper()
	return bare(t, options...).capitalized()
}

// capitalized puts the capital on chain and into the book.
func (h *house) capitalized() *house {
	h.t.Helper()
	for _, terms := range []token.Terms{solTerms, closing} {
		h.chain.give(h.chain.TreasuryAddress(), terms.Mint, capital)
		if !ok(h.Treasury.BookCapital(h.ctx, terms.Mint, capital, "initial capital"))(h.t) {
			h.t.Fatal("the capital was booked before")
		}
	}
	return h
}

// caller returns the caller of a signed-in wallet by name.
func caller(name string) app.Caller {
	return app.Caller{Wallet: fakes.Wallet(name), RequestID: "request of " + name}
}

// login returns a login message of the given time, signed with the name's key.
func login(name string, at time.Time) accounts.SignInRequest {
	w, millis := fakes.Wallet(name), at.UnixMilli()
	return accounts.SignInRequest{
		Wallet: string(w), Timestamp: millis, RequestID: "request of " + name,
		Signature: ed25519.Sign(fakes.Key(name), []byte(wallet.LoginMessage(w, millis))),
	}
}

// enter signs a wallet in for the first time.
func (h *house) enter(name string) app.Caller {
	h.t.Helper()
	ok(h.Accounts.SignIn(h.ctx, login(name, h.clock.Now())))(h.t)
	return caller(name)
}

// player signs a wallet in and deposits an amount.
func (h *house) player(name string, amount money.Amount) app.Caller {
	h.t.Helper()
	who := h.enter(name)
	signature := h.chain.pay(name, money.SOL, amount)
	h.chain.finalize()
	answer := ok(h.Deposits.Deposit(h.ctx, who, signature, sol))(h.t)
	if answer.Balance != amount {
		h.t.Fatalf("%s paid %d and has %d", name, amount, answer.Balance)
	}
	return who
}

// roles are the roles as the command line changes them: sealed.
func (h *house) roles() ports.Roles {
	return admin.SealedRoles{Lists: h.store, Seals: fakes.Authenticator{}, Versions: &admin.RoleVersionsOfProcess{}}
}

func (h *house) roleCommands() admin.RoleCommands {
	return admin.RoleCommands{
		Roles: h.roles(), Agents: h.store, Withdrawals: h.store, Policy: h.Policy, Clock: h.clock, Entropy: h.Entropy,
	}
}

// ensureAgent creates an agent when it doesn't exist.
func (h *house) ensureAgent(code string) {
	h.t.Helper()
	if _, err := h.store.Agent(h.ctx, code); err == nil {
		return
	}
	at := h.clock.Now()
	err := h.store.ChangeAgent(h.ctx, "", code, func(rbac.Assignment, *agent.Agent) (ports.AgentChange, audit.Record, error) {
		made := agent.Agent{ID: "id-" + code, Code: code, Name: code, Status: agent.Active, CreatedAt: at, UpdatedAt: at}
		return ports.AgentChange{Agent: made}, audit.Record{ID: "made-" + code, Action: audit.AgentCreated, Target: code, At: at}, nil
	})
	if err != nil {
		h.t.Fatal(err)
	}
}

// admin gives a wallet a founding role.
func (h *house) admin(name, role string) app.Caller {
	h.t.Helper()
	return h.founder(name, role, "")
}

// founder gives a wallet a founding role, whatever was asked for before.
func (h *house) founder(name, role, agentCode string) app.Caller {
	h.t.Helper()
	w := fakes.Wallet(name)
	record := audit.Record{ID: h.Entropy.ID(), Action: audit.RoleGranted, Target: string(w), After: role, At: h.clock.Now()}
	err := h.roles().ChangeRole(h.ctx, w, func([]rbac.Assignment) (*rbac.Assignment, audit.Record, error) {
		return &rbac.Assignment{Wallet: w, Role: role, AgentCode: agentCode, GrantedAt: record.At, Founding: true}, record, nil
	})
	if err != nil {
		h.t.Fatal(err)
	}
	return caller(name)
}

// newcomer gives a wallet a role as the command line does.
func (h *house) newcomer(name, role string) app.Caller {
	h.t.Helper()
	if err := h.roleCommands().Grant(h.ctx, fakes.Wallet(name), role, ""); err != nil {
		h.t.Fatal(err)
	}
	return caller(name)
}

func (h *house) balance(name string) money.Amount {
	h.t.Helper()
	for _, b := range ok(h.Accounts.Balances(h.ctx, caller(name)))(h.t) {
		if b.Token == money.SOL {
			return b.Amount
		}
	}
	return 0
}

// books compares the SOL side of the book with a text such as "player 70, hold 30, chain
// -100": every kind that isn't zero, in the order of ledger.Kinds, without the initial
// capital.
func (h *house) books(want string) {
	h.t.Helper()
	totals := ok(h.store.Totals(h.ctx))(h.t)
	var lines []string
	for _, kind := range ledger.Kinds() {
		at := slices.IndexFunc(totals, func(b ledger.Balance) bool {
			return b.Account.Kind == kind && b.Token == money.SOL
		})
		if at < 0 {
			continue
		}
		amount := totals[at].Amount
		if kind == ledger.Chain {
			amount = amount.AddAmount(capital)
		}
		if kind != ledger.Capital && amount.Sign() != 0 {
			lines = append(lines, fmt.Sprintf("%v %v", kind, amount))
		}
	}
	if got := strings.Join(lines, ", "); got != want {
		h.t.Fatalf("books: got  %s\n       want %s", got, want)
	}
}

// solvent checks that the treasury holds what the book says.
func (h *house) solvent() {
	h.t.Helper()
	for _, b := range ok(h.store.Totals(h.ctx))(h.t) {
		if b.Account.Kind != ledger.Chain {
			continue
		}
		if held := h.chain.holds(h.chain.TreasuryAddress(), b.Token); b.Amount.Neg() != money.TotalOf(held) {
			h.t.Fatalf("the treasury holds %d of %s, the book says %v", held, b.Token, b.Amount.Neg())
		}
	}
}

// blocks counts what was committed and recorded.
func (h *house) blocks() (n int) {
	h.t.Helper()
	if err := h.store.Blocks(h.ctx, func(ports.Block) error { n++; return nil }); err != nil {
		h.t.Fatal(err)
	}
	return n
}

// unchanged runs something that must not be recorded in the ledger.
func (h *house) unchanged(do func()) {
	h.t.Helper()
	before := h.blocks()
	do()
	if after := h.blocks(); after != before {
		h.t.Fatalf("a refusal stored %d blocks", after-before)
	}
}

// ok returns the result of a call that must not fail: ok(h.Play(…))(t).
func ok[A any](answer A, err error) func(*testing.T) A {
	return func(t *testing.T) A {
		t.Helper()
		if err != nil {
			t.Fatalf("refused: %v", err)
		}
		return answer
	}
}

// no returns the error of a call that must fail.
func no[A any](_ A, err error) error { return err }

// refused compares a refusal with its kind and some of its details, given as name and
// value in turn.
func refused(t *testing.T, err error, kind fault.Kind, details ...any) {
	t.Helper()
	if !fault.Is(err, kind) {
		t.Fatalf("got %v, want a refusal of kind %d", err, kind)
	}
	var refusal *fault.Error
	errors.As(err, &refusal)
	for i := 0; i+1 < len(details); i += 2 {
		if name := fmt.Sprint(details[i]); refusal.Details[name] != details[i+1] {
			t.Fatalf("%v: detail %s is %v, want %v", err, name, refusal.Details[name], details[i+1])
		}
	}
}

func equal[A comparable](t *testing.T, what string, got, want A) {
	t.Helper()
	if got != want {
		t.Fatalf("%s: got %v, want %v", what, got, want)
	}
}
