package scenario_test

import (
	"context"
	"crypto/ed25519"
	"database/sql"
	"encoding/hex"
	"errors"
	"math/rand/v2"
	"path/filepath"
	"testing"
	"time"

	"github.com/casino-service/casino/adapters/sealer"
	"github.com/casino-service/casino/adapters/sqlstore"
	"github.com/casino-service/casino/adapters/sqlstore/sqlite"
	"github.com/casino-service/casino/app"
	"github.com/casino-service/casino/domain/audit"
	"github.com/casino-service/casino/domain/branding"
	"github.com/casino-service/casino/domain/game"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/rbac"
	"github.com/casino-service/casino/domain/token"
	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/ports"
	"github.com/casino-service/casino/test/fakes"
)

var usd = fakes.Mint("usd")

func terms(mint money.Token, program token.Program, decimals uint8) token.Terms {
	return token.Terms{
		Mint: mint, Symbol: "TOK", Decimals: decimals, Program: program, MinDeposit: 1, MinWager: 1, MaxWager: 1 << 40, MaxPayout: 1 << 60,
		MinWithdrawal: 1, MaxWithdrawal: 1 << 50, TwoPersonAbove: token.NoTwoPerson, PayoutCap: 1 << 50, PayoutCapPerHour: 1 << 60,
		BankrollShare: money.Ratio{Num: 1, Den: 1},
	}
}

// house is a whole casino on SQLite, as one or several instances of the service.
type house struct {
	*testing.T
	*app.Casino
	other *app.Casino // a second instance on the same store
	clock *fakes.Clock
	chain *fakes.Chain
	store *sqlstore.Store
	path  string
}

type storage struct {
	*sqlstore.Store
	ports.Writer
}

func newHouse(t *testing.T) *house {
	t.Helper()
	all := []token.Terms{terms(money.SOL, token.System, 9), terms(usd, token.SPL, 6)}
	h := &house{
		T: t, clock: fakes.NewClock(fakes.Start), chain: fakes.NewChain(all...), path: filepath.Join(t.TempDir(), "casino.db"),
	}
	ring, err := sealer.ParseKeys([]string{"k1:" + hex.EncodeToString(make([]byte, 31)) + "07"})
	h.must(err)
	h.store, err = sqlite.Open(t.Context(), h.path, sealer.New(ring, rand.NewChaCha8([32]byte{9})))
	h.must(err)
	_, err = h.store.Migrate(t.Context())
	h.must(err)
	writer, err := h.store.Writer(sqlstore.WriterOptions{ID: "scenario"})
	h.must(err)
	ctx, cancel := context.WithCancel(context.WithoutCancel(t.Context()))
	done := make(chan error, 1)
	go func() { done <- writer.Run(ctx) }()
	t.Cleanup(func() {
		cancel()
		if err := errors.Join(<-done, h.store.Close()); err != nil {
			t.Error(err)
		}
	})
	games, err := game.NewRegistry(game.Standard()...)
	h.must(err)
	entropy := fakes.NewEntropy(1)
	instance := func() *app.Casino {
		made, err := app.New(app.Deps{
			Store: storage{h.store, writer}, Chain: h.chain, Clock: h.clock, Entropy: entropy, Games: games,
			Sessions: fakes.NewSessions(h.clock, "test", time.Hour), Tokens: token.NewBook(all...), Policy: rbac.DefaultPolicy(),
			Branding: branding.Default(),
		})
		h.must(err)
		return made
	}
	h.Casino, h.other = instance(), instance()
	for _, of := range all {
		_, err := h.BookCapital(t.Context(), of.Mint, 1<<55, "founding")
		h.must(err)
	}
	return h
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

// admin gives a name a role that is old enough to count where two decide.
func (h *house) admin(name, role, agent string) app.Caller {
	h.Helper()
	w := fakes.Wallet(name)
	record := audit.Record{ID: h.Entropy.ID(), Action: audit.RoleGranted, Target: string(w), At: h.clock.Now()}
	h.must(h.store.ChangeRole(h.Context(), w, func([]rbac.Assignment) (*rbac.Assignment, audit.Record, error) {
		return &rbac.Assignment{Wallet: w, Role: role, AgentCode: agent, GrantedAt: h.clock.Now().Add(-rbac.MinAge)}, record, nil
	}))
	return caller(name)
}

// player signs a name in as a player of an operator.
func (h *house) player(name, agent string) app.Caller {
	h.Helper()
	w, millis := fakes.Wallet(name), h.clock.Advance(time.Millisecond).UnixMilli()
	_, err := h.SignIn(h.Context(), app.SignInRequest{
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
	_, err := h.Deposit(h.Context(), who, signature, string(mint))
	h.must(err)
}

// side opens the database beside the service, to read what is stored.
func (h *house) side() *sql.DB {
	h.Helper()
	db, err := sql.Open("sqlite", "file:"+h.path+"?_query_only=1&_busy_timeout=10000")
	h.must(err)
	h.Cleanup(func() { _ = db.Close() })
	return db
}
