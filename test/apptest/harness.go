package apptest

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
	SOLTerms = token.Terms{
		Mint: money.SOL, Symbol: "SOL", Decimals: 9, Program: token.System,
		MinDeposit: 1_000, MinWager: 100, MaxWager: 100_000, MaxPayout: 1_000_000,
		MinWithdrawal: 1_000, MaxWithdrawal: 1_000_000, TwoPersonAbove: 500_000, TwoPersonAbovePerDay: token.NoTwoPerson,
		PayoutCap: 1_000_000, PayoutCapPerHour: 100_000_000, BankrollShare: money.Ratio{Num: 1, Den: 5},
	}
	ClosingTerms = func() token.Terms {
		terms := SOLTerms
		terms.Mint, terms.Symbol, terms.Decimals, terms.Program = fakes.Mint("old"), "OLD", 6, token.SPL
		terms.Closing = true
		return terms
	}()
	SOL = string(money.SOL)
)

// Capital is what the operator put into the treasury before any play.
const Capital money.Amount = 10_000_000

// House is a casino on fakes.
type House struct {
	*app.Casino
	T     *testing.T
	Ctx   context.Context
	Clock *fakes.Clock
	Store stores.Store
	Chain *Chain
	log   *logged
	Deps  app.Deps
}

// Store is every port of a store, for tests that wrap one.
type Store = conformance.Ports

// PortsOf returns the store of a casino as one value.
func PortsOf(d app.Deps) Store { return d.Store.Writer.(Store) }

// Remade returns another casino over the same parts, changed by an option.
func (h *House) Remade(option func(*app.Deps)) *House {
	h.T.Helper()
	next := *h
	option(&next.Deps)
	next.Casino = OK(app.New(next.Deps))(h.T)
	return &next
}

// Bare opens a casino without any money in it, and begins its watch. Options change its parts.
func Bare(t *testing.T, options ...func(*app.Deps)) *House {
	t.Helper()
	h := Unwatched(t, options...)
	if err := h.Deposits.BeginWatch(h.Ctx); err != nil {
		t.Fatal(err)
	}
	return h
}

// Unwatched opens a casino without beginning its watch.
func Unwatched(t *testing.T, options ...func(*app.Deps)) *House {
	t.Helper()
	h := &House{T: t, Ctx: t.Context(), Clock: fakes.NewClock(fakes.Start), Store: stores.New(t), Chain: NewChain(), log: &logged{}}
	t.Cleanup(h.checkHeardBalances)
	stores.Follow(h.Store, h.Clock)
	games, err := fakes.StandardGames()
	if err != nil {
		t.Fatal(err)
	}
	deps := app.Deps{
		Store: app.StoreOf(h.Store), Chain: h.Chain, Clock: h.Clock, Entropy: fakes.NewEntropy(1),
		Sessions: fakes.NewSessions(h.Clock, "test", 30*time.Minute), Games: games,
		Tokens: token.NewBook(SOLTerms, ClosingTerms), Policy: rbac.DefaultPolicy(), Branding: branding.Default(),
		Authenticator: fakes.Authenticator{}, TreasuryHistory: h.Chain, Receipts: fakes.StatementSigner{},
		Logger: slog.New(h.log),
	}
	h.Chain.Fake.Follow(h.Clock)
	for _, option := range options {
		option(&deps)
	}
	terms, err := token.Seal(deps.Tokens.All(), deps.Authenticator)
	if err != nil {
		t.Fatal(err)
	}
	deps.Tokens = token.NewBook(terms...)
	h.Deps = deps
	if h.Casino, err = app.New(deps); err != nil {
		t.Fatal(err)
	}
	return h
}

// logged counts log entries by message, and keeps the facts of the newest alarm of each message.
type logged struct {
	mu       sync.Mutex
	messages map[string]int
	facts    map[string]map[string]any
}

func (l *logged) Enabled(context.Context, slog.Level) bool { return true }

func (l *logged) WithAttrs([]slog.Attr) slog.Handler { return l }

func (l *logged) WithGroup(string) slog.Handler { return l }

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

