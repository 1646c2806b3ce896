package app_test

import (
	"testing"

	"github.com/casino-service/casino/domain/alarm"
	"github.com/casino-service/casino/domain/deposit"
	"github.com/casino-service/casino/domain/money"
)

// TestWhatWasBookedIsNotParkedWhenTheWatcherMeetsIt books what the rules alone would
// leave to a person before the watcher finds it: it is done, and nobody is asked again.
func TestWhatWasBookedIsNotParkedWhenTheWatcherMeetsIt(t *testing.T) {
	t.Parallel()
	for name, story := range map[string]func(h *house) (signature string){
		"a shared payment that two persons credited": func(h *house) string {
			signature := h.shared("alice", "bob")
			equal(h.t, "registered", ok(h.Deposits.Deposit(h.ctx, caller("alice"), signature, sol))(h.t).Claim.Status, deposit.Review)
			equal(h.t, "resolved", ok(h.resolved(resolve(signature, "alice", "the player asked first")))(h.t).Status, deposit.Credited)
			return signature
		},
		"dust that was booked as capital": func(h *house) string {
			signature := h.chain.pay("alice", money.SOL, solTerms.MinDeposit-1)
			h.chain.finalize()
			equal(h.t, "booked", ok(h.Treasury.BookCapital(h.ctx, money.SOL, solTerms.MinDeposit-1, signature))(h.t), true)
			return signature
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := watched(t)
			h.enter("alice")
			h.enter("bob")
			signature := story(h)
			alarms := h.alarms(alarm.DepositReview.Message())
			h.unchanged(func() { h.round(h.Deposits.DepositWatcher()) })
			h.notParked(signature)
			equal(t, "alarms", h.alarms(alarm.DepositReview.Message()), alarms)
			equal(t, "unbooked", ok(h.store.Unbooked(h.ctx))(t)[money.SOL], money.Total{})
			h.solvent()
		})
	}
}
