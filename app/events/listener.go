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

// eventFilter returns the visible part of an event, and false if it must not be shown.
type eventFilter func(context.Context, stream.Event) (stream.Event, bool, error)

// Listener gets the events after a cursor, each once and in order. It is for one goroutine,
// and must be closed.
type Listener struct {
	from   *broadcast
	filter stream.Filter
	// owner is the listening wallet, empty for an embedder. checks return an error if the
	// owner may get no more events. doubted means that they must be made, changed that an
	// event is the reason.
	owner            wallet.Address
	checks           []func(context.Context) error
	doubted, changed atomic.Bool
	// show returns the part of an event that the owner may see, or false.
	show eventFilter
	// unseen are received events that show has not been called for.
	unseen []stream.Event
	// begun is the cursor at which the listener began.
	begun stream.Cursor
	// at is the cursor after unseen, or after the last result of Next if unseen is empty.
	at stream.Cursor
	// reads means that the listener reads for itself, because it hasn't caught up.
	reads bool

	news    chan struct{}
	mu      sync.Mutex
	waiting []stream.Event
	// behind means that more events came than may wait.
	behind bool
}

// addEvent queues an event. The caller wakes the listener.
func (l *Listener) addEvent(e *stream.Event) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.behind || len(l.waiting) >= waitingMax {
		l.waiting, l.behind = nil, true
		return
	}
	l.waiting = append(l.waiting, *e)
}

// fallBehind drops the queued events; the listener then reads for itself.
func (l *Listener) fallBehind() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.waiting, l.behind = nil, true
}

func (l *Listener) wakeUp() {
	select {
	case l.news <- struct{}{}:
	default: // a wake-up is already pending
	}
}

// takeWaiting returns the queued events; behind reports whether some were dropped.
func (l *Listener) takeWaiting() (some []stream.Event, behind bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	some, behind = l.waiting, l.behind
	l.waiting, l.behind = nil, false
	return some, behind
}

// Until adds a check of whether the owner may get more events. Call it before the first
// Next, which makes the check; so does every Next after the owner's session or role may
// have changed.
func (l *Listener) Until(check func(context.Context) error) {
	l.checks = append(l.checks, check)
	l.doubted.Store(true) // changes before the listener was added woke nothing
}

// Confirm returns the reason why the owner may get no more events, or nil.
func (l *Listener) Confirm(ctx context.Context) error {
	for _, check := range l.checks {
		if err := check(ctx); err != nil {
			return err
		}
	}
	return nil
}

const (
	// confirmTime is the timeout of the checks after an event that may have changed the
	// owner's session or role, and confirmPause the pause between two attempts.
	confirmTime  = 900 * time.Millisecond
	confirmPause = 100 * time.Millisecond
)

// confirmAccess makes the checks if they are due. After the end of a session, its owner
// gets only that event.
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
			return fault.New(fault.Forbidden, "the session or role changed and can't be read now: connect again")
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

// confirmInTime makes the checks until they succeed or fail, for at most confirmTime. A
// deadline of ctx, which may come at any moment, doesn't end them.
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

// Unreadable reports whether an error of a Listener means that a read failed for now, so
// that the next call continues. Any other error ends the listener.
func Unreadable(err error) bool {
	return fault.Is(err, fault.Unavailable) || errors.Is(err, context.DeadlineExceeded)
}

// Next returns the next events, at least one. It waits until ctx ends, and then returns its
// error. An error loses no event: the next call continues. If the owner may get no more
// events, it returns the error of the check, or Forbidden if an event may be the reason and
// the check can't be made within a second.
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

// takeNow returns the available events, which may be none.
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
			continue // it was already read
		}
		l.at = l.at.Later(e.Cursor)
		e.Cursor = l.at
		some = append(some, e)
	}
	return some, nil
}

// takeVisible returns the visible parts of the unseen events. If show fails for one, that
// event and later ones stay unseen; the error is returned by the call that begins with it.
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

// Begun returns the cursor at which the listener began. A client that got no event yet
// continues there.
func (l *Listener) Begun() stream.Cursor { return l.begun }

// Close removes the listener.
func (l *Listener) Close() { l.from.removeListener(l) }
