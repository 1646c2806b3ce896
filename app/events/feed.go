package events

import (
	"context"
	"sync"
	"time"

	"github.com/casino-service/casino/ports"
)

// FeedRate is how many bets a second the public feed shows: where more are played it
// shows the newest.
const FeedRate = 20

// feed chooses the bets that everybody may see as they are played, once for all who look.
type feed struct {
	clock ports.Clock

	mu sync.Mutex
	// shown is when the newest bets were shown, at most FeedRate of them.
	shown []time.Time
	// held are the newest bets that wait to be shown.
	held     []PublicBet
	watchers map[*FeedListener]struct{}
}

func newFeed(clock ports.Clock) *feed {
	return &feed{clock: clock, watchers: map[*FeedListener]struct{}{}}
}

func (f *feed) watched() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return len(f.watchers) > 0
}

// add holds bets until they may be shown, and only the newest of them.
func (f *feed) add(bets []PublicBet) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.held = newest(append(f.held, bets...), FeedRate)
}

// show shows as many of the newest as may be by now.
func (f *feed) show() {
	now := f.clock.Now()
	f.mu.Lock()
	defer f.mu.Unlock()
	for len(f.shown) > 0 && (now.Sub(f.shown[0]) >= time.Second || now.Before(f.shown[0])) {
		f.shown = f.shown[1:]
	}
	room := FeedRate - len(f.shown)
	if room == 0 || len(f.held) == 0 {
		return
	}
	bets := newest(f.held, room)
	f.held = nil
	for range bets {
		f.shown = append(f.shown, now)
	}
	for l := range f.watchers {
		l.put(bets)
	}
}

// newest leaves the last n.
func newest[T any](of []T, n int) []T { return of[max(0, len(of)-n):] }

// FeedListener sees bets as they are played. It is for one goroutine, and must be closed.
type FeedListener struct {
	from    *broadcast
	news    chan struct{}
	mu      sync.Mutex
	waiting []PublicBet
}

func (l *FeedListener) put(bets []PublicBet) {
	l.mu.Lock()
	l.waiting = newest(append(l.waiting, bets...), FeedRate)
	l.mu.Unlock()
	select {
	case l.news <- struct{}{}:
	default:
	}
}

// Next returns the next bets, at least one, oldest first. It waits for them until ctx
// ends, whose error it returns then. Whoever asks seldom gets the newest.
func (l *FeedListener) Next(ctx context.Context) ([]PublicBet, error) {
	for {
		l.mu.Lock()
		bets := l.waiting
		l.waiting = nil
		l.mu.Unlock()
		if len(bets) > 0 {
			return bets, nil
		}
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-l.news:
		}
	}
}

// Close ends the listener.
func (l *FeedListener) Close() { l.from.leave(l) }
