package app_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/casino-service/casino/app"
	"github.com/casino-service/casino/app/play"
	"github.com/casino-service/casino/domain/deposit"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/player"
	"github.com/casino-service/casino/domain/rbac"
	"github.com/casino-service/casino/domain/treasury"
	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/domain/withdrawal"
	"github.com/casino-service/casino/ports"
)

// unavailable is a store that can fail, and whose writer can lose answers.
type unavailable struct {
	Store
	err       error
	forgetful bool
}

func (a *unavailable) Player(ctx context.Context, w wallet.Address) (player.Player, error) {
	p, err := a.Store.Player(ctx, w)
	return p, errors.Join(a.err, err)
}

func (a *unavailable) RoleList(ctx context.Context) (rbac.List, error) {
	if a.err != nil {
		return rbac.List{}, a.err
	}
	return a.Store.RoleList(ctx)
}

func (a *unavailable) Claim(ctx context.Context, w wallet.Address, ref deposit.Ref) (deposit.Claim, error) {
	c, err := a.Store.Claim(ctx, w, ref)
	return c, errors.Join(a.err, err)
}

func (a *unavailable) RevealedSeeds(ctx context.Context, pairs []string) (map[string]string, error) {
	seeds, err := a.Store.RevealedSeeds(ctx, pairs)
	return seeds, errors.Join(a.err, err)
}

func (a *unavailable) PendingClaims(ctx context.Context, after string, limit int) ([]deposit.Claim, error) {
	c, err := a.Store.PendingClaims(ctx, after, limit)
	return c, errors.Join(a.err, err)
}

func (a *unavailable) WithdrawalsIn(ctx context.Context, s withdrawal.Status, after string, limit int) ([]withdrawal.Withdrawal, error) {
	w, err := a.Store.WithdrawalsIn(ctx, s, after, limit)
	return w, errors.Join(a.err, err)
}

func (a *unavailable) IndexPosition(ctx context.Context) (treasury.Position, error) {
	p, err := a.Store.IndexPosition(ctx)
	return p, errors.Join(a.err, err)
}

func (a *unavailable) Commit(ctx context.Context, item player.Item) (player.Receipt, error) {
	if a.err != nil {
		return player.Receipt{}, a.err
	}
	receipt, err := a.Store.Commit(ctx, item)
	if a.forgetful && receipt.Replayed {
		receipt.Change = player.Change{}
	}
	return receipt, err
}

