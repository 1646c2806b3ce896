package redis_test

import (
	"context"
	"net/url"
	"testing"
	"time"

	"github.com/alicebob/miniredis/v2"
	goredis "github.com/redis/go-redis/v9"

	limiter "github.com/casino-service/casino/adapters/ratelimit/redis"
	"github.com/casino-service/casino/adapters/witness/redis"
	"github.com/casino-service/casino/domain/hashchain"
	"github.com/casino-service/casino/domain/witness"
	"github.com/casino-service/casino/test/conformance"
	"github.com/casino-service/casino/test/fakes"
	"github.com/casino-service/casino/test/services"
)

// maxDelay is longer than a busy machine delays a process.
const maxDelay = 10 * time.Second

func client(t testing.TB, address string) limiter.Client {
	t.Helper()
	c, err := limiter.Open(address, maxDelay)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Close() })
	return c
}

func TestConformanceOnASimulatedRedis(t *testing.T) {
	t.Parallel()
	conformance.Witness(t, func(t *testing.T) conformance.WitnessUnderTest {
		return under(t, client(t, "redis://"+miniredis.RunT(t).Addr()))
	})
}

func TestConformanceOnARealRedis(t *testing.T) {
	t.Parallel()
	conformance.Witness(t, func(t *testing.T) conformance.WitnessUnderTest { return under(t, client(t, services.Redis(t))) })
}

// lossyCluster is the client of a cluster that repeats each command after a lost response.
type lossyCluster struct{ limiter.Client }

func (l lossyCluster) EvalSha(ctx context.Context, sha1 string, keys []string, args ...any) *goredis.Cmd {
	_ = l.Client.EvalSha(ctx, sha1, keys, args...)
	return l.Client.EvalSha(ctx, sha1, keys, args...)
}

func TestConformanceOfRepeatedCommands(t *testing.T) {
	t.Parallel()
	conformance.Witness(t, func(t *testing.T) conformance.WitnessUnderTest {
		server := miniredis.RunT(t)
		return under(t, lossyCluster{client(t, (&url.URL{Scheme: "redis", Host: server.Addr()}).String())})
	})
}

// fields returns the fields of a hash.
func fields(t *testing.T, c limiter.Client, key string) map[string]string {
	t.Helper()
	all, err := c.HGetAll(t.Context(), key).Result()
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func under(t *testing.T, c limiter.Client) conformance.WitnessUnderTest {
	t.Helper()
	w := redis.New(c, fakes.Authenticator{})
	return conformance.WitnessUnderTest{
		Witness: w, Traits: conformance.Traits{Durable: true},
		Beside: func(t *testing.T) conformance.WitnessUnderTest { return under(t, c) },
		Flush: func(t *testing.T) {
			if worked, err := w.Step(context.WithoutCancel(t.Context())); worked || err != nil {
				t.Errorf("a step worked %v, %v", worked, err)
			}
		},
		Spoil: func(t *testing.T) {
			for field, line := range fields(t, c, redis.Key) {
				// Forge a far later block, too.
				forged := "9" + line[1:]
				if err := c.Do(t.Context(), "HSET", redis.Key, field, forged).Err(); err != nil {
					t.Fatal(err)
				}
			}
		},
	}
}

func head(seq int64) witness.Record {
	return witness.Of("ours", time.UnixMicro(1).UTC(), witness.Head{Head: hashchain.Head{Lane: 1, Seq: seq}, Epoch: 1})
}

// TestWhatRedisDidntTakeIsWrittenLater makes Redis unavailable: the batch isn't delayed,
// and the newest head of the outage is written later, in one exchange and without an
// expiry.
func TestWhatRedisDidntTakeIsWrittenLater(t *testing.T) {
	t.Parallel()
	server := miniredis.RunT(t)
	c := client(t, (&url.URL{Scheme: "redis", Host: server.Addr()}).String())
	w := redis.New(c, fakes.Authenticator{})
	if err := w.Keep(head(1)); err != nil {
		t.Fatal(err)
	}
	if _, err := w.Step(t.Context()); err != nil { // Redis knows the script from now on
		t.Fatal(err)
	}
	server.SetError("LOADING Redis is loading the dataset in memory")
	for seq := range int64(50) {
		if err := w.Keep(head(seq + 1)); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := w.Step(t.Context()); err == nil {
		t.Error("a step that wrote nothing reports no error")
	}
	if _, err := w.Kept(t.Context()); err == nil {
		t.Error("a Redis that doesn't answer keeps something")
	}
	server.SetError("")
	asked := server.CommandCount()
	if _, err := w.Step(t.Context()); err != nil {
		t.Fatal(err)
	}
	if n := server.CommandCount() - asked; n > 5 { // a new connection introduces itself first
		t.Errorf("%d commands for 50 heads", n)
	}
	kept, err := w.Kept(t.Context())
	if err != nil || len(kept.Records) != 1 || kept.Records[0].Heads[1].Seq != 50 {
		t.Errorf("%+v, %v", kept, err)
	}
	if ttl := server.TTL(redis.Key); ttl != 0 {
		t.Errorf("the heads expire in %v", ttl)
	}
	asked = server.CommandCount()
	if _, err := w.Step(t.Context()); err != nil || server.CommandCount() != asked {
		t.Errorf("an idle step asks Redis: %v", err)
	}
}
