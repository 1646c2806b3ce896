package chaos_test

import (
	"context"
	"sync"
	"testing"

	"github.com/casino-service/casino/test/services"
)

// TestHeardUnderKills kills two instances in turn, and sometimes their database, while 32 clients
// act, and kills those that follow events as well. Each of them has read every event once in the
// end, and knows every balance to the unit.
func TestHeardUnderKills(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("builds and kills the real binary") // allowed: make test runs it
	}
	kills, databaseKills := number(t, "CASINO_TEST_HEARD_KILLS", 2), number(t, "CASINO_TEST_HEARD_POSTGRES_KILLS", 1)
	cluster := services.NewCluster(t)
	d := deploy(t, cluster.URL(), services.Redis(t))
	instances := []*instance{d.start(), d.start()}
	guests := invite(t, 16, instances...)
	followers := []*follower{guests.byCommand(), guests.byStream()}
	ctx, cancel := context.WithCancel(t.Context())
	var following sync.WaitGroup
	for _, f := range followers {
		following.Go(func() { f.follow(ctx) })
	}
	t.Cleanup(func() {
		cancel()
		following.Wait()
	})
	stop := make(chan struct{})
	playing := guests.play(2, func(int) bool {
		select {
		case <-stop:
			return true
		default:
			return false
		}
	})
	cashing := guests.cash(4, stop)
	for n := range kills + databaseKills {
		guests.progress(100)
		if n%(kills/max(1, databaseKills)+1) == 1 {
			cluster.Kill(t)
			cluster.Start(t)
			for _, i := range instances {
				i.ready()
			}
		} else {
			killed := instances[n%len(instances)]
			killed.kill()
			killed.again()
		}
		if f := followers[n%len(followers)]; n < 20 {
			guests.progress(30)
			f.kill()
		}
	}
	guests.progress(100)
	close(stop)
	playing.Wait()
	cashing.Wait()
	guests.settle()
	guests.landed()
	committed := guests.committed()
	for _, f := range followers {
		guests.rebuilds(f.name, f.caughtUp(len(committed)), committed)
		t.Logf("%s was killed %d times and heard %d events", f.name, f.lives, len(committed))
	}
	for _, i := range instances {
		i.stop()
	}
	d.audited()
	t.Logf("%d kills of the service, %d of PostgreSQL", kills, databaseKills)
}
