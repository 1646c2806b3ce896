package app

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/seamless"
	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/ports"
)

// The times of the provider's reconciliation.
const (
	// ReconcileRest is how long it rests when it has caught up.
	ReconcileRest = 5 * time.Minute
	// ReconcileSpan is what one step looks at.
	ReconcileSpan = time.Hour
	// ReconcileLag is how old a transaction is before it is looked at: providers ask
	// again for a while, and both clocks may differ by so much.
	ReconcileLag = 10 * time.Minute
	// ReconcileBack is how far back it begins after a start.
	ReconcileBack = 24 * time.Hour
	// launchedWithin is how long after his newest launch a player's log is asked for.
	launchedWithin = 7 * 24 * time.Hour
)

// ProviderDifference is a transaction of which ledger and provider tell otherwise.
type ProviderDifference struct {
	Wallet wallet.Address
	TxnID  string
	// Ours and Theirs say what each side has: "nothing", or amounts in base units.
	Ours, Theirs string
}

// ProviderReconciler compares the provider's own log with the ledger. It is for
// one goroutine.
type ProviderReconciler struct {
	casino *Casino
	next   time.Time
}

// ProviderReconciler returns the worker.
func (c *Casino) ProviderReconciler() *ProviderReconciler { return &ProviderReconciler{casino: c} }

// Step looks at the next span that is old enough and raises an alarm for every
// difference. A span that can't be compared is looked at again.
func (r *ProviderReconciler) Step(ctx context.Context) (worked bool, err error) {
	c := r.casino
	if c.Provider == nil {
		return false, nil
	}
	settled := c.now().Add(-ReconcileLag).Truncate(time.Second)
	if r.next.IsZero() {
		r.next = settled.Add(-ReconcileBack)
	}
	to := r.next.Add(ReconcileSpan)
	if to.After(settled) {
		return false, nil
	}
	differences, err := r.Compare(ctx, r.next, to)
	if err != nil {
		return false, err
	}
	for _, d := range differences {
		c.alarms.raise(ctx, AlarmProviderDiffers, d.TxnID, "connection", c.Provider.Code, "wallet", string(d.Wallet),
			"ours", d.Ours, "theirs", d.Theirs)
	}
	r.next = to
	return true, nil
}

// Compare returns every difference of the transactions from a moment to another,
// by player and transaction. What either side has just outside the span counts as
// there, since the two clocks differ.
func (r *ProviderReconciler) Compare(ctx context.Context, from, to time.Time) ([]ProviderDifference, error) {
	ours, err := r.ours(ctx, from.Add(-ReconcileLag), to.Add(ReconcileLag))
	if err != nil {
		return nil, err
	}
	players, err := r.players(ctx, from)
	if err != nil {
		return nil, err
	}
	for w := range ours {
		players[w] = true
	}
	var found []ProviderDifference
	for _, w := range slices.Sorted(maps.Keys(players)) {
		theirs, err := r.casino.Provider.Games.Log(ctx, w, from.Add(-ReconcileLag), to.Add(ReconcileLag))
		if err != nil {
			return nil, err
		}
		for _, d := range differ(ours[w], told(theirs, r.casino.Provider.Scale), from, to) {
			d.Wallet = w
			found = append(found, d)
		}
	}
	return found, nil
}

// moved is what one side says of a transaction id.
type moved struct {
	bet, win money.Amount
	// scale is that of the debit, by which the other side's decimals count.
	scale seamless.Scale
	asked []seamless.Record
	at    time.Time
}

func (m moved) String() string { return fmt.Sprintf("bet %d, win %d", m.bet, m.win) }

// ours adds up what was taken, by player and transaction id. A win in review was
// acknowledged and counts.
func (r *ProviderReconciler) ours(ctx context.Context, from, to time.Time) (map[wallet.Address]map[string]moved, error) {
	all := map[wallet.Address]map[string]moved{}
	filter := ports.SeamlessFilter{Connection: r.casino.Provider.Code, From: from, To: to}
	for page := (ports.Page{Number: 1, Limit: ports.PageMax, Uncounted: true}); ; {
		found, err := r.casino.Store.SeamlessTransactions(ctx, filter, page)
		if err != nil {
			return nil, err
		}
		for _, t := range found.Transactions {
			if t.Status == seamless.Refused || t.Kind == seamless.Settlement {
				continue
			}
			if all[t.Wallet] == nil {
				all[t.Wallet] = map[string]moved{}
			}
			m := all[t.Wallet][t.TxnID]
			all[t.Wallet][t.TxnID] = moved{bet: m.bet + t.Bet, win: m.win + t.Win, scale: t.Scale, at: t.At}
		}
		if page.After = found.Next; page.After == "" {
			return all, nil
		}
	}
}

// players are those who launched a game lately, whether or not the ledger has
// anything of them.
func (r *ProviderReconciler) players(ctx context.Context, from time.Time) (map[wallet.Address]bool, error) {
	all := map[wallet.Address]bool{}
	for after := wallet.Address(""); ; {
		launches, err := r.casino.Store.LaunchedSince(ctx, r.casino.Provider.Code, from.Add(-launchedWithin), after, ports.PageMax)
		if err != nil {
			return nil, err
		}
		for _, l := range launches {
			all[l.Wallet], after = true, l.Wallet
		}
		if len(launches) < ports.PageMax {
			return all, nil
		}
	}
}

// told gathers the provider's records by transaction id.
func told(records []seamless.Record, scale seamless.Scale) map[string]moved {
	all := map[string]moved{}
	for _, record := range records {
		m := all[record.TxnID]
		all[record.TxnID] = moved{asked: append(m.asked, record), scale: scale, at: record.At}
	}
	return all
}

// in adds the provider's decimals up in a scale.
func (m moved) in(scale seamless.Scale) moved {
	for _, record := range m.asked {
		bet, _, _ := record.Asked.Bet.Units(scale)
		win, _, _ := record.Asked.Win.Units(scale)
		m.bet, m.win = m.bet+bet, m.win+win
	}
	return m
}

func differ(ours, theirs map[string]moved, from, to time.Time) []ProviderDifference {
	const nothing = "nothing"
	var found []ProviderDifference
	within := func(m moved) bool { return !m.at.Before(from) && m.at.Before(to) }
	for _, id := range slices.Sorted(maps.Keys(ours)) {
		own := ours[id]
		other, there := theirs[id]
		switch other = other.in(own.scale); {
		case !within(own):
		case !there:
			found = append(found, ProviderDifference{TxnID: id, Ours: own.String(), Theirs: nothing})
		case other.bet != own.bet || other.win != own.win:
			found = append(found, ProviderDifference{TxnID: id, Ours: own.String(), Theirs: other.String()})
		}
	}
	for _, id := range slices.Sorted(maps.Keys(theirs)) {
		other := theirs[id]
		if _, there := ours[id]; !there && within(other) {
			found = append(found, ProviderDifference{TxnID: id, Ours: nothing, Theirs: other.in(other.scale).String()})
		}
	}
	return found
}
