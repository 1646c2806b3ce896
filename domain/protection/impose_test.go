package protection_test

import (
	"errors"
	"reflect"
	"testing"
	"time"

	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/protection"
)

func impose(t *testing.T, s protection.State, at time.Time, requests ...protection.LimitRequest) protection.State {
	t.Helper()
	next, err := s.Impose(requests, at)
	if err != nil {
		t.Fatal(err)
	}
	return next
}

// TestWhatTheOperatorImposedIsTheOperators has both make limits of the same kind, period
// and token, in every order.
func TestWhatTheOperatorImposedIsTheOperators(t *testing.T) {
	t.Parallel()
	year := 365 * 24 * time.Hour
	wager := func(s protection.State, amount money.Amount, now time.Time) bool {
		return s.MayWager(sol, amount, now) == nil
	}
	imposed := impose(t, protection.State{}, friday, request(protection.Wager, protection.Day, 100))
	for name, s := range map[string]protection.State{
		"left out":         limits(t, imposed, friday),
		"raised":           limits(t, imposed, friday, request(protection.Wager, protection.Day, 1000)),
		"asked for twice":  limits(t, limits(t, imposed, friday, request(protection.Wager, protection.Day, 1000)), friday),
		"of another kind":  limits(t, imposed, friday, request(protection.Loss, protection.Day, 1000)),
		"before it":        impose(t, limits(t, protection.State{}, friday, request(protection.Wager, protection.Day, 1000)), friday, request(protection.Wager, protection.Day, 100)),
		"both, in a month": limits(t, imposed, friday, request(protection.Wager, protection.Month, 1000)),
	} {
		if !s.SameImposed(imposed) {
			t.Errorf("%s: %+v", name, s.Limits)
		}
		for _, at := range []time.Time{friday, friday.Add(protection.RaiseTime), friday.Add(year)} {
			if wager(s, 101, at) || !wager(s, 100, at) {
				t.Errorf("%s, at %v: the operator's limit isn't the one that counts", name, at)
			}
		}
	}
	tighter := limits(t, imposed, friday, request(protection.Wager, protection.Day, 50))
	if wager(tighter, 51, friday) || !wager(tighter, 50, friday) || len(tighter.Limits) != 2 {
		t.Errorf("the player's own is tighter: %+v", tighter.Limits)
	}
	if by := []protection.Maker{tighter.Limits[0].By(), tighter.Limits[1].By()}; by[0] != protection.Player || by[1] != protection.Operator {
		t.Errorf("made by %v", by)
	}
	used, _ := tighter.AddBet(sol, 30, 0, friday)
	for _, change := range [][]protection.LimitRequest{{request(protection.Wager, protection.Day, 40)}, {request(protection.Wager, protection.Day, 200)}} {
		next := impose(t, used, friday, change...)
		if own, theirs := next.Limits[0], next.Limits[1]; !reflect.DeepEqual(own, used.Limits[0]) || theirs.Amount != change[0].Amount || theirs.Used != 30 || !theirs.NextAt.IsZero() {
			t.Errorf("imposed anew: %+v", next.Limits)
		}
	}
	if lifted := impose(t, used, friday); len(lifted.Limits) != 1 || lifted.Limits[0].Imposed {
		t.Errorf("lifted by the operator: %+v", lifted.Limits)
	}
	if used.SameImposed(impose(t, used, friday, request(protection.Wager, protection.Day, 99))) || !used.SameImposed(tighter) {
		t.Error("what is used counts as a change, or a change doesn't")
	}
}

func TestACoolOffIsShortAndNeverShortened(t *testing.T) {
	t.Parallel()
	for name, until := range map[string]time.Time{
		"too short": friday.Add(time.Hour - 1), "too long": friday.Add(6*7*24*time.Hour + 1), "the past": friday.Add(-time.Hour), "never": {},
	} {
		if _, err := (protection.State{}).CoolOff(until, friday); !fault.Is(err, fault.Invalid) {
			t.Errorf("%s: %v", name, err)
		}
	}
	until := friday.Add(48 * time.Hour)
	s, err := protection.State{}.CoolOff(until, friday)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.CoolOff(until.Add(-time.Hour), friday); !fault.Is(err, fault.InvalidState) {
		t.Errorf("shortened: %v", err)
	}
	var refusal *fault.Error
	if err := s.MayPlay(until.Add(-1)); !errors.As(err, &refusal) || refusal.Kind != fault.PlayerExcluded || refusal.Details["reason"] != "coolOff" || refusal.Details["until"] != until.UnixMilli() {
		t.Errorf("before its end: %v", err)
	}
	if err := s.MayPlay(until); err != nil || s.Empty() || s.Status(until.Add(-1)) != protection.CoolingOff {
		t.Errorf("at its end: %v", err)
	}
	excluded, err := s.Exclude(friday.Add(time.Hour), false, friday)
	if err != nil || excluded.Status(friday) != protection.Excluded || excluded.Status(friday.Add(time.Hour)) != protection.CoolingOff {
		t.Errorf("beside an exclusion: %v, %+v", err, excluded)
	}
}
