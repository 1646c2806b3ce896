package treasury

import (
	"context"
	"errors"
	"slices"

	"github.com/casino-service/casino/domain/deposit"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/token"
)

// onTheWayMax is the maximum number of a token's transactions that one comparison reads.
// More in the seconds that a watcher needs means that the watcher is behind.
const onTheWayMax = 250

// onTheWay tracks receipts on chain that may not have been booked when the ledger was read.
// On a busy service every comparison meets some. A receipt that no watcher handled within
// comparisonsMax comparisons no longer explains a difference.
type onTheWay struct {
	casino  *Service
	arrived map[deposit.Ref]*arrival
}

// arrival is a receipt of the treasury.
type arrival struct {
	amount money.Amount
	looks  int  // comparisons that found it
	dealt  bool // booked or parked before the comparison read the ledger
}

// readProgress returns how far the watchers have read. It is called before the ledger is
// read, which may lack later receipts.
func (o *onTheWay) readProgress(ctx context.Context) (map[money.Token]deposit.WatchProgress, error) {
	if err := o.settleArrivals(ctx); err != nil {
		return nil, err
	}
	from := map[money.Token]deposit.WatchProgress{}
	for _, terms := range o.casino.core.Tokens.All() {
		watch, err := o.casino.core.Store.DepositCursors.Cursor(ctx, terms.Mint)
		if fault.Is(err, fault.NotFound) {
			continue // without a watch nothing is on its way into the ledger
		}
		if err != nil {
			return nil, err
		}
		from[terms.Mint] = watch
	}
	return from, nil
}

// addArrivals adds the receipts on their way to states that hold more than the ledger
// explains. For tokens that agree, the chain isn't read.
func (o *onTheWay) addArrivals(ctx context.Context, states []TreasuryState, from map[money.Token]deposit.WatchProgress) error {
	var errs []error
	for i := range states {
		watch, watched := from[states[i].Token]
		if !watched || states[i].Difference().Sign() <= 0 {
			o.forgetArrivals(states[i].Token, nil)
			continue
		}
		terms, err := o.casino.core.Tokens.Known(states[i].Token)
		if err == nil {
			states[i].OnTheWay, err = o.sumArrivals(ctx, terms, watch)
		}
		errs = append(errs, err)
	}
	return errors.Join(errs...)
}

// sumArrivals returns the sum of a token's receipts that no watcher had handled at the
// previous comparison.
func (o *onTheWay) sumArrivals(ctx context.Context, terms token.Terms, watch deposit.WatchProgress) (money.Total, error) {
	page, err := o.casino.core.Chain.Since(ctx, terms, watch.Cursor, onTheWayMax)
	if err != nil {
		return money.Total{}, err
	}
	var sum money.Total
	var met []deposit.Ref
	for _, entry := range page.Entries {
		if entry.Failed || entry.Slot <= watch.After {
			continue
		}
		ref := deposit.Ref{Signature: entry.Signature, Token: terms.Mint}
		one, err := o.readArrival(ctx, ref, terms)
		if err != nil {
			return money.Total{}, err
		}
		met = append(met, ref)
		if !one.dealt && one.looks <= comparisonsMax {
			sum = sum.AddAmount(one.amount)
		}
	}
	o.forgetArrivals(terms.Mint, met)
	return sum, nil
}

// readArrival returns an arrival, read from the chain the first time.
func (o *onTheWay) readArrival(ctx context.Context, ref deposit.Ref, terms token.Terms) (*arrival, error) {
	one, known := o.arrived[ref]
	if !known {
		where, err := o.casino.core.Chain.Treasury(terms)
		if err != nil {
			return nil, err
		}
		seen, err := o.casino.core.Chain.Observe(ctx, ref.Signature)
		if err != nil {
			return nil, err
		}
		one = &arrival{}
		one.amount, _ = deposit.Arrived(seen, terms, where)
		o.arrived[ref] = one
	}
	one.looks++
	return one, nil
}

// settleArrivals marks the arrivals that are booked or parked by now. The comparison that
// begins then finds them in the ledger, though the chain may list them again.
func (o *onTheWay) settleArrivals(ctx context.Context) error {
	for ref, one := range o.arrived {
		if one.dealt || one.amount == 0 {
			continue
		}
		booked, err := o.casino.core.Store.UnbookedDeposits.Booked(ctx, ref)
		if err != nil {
			return err
		}
		if one.dealt = booked; booked {
			continue
		}
		_, err = o.casino.core.Store.ParkedDeposits.Parked(ctx, ref)
		if err != nil && !fault.Is(err, fault.NotFound) {
			return err
		}
		one.dealt = err == nil
	}
	return nil
}

// forgetArrivals drops the arrivals of a token that the newest comparison did not find.
func (o *onTheWay) forgetArrivals(mint money.Token, met []deposit.Ref) {
	for ref := range o.arrived {
		if ref.Token == mint && !slices.Contains(met, ref) {
			delete(o.arrived, ref)
		}
	}
}
