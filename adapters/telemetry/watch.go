package telemetry

import (
	"context"
	"errors"
	"math"
	"strconv"
	"sync/atomic"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/casino-service/casino/app/admin"
	"github.com/casino-service/casino/app/kernel"
	"github.com/casino-service/casino/app/operations"
	"github.com/casino-service/casino/domain/figure"
	"github.com/casino-service/casino/domain/hashchain"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/ports"
)

// WatchInterval is the pause between two steps of a Watch.
const WatchInterval = 5 * time.Second

// Watched holds the sources of a Watch. Every function is required.
type Watched struct {
	OperationsStatus func(context.Context) (operations.OperationsStatus, error)
	// ChainHead returns the chain's newest finalized slot and the time of its block.
	ChainHead func(context.Context) (slot uint64, made time.Time, err error)
	Health    func() kernel.Report
	// Returns returns the newest return figures of all games.
	Returns func() []admin.GameReturn
	Clock   ports.Clock
}

// Watch exports what operators must watch: open withdrawals, solvency, the ledger's
// balance, the heads of the hash chains, the chain's lag and the state of each dependency.
// Only one goroutine may call Step.
type Watch struct {
	watched Watched
	looked  atomic.Int64 // Unix milliseconds of the last complete step

	failed                                     prometheus.Counter
	open, oldest                               gauge
	deliveries, deliveriesOldest, wins, alarms gauge
	liabilities, bankroll, imbalance, treasury gauge
	surplus, treasuryKnown                     gauge
	difference, reconciled                     gauge
	head, headTag                              gauge
	slot, lag, up                              gauge
	indexSlot, indexAge, foreign               gauge
	actual, theoretical, margin, outside       gauge
}

// Watch returns a Watch that has exported nothing yet. Call it once.
func (t *Telemetry) Watch(watched Watched) (*Watch, error) {
	m := t.newMaker()
	w := &Watch{
		watched:          watched,
		failed:           m.newCounter("casino_watch_errors_total", "Steps of the watch that could not read everything."),
		open:             m.newGauge("casino_withdrawals_open", "Open withdrawals, by status; 1000 means as many or more.", "status"),
		oldest:           m.newGauge("casino_withdrawals_oldest_seconds", "How long the withdrawal of a status that changed least recently has been in it.", "status"),
		deliveries:       m.newGauge("casino_routes_open", "Open deliveries to agents' sites, by status; of the 1000 oldest.", "status"),
		deliveriesOldest: m.newGauge("casino_routes_oldest_seconds", "How long ago the oldest delivery of a status began.", "status"),
		wins:             m.newGauge("casino_wins_waiting", "Wins of third-party games that wait for an admin, by reason; of the 100 newest.", "reason"),
		alarms:           m.newGauge("casino_alarms_open", "Open alarms, by kind; of the 100 newest.", "kind"),
		liabilities:      m.newGauge("casino_liabilities", "Money owed to players, in base units of the token.", "token", "symbol"),
		bankroll:         m.newGauge("casino_bankroll", "The operator's own money, in base units of the token.", "token", "symbol"),
		imbalance:        m.newGauge("casino_ledger_imbalance", "The sum over all accounts of a token, in base units: any value but 0 means a broken ledger.", "token", "symbol"),
		treasury:         m.newGauge("casino_treasury", "The treasury's balance on chain when last known, in base units of the token.", "token", "symbol"),
		surplus:          m.newGauge("casino_treasury_surplus", "Treasury less liabilities when last known, in base units of the token.", "token", "symbol"),
		difference:       m.newGauge("casino_treasury_difference", "The treasury's balance less the balance that book and parked transactions explain, in base units.", "token", "symbol"),
		reconciled:       m.newGauge("casino_treasury_reconciled", "1 while chain and book agree, up to payouts in flight and deposits on their way.", "token", "symbol"),
		indexSlot:        m.newGauge("casino_treasury_index_slot", "The finalized slot up to which all transactions signed by the treasury are known."),
		indexAge:         m.newGauge("casino_treasury_index_age_seconds", "How old that slot's block is; payouts wait while it is over a minute."),
		foreign:          m.newGauge("casino_treasury_foreign", "Transactions signed by the treasury that are not accounted for; at most 100 are counted."),
		treasuryKnown:    m.newGauge("casino_treasury_known", "1 while the treasury's balance on chain is known.", "token", "symbol"),
		head:             m.newGauge("casino_ledger_head", "The number of the newest block of a lane of the hash chain.", "lane"),
		headTag:          m.newGauge("casino_ledger_head_tag", "The first 48 bits of the newest block's hash, to tell it from another block of the same number.", "lane"),
		slot:             m.newGauge("casino_chain_slot", "The newest finalized slot that the node knows."),
		lag:              m.newGauge("casino_chain_lag_seconds", "How old that slot's block is."),
		up:               m.newGauge("casino_dependency_up", "1 while the dependency works.", "dependency"),
		actual:           m.newGauge("casino_rtp_actual", "A game's payouts as a share of its wagers in 30 days, in millionths.", "source", "game", "token"),
		theoretical:      m.newGauge("casino_rtp_theoretical", "The share that a game should pay by its rules, in millionths.", "source", "game", "token"),
		margin:           m.newGauge("casino_rtp_margin", "How far apart casino_rtp_actual and casino_rtp_theoretical may be by chance, in millionths; 0 while that is unknown.", "source", "game", "token"),
		outside:          m.newGauge("casino_rtp_outside", "How many games differ by more than the margin."),
	}
	w.looked.Store(watched.Clock.Now().UnixMilli())
	m.gaugeFunc("casino_watch_age_seconds", "How long ago everything was last read.", func() int64 {
		return int64(elapsedSince(watched.Clock, time.UnixMilli(w.looked.Load())).Seconds())
	})
	return w, m.err()
}

