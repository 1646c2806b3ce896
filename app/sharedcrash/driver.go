package sharedcrash

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/casino-service/casino/app/kernel"
	"github.com/casino-service/casino/domain/alarm"
	"github.com/casino-service/casino/domain/bet"
	"github.com/casino-service/casino/domain/crash"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/ports"
)

const (
	// DriverInterval is the pause between two looks at the clock.
	DriverInterval = 20 * time.Millisecond
	// leaseTerm is how long a driver has its lease, and within which another one takes over.
	// It is renewed each leaseEvery; other instances ask for it as often.
	leaseTerm  = 1200 * time.Millisecond
	leaseEvery = 300 * time.Millisecond
	// beaconEvery is the pause between two reads of the beacon's network, pausedEvery that
	// between two looks at a pause of play.
	beaconEvery = 250 * time.Millisecond
	pausedEvery = 500 * time.Millisecond
	// startAhead is the time between the commit of a start and the start, in which everyone
	// hears of it.
	startAhead = 500 * time.Millisecond
	// publishAfter is the time between the curve's end and its publication, by the driver's clock.
	// The clocks of two instances may differ by as much: who knows the point must not be able to
	// cash out at an instance whose clock is behind.
	publishAfter = 2 * ClockMost
	// beaconLate and roundStuck are the times after which an alarm is raised.
	beaconLate = time.Minute
	roundStuck = 2 * time.Minute
	// wayPointsEvery is the distance of a new chain's way points.
	wayPointsEvery = 10_000
	// leftAgain is the pause between two settlements of bets that can't be settled.
	leftAgain = 10 * time.Minute
)

// Driver drives the rounds while it has the lease. Each instance runs one, in one goroutine.
// All that decides is in the rows: what a driver remembers only saves reads.
type Driver struct {
	c     *Service
	fence int64 // of its lease, 0 without one
	// leased is when the lease was last asked for, until its end by this clock.
	leased, until time.Time
	// round is the round as this driver's last change left it, nil if it must be read.
	round *crash.Round
	chain crash.Commitment
	// next is the moment before which there is nothing to do, moved when the round last moved.
	next, moved time.Time
	// stuck is what the alarm about rounds that don't move was raised about, "" for none.
	stuck string
	// left are the moments from which on rounds are settled again of which only bets are left that
	// can't be settled: their rows were changed, or a balance can't hold the payout.
	left map[bet.Shared]time.Time
	// settling is the round of which bets up to the id after were left, "" for none.
	settling bet.Shared
	after    string
}

// Driver returns a driver.
func (c *Service) Driver() *Driver { return &Driver{c: c, left: map[bet.Shared]time.Time{}} }

// DriverWorker returns the worker that drives the rounds.
func (c *Service) DriverWorker() kernel.Worker {
	return kernel.Worker{Name: kernel.CrashWorker, Interval: DriverInterval, RestMax: restMax, Step: c.Driver().Step}
}

// Step makes one change of a round, if it is time to.
func (d *Driver) Step(ctx context.Context) (worked bool, err error) {
	d.c.core.Progress.Began(kernel.CrashWorker)
	now := d.c.core.Now()
	if has, err := d.lease(ctx, now); !has || err != nil {
		return false, err
	}
	if now.Before(d.next) && d.next.Sub(now) < roundStuck {
		return false, nil
	}
	d.next = time.Time{}
	if worked, err = d.drive(ctx, now); err != nil {
		d.round = nil
		if errors.Is(err, ports.ErrCrashFenced) {
			d.fence, err = 0, nil
		}
	}
	d.watch(ctx, now, worked)
	return worked, err
}

