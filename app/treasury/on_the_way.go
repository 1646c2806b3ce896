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

// onTheWayMax bounds how many transactions of a token one comparison looks at. More than
// that in the seconds that a watcher takes is a watcher that is behind.
const onTheWayMax = 250

// onTheWay is what arrived on chain and may not have been booked yet when the book was
// read: where players pay in all the time, there is always some, and each comparison
// meets other money. What no watcher has dealt with in comparisonsMax comparisons
// explains nothing any more.
type onTheWay struct {
	casino  *Service
	arrived map[deposit.Ref]*arrival
}

// arrival is one transaction that brought money.
type arrival struct {
	amount money.Amount
	looks  int  // comparisons that met it
	dealt  bool // it was booked or parked before the comparison read the book
}

// readProgress returns how far the watchers have read, before the book is read: what comes
// after these may lack in it.
func (o *onTheWay) readProgress(ctx context.Context) (map[money.Token]deposit.WatchProgress, error) {
	if err := o.settleArrivals(ctx); err != nil {
		return nil, err
	}
	from := map[money.Token]deposit.WatchProgress{}
	for _, terms := range o.casino.core.Tokens.All() {
		watch, err := o.casino.core.Store.DepositCursors.Cursor(ctx, terms.Mint)
		if fault.Is(err, fault.NotFound) {
			continue // nothing is watched, so nothing is on its way into the book
		}
		if err != nil {
			return nil, err
		}
		from[terms.Mint] = watch
	}
	return from, nil
}

// addArrivals adds what was on its way to the states that hold more than the book explains.
// Where the chain isn't asked for a token nothing is.
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

// sumArrivals returns what the transactions of a token brought that watchers had not dealt with
// at the comparison before.
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

// readArrival returns an arrival, and reads it from the chain the first time.
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

// settleArrivals takes note of those that are in the book by now, or parked: the comparison that
// begins finds them there, though the chain may list them again.
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

// forgetArrivals drops the arrivals of a token that the newest comparison did not meet.
func (o *onTheWay) forgetArrivals(mint money.Token, met []deposit.Ref) {
	for ref := range o.arrived {
		if ref.Token == mint && !slices.Contains(met, ref) {
			delete(o.arrived, ref)
		}
	}
}
