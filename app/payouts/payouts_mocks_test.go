package payouts_test

import (
	"errors"
	"testing"

	"github.com/golang/mock/gomock"

	"github.com/casino-service/casino/app"
	"github.com/casino-service/casino/domain/control"
	"github.com/casino-service/casino/domain/withdrawal"
	"github.com/casino-service/casino/test/apptest"
	"github.com/casino-service/casino/test/mocks"
)

// A payout is stored after it is signed, and sent after it is stored. The checks before
// signing commit nothing.
func TestAPayoutIsSignedStoredAndSentInThisOrder(t *testing.T) {
	t.Parallel()
	h := open(t)
	w := h.ApprovedWithdrawal("alice", 4_000)
	mocked, m := h.Mocked()
	gomock.InOrder(m.Sign(), m.Commit(), m.Send())
	mocked.PassPayouts(mocked.Payouts.PayoutWorker())
	apptest.Equal(t, "status", h.StoredWithdrawal(w.ID).Status, withdrawal.Sending)
}

// Payouts that may not be paid now are not signed or sent.
func TestNothingIsSignedThatMayNotBePaid(t *testing.T) {
	t.Parallel()
	for name, before := range map[string]func(h *house, w withdrawal.Withdrawal){
		"payouts are paused": func(h *house, _ withdrawal.Withdrawal) {
			apptest.OK(h.Payouts.PausePayouts(h.Ctx, h.NewAdmin("olga", "finance"), "odd payouts"))(t)
		},
		"the player is frozen": func(h *house, _ withdrawal.Withdrawal) {
			h.NewAdmin("olga", "ops")
			h.FreezePlayer("alice", true)
		},
		"the database is restored": func(h *house, _ withdrawal.Withdrawal) {
			h.ChangeControls(func(s *control.State) { s.Restored = &control.Restored{At: h.Clock.Now(), Reason: "a head is gone"} })
		},
		"another worker has the lease": func(h *house, w withdrawal.Withdrawal) {
			now := h.Clock.Now()
			apptest.OK(h.Store.Lease(h.Ctx, w.ID, "another", now, now.Add(withdrawal.LeaseTime)))(t)
		},
		"it was rejected": func(h *house, w withdrawal.Withdrawal) {
			apptest.OK(h.Payouts.RejectWithdrawal(h.Ctx, apptest.Caller("ada"), apptest.Rejecting(w.ID)))(t)
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := open(t)
			w := h.ApprovedWithdrawal("alice", 4_000)
			before(h, w)
			mocked, m := h.Mocked()
			m.Commit().AnyTimes()
			mocked.RunPayouts(mocked.Payouts.PayoutWorker())
			apptest.Equal(t, "signature", h.StoredWithdrawal(w.ID).Signature, "")
		})
	}
}

// After a call with an unknown outcome the worker calls nothing more in this step. The next
// steps read the chain, and send the transaction that was signed before.
func TestAnUnknownOutcomeEndsTheStep(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		expect func(m *apptest.Mocks) []*gomock.Call
		stored bool // the attempt is stored anyway
	}{
		"of the signer": {func(m *apptest.Mocks) []*gomock.Call {
			return []*gomock.Call{m.Payer.EXPECT().Sign(gomock.Any(), gomock.Any(), gomock.Any()).Return(withdrawal.Attempt{}, apptest.ErrUnknown)}
		}, false},
		"of the commit": {func(m *apptest.Mocks) []*gomock.Call {
			return []*gomock.Call{m.Sign(), m.LoseCommit()}
		}, true},
		"of the node that it was sent to": {func(m *apptest.Mocks) []*gomock.Call {
			return []*gomock.Call{m.Sign(), m.Commit(), m.Payer.EXPECT().Send(gomock.Any(), gomock.Any()).Return(apptest.ErrUnknown)}
		}, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := open(t)
			w := h.ApprovedWithdrawal("alice", 4_000)
			mocked, m := h.Mocked()
			gomock.InOrder(c.expect(m)...)
			if faults := mocked.RunPayouts(mocked.Payouts.PayoutWorker()); len(faults) != 1 || !errors.Is(faults[0], apptest.ErrUnknown) {
				t.Fatal(faults)
			}
			apptest.Equal(t, "stored", h.StoredWithdrawal(w.ID).Status == withdrawal.Sending, c.stored)
			if !c.stored {
				return
			}
			again, m := h.Mocked()
			gomock.InOrder(m.Outcome(), m.Send())
			again.PassPayouts(again.Payouts.PayoutWorker())
			apptest.Equal(t, "signed", h.Chain.Calls["Sign"], 1)
		})
	}
}

