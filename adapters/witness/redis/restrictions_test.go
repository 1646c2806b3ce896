package redis_test

import (
	"testing"

	"github.com/alicebob/miniredis/v2"

	limiter "github.com/casino-service/casino/adapters/ratelimit/redis"
	"github.com/casino-service/casino/adapters/witness/redis"
	"github.com/casino-service/casino/test/conformance"
	"github.com/casino-service/casino/test/fakes"
	"github.com/casino-service/casino/test/services"
)

func TestRestrictionsConformOnASimulatedRedis(t *testing.T) {
	t.Parallel()
	conformance.Restrictions(t, func(t *testing.T) conformance.RestrictionsUnderTest {
		return restrictionsOn(client(t, "redis://"+miniredis.RunT(t).Addr()))
	})
}

func TestRestrictionsConformOnARealRedis(t *testing.T) {
	t.Parallel()
	conformance.Restrictions(t, func(t *testing.T) conformance.RestrictionsUnderTest {
		return restrictionsOn(client(t, services.Redis(t)))
	})
}

func restrictionsOn(c limiter.Client) conformance.RestrictionsUnderTest {
	return conformance.RestrictionsUnderTest{
		Restrictions: redis.NewRestrictions(c, fakes.Authenticator{}), Traits: conformance.Traits{Durable: true},
		Beside: func(*testing.T) conformance.RestrictionsUnderTest { return restrictionsOn(c) },
		Spoil: func(t *testing.T) {
			const key = redis.RestrictionsKey + "ours"
			for field, line := range fields(t, c, key) {
				if err := c.Do(t.Context(), "HSET", key, field, "d"+line[1:]).Err(); err != nil {
					t.Fatal(err)
				}
			}
		},
	}
}
