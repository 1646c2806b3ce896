package sqlstore_test

import (
	"slices"
	"testing"

	"github.com/casino-service/casino/adapters/sqlstore"
	"github.com/casino-service/casino/domain/stream"
)

// settledAfter are the rounds that are heard after a place by one page, and the place after it.
func (w *world) settledAfter(from stream.Cursor) (rounds []string, next stream.Cursor) {
	w.Helper()
	page, err := w.store.After(w.Context(), from, stream.Filter{Types: []stream.Type{stream.RoundSettled}}, 1_000)
	if err != nil || page.More {
		w.Fatalf("more: %v, %v", page.More, err)
	}
	for _, e := range page.Events {
		rounds = append(rounds, e.Subject)
	}
	return rounds, page.Next
}

// TestWhatWasJustCommittedIsHeardByOneStatement, however many blocks it is; and what another
// instance commits is heard too, in a lane that began since, and where it plays between.
func TestWhatWasJustCommittedIsHeardByOneStatement(t *testing.T) {
	t.Parallel()
	w := newWorld(t, onPostgres, sqlstore.WriterOptions{BatchMax: 1})
	w.signIn(10_000, alice, bob)
	at, err := w.store.Newest(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	seen := &reads{}
	w.store.WatchReads(seen)
	var want []string
	for range 20 {
		want = append(want, w.commit(w.play(alice, 10)).Change.Round.ID)
	}
	seen.text = nil
	got, at := w.settledAfter(at)
	if !slices.Equal(got, want) {
		t.Errorf("heard %v, want %v", got, want)
	}
	if len(seen.text) != 1 {
		t.Errorf("it was asked %d times: %q", len(seen.text), seen.text)
	}
	other := w.another(sqlstore.WriterOptions{})
	other.start(other.writer)
	for range 3 {
		want = []string{
			w.commit(w.play(alice, 10)).Change.Round.ID, other.commit(other.play(bob, 10)).Change.Round.ID, other.commit(other.play(alice, 10)).Change.Round.ID,
		}
		if got, at = w.settledAfter(at); !slices.Equal(slices.Sorted(slices.Values(got)), slices.Sorted(slices.Values(want))) {
			t.Errorf("beside another instance %v is heard, want %v", got, want)
		}
	}
	if lanes := len(at.Marks); lanes < 2 {
		t.Errorf("the instances shared %d lane", lanes)
	}
}
