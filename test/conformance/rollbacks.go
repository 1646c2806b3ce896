package conformance

import (
	"fmt"
	"math/rand/v2"

	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/player"
	"github.com/casino-service/casino/domain/seamless"
	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/ports"
)

var rollbackCases = []story{
	{"a rollback returns a bet or takes a win back, once", Rows, func(b *bench) {
		b.guest(alice, 10_000)
		bet := b.whole(alice, "b1", seamless.Debit, "2", "", "")
		win := b.whole(alice, "w1", seamless.Credit, "", "3", "b1")
		item := b.rollback(alice, "u1", bet)
		undone := *b.commit(item).Change.Seamless
		b.same("answered again", b.replay(item).Change.Seamless, &undone)
		b.same("under another id", b.replay(b.rollback(alice, "u2", bet)).Change.Seamless, &undone)
		b.same("alice has", b.balance(alice), 10_000+3000)
		round := must(b.Round(background, bet.ID))(b)
		b.errorIf(round.Wager != 0 || round.Payout != 3000, "the round of a bet that was returned: %+v", round)
		b.commit(b.rollback(alice, "u3", win))
		b.same("alice has", b.balance(alice), 10_000)
		round = must(b.Round(background, bet.ID))(b)
		b.errorIf(round.Wager != 0 || round.Payout != 0, "the round when nothing of it stands: %+v", round)
		b.same("transaction", must(b.SeamlessTransaction(background, undone.ID))(b), undone)
		b.refuse(b.wholeItem(alice, "w2", seamless.Credit, "", "1", "b1"), fault.NotFound)
		of := ports.SeamlessFilter{Connection: connection, Wallet: alice, Reference: "b1"}
		b.same("of the bet", must(b.SeamlessTransactions(background, of, whole))(b).Transactions, []seamless.Transaction{undone, win})
		b.sound()
	}},
	{"a rollback before its bet, and one of a refused bet, move nothing", Logic, func(b *bench) {
		b.guest(alice, 1000)
		early := *b.commit(b.rollback(alice, "u1", seamless.Transaction{Ref: seamless.Ref{TxnID: "b1"}})).Change.Seamless
		b.same("the bet when it comes", b.replay(b.wholeItem(alice, "b1", seamless.Debit, "1", "", "")).Change.Seamless, &early)
		b.same("a win in its name", b.replay(b.wholeItem(alice, "b1", seamless.Credit, "", "1", "b0")).Change.Seamless, &early)
		refused := b.whole(alice, "b2", seamless.Debit, "2", "", "")
		b.commit(b.rollback(alice, "u2", refused))
		b.same("the refused bet again", b.replay(b.wholeItem(alice, "b2", seamless.Debit, "2", "", "")).Change.Seamless, &refused)
		b.same("alice has", b.balance(alice), 1000)
		b.sound()
	}},
	{"a win that was spent, and another player's bet, aren't undone", Logic, func(b *bench) {
		b.guest(alice, 1000)
		b.guest(bob, 1000)
		bet := b.whole(alice, "b1", seamless.Debit, "1", "", "")
		win := b.whole(alice, "w1", seamless.Credit, "", "3", "b1")
		spent := b.whole(alice, "b2", seamless.Debit, "0.5", "", "")
		b.refuse(b.rollback(alice, "u1", win), fault.InsufficientFunds)
		b.refuse(b.rollback(bob, "u2", bet), fault.Forbidden)
		b.same("alice and bob have", b.balance(alice)+b.balance(bob), 2500+1000)
		b.commit(b.rollback(alice, "u3", spent))
		b.commit(b.rollback(alice, "u1", win)) // the same rollback once there is money
		b.same("alice has", b.balance(alice), 0)
		b.sound()
	}},
	{"a win in review that is rolled back is never paid", Logic, func(b *bench) {
		b.guest(alice, 10_000)
		b.grant(admin, "superadmin")
		caps := player.ProviderCaps{NetWin: 500, WithoutDebit: 500, Connection: money.Max}
		b.whole(alice, "b1", seamless.Debit, "1", "", "")
		review := func(txn string) seamless.Transaction {
			b.Helper()
			item := b.wholeIn(alice, txn, seamless.Credit, "", "2", "b1", caps)
			t := *b.commit(item).Change.Seamless
			b.fatalIf(t.Status != seamless.Review, "a win above the cap: %+v", t)
			return t
		}
		open := func() []seamless.Transaction {
			return must(b.SeamlessTransactions(background, ports.SeamlessFilter{Open: true}, whole))(b).Transactions
		}
		first := review("w1")
		b.commit(b.rollback(alice, "u1", first))
		b.same("open", open(), []seamless.Transaction{})
		b.replay(b.settleReview(first, admin, true))
		b.same("alice has", b.balance(alice), 9000)
		second := review("w2")
		settled := *b.commit(b.settleReview(second, admin, true)).Change.Seamless
		item := b.rollback(alice, "u2", second)
		b.same("decided", b.replay(item).Change.Seamless, &settled)
		b.commit(b.rollbackOf(alice, "u2", second, settled))
		b.same("alice has", b.balance(alice), 9000)
		b.sound()
	}},
	{"a bet and its rollback at once leave no bet", Races, func(b *bench) {
		b.guest(alice, 1_000_000)
		const pairs = 60
		items := make([]player.Item, 2*pairs)
		for i := range pairs {
			bet := fmt.Sprint("b", i)
			items[2*i+i%2] = b.wholeItem(alice, bet, seamless.Debit, "1", "", "")
			items[2*i+1-i%2] = b.rollback(alice, fmt.Sprint("u", i), seamless.Transaction{Ref: seamless.Ref{TxnID: bet}})
		}
		receipts := b.commitAll(items)
		first := 0
		for i := range pairs {
			bet, rollback := receipts[2*i+i%2], receipts[2*i+1-i%2]
			b.fatalIf(bet.Replayed == rollback.Replayed, "bet %d and its rollback were both decided first or both not: %+v, %+v", i, bet, rollback)
			if !bet.Replayed {
				first++
				b.commit(b.rollback(alice, fmt.Sprint("u", i), *rollback.Change.Seamless))
			}
		}
		b.same("alice has", b.balance(alice), 1_000_000)
		b.Logf("%d of %d bets were before their rollbacks", first, pairs)
		b.sound()
	}},
	{"a random story of rollbacks agrees with a plain model", Logic, func(b *bench) {
		b.guest(alice, 5_000)
		r := rand.New(rand.NewPCG(42, 5)) //nolint:gosec // a repeatable story
		model := rollbackModel{b: b, has: 5_000, made: map[string]modelled{}}
		for i := range 120 {
			txn := fmt.Sprint("t", r.IntN(30))
			switch r.IntN(3) {
			case 0:
				model.bet(txn, money.Amount(r.IntN(3)))
			case 1:
				model.win(txn, fmt.Sprint("t", r.IntN(30)), money.Amount(r.IntN(4)))
			default:
				model.undo(fmt.Sprint("u", i), txn)
			}
			b.fatalIf(b.balance(alice) != model.has, "step %d: alice has %d, the model says %d", i, b.balance(alice), model.has)
		}
		b.sound()
	}},
}

