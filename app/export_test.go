package app

import (
	"context"

	"github.com/casino-service/casino/domain/alarm"
)

// RaiseRoundVoided raises the alarm of a round that broke down, as the call of a player does.
func RaiseRoundVoided(ctx context.Context, c *Casino, round string) {
	c.alarms.raise(ctx, alarm.RoundVoided, round)
}
