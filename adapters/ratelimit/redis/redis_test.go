package redis_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	goredis "github.com/redis/go-redis/v9"
	"pgregory.net/rapid"

	"github.com/casino-service/casino/adapters/ratelimit/redis"
	"github.com/casino-service/casino/adapters/system"
	"github.com/casino-service/casino/domain/limit"
	"github.com/casino-service/casino/test/fakes"
	"github.com/casino-service/casino/test/services"
)

// login is the rule of the sign-in endpoint.
var login = limit.Rule{Max: 10, Window: time.Minute}

const loginKey = redis.Prefix + "60000000:10:ip"

func take(t testing.TB, l *redis.Limiter, key string, rule limit.Rule) limit.Decision {
	t.Helper()
	decision, err := l.Take(context.Background(), key, rule)
	if err != nil {
		t.Fatal(err)
	}
	return decision
}

// TestAgainstTheLog compares every decision with limit.Log, to the microsecond.
func TestAgainstTheLog(t *testing.T) {
	t.Parallel()
	server, client := simulated(t)
	limiter := redis.New(client, system.Default())
	now, runs := fakes.Start, 0
	rapid.Check(t, func(t *rapid.T) {
		runs++
		key := fmt.Sprint(runs)
		rule := limit.Rule{Max: rapid.IntRange(0, 4).Draw(t, "max"), Window: time.Duration(rapid.IntRange(1, 20).Draw(t, "window")) * time.Microsecond}
		var log limit.Log
		for range rapid.IntRange(1, 40).Draw(t, "requests") {
			now = now.Add(time.Duration(rapid.IntRange(0, 8).Draw(t, "step")) * time.Microsecond)
			server.SetTime(now)
			var want limit.Decision
			log, want = log.Take(rule, now)
			got, err := limiter.Take(context.Background(), key, rule)
			if err != nil || got != want {
				t.Fatalf("at %v: %+v, %v; the log says %+v", now.Sub(fakes.Start), got, err, want)
			}
		}
	})
}

// TestAClockThatStepsBack sets Redis's clock back and forth while real time passes: no more
// are admitted in any window of real time, and a client that waits one is admitted again.
func TestAClockThatStepsBack(t *testing.T) {
	t.Parallel()
	server, client := simulated(t)
	limiter := redis.New(client, system.Default())
	clock, runs := fakes.Start, 0
	rapid.Check(t, func(t *rapid.T) {
		runs++
		key := fmt.Sprint(runs)
		rule := limit.Rule{Max: rapid.IntRange(1, 4).Draw(t, "max"), Window: 20 * time.Microsecond}
		real, admitted := time.Duration(0), []time.Duration{}
		for range rapid.IntRange(1, 60).Draw(t, "requests") {
			step := time.Duration(rapid.IntRange(0, 8).Draw(t, "step")) * time.Microsecond
			back := time.Duration(rapid.SampledFrom([]int{0, 0, 0, 3, 15, 1_000_000}).Draw(t, "back")) * time.Microsecond
			real, clock = real+step, clock.Add(step-back)
			server.SetTime(clock)
			decision, err := limiter.Take(context.Background(), key, rule)
			if err != nil {
				t.Fatal(err)
			}
			if !decision.Allowed {
				if decision.RetryAfter > rule.Window {
					t.Fatalf("the wait is %v", decision.RetryAfter)
				}
				continue
			}
			admitted = append(admitted, real)
			if n := len(admitted) - rule.Max - 1; n >= 0 && real-admitted[n] < rule.Window {
				t.Fatalf("%d were admitted within %v", rule.Max+1, real-admitted[n])
			}
		}
		server.SetTime(clock.Add(rule.Window))
		if decision, err := limiter.Take(context.Background(), key, rule); err != nil || !decision.Allowed {
			t.Fatalf("after a quiet window: %+v, %v", decision, err)
		}
	})
}

// lossyCluster is the client of a cluster that repeats each command after a lost response.
type lossyCluster struct{ goredis.UniversalClient }

func (l lossyCluster) EvalSha(ctx context.Context, sha1 string, keys []string, args ...any) *goredis.Cmd {
	_ = l.UniversalClient.EvalSha(ctx, sha1, keys, args...)
	return l.UniversalClient.EvalSha(ctx, sha1, keys, args...)
}

