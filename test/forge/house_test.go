package forge_test

import (
	"context"
	"crypto/ed25519"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"errors"
	"log/slog"
	"math/rand/v2"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	_ "github.com/jackc/pgx/v5/stdlib" // the driver "pgx"
	_ "modernc.org/sqlite"             // the driver "sqlite"

	"github.com/casino-service/casino/adapters/sealer"
	"github.com/casino-service/casino/adapters/sqlstore"
	"github.com/casino-service/casino/adapters/sqlstore/postgres"
	"github.com/casino-service/casino/adapters/sqlstore/sqlite"
	"github.com/casino-service/casino/app"
	"github.com/casino-service/casino/app/accounts"
	"github.com/casino-service/casino/app/admin"
	"github.com/casino-service/casino/app/payouts"
	"github.com/casino-service/casino/domain/branding"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/rbac"
	"github.com/casino-service/casino/domain/token"
	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/domain/withdrawal"
	"github.com/casino-service/casino/ports"
	"github.com/casino-service/casino/test/fakes"
	"github.com/casino-service/casino/test/services"
)

// engine is a database that is attacked.
type engine struct {
	name string
	// open makes a migrated one; beside connects to it as its owner.
	open func(t *testing.T, ring ports.Sealer) (store *sqlstore.Store, beside func() (*sql.DB, error))
	// as maps an attacker to the statements that take on its rights.
	as map[attacker][]string
}

// attacker is the identity that changes rows.
type attacker string

const (
	// role has the credentials of the service.
	role attacker = "the service's role"
	// superuser owns the database and bypasses its triggers.
	superuser attacker = "superuser"
)

var engines = []engine{
	{"SQLite", openSQLite, map[attacker][]string{role: nil, superuser: nil}},
	{"PostgreSQL", openPostgres, map[attacker][]string{
		role: {"SET ROLE casino_runtime"}, superuser: {"SET session_replication_role = replica"},
	}},
}

func openSQLite(t *testing.T, ring ports.Sealer) (*sqlstore.Store, func() (*sql.DB, error)) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "casino.db")
	store, err := sqlite.Open(t.Context(), path, ring)
	if err == nil {
		_, err = store.Migrate(t.Context())
	}
	if err != nil {
		t.Fatal(err)
	}
	return store, func() (*sql.DB, error) { return sql.Open("sqlite", "file:"+path+"?_busy_timeout=10000") }
}

func openPostgres(t *testing.T, ring ports.Sealer) (*sqlstore.Store, func() (*sql.DB, error)) {
	t.Helper()
	url := services.PostgresPrepared(t, "forge", func(ctx context.Context, url string) error {
		store, err := postgres.Open(ctx, url, postgres.Options{Sealer: ring, Readers: 1})
		if err == nil {
			_, err = store.Migrate(ctx)
			err = errors.Join(err, store.Close())
		}
		return err
	})
	store, err := postgres.Open(t.Context(), url, postgres.Options{Sealer: ring, Readers: 4})
	if err != nil {
		t.Fatal(err)
	}
	return store, func() (*sql.DB, error) { return sql.Open("pgx", url) }
}

// house is a casino with its database, a chain, and an attacker beside it.
type house struct {
	*testing.T
	*app.Casino
	clock *fakes.Clock
	chain *chain
	store *sqlstore.Store
	seals ports.Authenticator
	log   *logged
	db    *sql.DB
	as    attacker
	on    engine
}

// chain counts what is signed and sent.
type chain struct {
	*fakes.Chain
	signed, sent atomic.Int64
}

func (c *chain) Sign(ctx context.Context, w withdrawal.Withdrawal, terms token.Terms) (withdrawal.Attempt, error) {
	c.signed.Add(1)
	return c.Chain.Sign(ctx, w, terms)
}

func (c *chain) Send(ctx context.Context, attempt withdrawal.Attempt) error {
	c.sent.Add(1)
	return c.Chain.Send(ctx, attempt)
}

// storage is a store with its writer.
type storage struct {
	*sqlstore.Store
	ports.Writer
}

