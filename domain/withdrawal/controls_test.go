package withdrawal_test

import (
	"errors"
	"testing"
	"time"

	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/token"
	"github.com/casino-service/casino/domain/withdrawal"
)

func TestPayoutControlsAdmitUpToTheirLimits(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC)
	terms := token.Terms{PayoutCap: 100, PayoutCapPerHour: 250}
	good := withdrawal.PayoutControls{
		Lease:  withdrawal.Lease{Worker: "one", Until: now.Add(time.Microsecond)},
		Signed: money.TotalOf(150),
	}
	huge := money.TotalOf(money.Max).AddAmount(money.Max)
	for name, row := range map[string]struct {
		change func(*withdrawal.PayoutControls)
		amount money.Amount
		detail string // empty when it is admitted
	}{
		"at both caps":               {func(*withdrawal.PayoutControls) {}, 100, ""},
		"one above a payout's cap":   {func(*withdrawal.PayoutControls) {}, 101, withdrawal.CapLimit},
		"one above the hour's cap":   {func(d *withdrawal.PayoutControls) { d.Signed = money.TotalOf(151) }, 100, withdrawal.HourLimit},
		"the rest of the hour's cap": {func(d *withdrawal.PayoutControls) { d.Signed = money.TotalOf(249) }, 1, ""},
		"sums beyond 64 bits":        {func(d *withdrawal.PayoutControls) { d.Signed = huge }, 1, withdrawal.HourLimit},
		"paused":                     {func(d *withdrawal.PayoutControls) { d.Paused = true }, 1, withdrawal.PausedStatus},
		"paused and above all caps":  {func(d *withdrawal.PayoutControls) { d.Paused = true }, 999, withdrawal.PausedStatus},
		"another's lease":            {func(d *withdrawal.PayoutControls) { d.Lease.Worker = "two" }, 1, withdrawal.LeasedStatus},
		"no lease":                   {func(d *withdrawal.PayoutControls) { d.Lease = withdrawal.Lease{} }, 1, withdrawal.LeasedStatus},
		"a lease that ran out now":   {func(d *withdrawal.PayoutControls) { d.Lease.Until = now }, 1, withdrawal.LeasedStatus},
	} {
		controls := good
		row.change(&controls)
		err := controls.Admits("one", terms, row.amount, now)
		var refusal *fault.Error
		switch {
		case row.detail == "" && err != nil, row.detail != "" && !errors.As(err, &refusal):
			t.Errorf("%s: %v", name, err)
		case row.detail != "" && refusal.Details["limit"] != row.detail && refusal.Details["status"] != row.detail:
			t.Errorf("%s: %v with %v, want %s", name, err, refusal.Details, row.detail)
		}
	}
	if (withdrawal.Lease{Until: now.Add(time.Hour)}).Held(now) {
		t.Error("a lease of nobody is held")
	}
}