// TestARepeatedCommandCountsOnce, also if it took the last place.
func TestARepeatedCommandCountsOnce(t *testing.T) {
	t.Parallel()
	server, client := simulated(t)
	limiter := redis.New(lossyCluster{client}, system.Default())
	take(t, limiter, "warm", login) // Redis knows the script now
	now := fakes.Start
	for i := range login.Max {
		now = now.Add(time.Second)
		server.SetTime(now)
		if d := take(t, limiter, "ip", login); !d.Allowed || d.Remaining != login.Max-1-i {
			t.Fatalf("request %d: %+v", i+1, d)
		}
	}
	if d := take(t, limiter, "ip", login); d.Allowed || d.RetryAfter != login.Window-9*time.Second {
		t.Errorf("one too many: %+v", d)
	}
}

func TestKeysExpireWithTheirWindow(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	client := open(t, services.Redis(t))
	limiter := redis.New(client, system.Default())
	for range 15 {
		take(t, limiter, "ip", login)
	}
	if kept, err := client.Do(ctx, "ZCARD", loginKey).Int64(); err != nil || kept != 10 {
		t.Errorf("%d of 15 requests are recorded, %v", kept, err)
	}
	if left, err := client.Do(ctx, "PTTL", loginKey).Int64(); err != nil || left <= 0 || left > login.Window.Milliseconds() {
		t.Errorf("the key stays for %d ms, %v", left, err)
	}
	// A clock that stepped back must not leave a key behind for longer.
	first, err := client.Do(ctx, "ZRANGE", loginKey, 0, 0).StringSlice()
	if err != nil {
		t.Fatal(err)
	}
	for _, command := range [][]any{{"ZINCRBY", loginKey, time.Hour.Microseconds(), first[0]}, {"PERSIST", loginKey}} {
		if err := client.Do(ctx, command...).Err(); err != nil {
			t.Fatal(err)
		}
	}
	if d := take(t, limiter, "ip", login); d.Allowed || d.RetryAfter > login.Window {
		t.Errorf("with a moment from the future: %+v", d)
	}
	if left, err := client.Do(ctx, "PTTL", loginKey).Int64(); err != nil || left <= 0 || left > login.Window.Milliseconds() {
		t.Errorf("then the key stays for %d ms, %v", left, err)
	}
}

func TestInstancesShareTheirWindows(t *testing.T) {
	t.Parallel()
	address := services.Redis(t)
	instances := []*redis.Limiter{redis.New(open(t, address), system.Default()), redis.New(open(t, address), system.Default())}
	for i := range login.Max {
		if d := take(t, instances[i%2], "ip", login); !d.Allowed || d.Remaining != login.Max-1-i {
			t.Fatalf("request %d: %+v", i+1, d)
		}
	}
	for i, instance := range instances {
		if d := take(t, instance, "ip", login); d.Allowed {
			t.Errorf("instance %d admits the 11th: %+v", i+1, d)
		}
	}
	other := redis.NewPrefixed(open(t, address), system.Default(), "another deployment:")
	if d := take(t, other, "ip", login); !d.Allowed {
		t.Errorf("another deployment's window is full: %+v", d)
	}
}

func TestARedisThatIsWrongIsAnError(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	for name, spoil := range map[string][]any{
		"a string under the key": {"SET", loginKey, "10"},
		"a list under the key":   {"RPUSH", loginKey, "1", "2"},
		"a replica":              {"REPLICAOF", "127.0.0.1", "1"},
		"a password":             {"CONFIG", "SET", "requirepass", "secret"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			server := services.StartRedis(t)
			if err := open(t, server.URL()).Do(ctx, spoil...).Err(); err != nil {
				t.Fatal(err)
			}
			limiter := redis.New(open(t, server.URL()), system.Default())
			if d, err := limiter.Take(ctx, "ip", login); err == nil || d != (limit.Decision{}) {
				t.Errorf("%+v, %v", d, err)
			}
		})
	}
}

// answering is a Redis that gives every script the same answer.
type answering struct {
	goredis.Scripter
	answer any
}

func (a answering) EvalSha(context.Context, string, []string, ...any) *goredis.Cmd {
	return goredis.NewCmdResult(a.answer, nil)
}

func TestAnImpossibleResponseIsAnError(t *testing.T) {
	t.Parallel()
	for _, answer := range []any{
		nil, "OK", int64(1), true, []any{}, []any{int64(1)}, []any{int64(1), int64(9)}, []any{"1", "9", "soon"},
		[]any{int64(1), int64(10), int64(0)}, []any{int64(1), int64(-1), int64(0)}, []any{int64(1), int64(9), int64(5)},
		[]any{int64(2), int64(0), int64(0)}, []any{int64(0), int64(1), int64(5)}, []any{int64(0), int64(0), int64(0)},
		[]any{int64(0), int64(0), int64(-1)}, []any{int64(0), int64(0), int64(3_600_000_000)}, []any{int64(1), int64(9), nil},
		[]any{int64(1), int64(9), int64(0), int64(0)}, []any{int64(1), int64(9), int64(0), nil},
	} {
		limiter := redis.New(answering{answer: answer}, system.Default())
		if d, err := limiter.Take(context.Background(), "ip", login); err == nil || d != (limit.Decision{}) {
			t.Errorf("%v is read as %+v", answer, d)
		}
	}
	limiter := redis.New(answering{answer: []any{int64(0), int64(0), int64(1_500)}}, system.Default())
	if d := take(t, limiter, "ip", login); d != (limit.Decision{RetryAfter: 1500 * time.Microsecond}) {
		t.Errorf("a good answer is read as %+v", d)
	}
}