// lease gets or renews the lease. It doesn't while this instance's clock is off.
func (d *Driver) lease(ctx context.Context, now time.Time) (has bool, err error) {
	if since := now.Sub(d.leased); since >= 0 && since < leaseEvery {
		return d.fence > 0 && now.Before(d.until), nil
	}
	d.leased = now
	off, err := d.c.clockIsOff(ctx)
	if off || err != nil {
		d.until = now // a lease that it has is of no use
		return false, err
	}
	lease, has, err := d.c.core.Store.CrashLease.LeaseCrash(ctx, d.c.instance, d.fence, now, leaseTerm)
	if err != nil {
		return false, err
	}
	if !has {
		d.fence, d.round = 0, nil
		return false, nil
	}
	if lease.Fence != d.fence {
		d.fence, d.round, d.moved, d.next = lease.Fence, nil, now, time.Time{}
	}
	d.until = now.Add(leaseTerm)
	return true, nil
}

// Leads reports whether the driver had the lease at its last step.
func (d *Driver) Leads() bool { return d.fence > 0 }

// watch raises and clears the alarm about a round that doesn't move. Neither a pause of play nor
// a missing beacon is its reason, and a curve may rise for minutes.
func (d *Driver) watch(ctx context.Context, now time.Time, worked bool) {
	about := "driver"
	if d.round != nil {
		about = fmt.Sprintf("%s/%d", d.round.Chain, d.round.Number)
	}
	waits := now.Before(d.next) && (d.round == nil || d.round.Status == crash.Closed || d.round.Status == crash.Flying)
	switch {
	case (worked || waits) && d.stuck != "":
		d.c.core.Alarms.Over(ctx, alarm.CrashStuck, d.stuck)
		d.stuck = ""
	case worked || waits:
	case now.Sub(d.moved) > roundStuck+d.c.rules.Betting:
		d.stuck = about
		d.c.core.Alarms.Raise(ctx, alarm.CrashStuck, about, "since", d.moved.Format(time.RFC3339))
	}
	if worked {
		d.moved = now
	}
}

// change commits the next state of the round.
func (d *Driver) change(ctx context.Context, decide func(r crash.Round) (crash.Round, error)) (bool, error) {
	var made crash.Round
	err := d.c.core.Store.CrashRounds.ChangeCrashRound(ctx, d.fence, d.round.Chain, d.round.Number, func(_ int64, now *crash.Round) (ports.CrashChange, error) {
		if now == nil {
			return ports.CrashChange{}, fault.New(fault.NotFound, "crash round %d is gone", d.round.Number)
		}
		next, err := decide(*now)
		made = next
		return ports.CrashChange{Round: next, At: d.c.core.Now()}, err
	})
	if err != nil {
		return false, err
	}
	d.round = &made
	return true, nil
}

// drive makes the next change of the newest round.
func (d *Driver) drive(ctx context.Context, now time.Time) (bool, error) {
	if d.round == nil {
		if found, err := d.find(ctx); err != nil || !found {
			return d.open(ctx, now, err)
		}
	}
	switch r := *d.round; r.Status {
	case crash.Betting:
		return d.close(ctx, now)
	case crash.Closed:
		if r.Salt == "" {
			return d.reveal(ctx, now)
		}
		return d.change(ctx, func(r crash.Round) (crash.Round, error) { return r.Start(d.c.core.Now().Add(startAhead)) })
	case crash.Flying:
		return d.crash(ctx, now)
	default:
		return d.settle(ctx)
	}
}

// find reads the round to drive: the oldest that isn't settled, or a cancelled one whose stakes
// are not all returned.
func (d *Driver) find(ctx context.Context) (found bool, err error) {
	chains, err := d.c.core.Store.CrashChains.CrashChains(ctx)
	if err != nil {
		return false, err
	}
	left, err := d.c.core.Store.CrashRounds.OpenCrashRounds(ctx)
	if err != nil {
		return false, err
	}
	for _, chain := range chains {
		last, err := d.c.core.Store.CrashRounds.CrashRounds(ctx, chain.Chain, 0, 1)
		if err != nil {
			return false, err
		}
		if len(last) > 0 && last[0].Status == crash.Cancelled {
			bets, err := d.c.core.Store.CrashBets.CrashBets(ctx, bet.Shared{Chain: chain.Chain, Number: last[0].Number}, "", 1)
			if err != nil {
				return false, err
			}
			if len(bets) > 0 {
				left = append(left, last[0])
			}
		}
	}
	for _, r := range left {
		if d.c.core.Now().Before(d.left[sharedOf(r)]) {
			continue
		}
		for _, chain := range chains {
			if chain.Chain == r.Chain {
				d.round, d.chain = &r, chain
				return true, nil
			}
		}
	}
	return false, nil
}

