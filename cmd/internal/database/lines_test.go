package database

import (
	"testing"
	"time"

	"github.com/casino-service/casino/app/audit"
	"github.com/casino-service/casino/domain/withdrawal"
	"github.com/casino-service/casino/test/fakes"
)

// TestTheSwitchOfPayoutsNamesNobodyWhoDidNotTurnIt: a pause by the service has no admin and
// isn't attributed to the command line.
func TestTheSwitchOfPayoutsNamesNobodyWhoDidNotTurnIt(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	for want, pause := range map[string]withdrawal.Pause{
		"payouts are made": {},
		"payouts are paused since 2026-01-02T03:04:05Z: the treasury signed x":                                           {Paused: true, Reason: "the treasury signed x", At: at},
		"payouts are made since 2026-01-02T03:04:05Z, by " + string(fakes.Wallet("finance")) + ": looked at all of them": {By: fakes.Wallet("finance"), Reason: "looked at all of them", At: at},
	} {
		if got := switchText(pause); got != want {
			t.Errorf("%q, expected %q", got, want)
		}
	}
}

// TestTheProgressOfAnAuditIsOneLine prints progress at three moments.
func TestTheProgressOfAnAuditIsOneLine(t *testing.T) {
	t.Parallel()
	for want, got := range map[string]string{
		"1 of 4 blocks, 20 rounds":                              progressLine(audit.AuditProgress{Blocks: 1, Of: 4, Rounds: 20}, time.Millisecond),
		"1 of 4 blocks, 20 rounds, 10 rounds/s, 6s left":        progressLine(audit.AuditProgress{Blocks: 1, Of: 4, Rounds: 20}, 2*time.Second),
		"4 of 4 blocks, 20 rounds, 10 rounds/s: comparing rows": progressLine(audit.AuditProgress{Blocks: 4, Of: 4, Rounds: 20}, 2*time.Second),
	} {
		if got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
