package conformance

import (
	"testing"
	"time"
)

// StoreClock is the suite of ports.StoreClock.
func StoreClock(t *testing.T, newStore func(t *testing.T) Store, shows ...Fault) {
	run(t, newStore, shows, storeClockCases)
}

var storeClockCases = []story{
	{"the present is that of the store's own clock", Rows, func(b *bench) {
		if b.Follow == nil {
			b.same("a store without a clock", must(b.StoreTime(background))(b), time.Time{})
			return
		}
		now := b.clock.Now().UTC().Truncate(time.Microsecond)
		for _, off := range []time.Duration{0, time.Microsecond, -3 * time.Hour, 48 * time.Hour} {
			b.Follow(standing{now.Add(off)})
			if got := must(b.StoreTime(background))(b); !got.Equal(now.Add(off)) {
				b.Errorf("%s from now: %s, want %s", off, got, now.Add(off))
			}
		}
	}},
}
