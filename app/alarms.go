package app

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"github.com/casino-service/casino/ports"
)

// The alarms are messages of log records of level ERROR. They never change, so that
// whoever watches the log can match them.
const (
	AlarmPayoutFailed      = "payout landed with an error"
	AlarmPayoutStuck       = "payout is stuck"
	AlarmPayoutUnsignable  = "payout can't be signed"
	AlarmPayoutForged      = "payout rests on rows that the service did not write"
	AlarmRolesForged       = "the roles of the admins are not as they were granted"
	AlarmPayoutCapped      = "payout is above a cap"
	AlarmPayoutProved      = "payout was found on chain and not in the books"
	AlarmPayoutUnproved    = "payout waits because nobody knows whether it was paid"
	AlarmTreasuryUnindexed = "treasury's history can't be read"
	AlarmTreasuryForeign   = "treasury signed something that is no payout and no announced sweep"
	AlarmDepositUnreadable = "deposit can't be read"
	AlarmDepositsUnwatched = "deposits can't be watched"
	AlarmTreasuryDiffers   = "treasury and ledger differ"
	AlarmInsolvent         = "treasury holds less than players are owed"
	AlarmLowFees           = "treasury is low on SOL for fees"
	AlarmDepositReview     = "deposit needs a person"
	AlarmRTPOutOfBounds    = "a game's return left its bound"
	AlarmRoundVoided       = "a round broke down and its stakes were given back"
	AlarmOpenRoundForged   = "an open round is not as the service wrote it"

	AlarmProviderConflict = "provider used a transaction id for something else"
	AlarmProviderReview   = "provider's win needs a person"
	AlarmProviderCapped   = "a provider's players won more within an hour than its cap"
	AlarmProviderDiffers  = "provider and ledger differ"

	AlarmSiteRefuses   = "an agent's site refuses what it is owed"
	AlarmSiteUnsettled = "an agent's site leaves transactions unsettled"

	AlarmWebhookDisabled = "an agent's webhook was disabled"
)

// alarmEvery is how often an alarm about the same subject is raised while its cause
// lasts.
const alarmEvery = 10 * time.Minute

// alarms raises an alarm about the same subject at most once per alarmEvery. Its memory
// ends with the process: after a restart, what still holds is raised again.
type alarms struct {
	logger *slog.Logger
	clock  ports.Clock
	mu     sync.Mutex
	raised map[string]time.Time
}

func newAlarms(logger *slog.Logger, clock ports.Clock) *alarms {
	return &alarms{logger: logger, clock: clock, raised: map[string]time.Time{}}
}

// raise logs the alarm unless it was raised about the same subject lately. It does
// nothing once ctx has ended: work that was stopped is not worth an alarm.
func (a *alarms) raise(ctx context.Context, message, about string, facts ...any) {
	if ctx.Err() != nil {
		return
	}
	now := a.clock.Now()
	key := message + " " + about
	a.mu.Lock()
	last, known := a.raised[key]
	again := !known || now.Sub(last) >= alarmEvery || now.Before(last)
	if again {
		for old, at := range a.raised {
			if now.Sub(at) >= alarmEvery {
				delete(a.raised, old)
			}
		}
		a.raised[key] = now
	}
	a.mu.Unlock()
	if again {
		a.logger.ErrorContext(ctx, message, append([]any{"about", about}, facts...)...)
	}
}
