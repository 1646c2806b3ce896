package local_test

import (
	"testing"
	"time"

	"github.com/casino-service/casino/adapters/ratelimit/local"
	"github.com/casino-service/casino/test/conformance"
	"github.com/casino-service/casino/test/fakes"
)

func TestConformance(t *testing.T) {
	t.Parallel()
	conformance.Limiter(t, func(*testing.T) conformance.LimiterUnderTest {
		clock := &fakes.Clock{}
		return conformance.LimiterUnderTest{Limiter: local.New(clock), Advance: func(d time.Duration) { clock.Advance(d) }}
	})
}
