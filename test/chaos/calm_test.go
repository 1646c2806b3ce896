package chaos_test

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/casino-service/casino/test/services"
)

// calmWave is how long the players wait between two operations, so that each one's history of two
// hours stays short enough to be checked.
const calmWave = 100 * time.Millisecond

// upset is a deployment of two instances on a primary with a synchronous standby, which suffers
// failures.
type upset struct {
	*deployment
	instances        []*instance
	primary, standby *services.Cluster
	redis            *services.RedisServer
	luck             *rand.Rand
}

// TestNothingButALossCloses puts two instances, which play in the same lanes, through the
// failures of years: processes and databases are killed, the standby takes over, the server is
// upgraded, records outside the database are partly lost. The database is never set back, so the
// service must never say that it was.
func TestNothingButALossCloses(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("builds and kills the real binary") // allowed: make test runs it
	}
	seed := uint64(number(t, "CASINO_TEST_CALM_SEED", 1))
	u := &upset{primary: services.NewCluster(t), redis: services.StartRedis(t), luck: rand.New(rand.NewPCG(seed, 0))}
	u.standby = u.primary.NewStandby(t)
	u.primary.Synchronous(t, true)
	u.deployment = deploy(t, u.primary.MultiURL(u.standby), u.redis.URL())
	u.instances = []*instance{u.start(), u.start()}
	guests := invite(t, 4, u.instances...)
	stop := make(chan struct{})
	playing := guests.play(2, func(int) bool {
		select {
		case <-stop:
			return true
		case <-time.After(calmWave):
			return false
		}
	})
	happenings := u.happenings()
	times := make([]int, len(happenings))
	begin, atMost := time.Now(), time.Duration(number(t, "CASINO_TEST_CALM", 30))*time.Second
	for n := 0; (n < len(happenings) || time.Since(begin) < atMost) && !t.Failed(); n++ {
		which := n
		if n >= len(happenings) {
			which = u.luck.IntN(len(happenings))
		}
		happenings[which].happens()
		times[which]++
		guests.progress(20)
		for _, i := range u.instances {
			i.ready()
			if log := i.log.String(); strings.Contains(log, "restored from an older copy") {
				t.Fatalf("after %q the service says that the database went back", happenings[which].what)
			}
		}
	}
	close(stop)
	playing.Wait()
	guests.settle()
	for _, i := range u.instances {
		i.stop()
	}
	u.audited()
	for n, h := range happenings {
		t.Logf("%d times %s", times[n], h.what)
	}
}

// happening is a failure that loses nothing from the database.
type happening struct {
	what    string
	happens func()
}

func (u *upset) happenings() []happening {
	any := func() *instance { return u.instances[u.luck.IntN(len(u.instances))] }
	return []happening{
		{"an instance is killed", func() {
			i := any()
			i.kill()
			i.again()
		}},
		{"an instance is started again", func() {
			i := any()
			i.stop()
			i.again()
		}},
		{"PostgreSQL is killed", func() {
			u.primary.Kill(u)
			u.primary.Start(u)
		}},
		{"the standby hangs", func() {
			u.standby.Freeze(u)
			pause(u, time.Second)
			u.standby.Thaw(u)
		}},
		{"the standby takes over", u.failOver},
		{"all connections are cut", func() { u.primary.CutOff(u) }},
		{"Redis is flushed", func() { u.redis.Flush(u) }},
		{"Redis is killed, and comes back empty", func() {
			u.redis.Kill(u)
			u.redis.Start(u)
		}},
		{"Redis hangs", func() {
			u.redis.Freeze(u)
			pause(u, time.Second)
			u.redis.Resume(u)
		}},
		{"the state folder is lost", u.loseFolder},
		{"all that is kept outside the processes is lost", func() {
			u.loseFolder()
			u.redis.Flush(u)
		}},
		{"the database is upgraded", u.upgrade},
	}
}

// failOver promotes the standby, and makes a new standby of the former primary.
func (u *upset) failOver() {
	u.primary.Kill(u)
	u.standby.Promote(u)
	u.primary.Follow(u, u.standby)
	u.primary, u.standby = u.standby, u.primary
	u.primary.Synchronous(u, true)
}

// upgrade moves the database to another server, like a version upgrade.
func (u *upset) upgrade() {
	u.standby.Stop(u)
	u.primary.Upgrade(u)
	u.standby.Follow(u, u.primary)
	u.primary.Synchronous(u, true)
}

func (u *upset) loseFolder() {
	noError(u, os.RemoveAll(filepath.Join(u.folder, "state")))
}
