package audit_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/casino-service/casino/app/audit"
	"github.com/casino-service/casino/domain/hashchain"
	"github.com/casino-service/casino/domain/ledger"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/ports"
	"github.com/casino-service/casino/test/apptest"
)

// dealToLanes returns blocks as several instances would have written them: the store's
// blocks, changed, distributed over the given number of lanes and sealed there, last lane
// first.
func (h *house) dealToLanes(lanes int, change func([]ports.Block) []ports.Block) apptest.Forged {
	h.T.Helper()
	var all []ports.Block
	if err := h.Store.Blocks(h.Ctx, func(b ports.Block) error { all = append(all, apptest.CloneBlock(b)); return nil }); err != nil {
		h.T.Fatal(err)
	}
	heads := make([]hashchain.Head, lanes)
	reversed := make([][]ports.Block, lanes)
	for lane := range heads {
		heads[lane].Lane = lane
	}
	for i, b := range change(all) {
		lane := i % lanes
		next := hashchain.Next(heads[lane], b.Content)
		heads[lane] = next.Head()
		b.Head, b.Previous, b.Root, b.Size = heads[lane], next.Previous, next.Root, next.Size
		reversed[lane] = append(reversed[lane], b)
	}
	slices.Reverse(reversed)
	return apptest.Forged{
		AuditStore: h.Store,
		Blocks:     func([]ports.Block) []ports.Block { return slices.Concat(reversed...) },
		Heads:      func([]hashchain.Head) []hashchain.Head { return heads },
	}
}

func TestAuditProvesLanesWithoutOrder(t *testing.T) {
	t.Parallel()
	h := openPlayed(t)
	for lanes := 2; lanes < 8; lanes++ {
		f := h.dealToLanes(lanes, func(all []ports.Block) []ports.Block { return all })
		report := apptest.OK(audit.NewAuditor(f, h.Games, nil).Run(h.Ctx))(t)
		if err := report.Err(); err != nil {
			t.Errorf("%d lanes: %v: %v", lanes, err, report.Findings)
		}
		apptest.Equal(t, "rounds", report.Rounds, 23)
	}
}

func TestAuditFindsForgeriesInLanesWithoutOrder(t *testing.T) {
	t.Parallel()
	h := openPlayed(t)
	for name, c := range map[string]struct {
		change func([]ports.Block) []ports.Block
		want   string
	}{
		"a round that's gone": {firstRound(won, func(b *ports.Block) { b.Rounds, b.Postings = nil, nil }), "no round has nonce"},
		"a nonce twice":       {firstRound(won, func(b *ports.Block) { b.Rounds[0].Nonce-- }), "which its pair has used"},
		"a nonce too high":    {firstRound(won, func(b *ports.Block) { b.Rounds[0].Nonce += 70 }), "no round has nonce"},
		"a block twice":       {func(all []ports.Block) []ports.Block { return append(all, apptest.CloneBlock(all[0])) }, "was booked before"},
		"more than there is": {apptest.ChangeFirstBlock(func(b *ports.Block) bool {
			if len(b.Rounds) > 0 {
				b.Postings[0].Transfers[0].Amount = money.Max
			}
			return len(b.Rounds) > 0
		}), "can't hold -"},
		"a deposit that's gone": {apptest.ChangeFirstBlock(func(b *ports.Block) bool {
			found := len(b.Postings) > 0 && b.Postings[0].Key.Kind == ledger.Deposit
			if found {
				b.Postings = nil
			}
			return found
		}), "its transfers add up to"},
		"rounds the other way round": {func(all []ports.Block) []ports.Block {
			slices.Reverse(all)
			return all
		}, "after nonce"},
	} {
		if got := h.AuditFindings(h.dealToLanes(3, c.change)); !strings.Contains(got, c.want) {
			t.Errorf("%s: want %q, found:\n%s", name, c.want, got)
		}
	}
}
