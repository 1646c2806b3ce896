package scenario_test

import (
	"context"
	"crypto/ed25519"
	"database/sql"
	"encoding/hex"
	"errors"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/casino-service/casino/adapters/sealer"
	"github.com/casino-service/casino/adapters/sqlstore"
	"github.com/casino-service/casino/adapters/sqlstore/postgres"
	"github.com/casino-service/casino/adapters/sqlstore/sqlite"
	"github.com/casino-service/casino/app"
	"github.com/casino-service/casino/app/accounts"
	"github.com/casino-service/casino/domain/audit"
	"github.com/casino-service/casino/domain/branding"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/rbac"
	"github.com/casino-service/casino/domain/token"
	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/ports"
	"github.com/casino-service/casino/test/conformance"
	"github.com/casino-service/casino/test/fakes"
	"github.com/casino-service/casino/test/services"
)

var usd = fakes.Mint("usd")

func terms(mint money.Token, program token.Program, decimals uint8) token.Terms {
	return token.Terms{
		Mint: mint, Symbol: "TOK", Decimals: decimals, Program: program, MinDeposit: 1, MinWager: 1, MaxWager: 1 << 40, MaxPayout: 1 << 60,
		MinWithdrawal: 1, MaxWithdrawal: 1 << 50, TwoPersonAbove: token.NoTwoPerson, TwoPersonAbovePerDay: token.NoTwoPerson, PayoutCap: 1 << 50, PayoutCapPerHour: 1 << 60,
		BankrollShare: money.Ratio{Num: 1, Den: 1},
	}
}

// house is a whole casino on one database, as two instances of the service.
type house struct {
	*testing.T
	*app.Casino
	other *app.Casino
	clock *fakes.Clock
	chain *fakes.Chain
	store *sqlstore.Store // of the first instance
	// storages are the instances' stores, and instance makes another one.
	storages []Store
	instance func(of Store, change ...func(*app.Deps)) *app.Casino
	side     func() *sql.DB // opens the database directly, to read stored rows
	// spoken writes a query in the database's dialect.
	spoken func(query string) string
}

// engines are the databases that stories run on.
var engines = map[string]func(*testing.T, ports.Sealer) opened{"SQLite": onSQLite, "PostgreSQL": onPostgres}

// opened is a database opened by one or two instances.
type opened struct {
	stores []*sqlstore.Store
	side   func() (*sql.DB, error)
	spoken func(query string) string
}

// onSQLite opens a file, with one store and one writer for both instances.
func onSQLite(t *testing.T, ring ports.Sealer) opened {
	t.Helper()
	path := filepath.Join(t.TempDir(), "casino.db")
	store, err := sqlite.Open(t.Context(), path, ring)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := store.Migrate(t.Context()); err != nil {
		t.Fatal(err)
	}
	return opened{
		stores: []*sqlstore.Store{store},
		side: func() (*sql.DB, error) {
			return sql.Open("sqlite", "file:"+path+"?_query_only=1&_busy_timeout=10000")
		},
		spoken: func(query string) string {
			return strings.ReplaceAll(query, "{day}", "date(at / 1000000, 'unixepoch')")
		},
	}
}

// onPostgres opens a database twice: each instance has its own connections, its own writer and
// its own lane.
func onPostgres(t *testing.T, ring ports.Sealer) opened {
	t.Helper()
	url := services.Postgres(t)
	found := opened{
		side: func() (*sql.DB, error) { return sql.Open("pgx", url) },
		spoken: func(query string) string {
			query = strings.ReplaceAll(query, "{day}", "to_char(to_timestamp(at / 1000000) AT TIME ZONE 'UTC', 'YYYY-MM-DD')")
			for n := 1; strings.Contains(query, "?"); n++ {
				query = strings.Replace(query, "?", fmt.Sprint("$", n), 1)
			}
			return query
		},
	}
	for range 2 {
		store, err := postgres.Open(t.Context(), url, postgres.Options{Sealer: ring, Readers: 4})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := store.Migrate(t.Context()); err != nil {
			t.Fatal(err)
		}
		found.stores = append(found.stores, store)
	}
	return found
}

// Store is every port of a store, for tests that wrap it.
type Store = conformance.Ports

type storage struct {
	*sqlstore.Store
	ports.Writer
}

func newHouse(t *testing.T, open func(*testing.T, ports.Sealer) opened) *house {
	t.Helper()
	return newHouseOf(t, open, 1<<55, money.Ratio{Num: 1, Den: 1})
}

