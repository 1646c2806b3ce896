package app_test

import (
	"testing"

	"github.com/casino-service/casino/app/kernel"
	"github.com/casino-service/casino/test/apptest"
	"github.com/casino-service/casino/test/fakes"
)

// TestACommitWakesWhoHandsEventsOn: the broadcast and the worker of webhooks don't wait for
// their intervals.
func TestACommitWakesWhoHandsEventsOn(t *testing.T) {
	t.Parallel()
	h := apptest.OpenWithWebhooks(t, fakes.NewWebhookSites(apptest.HookURL))
	wakes := map[string]<-chan struct{}{}
	for _, w := range h.Workers() {
		if w.Wake != nil {
			wakes[w.Name] = w.Wake
		}
	}
	woken := func(name string) bool {
		select {
		case <-wakes[name]:
			return true
		default:
			return false
		}
	}
	names := []string{kernel.EventsWorker, kernel.WebhooksWorker}
	for _, name := range names { // ignore wake-ups from opening the house
		woken(name)
		if woken(name) {
			t.Errorf("%s is woken twice by what was one wait", name)
		}
	}
	h.SignIn("alice")
	for _, name := range names {
		if !woken(name) {
			t.Errorf("%s is not woken by a commit", name)
		}
	}
}
