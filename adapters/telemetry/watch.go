package telemetry

import (
	"context"
	"errors"
	"math"
	"sync/atomic"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/metric"

	"github.com/casino-service/casino/app"
	"github.com/casino-service/casino/domain/figure"
	"github.com/casino-service/casino/domain/hashchain"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/ports"
)

// WatchInterval is how long to rest between two steps of a Watch.
const WatchInterval = 5 * time.Second

// Watched is what a Watch reads. Every function is required.
type Watched struct {
	OperationsStatus func(context.Context) (app.OperationsStatus, error)
	// ChainHead returns the chain's newest finalized slot and when its block was made.
	ChainHead func(context.Context) (slot uint64, made time.Time, err error)
	Health    func() app.Report
	// Returns returns the newest returns of all games.
	Returns func() []app.GameReturn
	Clock   ports.Clock
}

// Watch exports what must be watched: open withdrawals, solvency, the ledger's balance,
// the heads of the hash chains, the chain's lag and the state of each dependency. Its
// Step is for one goroutine.
type Watch struct {
	watched Watched
	looked  atomic.Int64 // Unix milliseconds of the last complete step

	failed                                     metric.Int64Counter
	open, oldest                               metric.Int64Gauge
	deliveries, deliveriesOldest, wins         metric.Int64Gauge
	liabilities, bankroll, imbalance, treasury metric.Int64Gauge
	surplus, treasuryKnown                     metric.Int64Gauge
	difference, reconciled                     metric.Int64Gauge
	head, headTag                              metric.Int64Gauge
	slot, lag, up                              metric.Int64Gauge
	indexSlot, indexAge, foreign               metric.Int64Gauge
	actual, theoretical, margin, outside       metric.Int64Gauge
}

// Watch returns a watch that has exported nothing yet. Call it once.
func (t *Telemetry) Watch(watched Watched) (*Watch, error) {
	m := t.make()
	inSeconds := metric.WithUnit("s")
	w := &Watch{
		watched:          watched,
		failed:           m.counter("casino.watch.errors", "Steps of the watch that could not read everything."),
		open:             m.gauge("casino.withdrawals.open", "Open withdrawals, by status; 1000 means as many or more."),
		oldest:           m.gauge("casino.withdrawals.oldest", "How long the withdrawal of a status that changed least recently has been in it.", inSeconds),
		deliveries:       m.gauge("casino.routes.open", "Open deliveries to agents' sites, by status; of the 1000 oldest."),
		deliveriesOldest: m.gauge("casino.routes.oldest", "How long ago the oldest delivery of a status began.", inSeconds),
		wins:             m.gauge("casino.wins.waiting", "Wins of third-party games that wait for an admin, by reason; of the 100 newest."),
		liabilities:      m.gauge("casino.liabilities", "What is owed to players, in base units of the token."),
		bankroll:         m.gauge("casino.bankroll", "The operator's own money, in base units of the token."),
		imbalance:        m.gauge("casino.ledger.imbalance", "The sum over all accounts of a token, in base units: anything but 0 is a broken ledger."),
		treasury:         m.gauge("casino.treasury", "What the treasury holds on chain when last known, in base units of the token."),
		surplus:          m.gauge("casino.treasury.surplus", "Treasury less liabilities when last known, in base units of the token."),
		difference:       m.gauge("casino.treasury.difference", "What the treasury holds beyond what book and parked transactions explain, in base units; negative when it holds less."),
		reconciled:       m.gauge("casino.treasury.reconciled", "1 while chain and book agree, up to payouts in flight."),
		indexSlot:        m.gauge("casino.treasury.index.slot", "The finalized slot up to which everything that the treasury signed is known."),
		indexAge:         m.gauge("casino.treasury.index.age", "How old that slot's block is; payouts wait while it is over a minute.", inSeconds),
		foreign:          m.gauge("casino.treasury.foreign", "Transactions that the treasury signed and nobody accounted for; at most 100 are counted."),
		treasuryKnown:    m.gauge("casino.treasury.known", "1 while it is known what the treasury holds on chain."),
		head:             m.gauge("casino.ledger.head", "The number of the newest block of a lane of the hash chain."),
		headTag:          m.gauge("casino.ledger.head_tag", "The first 48 bits of the newest block's hash, to tell it from another block of the same number."),
		slot:             m.gauge("casino.chain.slot", "The newest finalized slot that the node knows."),
		lag:              m.gauge("casino.chain.lag", "How old that slot's block is.", inSeconds),
		up:               m.gauge("casino.dependency.up", "1 while the dependency works."),
		actual:           m.gauge("casino.rtp.actual", "What a game paid of what was wagered in 30 days, in millionths."),
		theoretical:      m.gauge("casino.rtp.theoretical", "What a game should pay of it by its rules, in millionths."),
		margin:           m.gauge("casino.rtp.margin", "How far apart casino.rtp.actual and casino.rtp.theoretical may be by chance, in millionths; 0 while that is unknown."),
		outside:          m.gauge("casino.rtp.outside", "How many games differ by more than the margin."),
	}
	w.looked.Store(watched.Clock.Now().UnixMilli())
	m.asked("casino.watch.age", "How long ago everything was last read.", func() int64 {
		return int64(since(watched.Clock, time.UnixMilli(w.looked.Load())).Seconds())
	}, inSeconds)
	w.failed.Add(context.Background(), 0)
	return w, m.err()
}

