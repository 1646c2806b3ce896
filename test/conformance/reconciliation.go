package conformance

import (
	"sync/atomic"
	"testing"
	"time"

	"github.com/casino-service/casino/domain/fault"
)

// Reconciliations is the suite of ports.Reconciliations.
func Reconciliations(t *testing.T, newStore func(t *testing.T) Store, shows ...Fault) {
	run(t, newStore, shows, reconciliationsCases)
}

var reconciliationsCases = []story{
	{"the end of what was compared is moved from where it was found", Rows, func(b *bench) {
		b.fails(fault.NotFound, errorOf(b.Reconciled(background, connection)), "at first")
		one, two := b.now(), b.now().Add(time.Hour+time.Microsecond)
		b.fails(fault.InvalidState, b.AdvanceReconciled(background, connection, one, two), "from an end that isn't there")
		b.advanceReconciled(connection, time.Time{}, one)
		b.advanceReconciled("other", time.Time{}, two)
		b.advanceReconciled(connection, one, two)
		b.same("the end", must(b.Reconciled(background, connection))(b), two)
		for _, from := range []time.Time{{}, one, two.Add(time.Microsecond)} {
			b.fails(fault.InvalidState, b.AdvanceReconciled(background, connection, from, two.Add(time.Hour)), "from ", from)
		}
		b.same("the end", must(b.Reconciled(background, connection))(b), two)
		b.same("the other's", must(b.Reconciled(background, "other"))(b), two)
	}},
	{"of two concurrent comparisons one moves the end", Races, func(b *bench) {
		end := time.Time{}
		for range 5 {
			next := b.now().Add(time.Hour)
			if !end.IsZero() {
				next = end.Add(time.Hour)
			}
			var moved atomic.Int32
			atOnce(4, func(int) {
				switch err := b.AdvanceReconciled(background, connection, end, next); {
				case err == nil:
					moved.Add(1)
				case !fault.Is(err, fault.InvalidState):
					b.Error(err)
				}
			})
			b.same("comparisons that moved the end", moved.Load(), 1)
			end = next
		}
	}},
	{"the end of what was compared outlives reopening", Rows, func(b *bench) {
		end := b.now()
		b.advanceReconciled(connection, time.Time{}, end)
		b.reopen()
		b.same("the end", must(b.Reconciled(background, connection))(b), end)
	}},
}

func (b *bench) advanceReconciled(connection string, from, to time.Time) {
	b.Helper()
	b.ok(b.AdvanceReconciled(background, connection, from, to))
}
