package sqlstore_test

import (
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/casino-service/casino/adapters/sqlstore"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/game"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/stream"
)

// heardFrom reads what was committed after a place: the events' ids, and the fault that ended
// it.
func (w *world) heardFrom(from stream.Cursor, f stream.Filter) (ids []string, err error) {
	w.Helper()
	for {
		page, err := w.store.After(w.Context(), from, f, 3)
		if err != nil {
			return ids, err
		}
		for _, e := range page.Events {
			ids = append(ids, e.ID)
		}
		if from = page.Next; !page.More {
			return ids, nil
		}
	}
}

// TestPostgresEventsOfAMonthThatIsGone: a detached month is heard like any other. Once its
// tables are gone, whoever would begin in it is refused with the first place that can be read,
// and hears everything from there; whoever was past it notices nothing.
func TestPostgresEventsOfAMonthThatIsGone(t *testing.T) {
	t.Parallel()
	w := newWorld(t, onPostgres, sqlstore.WriterOptions{})
	ctx := t.Context()
	january, march := time.Date(2025, 1, 15, 0, 0, 0, 0, time.UTC), time.Date(2025, 3, 15, 0, 0, 0, 0, time.UTC)
	for _, month := range []time.Time{january, march} {
		if _, err := w.store.MakeMonths(ctx, month); err != nil {
			t.Fatal(err)
		}
	}
	w.clock.Set(january)
	w.signIn(1_000, alice, bob)
	for n := range 3 {
		w.playedAt(january.Add(time.Duration(n)*time.Second), n)
	}
	then, err := w.store.Newest(ctx)
	if err != nil {
		t.Fatal(err)
	}
	for n := range 3 {
		at := march.Add(time.Duration(n) * time.Second)
		w.clock.Set(at)
		if n == 0 {
			w.signIn(1_000, carol)
		}
		w.commit(w.playAs(dated(at, 100+n), game.Dice(), carol, money.SOL, 10))
	}
	filters := map[string]stream.Filter{"everybody": {}, "who came later": {Wallet: carol}}
	all, later := map[string][]string{}, map[string][]string{}
	read := func(from stream.Cursor, f stream.Filter) []string {
		t.Helper()
		ids, err := w.heardFrom(from, f)
		if err != nil {
			t.Fatal(err)
		}
		return ids
	}
	for name, f := range filters {
		all[name], later[name] = read(stream.Cursor{}, f), read(then, f)
		if len(later[name]) < 6 || name == "everybody" && len(all[name]) < len(later[name])+6 {
			t.Fatalf("%s: %d events, %d of them in March", name, len(all[name]), len(later[name]))
		}
	}
	if err := openOwner(t, w.where).DetachMonth(ctx, january); err != nil {
		t.Fatal(err)
	}
	for name, f := range filters {
		if got := read(stream.Cursor{}, f); !slices.Equal(got, all[name]) {
			t.Errorf("%s: of a detached month %d events of %d are heard", name, len(got), len(all[name]))
		}
	}
	if _, err := w.beside().Exec(`SELECT drop_month('2025_03')`); err == nil {
		t.Error("a month that isn't detached was dropped")
	}
	execAll(t, w.beside(), `SELECT drop_month('2025_01')`)
	for name, f := range filters {
		if got := read(then, f); !slices.Equal(got, later[name]) {
			t.Errorf("%s: who was past the month hears %d events of %d", name, len(got), len(later[name]))
		}
		_, err := w.heardFrom(stream.Cursor{}, f)
		var refused *fault.Error
		if !errors.As(err, &refused) || refused.Kind != fault.InvalidState {
			t.Fatalf("%s: from the beginning: %v", name, err)
		}
		place, err := stream.ParseCursor(fmt.Sprint(refused.Details["cursor"]))
		if err != nil {
			t.Fatal(err)
		}
		if got := read(place, f); !slices.Equal(got, later[name]) {
			t.Errorf("%s: from the first place that can be read %d events of %d are heard", name, len(got), len(later[name]))
		}
	}
}
