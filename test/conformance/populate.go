package conformance

import (
	"testing"
	"time"

	"github.com/casino-service/casino/domain/agent"
	"github.com/casino-service/casino/domain/alarm"
	"github.com/casino-service/casino/domain/deposit"
	"github.com/casino-service/casino/domain/game"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/player"
	"github.com/casino-service/casino/domain/protection"
	"github.com/casino-service/casino/domain/seamless"
	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/test/fakes"
)

// Populate makes at least one of everything that a store keeps, most of it in several
// states, for tests of what is done to its rows afterwards. Midway is called while much of
// it is in another state than in the end: a withdrawal approved and not paid, a role not
// revoked, a bet not lost. It returns the time it became.
func Populate(t *testing.T, s Store, midway func()) time.Time {
	t.Helper()
	b := newBench(t, s)
	b.know(terms(money.SOL), terms(usd))
	b.prepaidAgent("acme", 0, 500)
	b.askers() // admin, another one, and alice with 100; their roles are old
	b.signIn(bob, 5_000)
	b.grant(bob, "support")
	b.commit(b.credit(alice, "first", money.SOL, 3_000_000))
	b.commit(b.claim(bob, "in review", usd, deposit.Verdict{Status: deposit.Review}))
	paid := *b.commit(b.withdraw(alice, 700)).Change.Withdrawal
	b.commit(b.approving(paid, admin))
	asked := b.ask()
	b.commit(b.play(alice, 100))
	b.commit(b.protect(bob, func(s protection.State, at time.Time) (protection.State, error) {
		return s.Exclude(at.Add(time.Hour), false, at)
	}))
	midway()
	b.commit(b.sign(paid, 1))
	b.commit(b.settle(paid, 1, dead))
	b.commit(b.sign(paid, 2))
	b.commit(b.settle(paid, 2, finalized))
	b.commit(b.decision(asked, other, true))
	b.revoke(bob)
	b.climbs(alice, 100, fakes.CashOut)
	b.commit(b.rotate(alice, "mine"))
	for range 3 {
		b.commit(b.play(alice, 1_000))
	}
	b.climbs(alice, 10_000)
	b.commit(b.protect(bob, func(s protection.State, _ time.Time) (protection.State, error) { return s.Freeze(true), nil }))
	b.commit(b.does(bob, player.Needs{}, func(v player.View) player.Change {
		change, err := player.EndSessions(v, b.id(), "req", b.now())
		if err != nil {
			b.Error(err)
		}
		return change
	}))
	b.commit(b.withdraw(alice, 900)) // pending
	b.commit(b.approve(*b.commit(b.withdraw(alice, 800)).Change.Withdrawal, other))
	b.ask()
	b.commit(b.adjust(bob, 50))
	b.raised(b.alarmed(alarm.LowFees, "SOL", alarm.Fact{Name: "holding", Value: "7"}))
	b.over(b.raised(b.alarmed(alarm.Insolvent, "SOL")))
	b.provided()
	return b.now()
}

// provided are rounds of providers, of the house's own players and of those of an agent
// with a site.
func (b *bench) provided() {
	b.Helper()
	b.commit(b.launch(alice, money.SOL, 3))
	b.asked(alice, "t1", seamless.Debit, "1", "")
	b.asked(alice, "t1", seamless.Credit, "", "2")
	b.asked(alice, "t2", seamless.DebitCredit, "1", "0")
	b.commit(b.funds(agent.FundsRef{Agent: "acme", Token: money.SOL}, 1_000))
	b.member(carol, "acme")
	b.commit(b.responded(b.bet(carol, "acme", "t3", "300"), seamless.SiteAccepted))
	b.bet(carol, "acme", "t4", "200")
}

// climbs opens a round that is played step by step, stakes once more and takes the actions.
func (b *bench) climbs(w wallet.Address, wager money.Amount, actions ...game.Value) {
	b.Helper()
	open := b.opened(w, wager, doubles)
	for _, action := range append([]game.Value{fakes.Double}, actions...) {
		open = b.commit(b.steps(open, action)).Change.Steps[0]
	}
}
