package protection_test

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/protection"
)

const sol = money.SOL

// friday is a Friday noon; the week began on the 16th.
var friday = time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)

func limits(t testing.TB, s protection.State, at time.Time, requests ...protection.LimitRequest) protection.State {
	t.Helper()
	next, err := s.WithLimits(requests, at)
	if err != nil {
		t.Fatal(err)
	}
	return next
}

func request(kind protection.Kind, period protection.Period, amount money.Amount) protection.LimitRequest {
	return protection.LimitRequest{Kind: kind, Period: period, Token: sol, Amount: amount}
}

// refused returns the limit that a refusal names, "" if none.
func refused(t testing.TB, err error) string {
	t.Helper()
	var refusal *fault.Error
	switch {
	case err == nil:
		return ""
	case !errors.As(err, &refusal) || refusal.Kind != fault.LimitExceeded:
		t.Fatalf("refused with %v", err)
	}
	return fmt.Sprint(refusal.Details["limit"])
}

func TestWagersAreCheckedAgainstTheMeters(t *testing.T) {
	t.Parallel()
	s := limits(t, protection.State{}, friday, request(protection.Wager, protection.Day, 1000), request(protection.Loss, protection.Week, 500))
	bet := func(wager, payout money.Amount, want string) {
		t.Helper()
		if got := refused(t, s.MayWager(sol, wager, friday)); got != want {
			t.Errorf("a wager of %d: %q, want %q", wager, got, want)
		} else if got == "" {
			s, _ = s.AddBet(sol, wager, payout, friday)
		}
	}
	bet(501, 0, "loss.week")
	bet(300, 0, "")
	var refusal *fault.Error
	if errors.As(s.MayWager(sol, 201, friday), &refusal); refusal.Details["max"] != int64(500) || refusal.Details["left"] != int64(200) {
		t.Errorf("300 of 500 are lost: %v", refusal.Details)
	}
	bet(200, 400, "") // lost 100 by now
	bet(401, 0, "loss.week")
	bet(400, 400, "")
	bet(101, 0, "wager.day") // loss would allow 400
	bet(100, 0, "")
	bet(1, 0, "wager.day")
	if got := refused(t, s.MayWager("usd", math.MaxInt64, friday)); got != "" {
		t.Errorf("another token: %s", got)
	}
}

func TestPeriodsRestart(t *testing.T) {
	t.Parallel()
	for period, c := range map[protection.Period]struct{ last, next time.Time }{
		protection.Day:   {time.Date(2026, 11, 20, 23, 59, 59, 999_999_999, time.UTC), time.Date(2026, 11, 21, 0, 0, 0, 0, time.UTC)},
		protection.Week:  {time.Date(2026, 11, 22, 23, 59, 59, 0, time.UTC), time.Date(2026, 11, 23, 0, 0, 0, 0, time.UTC)},
		protection.Month: {time.Date(2026, 11, 30, 23, 59, 59, 0, time.UTC), time.Date(2026, 12, 1, 1, 0, 0, 0, time.FixedZone("east", 3600))},
	} {
		s := limits(t, protection.State{}, friday, request(protection.Wager, period, 100))
		s, _ = s.AddBet(sol, 100, 0, friday)
		if got := refused(t, s.MayWager(sol, 1, c.last)); got != "wager."+string(period) {
			t.Errorf("%s: at its end %q", period, got)
		}
		var refusal *fault.Error
		if errors.As(s.MayWager(sol, 1, c.last), &refusal); refusal.Details["until"] != c.next.UnixMilli() || refusal.Details["token"] != string(sol) ||
			refusal.Details["max"] != int64(100) || refusal.Details["left"] != int64(0) {
			t.Errorf("%s: refused with %v", period, refusal.Details)
		}
		if got := refused(t, s.MayWager(sol, 100, c.next)); got != "" {
			t.Errorf("%s: after its end %q", period, got)
		}
		s, _ = s.AddBet(sol, 100, 0, c.next)
		if got := refused(t, s.MayWager(sol, 1, c.last)); got == "" {
			t.Errorf("%s: a clock that stepped back begins it anew", period)
		}
	}
}

