package sqlstore_test

import (
	"context"
	"strconv"
	"strings"
	"testing"

	"github.com/casino-service/casino/adapters/sqlstore"
	"github.com/casino-service/casino/domain/player"
	"github.com/casino-service/casino/domain/seamless"
)

// lockPlayer locks a player's row, or the file, as another connection does, and returns a
// function that unlocks it.
func (w *world) lockPlayer() (unlock func()) {
	w.Helper()
	session, err := w.beside().Conn(w.Context())
	if err != nil {
		w.Fatal(err)
	}
	run := func(statements ...string) {
		w.Helper()
		for _, text := range statements {
			if _, err := session.ExecContext(context.WithoutCancel(w.Context()), text); err != nil {
				w.Fatal(err)
			}
		}
	}
	if w.on.numbered {
		run("BEGIN", "SELECT FROM players WHERE wallet = '"+string(alice)+"' FOR UPDATE")
	} else {
		run("BEGIN IMMEDIATE")
	}
	return func() { run("ROLLBACK"); _ = session.Close() }
}

// submit commits an item in the background.
func (w *world) submit(ctx context.Context, item player.Item) (outcome func() (player.Receipt, error)) {
	decided := make(chan struct{})
	var receipt player.Receipt
	var err error
	go func() {
		defer close(decided)
		receipt, err = w.writer.Commit(ctx, item)
	}()
	return func() (player.Receipt, error) {
		<-decided
		return receipt, err
	}
}

// TestAProviderThatGivesUpLeavesNoBet locks a player's row. A provider sends a bet, gives up
// after its three seconds, and rolls it back: before the bet arrives, while it waits for the
// lock, and after it was committed. No bet is left, whether it was committed or dropped.
func TestAProviderThatGivesUpLeavesNoBet(t *testing.T) {
	everywhere(t, func(t *testing.T, on engine) {
		w := newWorld(t, on, sqlstore.WriterOptions{})
		w.signIn(100_000, alice)
		w.visits(alice)
		had := w.balance(alice)
		lasting := context.WithoutCancel(t.Context())
		gone, hangUp := context.WithCancel(lasting)
		hangUp()
		bet := func(name string) player.Item {
			item := w.asks(alice, name, seamless.Debit, "1", "")
			item.Keys = player.ProviderKeys("gold", name, seamless.DebitCredit)
			return item
		}
		rollback := func(name string) player.Item {
			return w.undoes(alice, "rollback of "+name, seamless.Transaction{Ref: seamless.Ref{TxnID: name}})
		}
		// undo completes a rollback as the service does: if the bet was first, it is undone.
		undo := func(name string, receipt player.Receipt) {
			if receipt.Replayed {
				w.commit(w.undoes(alice, "rollback of "+name, *receipt.Change.Seamless))
			}
		}
		for what, give := range map[string]func(name string){
			"before the bet": func(name string) {
				w.commit(rollback(name))
				unlock := w.lockPlayer()
				outcome := w.submit(lasting, bet(name))
				unlock()
				if made, err := outcome(); err != nil || !made.Change.Seamless.Undoes(name) {
					t.Errorf("the bet after its rollback: %+v, %v", made, err)
				}
			},
			"while the bet waits": func(name string) {
				unlock := w.lockPlayer()
				ctx, hangUp := context.WithCancel(lasting)
				first, second := w.submit(ctx, bet(name)), w.submit(lasting, rollback(name))
				for w.writer.Waiting() == 0 { // one is in the batch that waits for the lock, the other behind it
					pauseALittle()
				}
				hangUp()
				unlock()
				_, _ = first()
				receipt, err := second()
				if err != nil {
					t.Errorf("the rollback: %v", err)
				}
				undo(name, receipt)
			},
			"after the bet was dropped": func(name string) {
				unlock := w.lockPlayer()
				outcome := w.submit(gone, bet(name))
				unlock()
				if made, err := outcome(); err == nil {
					t.Errorf("the provider closed the connection before the bet: %+v", made)
				}
				if receipt := w.commit(rollback(name)); receipt.Replayed {
					t.Errorf("the rollback of a dropped bet: %+v", receipt)
				}
			},
			"after the bet was committed": func(name string) {
				unlock := w.lockPlayer()
				outcome := w.submit(lasting, bet(name))
				unlock()
				if made, err := outcome(); err != nil || made.Replayed || w.balance(alice) != had-1000 {
					t.Errorf("a bet: %+v, %v", made, err)
				}
				undo(name, w.commit(rollback(name)))
			},
		} {
			for i := range 5 {
				give("given-up-" + strings.ReplaceAll(what, " ", "-") + strconv.Itoa(i))
				if got := w.balance(alice); got != had {
					t.Fatalf("%s: alice has %d, had %d", what, got, had)
				}
			}
		}
		for what, query := range map[string]string{
			"bets without a rollback": `SELECT count(*) FROM provider_transactions AS t WHERE t.txn_id LIKE 'given-up%' AND t.kind = 'debit' AND t.status = 'taken'
				AND NOT EXISTS (SELECT 1 FROM provider_transactions AS r WHERE r.kind = 'rollback' AND r.reference = t.txn_id AND r.win = t.bet)`,
			"rounds with a wager": `SELECT count(*) FROM provider_rounds WHERE txn_id LIKE 'given-up%' AND wager <> 0`,
		} {
			if n := w.number(query); n != 0 {
				t.Errorf("%d %s are left", n, what)
			}
		}
		w.sound()
		w.audited("")
	})
}
