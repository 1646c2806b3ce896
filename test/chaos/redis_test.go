package chaos_test

import (
	"context"
	"crypto/ed25519"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/casino-service/casino/adapters/httpapi"
	"github.com/casino-service/casino/adapters/httpapi/client"
	"github.com/casino-service/casino/adapters/memory"
	"github.com/casino-service/casino/adapters/ratelimit/fallback"
	"github.com/casino-service/casino/adapters/ratelimit/local"
	"github.com/casino-service/casino/adapters/ratelimit/redis"
	"github.com/casino-service/casino/adapters/system"
	"github.com/casino-service/casino/app"
	"github.com/casino-service/casino/domain/game"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/rbac"
	"github.com/casino-service/casino/domain/token"
	"github.com/casino-service/casino/test/fakes"
	"github.com/casino-service/casino/test/services"
)

// loginsMax is how many logins an address may have in a minute.
const loginsMax = 10

// TestRedisFaultsUnderLogins breaks Redis while players sign in over HTTP at two instances:
// logins still work, no address gets more than ten from an instance, and while Redis works no
// address gets more than ten from both.
func TestRedisFaultsUnderLogins(t *testing.T) {
	t.Parallel()
	for name, fault := range map[string]struct {
		begin, end func(d *doors)
		lasts      time.Duration
		unseen     bool // it may pass without a failed request
	}{
		"killed":  {begin: func(d *doors) { d.redis.Kill(d) }, end: func(d *doors) { d.redis.Start(d) }, lasts: time.Second},
		"stopped": {begin: func(d *doors) { d.redis.Freeze(d) }, end: func(d *doors) { d.redis.Resume(d) }, lasts: 5 * time.Second},
		"flushed": {begin: func(d *doors) { d.redis.Flush(d) }, end: func(*doors) {}, unseen: true},
		"slow":    {begin: func(d *doors) { d.wire.delay.Store(int64(time.Second)) }, end: func(d *doors) { d.wire.delay.Store(0) }, lasts: 2 * time.Second},
		"wrong":   {begin: func(d *doors) { d.wire.nonsense.Store(true) }, end: func(d *doors) { d.wire.nonsense.Store(false) }, lasts: time.Second},
		"cut":     {begin: func(d *doors) { d.wire.cut() }, end: func(*doors) {}, unseen: true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := openDoors(t)
			for range number(t, "CASINO_TEST_REDIS_FAULTS", 2) {
				d.during(func() {
					fault.begin(d)
					pause(d, fault.lasts)
					fault.end(d)
				})
				if !fault.unseen && d.alone.Load() == 0 {
					t.Error("the fault reached no login")
				}
				d.report()
			}
		})
	}
}

// doors are two instances of the sign-in endpoint over one store and one Redis.
type doors struct {
	*testing.T
	redis     *services.RedisServer
	wire      *wire
	instances []door
	alone     atomic.Int64 // requests that an instance decided alone
	phase     atomic.Int64 // odd while Redis may fail, even while it works
	addresses atomic.Int64
	players   atomic.Int64
	exact     atomic.Int64 // visits that got exactly ten from both instances

	mu    sync.Mutex
	waits []time.Duration
}

type door struct {
	url     string
	limiter *fallback.Limiter
}

func openDoors(t *testing.T) *doors {
	t.Helper()
	d := &doors{T: t, redis: services.StartRedis(t)}
	to, err := url.Parse(d.redis.URL())
	noError(t, err)
	d.wire = newWire(t, to.Host)
	machine := system.Default()
	terms := token.Terms{
		Mint: money.SOL, Symbol: "SOL", Decimals: 9, Program: token.System, MinDeposit: 1,
		MinWager: token.MinWagerDefault, MaxWager: 1 << 40, MaxPayout: 1 << 50, MinWithdrawal: 1, MaxWithdrawal: 1 << 50,
		TwoPersonAbove: token.NoTwoPerson, TwoPersonAbovePerDay: token.NoTwoPerson, PayoutCap: 1 << 50, PayoutCapPerHour: 1 << 60, BankrollShare: money.Ratio{Num: 1, Den: 1},
	}
	games, err := game.NewRegistry(game.Standard()...)
	noError(t, err)
	casino, err := app.New(app.Deps{
		Store: app.StoreOf(memory.New()), Chain: fakes.NewChain(terms), Clock: machine, Entropy: machine,
		Sessions: fakes.NewSessions(machine, "doors", time.Hour),
		Games:    games, Tokens: token.NewBook(terms), Policy: rbac.DefaultPolicy(),
	})
	noError(t, err)
	for range 2 {
		shared, err := redis.Open("redis://"+d.wire.address(), redis.Timeout)
		noError(t, err)
		t.Cleanup(func() { _ = shared.Close() })
		limiter := fallback.New(local.New(machine), redis.New(shared, machine), fallback.Options{
			Decided: func(error) { d.alone.Add(1) },
		})
		handler, err := httpapi.New(casino, httpapi.Config{
			Limiter: limiter, TrustedProxies: []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")},
		})
		noError(t, err)
		server := httptest.NewServer(handler)
		t.Cleanup(server.Close)
		d.instances = append(d.instances, door{url: server.URL + "/casino", limiter: limiter})
	}
	return d
}

// betweenVisits is how long a player waits after a visit. Without it four players keep a machine
// busy for as long as faults last, with the same requests again.
const betweenVisits = 300 * time.Millisecond