var terms = token.Terms{
	Mint: money.SOL, Symbol: "SOL", Decimals: 9, Program: token.System, MinDeposit: 1, MinWager: 1, MaxWager: 1 << 40, MaxPayout: 1 << 50,
	MinWithdrawal: 1, MaxWithdrawal: 1 << 50, TwoPersonAbove: 2_000_000_000, TwoPersonAbovePerDay: token.NoTwoPerson, PayoutCap: 1 << 50, PayoutCapPerHour: 1 << 60,
	BankrollShare: money.Ratio{Num: 1, Den: 1},
}

func ringOf(t *testing.T, kids ...string) sealer.Keyring {
	t.Helper()
	var entries []string
	for _, kid := range kids {
		secret := sha256.Sum256([]byte(kid))
		entries = append(entries, kid+":"+hex.EncodeToString(secret[:]))
	}
	ring, err := sealer.ParseKeys(entries)
	if err != nil {
		t.Fatal(err)
	}
	return ring
}

func newHouse(t *testing.T, on engine, as attacker) *house {
	t.Helper()
	h := &house{T: t, clock: fakes.NewClock(fakes.Start), chain: &chain{Chain: fakes.NewChain(terms)}, log: &logged{}, as: as, on: on}
	ring := ringOf(t, "k1")
	store, beside := on.open(t, sealer.New(ring, rand.NewChaCha8([32]byte{9})))
	h.store, h.seals = store, sealer.NewAuthenticator(ring)
	h.must(store.Initialize(t.Context(), ports.Identity{Mode: ports.ModeDev, Genesis: "g", Ledger: "ledger-1"}))
	var err error
	h.db, err = beside()
	h.must(err)
	h.db.SetMaxOpenConns(1) // the attacker's rights belong to one session
	for _, statement := range on.as[as] {
		h.sql(statement)
	}
	h.Casino = h.instance(h.running(), h.seals)
	h.must(h.Deposits.BeginWatch(t.Context()))
	_, err = h.Treasury.BookCapital(t.Context(), money.SOL, 1<<50, "founding")
	h.must(err)
	h.chain.Fund(wallet.Address(h.chain.TreasuryAddress()), money.SOL, 1<<50)
	return h
}

func (h *house) instance(of storage, seals ports.Authenticator) *app.Casino {
	h.Helper()
	games, err := fakes.StandardGames()
	h.must(err)
	made, err := app.New(app.Deps{
		Store: app.StoreOf(of), Chain: h.chain, Clock: h.clock, Entropy: fakes.NewEntropy(1), Games: games,
		Sessions: fakes.NewSessions(h.clock, "test", time.Hour), Tokens: token.NewBook(terms), Policy: rbac.DefaultPolicy(),
		Branding: branding.Default(), Authenticator: seals, Logger: slog.New(h.log),
		Receipts: fakes.StatementSigner{}, Settings: app.Settings{SolvencyKeep: 48 * time.Hour},
	})
	h.must(err)
	return made
}

// running starts the store's writer, which ends with the test.
func (h *house) running() storage {
	h.Helper()
	writer, err := h.store.Writer(sqlstore.WriterOptions{ID: "forge"})
	h.must(err)
	ctx, cancel := context.WithCancel(context.WithoutCancel(h.Context()))
	done := make(chan error, 1)
	go func() { done <- writer.Run(ctx) }()
	h.Cleanup(func() {
		cancel()
		if err := errors.Join(<-done, h.db.Close(), h.store.Close()); err != nil {
			h.Error(err)
		}
	})
	return storage{h.store, writer}
}

func (h *house) must(err error) {
	h.Helper()
	if err != nil {
		h.Fatal(err)
	}
}

// sql runs a statement as the attacker. On SQLite the superuser's has no triggers to refuse it.
func (h *house) sql(statement string) {
	h.Helper()
	if h.on.name == "SQLite" && h.as == superuser {
		h.dropTriggers()
	}
	if _, err := h.db.ExecContext(h.Context(), statement); err != nil {
		h.Fatalf("%s as %s: %v", statement, h.as, err)
	}
}

func (h *house) dropTriggers() {
	h.Helper()
	rows, err := h.db.QueryContext(h.Context(), "SELECT name FROM sqlite_master WHERE type = 'trigger'")
	h.must(err)
	var names []string
	for rows.Next() {
		var name string
		h.must(rows.Scan(&name))
		names = append(names, name)
	}
	h.must(rows.Err())
	for _, name := range names {
		if _, err := h.db.ExecContext(h.Context(), "DROP TRIGGER "+name); err != nil {
			h.Fatal(err)
		}
	}
}