func TestDepositsBeyondTheLimitClosePlay(t *testing.T) {
	t.Parallel()
	s := limits(t, protection.State{}, friday, request(protection.Deposit, protection.Day, 1000))
	for _, step := range []struct {
		amount money.Amount
		want   string
	}{{600, ""}, {400, ""}, {1, "deposit.day"}} {
		s, _ = s.AddDeposit(sol, step.amount, friday)
		if got := refused(t, s.MayWager(sol, 1, friday)); got != step.want {
			t.Errorf("after %d: %q", step.amount, got)
		}
	}
	if got := refused(t, s.MayWager(sol, 1, friday.Add(24*time.Hour))); got != "" {
		t.Errorf("a day later: %q", got)
	}
}

func TestLowerAtOnceHigherAfterADay(t *testing.T) {
	t.Parallel()
	day := func(amount money.Amount) protection.LimitRequest {
		return request(protection.Wager, protection.Day, amount)
	}
	amount := func(s protection.State, at time.Time) string {
		now := s.At(at).Limits
		if len(now) == 0 {
			return "none"
		}
		return fmt.Sprint(now[0].Amount)
	}
	confirmed := func(s protection.State, at time.Time) protection.State {
		next, err := s.Confirm(at)
		if fault.Is(err, fault.InvalidState) {
			return s
		}
		if err != nil {
			t.Fatal(err)
		}
		return next
	}
	s := limits(t, protection.State{}, friday, day(100))
	s, _ = s.AddBet(sol, 60, 0, friday)
	soon, later := friday.Add(time.Hour), friday.Add(25*time.Hour)

	lower := limits(t, s, soon, day(50))
	if refused(t, lower.MayWager(sol, 1, soon)) == "" {
		t.Error("lowered below what is used, and still a wager goes through")
	}
	for name, c := range map[string]struct {
		requests            []protection.LimitRequest
		before, after, next string // at once, a day later, and once it is confirmed then
	}{
		"raised":        {[]protection.LimitRequest{day(200)}, "100", "100", "200"},
		"lifted":        {nil, "100", "100", "none"},
		"left as it is": {[]protection.LimitRequest{day(100)}, "100", "100", "100"},
		"lowered":       {[]protection.LimitRequest{day(0)}, "0", "0", "0"},
	} {
		got := limits(t, s, soon, c.requests...)
		if amount(got, soon) != c.before || amount(got, later) != c.after || amount(confirmed(got, later), later) != c.next {
			t.Errorf("%s: %s, %s, %s", name, amount(got, soon), amount(got, later), amount(confirmed(got, later), later))
		}
		if early := confirmed(got, later.Add(-1)); amount(early, later) != c.after {
			t.Errorf("%s: confirmed a moment too early: %s", name, amount(early, later))
		}
		if late := confirmed(got, later.Add(protection.ConfirmTime)); amount(late, later.Add(protection.ConfirmTime)) != c.after {
			t.Errorf("%s: confirmed too late: %s", name, amount(late, later.Add(protection.ConfirmTime)))
		}
		if last := later.Add(protection.ConfirmTime - 1); amount(confirmed(got, last), last) != c.next {
			t.Errorf("%s: confirmed at last: %s", name, amount(confirmed(got, last), last))
		}
	}
	raised := limits(t, s, soon, day(200))
	again := limits(t, raised, soon.Add(time.Hour), day(200))
	if amount(confirmed(again, later), later) != "200" {
		t.Error("asking again puts a raise off")
	}
	higher := limits(t, raised, soon.Add(time.Hour), day(300))
	if amount(confirmed(higher, later), later) != "100" || amount(confirmed(higher, later.Add(time.Hour)), later.Add(time.Hour)) != "300" {
		t.Error("another raise doesn't wait its own day")
	}
	if back := limits(t, raised, soon.Add(time.Hour), day(100)); amount(back, later) != "100" {
		t.Error("a raise isn't taken back")
	}
	if after := limits(t, limits(t, s, soon), soon.Add(time.Hour), day(100)); amount(after, later) != "100" {
		t.Error("the end of a limit isn't taken back")
	}
	// The meter keeps its value when the amount changes.
	if refused(t, limits(t, s, soon, day(100)).MayWager(sol, 41, soon)) == "" {
		t.Error("setting a limit again empties its meter")
	}
}

