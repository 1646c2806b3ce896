package deposits_test

import (
	"testing"

	"github.com/casino-service/casino/domain/alarm"
	"github.com/casino-service/casino/domain/deposit"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/test/apptest"
)

// TestWhatWasBookedIsNotParkedWhenTheWatcherMeetsIt books a transaction before the watcher
// finds it, which it would otherwise park for review.
func TestWhatWasBookedIsNotParkedWhenTheWatcherMeetsIt(t *testing.T) {
	t.Parallel()
	for name, story := range map[string]func(h *house) (signature string){
		"a shared payment that two persons credited": func(h *house) string {
			signature := h.paySharedDeposit("alice", "bob")
			apptest.Equal(h.T, "registered", apptest.OK(h.Deposits.Deposit(h.Ctx, apptest.Caller("alice"), signature, apptest.SOL))(h.T).Claim.Status, deposit.Review)
			apptest.Equal(h.T, "resolved", apptest.OK(h.resolveByTwo(resolve(signature, "alice", "the player asked first")))(h.T).Status, deposit.Credited)
			return signature
		},
		"dust that was booked as capital": func(h *house) string {
			signature := h.Chain.Pay("alice", money.SOL, apptest.SOLTerms.MinDeposit-1)
			h.Chain.Finalize()
			apptest.Equal(h.T, "booked", apptest.OK(h.Treasury.BookCapital(h.Ctx, money.SOL, apptest.SOLTerms.MinDeposit-1, signature))(h.T), true)
			return signature
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := openWatched(t)
			h.SignIn("alice")
			h.SignIn("bob")
			signature := story(h)
			alarms := h.CountAlarms(alarm.DepositReview.Message())
			h.CheckUnchanged(func() { h.RunWatcher(h.Deposits.DepositWatcher()) })
			h.checkNotParked(signature)
			apptest.Equal(t, "alarms", h.CountAlarms(alarm.DepositReview.Message()), alarms)
			apptest.Equal(t, "unbooked", apptest.OK(h.Store.Unbooked(h.Ctx))(t)[money.SOL], money.Total{})
			h.CheckSolvent()
		})
	}
}
