package sharedcrash

import (
	"context"
	"slices"
	"sync"
	"time"

	"github.com/casino-service/casino/domain/bet"
	"github.com/casino-service/casino/domain/crash"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/stream"
)

// Snapshot is what everyone may know of the shared crash at a moment.
type Snapshot struct {
	Chain crash.Commitment
	// Round is the newest round. It has no secret.
	Round crash.Round
	// ClosesAt is when its betting ends.
	ClosesAt time.Time
	// Bets are those without a result, in the order of their ids.
	Bets []PublicBet
	// Now is the moment by this instance's clock.
	Now time.Time
}

// PublicBet is a bet on a round, without the player's wallet.
type PublicBet struct {
	ID     string
	Player string // a pseudonym, as in events.PublicBet
	Round  bet.Shared
	Token  money.Token
	Wager  money.Amount
	// Auto is the automatic cash-out, Out the cash-out by hand, both in hundredths. Out is 0
	// without one.
	Auto, Out uint64
	// Result is nil for a bet without one.
	Result *PublicResult
}

// News is what changed of a Snapshot. It is shared by all listeners, and never modified.
type News struct {
	// Whole is set if the listener missed something: then the news are a whole snapshot.
	Whole *Snapshot
	// Round is nil if it is as before.
	Round    *crash.Round
	ClosesAt time.Time
	// Bets are new, or have a new Out.
	Bets []PublicBet
	Now  time.Time
}

const (
	// newsMax is how many news may wait for a listener; one further behind gets a snapshot.
	newsMax = 64
	// snapshotFresh is the maximum age of a snapshot for callers that don't listen.
	snapshotFresh = 200 * time.Millisecond
)

// view tells listeners what changes.
type view struct {
	// tapping guards heard, the number of listeners that need the tap, and stop, which ends it.
	// It is locked before the locks of events, and mu after them.
	tapping sync.Mutex
	heard   int
	stop    func()

	mu        sync.Mutex
	listeners map[*Listener]struct{}

	reading sync.Mutex // of last
	last    Snapshot
	// began is the moment at which the reading of last began, counted by reads.
	began uint64
	reads uint64
}

// Listener gets the news of the shared crash. It is for one goroutine, and must be closed.
type Listener struct {
	of     *Service
	mu     sync.Mutex
	wait   []*News
	missed bool
	woken  chan struct{}
	// round is the newest that the listener was told of. Events may be told after a snapshot
	// that knows more.
	round crash.Round
}

// Listen returns what everyone may know now, and a listener of what changes from then on. A
// bet may be both in the snapshot and in the news. It needs EventsWorker.
func (c *Service) Listen(ctx context.Context) (Snapshot, *Listener, error) {
	l := &Listener{of: c, woken: make(chan struct{}, 1)}
	v := &c.view
	if err := c.beginHearing(ctx); err != nil {
		return Snapshot{}, nil, err
	}
	v.mu.Lock()
	v.listeners[l] = struct{}{}
	v.mu.Unlock()
	now, err := c.snapshotAfter(ctx)
	if err != nil {
		l.Close()
		return Snapshot{}, nil, err
	}
	l.round = now.Round
	return now, l, nil
}

// beginHearing adds a listener to those that need the tap.
func (c *Service) beginHearing(ctx context.Context) error {
	v := &c.view
	v.tapping.Lock()
	defer v.tapping.Unlock()
	if v.heard == 0 {
		stop, err := c.events.Tap(ctx, c.hear)
		if err != nil {
			return err
		}
		v.stop = stop
	}
	v.heard++
	return nil
}

// Close ends the listener.
func (l *Listener) Close() {
	v := &l.of.view
	v.mu.Lock()
	_, listens := v.listeners[l]
	delete(v.listeners, l)
	v.mu.Unlock()
	v.tapping.Lock()
	defer v.tapping.Unlock()
	if !listens {
		return
	}
	if v.heard--; v.heard == 0 {
		v.stop()
	}
}

// Next returns the next news. It waits until ctx ends, and then returns its error.
func (l *Listener) Next(ctx context.Context) (*News, error) {
	for {
		l.mu.Lock()
		missed := l.missed
		var next *News
		switch {
		case missed:
			l.wait, l.missed = nil, false
		case len(l.wait) > 0:
			next, l.wait = l.wait[0], l.wait[1:]
		}
		l.mu.Unlock()
		if missed {
			now, err := l.of.snapshotAfter(ctx)
			if err != nil {
				l.add(nil)
				return nil, err
			}
			l.round = now.Round
			return &News{Whole: &now, Now: now.Now}, nil
		}
		if next != nil {
			if next = l.unknown(next); next != nil {
				return next, nil
			}
			continue
		}
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-l.woken:
		}
	}
}

// unknown returns the news without what is older than what the listener knows, nil if nothing is
// left.
func (l *Listener) unknown(n *News) *News {
	left := *n
	if n.Round != nil {
		if precedes(*n.Round, l.round) {
			left.Round, left.ClosesAt = nil, time.Time{}
		} else {
			l.round = *n.Round
		}
	}
	left.Bets = betsOn(l.round, n.Bets)
	switch {
	case left.Round == n.Round && len(left.Bets) == len(n.Bets):
		return n
	case left.Round == nil && len(left.Bets) == 0:
		return nil
	}
	return &left
}

