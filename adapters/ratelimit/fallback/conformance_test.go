package fallback_test

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"
	"time"

	"github.com/casino-service/casino/adapters/ratelimit/fallback"
	"github.com/casino-service/casino/adapters/ratelimit/local"
	"github.com/casino-service/casino/domain/limit"
	"github.com/casino-service/casino/ports"
	"github.com/casino-service/casino/test/conformance"
	"github.com/casino-service/casino/test/fakes"
)

var errAway = errors.New("away")

// troubled is a shared limiter that may fail.
type troubled struct {
	ports.Limiter
	before func() error // fails before anything is counted
	after  func() error // fails though the request was counted
	asked  atomic.Int64
}

func (s *troubled) Take(ctx context.Context, key string, rule limit.Rule) (limit.Decision, error) {
	s.asked.Add(1)
	if s.before != nil {
		if err := s.before(); err != nil {
			return limit.Decision{}, err
		}
	}
	decision, err := s.Limiter.Take(ctx, key, rule)
	if err == nil && s.after != nil {
		err = s.after()
	}
	if err != nil {
		return limit.Decision{}, err
	}
	return decision, nil
}

// everyOther fails every second time.
func everyOther() func() error {
	var n atomic.Int64
	return func() error {
		if n.Add(1)%2 == 0 {
			return errAway
		}
		return nil
	}
}

func always() error { return errAway }

// TestConformance proves that one instance keeps the port's contract for every failure of
// the shared limiter.
func TestConformance(t *testing.T) {
	t.Parallel()
	for name, trouble := range map[string]func(shared *troubled){
		"well":                            func(*troubled) {},
		"away":                            func(s *troubled) { s.before = always },
		"fails every other time":          func(s *troubled) { s.before = everyOther() },
		"its answers are lost":            func(s *troubled) { s.after = always },
		"every other answer is lost":      func(s *troubled) { s.after = everyOther() },
		"it forgets everything":           func(s *troubled) { s.Limiter = forgetful{} },
		"fails before or after it counts": func(s *troubled) { s.before, s.after = everyOther(), everyOther() },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			conformance.Limiter(t, func(*testing.T) conformance.LimiterUnderTest {
				clock := &fakes.Clock{}
				shared := &troubled{Limiter: fakes.NewLimiter(clock)}
				trouble(shared)
				return conformance.LimiterUnderTest{
					Limiter: fallback.New(local.New(clock), shared, fallback.Options{}),
					Advance: func(d time.Duration) { clock.Advance(d) },
				}
			})
		})
	}
}

// forgetful is a limiter that is emptied before every request.
type forgetful struct{}

func (forgetful) Take(_ context.Context, _ string, rule limit.Rule) (limit.Decision, error) {
	return limit.Decision{Allowed: true, Remaining: rule.Max - 1}, nil
}
