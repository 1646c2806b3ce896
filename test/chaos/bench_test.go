package chaos_test

import (
	"bufio"
	"context"
	"database/sql"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	_ "github.com/jackc/pgx/v5/stdlib" // the driver "pgx"

	"github.com/casino-service/casino/adapters/httpapi/api"
	"github.com/casino-service/casino/adapters/httpapi/client"
	"github.com/casino-service/casino/test/services"
)

// rushTime is how long the players of a benchmark play.
const rushTime = 5 * time.Second

// BenchmarkInstances plays with 64 clients of 32 players and with 256 clients of 128, each player
// at two instances at once, and with 256 clients whose players use one instance each; first on
// one instance, then on two and on four, all on one PostgreSQL. It reports plays per second in
// total, the processor time of the instances and of the database per play, items per batch, how
// often a bet enters a batch until no other instance has its player locked, and how many writers'
// sessions wait for a lock at a time.
func BenchmarkInstances(b *testing.B) {
	for _, players := range []int{32, 128} {
		b.Run(fmt.Sprint(2*players, "clients"), func(b *testing.B) { instancesOf(b, players, 1) })
	}
	b.Run("256 clients apart", func(b *testing.B) { instancesOf(b, 128, 0) })
}

// instancesOf plays with two clients per player, the second one this many instances further on.
func instancesOf(b *testing.B, players, further int) {
	for _, n := range []int{1, 2, 4} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			cluster := services.NewCluster(b)
			database := cluster.URL()
			d := deploy(b, database, services.Redis(b))
			instances := make([]*instance, n)
			groups := map[string][]int{"database": {cluster.PID(b)}}
			for i := range instances {
				instances[i] = d.start()
				groups["service"] = append(groups["service"], instances[i].process.Process.Pid)
			}
			guests := invite(b, players, instances...)
			guests.rush(2, further, time.Second) // statements are prepared, plans made
			for b.Loop() {
				batches, items := written(b, instances)
				stop := make(chan struct{})
				waiting := lockWaiters(b, database, stop)
				meter := services.NewMeter(groups)
				plays := guests.rush(2, further, rushTime)
				for name, each := range meter.Each(float64(plays)) {
					b.ReportMetric(each, name+"-µs/play")
				}
				close(stop)
				moreBatches, moreItems := written(b, instances)
				b.ReportMetric(float64(plays)/rushTime.Seconds(), "plays/s")
				b.ReportMetric((moreItems-items)/(moreBatches-batches), "items/batch")
				b.ReportMetric((moreItems-items)/float64(plays), "times-taken")
				b.ReportMetric(<-waiting, "lock-waiters")
			}
			b.ReportMetric(0, "ns/op")
		})
	}
}

// rush lets each player bet through a number of clients for a time, each client this many
// instances further on, and returns how many bets were answered.
func (p *party) rush(clients, further int, lasts time.Duration) int64 {
	var plays atomic.Int64
	var all sync.WaitGroup
	end := time.Now().Add(lasts)
	for i, g := range p.players {
		for c := range clients {
			at := p.instances[(i+c*further)%len(p.instances)]
			session := at.client("198.51.100.1").WithToken(g.bearer())
			all.Go(func() {
				for time.Now().Before(end) {
					_, err := session.Play(context.Background(), api.PlayRequest{GameType: "dice", Wager: 1_000, Token: sol})
					if err != nil && client.CodeOf(err) != "INSUFFICIENT_USER_FUNDS" {
						p.Errorf("a bet of %s: %v", g.name, err)
						return
					}
					plays.Add(1)
				}
			})
		}
	}
	all.Wait()
	return plays.Load()
}

// written returns how many batches all instances wrote, and the items in them.
func written(b *testing.B, instances []*instance) (batches, items float64) {
	b.Helper()
	for _, i := range instances {
		answer, err := http.Get("http://" + i.operations + "/metrics")
		noError(b, err)
		for lines := bufio.NewScanner(answer.Body); lines.Scan(); {
			for name, sum := range map[string]*float64{"casino_writer_batch_items_count": &batches, "casino_writer_batch_items_sum": &items} {
				if !strings.HasPrefix(lines.Text(), name) {
					continue
				}
				value, err := strconv.ParseFloat(lines.Text()[strings.LastIndexByte(lines.Text(), ' ')+1:], 64)
				noError(b, err)
				*sum += value
			}
		}
		_ = answer.Body.Close()
	}
	return batches, items
}

// lockWaiters counts every 10 ms how many sessions of writers wait for a lock, and
// returns the mean when stop is closed.
func lockWaiters(b *testing.B, database string, stop <-chan struct{}) <-chan float64 {
	b.Helper()
	db, err := sql.Open("pgx", database)
	noError(b, err)
	mean := make(chan float64, 1)
	go func() {
		defer func() { _ = db.Close() }()
		looks, waiters := 0, 0
		tick := time.NewTicker(10 * time.Millisecond)
		defer tick.Stop()
		for {
			select {
			case <-stop:
				mean <- float64(waiters) / float64(max(1, looks))
				return
			case <-tick.C:
			}
			var now int
			err := db.QueryRow(`SELECT count(*) FROM pg_stat_activity
				WHERE application_name = 'casino writer' AND wait_event_type = 'Lock'`).Scan(&now)
			if err == nil {
				looks, waiters = looks+1, waiters+now
			}
		}
	}()
	return mean
}
