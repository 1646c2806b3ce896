package service

import (
	"fmt"
	"log/slog"

	"go.uber.org/fx"

	"github.com/casino-service/casino/adapters/ratelimit/fallback"
	"github.com/casino-service/casino/adapters/ratelimit/local"
	"github.com/casino-service/casino/adapters/ratelimit/redis"
	"github.com/casino-service/casino/adapters/system"
	"github.com/casino-service/casino/adapters/telemetry"
	"github.com/casino-service/casino/cmd/internal/settings"
)

// limiter counts in Redis beside this instance's own windows, or in those alone
// when there is only this instance. Redis may be away at the start, as later.
func limiter(plan settings.Plan, machine *system.System, observed *telemetry.Telemetry, log *slog.Logger, life fx.Lifecycle) (RequestLimiter, error) {
	own := local.New(machine)
	if plan.Redis == "" {
		return LocalLimiter(own), nil
	}
	redis.LogTo(log)
	client, err := redis.Open(plan.Redis.Reveal(), redis.Timeout)
	if err != nil {
		return RequestLimiter{}, fmt.Errorf("CASINO_REDIS_URL: %w", err)
	}
	life.Append(fx.StopHook(client.Close))
	if err := observed.Redis(client); err != nil {
		return RequestLimiter{}, err
	}
	both := fallback.New(own, redis.New(client, machine), fallback.Options{
		Changed: func(state fallback.State, cause error) { tellLimiter(log, state, cause) },
	})
	return RequestLimiter{
		Limiter: both, Probe: both.Check, Alone: func() bool { return both.State() == fallback.Alone },
	}, nil
}

func tellLimiter(log *slog.Logger, state fallback.State, cause error) {
	if state == fallback.Alone {
		log.Warn("Redis is away: requests are counted by this instance alone", "error", cause.Error())
		return
	}
	log.Info("Redis is back: requests are counted together again")
}
