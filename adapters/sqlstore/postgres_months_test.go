package sqlstore_test

import (
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/google/uuid"

	"github.com/casino-service/casino/adapters/sqlstore"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/game"
	"github.com/casino-service/casino/domain/ledger"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/stream"
	"github.com/casino-service/casino/ports"
)

// dated returns a UUIDv7 id of a time, as the service draws them.
func dated(at time.Time, n int) string {
	var id uuid.UUID
	millis := at.UnixMilli()
	for i := range 6 {
		id[i] = byte(millis >> (8 * (5 - i)))
	}
	id[6], id[8], id[14], id[15] = 0x7d, 0x80, byte(n>>8), byte(n)
	return id.String()
}

// playedAt returns the id of a round that alice played at a time.
func (w *world) playedAt(at time.Time, n int) string {
	w.Helper()
	w.clock.Set(at)
	return w.commit(w.playAs(dated(at, n), game.Dice(), alice, money.SOL, 10)).Change.Round.ID
}

func TestPostgresMonthsHavePartitionsThatComeAndGo(t *testing.T) {
	t.Parallel()
	w := newWorld(t, onPostgres, sqlstore.WriterOptions{})
	ctx := t.Context()
	december := time.Date(2024, 12, 31, 23, 59, 59, 0, time.UTC)
	for _, want := range []bool{true, false} {
		if worked, err := w.store.MakeMonths(ctx, december); err != nil || worked != want {
			t.Errorf("make months: worked %v, %v", worked, err)
		}
	}
	w.signIn(1_000_000, alice, bob)
	place := func(table, id string) (name string) {
		t.Helper()
		if err := w.beside().QueryRow(`SELECT min(tableoid::regclass::text) FROM `+table+` WHERE id = $1`, id).Scan(&name); err != nil {
			t.Fatal(err)
		}
		return name
	}
	n := 0
	play := func(at time.Time) string {
		n++
		return w.playedAt(at, n)
	}
	for at, want := range map[time.Time]string{
		time.Date(2024, 12, 31, 23, 59, 59, 999e6, time.UTC): "2024_12",
		time.Date(2025, 1, 1, 0, 0, 0, 0, time.UTC):          "2025_01",
		time.Date(2025, 1, 31, 23, 0, 0, 0, time.UTC):        "2025_01",
		time.Date(2025, 2, 1, 0, 0, 0, 0, time.UTC):          "2025_02",
		time.Date(2023, 6, 1, 0, 0, 0, 0, time.UTC):          "rest",
	} {
		round, adjustment := play(at), dated(at, 1000)
		w.commit(w.adjustAs(adjustment, alice, 5))
		if got := place("rounds", round) + " " + place("transfers", adjustment); got != "rounds_"+want+" transfers_"+want {
			t.Errorf("a round and an adjustment of %s are in %s", at, got)
		}
	}
	w.sound()

	audited := func() (rounds int) {
		t.Helper()
		adjusted := 0
		if err := w.store.Blocks(ctx, func(b ports.Block) error {
			rounds += len(b.Rounds)
			for _, p := range b.Postings {
				if p.Key.Kind == ledger.Adjust {
					adjusted++
				}
			}
			return nil
		}); err != nil || adjusted != 5 {
			t.Errorf("%d of 5 adjustments are audited, %v", adjusted, err)
		}
		return rounds
	}
	owner := openOwner(t, w.where)
	january := time.Date(2025, 1, 15, 0, 0, 0, 0, time.UTC)
	listed := func() int64 {
		t.Helper()
		n := w.number(`SELECT count(*) FROM rounds`)
		for _, f := range []ports.RoundFilter{
			{}, {GameType: "dice"}, {From: time.Date(2023, 1, 1, 0, 0, 0, 0, time.UTC)}, {Agent: "house", From: time.Date(2023, 1, 1, 5, 0, 0, 0, time.UTC)},
		} {
			answer, err := w.store.Rounds(ctx, f, ports.Page{Number: 1, Limit: ports.PageMax})
			if err != nil || int64(answer.Total) != n || len(answer.Rounds) != int(n) {
				t.Errorf("%+v lists %d of %d rounds, there are %d: %v", f, len(answer.Rounds), answer.Total, n, err)
			}
		}
		return n
	}
	if err := w.store.DetachMonth(ctx, january); err == nil {
		t.Error("the service's role detached a month")
	}
	if err := owner.DetachMonth(ctx, time.Now()); err == nil {
		t.Error("the present month was detached")
	}
	before := listed()
	if err := owner.DetachMonth(ctx, january); err != nil {
		t.Fatal(err)
	}
	if listed() != before-2 || audited() != int(before) {
		t.Errorf("%d rounds are listed, %d audited, of %d", listed(), audited(), before)
	}
	for _, change := range []string{`UPDATE rounds_2025_01 SET payout = 0`, `DELETE FROM transfers_2025_01`, `TRUNCATE rounds_2025_01`} {
		if _, err := w.beside().Exec(change); err == nil {
			t.Errorf("a detached month allows %s", change)
		}
	}
	w.commit(w.play(bob, 10)) // the service continues
	if err := owner.AttachMonth(ctx, january); err != nil {
		t.Fatal(err)
	}
	if listed() != before+1 || audited() != int(before)+1 {
		t.Errorf("after attaching %d rounds are listed, %d audited", listed(), audited())
	}
	w.sound()
}

