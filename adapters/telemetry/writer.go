package telemetry

import (
	"context"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/casino-service/casino/domain/bet"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/player"
	"github.com/casino-service/casino/ports"
)

// Writer is a ports.Writer that counts committed items: rounds, steps of withdrawals and
// deposits, and how long callers waited for their commit.
type Writer struct {
	next  ports.Writer
	clock ports.Clock

	took        *prometheus.HistogramVec
	rounds      *prometheus.CounterVec
	void        prometheus.Counter
	wagered     *prometheus.CounterVec
	paid        *prometheus.CounterVec
	withdrawals *prometheus.CounterVec
	deposits    *prometheus.CounterVec
}

var _ ports.Writer = (*Writer)(nil)

// Writer returns the writer with metrics. Call it once.
func (t *Telemetry) Writer(next ports.Writer, clock ports.Clock) (*Writer, error) {
	m := t.newMaker()
	w := &Writer{
		next: next, clock: clock,
		took:        m.newTimerVec("casino_writer_duration_seconds", "How long items waited for their commit, by outcome.", "outcome"),
		rounds:      m.newCounterVec("casino_rounds_total", "Rounds settled, by game.", "game"),
		void:        m.newCounter("casino_rounds_void_total", "Rounds whose draw failed: stake returned, seed pair retired."),
		wagered:     m.newCounterVec("casino_wagered_total", "Wagers of rounds, in base units of the token.", "token"),
		paid:        m.newCounterVec("casino_paid_total", "Payouts of rounds, in base units of the token.", "token"),
		withdrawals: m.newCounterVec("casino_withdrawals_total", "Changes of withdrawals, by the new status.", "status"),
		deposits:    m.newCounterVec("casino_deposits_total", "Changes of deposit claims, by the new status.", "status"),
	}
	return w, m.err()
}

// Commit commits the item and counts the result.
func (w *Writer) Commit(ctx context.Context, item player.Item) (player.Receipt, error) {
	begin := w.clock.Now()
	receipt, err := w.next.Commit(ctx, item)
	w.took.WithLabelValues(commitOutcome(receipt, err)).Observe(elapsedSince(w.clock, begin).Seconds())
	if err == nil && !receipt.Replayed {
		w.countChange(receipt.Change)
	}
	return receipt, err
}

// commitOutcome returns the label for an item's outcome, one of five.
func commitOutcome(receipt player.Receipt, err error) string {
	switch {
	case err == nil && receipt.Replayed:
		return "replayed"
	case err == nil:
		return "committed"
	}
	switch fault.KindOf(err) {
	case fault.Unavailable:
		return "unavailable"
	case fault.Internal:
		return "failed"
	default:
		return "refused"
	}
}

func (w *Writer) countChange(change player.Change) {
	if change.Round != nil {
		w.countRound(*change.Round)
	}
	if change.Withdrawal != nil {
		w.withdrawals.WithLabelValues(string(change.Withdrawal.Status)).Inc()
	}
	if change.Deposit != nil {
		w.deposits.WithLabelValues(string(change.Deposit.Status)).Inc()
	}
}

func (w *Writer) countRound(round bet.Round) {
	if round.Void {
		w.void.Inc()
		return
	}
	w.rounds.WithLabelValues(round.GameType).Inc()
	w.wagered.WithLabelValues(string(round.Token)).Add(float64(round.Wager))
	w.paid.WithLabelValues(string(round.Token)).Add(float64(round.Payout))
}

// Batches records metrics of the batches that a writer commits.
type Batches struct {
	clock  ports.Clock
	sizes  prometheus.Histogram
	took   prometheus.Histogram
	failed prometheus.Counter
}

// Batches returns the observer of a writer's batches. Call it once.
func (t *Telemetry) Batches(clock ports.Clock) (*Batches, error) {
	m := t.newMaker()
	b := &Batches{
		clock:  clock,
		sizes:  m.newSizeHistogram("casino_writer_batch_items", "Items in a batch.", 1, 2, 4, 8, 16, 32, 64, 128, 256),
		took:   m.newTimer("casino_writer_batch_duration_seconds", "How long batches took, from being formed to being answered."),
		failed: m.newCounter("casino_writer_batch_errors_total", "Batches that the database failed."),
	}
	return b, m.err()
}

// Batch records the start of a batch, and returns the function that records its end.
func (b *Batches) Batch(items int) func(error) {
	begin := b.clock.Now()
	b.sizes.Observe(float64(items))
	return func(err error) {
		b.took.Observe(elapsedSince(b.clock, begin).Seconds())
		if err != nil {
			b.failed.Inc()
		}
	}
}

// Queue exports how many items wait for a batch.
func (t *Telemetry) Queue(waiting func() int) error {
	m := t.newMaker()
	m.gaugeFunc("casino_writer_queue", "Items that wait for a batch.", func() int64 { return int64(waiting()) })
	return m.err()
}

// Limiter exports whether this instance counts requests alone because the shared limiter
// fails.
func (t *Telemetry) Limiter(alone func() bool) error {
	m := t.newMaker()
	m.gaugeFunc("casino_limiter_fallback", "1 while this instance counts requests alone because Redis fails.", func() int64 { return oneIf(alone()) })
	return m.err()
}