func TestRequestsThatAreRefused(t *testing.T) {
	t.Parallel()
	many := make([]protection.LimitRequest, protection.LimitsMax+1)
	for name, requests := range map[string][]protection.LimitRequest{
		"kind": {request("luck", protection.Day, 1)}, "period": {request(protection.Loss, "year", 1)}, "negative": {request(protection.Loss, protection.Day, -1)},
		"twice": {request(protection.Loss, protection.Day, 1), request(protection.Loss, protection.Day, 2)}, "too many": many,
	} {
		_, err := protection.State{}.WithLimits(requests, friday)
		var refusal *fault.Error
		if !errors.As(err, &refusal) || refusal.Details["field"] != "limits" {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestExclusionsAreNeverShortened(t *testing.T) {
	t.Parallel()
	exclude := func(s protection.State, hours int, forever bool) (protection.State, error) {
		return s.Exclude(friday.Add(time.Duration(hours)*time.Hour), forever, friday)
	}
	s, err := exclude(protection.State{}, 24, false)
	if err != nil || s.Status(friday) != protection.Excluded || s.Status(friday.Add(24*time.Hour)) != protection.Active {
		t.Fatalf("%+v, %v", s, err)
	}
	if _, err := exclude(s, 23, false); !fault.Is(err, fault.InvalidState) {
		t.Errorf("shortened: %v", err)
	}
	if _, err := exclude(s, 0, false); !fault.Is(err, fault.Invalid) {
		t.Errorf("ended: %v", err)
	}
	longer, err := exclude(s, 48, false)
	if err != nil || longer.Status(friday.Add(47*time.Hour)) != protection.Excluded {
		t.Errorf("extended: %v", err)
	}
	ever, err := exclude(s, 0, true)
	if err != nil || ever.Status(friday.AddDate(100, 0, 0)) != protection.Excluded {
		t.Errorf("for ever: %v", err)
	}
	if _, err := exclude(ever, 1000, false); !fault.Is(err, fault.InvalidState) {
		t.Errorf("no longer for ever: %v", err)
	}
	if again, err := exclude(ever, 0, true); err != nil || !again.Excluded {
		t.Errorf("for ever again: %v", err)
	}
}

func TestWhoMayNotPlay(t *testing.T) {
	t.Parallel()
	out, err := protection.State{}.Exclude(friday.Add(time.Hour), false, friday)
	if err != nil {
		t.Fatal(err)
	}
	ever, err := protection.State{}.Exclude(time.Time{}, true, friday)
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		s    protection.State
		kind fault.Kind
		till any
	}{
		"excluded": {out, fault.PlayerExcluded, friday.Add(time.Hour).UnixMilli()}, "for ever": {ever, fault.PlayerExcluded, nil},
		"frozen": {protection.State{}.Freeze(true), fault.PlayerFrozen, nil}, "frozen and excluded": {out.Freeze(true), fault.PlayerFrozen, nil},
	} {
		var refusal *fault.Error
		if err := c.s.MayPlay(friday); !errors.As(err, &refusal) || refusal.Kind != c.kind || refusal.Details["until"] != c.till {
			t.Errorf("%s: %v", name, err)
		}
	}
	for _, s := range []protection.State{{}, out.Freeze(true).Freeze(false)} {
		if err := s.MayPlay(friday.Add(time.Hour)); err != nil {
			t.Error(err)
		}
	}
}

// TestMetersAgainstSums plays at random and computes the same sums from scratch.
func TestMetersAgainstSums(t *testing.T) {
	t.Parallel()
	const seed = 11
	random := rand.New(rand.NewPCG(seed, seed))
	s := limits(t, protection.State{}, friday, request(protection.Wager, protection.Day, 5000), request(protection.Loss, protection.Week, 9000))
	at, dayOf, weekOf := friday, "", ""
	var wagered, lost int64
	for i := range 3000 {
		at = at.Add(time.Duration(random.IntN(3600)) * time.Second)
		year, week := at.ISOWeek()
		if d := at.Format(time.DateOnly); d != dayOf {
			dayOf, wagered = d, 0
		}
		if w := fmt.Sprint(year, week); w != weekOf {
			weekOf, lost = w, 0
		}
		wager, payout := money.Amount(1+random.IntN(900)), money.Amount(random.IntN(1500))
		want := wagered+int64(wager) <= 5000 && lost+int64(wager) <= 9000
		if got := s.MayWager(sol, wager, at) == nil; got != want {
			t.Fatalf("seed %d, bet %d of %d at %v: %v; wagered %d, lost %d", seed, i, wager, at, got, wagered, lost)
		}
		if want {
			s, _ = s.AddBet(sol, wager, payout, at)
			wagered, lost = wagered+int64(wager), lost+int64(wager)-int64(payout)
		}
	}
}

func TestMetersStayWithinTheirBounds(t *testing.T) {
	t.Parallel()
	s := limits(t, protection.State{}, friday, request(protection.Wager, protection.Month, money.Max), request(protection.Loss, protection.Month, money.Max))
	for range 3 {
		s, _ = s.AddBet(sol, money.Max, 0, friday)
	}
	if refused(t, s.MayWager(sol, 1, friday)) == "" {
		t.Error("the meter went round")
	}
	s = limits(t, protection.State{}, friday, request(protection.Loss, protection.Month, 10))
	for range 3 {
		s, _ = s.AddBet(sol, 0, money.Max, friday)
	}
	if got := refused(t, s.MayWager(sol, money.Max, friday)); got != "" {
		t.Errorf("who won that much lost too much: %s", got)
	}
	if _, moved := s.AddBet("usd", 1, 1, friday); moved {
		t.Error("a meter of another token moved")
	}
	if !(protection.State{}).Empty() || s.Empty() || (protection.State{Frozen: true}).Empty() {
		t.Error("what is empty")
	}
}

// A player raises a limit, and confirms it a day later.
func ExampleState_WithLimits() {
	day := func(amount money.Amount) []protection.LimitRequest {
		return []protection.LimitRequest{{Kind: protection.Loss, Period: protection.Day, Token: sol, Amount: amount}}
	}
	s, _ := protection.State{}.WithLimits(day(100), friday)
	s, _ = s.WithLimits(day(1000), friday)
	fmt.Println(s.MayWager(sol, 101, friday))
	s, _ = s.Confirm(friday.Add(protection.RaiseTime))
	fmt.Println(s.MayWager(sol, 101, friday.Add(protection.RaiseTime)))
	// Output:
	// the player's loss limit of 100 base units a day is reached
	// <nil>
}

// TestARefusedWagerLeavesTheMeters: a refused wager is removed only from the meters that
// include it.
func TestARefusedWagerLeavesTheMeters(t *testing.T) {
	t.Parallel()
	s := limits(t, protection.State{}, friday, request(protection.Wager, protection.Day, 500), request(protection.Loss, protection.Month, 500))
	at := friday.Add(time.Hour)
	s, _ = s.AddBet(sol, 300, 0, at)
	s, moved := s.RemoveBet(sol, 300, at, at.Add(time.Minute))
	if err := s.MayWager(sol, 500, at.Add(time.Minute)); err != nil || !moved {
		t.Errorf("it still counts: %v", err)
	}
	s, _ = s.AddBet(sol, 300, 0, at)
	next := at.Add(24 * time.Hour) // the day's meter restarted, the month's includes it
	s, _ = s.RemoveBet(sol, 300, at, next)
	for _, l := range s.Limits {
		if l.Used != 0 {
			t.Errorf("the meter of %s is at %d", l.Kind, l.Used)
		}
	}
	fresh := limits(t, protection.State{}, next, request(protection.Wager, protection.Day, 500))
	fresh, _ = fresh.AddBet(sol, 200, 0, next)
	if fresh, _ = fresh.RemoveBet(sol, 300, next.Add(-time.Minute), next); fresh.Limits[0].Used != 200 {
		t.Errorf("a limit that was set after the wager is at %d", fresh.Limits[0].Used)
	}
	if _, moved := (protection.State{}).RemoveBet(sol, 300, at, at); moved {
		t.Error("a state without limits moved")
	}
}