// rollbackModel is a plain account of one player's bets, wins and rollbacks, in units of
// 1,000.
type rollbackModel struct {
	b    *bench
	has  money.Amount
	made map[string]modelled
}

type modelled struct {
	moved  money.Amount // to the player; negative for a bet
	bet    bool
	undone bool
	stored seamless.Transaction
}

func (m *rollbackModel) bet(txn string, units money.Amount) {
	item := m.b.wholeItem(alice, txn, seamless.Debit, seamless.Decimal(fmt.Sprint(units)), "", "")
	if _, taken := m.made[txn]; taken {
		m.b.replay(item)
		return
	}
	t := *m.b.commit(item).Change.Seamless
	one := modelled{bet: true, moved: -units * 1000, stored: t}
	if units*1000 > m.has {
		one.moved = 0
		m.b.errorIf(t.Status != seamless.Refused, "a bet of %d of %d: %+v", units*1000, m.has, t)
	}
	one.bet = units*1000 <= m.has
	m.has, m.made[txn] = m.has+one.moved, one
}

func (m *rollbackModel) win(txn, of string, units money.Amount) {
	item := m.b.wholeItem(alice, txn, seamless.Credit, "", seamless.Decimal(fmt.Sprint(units)), of)
	bet := m.made[of]
	switch _, taken := m.made[txn]; {
	case taken:
		m.b.replay(item)
	case !bet.bet || bet.undone || of == txn:
		m.b.refuse(item, fault.NotFound)
	default:
		m.made[txn] = modelled{moved: units * 1000, stored: *m.b.commit(item).Change.Seamless}
		m.has += units * 1000
	}
}

func (m *rollbackModel) undo(id, txn string) {
	one, known := m.made[txn]
	item := m.b.rollback(alice, id, one.stored)
	if !known {
		item = m.b.rollback(alice, id, seamless.Transaction{Ref: seamless.Ref{TxnID: txn}})
	}
	switch {
	case one.undone:
		m.b.replay(item)
	case one.moved > m.has:
		m.b.refuse(item, fault.InsufficientFunds)
	default:
		t := *m.b.commit(item).Change.Seamless
		m.has -= one.moved
		one.undone = true
		if !known {
			one.stored = t // takes the keys of the unknown transaction
		}
		m.made[txn] = one
	}
}

// whole commits a callback of a protocol whose ids name whole transactions, and returns the
// transaction.
func (b *bench) whole(w wallet.Address, txn string, kind seamless.Kind, bet, win seamless.Decimal, reference string) seamless.Transaction {
	b.Helper()
	return *b.commit(b.wholeItem(w, txn, kind, bet, win, reference)).Change.Seamless
}

func (b *bench) wholeItem(w wallet.Address, txn string, kind seamless.Kind, bet, win seamless.Decimal, reference string) player.Item {
	return b.wholeIn(w, txn, kind, bet, win, reference, generous)
}

func (b *bench) wholeIn(w wallet.Address, txn string, kind seamless.Kind, bet, win seamless.Decimal, reference string, caps player.ProviderCaps) player.Item {
	item := b.callbackOf(w, txn, kind, bet, win, reference, caps)
	item.Keys = player.ProviderKeys(connection, txn, seamless.DebitCredit)
	return item
}

// rollback returns an item of a rollback of a transaction, or of an unknown one if it has no
// id.
func (b *bench) rollback(w wallet.Address, txn string, undone seamless.Transaction) player.Item {
	return b.rollbackOf(w, txn, undone, seamless.Transaction{})
}

func (b *bench) rollbackOf(w wallet.Address, txn string, undone, settled seamless.Transaction) player.Item {
	r := player.ProviderRollback{
		ID: b.id(), Ref: seamless.Ref{Connection: connection, TxnID: txn, Provider: "MAKER", Game: "fruits"}, GameType: "slot",
		Reference: undone.TxnID, Settled: settled, Caps: generous, At: b.now(),
	}
	if undone.Kind == seamless.Rollback {
		r.Reference = undone.Reference // of a rollback that came first
	} else if undone.ID != "" {
		r.Undone = undone
	}
	return player.Item{
		Wallet: w, At: r.At, Source: player.FromProvider, Keys: r.Keys(), Needs: r.Needs(money.SOL),
		Decide: func(v player.View) (player.Change, error) { return player.RollBack(v, r) },
	}
}
