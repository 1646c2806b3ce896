package conformance

import (
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/casino-service/casino/domain/crash"
	"github.com/casino-service/casino/ports"
)

// CrashLease is the suite of ports.CrashLease.
func CrashLease(t *testing.T, newStore func(t *testing.T) Store, shows ...Fault) {
	run(t, newStore, shows, crashLeaseCases)
}

var crashLeaseCases = []story{
	{"a worker has the lease until its end, and each new holder a greater fence", Rows, func(b *bench) {
		const term = 2 * time.Second
		lease := func(worker string, fence int64, want crash.Lease, wants bool) {
			b.Helper()
			at := b.now()
			if wants {
				want.Until = at.Add(term)
			}
			got, has, err := b.LeaseCrash(background, worker, fence, at, term)
			b.ok(err)
			b.fatalIf(has != wants, "%s with %d has it: %v, %+v", worker, fence, has, got)
			b.same(worker, got, want)
		}
		var now crash.Lease
		holds := func(worker string, fence, next int64) {
			b.Helper()
			now = crash.Lease{Worker: worker, Fence: next, Until: b.clock.Now().Add(time.Millisecond + term)}
			lease(worker, fence, now, true)
		}
		holds("one", 0, 1)
		lease("two", 0, now, false)
		lease("two", 1, now, false) // another's fence
		lease("one", 0, now, false) // another process of the same name
		b.reopen()
		b.clock.Advance(term / 2)
		holds("one", 1, 1) // renewed
		b.clock.Advance(term / 2)
		lease("two", 0, now, false)
		b.clock.Advance(term / 2)
		holds("two", 0, 2)
		lease("one", 1, now, false)
		b.clock.Advance(term)
		holds("two", 2, 3) // it had ended
		b.same("ended", b.leased("two", 3, 0), int64(3))
		holds("one", 1, 4)
	}},
	{"the store's own clock counts", Logic, func(b *bench) {
		if b.Follow == nil {
			return // the suite's other cases give it the present
		}
		b.leased("one", 0, time.Second)
		late := b.now().Add(time.Hour)
		_, has, err := b.LeaseCrash(background, "two", 0, late, time.Second)
		b.errorIf(has || err != nil, "a worker whose clock is ahead took it: %v", err)
		b.ok(b.ReportDrained(background, "one", late, late, time.Second))
		_, found, err := b.CrashDrained(background, late)
		b.errorIf(!found || err != nil, "a report ended early: %v", err)
		b.clock.Advance(time.Second)
		_, found, err = b.CrashDrained(background, b.clock.Now().Add(-time.Hour))
		b.errorIf(found || err != nil, "a report of an instance whose clock is ahead counts: %v", err)
	}},
	{"a worker that lost the lease changes nothing, even if the new one has done nothing yet", Rows, func(b *bench) {
		c := b.shared(25)
		r := c.plays(1, opens)
		b.leased("worker", c.fence, 0)
		b.ok(c.change(1, crash.StopBets)) // its lease has ended, and nobody has another
		fence := b.leased("another", 0, time.Hour)
		before := b.snapshot()
		for what, number := range map[string]int64{"its round": 1, "a new one": 2} {
			err := b.ChangeCrashRound(background, c.fence, r.Chain, number, func(int64, *crash.Round) (ports.CrashChange, error) {
				b.Error("it was decided on")
				return ports.CrashChange{}, errors.New("decided")
			})
			b.errorIf(!errors.Is(err, ports.ErrCrashFenced), "%s: %v", what, err)
		}
		c.fence = fence + 1
		b.errorIf(!errors.Is(c.change(1, crash.CloseBets), ports.ErrCrashFenced), "a fence that nobody has")
		b.same("everything", b.snapshot(), before)
		c.fence = fence
		b.ok(c.change(1, crash.CloseBets))
	}},
	{"of workers at once no two have a lease of one fence, and none changes a round with an earlier one", Races, func(b *bench) {
		c := b.shared(25)
		c.plays(1, opens)
		b.leased("worker", c.fence, 0)
		var newest atomic.Int64
		var holders sync.Map
		atOnce(6, func(i int) {
			worker, fence := fmt.Sprint("worker ", i%3), int64(0) // two processes of each name
			for range 15 {
				lease, has, err := b.LeaseCrash(background, worker, fence, b.now(), 3*time.Millisecond)
				b.check(err)
				if has {
					if other, there := holders.LoadOrStore(lease.Fence, i); there && other != i {
						b.Errorf("%d and %v have fence %d", i, other, lease.Fence)
					}
					fence = lease.Fence
					for before := newest.Load(); before < fence && !newest.CompareAndSwap(before, fence); before = newest.Load() {
					}
				}
				own := fence
				err = b.ChangeCrashRound(background, own, c.published.Chain, 1, func(_ int64, now *crash.Round) (ports.CrashChange, error) {
					b.errorIf(newest.Load() > own, "a worker with fence %d decides after one with %d", own, newest.Load())
					return ports.CrashChange{Round: *now, At: b.clock.Now()}, nil
				})
				b.errorIf(err != nil && !errors.Is(err, ports.ErrCrashFenced), "%v", err)
			}
		})
		b.errorIf(newest.Load() < 3, "the lease moved only to fence %d", newest.Load())
	}},
	{"the earliest of the newest reports counts, until the term of each", Rows, func(b *bench) {
		at := b.now()
		drained := func(want time.Time, wants bool) {
			b.Helper()
			got, found, err := b.CrashDrained(background, b.clock.Now())
			b.ok(err)
			b.errorIf(found != wants || !got.Equal(want), "%v, %v, want %v", got, found, want)
		}
		report := func(instance string, ago, term time.Duration) time.Time {
			moment := at.Add(-ago)
			b.ok(b.ReportDrained(background, instance, moment, b.clock.Now(), term))
			return moment
		}
		drained(time.Time{}, false)
		one := report("one", time.Minute, 2*time.Second)
		drained(one, true)
		report("two", time.Second, 4*time.Second)
		drained(one, true)
		b.reopen()
		drained(one, true)
		two := report("two", time.Hour, 4*time.Second) // its clock was set back
		drained(two, true)
		two = report("two", 0, 4*time.Second)
		drained(one, true)
		b.clock.Advance(2 * time.Second)
		drained(two, true)
		b.leased("another", 0, time.Second) // what has ended is forgotten
		drained(two, true)
		b.clock.Advance(2 * time.Second)
		drained(time.Time{}, false)
	}},
}