// CountAlarms returns how often an alarm was raised.
func (h *House) CountAlarms(message string) int {
	h.log.mu.Lock()
	defer h.log.mu.Unlock()
	return h.log.messages[message]
}

// AlarmFact returns a fact of the newest alarm with this message.
func (h *House) AlarmFact(message, name string) any {
	h.log.mu.Lock()
	defer h.log.mu.Unlock()
	return h.log.facts[message][name]
}

// Open opens a casino with its capital on chain and in the book.
func Open(t *testing.T, options ...func(*app.Deps)) *House {
	t.Helper()
	return Bare(t, options...).Capitalized()
}

// Capitalized puts the capital on chain and into the book.
func (h *House) Capitalized() *House {
	h.T.Helper()
	for _, terms := range []token.Terms{SOLTerms, ClosingTerms} {
		h.Chain.Give(h.Chain.TreasuryAddress(), terms.Mint, Capital)
		if !OK(h.Treasury.BookCapital(h.Ctx, terms.Mint, Capital, "initial capital"))(h.T) {
			h.T.Fatal("the capital was booked before")
		}
	}
	return h
}

// Caller returns the caller of a signed-in wallet by name.
func Caller(name string) app.Caller {
	return app.Caller{Wallet: fakes.Wallet(name), RequestID: "request of " + name}
}

// Login returns a login message of the given time, signed with the name's key.
func Login(name string, at time.Time) accounts.SignInRequest {
	w, millis := fakes.Wallet(name), at.UnixMilli()
	return accounts.SignInRequest{
		Wallet: string(w), Timestamp: millis, RequestID: "request of " + name,
		Signature: ed25519.Sign(fakes.Key(name), []byte(wallet.LoginMessage(w, millis))),
	}
}

// SignIn signs a wallet in for the first time.
func (h *House) SignIn(name string) app.Caller {
	h.T.Helper()
	OK(h.Accounts.SignIn(h.Ctx, Login(name, h.Clock.Now())))(h.T)
	return Caller(name)
}

// NewPlayer signs a wallet in and deposits an amount.
func (h *House) NewPlayer(name string, amount money.Amount) app.Caller {
	h.T.Helper()
	who := h.SignIn(name)
	signature := h.Chain.Pay(name, money.SOL, amount)
	h.Chain.Finalize()
	answer := OK(h.Deposits.Deposit(h.Ctx, who, signature, SOL))(h.T)
	if answer.Balance != amount {
		h.T.Fatalf("%s paid %d and has %d", name, amount, answer.Balance)
	}
	return who
}

// SealedRoles returns the roles as the command line changes them: sealed.
func (h *House) SealedRoles() ports.Roles {
	return admin.SealedRoles{Lists: h.Store, Seals: fakes.Authenticator{}, Versions: &admin.RoleVersionsOfProcess{}}
}

func (h *House) RoleCommands() admin.RoleCommands {
	return admin.RoleCommands{
		Roles: h.SealedRoles(), Agents: h.Store, Withdrawals: h.Store, Policy: h.Policy, Clock: h.Clock, Entropy: h.Entropy,
	}
}

// EnsureAgent creates an agent if it doesn't exist.
func (h *House) EnsureAgent(code string) {
	h.T.Helper()
	if _, err := h.Store.Agent(h.Ctx, code); err == nil {
		return
	}
	at := h.Clock.Now()
	err := h.Store.ChangeAgent(h.Ctx, "", code, func(rbac.Assignment, *agent.Agent) (ports.AgentChange, audit.Record, error) {
		made := agent.Agent{ID: "id-" + code, Code: code, Name: code, Status: agent.Active, CreatedAt: at, UpdatedAt: at}
		return ports.AgentChange{Agent: made}, audit.Record{ID: "made-" + code, Action: audit.AgentCreated, Target: code, At: at}, nil
	})
	if err != nil {
		h.T.Fatal(err)
	}
}

// NewAdmin gives a wallet a founding role.
func (h *House) NewAdmin(name, role string) app.Caller {
	h.T.Helper()
	return h.Founder(name, role, "")
}

