package sqlstore_test

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"testing"

	"github.com/casino-service/casino/adapters/sqlstore"
	"github.com/casino-service/casino/domain/hashchain"
	"github.com/casino-service/casino/domain/witness"
)

// reported are the heads that writers reported.
type reported struct {
	mu    sync.Mutex
	heads []hashchain.Head
}

func (r *reported) sealed(h witness.Head) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.heads = append(r.heads, h.Head)
}

// has reports whether the head was reported.
func (r *reported) has(h hashchain.Head) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, head := range r.heads {
		if head == h {
			return true
		}
	}
	return false
}

// check returns an error for each head that was reported and isn't stored.
func (r *reported) check(store *sqlstore.Store) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	stored, err := store.BlocksAt(context.Background(), r.heads)
	for _, head := range r.heads {
		if err == nil && !slices.Contains(stored, head) {
			err = fmt.Errorf("head %+v was reported and is not stored", head)
		}
	}
	return err
}

// allStored fails for a head that was reported and isn't stored.
func (r *reported) allStored(w *world) {
	w.Helper()
	if err := r.check(w.store); err != nil {
		w.Error(err)
	}
}

// newestBlocks are the newest blocks of all lanes.
func (w *world) newestBlocks() []hashchain.Head {
	w.Helper()
	heads, err := w.store.Heads(context.WithoutCancel(w.Context()))
	if err != nil {
		w.Fatal(err)
	}
	return heads
}

// TestRule09ABlockInDoubtIsReportedBeforeItsAnswers loses the answers of commits: when
// its items are answered, a block that was committed after all was reported, and none
// that was not.
func TestRule09ABlockInDoubtIsReportedBeforeItsAnswers(t *testing.T) {
	everywhere(t, func(t *testing.T, on engine) {
		for _, carriedOut := range []bool{true, false} {
			for _, times := range []int{1, 2} {
				t.Run(fmt.Sprintf("carried out %v, lost %d times", carriedOut, times), func(t *testing.T) {
					t.Parallel()
					var r reported
					w, f := watched(t, on, sqlstore.WriterOptions{Sealed: r.sealed})
					w.begin(1000, w.login(alice))
					f.loseCommit(carriedOut, times)
					if _, errs := w.together(w.play(alice, 10)); errs[0] != nil {
						t.Fatal(errs)
					}
					for _, head := range w.newestBlocks() {
						if !r.has(head) {
							t.Errorf("the round was answered and block %d:%d not reported", head.Lane, head.Seq)
						}
					}
					r.allStored(w)
				})
			}
		}
	})
}

// TestRule09HeadsOfAnotherLaneAreReportedToo moves the writer to a lane whose numbers are
// smaller than those it has reported.
func TestRule09HeadsOfAnotherLaneAreReportedToo(t *testing.T) {
	t.Parallel()
	var r reported
	w, _ := watched(t, onPostgres, sqlstore.WriterOptions{Sealed: r.sealed})
	w.begin(1000, w.login(alice))
	for range 3 {
		w.together(w.play(alice, 10))
	}
	before := w.newestBlocks()[0].Lane
	w.writer.Release()
	other := w.must(w.store.Writer(sqlstore.WriterOptions{ID: "other"})) // takes the lane that was given back
	first := w.writer
	w.writer = other
	t.Cleanup(other.Release)
	w.together(w.play(alice, 10))
	w.writer = first
	w.together(w.play(alice, 10))
	heads := w.newestBlocks()
	if len(heads) != 2 || heads[0].Lane != before {
		t.Fatalf("lanes %v", heads)
	}
	if !r.has(heads[1]) {
		t.Errorf("head %+v of another lane was not reported", heads[1])
	}
	r.allStored(w)
}