// A store that fails says nothing about anybody: nobody is reported unknown, without a
// role, or too late.
func TestAStoreThatFailsIsNoAnswer(t *testing.T) {
	t.Parallel()
	store := &unavailable{}
	h := open(t, func(d *app.Deps) { store.Store, d.Store = portsOf(*d), app.StoreOf(store) })
	alice, ada := h.player("alice", 10_000), h.admin("ada", "finance")
	session := ok(h.Accounts.SignIn(h.ctx, login("alice", h.clock.Advance(time.Second))))(t)
	round := ok(h.Play.Play(h.ctx, alice, flip(100)))(t).Round
	signature := h.chain.pay("alice", money.SOL, 5_000)
	h.chain.finalize()
	w := h.withdraw(alice, 1_000)
	store.err = fault.New(fault.Unavailable, "the store is unavailable")
	newcomer := login("bob", h.clock.Now())
	newcomer.AgentCode = "somebody"
	for name, err := range map[string]error{
		"sign-in":      no(h.Accounts.SignIn(h.ctx, login("alice", h.clock.Now()))),
		"agent":        no(h.Accounts.SignIn(h.ctx, newcomer)),
		"sign-out":     h.Accounts.SignOut(h.ctx, alice),
		"authenticate": no(h.Accounts.Authenticate(h.ctx, session.Token)),
		"play":         no(h.Play.Play(h.ctx, alice, flip(100))),
		"rotate":       no(h.Play.Rotate(h.ctx, alice, play.RotateRequest{})),
		"round":        no(h.Accounts.Round(h.ctx, alice, round.ID)),
		"history":      no(h.Accounts.History(h.ctx, alice, ports.RoundFilter{}, ports.Page{Number: 1, Limit: 5})),
		"deposit":      no(h.Deposits.Deposit(h.ctx, alice, signature, sol)),
		"withdraw":     no(h.Payouts.Withdraw(h.ctx, alice, requestOf(alice, 1_000))),
		"cancel":       no(h.Payouts.CancelWithdrawal(h.ctx, alice, w.ID)),
		"approve":      no(h.Payouts.ApproveWithdrawal(h.ctx, ada, approving(w.ID))),
		"adjust":       no(h.Admin.AdjustBalance(h.ctx, ada, gift("alice", 1))),
		"admin":        no(h.Admin.AdminMe(h.ctx, ada)),
		"capital":      no(h.Treasury.BookCapital(h.ctx, money.SOL, 1, "more")),
		"deposits":     no(h.Deposits.DepositWorker().Step(h.ctx)),
		"payouts":      no(h.Payouts.PayoutWorker().Step(h.ctx)),
	} {
		if !errors.Is(err, store.err) || !fault.Is(err, fault.Unavailable) {
			t.Errorf("%s: %v", name, err)
		}
	}
	store.err = nil
	ok(h.Accounts.Authenticate(h.ctx, session.Token))(t)
	equal(t, "balance", ok(h.Deposits.Deposit(h.ctx, alice, signature, sol))(t).Balance, h.balance("alice"))
}

// A store that lost its answer is a defect that is reported: neither a panic nor a
// second booking.
func TestALostAnswerIsADefect(t *testing.T) {
	t.Parallel()
	store := &unavailable{forgetful: true}
	h := open(t, func(d *app.Deps) { store.Store, d.Store = portsOf(*d), app.StoreOf(store) })
	alice, ada := h.player("alice", 10_000), h.admin("ada", "finance")
	key := app.Idempotency{Key: "key", Fingerprint: "print"}
	turn, out, more := play.RotateRequest{Idempotency: key}, requestOf(alice, 1_000), gift("alice", 1)
	out.Idempotency, more.Idempotency = key, key
	turn.Idempotency.Key, out.Idempotency.Key = "turn", "out"
	for name, ask := range map[string]func() error{
		"play":     func() error { return no(h.Play.Play(h.ctx, alice, keyed(flip(100), "bet", "print"))) },
		"rotate":   func() error { return no(h.Play.Rotate(h.ctx, alice, turn)) },
		"withdraw": func() error { return no(h.Payouts.Withdraw(h.ctx, alice, out)) },
		"adjust":   func() error { return no(h.Admin.AdjustBalance(h.ctx, ada, more)) },
	} {
		if err := ask(); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		h.unchanged(func() { refused(t, ask(), fault.Internal) })
	}
}

// errNoSessions is what a session adapter returns that can't issue.
var errNoSessions = errors.New("no key to sign with")

type noSessions struct{ ports.SessionTokens }

func (noSessions) Issue(wallet.Address) (bearer string, expiresAt time.Time, err error) {
	return "", time.Time{}, errNoSessions
}

// TestASessionThatCannotBeIssuedIsAnError, and its login message can be used again.
func TestASessionThatCannotBeIssuedIsAnError(t *testing.T) {
	t.Parallel()
	h := bare(t)
	r := login("alice", h.clock.Now())
	broken := h.remade(func(d *app.Deps) { d.Sessions = noSessions{d.Sessions} })
	h.unchanged(func() {
		if _, err := broken.Accounts.SignIn(h.ctx, r); !errors.Is(err, errNoSessions) {
			t.Fatal(err)
		}
	})
	if _, err := h.Accounts.SignIn(h.ctx, r); err != nil {
		t.Fatal(err)
	}
}
