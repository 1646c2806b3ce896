package sqlstore_test

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/casino-service/casino/adapters/sqlstore"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/player"
)

func TestRule04ALostCommitIsResolvedUnderTheLock(t *testing.T) {
	everywhere(t, func(t *testing.T, on engine) {
		for _, carriedOut := range []bool{true, false} {
			for _, times := range []int{1, 2, 3} {
				t.Run(fmt.Sprintf("carried out %v, lost %d times", carriedOut, times), func(t *testing.T) {
					t.Parallel()
					w, f := watched(t, on, sqlstore.WriterOptions{})
					w.begin(1000, w.login(alice), w.login(bob))
					items := []player.Item{
						w.play(alice, 10), keyed(w.adjust(alice, 5), "key", "print"), w.rotate(alice, "mine"),
						w.withdraw(alice, 5000), w.login(carol), w.credit(bob, "more", money.SOL, 7), w.withdraw(bob, 500),
					}
					f.loseCommit(carriedOut, times)
					receipts, errs := w.together(items...)
					for i, err := range errs {
						if refused := i == 3; refused != fault.Is(err, fault.InsufficientFunds) || receipts[i].Replayed {
							t.Errorf("item %d: replayed %v, %v", i, receipts[i].Replayed, err)
						}
					}
					if receipts[0].Change.Round == nil || receipts[2].Change.Retired == nil || receipts[6].Change.Withdrawal == nil {
						t.Fatalf("answers %+v", receipts)
					}
					again, errs := w.together(items...)
					for i := range items {
						if i != 3 && (errs[i] != nil || !again[i].Replayed || again[i].Change.Balance != receipts[i].Change.Balance) {
							t.Errorf("item %d again: %+v, %v", i, again[i], errs[i])
						}
					}
					w.sound()
				})
			}
		}
	})
}

func TestRule04WhatCantBeResolvedIsUnknownAndItsKeyTellsLater(t *testing.T) {
	everywhere(t, func(t *testing.T, on engine) {
		for _, carriedOut := range []bool{true, false} {
			w, f := watched(t, on, sqlstore.WriterOptions{ResolveTime: 30 * time.Millisecond})
			w.begin(1000, w.login(alice), w.login(bob))
			items := []player.Item{w.adjust(alice, 5), w.withdraw(alice, 5000), keyed(w.withdraw(bob, 500), "key", "print")}
			f.goesDown = true
			f.loseCommit(carriedOut, 1)
			for i, err := range w.failedStep(items...) {
				want := []string{"unknown", "none", "unknown"}[i]
				var refusal *fault.Error
				if !errors.As(err, &refusal) || refusal.Kind != fault.Unavailable || refusal.Details["outcome"] != want {
					t.Errorf("item %d: %v, want outcome %q", i, err, want)
				}
			}
			f.mend()
			receipts, errs := w.together(items[0], items[2])
			if errors.Join(errs...) != nil {
				t.Fatal(errs)
			}
			for i, balance := range []money.Amount{1005, 500} {
				if receipts[i].Replayed != carriedOut || receipts[i].Change.Balance != balance {
					t.Errorf("carried out %v, asked again: %+v", carriedOut, receipts[i])
				}
			}
			w.sound()
		}
	})
}

// commitAll hands the items over one after the other and waits for all answers.
func (w *world) commitAll(items ...player.Item) []error {
	errs := make([]error, len(items))
	var all sync.WaitGroup
	for i, item := range items {
		queued := w.writer.Waiting()
		all.Go(func() { _, errs[i] = w.writer.Commit(context.WithoutCancel(w.Context()), item) })
		for i+1 < len(items) && w.writer.Waiting() == queued {
			pauseALittle()
		}
	}
	all.Wait()
	return errs
}

func (w *world) stepWhenWaiting(n int) error {
	for w.writer.Waiting() < n {
		pauseALittle()
	}
	_, err := w.writer.Step(w.Context())
	return err
}
