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

// newLimiter counts requests in Redis with all instances, and alone while Redis fails;
// without Redis always alone. A failing Redis doesn't stop the start: nothing in it is
// worth money or access.
func newLimiter(life fx.Lifecycle, held *Held, plan settings.Plan, machine *system.System, metrics *telemetry.Telemetry,
	log *slog.Logger) (RequestLimiter, error) {
	own := local.New(machine)
	if plan.Redis == "" {
		return LocalLimiter(own), nil
	}
	redis.LogTo(log)
	client, err := redis.Open(plan.Redis.Reveal(), redis.Timeout)
	if err != nil {
		return RequestLimiter{}, named("CASINO_REDIS_URL", err)
	}
	held.Hold(life, plain(client.Close))
	if err := metrics.Redis(client); err != nil {
		return RequestLimiter{}, err
	}
	shared := fallback.New(own, redis.New(client, machine), fallback.Options{
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
	}, nil
}