// Founder gives a wallet a founding role, even if a request has changed the roles before.
func (h *House) Founder(name, role, agentCode string) app.Caller {
	h.T.Helper()
	w := fakes.Wallet(name)
	record := audit.Record{ID: h.Entropy.ID(), Action: audit.RoleGranted, Target: string(w), After: role, At: h.Clock.Now()}
	err := h.SealedRoles().ChangeRole(h.Ctx, w, func([]rbac.Assignment) (*rbac.Assignment, audit.Record, error) {
		return &rbac.Assignment{Wallet: w, Role: role, AgentCode: agentCode, GrantedAt: record.At, Founding: true}, record, nil
	})
	if err != nil {
		h.T.Fatal(err)
	}
	return Caller(name)
}

// NewAppointee gives a wallet a role as the command line does.
func (h *House) NewAppointee(name, role string) app.Caller {
	h.T.Helper()
	if err := h.RoleCommands().Grant(h.Ctx, fakes.Wallet(name), role, ""); err != nil {
		h.T.Fatal(err)
	}
	return Caller(name)
}

func (h *House) Balance(name string) money.Amount {
	h.T.Helper()
	for _, b := range OK(h.Accounts.Balances(h.Ctx, Caller(name), time.Time{}))(h.T) {
		if b.Token == money.SOL {
			return b.Amount
		}
	}
	return 0
}

// CheckBooks compares the SOL side of the book with a text such as "player 70, hold 30, chain
// -100": every kind that isn't zero, in the order of ledger.Kinds, without the initial capital.
func (h *House) CheckBooks(want string) {
	h.T.Helper()
	totals := OK(h.Store.Totals(h.Ctx))(h.T)
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
			amount = amount.AddAmount(Capital)
		}
		if kind != ledger.Capital && amount.Sign() != 0 {
			lines = append(lines, fmt.Sprintf("%v %v", kind, amount))
		}
	}
	if got := strings.Join(lines, ", "); got != want {
		h.T.Fatalf("books: got  %s\n       want %s", got, want)
	}
}

// CheckSolvent checks that the treasury holds the amount that the book says.
func (h *House) CheckSolvent() {
	h.T.Helper()
	for _, b := range OK(h.Store.Totals(h.Ctx))(h.T) {
		if b.Account.Kind != ledger.Chain {
			continue
		}
		if held := h.Chain.Held(h.Chain.TreasuryAddress(), b.Token); b.Amount.Neg() != money.TotalOf(held) {
			h.T.Fatalf("the treasury holds %d of %s, the book says %v", held, b.Token, b.Amount.Neg())
		}
	}
}

// CountBlocks returns the number of committed and recorded blocks.
func (h *House) CountBlocks() (n int) {
	h.T.Helper()
	if err := h.Store.Blocks(h.Ctx, func(ports.Block) error { n++; return nil }); err != nil {
		h.T.Fatal(err)
	}
	return n
}

// CheckUnchanged runs do and checks that the ledger records nothing.
func (h *House) CheckUnchanged(do func()) {
	h.T.Helper()
	before := h.CountBlocks()
	do()
	if after := h.CountBlocks(); after != before {
		h.T.Fatalf("a refusal stored %d blocks", after-before)
	}
}

// OK returns the result of a call that must not fail: OK(h.Play(…))(t).
func OK[A any](answer A, err error) func(*testing.T) A {
	return func(t *testing.T) A {
		t.Helper()
		if err != nil {
			t.Fatalf("refused: %v", err)
		}
		return answer
	}
}

// ErrorOf returns the error of a call that must fail.
func ErrorOf[A any](_ A, err error) error { return err }

// Refused compares a refusal with its kind and some of its details, given as name and value in
// turn.
func Refused(t *testing.T, err error, kind fault.Kind, details ...any) {
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

func Equal[A comparable](t *testing.T, what string, got, want A) {
	t.Helper()
	if got != want {
		t.Fatalf("%s: got %v, want %v", what, got, want)
	}
}
