package restore

import (
	"context"
	"fmt"
	"time"

	"github.com/casino-service/casino/app/audit"
	"github.com/casino-service/casino/app/payouts"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/ledger"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/withdrawal"
)

// once checks that no withdrawal was paid twice, or anything else than was asked for.
func (w *World) once(ctx context.Context) error {
	all, err := w.paid(ctx)
	if err != nil {
		return err
	}
	paid := map[string]string{}
	for _, m := range all {
		if m.Failed {
			continue
		}
		if other, twice := paid[m.WithdrawalID]; twice {
			return fmt.Errorf("withdrawal %s was paid by %s and by %s", m.WithdrawalID, other, m.Signature)
		}
		paid[m.WithdrawalID] = m.Signature
		asked, ours := w.eyes.requests[m.WithdrawalID]
		if !ours || len(m.Payments) != 1 || int64(m.Payments[0].Amount) != asked.amount {
			return fmt.Errorf("%+v was paid, %+v was asked for", m, asked)
		}
	}
	return nil
}

// Settle lets everything that is under way come to its end, and looks whether alarms and
// listeners know it.
func (w *World) Settle(ctx context.Context) error {
	for range 12 {
		w.deliver(ctx)
		w.pass(ctx, time.Minute)
		if err := w.work(ctx, nil); err != nil {
			return err
		}
	}
	if err := w.settled(ctx); err != nil {
		return err
	}
	if err := w.alarmsHold(ctx); err != nil {
		return err
	}
	if err := w.listen(ctx, true); err != nil {
		return err
	}
	return w.heardAll(ctx)
}

// settled checks that nothing is under way any more.
func (w *World) settled(ctx context.Context) error {
	for _, address := range w.eyes.players {
		a := w.accounts[address]
		for signature, amount := range a.claims {
			if a.known {
				return fmt.Errorf("the deposit %s of %d was never credited", signature, amount)
			}
		}
		for id := range a.open {
			now, err := w.service.store.Withdrawal(ctx, id)
			if err != nil {
				return err
			}
			if a.owed == 0 && now.Status != withdrawal.Pending {
				return fmt.Errorf("withdrawal %s is still %s", id, now.Status)
			}
		}
		if a.known {
			if err := w.balanced(ctx, a); err != nil {
				return err
			}
		}
	}
	return nil
}

// resumed resumes payouts, as an operator who looked into a payment of nobody's does.
func (w *World) resumed(ctx context.Context) error {
	pause, err := w.service.store.Pause(ctx)
	if err != nil || !pause.Paused {
		return err
	}
	_, lost, err := w.foreign(ctx)
	if err == nil && lost == 0 && pause.At.After(w.found) { // the backup may have been paused
		err = fmt.Errorf("payouts were paused for nothing: %+v", pause)
	}
	if err != nil {
		return err
	}
	_, err = payouts.PayoutSwitch{Controls: w.service.store, Clock: w.clock, Entropy: w.entropy}.Set(ctx, false, "looked into")
	return err
}

// foreign sums what was paid for withdrawals that the books don't know, and counts it.
func (w *World) foreign(ctx context.Context) (sum money.Amount, count int, err error) {
	all, err := w.paid(ctx)
	if err != nil {
		return 0, 0, err
	}
	for _, m := range all {
		_, err := w.service.store.Withdrawal(ctx, m.WithdrawalID)
		switch {
		case fault.Is(err, fault.NotFound):
			sum, count = sum+m.Fee+m.Rent, count+1
			for _, p := range m.Payments {
				sum += p.Amount
			}
		case err != nil:
			return 0, 0, err
		}
	}
	return sum, count, nil
}

// Prove compares the books with the chain, and audits them with every block that was
// published and not lost.
func (w *World) Prove(ctx context.Context) error {
	kept, err := w.eyes.blocks.kept()
	if err != nil {
		return err
	}
	report, err := audit.NewAuditor(w.service.store, w.games, kept).Run(ctx)
	if err == nil {
		err = report.Err()
	}
	if err != nil {
		return fmt.Errorf("%w: %v", err, report.Findings)
	}
	if err := w.once(ctx); err != nil {
		return err
	}
	if err := w.completed(ctx); err != nil {
		return err
	}
	holding, err := w.chain.Holding(ctx, terms)
	if err != nil {
		return err
	}
	totals, err := w.service.store.Totals(ctx)
	if err != nil {
		return err
	}
	var book money.Total
	for _, total := range totals {
		if total.Account == ledger.System(ledger.Chain) && total.Token == money.SOL {
			book = total.Amount.Neg()
		}
	}
	unbooked, err := w.service.store.Unbooked(ctx)
	if err != nil {
		return err
	}
	lost, _, err := w.foreign(ctx)
	if err == nil && money.TotalOf(holding).AddAmount(lost) != book.Add(unbooked[money.SOL]) {
		err = fmt.Errorf("the treasury holds %d, %d were paid for nobody, the ledger says %v and %v is not booked", holding, lost, book, unbooked[money.SOL])
	}
	return err
}

// completed checks that the books call paid what the chain paid, and nothing else.
func (w *World) completed(ctx context.Context) error {
	all, err := w.paid(ctx)
	if err != nil {
		return err
	}
	paid := map[string]bool{}
	for _, m := range all {
		paid[m.WithdrawalID] = paid[m.WithdrawalID] || !m.Failed
	}
	for _, id := range sorted(w.eyes.requests) {
		now, err := w.service.store.Withdrawal(ctx, id)
		switch {
		case fault.Is(err, fault.NotFound):
			continue
		case err != nil:
			return err
		case (now.Status == withdrawal.Completed) != paid[id]:
			return fmt.Errorf("withdrawal %s is %s in the books; that it was paid on chain is %v", id, now.Status, paid[id])
		}
	}
	return nil
}
