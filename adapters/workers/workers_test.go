package workers_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/casino-service/casino/adapters/workers"
	"github.com/casino-service/casino/app"
	"github.com/casino-service/casino/app/kernel"
	"github.com/casino-service/casino/domain/fault"
)

func TestNothingRunsBeforeTheWatchBegan(t *testing.T) {
	t.Parallel()
	casino, chain, err := embedded()
	if err != nil {
		t.Fatal(err)
	}
	chain.SetUnreachable(true)
	ran := atomic.Int64{}
	count := app.Worker{Name: "mine", Interval: time.Second, Step: func(context.Context) (bool, error) { ran.Add(1); return false, nil }}
	brief, cancel := context.WithTimeout(t.Context(), 5*time.Second)
	defer cancel()
	if err := workers.Run(brief, casino, count); !fault.Is(err, fault.External) {
		t.Fatalf("with a chain that doesn't answer: %v", err)
	}
	if ran.Load() != 0 || casino.Health().Report().Status != kernel.Degraded {
		t.Errorf("%d steps ran, health is %+v", ran.Load(), casino.Health().Report())
	}
	chain.SetUnreachable(false)
	ctx, stop := context.WithCancel(t.Context())
	count.Step = func(context.Context) (bool, error) { stop(); return false, nil }
	if err := workers.Run(ctx, casino, count); err != nil {
		t.Fatal(err)
	}
	if _, err := casino.Deposits.DepositWatcher().Step(t.Context()); err != nil {
		t.Errorf("the watch has not begun: %v", err)
	}
	if report := casino.Health().Report(); report.Status != kernel.OK {
		t.Errorf("health is %+v", report)
	}
}

// The worker rests for its interval, after errors for longer each time, and Stop waits for
// the current step.
func TestAWorkerRestsAndEndsAfterItsStep(t *testing.T) {
	t.Parallel()
	for most, want := range map[time.Duration][]string{
		// At once after work, after 10 s without work, then after 10, 20 and 30 s after errors, or at
		// most RestMax.
		0:                {"0s", "0s", "10s", "20s", "40s", "1m10s", "1m20s"},
		12 * time.Second: {"0s", "0s", "10s", "20s", "32s", "44s", "54s"},
	} {
		synctest.Test(t, func(t *testing.T) {
			begin := time.Now()
			var at []string
			answers := []struct {
				worked bool
				err    error
			}{{true, nil}, {false, nil}, {false, errors.New("away")}, {true, errors.New("away")}, {false, errors.New("away")}, {false, nil}}
			ended := false
			running, err := workers.Start(nil, app.Worker{Name: "mine", Interval: 10 * time.Second, RestMax: most, Step: func(context.Context) (bool, error) {
				at = append(at, time.Since(begin).String())
				if len(at) > len(answers) {
					workers.Rest(context.Background(), time.Minute)
					ended = true
					return false, nil
				}
				answer := answers[len(at)-1]
				return answer.worked, answer.err
			}})
			if err != nil {
				t.Fatal(err)
			}
			workers.Rest(t.Context(), 95*time.Second)
			running.Stop()
			if !slices.Equal(at, want) || !ended {
				t.Errorf("at most %v: steps at %v, the last one ended: %v", most, at, ended)
			}
		})
	}
}

// TestAWorkerIsWoken at once after a full rest, and after four fifths of the interval if it
// was woken before.
func TestAWorkerIsWoken(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		begin, woken := time.Now(), make(chan struct{}, 1)
		var at []string
		running, err := workers.Start(nil, app.Worker{Name: "mine", Interval: 10 * time.Second, Wake: woken, Step: func(context.Context) (bool, error) {
			at = append(at, time.Since(begin).String())
			return false, nil
		}})
		if err != nil {
			t.Fatal(err)
		}
		for _, after := range []time.Duration{time.Second, 6 * time.Second} { // 1 s, 7 s
			workers.Rest(t.Context(), after)
			woken <- struct{}{}
		}
		workers.Rest(t.Context(), 20*time.Second)
		running.Stop()
		if want := []string{"0s", "1s", "9s", "19s"}; !slices.Equal(at, want) {
			t.Errorf("steps at %v, want %v", at, want)
		}
	})
}

func TestAHalfWorkerIsRefused(t *testing.T) {
	t.Parallel()
	step := func(context.Context) (bool, error) { t.Error("it ran"); return false, nil }
	_, err := workers.Start(nil, app.Worker{Name: "whole", Interval: time.Second, Step: step}, app.Worker{Name: "restless", Step: step},
		app.Worker{Name: "idle", Interval: time.Second})
	if err == nil || !strings.Contains(err.Error(), "restless") || !strings.Contains(err.Error(), "idle") || strings.Contains(err.Error(), "whole") {
		t.Errorf("%v", err)
	}
}

// A worker that doesn't run stays unknown to health, under its name.
func TestHealthNamesWhatNeverRan(t *testing.T) {
	t.Parallel()
	casino, _, err := embedded()
	if err != nil {
		t.Fatal(err)
	}
	for _, left := range casino.Workers() {
		fresh, _, err := embedded()
		if err != nil {
			t.Fatal(err)
		}
		if err := fresh.Deposits.BeginWatch(t.Context()); err != nil {
			t.Fatal(err)
		}
		for _, w := range fresh.Workers() {
			if w.Name == left.Name {
				continue
			}
			if _, err := w.Step(t.Context()); err != nil {
				t.Errorf("%s: %v", w.Name, err)
			}
		}
		report := fresh.Health().Report()
		if check := report.Checks[kernel.WorkersCheck]; report.Status != kernel.Degraded || check.Detail != "no worker has run yet for: "+left.Name {
			t.Errorf("without %s: %+v", left.Name, report)
		}
	}
}
