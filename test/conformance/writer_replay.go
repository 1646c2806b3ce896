package conformance

import (
	"sync"
	"sync/atomic"

	"github.com/casino-service/casino/domain/bet"
	"github.com/casino-service/casino/domain/deposit"
	"github.com/casino-service/casino/domain/fairness"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/player"
	"github.com/casino-service/casino/test/fakes"
)

// remembered is an item with its first answer.
type remembered struct {
	name  string
	item  player.Item
	first player.Receipt
}

// history commits one item of each kind, under its own unique key and under a client's key, and
// then changes everything that they returned.
func (b *bench) history() []remembered {
	b.Helper()
	b.signIn(alice, 10_000)
	b.grant(admin, "superadmin")
	b.grant(other, "superadmin")
	var all []remembered
	remember := func(name string, item player.Item) player.Change {
		b.Helper()
		receipt := b.commit(item)
		all = append(all, remembered{name, item, receipt})
		return receipt.Change
	}
	keyed := func(name string, item player.Item) player.Change {
		b.Helper()
		return remember(name+" under a key", b.keyed(item, name, "print"))
	}
	remember("round", b.play(alice, 100))
	keyed("round", b.play(alice, 100))
	for _, kind := range player.AdjustmentKinds() {
		remember(kind.String(), b.adjustAs(kind, alice, 70))
		keyed(kind.String(), b.adjustAs(kind, alice, -70))
	}
	first := remember("withdrawal", b.withdraw(alice, 300)).Withdrawal
	second := keyed("withdrawal", b.withdraw(alice, 400)).Withdrawal
	keyed("approval", b.approve(*first, admin))
	keyed("cancellation", b.cancel(*second))
	remember("deposit", b.credit(alice, "tx", money.SOL, 500))
	remember("claim", b.claim(alice, "pending", usd, deposit.Verdict{Status: deposit.Pending}))
	remember("rotation", b.rotate(alice, "mine"))
	keyed("rotation", b.rotate(alice, "mine too"))
	keyed("void round", b.playIn(alice, money.SOL, 100, brokenGame{b.dice}))

	b.commit(b.sign(*first, 1))
	b.commit(b.settle(*first, 1, finalized))
	b.commit(b.credit(alice, "pending", usd, 5))
	b.commit(b.adjust(alice, -int64(b.balance(alice))))
	b.commit(b.rotate(alice, "another"))
	return all
}

// checkReplays commits the items again.
func (b *bench) checkReplays(all []remembered) {
	b.Helper()
	for _, r := range all {
		again := b.replay(r.item)
		b.same(r.name+" again", b.answer(again.Change), b.answer(r.first.Change))
		if again.Change.Pair != nil {
			pair := again.Change.Pair
			b.errorIf(pair.Seed.Reveal() != "" || pair.Next.Seed.Reveal() != "", "%s: a replay returns a server seed", r.name)
		}
	}
}

// answer returns the part of a change that replays return, as values.
func (b *bench) answer(c player.Change) map[string]any {
	answer := map[string]any{"balance": c.Balance}
	if c.Round != nil { // nothing else is answered
		answer["round"] = withoutTheory(*c.Round)
		return answer
	}
	if len(c.Steps) > 0 && c.Round == nil {
		answer["open round"] = c.Steps[len(c.Steps)-1].Answer()
	}
	if c.Withdrawal != nil {
		answer["withdrawal"] = *c.Withdrawal
	}
	if c.Deposit != nil {
		answer["deposit"] = *c.Deposit
	}
	if c.Adjustment != nil {
		answer["adjustment"] = *c.Adjustment
	}
	if c.Retired != nil {
		answer["retired"] = *c.Retired
	}
	if c.Pair != nil {
		answer["pair"] = c.Pair.In(0) // its seeds print as sealed, and its epoch is not stored
	}
	return answer
}

func withoutTheory(r bet.Round) bet.Round {
	r.Theory = bet.Theory{}
	return r
}

func spareOf(id string, entropy [32]byte) fairness.Spare {
	return fairness.Spare{ID: id, Seed: fairness.NewServerSeed(entropy)}
}

