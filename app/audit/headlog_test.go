package audit_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	appaudit "github.com/casino-service/casino/app/audit"
	"github.com/casino-service/casino/domain/hashchain"
	"github.com/casino-service/casino/domain/merkle"
	"github.com/casino-service/casino/ports"
	"github.com/casino-service/casino/test/apptest"
)

// wrongLog is a store with a changed log.
type wrongLog struct {
	appaudit.AuditStore
	headers     func([]hashchain.Header) []hashchain.Header
	hashes      func([]merkle.Hash)
	checkpoints func([]ports.LogCheckpoint)
	size        int64
}

func (w wrongLog) LogSize(ctx context.Context) (int64, error) {
	size, err := w.AuditStore.LogSize(ctx)
	return size + w.size, err
}

func (w wrongLog) LoggedHeaders(ctx context.Context, from int64, n int) ([]hashchain.Header, error) {
	headers, err := w.AuditStore.LoggedHeaders(ctx, from, n)
	if w.headers != nil {
		headers = w.headers(headers)
	}
	return headers, err
}

func (w wrongLog) LogHashes(ctx context.Context, indexes []int64) ([]merkle.Hash, error) {
	hashes, err := w.AuditStore.LogHashes(ctx, indexes)
	if w.hashes != nil && len(hashes) > 0 {
		w.hashes(hashes)
	}
	return hashes, err
}

func (w wrongLog) KeptLogCheckpoints(ctx context.Context, origin string) ([]ports.LogCheckpoint, error) {
	kept, err := w.AuditStore.KeptLogCheckpoints(ctx, origin)
	if w.checkpoints != nil {
		w.checkpoints(kept)
	}
	return kept, err
}

func TestAuditComparesTheLogWithTheBlocks(t *testing.T) {
	t.Parallel()
	h := openPlayed(t)
	if err := h.Store.Initialize(h.Ctx, ports.Identity{Mode: ports.ModeDev, Genesis: "g", Ledger: "ledger-1"}); err != nil {
		t.Fatal(err)
	}
	apptest.OK(h.HeadLog.Step(h.Ctx))(t)
	for name, c := range map[string]struct {
		log  wrongLog
		want string
	}{
		"as it is": {wrongLog{}, ""},
		"a block twice": {wrongLog{headers: func(l []hashchain.Header) []hashchain.Header { l[4] = l[3]; return l }},
			"block 0:4 is entry 4 of the log, and does not follow block 4 of its lane"},
		"another order": {wrongLog{headers: func(l []hashchain.Header) []hashchain.Header { l[3], l[4] = l[4], l[3]; return l }},
			"block 0:5 is entry 3 of the log, and does not follow block 3"},
		"a missing block": {wrongLog{headers: func(l []hashchain.Header) []hashchain.Header { return slices.Delete(l, min(3, len(l)), min(4, len(l))) }},
			"block 0:5 is entry 3 of the log, and does not follow block 3"},
		"a changed block": {wrongLog{headers: func(l []hashchain.Header) []hashchain.Header { l[3].Size++; return l }}, "does not follow"},
		"a missing entry": {wrongLog{size: 1}, "there is no such block"},
		"a changed hash":  {wrongLog{hashes: func(l []merkle.Hash) { l[len(l)-1][0] ^= 1 }}, "its stored hashes are not those of the blocks"},
		"a shorter log":   {wrongLog{size: -1}, "casino/ledger-1/1: a checkpoint of "},
		"a changed root": {wrongLog{checkpoints: func(l []ports.LogCheckpoint) {
			l[0].Note = strings.Replace(l[0].Note, "\n"+root(l[0]), "\nA"+root(l[0])[1:], 1)
		}}, "has another root"},
		"a checkpoint lost": {wrongLog{checkpoints: func(l []ports.LogCheckpoint) { l[0].Note = "lost" }}, "has another root"},
	} {
		c.log.AuditStore = h.Store
		report := apptest.OK(appaudit.NewAuditor(c.log, h.Games, nil).Run(h.Ctx))(t)
		found := strings.Join(report.Findings, "\n")
		if c.want == "" && (found != "" || report.Logged != report.Blocks) || !strings.Contains(found, c.want) {
			t.Errorf("%s: want %q, %d of %d blocks logged, found\n%s", name, c.want, report.Logged, report.Blocks, found)
		}
	}
}

// root returns the line of the root in a checkpoint.
func root(c ports.LogCheckpoint) string { return strings.Split(c.Note, "\n")[2] }
