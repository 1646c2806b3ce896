package forge_test

import (
	"strings"
	"testing"
	"time"

	"github.com/casino-service/casino/domain/checkpoint"
	"github.com/casino-service/casino/domain/solvency"
	"github.com/casino-service/casino/test/fakes"
)

// states makes the hour's snapshot.
func (h *house) states() {
	h.Helper()
	stated, err := h.Solvency.Step(h.Context())
	if h.must(err); !stated {
		h.Fatal("nothing was stated")
	}
}

// statesNothing checks that forged debts aren't signed.
func (h *house) statesNothing() {
	h.Helper()
	kept, err := h.Solvency.Statements(h.Context())
	h.must(err)
	if stated, err := h.Solvency.Step(h.Context()); err == nil || stated {
		h.Errorf("forged debts were stated: %v", err)
	}
	after, err := h.Solvency.Statements(h.Context())
	if h.must(err); len(after) != len(kept) {
		h.Errorf("%d statements, there were %d", len(after), len(kept))
	}
}

// TestAForgedSnapshotIsNoBasis has an attacker lower what is owed to alice, together with the
// snapshot that the next one continues. TestNothingThatWasNotBookedIsPaid has the attacks on
// balances and blocks alone.
func TestAForgedSnapshotIsNoBasis(t *testing.T) {
	t.Parallel()
	const lower = "UPDATE balances SET amount = amount - 1000 WHERE wallet = {alice.key} AND kind = 'player'"
	for _, on := range engines {
		t.Run(on.name, func(t *testing.T) {
			t.Parallel()
			h := newHouse(t, on, superuser)
			h.player("bob", 3e9)
			h.player("alice", 10e9)
			h.states()
			h.clock.Advance(time.Hour)
			h.lost(1_000)
			names := map[string]string{"alice": string(fakes.Wallet("alice"))}
			kept, err := h.Solvency.Statements(t.Context())
			h.must(err)
			h.sql(fill(lower, names))
			h.statesNothing()

			// The last snapshot is said to be of the present blocks: none would be added up.
			s, err := checkpoint.Parse(kept[0].Text)
			h.must(err)
			s.Heads, err = h.store.Heads(t.Context())
			h.must(err)
			text, err := s.Text()
			h.must(err)
			h.sql("UPDATE solvency_snapshots SET statement = '" + text + "'")
			h.statesNothing()
			// It states no token.
			s.Facts = nil
			text, err = s.Text()
			h.must(err)
			h.sql("UPDATE solvency_snapshots SET statement = '" + text + "'")
			h.statesNothing()
			h.sql("UPDATE solvency_snapshots SET statement = '" + kept[0].Text + "'")
			h.statesNothing()

			// Without a snapshot all blocks are added up.
			for _, table := range []string{"solvency_snapshots", "solvency_trees", "solvency_chunks"} {
				h.sql("DELETE FROM " + table)
			}
			h.statesNothing()
			h.sql(fill(strings.Replace(lower, "-", "+", 1), names))
			h.states()
			kept, err = h.Solvency.Statements(t.Context())
			h.must(err)
			if _, err := kept[0].Open(solvency.Purpose, fakes.StatementSigner{}.PublicKeys()...); err != nil {
				t.Error(err)
			}
		})
	}
}