// A sent payout is settled only by the chain. While payouts are paused or the player is
// frozen, it isn't sent again.
func TestAPayoutInFlightIsNotSentAgain(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		before func(h *house)
		status withdrawal.AttemptStatus
		err    error
	}{
		"the chain has no answer":   {status: withdrawal.Unknown, err: apptest.ErrUnknown},
		"it landed":                 {status: withdrawal.Landed},
		"the player is frozen now":  {status: withdrawal.Unknown, before: func(h *house) { h.NewAdmin("olga", "ops"); h.FreezePlayer("alice", true) }},
		"payouts were paused since": {status: withdrawal.Unknown, before: func(h *house) { apptest.OK(h.Payouts.PausePayouts(h.Ctx, h.NewAdmin("olga", "finance"), "odd"))(h.T) }},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := open(t)
			w := h.ApprovedWithdrawal("alice", 4_000)
			h.PassPayouts(h.Payouts.PayoutWorker())
			if c.before != nil {
				c.before(h)
			}
			mocked, m := h.Mocked()
			m.Payer.EXPECT().Outcome(gomock.Any(), gomock.Any()).Return(withdrawal.Outcome{Status: c.status}, c.err).Times(1)
			h.CheckUnchanged(func() { mocked.RunPayouts(mocked.Payouts.PayoutWorker()) })
			apptest.Equal(t, "status", h.StoredWithdrawal(w.ID).Status, withdrawal.Sending)
		})
	}
}

// A withdrawal is decided with a role only, and a malformed request commits nothing.
func TestDecisionsWithoutARoleCommitNothing(t *testing.T) {
	t.Parallel()
	h := open(t)
	alice := h.NewPlayer("alice", 10_000)
	w := h.RequestWithdrawal(alice, 4_000)
	read, mayDecide := h.NewAdmin("rob", "readonly"), h.NewAdmin("ada", "finance")
	mocked, _ := h.Mocked()
	for name, call := range map[string]error{
		"approved by the player":       apptest.ErrorOf(mocked.Payouts.ApproveWithdrawal(h.Ctx, alice, apptest.Approving(w.ID))),
		"rejected by the player":       apptest.ErrorOf(mocked.Payouts.RejectWithdrawal(h.Ctx, alice, apptest.Rejecting(w.ID))),
		"approved by one who may read": apptest.ErrorOf(mocked.Payouts.ApproveWithdrawal(h.Ctx, read, apptest.Approving(w.ID))),
		"rejected by one who may read": apptest.ErrorOf(mocked.Payouts.RejectWithdrawal(h.Ctx, read, apptest.Rejecting(w.ID))),
		"approved without an id":       apptest.ErrorOf(mocked.Payouts.ApproveWithdrawal(h.Ctx, mayDecide, apptest.Approving(""))),
		"cancelled by another player":  apptest.ErrorOf(mocked.Payouts.CancelWithdrawal(h.Ctx, h.SignIn("bob"), w.ID)),
		"requested without an amount":  apptest.ErrorOf(mocked.Payouts.Withdraw(h.Ctx, alice, apptest.RequestOf(alice, 0))),
	} {
		if call == nil {
			t.Errorf("a withdrawal was %s", name)
		}
	}
}

// A withdrawal or a decision with a commit that gets no answer is committed once: a repeat
// under its key gets the first answer.
func TestUnknownOutcomesAreCommittedOnce(t *testing.T) {
	t.Parallel()
	h := open(t)
	alice, ada := h.NewPlayer("alice", 10_000), h.NewAdmin("ada", "finance")
	pending := h.RequestWithdrawal(alice, 1_000)
	key := app.Idempotency{Key: "once", Fingerprint: "print"}
	request, approving := apptest.RequestOf(alice, 4_000), apptest.Approving(pending.ID)
	request.Idempotency, approving.Idempotency = key, key
	for name, call := range map[string]func(*apptest.House) (bool, error){
		"a request": func(h *apptest.House) (bool, error) {
			made, err := h.Payouts.Withdraw(h.Ctx, alice, request)
			return made.Replayed, err
		},
		"an approval": func(h *apptest.House) (bool, error) {
			made, err := h.Payouts.ApproveWithdrawal(h.Ctx, ada, approving)
			return made.Replayed, err
		},
	} {
		mocked, m := h.Mocked()
		m.LoseCommit().Times(1)
		if _, err := call(mocked); !errors.Is(err, apptest.ErrUnknown) {
			t.Fatalf("%s: %v", name, err)
		}
		m.Commit().Times(1)
		if replayed, err := call(mocked); err != nil || !replayed {
			t.Errorf("%s: repeated as a new one, or %v", name, err)
		}
	}
}

// Nothing is signed if the lease can't be renewed after the proofs.
func TestNothingIsSignedWithoutTheLease(t *testing.T) {
	t.Parallel()
	h := open(t)
	w := h.ApprovedWithdrawal("alice", 4_000)
	queue := mocks.NewMockPayoutQueue(gomock.NewController(t))
	mocked, _ := h.Mocked(func(d *app.Deps) { d.Store.PayoutQueue = queue })
	any := gomock.Any()
	gomock.InOrder(
		queue.EXPECT().Lease(any, w.ID, any, any, any).DoAndReturn(h.Store.Lease),
		queue.EXPECT().PayoutState(any, any).DoAndReturn(h.Store.PayoutState).Times(2), // before and after the proof of the wallet
		queue.EXPECT().Lease(any, w.ID, any, any, any).Return(false, nil),
		queue.EXPECT().Release(any, w.ID, any).DoAndReturn(h.Store.Release),
	)
	mocked.RunPayouts(mocked.Payouts.PayoutWorker())
}