// during lets players sign in before, during and after a fault, and waits until the instances
// count together again.
func (d *doors) during(happens func()) {
	d.Helper()
	regulars := d.regulars()
	var players sync.WaitGroup
	done := make(chan struct{})
	for p := range 4 {
		players.Go(func() {
			player := d.player()
			for {
				select {
				case <-done:
					return
				default:
				}
				d.visit(player, d.address())
				d.refused(player, regulars[p%len(regulars)])
				pause(d, betweenVisits)
			}
		})
	}
	d.visits(20)
	d.phase.Add(1)
	happens()
	d.well()
	d.phase.Add(1)
	d.visits(20)
	close(done)
	players.Wait()
}

// visits waits until n more visits got exactly ten.
func (d *doors) visits(n int64) {
	d.Helper()
	eventually(d.T, "visits with exactly ten logins", func() bool {
		return d.exact.Load() >= n
	})
	d.exact.Store(0)
}

// well waits until both instances count with Redis again.
func (d *doors) well() {
	d.Helper()
	eventually(d.T, "the instances count together again", func() bool {
		return !slices.ContainsFunc(d.instances, func(i door) bool { return i.limiter.Check(d.Context()) != nil })
	})
}

// address returns an unused address.
func (d *doors) address() string {
	n := d.addresses.Add(1)
	return netip.AddrFrom4([4]byte{100, byte(n >> 16), byte(n >> 8), byte(n)}).String()
}

// messageAge is the age of the oldest messages that players sign in with.
const messageAge = time.Minute

// player signs in with a key, each time with another message.
type player struct {
	key  ed25519.PrivateKey
	last int64 // the time in the newest message, in Unix milliseconds
}

func (d *doors) player() *player {
	return &player{key: fakes.Key(fmt.Sprint("player ", d.players.Add(1)))}
}

// nextMessage returns the time of a message that the player hasn't used: a message may be used
// once. It counts in the milliseconds that are signed. The clock's monotonic reading must not
// decide: on a busy machine it may be many milliseconds younger than the wall clock's, and two
// times that it tells apart may be the same millisecond.
func (p *player) nextMessage(now time.Time) time.Time {
	p.last = max(p.last+1, now.Add(-messageAge).UnixMilli())
	return time.UnixMilli(p.last)
}

// login reports whether an address was admitted at an instance. Any failure but RATE_LIMITED
// fails the test.
func (d *doors) login(p *player, address string, instance int) bool {
	d.Helper()
	begin := time.Now()
	_, _, err := client.New(d.instances[instance].url, from(address)).SignIn(context.Background(), p.key, p.nextMessage(begin))
	d.mu.Lock()
	d.waits = append(d.waits, time.Since(begin))
	d.mu.Unlock()
	if err != nil && client.CodeOf(err) != "RATE_LIMITED" {
		d.Errorf("a login from %s: %v", address, err)
	}
	return err == nil
}

// visit signs in 24 times from an address, at both instances in turn.
func (d *doors) visit(p *player, address string) {
	d.Helper()
	phase, alone := d.phase.Load(), d.alone.Load()
	var admitted [2]int
	for i := range 24 {
		if d.login(p, address, i%2) {
			admitted[i%2]++
		}
	}
	both := admitted[0] + admitted[1]
	if admitted[0] > loginsMax || admitted[1] > loginsMax || both < loginsMax {
		d.Errorf("address %s was admitted %v times", address, admitted)
	}
	if phase%2 == 0 && d.phase.Load() == phase && d.alone.Load() == alone {
		if both != loginsMax {
			d.Errorf("while Redis worked address %s was admitted %v times", address, admitted)
		}
		d.exact.Add(1)
	}
}

// regular is an address that has used its ten logins at the first instance since a time.
type regular struct {
	address string
	since   time.Time
}

func (d *doors) regulars() (all []regular) {
	d.Helper()
	p := d.player()
	for range 2 {
		r := regular{d.address(), time.Now()}
		for range loginsMax {
			if !d.login(p, r.address, 0) {
				d.Errorf("%s is refused one of its ten", r.address)
			}
		}
		all = append(all, r)
	}
	return all
}

// refused tries another login from a regular's address, before its minute is over.
func (d *doors) refused(p *player, r regular) {
	d.Helper()
	if d.login(p, r.address, 0) && time.Since(r.since) < time.Minute {
		d.Errorf("%s got an eleventh login from the instance that gave it ten", r.address)
	}
}

// report logs how long logins took, and resets that.
func (d *doors) report() {
	d.mu.Lock()
	defer d.mu.Unlock()
	slices.Sort(d.waits)
	at := func(share float64) time.Duration {
		return d.waits[int(share*float64(len(d.waits)-1))].Round(10 * time.Microsecond)
	}
	d.Logf("%d logins, %d decided alone; median %v, p99 %v, longest %v", len(d.waits), d.alone.Swap(0), at(0.5), at(0.99), at(1))
	d.waits = nil
}

// from returns a client behind a proxy that names the client's address.
func from(address string) *http.Client {
	return &http.Client{Transport: forwarded{address, http.DefaultTransport}, Timeout: 30 * time.Second}
}

// forwarded sends requests as a proxy that names its client.
type forwarded struct {
	address string
	through http.RoundTripper
}

// RoundTrip sends one request.
func (f forwarded) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.Header.Set("X-Forwarded-For", f.address)
	return f.through.RoundTrip(r)
}