// Step reads and exports everything once. A value that can't be read keeps its last value;
// the error names it.
func (w *Watch) Step(ctx context.Context) (worked bool, err error) {
	seen, overseeErr := w.watched.OperationsStatus(ctx)
	w.setGauges(seen)
	slot, made, headErr := w.watched.ChainHead(ctx)
	if headErr == nil {
		w.slot.setValue(int64(min(slot, math.MaxInt64)))
		w.lag.setValue(int64(elapsedSince(w.watched.Clock, made).Seconds()))
	}
	for name, check := range w.watched.Health().Checks {
		if check.Status != kernel.Disabled {
			w.up.setValue(oneIf(check.Status == kernel.OK), name)
		}
	}
	w.showReturns()
	if err := errors.Join(overseeErr, headErr); err != nil {
		w.failed.Inc()
		return false, err
	}
	w.looked.Store(w.watched.Clock.Now().UnixMilli())
	return false, nil
}

func (w *Watch) setGauges(seen operations.OperationsStatus) {
	for _, open := range seen.Withdrawals {
		status := string(open.Status)
		w.open.setValue(int64(open.Count), status)
		w.oldest.setValue(int64(open.Oldest.Seconds()), status)
	}
	for _, open := range seen.Deliveries {
		status := string(open.Status)
		w.deliveries.setValue(int64(open.Count), status)
		w.deliveriesOldest.setValue(int64(open.Oldest.Seconds()), status)
	}
	for _, open := range seen.Wins {
		w.wins.setValue(int64(open.Count), string(open.Reason))
	}
	for _, open := range seen.Alarms {
		w.alarms.setValue(int64(open.Count), string(open.Kind))
	}
	for _, t := range seen.Tokens {
		token := []string{string(t.Token), t.Symbol}
		w.liabilities.setValue(saturatedTotal(t.Liabilities), token...)
		w.bankroll.setValue(saturatedTotal(t.Bankroll), token...)
		w.imbalance.setValue(saturatedTotal(t.Imbalance), token...)
		w.treasuryKnown.setValue(oneIf(t.Treasury != nil), token...)
		if t.Treasury == nil {
			continue
		}
		w.treasury.setValue(int64(t.Treasury.Holding), token...)
		w.surplus.setValue(saturatedTotal(money.TotalOf(t.Treasury.Holding).Sub(t.Treasury.Liabilities())), token...)
		w.difference.setValue(saturatedTotal(t.Treasury.Difference()), token...)
		w.reconciled.setValue(oneIf(t.Treasury.Reconciled()), token...)
	}
	if seen.Index != nil {
		age := int64(math.MaxInt32) // until the first complete read of the history
		if seen.Index.Slot > 0 {
			age = int64(elapsedSince(w.watched.Clock, seen.Index.At).Seconds())
		}
		w.indexSlot.setValue(int64(min(seen.Index.Slot, math.MaxInt64)))
		w.indexAge.setValue(age)
		w.foreign.setValue(int64(seen.Foreign))
	}
	for _, head := range seen.Heads {
		lane := strconv.Itoa(head.Lane)
		w.head.setValue(head.Seq, lane)
		w.headTag.setValue(hashBits(head.Hash), lane)
	}
}

func (w *Watch) showReturns() {
	outside := int64(0)
	for _, r := range w.watched.Returns() {
		game := []string{r.Source, r.Game, string(r.Token)}
		w.actual.setValue(r.Actual, game...)
		w.theoretical.setValue(r.Theoretical, game...)
		w.margin.setValue(r.Margin, game...)
		outside += oneIf(r.Verdict == figure.Outside)
	}
	w.outside.setValue(outside)
}

// saturatedTotal returns a total as an int64, for a gauge.
func saturatedTotal(t money.Total) int64 {
	if big := t.Big(); big.IsInt64() {
		return big.Int64()
	}
	if t.Sign() < 0 {
		return math.MinInt64
	}
	return math.MaxInt64
}

// hashBits returns the part of a hash that a float64, the type of metrics, holds exactly.
func hashBits(hash hashchain.Hash) (bits int64) {
	for _, b := range hash[:6] {
		bits = bits<<8 | int64(b)
	}
	return bits
}

func oneIf(yes bool) int64 {
	if yes {
		return 1
	}
	return 0
}