// Step reads and exports once. What can't be read keeps its last value and is part of
// the error.
func (w *Watch) Step(ctx context.Context) (worked bool, err error) {
	seen, overseeErr := w.watched.OperationsStatus(ctx)
	w.show(ctx, seen)
	slot, made, headErr := w.watched.ChainHead(ctx)
	if headErr == nil {
		w.slot.Record(ctx, int64(min(slot, math.MaxInt64)))
		w.lag.Record(ctx, int64(since(w.watched.Clock, made).Seconds()))
	}
	for name, check := range w.watched.Health().Checks {
		if check.Status != app.Disabled {
			w.up.Record(ctx, oneIf(check.Status == app.OK), metric.WithAttributes(attribute.String("dependency", name)))
		}
	}
	w.showReturns(ctx)
	if err := errors.Join(overseeErr, headErr); err != nil {
		w.failed.Add(ctx, 1)
		return false, err
	}
	w.looked.Store(w.watched.Clock.Now().UnixMilli())
	return false, nil
}

func (w *Watch) show(ctx context.Context, seen app.OperationsStatus) {
	for _, open := range seen.Withdrawals {
		status := metric.WithAttributes(attribute.String("status", string(open.Status)))
		w.open.Record(ctx, int64(open.Count), status)
		w.oldest.Record(ctx, int64(open.Oldest.Seconds()), status)
	}
	for _, open := range seen.Deliveries {
		status := metric.WithAttributes(attribute.String("status", string(open.Status)))
		w.deliveries.Record(ctx, int64(open.Count), status)
		w.deliveriesOldest.Record(ctx, int64(open.Oldest.Seconds()), status)
	}
	for _, open := range seen.Wins {
		w.wins.Record(ctx, int64(open.Count), metric.WithAttributes(attribute.String("reason", string(open.Reason))))
	}
	for _, t := range seen.Tokens {
		token := metric.WithAttributes(attribute.String("token", string(t.Token)), attribute.String("symbol", t.Symbol))
		w.liabilities.Record(ctx, saturated(t.Liabilities), token)
		w.bankroll.Record(ctx, saturated(t.Bankroll), token)
		w.imbalance.Record(ctx, saturated(t.Imbalance), token)
		w.treasuryKnown.Record(ctx, oneIf(t.Treasury != nil), token)
		if t.Treasury == nil {
			continue
		}
		w.treasury.Record(ctx, int64(t.Treasury.Holding), token)
		w.surplus.Record(ctx, saturated(money.TotalOf(t.Treasury.Holding).Sub(t.Treasury.Liabilities())), token)
		w.difference.Record(ctx, saturated(t.Treasury.Difference()), token)
		w.reconciled.Record(ctx, oneIf(t.Treasury.Reconciled()), token)
	}
	if seen.Index != nil {
		age := int64(math.MaxInt32) // until the whole history was read once
		if seen.Index.Slot > 0 {
			age = int64(since(w.watched.Clock, seen.Index.At).Seconds())
		}
		w.indexSlot.Record(ctx, int64(min(seen.Index.Slot, math.MaxInt64)))
		w.indexAge.Record(ctx, age)
		w.foreign.Record(ctx, int64(seen.Foreign))
	}
	for _, head := range seen.Heads {
		lane := metric.WithAttributes(attribute.Int("lane", head.Lane))
		w.head.Record(ctx, head.Seq, lane)
		w.headTag.Record(ctx, tag(head.Hash), lane)
	}
}

func (w *Watch) showReturns(ctx context.Context) {
	outside := int64(0)
	for _, r := range w.watched.Returns() {
		game := metric.WithAttributes(attribute.String("source", r.Source), attribute.String("game", r.Game),
			attribute.String("token", string(r.Token)))
		w.actual.Record(ctx, r.Actual, game)
		w.theoretical.Record(ctx, r.Theoretical, game)
		w.margin.Record(ctx, r.Margin, game)
		outside += oneIf(r.Verdict == figure.Outside)
	}
	w.outside.Record(ctx, outside)
}

// saturated is a total as a gauge can show it.
func saturated(t money.Total) int64 {
	if big := t.Big(); big.IsInt64() {
		return big.Int64()
	}
	if t.Sign() < 0 {
		return math.MinInt64
	}
	return math.MaxInt64
}

// tag is as much of a hash as a float64, the type of metrics, holds exactly.
func tag(hash hashchain.Hash) (bits int64) {
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
