package events

import (
	"context"
	"errors"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/stream"
	"github.com/casino-service/casino/domain/wallet"
)

// shows is what somebody may see of an event.
type shows func(context.Context, stream.Event) (stream.Event, bool, error)

// Listener hears events from a place on, each once and in order. It is for one goroutine,
// and must be closed.
type Listener struct {
	from   *broadcast
	filter stream.Filter
	// owner is who listens, empty for an embedder. checks say why the owner may hear nothing
	// more, doubted says that they have to be made, and changed that they have to be made
	// because of an event.
	owner            wallet.Address
	checks           []func(context.Context) error
	doubted, changed atomic.Bool
	// show returns an event as whoever listens may see it, and false for none of theirs.
	show shows
	// unseen are events that were taken and not yet looked at.
	unseen []stream.Event
	// begun is the place that it began at.
	begun stream.Cursor
	// at is the place after them, or where there are none after what Next returned last.
	at stream.Cursor
	// reads says that the listener reads for itself: it has not caught up yet.
	reads bool

	news    chan struct{}
	mu      sync.Mutex
	waiting []stream.Event
	// behind says that more came than may wait.
	behind bool
}

// addEvent has an event wait for the listener, who is to be woken.
func (l *Listener) addEvent(e *stream.Event) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.behind || len(l.waiting) >= waitingMax {
		l.waiting, l.behind = nil, true
		return
	}
	l.waiting = append(l.waiting, *e)
}

// fallBehind drops what waits: the listener reads it for itself.
func (l *Listener) fallBehind() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.waiting, l.behind = nil, true
}

func (l *Listener) wakeUp() {
	select {
	case l.news <- struct{}{}:
	default: // it is woken already
	}
}

// takeWaiting takes what waits; behind says that some of it was dropped.
func (l *Listener) takeWaiting() (some []stream.Event, behind bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	some, behind = l.waiting, l.behind
	l.waiting, l.behind = nil, false
	return some, behind
}

// Until adds a check of whether the owner may hear more, before the first Next: that makes it,
// and every one after an event by which the owner's session or role may have changed.
func (l *Listener) Until(check func(context.Context) error) {
	l.checks = append(l.checks, check)
	l.doubted.Store(true) // what changed before the listener was there woke nobody
}

// Confirm returns why the owner may hear nothing more, nil for no reason.
func (l *Listener) Confirm(ctx context.Context) error {
	for _, check := range l.checks {
		if err := check(ctx); err != nil {
			return err
		}
	}
	return nil
}

const (
	// confirmTime is how long the checks may take after an event by which the owner's session
	// or role may have changed, and confirmPause is between two that could not be made.
	confirmTime  = 900 * time.Millisecond
	confirmPause = 100 * time.Millisecond
)

// confirmAccess makes the checks where they have to be made. Of a session that ended its owner
// hears that, and nothing else.
func (l *Listener) confirmAccess(ctx context.Context) error {
	if !l.doubted.Swap(false) {
		return nil
	}
	changed := l.changed.Swap(false)
	err := l.confirmInTime(ctx)
	if err == nil {
		return nil
	}
	l.doubted.Store(true)
	if changed {
		l.changed.Store(true)
		if Unreadable(err) && !errors.Is(ctx.Err(), context.Canceled) {
			return fault.New(fault.Forbidden, "session or role changed, and what it is now can't be read: connect again")
		}
	}
	if fault.Is(err, fault.InvalidToken) {
		l.unseen = slices.DeleteFunc(l.unseen, func(e stream.Event) bool { return e.Type != stream.SessionEnded || e.Wallet != l.owner })
		if len(l.unseen) > 0 {
			return nil
		}
	}
	return err
}

// confirmInTime makes the checks until they can be made, for confirmTime at most: a deadline
// of ctx, which may come at any moment, doesn't end them.
func (l *Listener) confirmInTime(ctx context.Context) error {
	bounded, cancel := context.WithTimeout(context.WithoutCancel(ctx), confirmTime)
	defer cancel()
	defer context.AfterFunc(ctx, func() {
		if errors.Is(ctx.Err(), context.Canceled) {
			cancel()
		}
	})()
	for {
		err := l.Confirm(bounded)
		if !Unreadable(err) {
			return err
		}
		select {
		case <-time.After(confirmPause):
		case <-bounded.Done():
			return err
		}
	}
}

// Unreadable reports whether an error of a Listener says that something could not be read
// now: the next call goes on. Any other one ends it.
func Unreadable(err error) bool {
	return fault.Is(err, fault.Unavailable) || errors.Is(err, context.DeadlineExceeded)
}

// Next returns the next events, at least one. It waits for them until ctx ends, whose
// error it returns then. An error loses nothing: the next call goes on. Where the owner may
// hear nothing more it is that of the check, and Forbidden where that may be because of an
// event and can't be found out within a second.
func (l *Listener) Next(ctx context.Context) ([]stream.Event, error) {
	for {
		if len(l.unseen) == 0 {
			some, err := l.takeNow(ctx)
			if err != nil {
				return nil, err
			}
			l.unseen = some
		}
		if err := l.confirmAccess(ctx); err != nil {
			return nil, err
		}
		if some, err := l.takeVisible(ctx); err != nil || len(some) > 0 {
			return some, err
		}
		if l.reads || l.doubted.Load() {
			continue
		}
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-l.news:
		}
	}
}

// takeNow returns what there is, which may be nothing.
func (l *Listener) takeNow(ctx context.Context) ([]stream.Event, error) {
	if l.reads {
		page, err := l.from.events.After(ctx, l.at, l.filter, eventsAtOnce)
		if err != nil {
			return nil, err
		}
		l.at, l.reads = page.Next, page.More
		return page.Events, nil
	}
	waited, behind := l.takeWaiting()
	if behind {
		l.reads = true
		return nil, ctx.Err()
	}
	some := waited[:0]
	for _, e := range waited {
		if l.at.Passed(&e) {
			continue // it was read already
		}
		l.at = l.at.Later(e.Cursor)
		e.Cursor = l.at
		some = append(some, e)
	}
	return some, nil
}

// takeVisible takes what may be seen of the events that are unseen. Where that can't be found out
// of one, it and those after it stay unseen, and the error is for the call that begins with it.
func (l *Listener) takeVisible(ctx context.Context) (seen []stream.Event, err error) {
	seen = make([]stream.Event, 0, len(l.unseen))
	for i, e := range l.unseen {
		shown, may, err := l.show(ctx, e)
		if err != nil {
			if l.unseen = l.unseen[i:]; len(seen) > 0 {
				return seen, nil
			}
			return nil, err
		}
		if may {
			seen = append(seen, shown)
		}
	}
	l.unseen = nil
	return seen, nil
}

// Begun is the place after which the listener hears everything: whoever has heard nothing
// yet goes on there.
func (l *Listener) Begun() stream.Cursor { return l.begun }

// Close ends the listener.
func (l *Listener) Close() { l.from.removeListener(l) }
