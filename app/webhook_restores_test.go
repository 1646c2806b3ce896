package app_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/casino-service/casino/domain/audit"
	"github.com/casino-service/casino/domain/control"
	"github.com/casino-service/casino/domain/stream"
	"github.com/casino-service/casino/ports"
	"github.com/casino-service/casino/test/fakes"
)

// went writes that the database was found to have gone back, and what came of it: the next
// epoch, or that nothing was lost.
func (h *house) went(lost bool) {
	h.t.Helper()
	changes := func(action audit.Action, become func(*control.State)) ports.ControlDecision {
		record := audit.Record{ID: h.Entropy.ID(), Action: action, Target: "ledger", At: h.clock.Now()}
		return func(now control.State) (control.State, *audit.Record, error) {
			become(&now)
			return now, &record, nil
		}
	}
	closes := changes(audit.DatabaseRestored, func(s *control.State) { s.Restored = &control.Restored{At: h.clock.Now(), Reason: "a head is gone"} })
	opens := changes(audit.DatabaseReopened, func(s *control.State) { s.Restored = nil })
	begins := changes(audit.EpochBegun, func(s *control.State) {
		*s = s.Next(h.clock.Advance(time.Second), 0)
		s.Restored = nil
	})
	err := h.store.ChangeControl(h.ctx, closes)
	if err == nil && lost {
		_, err = h.store.BeginEpoch(h.ctx, nil, begins)
	} else if err == nil {
		err = h.store.ChangeControl(h.ctx, opens)
	}
	if err != nil {
		h.t.Fatal(err)
	}
}

// TestEndpointsHearOfARestore: an endpoint's place went back with the database and names
// nothing that is gone, while its server knows what was lost. It hears so before anything
// that came since, once, whatever its types; and nothing where nothing was lost.
func TestEndpointsHearOfARestore(t *testing.T) {
	t.Parallel()
	sites := fakes.NewWebhookSites(hook)
	h := hooked(t, sites)
	root, acme := h.admin("root", "superadmin"), h.acme()
	h.of("acme", "alice", 10_000)
	h.endpoint(root, acme.ID, stream.PlayerFrozen)
	worker := h.Webhooks.WebhookWorker()
	types := func() (heard []string) {
		h.t.Helper()
		h.sends(worker)
		for _, m := range sites.Received(hook) {
			heard = append(heard, strings.Fields(string(m.Body))[3])
		}
		return heard
	}
	h.went(false)
	equal(t, "where nothing was lost", len(types()), 0)
	want := []string{}
	for range 2 {
		h.went(true)
		ok(h.Accounts.SetFrozen(h.ctx, root, string(fakes.Wallet("alice")), "odd bets", true))(t)
		if want = append(want, "ledger.restored", "player.frozen"); !slices.Equal(types(), want) {
			t.Fatalf("it hears %v, want %v", types(), want)
		}
		ok(h.Accounts.SetFrozen(h.ctx, root, string(fakes.Wallet("alice")), "settled", false))(t)
	}
	ids := map[string]bool{}
	for _, m := range sites.Received(hook) {
		ids[m.ID] = true
	}
	equal(t, "ids", len(ids), len(want))
}
