package conformance_test

import (
	"testing"
	"time"

	"github.com/casino-service/casino/test/conformance"
	"github.com/casino-service/casino/test/fakes"
)

// The examples need a *testing.T of their reader; here they get one.

func TestTheExampleOfAGame(t *testing.T) {
	t.Parallel()
	conformance.Game(t, pockets{})
}

func TestTheExampleOfAnAdapter(t *testing.T) {
	t.Parallel()
	conformance.Limiter(t, func(*testing.T) conformance.LimiterUnderTest {
		clock := fakes.NewClock(fakes.Start)
		return conformance.LimiterUnderTest{Limiter: &perKey{clock: clock}, Advance: func(d time.Duration) { clock.Advance(d) }}
	})
}
