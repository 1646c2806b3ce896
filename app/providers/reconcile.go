package providers

import (
	"context"
	"fmt"
	"log/slog"
	"maps"
	"slices"
	"time"

	"github.com/casino-service/casino/app/kernel"
	"github.com/casino-service/casino/domain/alarm"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/seamless"
	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/ports"
)

// Times of a provider's reconciliation.
const (
	// ReconcileInterval is the pause of a reconciler that has caught up.
	ReconcileInterval = 5 * time.Minute
	// ReconcileSpan is the part of the log that one step compares.
	ReconcileSpan = time.Hour
	// ReconcileLag is the minimum age of compared transactions: providers retry for a while,
	// and the clocks may differ by as much.
	ReconcileLag = 10 * time.Minute
	// ReconcileLookback is how far back the first step begins.
	ReconcileLookback = 24 * time.Hour
	// launchedWithin is how long after the newest launch a player's log is read.
	launchedWithin = 7 * 24 * time.Hour
)

// ProviderDifference is a transaction that differs between the ledger and the provider.
type ProviderDifference struct {
	Wallet wallet.Address
	TxnID  string
	// Ours is the ledger's side, Theirs the provider's.
	Ours, Theirs ProviderSide
}

// ProviderSide is one side of a transaction, in base units. Known is false if this side
// lacks the transaction.
type ProviderSide struct {
	Known    bool
	Bet, Win money.Amount
}

// String describes the side for people.
func (s ProviderSide) String() string {
	if !s.Known {
		return "nothing"
	}
	return fmt.Sprintf("bet %d, win %d", s.Bet, s.Win)
}

// withLegs adds the legs that another step found of the same transaction.
func (d ProviderDifference) withLegs(found ProviderDifference) ProviderDifference {
	d.Ours, d.Theirs = d.Ours.withLegs(found.Ours), d.Theirs.withLegs(found.Theirs)
	return d
}

// withLegs adds the legs that another step found. A leg that a step didn't find is 0.
func (s ProviderSide) withLegs(found ProviderSide) ProviderSide {
	return ProviderSide{Known: s.Known || found.Known, Bet: max(s.Bet, found.Bet), Win: max(s.Win, found.Win)}
}

// ProviderComparison compares a span of the provider's log with the ledger: the number of
// transaction ids on either side, and the differences, sorted by span, player and
// transaction.
type ProviderComparison struct {
	Transactions int
	Differences  []ProviderDifference
}

// ReconciliationStore has the ports of a reconciliation, which also keep its progress.
type ReconciliationStore struct {
	Launches             ports.Launches
	SeamlessTransactions ports.SeamlessTransactions
	Reconciliations      ports.Reconciliations
}

// ProviderReconciler compares the provider's own log with the ledger. It is for one
// goroutine. It needs no chain and no writer, so a command can run it beside the service.
type ProviderReconciler struct {
	store      ReconciliationStore
	clock      ports.Clock
	connection *kernel.ProviderConnection
	alarms     kernel.Alarms
	began      func() // called when a step begins
}

// NewProviderReconciler returns a reconciler of a connection, which may be nil. Without a
// logger its alarms are not logged.
func NewProviderReconciler(store ReconciliationStore, clock ports.Clock, connection *kernel.ProviderConnection, logger *slog.Logger) *ProviderReconciler {
	if logger == nil {
		logger = slog.New(slog.DiscardHandler)
	}
	return &ProviderReconciler{store, clock, connection, kernel.NewLoggedAlarms(logger, clock), func() {}}
}

// ProviderReconciler returns a reconciler of the casino's provider.
func (c *Service) ProviderReconciler() *ProviderReconciler {
	reads := ReconciliationStore{c.core.Store.Launches, c.core.Store.SeamlessTransactions, c.core.Store.Reconciliations}
	return &ProviderReconciler{reads, c.core.Clock, c.core.Provider, c.core.Alarms, func() { c.core.Progress.Began(kernel.ProviderLogWorker) }}
}

// SettledUntil returns the time until which transactions are old enough to compare.
func (r *ProviderReconciler) SettledUntil() time.Time {
	return kernel.Now(r.clock).Add(-ReconcileLag).Truncate(time.Second)
}

