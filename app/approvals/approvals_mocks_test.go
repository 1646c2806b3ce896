package approvals_test

import (
	"errors"
	"testing"
	"time"

	"github.com/golang/mock/gomock"

	"github.com/casino-service/casino/app"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/test/apptest"
	"github.com/casino-service/casino/test/mocks"
)

// A request is read and decided with a role only.
func TestRequestsAreDecidedWithARoleOnly(t *testing.T) {
	t.Parallel()
	h := apptest.Open(t, apptest.WithBranch)
	h.NewPlayer("alice", 1_000)
	asked := apptest.OK(h.Admin.AdjustBalance(h.Ctx, h.NewAdmin("ada", "finance"), apptest.Gift("alice", 500_001)))(t).Approval
	requests := mocks.NewMockApprovals(gomock.NewController(t))
	mocked, m := h.Mocked(func(d *app.Deps) { d.Store.Approvals = requests })
	apptest.Refused(t, apptest.ErrorOf(mocked.Approvals.DecideApproval(h.Ctx, apptest.Caller("alice"), apptest.Consent(asked.ID))), fault.AdminForbidden)
	// A request of another agent is read but not decided.
	requests.EXPECT().Approval(gomock.Any(), asked.ID).DoAndReturn(h.Store.Approval)
	apptest.Refused(t, apptest.ErrorOf(mocked.Approvals.DecideApproval(h.Ctx, h.NewBranchAdmin("bea", "acme"), apptest.Consent(asked.ID))), fault.NotFound)
	// The decision refuses the requesting admin and stores nothing.
	requests.EXPECT().Approval(gomock.Any(), asked.ID).DoAndReturn(h.Store.Approval)
	m.Commit().Times(1)
	h.CheckUnchanged(func() {
		apptest.Refused(t, apptest.ErrorOf(mocked.Approvals.DecideApproval(h.Ctx, apptest.Caller("ada"), apptest.Consent(asked.ID))), fault.Forbidden)
	})
}

// Payouts are resumed after the commit of both persons' decision, but not if its outcome is
// unknown. A repeated decision resumes them.
func TestPayoutsAreResumedAfterTheCommit(t *testing.T) {
	t.Parallel()
	h, pauses := apptest.Open(t), mocks.NewMockPayoutControls(gomock.NewController(t))
	ada, ben := h.NewAdmin("ada", "finance"), h.NewAdmin("ben", "finance")
	apptest.OK(h.Payouts.PausePayouts(h.Ctx, ada, "odd payouts"))(t)
	h.Clock.Advance(time.Second)
	asked := apptest.OK(h.Payouts.RequestPayoutResumption(h.Ctx, ada, "all is well"))(t)
	mocked, m := h.Mocked(func(d *app.Deps) { d.Store.PayoutControls = pauses })
	reads := func() *gomock.Call { return pauses.EXPECT().Pause(gomock.Any()).DoAndReturn(h.Store.Pause) }
	gomock.InOrder(reads(), m.LoseCommit(), reads(), m.Commit(), pauses.EXPECT().ChangePause(gomock.Any(), gomock.Any()).DoAndReturn(h.Store.ChangePause))
	decision := apptest.Consent(asked.ID)
	decision.Idempotency = app.Idempotency{Key: "decide", Fingerprint: "print"}
	if _, err := mocked.Approvals.DecideApproval(h.Ctx, ben, decision); !errors.Is(err, apptest.ErrUnknown) {
		t.Fatal(err)
	}
	apptest.Equal(t, "paused", apptest.OK(h.Store.Pause(h.Ctx))(t).Paused, true)
	apptest.Equal(t, "replayed", apptest.OK(mocked.Approvals.DecideApproval(h.Ctx, ben, decision))(t).Replayed, true)
	apptest.Equal(t, "paused", apptest.OK(h.Store.Pause(h.Ctx))(t).Paused, false)
}
