package conformance

import (
	"errors"
	"fmt"
	"sync"

	"github.com/casino-service/casino/domain/fairness"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/ledger"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/player"
	"github.com/casino-service/casino/domain/withdrawal"
	"github.com/casino-service/casino/test/fakes"
)

var writerRefuseCases = []story{
	{"a refusal is returned as it is", Logic, func(b *bench) {
		b.signIn(alice, 0)
		foreign := errors.New("not a fault")
		for _, refusal := range []error{foreign, fault.New(fault.GameDisabled, "closed on Mondays").With("day", "Monday")} {
			item := b.adjust(alice, 1)
			item.Decide = func(player.View) (player.Change, error) { return player.Change{}, refusal }
			before := b.snapshot()
			_, err := b.Commit(background, item)
			b.errorIf(!errors.Is(err, refusal), "%v came back as %v", refusal, err)
			b.same("everything", b.snapshot(), before)
		}
	}},
	{"a refusal stores nothing and frees its unique keys", Rows, func(b *bench) {
		b.signIn(alice, 10)
		for name, item := range map[string]player.Item{
			"a client's key": b.keyed(b.adjust(alice, 5), "key", "print"),
			"a round":        b.play(alice, 10),
			"a withdrawal":   b.withdraw(alice, 5),
			"an adjustment":  b.adjust(alice, 5),
			"a login":        b.login(alice, b.now().UnixMilli()),
			"a deposit":      b.credit(alice, "tx", money.SOL, 100),
			"an operation":   b.rotate(alice, "seed"),
		} {
			refused := item
			refused.Decide = func(v player.View) (player.Change, error) {
				change, err := item.Decide(v)
				return change, errors.Join(err, fault.New(fault.InsufficientFunds, "not yet"))
			}
			before := b.snapshot()
			for range 2 {
				if receipt, err := b.Commit(background, refused); err == nil {
					b.Fatalf("%s: a refused item gave %+v", name, receipt)
				}
			}
			b.same("everything", b.snapshot(), before)
			b.commit(b.credit(alice, "funds of "+name, money.SOL, 100))
			b.commit(item)
		}
		b.sound()
	}},
	{"a decision that panics is refused alone", Races, func(b *bench) {
		b.signIn(alice, 100)
		b.signIn(bob, 100)
		good := b.play(bob, 10)
		bad := b.play(alice, 10)
		decide := bad.Decide
		bad.Decide = func(v player.View) (player.Change, error) {
			_, _ = decide(v)
			panic("a defect")
		}
		b.amongNeighbours("panic", bad, good)
		bad.Decide = decide
		b.commit(bad)
		b.sound()
	}},
	{"an item that breaks a rule of the store fails alone", Races, func(b *bench) {
		// Tests of domain/player check the law rule by rule, and the breaches of writer_law.go
		// that the store applies it. These are rules that a store enforces as well.
		b.signIn(alice, 1000)
		b.signIn(bob, 1000)
		b.signIn(carol, 1000)
		earlier := b.commit(b.play(alice, 10)).Change.Round
		request := b.commit(b.withdraw(alice, 10)).Change.Withdrawal
		account, house := ledger.PlayerOf(alice), ledger.System(ledger.House)
		key := func() ledger.Key { return ledger.Key{Kind: ledger.Adjust, ID: b.id()} }
		move := func(from, to ledger.Account, amount money.Amount) ledger.Transfer {
			return ledger.Transfer{Debit: from, Credit: to, Token: money.SOL, Amount: amount}
		}
		for name, bad := range map[string]player.Item{
			"more than the balance":      b.transfer(alice, key(), move(account, house, 100_000)),
			"somebody else's balance":    b.transfer(alice, key(), move(ledger.PlayerOf(bob), account, 10)),
			"below zero in between":      b.transfer(alice, key(), move(account, house, 100_000), move(house, account, 100_000)),
			"above what a balance has":   b.transfer(alice, key(), move(house, account, money.Max)),
			"the hold of no withdrawal":  b.transfer(alice, key(), move(account, ledger.HoldOf("none"), 10)),
			"the second posting":         spoilt(b.adjust(alice, 5), func(c *player.Change) { c.Postings = append(c.Postings, c.Postings[0]) }),
			"a round's id again":         spoilt(b.play(alice, 10), func(c *player.Change) { c.Round.ID = earlier.ID }),
			"a round of no pair":         spoilt(b.play(alice, 10), func(c *player.Change) { c.Round.PairID = "none" }),
			"another wallet's round":     spoilt(b.play(alice, 10), func(c *player.Change) { c.Round.Wallet = bob }),
			"a transaction's id again":   spoilt(b.withdraw(alice, 10), func(c *player.Change) { c.Withdrawal.ID = request.ID }),
			"a withdrawal's id again":    spoilt(b.adjust(alice, 10), func(c *player.Change) { c.Adjustment.ID = request.ID }),
			"an audit record's id again": spoilt(b.adjust(alice, 5), func(c *player.Change) { c.Audit = append(c.Audit, c.Audit[0]) }),
			"a nonce again": spoilt(b.play(alice, 10), func(c *player.Change) {
				c.Round.Nonce, c.Pair.Nonce = earlier.Nonce, earlier.Nonce+1
			}),
			"an attempt without its withdrawal": spoilt(b.adjust(alice, 10), func(c *player.Change) {
				c.Attempt = &withdrawal.Attempt{WithdrawalID: request.ID, Number: 1, Signature: "s", Transaction: []byte{1}}
			}),
			"a pair nobody committed to": spoilt(b.rotate(alice, "mine"), func(c *player.Change) {
				pair := fairness.NewPair(b.spare(), b.spare(), "mine", b.now())
				c.Pair = &pair
			}),
		} {
			before := b.balance(alice)
			b.amongNeighbours(name, bad, b.play(bob, 1), b.adjust(carol, 3), b.play(carol, 1), b.play(bob, 2))
			b.same(name+": the balance", b.balance(alice), before)
			good := b.adjust(alice, 1)
			good.Keys = bad.Keys
			if bad.Keys[0].Kind == player.OperationKey {
				b.commit(good)
			}
		}
		b.sound()
	}},
	{"a posting key is used once ever", Rows, func(b *bench) {
		b.signIn(alice, 100)
		key := ledger.Key{Kind: ledger.Adjust, ID: "once"}
		move := ledger.Transfer{
			Debit: ledger.System(ledger.Adjustment), Credit: ledger.PlayerOf(alice), Token: money.SOL, Amount: 5,
		}
		b.commit(b.transfer(alice, key, move))
		for _, again := range []money.Amount{5, 6} {
			move.Amount = again
			before := b.snapshot()
			if _, err := b.Commit(background, b.transfer(alice, key, move)); err == nil {
				b.Errorf("the key was booked again with %d", again)
			}
			b.same("everything", b.snapshot(), before)
		}
		b.signIn(bob, 100)
		before := b.snapshot()
		anothers := ledger.Transfer{Debit: ledger.System(ledger.Adjustment), Credit: ledger.PlayerOf(bob), Token: money.SOL, Amount: 5}
		if _, err := b.Commit(background, b.transfer(bob, key, anothers)); err == nil {
			b.Error("the key was booked again, for another player")
		}
		b.same("everything", b.snapshot(), before)
		b.commit(b.transfer(alice, ledger.Key{Kind: ledger.Adjust, Scope: "other", ID: "once"}, move))
		b.same("balance", b.balance(alice), 111)
		b.sound()
	}},
	{"commitments and pairs are unique across players", Rows, func(b *bench) {
		b.signIn(alice, 0)
		first := fakes.NewEntropy(1)
		used := first.Seed() // the server seed of alice's first pair
		item := b.login(bob, b.now().UnixMilli())
		decide := item.Decide
		item.Decide = func(v player.View) (player.Change, error) {
			change, err := decide(v)
			if err != nil {
				return change, err
			}
			twin := spareOf(b.id(), used)
			change.Pair.Seed, change.Pair.Commitment = twin.Seed, twin.Seed.Commitment()
			return change, nil
		}
		before := b.snapshot()
		if _, err := b.Commit(background, item); err == nil {
			b.Fatal("two pairs have one commitment")
		}
		b.same("everything", b.snapshot(), before)
		b.signIn(bob, 0)
		b.sound()
	}},
}

// amongNeighbours commits a bad item together with good ones of other wallets: it fails and
// stores nothing, they are committed.
func (b *bench) amongNeighbours(what string, bad player.Item, good ...player.Item) {
	b.Helper()
	var mu sync.Mutex
	failures := map[string]error{}
	commit := func(name string, item player.Item) {
		_, err := b.Commit(background, item)
		mu.Lock()
		defer mu.Unlock()
		failures[name] = err
	}
	atOnce(len(good)+1, func(i int) {
		if i == len(good) {
			commit("bad", bad)
			return
		}
		commit(fmt.Sprint(i), good[i])
	})
	for name, err := range failures {
		b.same(fmt.Sprintf("%s: item %s is refused (%v)", what, name, err), err != nil, name == "bad")
	}
}
