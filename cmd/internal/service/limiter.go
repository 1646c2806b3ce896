package service

import (
	"log/slog"

	"go.uber.org/fx"

	"github.com/casino-service/casino/adapters/ratelimit/fallback"
	"github.com/casino-service/casino/adapters/ratelimit/local"
	"github.com/casino-service/casino/adapters/ratelimit/redis"
	"github.com/casino-service/casino/adapters/system"
	"github.com/casino-service/casino/adapters/telemetry"
	"github.com/casino-service/casino/cmd/internal/settings"
)

// sharedRedis is the client of the Redis that instances share; its client is nil without a
// Redis.
type sharedRedis struct{ client redis.Client }

// openRedis connects at the first request. A failing Redis doesn't prevent the start,
// because it holds nothing that affects money or access.
func openRedis(life fx.Lifecycle, held *Held, plan settings.Plan, metrics *telemetry.Telemetry, machine *system.System) (sharedRedis, error) {
	if plan.Redis == "" {
		return sharedRedis{}, nil
	}
	commands, err := metrics.Redis(machine)
	if err != nil {
		return sharedRedis{}, err
	}
	client, err := redis.OpenObserved(plan.Redis.Reveal(), redis.Timeout, commands.Called)
	if err != nil {
		return sharedRedis{}, nameSetting("CASINO_REDIS_URL", err)
	}
	held.Hold(life, withoutContext(client.Close))
	return sharedRedis{client}, metrics.RedisPool(client.PoolStats)
}

// newLimiter counts requests in Redis together with all instances, and locally while Redis
// fails or if there is none.
func newLimiter(opened sharedRedis, machine *system.System, log *slog.Logger) RequestLimiter {
	own := local.New(machine)
	if opened.client == nil {
		return LocalLimiter(own)
	}
	shared := fallback.New(own, redis.New(opened.client, machine), fallback.Options{
		Changed: func(state fallback.State, cause error) {
			if state == fallback.Alone {
				log.Warn("Redis fails: this instance counts requests alone", "error", cause.Error())
				return
			}
			log.Info("Redis works again: all instances count requests together")
		},
	})
	return RequestLimiter{
		Limiter: shared, Probe: shared.Check, Alone: func() bool { return shared.State() == fallback.Alone },
	}
}
