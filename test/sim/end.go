package sim

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/casino-service/casino/app/approvals"
	"github.com/casino-service/casino/app/audit"
	"github.com/casino-service/casino/app/deposits"
	"github.com/casino-service/casino/app/payouts"
	"github.com/casino-service/casino/domain/deposit"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/ledger"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/withdrawal"
)

// Settle completes everything in flight, without faults.
func (w *World) Settle(ctx context.Context) error {
	w.faults.perThousand = 0
	if w.paused {
		if err := w.turn(ctx, nil); err != nil {
			return err
		}
	}
	for range 300 {
		w.clock.Advance(10 * time.Minute) // leases expire, and the hourly cap allows more
		if err := w.work(ctx, nil); err != nil {
			return err
		}
		for _, f := range slices.Clone(w.network.open) {
			if err := w.send(ctx, f); err != nil {
				return fmt.Errorf("%+v: %w", f.message, err)
			}
		}
	}
	if err := w.driveCrash(ctx, 5_000); err != nil {
		return err
	}
	if len(w.crash.bets) > 0 {
		return fmt.Errorf("%d bets on the shared crash have no result", len(w.crash.bets))
	}
	if err := w.capped(ctx); err != nil {
		return err
	}
	if err := w.agreed(ctx); err != nil {
		return err
	}
	for _, a := range w.players {
		for ref, amount := range a.claims {
			if amount >= int64(terms.MinDeposit) {
				return fmt.Errorf("deposit %s of %d was never credited", ref.Signature, amount)
			}
		}
		for id, status := range a.open {
			if now, err := w.kept.Withdrawal(ctx, id); err == nil && now.Amount > terms.PayoutCap && status == withdrawal.Approved {
				continue // above the cap of a payout: it waits for an admin
			}
			if status == withdrawal.Approved || status == withdrawal.Sending {
				return fmt.Errorf("withdrawal %s is still %s after the faults ended", id, status)
			}
		}
		if a.known {
			if err := w.look(ctx, a); err != nil {
				return err
			}
		}
	}
	return nil
}

// Prove audits the whole ledger, and compares it with the chain: the treasury holds the ledger's
// amount, to the lamport.
func (w *World) Prove(ctx context.Context) error {
	report, err := audit.NewAuditor(w.kept, w.games, nil).Run(ctx)
	if err != nil {
		return err
	}
	if err := report.Err(); err != nil {
		return fmt.Errorf("%w: %v", err, report.Findings)
	}
	if err := w.reconciled(ctx); err != nil {
		return err
	}
	holding, err := w.chain.Holding(ctx, terms)
	if err != nil {
		return err
	}
	totals, err := w.kept.Totals(ctx)
	if err != nil {
		return err
	}
	book := money.Total{}
	for _, total := range totals {
		if total.Account == ledger.System(ledger.Chain) && total.Token == money.SOL {
			book = total.Amount.Neg()
		}
	}
	unbooked, err := w.kept.Unbooked(ctx)
	if err != nil {
		return err
	}
	if money.TotalOf(holding) != book.Add(unbooked[money.SOL]) {
		return fmt.Errorf("the treasury holds %d, the ledger says %v and %v is known and not booked", holding, book, unbooked[money.SOL])
	}
	return nil
}

func sortedRefs(m map[deposit.Ref]int64) []deposit.Ref {
	return slices.SortedFunc(maps.Keys(m), func(a, b deposit.Ref) int { return cmp.Compare(a.Signature, b.Signature) })
}

func sortedIDs(m map[string]withdrawal.Status) []string { return slices.Sorted(maps.Keys(m)) }

// capped compares signed payouts with the hourly cap: in the hour before each signature no more
// may have been signed, in valid attempts. Those of a withdrawal that was rejected, or approved
// again, may have been declared dead and are left out.
func (w *World) capped(ctx context.Context) error {
	for id := range w.signed {
		now, err := w.kept.Withdrawal(ctx, id)
		if err != nil {
			return err
		}
		if now.Status == withdrawal.Rejected || now.Status == withdrawal.Approved {
			delete(w.signed, id)
			continue
		}
		attempt, err := w.kept.Attempt(ctx, id)
		if err != nil {
			return err
		}
		w.signed[id] = signedPayout{attempt.CreatedAt, now.Amount}
	}
	for id, last := range w.signed {
		sum := money.Total{}
		for _, other := range w.signed {
			if other.at.After(last.at.Add(-withdrawal.CapWindow)) && !other.at.After(last.at) {
				sum = sum.AddAmount(other.amount)
			}
		}
		if sum.Cmp(money.TotalOf(terms.PayoutCapPerHour)) > 0 {
			return fmt.Errorf("%v were signed in the hour up to %s", sum, id)
		}
		if last.amount > terms.PayoutCap {
			return fmt.Errorf("withdrawal %s of %d was signed above the cap", id, last.amount)
		}
	}
	return nil
}

// share lets two players pay the treasury in one transaction: only an admin can decide who gets
// it.
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

// resolve lets an admin decide the oldest shared payment, after the watcher found it: for one of
// the two, or for neither.
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

// turn pauses payouts as an admin, or resumes them by the command line.
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
