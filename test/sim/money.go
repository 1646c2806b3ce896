package sim

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/casino-service/casino/app/approvals"
	"github.com/casino-service/casino/app/deposits"
	"github.com/casino-service/casino/app/payouts"
	"github.com/casino-service/casino/domain/deposit"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/money"
)

// share has two players pay the treasury in one transaction: only an admin can
// decide whose it is.
func (w *World) share(_ context.Context, a *account) error {
	b := w.players[w.random.IntN(len(w.players))]
	half := 1_000_000 + w.random.Int64N(5_000_000)
	for _, payer := range []*account{a, b} {
		if a == b || int64(w.chain.Held(string(payer.wallet), money.SOL)) < half {
			return nil
		}
	}
	signature := w.chain.SharedDeposit(a.wallet, b.wallet, money.SOL, money.Amount(half))
	w.shared[deposit.Ref{Signature: signature, Token: money.SOL}] = sharedPayment{[2]*account{a, b}, 2 * half}
	return nil
}

// resolve has an admin decide the oldest shared payment, once the watcher found
// it: for one of the two, or for nobody.
func (w *World) resolve(ctx context.Context, _ *account) error {
	refs := slices.SortedFunc(maps.Keys(w.shared), func(a, b deposit.Ref) int { return strings.Compare(a.Signature, b.Signature) })
	for _, ref := range refs {
		if parked, err := w.kept.Parked(ctx, ref); err != nil || parked.Status != deposit.Review {
			continue
		}
		payment := w.shared[ref]
		request := deposits.ResolveRequest{Signature: ref.Signature, Token: string(ref.Token), Reason: "simulated"}
		owner := payment.of[w.random.IntN(2)]
		if owner.known && w.random.IntN(4) > 0 {
			request.Wallet = string(owner.wallet)
		}
		done, err := again(w, func() (deposits.ResolveResult, error) {
			return w.casino.Deposits.ResolveDeposit(ctx, caller(w.admins[0]), request)
		})
		if err != nil {
			return err
		}
		if done.Approval != nil {
			decision := approvals.ApprovalDecision{ID: done.Approval.ID, Approve: true, Idempotency: w.key()}
			_, err := again(w, func() (approvals.ApprovalResult, error) {
				return w.casino.Approvals.DecideApproval(ctx, caller(w.admins[1]), decision)
			})
			if err != nil {
				return err
			}
			if done, err = again(w, func() (deposits.ResolveResult, error) {
				return w.casino.Deposits.ResolveDeposit(ctx, caller(w.admins[0]), request)
			}); err != nil {
				return err
			}
		}
		delete(w.shared, ref)
		if request.Wallet == "" {
			return nil
		}
		if int64(done.Amount) != payment.amount {
			return fmt.Errorf("the shared payment of %d was resolved as %d", payment.amount, done.Amount)
		}
		owner.balances[ref.Token] += payment.amount
		return nil
	}
	return nil
}

// turn pauses payouts as an admin, or resumes them as the command line.
func (w *World) turn(ctx context.Context, _ *account) error {
	if w.paused {
		stands, err := payouts.PayoutSwitch{Controls: w.kept, Clock: w.clock, Entropy: w.entropy}.Set(ctx, false, "simulated")
		w.paused = stands.Paused
		return err
	}
	stands, err := w.casino.Payouts.PausePayouts(ctx, caller(w.admins[0]), "simulated")
	if fault.Is(err, fault.Unavailable) {
		return nil
	}
	if err == nil && !stands.Paused {
		return errors.New("payouts are paused and still made")
	}
	w.paused = stands.Paused
	return err
}
