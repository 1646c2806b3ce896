package local_test

import (
	"fmt"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/casino-service/casino/adapters/ratelimit/local"
)

// fill admits one request from each of so many addresses of an otherwise unused network.
func fill(t *testing.T, l *local.Limiter, addresses int) {
	t.Helper()
	for i := range addresses {
		if d := take(t, l, fmt.Sprintf("login:10.%d.%d.1", i/250, i%250), login); !d.Allowed {
			t.Fatalf("address %d: %+v", i, d)
		}
	}
}

// TestNewClientsOfAFullTableAreCounted: the 11th request of one address is still rejected,
// and its neighbours are admitted.
func TestNewClientsOfAFullTableAreCounted(t *testing.T) {
	t.Parallel()
	for _, addresses := range [][]string{
		{"192.0.2.7", "192.0.2.8", "192.0.2.9", "192.0.2.10", "192.0.2.11", "198.51.100.1"},
		{"2001:db8:0:a01::/64", "2001:db8:0:a02::/64", "2001:db8:0:a03::/64", "2001:db8:0:a04::/64", "2001:db8:0:a05::/64", "2001:db8:0:b01::/64"},
	} {
		c := &clock{at: start}
		l := local.NewSized(c, 8)
		fill(t, l, 8)
		for _, address := range addresses[:4] {
			for n := range 10 {
				if d := take(t, l, "login:"+address, login); !d.Allowed || d.Remaining != 9-n {
					t.Fatalf("number %d of %s: %+v", n+1, address, d)
				}
			}
			if d := take(t, l, "login:"+address, login); d.Allowed || d.RetryAfter != time.Minute {
				t.Errorf("the 11th of %s: %+v", address, d)
			}
		}
		if d := take(t, l, "login:"+addresses[4], login); d.Allowed {
			t.Errorf("the 41st of a network: %+v", d)
		}
		if d := take(t, l, "login:"+addresses[5], login); !d.Allowed {
			t.Errorf("the first of another network: %+v", d)
		}
		c.set(start.Add(time.Minute))
		if d := take(t, l, "login:"+addresses[4], login); !d.Allowed || l.Keys() != 1 {
			t.Errorf("a minute later: %+v, %d keys", d, l.Keys())
		}
	}
}

// TestAClientOfANetworkIsNotCountedAnew when its table has room again.
func TestAClientOfANetworkIsNotCountedAnew(t *testing.T) {
	t.Parallel()
	c := &clock{at: start}
	l := local.NewSized(c, 2)
	fill(t, l, 2)
	c.set(start.Add(time.Second))
	for range 10 {
		take(t, l, "login:192.0.2.7", login)
	}
	c.set(start.Add(time.Minute)) // the table is empty, the network's log is not
	if d := take(t, l, "login:192.0.2.7", login); d.Allowed {
		t.Errorf("the 11th within a minute: %+v", d)
	}
}

// TestNetworksOfOneWidthThatAreAllTaken leave the next width to others.
func TestNetworksOfOneWidthThatAreAllTaken(t *testing.T) {
	t.Parallel()
	l := local.NewSized(&clock{at: start}, 2)
	fill(t, l, 2)
	for i := range 2 { // /24 networks of one /20
		take(t, l, fmt.Sprintf("login:172.16.%d.1", i), login)
	}
	for n := range 11 {
		if d := take(t, l, "login:172.16.9.1", login); d.Allowed != (n < 10) {
			t.Errorf("number %d of one that is counted in its /20: %+v", n+1, d)
		}
	}
	admitted := 10
	for i := range 1000 {
		if take(t, l, fmt.Sprintf("login:172.16.%d.%d", 2+i/250, i%250), login).Allowed {
			admitted++
		}
	}
	if admitted != 160 {
		t.Errorf("%d were admitted from a /20", admitted)
	}
	if d := take(t, l, "login:203.0.113.1", login); !d.Allowed {
		t.Errorf("another /20: %+v", d)
	}
	if d := take(t, l, "login:somebody", login); d.Allowed {
		t.Errorf("who has no network: %+v", d)
	}
}

func TestTablesHaveRoomOfTheirOwn(t *testing.T) {
	t.Parallel()
	l := local.NewSized(&clock{at: start}, 3)
	for i := range 100 {
		take(t, l, fmt.Sprintf("public:2001:db8:%x::/64", i), login)
	}
	for n := range 11 {
		if d := take(t, l, "login:2001:db8:99::/64", login); d.Allowed != (n < 10) {
			t.Errorf("login %d beside a full table: %+v", n+1, d)
		}
	}
}

// TestNobodyIsAdmittedTooOften compares any mixture of clients, waits and cancelled
// requests with a plain list of admission times.
func TestNobodyIsAdmittedTooOften(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(r *rapid.T) {
		c := &clock{at: start}
		size := rapid.SampledFrom([]int{0, 1, 2, 4, 8}).Draw(r, "size")
		l := local.NewSized(c, size)
		admitted := map[string][]time.Time{}
		at := start
		for range 300 {
			at = at.Add(time.Duration(rapid.IntRange(0, 4).Draw(r, "seconds")) * time.Second)
			c.set(at)
			network := rapid.IntRange(0, 3).Draw(r, "network")
			client := fmt.Sprintf("login:10.%d.%d.%d", network/2, 16*network, rapid.IntRange(1, 2).Draw(r, "address"))
			place, decision := l.Reserve(client, login)
			within := 0
			for _, before := range admitted[client] {
				if before.Add(login.Window).After(at) {
					within++
				}
			}
			switch {
			case !decision.Allowed:
				if size >= 8 && within < login.Max {
					r.Fatalf("%s is refused after %d", client, within)
				}
			case within >= login.Max:
				r.Fatalf("%s is admitted after %d", client, within)
			case decision.Remaining > login.Max-within-1:
				r.Fatalf("%s is promised %d more after %d", client, decision.Remaining, within+1)
			case rapid.IntRange(0, 5).Draw(r, "given back") == 0:
				place.Cancel()
			default:
				admitted[client] = append(admitted[client], at)
			}
			if keys := l.Keys(); keys > 4*size {
				r.Fatalf("%d keys are remembered", keys)
			}
		}
		c.set(at.Add(login.Window))
		if keys := l.Keys(); keys != 0 {
			r.Fatalf("%d keys are remembered for nothing", keys)
		}
	})
}
