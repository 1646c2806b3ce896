package crash_test

import (
	"testing"
	"time"

	"github.com/casino-service/casino/domain/crash"
)

func TestALeaseEndsAtItsMoment(t *testing.T) {
	t.Parallel()
	at := time.Unix(100, 0)
	held := crash.Lease{Worker: "one", Fence: 7, Until: at}
	for _, c := range []struct {
		who   string
		fence int64
		now   time.Time
		want  crash.Lease
		has   bool
	}{
		{"two", 0, at.Add(-1), held, false},
		{"two", 7, at.Add(-1), held, false},
		{"one", 6, at.Add(-1), held, false},
		{"one", 7, at.Add(-1), crash.Lease{Worker: "one", Fence: 7, Until: at.Add(time.Second - 1)}, true},
		{"one", 7, at, crash.Lease{Worker: "one", Fence: 8, Until: at.Add(time.Second)}, true},
		{"two", 0, at, crash.Lease{Worker: "two", Fence: 8, Until: at.Add(time.Second)}, true},
	} {
		if got, has := held.Take(c.who, c.fence, c.now, time.Second); got != c.want || has != c.has {
			t.Errorf("%s with %d at %v: %+v, %v", c.who, c.fence, c.now, got, has)
		}
	}
}
