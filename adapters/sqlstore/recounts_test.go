package sqlstore_test

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/casino-service/casino/adapters/sqlstore"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/player"
	"github.com/casino-service/casino/ports"
)

// TestMiscountsAreTold changes kept counts and rows behind the store's back.
func TestMiscountsAreTold(t *testing.T) {
	everywhere(t, func(t *testing.T, on engine) {
		w := newWorld(t, on, sqlstore.WriterOptions{})
		w.signIn(1000, alice, bob)
		w.commit(w.withdraw(alice, 10))
		day := w.clock.Now().UTC().Format("2006-01-02")
		told := func() (all []string) {
			t.Helper()
			err := w.store.Miscounts(t.Context(), func(m ports.Miscount) error {
				all = append(all, fmt.Sprintf("%s: %d, %d", m.Of, m.Kept, m.Found))
				return nil
			})
			if err != nil {
				t.Fatal(err)
			}
			return all
		}
		if all := told(); all != nil {
			t.Fatalf("nothing was changed yet: %q", all)
		}
		db := w.beside()
		pending := fmt.Sprintf("withdrawals of %s that are pending in %s", player.HouseAgent, money.SOL)
		for _, c := range []struct{ do, undo, want string }{
			{
				`UPDATE lane_transactions SET n = n + 4 WHERE status = 'pending' AND day <> ''`,
				`UPDATE lane_transactions SET n = n - 4 WHERE status = 'pending' AND day <> ''`,
				fmt.Sprintf("[%q]", pending+" on "+day+": 5, 1"),
			},
			{
				`UPDATE lane_transactions SET day = '1970-01-01' WHERE status = 'pending' AND day = ''`,
				`UPDATE lane_transactions SET day = '' WHERE status = 'pending' AND day = '1970-01-01'`,
				fmt.Sprintf("[%q %q]", pending+": 0, 1", pending+" on 1970-01-01: 1, 0"),
			},
			{
				`UPDATE player_transactions SET n = 0 WHERE status = 'pending'`,
				`UPDATE player_transactions SET n = 1 WHERE status = 'pending'`,
				fmt.Sprintf("[%q]", pending+" of player "+string(alice)+": 0, 1"),
			},
			{`UPDATE seed_pairs SET played = 'dice=7', was = nonce WHERE wallet = '` + string(bob) + `' AND state = 'active'`,
				`UPDATE seed_pairs SET played = '', was = nonce WHERE wallet = '` + string(bob) + `' AND state = 'active'`,
				fmt.Sprintf("[%q]", "rounds of dice of player "+string(bob)+": 7, 0")},
			{`UPDATE lane_players SET players = players + 1`, `UPDATE lane_players SET players = players - 1`,
				fmt.Sprintf("[%q]", "players of "+player.HouseAgent+": 3, 2")},
		} {
			execAll(t, db, c.do)
			if got := fmt.Sprintf("%q", told()); got != c.want {
				t.Errorf("%s\n got %s\nwant %s", c.do, got, c.want)
			}
			stop := errors.New("enough")
			if err := w.store.Miscounts(t.Context(), func(ports.Miscount) error { return stop }); !errors.Is(err, stop) {
				t.Errorf("an error of visit: %v", err)
			}
			execAll(t, db, c.undo)
		}
		if all := told(); all != nil {
			t.Errorf("everything is as it was: %q", all)
		}
	})
}

// TestTotalsOfManyCounts puts counts of 30 days and more operators into the database
// than are added up at once, lanes below zero among them, and asks for totals of what
// they tell.
func TestTotalsOfManyCounts(t *testing.T) {
	everywhere(t, func(t *testing.T, on engine) {
		w := newWorld(t, on, sqlstore.WriterOptions{})
		db := w.beside()
		insert := on.query(`INSERT INTO lane_transactions VALUES (?, ?, 'deposit', 'credited', ?, ?, ?)`)
		tx, err := db.Begin()
		if err != nil {
			t.Fatal(err)
		}
		const operators = 1500
		for i := range operators {
			operator, day := fmt.Sprint("operator ", i), time.Date(2026, 3, 1+i%30, 0, 0, 0, 0, time.UTC).Format(time.DateOnly)
			for _, in := range []string{day, ""} {
				for lane, n := range []int{5, -2} { // 3 each, 150 a day, 4,500 in all
					if _, err := tx.Exec(insert, lane, in, string(money.SOL), operator, n); err != nil {
						t.Fatal(err)
					}
				}
			}
		}
		if err := tx.Commit(); err != nil {
			t.Fatal(err)
		}
		from := time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC)
		ask := func(times int) {
			t.Helper()
			for _, c := range []struct {
				filter ports.TransactionFilter
				want   int
			}{
				{ports.TransactionFilter{}, 4500 * times},
				{ports.TransactionFilter{Type: ports.DepositTransaction}, 4500 * times},
				{ports.TransactionFilter{Status: "pending"}, 0},
				{ports.TransactionFilter{Agent: "operator 7"}, 3 * times},
				{ports.TransactionFilter{From: from.AddDate(0, 0, 3)}, 27 * 150 * times},
				{ports.TransactionFilter{To: from.AddDate(0, 0, 9)}, 9 * 150 * times},
				{ports.TransactionFilter{From: from.AddDate(0, 0, 3), To: from.AddDate(0, 0, 9)}, 6 * 150 * times},
				{ports.TransactionFilter{From: from.AddDate(0, 0, 3), To: from.AddDate(0, 0, 4), Token: money.SOL}, 150 * times},
				{ports.TransactionFilter{From: from.Add(time.Hour), To: from.AddDate(0, 0, 9).Add(time.Hour)}, 8 * 150 * times},
			} {
				page, err := w.store.Transactions(t.Context(), c.filter, ports.Page{Number: 1, Limit: 20})
				if err != nil || page.Total != min(c.want, ports.TotalMax) || page.Capped != (c.want > ports.TotalMax) {
					t.Errorf("%+v: %d, capped %v, want %d: %v", c.filter, page.Total, page.Capped, c.want, err)
				}
			}
		}
		ask(1)
		execAll(t, db, `UPDATE lane_transactions SET n = 8 * n`)
		ask(8)
	})
}
