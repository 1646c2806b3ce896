package limit_test

import (
	"testing"
	"time"

	"github.com/casino-service/casino/domain/limit"
)

// TestAClockThatStepsBackStandsStill looks into the log, and at the wait, which is
// measured on the clock that stepped back.
func TestAClockThatStepsBackStandsStill(t *testing.T) {
	t.Parallel()
	rule := limit.Rule{Max: 2, Window: time.Minute}
	log, _ := limit.Log(nil).Take(rule, noon)
	log, second := log.Take(rule, noon.Add(-10*time.Second))
	if !second.Allowed || second.Remaining != 0 || len(log) != 2 || !log[0].Equal(noon) || !log[1].Equal(noon) {
		t.Fatalf("%+v leaves %v", second, log)
	}
	if _, third := log.Take(rule, noon.Add(-10*time.Second)); third != (limit.Decision{RetryAfter: 70 * time.Second}) {
		t.Errorf("the third: %+v", third)
	}
	single := limit.Rule{Max: 1, Window: time.Minute}
	one, _ := limit.Log(nil).Take(single, noon)
	if _, again := one.Take(single, noon.Add(15*time.Second)); again != (limit.Decision{RetryAfter: 45 * time.Second}) {
		t.Errorf("one a minute: %+v", again)
	}
	if left := one.Without(noon); len(left) != 0 {
		t.Errorf("the only one given back leaves %v", left)
	}
}
