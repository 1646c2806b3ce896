package load_test

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/casino-service/casino/adapters/httpapi/api"
	"github.com/casino-service/casino/adapters/httpapi/client"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/test/fakes"
	"github.com/casino-service/casino/test/services"
)

// A load of credits: the number of clients and players, each credit one lamport, and the number
// of credits per figure.
const (
	creditClients = 32
	credited      = 200
	creditsEach   = 3_000
)

// creditsBefore are the numbers of credits on the same day by the same admins before a
// measurement.
var creditsBefore = []int{50, 3_000, 8_000}

// BenchmarkCredits measures admins' credits over the API of `casino serve` on PostgreSQL, by one
// admin and then by eight, after some on the same day: the cost of a credit must not grow with
// them.
func BenchmarkCredits(b *testing.B) {
	cluster := benchCluster(b)
	profiler := newProfiler(b, cluster)
	database := server{b, cluster.URL()}
	p := startServe(b, cluster.URL())
	profiler.operations = p.operations
	groups := map[string][]int{"service": {p.pid}, "database": {database.postmaster()}}
	players := make([]string, credited)
	for i := range players {
		name := fmt.Sprint("credited ", i)
		p.signIn(name, i)
		players[i] = string(fakes.Wallet(name))
	}
	for b.Loop() {
		t := newTable()
		for _, admins := range []int{1, 8} {
			crew := make([]*client.Client, admins)
			for i := range crew {
				name := fmt.Sprintf("admin %d of %d", i, admins)
				p.run("role", "grant", "--founding", string(fakes.Wallet(name)), "finance")
				crew[i] = p.signIn(name, credited+10*admins+i)
			}
			done := 0
			for _, before := range creditsBefore {
				p.credit(crew, players, before-done)
				row := fmt.Sprintf("%d clients, admins: %d, after %d", creditClients, admins, before)
				meter, began := services.NewMeter(groups), time.Now()
				var latencies []time.Duration
				profiler.during(fmt.Sprintf("%d-admins-after-%d", admins, before), func() measurement {
					latencies = p.credit(crew, players, creditsEach)
					return measurement{Sent: creditsEach}
				})
				took := time.Since(began)
				t.costs(row, meter.Each(creditsEach))
				done = before + creditsEach
				t.add(row, "/s", creditsEach/took.Seconds())
				t.add(row, "p50 ms", milliseconds(latencies[len(latencies)/2]))
				t.add(row, "p99 ms", milliseconds(latencies[len(latencies)*99/100]))
			}
		}
		fmt.Print(t.String())
	}
	p.audited()
	b.ReportMetric(0, "ns/op")
}

// signIn returns a client that is signed in with a name's key, from its own loopback address.
func (p *product) signIn(name string, n int) *client.Client {
	p.Helper()
	dialer := net.Dialer{LocalAddr: &net.TCPAddr{IP: net.IPv4(127, 64, byte(n/254), byte(1+n%254))}}
	from := &http.Client{Transport: &http.Transport{DialContext: dialer.DialContext}}
	_, session, err := client.New(p.where[1], from).SignIn(p.Context(), fakes.Key(name), time.Now())
	noError(p, err)
	from.CloseIdleConnections()
	open := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: creditClients}}
	return client.New(p.where[1], open).WithToken(session.Token)
}

// credit lets clients credit players in turn, and returns how long each credit took, sorted.
func (p *product) credit(crew []*client.Client, players []string, credits int) []time.Duration {
	p.Helper()
	var next atomic.Int64
	var lock sync.Mutex
	var all []time.Duration
	var clients sync.WaitGroup
	for of := range creditClients {
		clients.Go(func() {
			by := crew[of%len(crew)]
			for n := int(next.Add(1)); n <= credits; n = int(next.Add(1)) {
				began := time.Now()
				_, err := by.AdjustBalance(context.Background(), players[n%len(players)], api.AdjustRequest{Token: string(money.SOL), Amount: 1, Reason: "measured", IdempotencyKey: fmt.Sprintf("%p-%d-%d", by, began.UnixNano(), n)})
				took := time.Since(began)
				lock.Lock()
				if all = append(all, took); err != nil {
					p.Error(err)
				}
				lock.Unlock()
			}
		})
	}
	clients.Wait()
	slices.Sort(all)
	return all
}