// TestALostResponseIsNotRetried uses connections that lose responses.
func TestALostResponseIsNotRetried(t *testing.T) {
	t.Parallel()
	address := services.Redis(t)
	straight := open(t, address)
	if d := take(t, redis.New(straight, system.Default()), "ip", login); !d.Allowed { // loads the script
		t.Fatalf("%+v", d)
	}
	through, dials := forgetful(t, address)
	limiter := redis.New(open(t, through), system.Default())
	if d, err := limiter.Take(context.Background(), "ip", login); err == nil {
		t.Errorf("%+v without an answer", d)
	}
	counted, err := straight.Do(context.Background(), "ZCARD", loginKey).Int64()
	if dials := dials.Load(); err != nil || counted != 2 || dials != 1 {
		t.Errorf("one request whose answer was lost was counted %d times, over %d connections; %v", counted-1, dials, err)
	}
}

// forgetful returns a URL of the same Redis over connections that break when a script's
// answer arrives, and the number of connections made.
func forgetful(t *testing.T, address string) (through string, dials *atomic.Int32) {
	t.Helper()
	to, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	listener, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	server := to.Host
	dials, to.Host = new(atomic.Int32), listener.Addr().String()
	var carrying sync.WaitGroup
	carrying.Go(func() {
		for {
			near, err := listener.Accept()
			if err != nil {
				return
			}
			dials.Add(1)
			carrying.Go(func() { forget(near, server) })
		}
	})
	t.Cleanup(func() {
		_ = listener.Close()
		carrying.Wait()
	})
	return to.String(), dials
}

// forget forwards a connection until a script's answer arrives.
func forget(near net.Conn, server string) {
	defer func() { _ = near.Close() }()
	far, err := net.Dial("tcp", server)
	if err != nil {
		return
	}
	defer func() { _ = far.Close() }()
	var asked atomic.Bool
	var both sync.WaitGroup
	defer both.Wait()
	both.Go(func() {
		defer func() { _ = far.Close() }()
		_, _ = io.Copy(far, io.TeeReader(near, script{&asked}))
	})
	defer func() { _ = near.Close() }()
	for buffer := make([]byte, 1<<12); ; {
		n, err := far.Read(buffer)
		if err != nil || asked.Load() {
			return
		}
		if _, err := near.Write(buffer[:n]); err != nil {
			return
		}
	}
}

// script records that a script was run.
type script struct{ asked *atomic.Bool }

func (s script) Write(b []byte) (int, error) {
	if bytes.Contains(b, []byte("evalsha")) {
		s.asked.Store(true)
	}
	return len(b), nil
}

func TestNoErrorShowsTheURL(t *testing.T) {
	t.Parallel()
	const secret = "hunter2"
	for _, address := range []string{
		"redis://user:" + secret + "@host:port/0", "http://user:" + secret + "@host/0", "redis://:" + secret + "@host/zero",
		"redis://:" + secret + "@host/0/1", "redis://:" + secret + "@[::1/0", "redis://:" + secret + "\x7f@host", "://" + secret,
		"redis://:" + secret + "@host?max_retries=5", "redis://:" + secret + "@host?skip_verify=true",
		"redis://:" + secret + "%zz@host", "unix://:" + secret + "@",
	} {
		client, err := redis.Open(address, time.Second)
		if err == nil {
			t.Errorf("%q is accepted: %v", address, client)
			continue
		}
		if strings.Contains(err.Error(), secret) {
			t.Errorf("%v", err)
		}
	}
	limiter := redis.New(open(t, "redis://user:"+secret+"@127.0.0.1:1/0"), system.Default())
	if _, err := limiter.Take(context.Background(), "ip", login); err == nil || strings.Contains(err.Error(), secret) {
		t.Errorf("nobody listens there: %v", err)
	}
}

func BenchmarkTake(b *testing.B) {
	limiter := redis.New(open(b, services.Redis(b)), system.Default())
	for i := 0; b.Loop(); i++ {
		take(b, limiter, fmt.Sprint(i%1000), login)
	}
}
