package sqlstore_test

import (
	"errors"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/casino-service/casino/adapters/sqlstore"
	"github.com/casino-service/casino/domain/game"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/player"
	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/domain/withdrawal"
	"github.com/casino-service/casino/test/fakes"
)

// everything runs each statement that the writer has.
func (w *world) everything() {
	w.Helper()
	commit := func(items ...player.Item) []player.Receipt {
		w.Helper()
		receipts, errs := w.together(items...)
		if err := errors.Join(errs...); err != nil {
			w.Fatal(err)
		}
		return receipts
	}
	w.begin(1000, w.login(alice), w.login(bob))
	commit(w.play(alice, 10), keyed(w.play(bob, 10), "key", ""), w.withdraw(alice, 50))
	commit(w.rotate(alice, "mine"), w.playOf(brokenDice{game.Dice()}, alice, money.SOL, 10), w.adjust(bob, 5))
	if _, errs := w.together(keyed(w.withdraw(bob, 50_000), "refused", "")); errs[0] == nil {
		w.Fatal("bob was paid more than he has")
	}
	opened := commit(w.opens(bob, 10), w.opens(alice, 10))
	first := opened[0].Change.Steps[0]
	if stepped := commit(w.opensTile(first, 7), w.cashesOut(opened[1].Change.Steps[0]))[0].Change; stepped.Round == nil {
		commit(w.cashesOut(stepped.Steps[0]))
	}
	receipts := commit(w.withdraw(alice, 60), keyed(w.play(bob, 10), "key", ""))
	requested := *receipts[0].Change.Withdrawal
	step := func(decide func(v player.View, at time.Time) (player.Change, error)) {
		at := w.now()
		commit(player.Item{
			Wallet: alice, At: at, Keys: []player.UniqueKey{{Kind: player.OperationKey, ID: w.id()}},
			Needs: player.Needs{
				Tokens: []money.Token{money.SOL}, Withdrawals: []string{requested.ID}, Roles: []wallet.Address{admin},
			},
			Decide: func(v player.View) (player.Change, error) { return decide(v, at) },
		})
	}
	approve := func(by wallet.Address) func(player.View, time.Time) (player.Change, error) {
		return func(v player.View, at time.Time) (player.Change, error) {
			word, err := v.Withdrawals[requested.ID].Approve(by, "fine", 2, at)
			return player.Change{Withdrawal: &word, Balance: v.Balances[money.SOL]}, err
		}
	}
	step(approve(admin))
	step(approve(carol))
	for number := 1; number <= 2; number++ {
		attempt := withdrawal.Attempt{
			WithdrawalID: requested.ID, Number: number, Signature: fakes.Signature(w.id()), Transaction: []byte{1},
			Blockhash: "hash", LastValidHeight: 1<<63 + 1, Slot: 7, CreatedAt: w.now(),
		}
		step(func(v player.View, at time.Time) (player.Change, error) { return player.Sign(v, attempt, at) })
		fate := withdrawal.Outcome{Status: withdrawal.Dead}
		if number == 2 {
			fate = withdrawal.Outcome{Status: withdrawal.Finalized, Cost: withdrawal.Cost{Fee: 5}}
		}
		step(func(v player.View, at time.Time) (player.Change, error) {
			return player.Settle(v, requested.ID, number, fate, at)
		})
	}
}

// TestEveryStatementFindsItsRowsByAnIndex asks the database how it would run
// each statement of the writer: none may read a whole table, or a batch would
// take longer the more is stored.
func TestEveryStatementFindsItsRowsByAnIndex(t *testing.T) {
	t.Parallel()
	w, f := watched(t, onSQLite, sqlstore.WriterOptions{})
	w.everything()
	w.sound()
	w.forwards()
	db := w.beside()
	scan := regexp.MustCompile(`^SCAN ([a-z_]+)`) // sent rows are scanned as s, or as an n-ROW VALUES CLAUSE
	explained, open := 0, false
	for query := range f.ever {
		if !strings.Contains(query, "VALUES (?") || readsWhole(query) {
			continue // the schema's own statements are not sent
		}
		explained++
		plan, err := db.Query("EXPLAIN QUERY PLAN "+query, make([]any, strings.Count(query, "?"))...)
		if err != nil {
			t.Fatalf("%s: %v", query, err)
		}
		for plan.Next() {
			var id, parent, unused int
			var detail string
			if err := plan.Scan(&id, &parent, &unused, &detail); err != nil {
				t.Fatal(err)
			}
			if found := scan.FindStringSubmatch(detail); found != nil && found[1] != "s" {
				t.Errorf("%s\n%s", query, detail)
			}
			open = open || strings.Contains(detail, "transactions_open")
		}
		if err := plan.Err(); err != nil {
			t.Error(err)
		}
	}
	if !open {
		t.Error("what is open is counted among everything a wallet ever did")
	}
	if explained < 25 {
		t.Errorf("only %d statements were seen", explained)
	}
}

// readsWhole reports whether a statement reads a table as a whole on purpose: the list of
// roles has one seal, and is as long as there are admins.
func readsWhole(query string) bool {
	return strings.Contains(query, "role_list AS l CROSS JOIN roles AS r")
}
