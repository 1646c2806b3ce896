package chaos_test

import (
	"testing"
	"time"

	"github.com/casino-service/casino/test/services"
)

// TestServeThroughFailovers repeatedly kills the primary under load, promotes its synchronous
// standby, and makes a new standby of the former primary. In between the standby hangs for a
// while: nothing that it lacks may be answered. The service has one URL for both servers. No
// acknowledged change is lost, by each player's answers and by the ledger.
func TestServeThroughFailovers(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("builds and kills the real binary") // allowed: make test runs it
	}
	primary := services.NewCluster(t)
	standby := primary.NewStandby(t)
	primary.Synchronous(t, true)
	d := deploy(t, primary.MultiURL(standby), services.Redis(t))
	serving := d.start()
	guests := invite(t, 8, serving)
	stop := make(chan struct{})
	playing := guests.play(2, func(int) bool {
		select {
		case <-stop:
			return true
		default:
			return false
		}
	})
	var longest time.Duration
	for n := range number(t, "CASINO_TEST_FAILOVERS", 2) {
		guests.progress(100)
		standby.Freeze(t)
		pause(t, 2*time.Second)
		if n%2 == 0 { // it comes back, and waiting commits continue
			standby.Thaw(t)
			guests.progress(50)
		}
		begin := time.Now()
		primary.Kill(t)
		standby.Thaw(t)
		standby.Promote(t)
		guests.progress(1)
		longest = max(longest, time.Since(begin))
		primary.Follow(t, standby)
		standby.Synchronous(t, true)
		primary, standby = standby, primary
	}
	guests.progress(100)
	close(stop)
	playing.Wait()
	guests.settle()
	serving.noLeaks()
	serving.stop()
	d.audited()
	t.Logf("the first answer came at most %v after the primary was killed", longest.Round(time.Millisecond))
}
