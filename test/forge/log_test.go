package forge_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/casino-service/casino/domain/alarm"
	"github.com/casino-service/casino/domain/hashchain"
	"github.com/casino-service/casino/ports"
	"github.com/casino-service/casino/test/fakes"
)

// TestForgedBlocksAreNotLogged has an attacker change the newest block, before it is logged and
// before the entry is signed, and compute its hash again. The attacker can't make the block's
// seal, so the service must neither log nor sign the block, and it raises an alarm.
func TestForgedBlocksAreNotLogged(t *testing.T) {
	t.Parallel()
	for _, on := range engines {
		t.Run(on.name, func(t *testing.T) {
			t.Parallel()
			for _, logged := range []bool{false, true} {
				for forgery, want := range map[string]string{
					"root = '{root}'":                                       "does not have the hash of its header",
					"root = '{root}', hash = '{hash}'":                      "was not made by the service",
					"previous = '{root}', hash = '{other}', root = '{was}'": "was not made by the service",
				} {
					h := newHouse(t, on, superuser)
					h.must(h.store.Initialize(t.Context(), ports.Identity{Mode: ports.ModeDev, Genesis: "g", Ledger: "ledger-1"}))
					h.player("alice", 10e9)
					_, err := h.HeadLog.Step(t.Context())
					h.must(err)
					before, err := h.HeadLog.Checkpoint(t.Context(), 1)
					h.must(err)
					h.lost(1_000)
					if logged {
						_, err = h.store.AppendHeads(t.Context(), 10)
						h.must(err)
					}
					block := h.newestBlock()
					made := block.Header
					made.Root = hashchain.Hash{1}
					other := block.Header
					other.Previous = made.Root
					h.sql(fill("UPDATE blocks SET "+forgery+fmt.Sprintf(" WHERE lane = %d AND seq = %d", made.Lane, made.Seq), map[string]string{
						"root": made.Root.String(), "hash": made.Hash().String(), "other": other.Hash().String(), "was": block.Root.String(),
					}))
					if _, err := h.HeadLog.Step(t.Context()); err == nil || !strings.Contains(err.Error(), want) {
						t.Errorf("logged %v, %s: %v", logged, forgery, err)
					}
					after, err := h.HeadLog.Checkpoint(t.Context(), 1)
					size, sizeErr := h.store.LogSize(t.Context())
					if err != nil || sizeErr != nil || after != before || size != before.Size && !logged {
						t.Errorf("logged %v, %s: %d entries, signed %q, %v, %v", logged, forgery, size, after.Note, err, sizeErr)
					}
					if h.log.messages[alarm.PublicLog.Message()] != 1 {
						t.Errorf("logged %v, %s: alarms %v", logged, forgery, h.log.messages)
					}
				}
			}
		})
	}
}

// newestBlock returns the newest block with a round of the player.
func (h *house) newestBlock() (newest hashchain.Sealed) {
	h.Helper()
	h.must(h.store.Blocks(h.Context(), func(b ports.Block) error {
		for _, r := range b.Rounds {
			if r.Wallet == fakes.Wallet("alice") {
				newest = *hashchain.Again(hashchain.Head{Lane: b.Lane, Hash: b.Previous}, b.Seq, b.Content)
			}
		}
		return nil
	}))
	return newest
}
