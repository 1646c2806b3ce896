package sharedcrash

import (
	"cmp"
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
	// newsPause is the least pause between news of bets and newsPauseMax the greatest. Each news
	// are written to every listener's connection, so the pause has newsEach for each listener.
	// Changes of the round are passed on at once.
	newsPause, newsPauseMax = 200 * time.Millisecond, time.Second
	newsEach                = 500 * time.Microsecond
)

// view passes changes on to listeners.
type view struct {
	// tapping guards listening, the number of listeners, and stop, which ends the tap of events.
	// It is locked before the locks of package events, and mu after them.
	tapping   sync.Mutex
	listening int
	stop      func()

	mu        sync.Mutex
	listeners map[*Listener]struct{}
	// held are news of bets that wait for the end of a pause since sent.
	held *News
	sent time.Time

	reading sync.Mutex // of last
	last    Snapshot
	// reads counts the reads of snapshots, and began is the number of the one that read last.
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
	// round is the newest round that Next returned. A snapshot may be newer than the events that
	// are passed on after it.
	round crash.Round
}

// Listen returns what everyone may know now, and a listener of what changes from then on. A
// bet may be both in the snapshot and in the news. It needs EventsWorker.
func (c *Service) Listen(ctx context.Context) (Snapshot, *Listener, error) {
	l := &Listener{of: c, woken: make(chan struct{}, 1)}
	v := &c.view
	if err := c.startTap(ctx); err != nil {
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

// startTap adds a listener, and the tap for the first one.
func (c *Service) startTap(ctx context.Context) error {
	v := &c.view
	v.tapping.Lock()
	defer v.tapping.Unlock()
	if v.listening == 0 {
		stop, err := c.events.Tap(ctx, c.publish)
		if err != nil {
			return err
		}
		v.stop = stop
	}
	v.listening++
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
	if v.listening--; v.listening == 0 {
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
			left, missing := l.unknown(next)
			if missing {
				l.add(nil)
			} else if left != nil {
				return left, nil
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
// left. It reports as missing the opening of a round with bets in the news: events of different
// wallets and rounds may be read in another order than they were committed in.
func (l *Listener) unknown(n *News) (left *News, missing bool) {
	made := *n
	if n.Round != nil {
		if precedes(*n.Round, l.round) {
			made.Round, made.ClosesAt = nil, time.Time{}
		} else {
			l.round = *n.Round
		}
	}
	made.Bets = betsSince(l.round, n.Bets)
	switch {
	case slices.ContainsFunc(made.Bets, func(b PublicBet) bool { return compareRounds(b.Round, sharedOf(l.round)) > 0 }):
		return nil, true
	case made.Round == n.Round && len(made.Bets) == len(n.Bets):
		return n, false
	case made.Round == nil && len(made.Bets) == 0:
		return nil, false
	}
	return &made, false
}

func sharedOf(r crash.Round) bet.Shared { return bet.Shared{Chain: r.Chain, Number: r.Number} }

// compareRounds compares the order in which two rounds were opened. Ids of chains sort by the
// time at which they were made.
func compareRounds(a, b bet.Shared) int {
	return cmp.Or(cmp.Compare(a.Chain, b.Chain), cmp.Compare(a.Number, b.Number))
}

// precedes reports whether a round is an earlier one than another, or in an earlier state.
func precedes(r, other crash.Round) bool {
	if order := compareRounds(sharedOf(r), sharedOf(other)); order != 0 {
		return order < 0
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

// betsSince returns the bets that are on a round or a later one.
func betsSince(r crash.Round, some []PublicBet) []PublicBet {
	earlier := func(b PublicBet) bool { return compareRounds(b.Round, sharedOf(r)) < 0 }
	if !slices.ContainsFunc(some, earlier) {
		return some
	}
	return slices.DeleteFunc(slices.Clone(some), earlier)
}

// add queues news. Nil makes the listener read a snapshot instead.
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

// publish passes the news in a page of events to all listeners, those of bets after a pause since
// the last ones.
func (c *Service) publish(some []stream.Event) {
	news, lost := c.newsOf(some)
	if news == nil && !lost {
		return
	}
	v := &c.view
	v.mu.Lock()
	defer v.mu.Unlock()
	if lost {
		v.held = nil
		for l := range v.listeners {
			l.add(nil)
		}
		return
	}
	if v.held != nil {
		news.Bets = slices.Concat(v.held.Bets, news.Bets)
		if news.Round != nil {
			news.Bets = betsSince(*news.Round, news.Bets)
		}
	}
	v.held = news
	v.send(news.Now, news.Round != nil)
}

// send passes on the held news if it is time to, or at once. The caller holds mu.
func (v *view) send(now time.Time, atOnce bool) {
	pause := min(max(newsPause, time.Duration(len(v.listeners))*newsEach), newsPauseMax)
	if since := now.Sub(v.sent); v.held == nil || !atOnce && since >= 0 && since < pause {
		return
	}
	for l := range v.listeners {
		l.add(v.held)
	}
	v.held, v.sent = nil, now
}

// newsOf returns the news in a page of events, nil for none. lost reports that listeners need a
// snapshot: a bet can't be shown, or a restore has lost earlier events.
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
		made.Bets = betsSince(*made.Round, made.Bets)
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
			if shown, err := c.public(open); err == nil { // a changed row isn't shown: its alarm is the driver's
				made.Bets = append(made.Bets, shown)
			}
		}
		return nil
	})
	if err != nil {
		return Snapshot{}, err
	}
	c.view.last, c.view.began = made, began
	return made, nil
}
