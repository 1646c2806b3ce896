package protection_test

import (
	"errors"
	"testing"
	"time"

	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/protection"
)

func TestWhenTheNextRoundMayBegin(t *testing.T) {
	t.Parallel()
	const least = 5 * time.Second
	for name, row := range map[string]struct {
		last, now time.Time
		least     time.Duration
		wait      int64 // milliseconds, 0 for none
	}{
		"the first of all":           {time.Time{}, friday, least, 0},
		"at once":                    {friday, friday, least, 5_000},
		"a microsecond too early":    {friday, friday.Add(least - time.Microsecond), least, 1},
		"half of it":                 {friday, friday.Add(2_500 * time.Millisecond), least, 2_500},
		"in time":                    {friday, friday.Add(least), least, 0},
		"without a pace":             {friday, friday, 0, 0},
		"decided before the last":    {friday, friday.Add(-time.Second), least, 5_000},
		"after a clock that was off": {friday, friday.Add(-least - time.Microsecond), least, 0},
	} {
		err := protection.State{LastRound: row.last}.MayBegin(row.least, row.now)
		var refusal *fault.Error
		if row.wait == 0 {
			if err != nil {
				t.Errorf("%s: %v", name, err)
			}
		} else if !errors.As(err, &refusal) || refusal.Kind != fault.RateLimited || refusal.Details["retryAfterMs"] != row.wait || refusal.Details["reason"] != "pace" {
			t.Errorf("%s: %v, %+v", name, err, refusal)
		}
	}
}

func TestAPaceIsOfAllGamesAndOfTypes(t *testing.T) {
	t.Parallel()
	pace := protection.Pace{Any: time.Second, Of: map[string]time.Duration{"slots": 3 * time.Second, "dice": 0}}
	for gameType, want := range map[string]time.Duration{"slots": 3 * time.Second, "dice": 0, "limbo": time.Second, "": time.Second} {
		if got := pace.Least(gameType); got != want {
			t.Errorf("%s: %v", gameType, got)
		}
	}
	if got := (protection.Pace{}).Least("slots"); got != 0 {
		t.Errorf("without a pace: %v", got)
	}
	if s, kept := (protection.State{}).Began(0, friday); kept || !s.Empty() {
		t.Errorf("without a pace %+v is kept", s)
	}
	if s, kept := (protection.State{}).Began(time.Second, friday); !kept || s.Empty() || !s.LastRound.Equal(friday) {
		t.Errorf("with one: %+v, %v", s, kept)
	}
}