// Step compares the next span that is old enough and raises an alarm for each difference.
// Its progress is stored, so the next process continues there even after a long pause. A
// span that can't be compared is retried.
func (r *ProviderReconciler) Step(ctx context.Context) (worked bool, err error) {
	r.began()
	if r.connection == nil {
		return false, nil
	}
	kept, err := r.store.Reconciliations.Reconciled(ctx, r.connection.Code)
	if err != nil && !fault.Is(err, fault.NotFound) {
		return false, err
	}
	from, settled := kept, r.SettledUntil()
	if kept.IsZero() {
		from = settled.Add(-ReconcileLookback)
	}
	to := from.Add(ReconcileSpan)
	if to.After(settled) {
		return false, nil
	}
	found, err := r.Compare(ctx, from, to)
	if err != nil {
		return false, err
	}
	for _, d := range found.Differences {
		r.alarms.Raise(ctx, alarm.ProviderDiffers, d.TxnID, "connection", r.connection.Code, "wallet", string(d.Wallet),
			"ours", d.Ours.String(), "theirs", d.Theirs.String())
	}
	err = r.store.Reconciliations.AdvanceReconciled(ctx, r.connection.Code, kept, to)
	if fault.Is(err, fault.InvalidState) { // another instance compared it in the meantime
		return true, nil
	}
	return err == nil, err
}

// Between compares any span in steps of ReconcileSpan. Both times are whole seconds. A
// transaction with its legs in two steps is counted once, and reported once.
func (r *ProviderReconciler) Between(ctx context.Context, from, to time.Time) (ProviderComparison, error) {
	if r.connection == nil {
		return ProviderComparison{}, fault.New(fault.InvalidProvider, "no game provider is connected")
	}
	var all ProviderComparison
	counted, reported := map[transactionKey]bool{}, map[transactionKey]int{} // the index of the difference
	for from.Before(to) {
		end := from.Add(ReconcileSpan)
		if end.After(to) {
			end = to
		}
		found, ids, err := r.compareSpan(ctx, from, end)
		if err != nil {
			return ProviderComparison{}, err
		}
		for _, id := range ids {
			counted[id] = true
		}
		for _, d := range found {
			key := transactionKey{d.Wallet, d.TxnID}
			if at, known := reported[key]; known {
				all.Differences[at] = all.Differences[at].withLegs(d)
				continue
			}
			reported[key] = len(all.Differences)
			all.Differences = append(all.Differences, d)
		}
		from = end
	}
	all.Transactions = len(counted)
	return all, nil
}

// transactionKey identifies a transaction of a connection.
type transactionKey struct {
	wallet wallet.Address
	txnID  string
}

// Compare returns the differences in transactions between two times, sorted by player and
// transaction. A transaction that one side has just outside the span counts as known,
// because the clocks differ.
func (r *ProviderReconciler) Compare(ctx context.Context, from, to time.Time) (ProviderComparison, error) {
	found, ids, err := r.compareSpan(ctx, from, to)
	return ProviderComparison{Transactions: len(ids), Differences: found}, err
}

// compareSpan is Compare; ids are the transactions with a leg between the times.
func (r *ProviderReconciler) compareSpan(ctx context.Context, from, to time.Time) (found []ProviderDifference, ids []transactionKey, err error) {
	ours, err := r.ourLegs(ctx, from.Add(-ReconcileLag), to.Add(ReconcileLag))
	if err != nil {
		return nil, nil, err
	}
	players, err := r.launchedPlayers(ctx, from)
	if err != nil {
		return nil, nil, err
	}
	for w, all := range ours {
		if _, launched := players[w]; !launched {
			for _, t := range all {
				players[w] = t.scale
			}
		}
	}
	for _, w := range slices.Sorted(maps.Keys(players)) {
		theirs, err := r.connection.Games.Log(ctx, w, from.Add(-ReconcileLag), to.Add(ReconcileLag))
		if err != nil {
			return nil, nil, err
		}
		differences, inside := compareLegs(ours[w], groupRecords(theirs), players[w], from, to)
		for _, id := range inside {
			ids = append(ids, transactionKey{w, id})
		}
		for _, d := range differences {
			d.Wallet = w
			found = append(found, d)
		}
	}
	return found, ids, nil
}

// leg is one half of a transaction: the bet or the win.
type leg struct {
	known  bool
	amount money.Amount
	asked  []seamless.Decimal // the provider's decimals until inScale converts them
	at     time.Time
}