// open opens the next round, on a new chain if the last one has none left.
func (d *Driver) open(ctx context.Context, now time.Time, failed error) (bool, error) {
	if failed != nil {
		return false, failed
	}
	state, err := d.c.core.Store.Controls.State(ctx)
	if err != nil {
		return false, err
	}
	if state.PausedFor(crash.GameType, "") != nil {
		d.next = now.Add(pausedEvery)
		return false, nil //nolint:nilerr // a pause is no failure
	}
	chain, last, err := d.nextChain(ctx, state.Epoch)
	if err != nil {
		return false, err
	}
	if chain == nil {
		return d.newChain(ctx, state.Epoch)
	}
	d.chain = *chain
	number := int64(1)
	if last != nil {
		number = last.Number + 1
	}
	d.round = &crash.Round{Chain: d.chain.Chain, Number: number}
	var opened crash.Round
	err = d.c.core.Store.CrashRounds.ChangeCrashRound(ctx, d.fence, d.chain.Chain, number, func(epoch int64, there *crash.Round) (ports.CrashChange, error) {
		if there != nil {
			return ports.CrashChange{}, fault.New(fault.InvalidState, "crash round %d was opened already", number)
		}
		at := d.c.core.Now()
		opened, err = crash.NextRound(d.chain, epoch, last, d.c.rules.Cap, at)
		return ports.CrashChange{Round: opened, At: at}, err
	})
	if err != nil {
		return false, err
	}
	d.round = &opened
	return true, nil
}

// close stops the betting when it is time to, and then commits to the bets.
func (d *Driver) close(ctx context.Context, now time.Time) (bool, error) {
	if closes := d.c.closesAt(*d.round); !d.round.Stopped && now.Before(closes) && closes.Sub(now) <= d.c.rules.Betting {
		d.next = closes
		return false, nil
	}
	// Another driver may have stopped the bets without waiting for the last commits of them.
	if _, err := d.change(ctx, crash.Round.Stop); err != nil {
		return false, err
	}
	bets, err := d.bets(ctx, *d.round)
	if err != nil {
		return false, err
	}
	seen, err := d.c.beacons.NewestHeight(ctx)
	if err != nil {
		return false, err
	}
	return d.change(ctx, func(r crash.Round) (crash.Round, error) { return r.Close(d.chain.Beacon, seen, bets) })
}

// betsAtOnce is how many bets are read and settled together.
const betsAtOnce = 256

// bets reads all bets on a round.
func (d *Driver) bets(ctx context.Context, r crash.Round) (all []crash.Bet, err error) {
	err = d.c.eachOpen(ctx, r, func(some []bet.Open) error {
		for _, open := range some {
			placed, _, err := crash.BetOf(open)
			if err != nil { // the others are played
				d.c.raiseForged(ctx, open)
				continue
			}
			all = append(all, placed)
		}
		return nil
	})
	return all, err
}

// eachOpen calls visit with all bets on a round that have no result, some at once.
func (c *Service) eachOpen(ctx context.Context, r crash.Round, visit func([]bet.Open) error) error {
	on := bet.Shared{Chain: r.Chain, Number: r.Number}
	for after := ""; ; {
		some, err := c.core.Store.CrashBets.CrashBets(ctx, on, after, betsAtOnce)
		if err != nil || len(some) == 0 {
			return err
		}
		if err := visit(some); err != nil {
			return err
		}
		after = some[len(some)-1].ID
	}
}

