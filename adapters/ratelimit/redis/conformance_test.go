package redis_test

import (
	"context"
	"testing"
	"time"

	"github.com/alicebob/miniredis/v2"

	"github.com/casino-service/casino/adapters/ratelimit/redis"
	"github.com/casino-service/casino/adapters/system"
	"github.com/casino-service/casino/test/conformance"
	"github.com/casino-service/casino/test/fakes"
	"github.com/casino-service/casino/test/services"
)

// maxDelay is longer than a busy machine delays a process.
const maxDelay = 10 * time.Second

// open connects a client for as long as the test runs.
func open(t testing.TB, address string) redis.Client {
	t.Helper()
	client, err := redis.Open(address, maxDelay)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = client.Close() })
	return client
}

// simulated returns a Redis in this process; its clock stands at fakes.Start.
func simulated(t testing.TB) (*miniredis.Miniredis, redis.Client) {
	t.Helper()
	server := miniredis.RunT(t)
	server.SetTime(fakes.Start)
	return server, open(t, "redis://"+server.Addr())
}

func TestConformanceOnASimulatedRedis(t *testing.T) {
	t.Parallel()
	conformance.Limiter(t, func(t *testing.T) conformance.LimiterUnderTest {
		server, client := simulated(t)
		clock := &fakes.Clock{}
		return conformance.LimiterUnderTest{
			Limiter: redis.New(client, system.Default()),
			Advance: func(d time.Duration) {
				server.SetTime(clock.Advance(d))
				server.FastForward(d)
			},
		}
	})
}

// age makes everything in Redis older, which to a limiter is the same as time passing. A
// real server's clock can't be moved.
const age = `
for _, key in ipairs(redis.call('KEYS', '*')) do
  for _, id in ipairs(redis.call('ZRANGE', key, 0, -1)) do
    redis.call('ZINCRBY', key, '-' .. ARGV[1], id)
  end
  redis.call('PEXPIRE', key, math.max(0, redis.call('PTTL', key) - math.floor(ARGV[1] / 1000)))
end
return 1`

func TestConformanceOnARealRedis(t *testing.T) {
	t.Parallel()
	conformance.Limiter(t, func(t *testing.T) conformance.LimiterUnderTest {
		client := open(t, services.Redis(t))
		return conformance.LimiterUnderTest{
			Limiter: redis.New(client, system.Default()),
			// Real time passes too while the test runs, so that spans have to differ by more.
			Step: 3 * time.Second,
			Advance: func(d time.Duration) {
				if err := client.Do(context.Background(), "EVAL", age, 0, d.Microseconds()).Err(); err != nil {
					t.Fatal(err)
				}
			},
		}
	})
}
