package telemetry

import (
	"context"

	"go.opentelemetry.io/otel/metric"

	"github.com/casino-service/casino/domain/bet"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/player"
	"github.com/casino-service/casino/ports"
)

// Writer is a ports.Writer that counts what is committed through it: rounds, steps of
// withdrawals and deposits, and how long callers waited for their commit.
type Writer struct {
	next  ports.Writer
	clock ports.Clock

	took        metric.Float64Histogram
	rounds      metric.Int64Counter
	void        metric.Int64Counter
	wagered     metric.Int64Counter
	paid        metric.Int64Counter
	withdrawals metric.Int64Counter
	deposits    metric.Int64Counter

	outcome, game, token, status labels
}

var _ ports.Writer = (*Writer)(nil)

// Writer returns the writer, counted. Call it once.
func (t *Telemetry) Writer(next ports.Writer, clock ports.Clock) (*Writer, error) {
	m := t.make()
	w := &Writer{
		next: next, clock: clock,
		outcome: labels{name: "outcome"}, game: labels{name: "game"}, token: labels{name: "token"}, status: labels{name: "status"},
		took:        m.timer("casino.writer.duration", "How long items waited for their commit, by outcome."),
		rounds:      m.counter("casino.rounds", "Rounds settled, by game."),
		void:        m.counter("casino.rounds.void", "Rounds whose draw failed: stake returned, seed pair retired."),
		wagered:     m.counter("casino.wagered", "What was wagered, in base units of the token."),
		paid:        m.counter("casino.paid", "What rounds paid, in base units of the token."),
		withdrawals: m.counter("casino.withdrawals", "Changes of withdrawals, by the new status."),
		deposits:    m.counter("casino.deposits", "Changes of deposit claims, by the new status."),
	}
	w.void.Add(context.Background(), 0)
	return w, m.err()
}

// Commit commits the item and counts the result.
func (w *Writer) Commit(ctx context.Context, item player.Item) (player.Receipt, error) {
	begin := w.clock.Now()
	receipt, err := w.next.Commit(ctx, item)
	w.took.Record(ctx, since(w.clock, begin).Seconds(), w.outcome.of(outcome(receipt, err)))
	if err == nil && !receipt.Replayed {
		w.count(ctx, receipt.Change)
	}
	return receipt, err
}

// outcome is what became of an item, one of five values.
func outcome(receipt player.Receipt, err error) string {
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

func (w *Writer) count(ctx context.Context, change player.Change) {
	if change.Round != nil {
		w.countRound(ctx, *change.Round)
	}
	if change.Withdrawal != nil {
		w.withdrawals.Add(ctx, 1, w.status.of(string(change.Withdrawal.Status)))
	}
	if change.Deposit != nil {
		w.deposits.Add(ctx, 1, w.status.of(string(change.Deposit.Status)))
	}
}

func (w *Writer) countRound(ctx context.Context, round bet.Round) {
	if round.Void {
		w.void.Add(ctx, 1)
		return
	}
	w.rounds.Add(ctx, 1, w.game.of(round.GameType))
	token := w.token.of(string(round.Token))
	w.wagered.Add(ctx, int64(round.Wager), token)
	w.paid.Add(ctx, int64(round.Payout), token)
}

// Batches is the metrics of the batches that a writer commits.
type Batches struct {
	clock  ports.Clock
	sizes  metric.Int64Histogram
	took   metric.Float64Histogram
	failed metric.Int64Counter
}

// Batches returns the observer of a writer's batches. Call it once.
func (t *Telemetry) Batches(clock ports.Clock) (*Batches, error) {
	m := t.make()
	b := &Batches{
		clock:  clock,
		sizes:  m.sizes("casino.writer.batch.items", "Items in a batch.", 1, 2, 4, 8, 16, 32, 64, 128, 256),
		took:   m.timer("casino.writer.batch.duration", "How long batches took, from being formed to being answered."),
		failed: m.counter("casino.writer.batch.errors", "Batches that the database failed."),
	}
	b.failed.Add(context.Background(), 0)
	return b, m.err()
}

// Batch records a batch that begins, and returns what records its end.
func (b *Batches) Batch(items int) func(error) {
	begin, ctx := b.clock.Now(), context.Background()
	b.sizes.Record(ctx, int64(items))
	return func(err error) {
		b.took.Record(ctx, since(b.clock, begin).Seconds())
		if err != nil {
			b.failed.Add(ctx, 1)
		}
	}
}

// Queue shows how many items wait for a batch.
func (t *Telemetry) Queue(waiting func() int) error {
	m := t.make()
	m.asked("casino.writer.queue", "Items that wait for a batch.", func() int64 { return int64(waiting()) })
	return m.err()
}

// Limiter shows whether this instance counts requests alone because the shared limiter
// fails.
func (t *Telemetry) Limiter(alone func() bool) error {
	m := t.make()
	m.asked("casino.limiter.fallback", "1 while this instance counts requests alone because Redis fails.", func() int64 {
		if alone() {
			return 1
		}
		return 0
	})
	return m.err()
}

func observe(read func() int64) metric.Int64Callback {
	return func(_ context.Context, to metric.Int64Observer) error {
		to.Observe(read())
		return nil
	}
}