// reveal waits for the round's beacon, or for the proof that it never comes.
func (d *Driver) reveal(ctx context.Context, now time.Time) (bool, error) {
	d.next = now.Add(beaconEvery)
	about := fmt.Sprintf("%s/%d", d.round.Chain, d.round.Number)
	if now.Sub(d.moved) > beaconLate {
		d.c.core.Alarms.Raise(ctx, alarm.CrashBeaconLate, about, "height", d.round.Height)
	}
	beacon, found, err := d.c.beacons.FirstBeacon(ctx, d.round.Height)
	if err != nil || !found {
		return false, err
	}
	hash, err := d.c.secret(ctx, *d.round)
	if err != nil {
		return false, err
	}
	d.next = time.Time{}
	d.c.core.Alarms.Over(ctx, alarm.CrashBeaconLate, about)
	return d.change(ctx, func(r crash.Round) (crash.Round, error) {
		if d.chain.Beacon.CheckAbsent(r.Height, beacon) == nil {
			return r.Cancel(d.chain.Beacon, beacon, hash)
		}
		return r.Reveal(d.chain.Beacon, beacon)
	})
}

// crash ends the curve when it is time to.
func (d *Driver) crash(ctx context.Context, now time.Time) (bool, error) {
	hash, err := d.c.secret(ctx, *d.round)
	if err != nil {
		return false, err
	}
	ends, err := d.round.EndsAt(hash)
	if err != nil {
		return false, err
	}
	if published := ends.Add(publishAfter); now.Before(published) && !d.round.Recovered {
		d.next = published
		return false, nil
	}
	d.c.answers.mu.Lock()
	d.c.answers.note(now)
	d.c.answers.mu.Unlock()
	return d.change(ctx, func(r crash.Round) (crash.Round, error) { return r.Crash(hash, d.c.core.Now()) })
}

// settle ends the taking of cash-outs, and gives a batch of bets their results. The round ends
// when none is left.
func (d *Driver) settle(ctx context.Context) (bool, error) {
	if d.round.Status == crash.Crashed {
		if begun, err := d.beginSettlement(ctx); !begun || err != nil {
			return false, err
		}
	}
	on := sharedOf(*d.round)
	if on != d.settling {
		d.settling, d.after = on, ""
	}
	some, err := d.c.core.Store.CrashBets.CrashBets(ctx, on, d.after, betsAtOnce)
	if err != nil {
		return false, err
	}
	if len(some) > 0 {
		left, err := d.c.settleAll(ctx, *d.round, some)
		if left > 0 || d.after != "" { // they stay as they are: go on with the bets after them
			d.after = some[len(some)-1].ID
		}
		return true, err
	}
	if d.after != "" { // the round stays open for those that are left
		d.left[on], d.round, d.after = d.c.core.Now().Add(leftAgain), nil, ""
		return true, nil
	}
	if d.round.Status == crash.Crashed {
		if _, err := d.change(ctx, func(r crash.Round) (crash.Round, error) { return r.Finish(0) }); err != nil {
			return false, err
		}
	}
	d.round = nil
	return true, nil
}

// beginSettlement ends the taking of cash-outs, once all instances have answered those received in
// time.
func (d *Driver) beginSettlement(ctx context.Context) (begun bool, err error) {
	now := d.c.core.Now()
	var drained time.Time
	if !d.round.Paying {
		found := false
		if drained, found, err = d.c.core.Store.CrashLease.CrashDrained(ctx, now); err != nil {
			return false, err
		}
		if !found { // this instance's own report, at least, will come
			d.next = now.Add(AnswersInterval / 2)
			return false, nil
		}
	}
	_, err = d.change(ctx, func(r crash.Round) (crash.Round, error) {
		if r.Paying { // another driver may have begun it without waiting for the last cash-outs
			return r, nil
		}
		return r.BeginSettlement(drained)
	})
	if fault.Is(err, fault.InvalidState) && !errors.Is(err, ports.ErrCrashFenced) {
		d.next = now.Add(AnswersInterval / 2)
		return false, nil
	}
	return err == nil, err
}

// closesAt is when the betting of a round ends.
func (c *Service) closesAt(r crash.Round) time.Time { return r.OpenedAt.Add(c.rules.Betting) }