func caller(name string) app.Caller {
	return app.Caller{Wallet: fakes.Wallet(name), RequestID: "story"}
}

// admin gives a name a founding role.
func (h *house) admin(name, role string) app.Caller {
	h.Helper()
	sealed := admin.SealedRoles{Lists: h.store, Seals: h.seals, Versions: &admin.RoleVersionsOfProcess{}}
	commands := admin.RoleCommands{Roles: sealed, Agents: h.store, Policy: h.Policy, Clock: h.clock, Entropy: h.Entropy}
	h.must(commands.Found(h.Context(), fakes.Wallet(name), role, ""))
	return caller(name)
}

// player signs a name in and deposits an amount.
func (h *house) player(name string, amount money.Amount) app.Caller {
	h.Helper()
	w, millis := fakes.Wallet(name), h.clock.Advance(time.Millisecond).UnixMilli()
	_, err := h.Accounts.SignIn(h.Context(), accounts.SignInRequest{
		Wallet: string(w), Timestamp: millis, Signature: ed25519.Sign(fakes.Key(name), []byte(wallet.LoginMessage(w, millis))),
	})
	h.must(err)
	h.chain.Fund(w, money.SOL, amount+10_000_000)
	signature := h.chain.Deposit(w, money.SOL, amount)
	h.chain.Finalize()
	_, err = h.Deposits.Deposit(h.Context(), caller(name), signature, string(money.SOL))
	h.must(err)
	return caller(name)
}

// asked returns a withdrawal that a name requested to its own wallet.
func (h *house) asked(name string, amount int64) withdrawal.Withdrawal {
	h.Helper()
	made, err := h.Payouts.Withdraw(h.Context(), caller(name), payouts.WithdrawalRequest{
		Amount: amount, Token: string(money.SOL), Destination: string(fakes.Wallet(name)),
	})
	h.must(err)
	return made.Withdrawal
}

func (h *house) approve(by app.Caller, w withdrawal.Withdrawal) {
	h.Helper()
	_, err := h.Payouts.ApproveWithdrawal(h.Context(), by, payouts.WithdrawalDecision{ID: w.ID, Note: "looked at it"})
	h.must(err)
}

// pass runs a payout worker for one round.
func (h *house) pass() {
	h.Helper()
	worker := h.Payouts.PayoutWorker()
	for range 100 {
		worked, err := worker.Step(h.Context())
		if err != nil && !fault.Is(err, fault.External) {
			h.Fatal(err)
		}
		if !worked && err == nil {
			return
		}
	}
	h.Fatal("a round of the payout worker has no end")
}

func (h *house) stands(id string) withdrawal.Withdrawal {
	h.Helper()
	w, err := h.store.Withdrawal(h.Context(), id)
	h.must(err)
	return w
}

// logged counts logged errors, by message.
type logged struct {
	mu       sync.Mutex
	messages map[string]int
}

func (l *logged) Enabled(context.Context, slog.Level) bool { return true }
func (l *logged) WithAttrs([]slog.Attr) slog.Handler       { return l }
func (l *logged) WithGroup(string) slog.Handler            { return l }

func (l *logged) Handle(_ context.Context, r slog.Record) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.messages == nil {
		l.messages = map[string]int{}
	}
	if r.Level == slog.LevelError {
		l.messages[r.Message]++
	}
	return nil
}

func (h *house) alarms(message string) int {
	h.log.mu.Lock()
	defer h.log.mu.Unlock()
	return h.log.messages[message]
}

// fill replaces names in braces in a statement, wallets by their keys.
func fill(statement string, names map[string]string) string {
	for name, value := range names {
		statement = strings.ReplaceAll(statement, "{"+name+"}", value)
		statement = strings.ReplaceAll(statement, "{"+name+".key}", "(SELECT w.key FROM players AS w WHERE w.wallet = '"+value+"')")
	}
	return statement
}

func number(n int64) string { return strconv.FormatInt(n, 10) }

func micros(t time.Time) string { return number(t.UnixMicro()) }
