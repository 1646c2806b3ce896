package forge_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/casino-service/casino/adapters/sealer"
	"github.com/casino-service/casino/app/audit"
	"github.com/casino-service/casino/domain/alarm"
	auditrecord "github.com/casino-service/casino/domain/audit"
	"github.com/casino-service/casino/domain/control"
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

// TestALogGoesOnAfterABlockOfAnotherKey has a command with other keys write a block. The log stops
// before it, until the block is sealed again by somebody who has its key.
func TestALogGoesOnAfterABlockOfAnotherKey(t *testing.T) {
	t.Parallel()
	for _, on := range engines {
		t.Run(on.name, func(t *testing.T) {
			t.Parallel()
			h := newHouse(t, on, superuser)
			h.player("alice", 10e9)
			h.lost(1_000)
			block := h.newestBlock()
			other, err := sealer.NewAuthenticator(ringOf(t, "k2")).Seal(hashchain.SealPurpose, block.Head().Sealed())
			h.must(err)
			h.sql(fmt.Sprintf("UPDATE blocks SET seal = '%s' WHERE lane = %d AND seq = %d", other, block.Lane, block.Seq))
			if _, err := h.HeadLog.Step(t.Context()); err == nil || !strings.Contains(err.Error(), "sealed with a key that is not in the ring") {
				t.Errorf("a block of another key: %v", err)
			}
			if size, err := h.store.LogSize(t.Context()); size != 0 || err != nil {
				t.Errorf("%d blocks are logged, %v", size, err)
			}
			if done, err := audit.Reseal(t.Context(), h.store, sealer.NewAuthenticator(ringOf(t, "k1", "k2"))); err != nil || done.Resealed != 1 {
				t.Errorf("resealed %+v, %v", done, err)
			}
			_, err = h.HeadLog.Step(t.Context())
			h.must(err)
			if index, found, err := h.store.LogIndex(t.Context(), block.Lane, block.Seq); !found || err != nil {
				t.Errorf("entry %d, %t, %v", index, found, err)
			}
		})
	}
}

// TestAStoreWithoutKeysWritesNoBlock keeps commands that were given no keys from stopping the log.
func TestAStoreWithoutKeysWritesNoBlock(t *testing.T) {
	t.Parallel()
	for _, on := range engines {
		t.Run(on.name, func(t *testing.T) {
			t.Parallel()
			store, _ := on.open(t, sealer.New(sealer.Keyring{}, rand.NewChaCha8([32]byte{9})))
			record := auditrecord.Record{ID: "1", Action: auditrecord.PlayPaused, Target: "play", At: fakes.Start}
			err := store.ChangeControl(t.Context(), func(now control.State) (control.State, *auditrecord.Record, error) { return now, &record, nil })
			if err == nil || !strings.Contains(err.Error(), "no key to seal a block with") {
				t.Errorf("a record without keys: %v", err)
			}
			if heads, err := store.Heads(t.Context()); len(heads) > 0 || err != nil {
				t.Errorf("%v, %v", heads, err)
			}
			if err := store.Close(); err != nil {
				t.Error(err)
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
