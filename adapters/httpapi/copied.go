package httpapi

import (
	"context"
	"net/http"
	"time"

	"github.com/go-json-experiment/json"

	"github.com/casino-service/casino/adapters/httpapi/internal/parse"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/ports"
)

// copyAge is how old an answer from a copy may be.
const copyAge = time.Second

// copied answers everybody from one copy of what is the same for everybody. One request
// at a time makes it anew; what fails is not kept.
type copied struct {
	clock ports.Clock
	read  func(context.Context) (any, error)
	turn  chan struct{} // one place; whoever holds it may touch the rest
	body  any
	text  []byte
	made  time.Time
}

func newCopied(clock ports.Clock, read func(context.Context) (any, error)) *copied {
	return &copied{clock: clock, read: read, turn: make(chan struct{}, 1)}
}

func (c *copied) answer(r *request) (answer, error) {
	select {
	case c.turn <- struct{}{}:
	case <-r.ctx.Done():
		return answer{}, fault.New(fault.Unavailable, "the answer was not ready in time")
	}
	defer func() { <-c.turn }()
	now := c.clock.Now() // before the read: the copy is at least as new
	if age := now.Sub(c.made); c.text == nil || age < 0 || age >= copyAge {
		body, err := c.read(r.ctx)
		if err != nil {
			return answer{}, err
		}
		text, err := json.Marshal(body, json.Deterministic(true))
		if err != nil {
			return answer{}, err
		}
		c.body, c.text, c.made = body, text, now
	}
	if parse.AmountsAsText(r.http.Header) {
		return ok(c.body), nil
	}
	return answer{status: http.StatusOK, raw: c.text}, nil
}