var writerReplayCases = []story{
	{"a used unique key gets its first answer, also after reopening", Rows, func(b *bench) {
		all := b.history()
		b.checkReplays(all)
		before := b.snapshot()
		b.reopen()
		b.same("everything after reopening", b.snapshot(), before)
		b.checkReplays(all)
		b.sound()
	}},
	{"a replay names the holder", Rows, func(b *bench) {
		b.signIn(alice, 0)
		b.signIn(bob, 0)
		for name, item := range map[string]player.Item{
			"a client's key": b.keyed(b.adjust(alice, 5), "key", "print"),
			"a deposit":      b.credit(alice, "tx", money.SOL, 100),
			"a login":        b.login(alice, b.now().UnixMilli()),
			"an operation":   b.rotate(alice, "seed"),
			"an adjustment":  b.adjust(alice, 5),
			"a withdrawal":   b.withdraw(alice, 1),
			"a round":        b.play(alice, 1),
		} {
			if b.balance(alice) < 10 {
				b.commit(b.credit(alice, "funds of "+name, money.SOL, 100))
			}
			b.commit(item)
			holder := b.replay(item).Holder
			b.errorIf(holder.Wallet != alice || holder.Key != item.Keys[0] || !holder.At.Equal(item.At),
				"%s: the holder is %+v, the item was %+v at %v", name, holder, item.Keys, item.At)
			if item.Keys[0].Kind == player.DepositKey {
				item.Wallet = bob
				if holder := b.replay(item).Holder; holder.Wallet != alice {
					b.Errorf("%s: another player learns that %s holds it", name, holder.Wallet)
				}
			}
		}
	}},
	{"one used unique key of several is enough for a replay", Rows, func(b *bench) {
		b.signIn(alice, 0)
		first := b.credit(alice, "tx", money.SOL, 100)
		b.commit(first)
		for _, kind := range []player.KeyKind{"a first", "z last"} { // sorted before and after the held one
			free := player.UniqueKey{Kind: kind, ID: "free"}
			second := b.credit(alice, "tx", money.SOL, 100)
			second.Keys = append(second.Keys, free)
			if holder := b.replay(second).Holder; holder.Key != first.Keys[0] {
				b.Errorf("the holder is %+v", holder)
			}
			third := b.adjust(alice, 1)
			third.Keys = []player.UniqueKey{free}
			b.commit(third)
		}
		b.commit(b.keyed(b.adjust(alice, 1), "key", "print"))
		both := b.keyed(b.credit(alice, "tx", money.SOL, 100), "key", "print")
		both.Keys = append(both.Keys, first.Keys...)
		if holder := b.replay(both).Holder; holder.Key.Kind != player.IdempotencyKey {
			b.Errorf("not the client's own key is reported first, but %+v", holder)
		}
		both.Keys[0].Fingerprint = "another"
		b.refuse(both, fault.IdempotencyConflict)
	}},
	{"an idempotency key under another fingerprint is a conflict", Logic, func(b *bench) {
		b.signIn(alice, 100)
		first := b.commit(b.keyed(b.adjust(alice, 5), "key", "print"))
		b.refuse(b.keyed(b.adjust(alice, 6), "key", "other print"), fault.IdempotencyConflict)
		b.refuse(b.keyed(b.play(alice, 1), "key", ""), fault.IdempotencyConflict)
		again := b.replay(b.keyed(b.adjust(alice, 6), "key", "print"))
		b.same("the first answer", b.answer(again.Change), b.answer(first.Change))
	}},
	{"the same key in another scope is another unique key", Rows, func(b *bench) {
		b.signIn(alice, 0)
		b.signIn(bob, 0)
		b.commit(b.keyed(b.adjust(alice, 5), "key", "print"))
		b.commit(b.keyed(b.adjust(bob, 7), "key", "another print"))
		item := b.adjust(alice, 5)
		item.Keys = []player.UniqueKey{{Kind: player.IdempotencyKey, Scope: string(admin), ID: "key", Fingerprint: "a third"}}
		b.commit(item)
		b.errorIf(b.balance(alice) != 10 || b.balance(bob) != 7, "balances %d and %d", b.balance(alice), b.balance(bob))
	}},
	{"a login message is used once", Races, func(b *bench) {
		millis := b.now().UnixMilli()
		var fresh atomic.Int32
		logins := make([]player.Item, 12)
		for i := range logins {
			logins[i] = b.login(alice, millis)
		}
		atOnce(len(logins), func(i int) {
			receipt, err := b.Commit(background, logins[i])
			if err != nil {
				b.Error(err)
			} else if !receipt.Replayed {
				fresh.Add(1)
			}
		})
		b.same("the message signed in", fresh.Load(), 1)
		b.reopen()
		b.replay(b.login(alice, millis))
		b.commit(b.login(alice, millis+1))
		b.commit(b.login(bob, millis))
		b.sound()
	}},
	{"one transaction is credited once for each token, over all players", Rows, func(b *bench) {
		b.signIn(alice, 0)
		b.signIn(bob, 0)
		// Before a credit, both may have a deposit claim.
		b.commit(b.claim(bob, "tx", money.SOL, deposit.Verdict{Status: deposit.Pending}))
		first := b.commit(b.credit(alice, "tx", money.SOL, 100))
		b.errorIf(first.Change.Deposit.Status != deposit.Credited || b.balance(alice) != 100,
			"claim %+v, balance %d", first.Change.Deposit, b.balance(alice))
		b.replay(b.credit(alice, "tx", money.SOL, 100))
		taken := b.replay(b.credit(bob, "tx", money.SOL, 100))
		b.errorIf(taken.Holder.Wallet != alice || b.balance(bob) != 0,
			"held by %s, bob has %d", taken.Holder.Wallet, b.balance(bob))
		b.commit(b.credit(bob, "tx", usd, 30))
		b.commit(b.credit(bob, "tx 2", money.SOL, 40))
		ref := deposit.Ref{Signature: fakes.Signature("tx"), Token: money.SOL}
		if claim := must(b.Claim(background, bob, ref))(b); claim.Status != deposit.Pending {
			b.Errorf("bob's claim is %s", claim.Status)
		}
		b.sound()
	}},
	{"a unique key is taken by one of many items at once", Races, func(b *bench) {
		var mu sync.Mutex
		var holders []player.Holder
		people := []player.Item{}
		for i := range 12 {
			w := fakes.Wallet(string(rune('a' + i)))
			b.signIn(w, 0)
			people = append(people, b.credit(w, "tx", money.SOL, 100))
		}
		var fresh atomic.Int32
		atOnce(len(people), func(i int) {
			receipt, err := b.Commit(background, people[i])
			switch {
			case err != nil:
				b.Error(err)
			case receipt.Replayed:
				mu.Lock()
				holders = append(holders, receipt.Holder)
				mu.Unlock()
			default:
				fresh.Add(1)
			}
		})
		b.same("the transaction was credited", fresh.Load(), 1)
		for _, holder := range holders {
			b.same("the holder", holder.Wallet, holders[0].Wallet)
		}
		b.same("the holder has", b.balance(holders[0].Wallet), 100)
		b.sound()
	}},
}
