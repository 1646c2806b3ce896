package chaos_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/casino-service/casino/adapters/httpapi/client"
	"github.com/casino-service/casino/test/fakes"
	"github.com/casino-service/casino/test/services"
)

// TestServeKilledUnderLoad kills the production service, and sometimes its database, while 32
// clients play, rotate and withdraw, each repeating a request with one key until it knows the
// answer.
func TestServeKilledUnderLoad(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("builds and kills the real binary") // allowed: make test runs it
	}
	cluster := services.NewCluster(t)
	killUnderLoad(deploy(t, cluster.URL(), services.Redis(t)),
		number(t, "CASINO_TEST_SERVE_KILLS", 3), number(t, "CASINO_TEST_POSTGRES_KILLS", 1), cluster)
}

// killUnderLoad kills the service this often, and its servers in turn, this often together.
func killUnderLoad(d *deployment, kills, databaseKills int, servers ...*services.Cluster) {
	d.Helper()
	serving := d.start()
	guests := invite(d, 16, serving)
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
	var longest time.Duration
	killed := 0
	for n := range kills + databaseKills {
		guests.progress(200)
		begin := time.Now()
		if (n+1)*databaseKills/(kills+databaseKills) > killed {
			server := servers[killed%len(servers)]
			server.Kill(d)
			server.Start(d)
			killed++
			begin = time.Now()
			serving.ready()
		} else {
			serving.kill()
			serving.again()
		}
		guests.progress(1)
		longest = max(longest, time.Since(begin))
	}
	guests.progress(200)
	close(stop)
	playing.Wait()
	cashing.Wait()
	guests.settle()
	guests.landed()
	serving.noLeaks()
	serving.stop()
	d.audited()
	d.Logf("%d kills of the service, %d of the database; the longest until the next answer: %v", kills, databaseKills, longest)
}

// TestInstancesOnOneDatabase lets the same players act on all of two, and of four, instances at
// once, while Redis is killed, comes back empty and is flushed.
func TestInstancesOnOneDatabase(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("builds and runs the real binary") // allowed: make test runs it
	}
	for _, n := range []int{2, 4} {
		t.Run(fmt.Sprint(n, " instances"), func(t *testing.T) {
			t.Parallel()
			const each, players = 1_600, 8
			redis := services.StartRedis(t)
			d := deploy(t, services.NewCluster(t).URL(), redis.URL())
			instances := make([]*instance, n)
			for i := range instances {
				instances[i] = d.start()
			}
			guests := invite(t, players, instances...)
			begin := time.Now()
			stop := make(chan struct{})
			cashing := guests.cash(4, stop)
			playing := guests.play(n, func(done int) bool { return done >= each/players })
			guests.progress(each / 10)
			redis.Kill(t)
			signInEverywhere(t, "while Redis is away", instances)
			instances[0].kill()
			instances[0].again() // it starts without Redis
			limiterIs(t, instances[n-1], "down")
			redis.Start(t)
			limiterIs(t, instances[n-1], "ok")
			redis.Flush(t)
			playing.Wait()
			t.Logf("%d instances: %.0f operations a second", n, float64(guests.answered.Load())/time.Since(begin).Seconds())
			close(stop)
			cashing.Wait()
			signInEverywhere(t, "after Redis came back", instances)
			countTogether(t, instances)
			guests.settle()
			guests.landed()
			for _, i := range instances {
				i.noLeaks()
				i.stop()
			}
			d.audited()
		})
	}
}

// limiterIs waits until an instance's health shows its limiter with the status.
func limiterIs(t *testing.T, at *instance, status string) {
	t.Helper()
	asked := 0
	eventually(t, "the limiter's health is "+status, func() bool {
		pause(t, 100*time.Millisecond)
		asked++ // from many addresses, because each has a limit
		health, err := at.client(fmt.Sprint("203.0.113.", asked%250)).Health(t.Context())
		return err == nil && health.Checks["rateLimiter"].Status == status
	})
}

// signInEverywhere opens a session at each instance, from its own address.
func signInEverywhere(t *testing.T, when string, instances []*instance) {
	t.Helper()
	for i, at := range instances {
		name := fmt.Sprint("late guest ", i)
		if _, _, err := at.client(fmt.Sprint("203.0.113.", i)).SignIn(t.Context(), fakes.Key(name), time.Now()); err != nil {
			t.Errorf("%s: %v", when, err)
		}
	}
}

// countTogether waits until an address gets exactly ten logins from all instances together.
func countTogether(t *testing.T, instances []*instance) {
	t.Helper()
	p, visits := &player{key: fakes.Key("counted guest")}, 0
	eventually(t, "the instances count together", func() bool {
		visits++
		admitted := 0
		for i := range loginsMax + 2*len(instances) {
			at := instances[i%len(instances)].client(fmt.Sprint("100.64.0.", visits))
			switch _, _, err := at.SignIn(t.Context(), p.key, p.nextMessage(time.Now())); {
			case err == nil:
				admitted++
			case client.CodeOf(err) != "RATE_LIMITED":
				t.Errorf("a login: %v", err)
			}
		}
		return admitted == loginsMax
	})
}