// precedes reports whether a round is an earlier one than another, or in an earlier state.
func precedes(r, other crash.Round) bool {
	if r.Chain != other.Chain || r.Number != other.Number {
		return r.OpenedAt.Before(other.OpenedAt)
	}
	known := func(r crash.Round) (n int) {
		for _, is := range []bool{r.Stopped, r.Salt != "", r.Paying} {
			if is {
				n++
			}
		}
		return n + slices.Index(crash.Statuses(), r.Status)
	}
	return known(r) < known(other)
}

// betsOn returns the bets that are on a round.
func betsOn(r crash.Round, some []PublicBet) []PublicBet {
	others := func(b PublicBet) bool { return b.Round != bet.Shared{Chain: r.Chain, Number: r.Number} }
	if !slices.ContainsFunc(some, others) {
		return some
	}
	return slices.DeleteFunc(slices.Clone(some), others)
}

// add adds news, nil for some that can't be told.
func (l *Listener) add(n *News) {
	l.mu.Lock()
	switch {
	case n == nil || len(l.wait) == newsMax:
		l.wait, l.missed = nil, true
	case !l.missed:
		l.wait = append(l.wait, n)
	}
	l.mu.Unlock()
	select {
	case l.woken <- struct{}{}:
	default: // a wake-up is already pending
	}
}

// hear tells all listeners what a page of events says.
func (c *Service) hear(some []stream.Event) {
	told, lost := c.newsOf(some)
	if told == nil && !lost {
		return
	}
	c.view.mu.Lock()
	defer c.view.mu.Unlock()
	for l := range c.view.listeners {
		l.add(told)
	}
}

// newsOf returns the news in a page of events, nil for none; lost reports that they can't be
// told, or that earlier ones were lost with blocks.
func (c *Service) newsOf(some []stream.Event) (n *News, lost bool) {
	made := News{Now: c.core.Now()}
	for i := range some {
		e := &some[i]
		switch data := e.Data.(type) {
		case stream.CrashRound:
			made.Round, made.ClosesAt = &data.Round, c.closesAt(data.Round)
			n = &made
		case stream.Open:
			if !data.IsShared() {
				continue
			}
			shown, err := c.public(data.Open)
			if err != nil {
				return nil, true
			}
			made.Bets = append(made.Bets, shown)
			n = &made
		}
		if e.Type == stream.LedgerRestored {
			return nil, true
		}
	}
	if made.Round != nil { // a page may begin with bets on the round before
		made.Bets = betsOn(*made.Round, made.Bets)
	}
	return n, false
}

// public returns the public part of a bet.
func (c *Service) public(o bet.Open) (PublicBet, error) {
	placed, out, err := crash.BetOf(o)
	if err != nil {
		return PublicBet{}, err
	}
	shown := PublicBet{ID: o.ID, Round: o.Shared, Token: o.Token, Wager: o.Wager, Auto: placed.Auto}
	if out != nil {
		shown.Out = out.Multiplier
	}
	shown.Player, err = c.events.Pseudonym(o.Wallet, o.OpenedAt)
	return shown, err
}

// Snapshot returns what everyone may know now, at most snapshotFresh old. It is NotFound before
// the first round.
func (c *Service) Snapshot(ctx context.Context) (Snapshot, error) {
	c.view.reading.Lock()
	defer c.view.reading.Unlock()
	if since := c.core.Now().Sub(c.view.last.Now); c.view.last.Round.Number > 0 && since >= 0 && since < snapshotFresh {
		return c.view.last, nil
	}
	return c.readSnapshot(ctx)
}

// snapshotAfter returns a snapshot that was read after the call began. Callers that wait for the
// same reading share the next one.
func (c *Service) snapshotAfter(ctx context.Context) (Snapshot, error) {
	c.view.mu.Lock()
	asked := c.view.reads
	c.view.mu.Unlock()
	c.view.reading.Lock()
	defer c.view.reading.Unlock()
	if c.view.last.Round.Number > 0 && c.view.began > asked {
		return c.view.last, nil
	}
	return c.readSnapshot(ctx)
}

// readSnapshot reads a snapshot. The caller holds view.reading.
func (c *Service) readSnapshot(ctx context.Context) (Snapshot, error) {
	c.view.mu.Lock()
	c.view.reads++
	began := c.view.reads
	c.view.mu.Unlock()
	now, err := c.newestRound(ctx, 0)
	if err != nil {
		return Snapshot{}, err
	}
	made := Snapshot{Chain: now.chain, Round: now.round, ClosesAt: c.closesAt(now.round), Bets: []PublicBet{}, Now: c.core.Now()}
	err = c.eachOpen(ctx, now.round, func(some []bet.Open) error {
		for _, open := range some {
			shown, err := c.public(open)
			if err != nil {
				return err
			}
			made.Bets = append(made.Bets, shown)
		}
		return nil
	})
	if err != nil {
		return Snapshot{}, err
	}
	c.view.last, c.view.began = made, began
	return made, nil
}
