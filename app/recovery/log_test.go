package recovery_test

import (
	"strings"
	"testing"

	"github.com/casino-service/casino/app/headlog"
	"github.com/casino-service/casino/app/recovery"
	"github.com/casino-service/casino/domain/audit"
	"github.com/casino-service/casino/domain/control"
	"github.com/casino-service/casino/domain/hashchain"
	"github.com/casino-service/casino/domain/witness"
	"github.com/casino-service/casino/test/apptest"
)

// A database whose public log lacks the entries of a signed checkpoint was restored, even if
// it has every block: entries are appended after their blocks.
func TestAMissingEntryOfTheLogIsARestore(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		change func(*witness.Head)
		found  string
	}{
		"the log has it":             {func(*witness.Head) {}, ""},
		"the log is shorter":         {func(h *witness.Head) { h.Seq++ }, "log:2:"},
		"the log is another":         {func(h *witness.Head) { h.Hash[0] ^= 1 }, "log:1:"},
		"one of a later epoch":       {func(h *witness.Head) { h.Seq, h.Epoch = 2, 2 }, "log:2:"},
		"an earlier epoch is no log": {func(h *witness.Head) { h.Seq, h.Epoch = 2, 0 }, ""},
	} {
		w := newWatch(t)
		record := audit.Record{ID: "1", Action: audit.PlayPaused, Target: "play", At: w.clock.Now()}
		err := w.store.ChangeControl(t.Context(), func(now control.State) (control.State, *audit.Record, error) { return now, &record, nil })
		if err != nil {
			t.Fatal(err)
		}
		apptest.OK(w.store.AppendHeads(t.Context(), 10))(t)
		root := apptest.OK(headlog.RootAt(t.Context(), w.store, 1))(t)
		kept := witness.Head{Head: hashchain.Head{Lane: witness.LogLane, Seq: 1, Hash: hashchain.Hash(root)}, Epoch: 1}
		c.change(&kept)
		w.starts()
		w.seals()
		w.KeepLogHead(kept)
		if heads := w.LogHeads(t.Context()); len(heads) != 3 || heads[2] != kept {
			t.Errorf("%s: kept %+v", name, heads)
		}
		w.Restoration = w.process() // which has only what the witnesses kept
		w.starts()
		closed := w.Closed()
		if c.found == "" {
			w.open(true)
			continue
		}
		if closed == nil || closed.Reason != recovery.ReasonLacksEntries || !strings.HasPrefix(closed.From, c.found) || closed.To != "a log without these entries" {
			t.Errorf("%s: %+v", name, closed)
		}
		w.published(true)
	}
}
