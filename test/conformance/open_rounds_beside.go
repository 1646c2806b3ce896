package conformance

import (
	"sync/atomic"
	"time"

	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/ledger"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/protection"
	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/test/fakes"
)

var openRoundsBesideCases = []story{
	{"a pair isn't revealed while a round is open that is drawn from it", Races, func(b *bench) {
		b.signIn(alice, 10_000)
		open := b.opened(alice, 100)
		refused := b.refuse(b.rotate(alice, "mine"), fault.InvalidState)
		b.same("the rounds that it waits for", refused.Details["rounds"], []string{open.ID})
		before := must(b.ActivePair(background, alice))(b)
		b.fails(fault.NotFound, errorOf(b.RevealedPair(background, before.ID)), "the pair of an open round is revealed")
		atOnce(6, func(i int) {
			item := b.rotate(alice, "mine")
			if i == 0 {
				item = b.steps(open, fakes.CashOut)
			}
			if _, err := b.Commit(background, item); err != nil && !fault.Is(err, fault.InvalidState) {
				b.Error(err)
			}
		})
		b.commit(b.rotate(alice, "mine"))
		revealed := must(b.RevealedPair(background, before.ID))(b)
		round := must(b.Round(background, open.ID))(b)
		if revealed.Verify() != nil || revealed.Rounds != 1 || round.Commitment != revealed.Commitment {
			b.Errorf("%+v is of %+v", round, revealed)
		}
		b.sound()
	}},
	{"who may not play any more finishes, and stakes nothing further", Races, func(b *bench) {
		b.signIn(alice, 10_000)
		open := b.opened(alice, 100, doubles)
		exclude := b.protect(alice, func(s protection.State, _ time.Time) (protection.State, error) {
			s.Excluded = true
			return s, nil
		})
		atOnce(5, func(i int) {
			item := b.opens(alice, 10, ladderWith())
			if i == 0 {
				item = exclude
			}
			if _, err := b.Commit(background, item); err != nil && !fault.Is(err, fault.PlayerExcluded) && !fault.Is(err, fault.TooManyOpen) {
				b.Error(err)
			}
		})
		b.refuse(b.opens(alice, 10, ladderWith()), fault.PlayerExcluded)
		b.refuse(b.steps(open, fakes.Double), fault.PlayerExcluded)
		for _, left := range must(b.OpenRoundsOf(background, alice))(b) {
			b.commit(b.steps(left, fakes.CashOut))
		}
		b.same("balance", b.balance(alice), 10_000)
		b.sound()
	}},
	{"withdrawals and stakes at once never spend more than there is", Races, func(b *bench) {
		b.signIn(alice, 300)
		open := b.opened(alice, 100, doubles) // 200 are left
		var spent atomic.Int64
		atOnce(6, func(i int) {
			item, amount := b.withdraw(alice, 150), int64(150)
			if i%2 == 0 {
				item, amount = b.steps(open, fakes.Double), 100
			}
			receipt, err := b.Commit(background, item)
			switch {
			case err == nil && !receipt.Replayed:
				spent.Add(amount)
			case err != nil && !fault.Is(err, fault.InsufficientFunds):
				b.Error(err)
			}
		})
		if got := int64(b.balance(alice)); got != 200-spent.Load() || got < 0 {
			b.Errorf("%d are left of 200, %d were spent", got, spent.Load())
		}
		b.sound()
	}},
	{"a player who moves to another agent takes the stakes along", Rows, func(b *bench) {
		b.grant(admin, "superadmin")
		b.prepaidAgent("acme", 0, 0)
		b.signIn(alice, 10_000)
		open := b.opened(alice, 100, doubles)
		b.commit(b.rebind(alice, "acme"))
		owed := map[ledger.Kind]money.Total{}
		for _, line := range must(b.Counts(background, "acme"))(b).Owed {
			owed[line.Account.Kind] = line.Amount
		}
		if owed[ledger.Stake] != money.TotalOf(100) || owed[ledger.Player] != money.TotalOf(9_900) {
			b.Errorf("the new agent's players are owed %v", owed)
		}
		open = b.commit(b.steps(open, fakes.Double)).Change.Steps[0]
		b.commit(b.steps(open, fakes.CashOut))
		for _, line := range must(b.Counts(background, "acme"))(b).Owed {
			if line.Account.Kind == ledger.Stake && line.Amount.Sign() != 0 {
				b.Errorf("stakes of %v are left", line.Amount)
			}
		}
		b.sound()
	}},
	{"rounds opened at once never cost more than the house's share", Races, func(b *bench) {
		const players, share = 24, 10_000
		var all [players]wallet.Address
		for i := range all {
			all[i] = fakes.Wallet("player " + text(i))
			b.signIn(all[i], 1_000)
		}
		bankroll := money.TotalOf(share) // terms let all of it be owed
		atOnce(players, func(i int) {
			for range 3 {
				_, err := b.Commit(background, b.opensIn(all[i], money.SOL, 100, ladderWith(), bankroll))
				if err != nil && !fault.Is(err, fault.WagerOutOfRange) {
					b.Error(err)
				}
				if owed := must(b.OpenExposure(background, money.SOL))(b); owed.Cmp(money.TotalOf(share)) > 0 {
					b.Errorf("%v may be owed of %d", owed, share)
				}
			}
		})
		if owed := must(b.OpenExposure(background, money.SOL))(b); owed.Sign() == 0 {
			b.Error("nothing was opened")
		}
		b.sound()
	}},
}
