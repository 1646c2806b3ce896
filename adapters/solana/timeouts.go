package solana

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"time"

	"github.com/cenkalti/backoff/v5"
	"github.com/sony/gobreaker/v2"
)

// Timeouts sets how an overloaded or unreachable node is treated. The zero value of a field
// means its default.
type Timeouts struct {
	// Tries is the maximum number of attempts when the node or its gateway is too busy
	// (429, 502, 503, 504); default 3. Other failures are left to the caller to retry.
	Tries uint
	// Pause is the wait before the second attempt; it doubles before the third. Default 200
	// ms. A node's Retry-After takes precedence.
	Pause time.Duration
	// Longest bounds the sum of all pauses of one call; default 5 s. A call whose node asks
	// for more is not retried.
	Longest time.Duration
	// Jitter returns numbers in [0, 1) that shorten each pause by up to a half, so that
	// many services don't retry at the same moment. If nil, pauses are not shortened.
	Jitter func() float64 `json:"-"`
	// After BreakAfter failed calls in a row a node gets no call for BreakFor; default 10
	// calls, 10 s. Then one call tests whether it works again.
	BreakAfter uint32
	BreakFor   time.Duration
}

func (p Timeouts) withDefaults() Timeouts {
	if p.Tries == 0 {
		p.Tries = 3
	}
	if p.Pause == 0 {
		p.Pause = 200 * time.Millisecond
	}
	if p.Longest == 0 {
		p.Longest = 5 * time.Second
	}
	if p.BreakAfter == 0 {
		p.BreakAfter = 10
	}
	if p.BreakFor == 0 {
		p.BreakFor = 10 * time.Second
	}
	return p
}

// newBreaker stops calls to a node that failed too often. A cancelled call doesn't count.
func (p Timeouts) newBreaker() *gobreaker.CircuitBreaker[response] {
	return gobreaker.NewCircuitBreaker[response](gobreaker.Settings{
		Timeout:     p.BreakFor,
		ReadyToTrip: func(counts gobreaker.Counts) bool { return counts.ConsecutiveFailures >= p.BreakAfter },
		IsExcluded:  func(err error) bool { return errors.Is(err, context.Canceled) },
	})
}

// busy reports that a node, or its gateway, did not process a call.
type busy struct {
	status int
	after  time.Duration // the requested wait, 0 if not given
}

func (b *busy) Error() string { return fmt.Sprintf("HTTP status %d", b.status) }

// busyAnswer returns busy for an HTTP response of a busy node, else nil.
func busyAnswer(answered *http.Response) *busy {
	switch answered.StatusCode {
	case http.StatusTooManyRequests, http.StatusBadGateway, http.StatusServiceUnavailable, http.StatusGatewayTimeout:
	default:
		return nil
	}
	b := &busy{status: answered.StatusCode}
	// Retry-After dates are ignored: they would need a clock, and nodes send seconds.
	if seconds, err := strconv.ParseUint(answered.Header.Get("Retry-After"), 10, 16); err == nil {
		b.after = time.Duration(seconds) * time.Second
	}
	return b
}

// pauses is the sequence of pauses of one call.
type pauses struct {
	Timeouts
	next  time.Duration
	asked time.Duration // the pause that the node requested last
}

// Reset starts over with the first pause.
func (p *pauses) Reset() { p.next = p.Pause }

// NextBackOff returns the next pause, or backoff.Stop.
func (p *pauses) NextBackOff() time.Duration {
	pause := p.next
	p.next *= 2
	if p.Jitter != nil {
		pause -= time.Duration(float64(pause/2) * p.Jitter())
	}
	if pause = max(pause, p.asked); pause > p.Longest {
		return backoff.Stop
	}
	return pause
}

// postWithRetry posts a call, and again after a pause while the node is busy. While the
// node's breaker is open it returns an error.
func (c *client) postWithRetry(ctx context.Context, method string, params []any) (response, error) {
	answer, err := c.breaker.Execute(func() (response, error) {
		between := &pauses{Timeouts: c.timeouts}
		return backoff.Retry(ctx, func() (response, error) {
			answer, err := c.postOnce(ctx, method, params)
			if refused := (*busy)(nil); errors.As(err, &refused) {
				between.asked = refused.after
				return answer, err
			}
			if err != nil {
				err = backoff.Permanent(err)
			}
			return answer, err
		}, backoff.WithBackOff(between), backoff.WithMaxTries(c.timeouts.Tries), backoff.WithMaxElapsedTime(c.timeouts.Longest))
	})
	if errors.Is(err, gobreaker.ErrOpenState) || errors.Is(err, gobreaker.ErrTooManyRequests) {
		return answer, errors.New("the node failed too often: calls to it are suspended for a while")
	}
	return answer, err
}
