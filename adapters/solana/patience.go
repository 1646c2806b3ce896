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

// Timeouts says how a node that is overloaded or away is treated. The zero value
// of a field means the default beside it.
type Timeouts struct {
	// Tries is how often a call is made in all when the node answers that it is too
	// busy for it or its gateway is (429, 502, 503, 504): 3. What else goes wrong is
	// for the caller to try again.
	Tries uint
	// Pause comes before the second try, and twice as much before the third:
	// 200 ms. A node that says how long to wait (Retry-After) is obeyed.
	Pause time.Duration
	// Longest is how long all pauses of one call may be together: 5 s. A node that
	// asks for more gets no second try.
	Longest time.Duration
	// Jitter returns numbers from 0 to below 1 that shorten each pause by up to a
	// half, so that many services don't come back at the same moment. Without it
	// pauses are whole.
	Jitter func() float64 `json:"-"`
	// BreakAfter is after how many failed calls in a row a node is left alone for
	// BreakFor: 10 calls, 10 s. Then one call finds out whether it is back.
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

// breaker keeps calls from a node that failed too often. A caller that gave up
// says nothing about the node.
func (p Timeouts) breaker() *gobreaker.CircuitBreaker[response] {
	return gobreaker.NewCircuitBreaker[response](gobreaker.Settings{
		Timeout:     p.BreakFor,
		ReadyToTrip: func(counts gobreaker.Counts) bool { return counts.ConsecutiveFailures >= p.BreakAfter },
		IsExcluded:  func(err error) bool { return errors.Is(err, context.Canceled) },
	})
}

// busy is a node, or its gateway, that did not get to a call.
type busy struct {
	status int
	after  time.Duration // that it asks for, 0 when it does not say
}

func (b *busy) Error() string { return fmt.Sprintf("HTTP status %d", b.status) }

// busyAnswer reads an HTTP answer as a busy node, nil when it is none.
func busyAnswer(answered *http.Response) *busy {
	switch answered.StatusCode {
	case http.StatusTooManyRequests, http.StatusBadGateway, http.StatusServiceUnavailable, http.StatusGatewayTimeout:
	default:
		return nil
	}
	b := &busy{status: answered.StatusCode}
	// Dates are not read: they would need a clock, and nodes send seconds.
	if seconds, err := strconv.ParseUint(answered.Header.Get("Retry-After"), 10, 16); err == nil {
		b.after = time.Duration(seconds) * time.Second
	}
	return b
}

// pauses are those between the tries of one call.
type pauses struct {
	Timeouts
	next time.Duration
	told time.Duration // what the node asked for last
}

// Reset begins anew.
func (p *pauses) Reset() { p.next = p.Pause }

// NextBackOff returns the next pause, or that there is none.
func (p *pauses) NextBackOff() time.Duration {
	pause := p.next
	p.next *= 2
	if p.Jitter != nil {
		pause -= time.Duration(float64(pause/2) * p.Jitter())
	}
	if pause = max(pause, p.told); pause > p.Longest {
		return backoff.Stop
	}
	return pause
}

// ask posts a call, again after a pause while the node is busy, and not at all
// while it is left alone.
func (c *client) ask(ctx context.Context, method string, params []any) (response, error) {
	answer, err := c.breaker.Execute(func() (response, error) {
		between := &pauses{Timeouts: c.timeouts}
		return backoff.Retry(ctx, func() (response, error) {
			answer, err := c.post(ctx, method, params)
			if refused := (*busy)(nil); errors.As(err, &refused) {
				between.told = refused.after
				return answer, err
			}
			if err != nil {
				err = backoff.Permanent(err)
			}
			return answer, err
		}, backoff.WithBackOff(between), backoff.WithMaxTries(c.timeouts.Tries), backoff.WithMaxElapsedTime(c.timeouts.Longest))
	})
	if errors.Is(err, gobreaker.ErrOpenState) || errors.Is(err, gobreaker.ErrTooManyRequests) {
		return answer, errors.New("the node failed too often and is left alone for a while")
	}
	return answer, err
}
