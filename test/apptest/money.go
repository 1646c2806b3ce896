package apptest

import (
	"errors"
	"testing"

	"github.com/casino-service/casino/app"
	"github.com/casino-service/casino/app/deposits"
	"github.com/casino-service/casino/app/payouts"
	"github.com/casino-service/casino/app/treasury"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/withdrawal"
)

// RequestOf returns a withdrawal of SOL to the caller's own wallet.
func RequestOf(who app.Caller, amount int64) payouts.WithdrawalRequest {
	return payouts.WithdrawalRequest{Amount: amount, Token: SOL, Destination: string(who.Wallet)}
}

// RequestWithdrawal requests a withdrawal to the caller's own wallet.
func (h *House) RequestWithdrawal(who app.Caller, amount int64) withdrawal.Withdrawal {
	h.T.Helper()
	return OK(h.Payouts.Withdraw(h.Ctx, who, RequestOf(who, amount)))(h.T).Withdrawal
}

// StoredWithdrawal returns the stored withdrawal.
func (h *House) StoredWithdrawal(id string) withdrawal.Withdrawal {
	h.T.Helper()
	return OK(h.Store.Withdrawal(h.Ctx, id))(h.T)
}

// Approving returns the approval of a withdrawal.
func Approving(id string) payouts.WithdrawalDecision {
	return payouts.WithdrawalDecision{ID: id, Note: "fine"}
}

// Rejecting returns the rejection of a withdrawal.
func Rejecting(id string) payouts.WithdrawalDecision {
	return payouts.WithdrawalDecision{ID: id, Reason: "odd"}
}

// RentExempt is the amount with which an address can receive small payments.
const RentExempt money.Amount = 1_000_000

// ApprovedWithdrawal returns an approved and payable withdrawal of a player with 10000.
func (h *House) ApprovedWithdrawal(name string, amount int64) withdrawal.Withdrawal {
	h.T.Helper()
	who := h.NewPlayer(name, 10_000)
	h.Chain.Give(string(who.Wallet), money.SOL, RentExempt)
	w := h.RequestWithdrawal(who, amount)
	return OK(h.Payouts.ApproveWithdrawal(h.Ctx, h.NewAdmin("ada", "finance"), Approving(w.ID)))(h.T).Withdrawal
}

// RunPayouts runs a worker for one round and returns its errors.
func (h *House) RunPayouts(worker *payouts.PayoutWorker) (faults []error) {
	h.T.Helper()
	for range 100 {
		worked, err := worker.Step(h.Ctx)
		if err != nil {
			faults = append(faults, err)
		}
		if !worked && err == nil {
			return faults
		}
	}
	h.T.Fatal("a round of the payout worker has no end")
	return nil
}

// PassPayouts runs a worker for one round that must not fail.
func (h *House) PassPayouts(worker *payouts.PayoutWorker) {
	h.T.Helper()
	if faults := h.RunPayouts(worker); faults != nil {
		h.T.Fatal(errors.Join(faults...))
	}
}

// CheckPaid checks that the withdrawal was paid once and everything is booked.
func (h *House) CheckPaid(w withdrawal.Withdrawal, attempts int) {
	h.T.Helper()
	done := h.StoredWithdrawal(w.ID)
	Equal(h.T, "status", done.Status, withdrawal.Completed)
	Equal(h.T, "attempts", done.Attempt, attempts)
	Equal(h.T, "received", h.Chain.Held(w.Destination, w.Token), RentExempt+w.Amount)
	h.CheckSolvent()
	h.CheckAudit()
}

// LookAtTreasury runs the treasury's comparison n times.
func (h *House) LookAtTreasury(n int) {
	h.T.Helper()
	for range n {
		h.Clock.Advance(treasury.TreasuryInterval)
		if _, err := h.Treasury.Treasury().Step(h.Ctx); err != nil {
			h.T.Fatal(err)
		}
	}
}

// RunWatcher runs a watcher until it finds no more deposits.
func (h *House) RunWatcher(w *deposits.DepositWatcher) {
	h.T.Helper()
	for range 100 {
		worked, err := w.Step(h.Ctx)
		if err != nil {
			h.T.Fatal(err)
		}
		if !worked {
			return
		}
	}
	h.T.Fatal("a round of the watcher has no end")
}

// OpenWatched opens a casino with a watcher that began after the capital and before the first
// player.
func OpenWatched(t *testing.T, options ...func(*app.Deps)) *House {
	t.Helper()
	h := Unwatched(t, options...).Capitalized()
	if err := h.Deposits.BeginWatch(h.Ctx); err != nil {
		t.Fatal(err)
	}
	return h
}
