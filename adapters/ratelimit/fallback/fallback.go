// Package fallback counts requests with a limiter shared by all instances. When that one
// fails, it continues with the instance's own windows.
//
// Commands import it for wiring; all other code uses ports.Limiter.
package fallback

import (
	"context"
	"fmt"
	"sync/atomic"
	"time"

	"github.com/sony/gobreaker/v2"

	"github.com/casino-service/casino/adapters/ratelimit/local"
	"github.com/casino-service/casino/domain/limit"
	"github.com/casino-service/casino/ports"
)

// State says which windows decide.
type State uint32

// The states.
const (
	// Shared: both the shared windows and the instance's own have to admit.
	Shared State = iota
	// Alone: only the instance's own windows decide, because the shared limiter
	// failed several times.
	Alone
)

// String names the state.
func (s State) String() string {
	if s == Alone {
		return "alone"
	}
	return "shared"
}

// The defaults of Options.
const (
	// Timeout is how long a request waits for the shared limiter.
	Timeout = 150 * time.Millisecond
	// Rest is how long the shared limiter is not called after it failed.
	Rest = time.Second
)

// failuresMax failures in a row, or half of at least halfOf requests within
// failureWindow, open the breaker.
const (
	failuresMax   = 3
	halfOf        = 10
	failureWindow = 10 * time.Second
)

// Options are settings; zero fields mean the defaults.
type Options struct {
	// Timeout bounds each request to the shared limiter.
	Timeout time.Duration
	// Rest is how long it is not called once the breaker has opened. Then one request at a
	// time tests whether it works again.
	Rest time.Duration
	// Changed is called with every change of the state and its cause, for a warning. It
	// must return at once and must not call the limiter.
	Changed func(state State, cause error)
	// Decided is called for each request that the instance decided alone, for a counter. It
	// must return at once and must not call the limiter.
	Decided func(cause error)
}

var _ ports.Limiter = (*Limiter)(nil)

// Limiter admits a request if both its own window and the shared one do. Both always count.
// So however the shared one fails (down, silent, slow, wrong, emptied), this instance
// admits no more than the rule in any window; while it works, all instances together admit
// no more.
//
// It is safe for concurrent use and never fails. A request waits for the shared limiter no
// longer than the time-out, and doesn't wait while the breaker is open.
type Limiter struct {
	own     *local.Limiter
	shared  ports.Limiter
	options Options
	breaker *gobreaker.CircuitBreaker[limit.Decision]
	state   atomic.Uint32
	cause   atomic.Pointer[error] // of the latest failure
}

// New returns a limiter over the instance's own windows and the shared ones. The shared
// limiter must return when its context ends.
func New(own *local.Limiter, shared ports.Limiter, options Options) *Limiter {
	if options.Timeout == 0 {
		options.Timeout = Timeout
	}
	if options.Rest == 0 {
		options.Rest = Rest
	}
	l := &Limiter{own: own, shared: shared, options: options}
	l.breaker = gobreaker.NewCircuitBreaker[limit.Decision](gobreaker.Settings{
		Name: "shared limiter", MaxRequests: 1, Interval: failureWindow, Timeout: options.Rest,
		ReadyToTrip: func(counts gobreaker.Counts) bool {
			return counts.ConsecutiveFailures >= failuresMax ||
				counts.Requests >= halfOf && counts.TotalFailures*2 >= counts.Requests
		},
		OnStateChange: func(_ string, _, to gobreaker.State) { l.followBreaker(to) },
	})
	return l
}

// Take admits or refuses one request under the key. Admitted requests count, refused
// ones don't: in any window of rule.Window at most rule.Max are admitted. The instance's
// own place is taken first and given back when the shared window is full, so that
// concurrent requests can't exceed the rule when the shared limiter fails meanwhile.
func (l *Limiter) Take(ctx context.Context, key string, rule limit.Rule) (limit.Decision, error) {
	place, own := l.own.Reserve(key, rule)
	if !own.Allowed {
		return own, nil
	}
	shared, err := l.askShared(ctx, key, rule)
	switch {
	case err != nil:
		if l.options.Decided != nil {
			l.options.Decided(err)
		}
		return own, nil
	case !shared.Allowed:
		place.Cancel()
		return shared, nil
	}
	own.Remaining = min(own.Remaining, shared.Remaining)
	return own, nil
}

// State returns which windows decide, for a gauge.
func (l *Limiter) State() State { return State(l.state.Load()) }

// checked is the key that Check counts under; it never limits a request.
const checked = "check"

var checkRule = limit.Rule{Max: 1, Window: time.Millisecond}

// Check returns nil if the shared limiter works, else its error. A probe that calls it
// every few seconds notices an outage and its end without other traffic.
func (l *Limiter) Check(ctx context.Context) error {
	_, err := l.askShared(ctx, checked, checkRule)
	return err
}

// askShared calls the shared limiter, unless the breaker is open. The call outlives the
// caller's context: a client that hangs up early must not count as a failure, nor cost a
// connection.
func (l *Limiter) askShared(ctx context.Context, key string, rule limit.Rule) (limit.Decision, error) {
	decision, err := l.breaker.Execute(func() (limit.Decision, error) {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), l.options.Timeout)
		defer cancel()
		decision, err := l.shared.Take(ctx, key, rule)
		if err != nil {
			l.cause.Store(&err)
		}
		return decision, err
	})
	if err != nil {
		return decision, fmt.Errorf("the shared limiter: %w", err)
	}
	return decision, nil
}

// followBreaker follows the breaker: the state is Alone from the moment it opens until a
// request has succeeded.
func (l *Limiter) followBreaker(to gobreaker.State) {
	state := Alone
	if to == gobreaker.StateClosed {
		state = Shared
	}
	if State(l.state.Swap(uint32(state))) == state || l.options.Changed == nil {
		return
	}
	var cause error
	if latest := l.cause.Load(); latest != nil && state == Alone {
		cause = *latest
	}
	l.options.Changed(state, cause)
}