// inScale adds up the provider's decimals in a scale.
func (l leg) inScale(scale seamless.Scale) leg {
	for _, asked := range l.asked {
		units, _, _ := asked.Units(scale)
		l.amount += units
	}
	return l
}

func (l leg) addDecimal(asked seamless.Decimal, at time.Time) leg {
	return leg{known: true, asked: append(l.asked, asked), at: at}
}

// moved is one side of a transaction id. The two legs are compared separately, because they
// may be hours apart.
type moved struct {
	bet, win leg
	scale    seamless.Scale
}

func (m moved) providerSide() ProviderSide {
	return ProviderSide{Known: m.bet.known || m.win.known, Bet: m.bet.amount, Win: m.win.amount}
}

// ourLegs reads the accepted transactions of the ledger, by player and transaction id. Wins
// in review count, because they were acknowledged.
func (r *ProviderReconciler) ourLegs(ctx context.Context, from, to time.Time) (map[wallet.Address]map[string]moved, error) {
	all := map[wallet.Address]map[string]moved{}
	filter := ports.SeamlessFilter{Connection: r.connection.Code, From: from, To: to}
	for page := (ports.Page{Number: 1, Limit: ports.PageMax, Uncounted: true}); ; {
		found, err := r.store.SeamlessTransactions.SeamlessTransactions(ctx, filter, page)
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
			m.scale = t.Scale
			if t.Kind.Bets() {
				m.bet = leg{known: true, amount: t.Bet, at: t.At}
			}
			if t.Kind.Wins() {
				m.win = leg{known: true, amount: t.Win, at: t.At}
			}
			all[t.Wallet][t.TxnID] = m
		}
		if page.After = found.Next; page.After == "" {
			return all, nil
		}
	}
}

// launchedPlayers returns the players who launched a game within launchedWithin, even
// without transactions in the ledger, with the scale of their money at the provider.
func (r *ProviderReconciler) launchedPlayers(ctx context.Context, from time.Time) (map[wallet.Address]seamless.Scale, error) {
	all := map[wallet.Address]seamless.Scale{}
	for after := wallet.Address(""); ; {
		launches, err := r.store.Launches.LaunchedSince(ctx, r.connection.Code, from.Add(-launchedWithin), after, ports.PageMax)
		if err != nil {
			return nil, err
		}
		for _, l := range launches {
			all[l.Wallet], after = l.Scale, l.Wallet
		}
		if len(launches) < ports.PageMax {
			return all, nil
		}
	}
}

// groupRecords groups the provider's records by transaction id.
func groupRecords(records []seamless.Record) map[string]moved {
	all := map[string]moved{}
	for _, record := range records {
		m := all[record.TxnID]
		if record.Kind.Bets() {
			m.bet = m.bet.addDecimal(record.Requested.Bet, record.At)
		}
		if record.Kind.Wins() {
			m.win = m.win.addDecimal(record.Requested.Win, record.At)
		}
		all[record.TxnID] = m
	}
	return all
}

// compareLegs compares the legs between two times, by the ledger's clock if the ledger has
// them, and returns the ids that have any. The provider's money is converted with the scale of
// the booking, or else the player's.
func compareLegs(ours, theirs map[string]moved, scale seamless.Scale, from, to time.Time) (found []ProviderDifference, compared []string) {
	ids := map[string]bool{}
	for id := range ours {
		ids[id] = true
	}
	for id := range theirs {
		ids[id] = true
	}
	for _, id := range slices.Sorted(maps.Keys(ids)) {
		own, there := ours[id]
		if !there {
			own.scale = scale
		}
		other := moved{bet: theirs[id].bet.inScale(own.scale), win: theirs[id].win.inScale(own.scale)}
		inside, same := false, own.providerSide().Known && other.providerSide().Known
		for _, legs := range [][2]leg{{own.bet, other.bet}, {own.win, other.win}} {
			at := legs[0].at
			if !legs[0].known {
				at = legs[1].at
			}
			if at.Before(from) || !at.Before(to) {
				continue
			}
			inside = true
			same = same && legs[0].amount == legs[1].amount
		}
		if !inside {
			continue
		}
		compared = append(compared, id)
		if !same {
			found = append(found, ProviderDifference{TxnID: id, Ours: own.providerSide(), Theirs: other.providerSide()})
		}
	}
	return found, compared
}
