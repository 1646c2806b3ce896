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
	"github.com/casino-service/casino/test/apptest"
)

// unavailable is a store that can fail, and whose writer can lose answers.
type unavailable struct {
	apptest.Store
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

// An error of the store isn't a statement about players or admins: no one is reported as
// unknown, without a role, or too late.
func TestAStoreThatFailsIsNoAnswer(t *testing.T) {
	t.Parallel()
	store := &unavailable{}
	h := apptest.Open(t, func(d *app.Deps) { store.Store, d.Store = apptest.PortsOf(*d), app.StoreOf(store) })
	alice, ada := h.NewPlayer("alice", 10_000), h.NewAdmin("ada", "finance")
	session := apptest.OK(h.Accounts.SignIn(h.Ctx, apptest.Login("alice", h.Clock.Advance(time.Second))))(t)
	round := apptest.OK(h.Play.Play(h.Ctx, alice, apptest.Flip(100)))(t).Round
	signature := h.Chain.Pay("alice", money.SOL, 5_000)
	h.Chain.Finalize()
	w := h.RequestWithdrawal(alice, 1_000)
	store.err = fault.New(fault.Unavailable, "the store is unavailable")
	newcomer := apptest.Login("bob", h.Clock.Now())
	newcomer.AgentCode = "somebody"
	for name, err := range map[string]error{
		"sign-in":      apptest.ErrorOf(h.Accounts.SignIn(h.Ctx, apptest.Login("alice", h.Clock.Now()))),
		"agent":        apptest.ErrorOf(h.Accounts.SignIn(h.Ctx, newcomer)),
		"sign-out":     h.Accounts.SignOut(h.Ctx, alice),
		"authenticate": apptest.ErrorOf(h.Accounts.Authenticate(h.Ctx, session.Token)),
		"play":         apptest.ErrorOf(h.Play.Play(h.Ctx, alice, apptest.Flip(100))),
		"rotate":       apptest.ErrorOf(h.Play.Rotate(h.Ctx, alice, play.RotateRequest{})),
		"round":        apptest.ErrorOf(h.Accounts.Round(h.Ctx, alice, round.ID)),
		"history":      apptest.ErrorOf(h.Accounts.History(h.Ctx, alice, ports.RoundFilter{}, ports.Page{Number: 1, Limit: 5})),
		"deposit":      apptest.ErrorOf(h.Deposits.Deposit(h.Ctx, alice, signature, apptest.SOL)),
		"withdraw":     apptest.ErrorOf(h.Payouts.Withdraw(h.Ctx, alice, apptest.RequestOf(alice, 1_000))),
		"cancel":       apptest.ErrorOf(h.Payouts.CancelWithdrawal(h.Ctx, alice, w.ID)),
		"approve":      apptest.ErrorOf(h.Payouts.ApproveWithdrawal(h.Ctx, ada, apptest.Approving(w.ID))),
		"adjust":       apptest.ErrorOf(h.Admin.AdjustBalance(h.Ctx, ada, apptest.Gift("alice", 1))),
		"admin":        apptest.ErrorOf(h.Admin.AdminMe(h.Ctx, ada)),
		"capital":      apptest.ErrorOf(h.Treasury.BookCapital(h.Ctx, money.SOL, 1, "more")),
		"deposits":     apptest.ErrorOf(h.Deposits.DepositWorker().Step(h.Ctx)),
		"payouts":      apptest.ErrorOf(h.Payouts.PayoutWorker().Step(h.Ctx)),
	} {
		if !errors.Is(err, store.err) || !fault.Is(err, fault.Unavailable) {
			t.Errorf("%s: %v", name, err)
		}
	}
	store.err = nil
	apptest.OK(h.Accounts.Authenticate(h.Ctx, session.Token))(t)
	apptest.Equal(t, "balance", apptest.OK(h.Deposits.Deposit(h.Ctx, alice, signature, apptest.SOL))(t).Balance, h.Balance("alice"))
}

// A store that lost its answer is reported as defective: neither a panic nor a second
// booking follows.
func TestALostAnswerIsADefect(t *testing.T) {
	t.Parallel()
	store := &unavailable{forgetful: true}
	h := apptest.Open(t, func(d *app.Deps) { store.Store, d.Store = apptest.PortsOf(*d), app.StoreOf(store) })
	alice, ada := h.NewPlayer("alice", 10_000), h.NewAdmin("ada", "finance")
	key := app.Idempotency{Key: "key", Fingerprint: "print"}
	turn, out, more := play.RotateRequest{Idempotency: key}, apptest.RequestOf(alice, 1_000), apptest.Gift("alice", 1)
	out.Idempotency, more.Idempotency = key, key
	turn.Idempotency.Key, out.Idempotency.Key = "turn", "out"
	for name, ask := range map[string]func() error{
		"play": func() error {
			return apptest.ErrorOf(h.Play.Play(h.Ctx, alice, apptest.Keyed(apptest.Flip(100), "bet", "print")))
		},
		"rotate":   func() error { return apptest.ErrorOf(h.Play.Rotate(h.Ctx, alice, turn)) },
		"withdraw": func() error { return apptest.ErrorOf(h.Payouts.Withdraw(h.Ctx, alice, out)) },
		"adjust":   func() error { return apptest.ErrorOf(h.Admin.AdjustBalance(h.Ctx, ada, more)) },
	} {
		if err := ask(); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		h.CheckUnchanged(func() { apptest.Refused(t, ask(), fault.Internal) })
	}
}

// errNoSessions is the error of a session adapter that can't issue.
var errNoSessions = errors.New("no key to sign with")

type noSessions struct{ ports.SessionTokens }

func (noSessions) Issue(wallet.Address) (bearer string, expiresAt time.Time, err error) {
	return "", time.Time{}, errNoSessions
}

// TestASessionThatCannotBeIssuedIsAnError, and its login message can be used again.
func TestASessionThatCannotBeIssuedIsAnError(t *testing.T) {
	t.Parallel()
	h := apptest.Bare(t)
	r := apptest.Login("alice", h.Clock.Now())
	broken := h.Remade(func(d *app.Deps) { d.Sessions = noSessions{d.Sessions} })
	h.CheckUnchanged(func() {
		if _, err := broken.Accounts.SignIn(h.Ctx, r); !errors.Is(err, errNoSessions) {
			t.Fatal(err)
		}
	})
	if _, err := h.Accounts.SignIn(h.Ctx, r); err != nil {
		t.Fatal(err)
	}
}
