package webhooks_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/casino-service/casino/domain/audit"
	"github.com/casino-service/casino/domain/control"
	"github.com/casino-service/casino/domain/stream"
	"github.com/casino-service/casino/ports"
	"github.com/casino-service/casino/test/apptest"
	"github.com/casino-service/casino/test/fakes"
)

// restoreStore marks the database as restored, and then either begins the next epoch or
// opens the service because nothing was lost.
func (h *house) restoreStore(lost bool) {
	h.T.Helper()
	changes := func(action audit.Action, become func(*control.State)) ports.ControlDecision {
		record := audit.Record{ID: h.Entropy.ID(), Action: action, Target: "ledger", At: h.Clock.Now()}
		return func(now control.State) (control.State, *audit.Record, error) {
			become(&now)
			return now, &record, nil
		}
	}
	closes := changes(audit.DatabaseRestored, func(s *control.State) { s.Restored = &control.Restored{At: h.Clock.Now(), Reason: "a head is gone"} })
	opens := changes(audit.DatabaseReopened, func(s *control.State) { s.Restored = nil })
	begins := changes(audit.EpochBegun, func(s *control.State) {
		*s = s.Next(h.Clock.Advance(time.Second), 0)
		s.Restored = nil
	})
	err := h.Store.ChangeControl(h.Ctx, closes)
	if err == nil && lost {
		_, err = h.Store.BeginEpoch(h.Ctx, nil, begins)
	} else if err == nil {
		err = h.Store.ChangeControl(h.Ctx, opens)
	}
	if err != nil {
		h.T.Fatal(err)
	}
}

// TestEndpointsHearOfARestore: an endpoint's cursor was restored with the database and
// names no lost event, but its server has received lost events. It gets one announcement
// before later events, whatever its types, and none if nothing was lost.
func TestEndpointsHearOfARestore(t *testing.T) {
	t.Parallel()
	sites := fakes.NewWebhookSites(apptest.HookURL)
	h := openWithWebhooks(t, sites)
	root, acme := h.NewAdmin("root", "superadmin"), h.CreateAcme()
	h.NewPlayerOf("acme", "alice", 10_000)
	h.newEndpoint(root, acme.ID, stream.PlayerFrozen)
	worker := h.Webhooks.WebhookWorker()
	types := func() (heard []string) {
		h.T.Helper()
		h.sendAll(worker)
		for _, m := range sites.Received(apptest.HookURL) {
			heard = append(heard, strings.Fields(string(m.Body))[3])
		}
		return heard
	}
	h.restoreStore(false)
	apptest.Equal(t, "where nothing was lost", len(types()), 0)
	want := []string{}
	for range 2 {
		h.restoreStore(true)
		apptest.OK(h.Accounts.SetFrozen(h.Ctx, root, string(fakes.Wallet("alice")), "odd bets", true))(t)
		if want = append(want, "ledger.restored", "player.frozen"); !slices.Equal(types(), want) {
			t.Fatalf("it hears %v, want %v", types(), want)
		}
		apptest.OK(h.Accounts.SetFrozen(h.Ctx, root, string(fakes.Wallet("alice")), "settled", false))(t)
	}
	ids := map[string]bool{}
	for _, m := range sites.Received(apptest.HookURL) {
		ids[m.ID] = true
	}
	apptest.Equal(t, "ids", len(ids), len(want))
}