// newHouseOf is newHouse with this capital in each token, of which a share may be owed.
func newHouseOf(t *testing.T, open func(*testing.T, ports.Sealer) opened, capital money.Amount, share money.Ratio) *house {
	t.Helper()
	all := []token.Terms{terms(money.SOL, token.System, 9), terms(usd, token.SPL, 6)}
	for i := range all {
		all[i].BankrollShare = share
	}
	h := &house{T: t, clock: fakes.NewClock(fakes.Start), chain: fakes.NewChain(all...)}
	h.chain.Follow(h.clock)
	ring, err := sealer.ParseKeys([]string{"k1:" + hex.EncodeToString(make([]byte, 31)) + "07"})
	h.must(err)
	found := open(t, sealer.New(ring, rand.NewChaCha8([32]byte{9})))
	h.store, h.spoken = found.stores[0], found.spoken
	h.side = func() *sql.DB {
		h.Helper()
		db, err := found.side()
		h.must(err)
		h.Cleanup(func() { _ = db.Close() })
		return db
	}
	for i, store := range found.stores {
		h.storages = append(h.storages, h.running(store, fmt.Sprint("scenario ", i)))
	}
	games, err := fakes.LadderGames()
	h.must(err)
	entropy := fakes.NewEntropy(1)
	h.instance = func(of Store, change ...func(*app.Deps)) *app.Casino {
		deps := app.Deps{
			Store: app.StoreOf(of), Chain: h.chain, TreasuryHistory: h.chain, Clock: h.clock, Entropy: entropy, Games: games,
			Sessions: fakes.NewSessions(h.clock, "test", time.Hour), Tokens: token.NewBook(all...), Policy: rbac.DefaultPolicy(),
			Branding: branding.Default(),
		}
		for _, each := range change {
			each(&deps)
		}
		made, err := app.New(deps)
		h.must(err)
		return made
	}
	h.Casino, h.other = h.instance(h.storages[0]), h.instance(h.storages[len(h.storages)-1])
	h.must(h.Deposits.BeginWatch(t.Context()))
	for _, of := range all {
		_, err := h.Treasury.BookCapital(t.Context(), of.Mint, capital, "founding")
		h.must(err)
	}
	return h
}

// running starts a store's writer, which ends with the test.
func (h *house) running(store *sqlstore.Store, name string) Store {
	h.Helper()
	writer, err := store.Writer(sqlstore.WriterOptions{ID: name})
	h.must(err)
	ctx, cancel := context.WithCancel(context.WithoutCancel(h.Context()))
	done := make(chan error, 1)
	go func() { done <- writer.Run(ctx) }()
	h.Cleanup(func() {
		cancel()
		if err := errors.Join(<-done, store.Close()); err != nil {
			h.Error(err)
		}
	})
	return storage{store, writer}
}

func (h *house) must(err error) {
	h.Helper()
	if err != nil {
		h.Fatal(err)
	}
}

func caller(name string) app.Caller {
	return app.Caller{Wallet: fakes.Wallet(name), RequestID: "story"}
}

// admin gives a name a founding role.
func (h *house) admin(name, role, agent string) app.Caller {
	h.Helper()
	w := fakes.Wallet(name)
	record := audit.Record{ID: h.Entropy.ID(), Action: audit.RoleGranted, Target: string(w), At: h.clock.Now()}
	h.must(h.store.ChangeRole(h.Context(), w, func([]rbac.Assignment) (*rbac.Assignment, audit.Record, error) {
		return &rbac.Assignment{Wallet: w, Role: role, AgentCode: agent, GrantedAt: h.clock.Now(), Founding: true}, record, nil
	}))
	return caller(name)
}

// player signs a name in as a player of an agent.
func (h *house) player(name, agent string) app.Caller {
	h.Helper()
	w, millis := fakes.Wallet(name), h.clock.Advance(time.Millisecond).UnixMilli()
	_, err := h.Accounts.SignIn(h.Context(), accounts.SignInRequest{
		Wallet: string(w), Timestamp: millis, AgentCode: agent,
		Signature: ed25519.Sign(fakes.Key(name), []byte(wallet.LoginMessage(w, millis))),
	})
	h.must(err)
	return caller(name)
}

func (h *house) fund(who app.Caller, mint money.Token, amount money.Amount) {
	h.Helper()
	h.chain.Fund(who.Wallet, mint, amount)
	signature := h.chain.Deposit(who.Wallet, mint, amount)
	h.chain.Finalize()
	_, err := h.Deposits.Deposit(h.Context(), who, signature, string(mint))
	h.must(err)
}
