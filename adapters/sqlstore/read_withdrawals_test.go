package sqlstore_test

import (
	"fmt"
	"testing"

	"github.com/casino-service/casino/adapters/sqlstore"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/withdrawal"
	"github.com/casino-service/casino/test/fakes"
)

// waiting makes pending withdrawals of n players, two each, and gives the first of
// each player two approvals.
func (w *world) waiting(n int) {
	w.Helper()
	db := w.beside()
	for i := range n {
		who := fakes.Wallet(fmt.Sprint("player ", i))
		w.signIn(10_000, who)
		for k := range 2 {
			id := w.commit(w.withdraw(who, money.Amount(100+i))).Change.Withdrawal.ID
			for a := range 2 * (1 - k) {
				_, err := db.Exec(`INSERT INTO approvals (withdrawal_id, n, wallet, approver, at, note, attempt, needed, signature, signed_at, treasury, seal) VALUES ($1, $2, (SELECT w.key FROM players AS w WHERE w.wallet = $3), $4, $5, $6, 0, 1, '', 0, '', '')`,
					id, a+1, string(who), string(fakes.Wallet(fmt.Sprint("admin ", a))), w.now().UnixMicro(), fmt.Sprint("note ", a))
				if err != nil {
					w.Fatal(err)
				}
			}
		}
	}
}

// TestWithdrawalsComeWithTheirApprovalsAtOnce: however many are listed, their
// approvals are one more question.
func TestWithdrawalsComeWithTheirApprovalsAtOnce(t *testing.T) {
	t.Parallel()
	w := newWorld(t, onSQLite, sqlstore.WriterOptions{})
	w.waiting(20)
	seen := &reads{}
	w.store.WatchReads(seen)
	listed, err := w.store.WithdrawalsIn(t.Context(), withdrawal.Pending, "", 30)
	if err != nil {
		t.Fatal(err)
	}
	if len(listed) != 30 || len(seen.text) != 2 {
		t.Errorf("%d withdrawals by %d questions", len(listed), len(seen.text))
	}
	for i, found := range listed {
		if i > 0 && found.ID <= listed[i-1].ID {
			t.Errorf("%s comes after %s", found.ID, listed[i-1].ID)
		}
		want := []string(nil)
		if i%2 == 0 {
			want = []string{"note 0", "note 1"}
		}
		var notes []string
		for _, a := range found.Approvals {
			notes = append(notes, a.Note)
		}
		if fmt.Sprint(notes) != fmt.Sprint(want) {
			t.Errorf("withdrawal %d has the approvals %v, want %v", i, notes, want)
		}
	}
	open, err := w.store.OpenWithdrawals(t.Context(), fakes.Wallet("player 3"))
	if err != nil || len(open) != 2 || open[0].ID != listed[7].ID || len(open[1].Approvals) != 2 || len(seen.text) != 4 {
		t.Errorf("those of a player: %+v, %v, by %d questions", open, err, len(seen.text)-2)
	}
}

func BenchmarkWaitingWithdrawals(b *testing.B) {
	for name, on := range map[string]engine{"SQLite": onSQLite, "PostgreSQL": onPostgres} {
		b.Run(name, func(b *testing.B) {
			w := newWorld(b, on, sqlstore.WriterOptions{})
			w.waiting(500)
			for b.Loop() {
				if found, err := w.store.WithdrawalsIn(b.Context(), withdrawal.Pending, "", 1000); err != nil || len(found) != 1000 {
					b.Fatal(len(found), err)
				}
			}
		})
	}
}