// TestPostgresANonceIsNotTakenTwiceAcrossMonths writes without the writer: an index keeps nonces
// unique within a month, the rounds' trigger across months.
func TestPostgresANonceIsNotTakenTwiceAcrossMonths(t *testing.T) {
	t.Parallel()
	w := newWorld(t, onPostgres, sqlstore.WriterOptions{})
	january := time.Date(2025, 1, 15, 0, 0, 0, 0, time.UTC)
	if _, err := w.store.MakeMonths(t.Context(), january); err != nil {
		t.Fatal(err)
	}
	w.signIn(1000, alice)
	w.playedAt(january, 1)
	db := w.beside()
	again := func(id string, nonce string) string {
		return fmt.Sprintf(`INSERT INTO rounds `+ofRounds+` SELECT '%s', wallet, agent, game, rules, token, wager, payout, multiplier_num,
			multiplier_den, config, outcome, void, pair_id, %s, balance, at, lane, seq, position FROM rounds LIMIT 1`, id, nonce)
	}
	inOne := func(statements ...string) error {
		tx, err := db.Begin()
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = tx.Rollback() }()
		for _, statement := range statements {
			if _, err := tx.Exec(statement); err != nil {
				return err
			}
		}
		return nil
	}
	advance := `UPDATE seed_pairs SET nonce = nonce + 1, was = nonce WHERE state = 'active'`
	february := dated(january.AddDate(0, 1, 0), 2)
	for name, attempt := range map[string][]string{
		"the pair stands still, same month":      {again(dated(january, 3), "nonce")},
		"the pair stands still, next month":      {again(february, "nonce")},
		"the pair goes on, the round goes back":  {advance, again(february, "nonce")},
		"the pair goes on, the round goes ahead": {advance, again(february, "nonce + 2")},
		"the pair skips without saying what was": {`UPDATE seed_pairs SET nonce = nonce + 1 WHERE state = 'active'`},
	} {
		if err := inOne(attempt...); err == nil {
			t.Errorf("%s: allowed", name)
		}
	}
	if err := inOne(advance, again(february, "nonce + 1")); err != nil {
		t.Errorf("the next nonce in its transaction: %v", err)
	}
	w.sound()
}

func TestPostgresAMonthWithSomethingOpenStays(t *testing.T) {
	t.Parallel()
	w := newWorld(t, onPostgres, sqlstore.WriterOptions{})
	january := time.Date(2025, 1, 15, 0, 0, 0, 0, time.UTC)
	if _, err := w.store.MakeMonths(t.Context(), january); err != nil {
		t.Fatal(err)
	}
	w.signIn(1000, alice)
	db := w.beside()
	if _, err := db.Exec(`INSERT INTO transactions SELECT key, $1, 'withdrawal', '', false, 'pending', $2, 1, 'x', '', '', '', 0, '', 0, '', '', 1, 1
		FROM players LIMIT 1`, dated(january, 1), string(money.SOL)); err != nil {
		t.Fatal(err)
	}
	owner := openOwner(t, w.where)
	if err := owner.DetachMonth(t.Context(), january); err == nil {
		t.Error("detached with an open withdrawal")
	}
	execAll(t, db, `UPDATE transactions SET status = 'completed' WHERE type = 'withdrawal'`)
	w.clock.Set(january)
	open := w.commit(w.opensAs(dated(january, 2), alice, 10)).Change.Steps[0]
	w.clock.Set(january.AddDate(0, 3, 0))
	if err := owner.DetachMonth(t.Context(), january); err == nil {
		t.Error("detached with an open round")
	}
	w.commit(w.cashesOut(open))
	if err := errors.Join(owner.DetachMonth(t.Context(), january), owner.AttachMonth(t.Context(), january)); err != nil {
		t.Error(err)
	}
}

// heardFrom reads the events committed after a cursor, and returns their ids and the fault that
// ended it.
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

// TestPostgresEventsOfAMonthThatIsGone reads a detached month like any other. After its tables
// are dropped, a cursor in it is refused with the first place that can be read, from which all
// events follow; a cursor after it still works.
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
