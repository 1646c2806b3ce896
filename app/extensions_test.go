package app_test

import (
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/casino-service/casino/app"
	"github.com/casino-service/casino/app/kernel"
	"github.com/casino-service/casino/test/apptest"
)

// TestTheCoreDoesWithoutExtensions plays, withdraws and is paid.
func TestTheCoreDoesWithoutExtensions(t *testing.T) {
	t.Parallel()
	h := apptest.Open(t, func(d *app.Deps) { d.Extensions = []app.Extension{} })
	if h.Alarms != nil || h.Rounds != nil || h.Sites != nil || h.Webhooks != nil || h.Audit != nil || h.Receipts != nil || h.Solvency != nil {
		t.Error("an extension is there that was left out")
	}
	apptest.OK(h.Play.Play(h.Ctx, h.NewPlayer("bob", 10_000), apptest.Dice(100)))(t)
	w, worker := h.ApprovedWithdrawal("alice", 2_000), h.Payouts.PayoutWorker()
	h.PassPayouts(worker)
	h.Chain.Finalize()
	h.PassPayouts(worker)
	h.CheckPaid(w, 1)
	h.Began()
	apptest.OK(h.Health().Step(h.Ctx))(t)
	apptest.Equal(t, "workers", h.Health().Report().Checks[kernel.WorkersCheck].Status, kernel.OK)
}

func TestEachExtensionCanBeLeftOut(t *testing.T) {
	t.Parallel()
	for i := range app.Extensions() {
		h := apptest.Open(t, apptest.WithSlots, func(d *app.Deps) { d.Extensions = slices.Delete(app.Extensions(), i, i+1) })
		apptest.OK(h.Play.Play(h.Ctx, h.NewPlayer("alice", 10_000), apptest.Dice(100)))(t)
		for _, w := range h.Workers() {
			if _, err := w.Step(h.Ctx); err != nil {
				t.Errorf("without extension %d: %s: %v", i, w.Name, err)
			}
		}
	}
}

// TestTheCoreKnowsNoExtension holds that the core's packages can be read without opening an
// extension, and that the kernel knows no feature.
func TestTheCoreKnowsNoExtension(t *testing.T) {
	t.Parallel()
	const prefix = "github.com/casino-service/casino/app/"
	extensions := []string{"alarms", "rounds", "sites", "webhooks", "audit", "receipts", "solvency", "recovery"}
	folders, err := os.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	for _, folder := range folders {
		if !folder.IsDir() || slices.Contains(extensions, folder.Name()) {
			continue
		}
		files, err := filepath.Glob(filepath.Join(folder.Name(), "*.go"))
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			if strings.HasSuffix(file, "_test.go") {
				continue
			}
			parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ImportsOnly)
			if err != nil {
				t.Fatal(err)
			}
			for _, spec := range parsed.Imports {
				feature, ours := strings.CutPrefix(strings.Trim(spec.Path.Value, `"`), prefix)
				if ours && (slices.Contains(extensions, feature) || folder.Name() == "kernel") {
					t.Errorf("%s imports %s", file, feature)
				}
			}
		}
	}
}
