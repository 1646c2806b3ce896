package sim

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/casino-service/casino/app"
	"github.com/casino-service/casino/domain/deposit"
	"github.com/casino-service/casino/domain/ledger"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/withdrawal"
)

// Settle lets everything in flight end without faults.
func (w *World) Settle(ctx context.Context) error {
	w.faults.perThousand = 0
	for range 200 {
		if err := w.work(ctx, nil); err != nil {
			return err
		}
	}
	for _, a := range w.players {
		for id, status := range a.open {
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

// Prove audits the whole ledger, and holds the books against the chain: what the
// treasury holds is what the book says it holds, to the lamport.
func (w *World) Prove(ctx context.Context) error {
	report, err := app.NewAuditor(w.memory, w.games, nil).Run(ctx)
	if err != nil {
		return err
	}
	if err := report.Proved(); err != nil {
		return fmt.Errorf("%w: %v", err, report.Findings)
	}
	holding, err := w.chain.Holding(ctx, terms)
	if err != nil {
		return err
	}
	totals, err := w.memory.Totals(ctx)
	if err != nil {
		return err
	}
	book := money.Total{}
	for _, total := range totals {
		if total.Account == ledger.System(ledger.Chain) && total.Token == money.SOL {
			book = total.Amount.Neg()
		}
	}
	unclaimed := money.TotalOfInt(w.refused)
	for _, a := range w.players {
		for _, amount := range a.claims {
			unclaimed = unclaimed.AddAmount(money.Amount(amount))
		}
	}
	if money.TotalOf(holding) != book.Add(unclaimed) {
		return fmt.Errorf("the treasury holds %d, the book says %v and %v was paid and not claimed", holding, book, unclaimed)
	}
	return nil
}

func sortedRefs(m map[deposit.Ref]int64) []deposit.Ref {
	return slices.SortedFunc(maps.Keys(m), func(a, b deposit.Ref) int { return cmp.Compare(a.Signature, b.Signature) })
}

func sortedIDs(m map[string]withdrawal.Status) []string { return slices.Sorted(maps.Keys(m)) }
