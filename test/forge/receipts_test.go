package forge_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/casino-service/casino/domain/hashchain"
	"github.com/casino-service/casino/ports"
	"github.com/casino-service/casino/test/fakes"
)

// TestForgedBlocksAreNotProved has an attacker change a round, and compute the root and the
// hash of its block again. The attacker can't make the block's seal, so the service must not
// prove the block, nor sign a receipt of it.
func TestForgedBlocksAreNotProved(t *testing.T) {
	t.Parallel()
	for _, on := range engines {
		t.Run(on.name, func(t *testing.T) {
			t.Parallel()
			h := newHouse(t, on, superuser)
			h.player("alice", 10e9)
			alice := fakes.Wallet("alice")
			round, _ := h.lost(1_000)
			_, err := h.store.Inclusion(t.Context(), alice, round)
			h.must(err)
			names := map[string]string{"alice": string(alice), "lost": round}
			h.sql(fill(`UPDATE rounds SET payout = 1000 WHERE nonce = (SELECT v.nonce FROM readable_rounds AS v WHERE v.id = '{lost}') AND wallet = {alice.key}`, names))
			for _, forged := range []bool{false, true} {
				if forged {
					h.hashAgain(round)
				}
				want := map[bool]string{false: "was changed", true: "can't be proved"}[forged]
				if proof, err := h.store.Inclusion(t.Context(), alice, round); err == nil || !strings.Contains(err.Error(), want) {
					t.Errorf("forged %v: %v, proved %+v", forged, err, proof)
				}
			}
		})
	}
}

// hashAgain writes the hash and the root that the block of a round has now.
func (h *house) hashAgain(round string) {
	h.Helper()
	var statement string
	h.must(h.store.Blocks(h.Context(), func(b ports.Block) error {
		for _, r := range b.Rounds {
			if r.ID == round {
				made := hashchain.Again(hashchain.Head{Lane: b.Lane, Hash: b.Previous}, b.Seq, b.Content)
				statement = fmt.Sprintf("UPDATE blocks SET hash = '%s', root = '%s' WHERE lane = %d AND seq = %d", made.Hash(), made.Root, b.Lane, b.Seq)
			}
		}
		return nil
	}))
	h.sql(statement)
}
