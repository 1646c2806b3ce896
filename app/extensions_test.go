package app_test

import (
	"slices"
	"testing"

	"github.com/casino-service/casino/app"
	"github.com/casino-service/casino/app/kernel"
)

// TestTheCoreDoesWithoutExtensions plays, withdraws and is paid.
func TestTheCoreDoesWithoutExtensions(t *testing.T) {
	t.Parallel()
	h := open(t, func(d *app.Deps) { d.Extensions = []app.Extension{} })
	if h.Alarms != nil || h.Rounds != nil || h.Sites != nil || h.Webhooks != nil || h.Audit != nil {
		t.Error("an extension is there that was left out")
	}
	ok(h.Play.Play(h.ctx, h.player("bob", 10_000), dice(100)))(t)
	w := h.approved("alice", 2_000)
	worker := h.Payouts.PayoutWorker()
	h.pass(worker)
	h.chain.finalize()
	h.pass(worker)
	h.paid(w, 1)
	h.Began()
	equal(t, "workers", h.Health().Report().Checks[kernel.WorkersCheck].Status, kernel.OK)
}

func TestEachExtensionCanBeLeftOut(t *testing.T) {
	t.Parallel()
	for i := range app.Extensions() {
		h := open(t, func(d *app.Deps) { d.Extensions = slices.Delete(app.Extensions(), i, i+1) })
		ok(h.Play.Play(h.ctx, h.player("alice", 10_000), dice(100)))(t)
		for _, w := range h.Workers() {
			if _, err := w.Step(h.ctx); err != nil {
				t.Errorf("without extension %d: %s: %v", i, w.Name, err)
			}
		}
	}
}
