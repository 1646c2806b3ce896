package conformance

import (
	"sync/atomic"
	"testing"
	"time"

	"github.com/casino-service/casino/domain/audit"
	"github.com/casino-service/casino/domain/bet"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/game"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/player"
	"github.com/casino-service/casino/domain/protection"
	"github.com/casino-service/casino/domain/wallet"
)

// Protection is the suite of players' protection in the Writer and Players: it is part of the
// player, read and changed with the money.
func Protection(t *testing.T, newStore func(t *testing.T) Store, shows ...Fault) {
	run(t, newStore, shows, protectionCases)
}

var protectionCases = []story{
	{"a player's protection comes back as it was set", Rows, func(b *bench) {
		b.signIn(alice, 1000)
		b.commit(b.limit(alice, protection.Wager, 500))
		b.commit(b.limit(alice, protection.Loss, 1<<62))
		b.commit(b.protect(alice, func(s protection.State, at time.Time) (protection.State, error) {
			return s.Exclude(at.Add(time.Hour), false, at)
		}))
		b.commit(b.protect(alice, func(s protection.State, at time.Time) (protection.State, error) {
			return s.CoolOff(at.Add(2*time.Hour), at)
		}))
		b.grant(bob, "superadmin")
		b.commit(b.imposed(alice, bob, 400))
		changed := b.commit(b.protect(alice, func(s protection.State, _ time.Time) (protection.State, error) { return s.Freeze(true), nil }))
		want := changed.Change.Player.Protection
		if len(want.Limits) != 3 || !want.Limits[2].Imposed || want.CoolOffUntil.IsZero() || want.ExcludedUntil.IsZero() || !want.Frozen {
			b.Fatalf("it was set to %+v", want)
		}
		b.same("protection", must(b.Player(background, alice))(b).Protection, want)
		b.commit(b.limitedBy(alice, bob, func(protection.State, time.Time) (protection.State, error) { return protection.State{}, nil }))
		b.same("none", must(b.Player(background, alice))(b).Protection, protection.State{})
		b.sound()
	}},
	{"meters move in the commit of the bet", Rows, func(b *bench) {
		b.signIn(alice, 1000)
		b.commit(b.limit(alice, protection.Wager, 25))
		b.commit(b.play(alice, 10))
		b.commit(b.play(alice, 10))
		b.reopen()
		refusal := b.refuse(b.play(alice, 6), fault.LimitExceeded)
		b.same("the limit", refusal.Details["limit"], "wager.month")
		b.commit(b.play(alice, 5))
		b.same("the meter stands at", must(b.Player(background, alice))(b).Protection.Limits[0].Used, 25)
		b.commit(b.limit(alice, protection.Deposit, 50))
		b.commit(b.credit(alice, "more", money.SOL, 51))
		b.refuse(b.play(alice, 1), fault.LimitExceeded)
		b.sound()
	}},
	{"bets at once never pass a limit", Races, func(b *bench) {
		b.signIn(alice, 10_000)
		b.commit(b.limit(alice, protection.Wager, 50))
		items := make([]player.Item, 12)
		for i := range items {
			items[i] = b.play(alice, 10)
		}
		b.same("bets", b.winners(len(items), fault.LimitExceeded, func(i int) error { return errorOf(b.Commit(background, items[i])) }), 5)
		b.sound()
	}},
	{"rounds at once are never closer than their pace", Races, func(b *bench) {
		// Start rounds of two players at once: of each player only one begins, and the others
		// wait.
		b.signIn(alice, 10_000)
		b.signIn(bob, 10_000)
		items := make([]player.Item, 24)
		for i := range items {
			items[i] = b.pacedPlay([]wallet.Address{alice, bob}[i%2], time.Hour)
		}
		var played [2]atomic.Int64
		atOnce(len(items), func(i int) {
			if _, err := b.Commit(background, items[i]); err == nil {
				played[i%2].Add(1)
			} else if !fault.Is(err, fault.RateLimited) {
				b.Error(err)
			}
		})
		b.same("rounds", [2]int64{played[0].Load(), played[1].Load()}, [2]int64{1, 1})
		b.commit(b.play(alice, 10)) // a game without a pace
		b.clock.Advance(59 * time.Minute)
		b.refuse(b.pacedPlay(alice, time.Hour), fault.RateLimited)
		b.clock.Advance(time.Minute)
		b.commit(b.pacedPlay(alice, time.Hour))
		b.refuse(b.pacedPlay(alice, time.Hour), fault.RateLimited)
		b.sound()
	}},
}

// protect returns an item of a change of a wallet's protection by its owner.
func (b *bench) protect(w wallet.Address, change func(protection.State, time.Time) (protection.State, error)) player.Item {
	at := b.now()
	request := player.ProtectionRequest{
		By: w, Policy: b.policy, Action: audit.LimitsChanged, AuditID: b.id(), At: at,
		Change: func(s protection.State) (protection.State, error) { return change(s, at) },
	}
	return itemOf(w, at, operation(b.id()), player.Needs{},
		func(v player.View) (player.Change, error) { return player.Protect(v, request) })
}

func (b *bench) limit(w wallet.Address, kind protection.Kind, amount money.Amount) player.Item {
	return b.protect(w, func(s protection.State, at time.Time) (protection.State, error) {
		return s.WithLimits([]protection.LimitRequest{{Kind: kind, Period: protection.Month, Token: money.SOL, Amount: amount}}, at)
	})
}

// imposed returns an item of a limit of the wallet's wagers by an admin.
func (b *bench) imposed(w, by wallet.Address, amount money.Amount) player.Item {
	return b.limitedBy(w, by, func(s protection.State, at time.Time) (protection.State, error) {
		return s.Impose([]protection.LimitRequest{{Kind: protection.Wager, Period: protection.Month, Token: money.SOL, Amount: amount}}, at)
	})
}

// limitedBy returns an item of a change of a wallet's protection by an admin.
func (b *bench) limitedBy(w, by wallet.Address, change func(protection.State, time.Time) (protection.State, error)) player.Item {
	at := b.now()
	request := player.ProtectionRequest{
		By: by, Policy: b.policy, Action: audit.LimitsChanged, AuditID: b.id(), At: at, Reason: "it was asked for",
		Change: func(s protection.State) (protection.State, error) { return change(s, at) },
	}
	return itemOf(w, at, operation(b.id()), player.Needs{Roles: []wallet.Address{by}},
		func(v player.View) (player.Change, error) { return player.Protect(v, request) })
}

// pacedPlay returns an item of a bet that waits for the player's last round.
func (b *bench) pacedPlay(w wallet.Address, pace time.Duration) player.Item {
	order := must(bet.NewOrder(b.dice, game.Value{}, 10))(b)
	order.ID, order.Wallet, order.Terms, order.Bankroll, order.At, order.Pace = b.id(), w, terms(money.SOL), money.TotalOf(money.Max), b.now(), pace
	spare, auditID := b.spare(), b.id()
	return itemOf(w, order.At, player.UniqueKey{Kind: player.RoundKey, ID: order.ID},
		player.Needs{Tokens: []money.Token{money.SOL}, Draw: true},
		func(v player.View) (player.Change, error) {
			return player.Play(v, order, spare, "of the server", auditID)
		})
}
