package conformance

import (
	"fmt"
	"time"

	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/player"
	"github.com/casino-service/casino/domain/seamless"
	"github.com/casino-service/casino/ports"
	"github.com/casino-service/casino/test/fakes"
)

// together returns caps for all players together, in lamports.
func together(limit money.Amount) player.ProviderCaps {
	return player.ProviderCaps{NetWin: money.Max, WithoutDebit: money.Max, Connection: limit}
}

// won commits a win of lamports without a bet, and returns why it waits.
func (b *bench) won(item player.Item) seamless.Reason {
	b.Helper()
	return b.commit(item).Change.Seamless.Reason
}

var hoursCases = []story{
	{"wins of all players above the cap of their connection wait, less what they bet", Rows, func(b *bench) {
		b.grant(admin, "superadmin")
		for _, w := range []struct {
			who  string
			txn  string
			kind seamless.Kind
			bet  seamless.Decimal
			win  seamless.Decimal
			want seamless.Reason
		}{
			{"alice", "a1", seamless.Credit, "", "2", seamless.None},                // 2000
			{"bob", "b1", seamless.Credit, "", "1", seamless.None},                  // 3000
			{"carol", "c1", seamless.Credit, "", "0.001", "CONNECTION_WIN_CAP"},     // 3001
			{"carol", "c2", seamless.Credit, "", "0", seamless.None},                // nothing is no win
			{"carol", "c3", seamless.Debit, "1.5", "", seamless.None},               // 1500
			{"bob", "b2", seamless.Credit, "", "1.5", seamless.None},                // 3000
			{"bob", "b3", seamless.DebitCredit, "1", "1.001", "CONNECTION_WIN_CAP"}, // 2000
			{"bob", "b4", seamless.DebitCredit, "1", "2", seamless.None},            // 3000
			{"alice", "a2", seamless.Debit, "99", "", "INSUFFICIENT_USER_FUNDS"},    // moves nothing
		} {
			who := fakes.Wallet(w.who)
			if _, err := b.Player(background, who); err != nil {
				b.guest(who, 10_000)
			}
			before := b.balance(who)
			t := *b.commit(b.callbackIn(who, w.txn, w.kind, w.bet, w.win, together(3000))).Change.Seamless
			b.same(w.who+" "+w.txn, t.Reason, w.want)
			if got := b.balance(who); got != before-t.Bet+t.Paid() || t.Status == seamless.Review && t.Paid() != 0 {
				b.Fatalf("%s %s: %d after %d: %+v", w.who, w.txn, got, before, t)
			}
		}
		b.same("a repeat", b.replay(b.callbackIn(carol, "c1", seamless.Credit, "", "0.001", together(3000))).Change.Seamless.Status, seamless.Review)
		open := must(b.SeamlessTransactions(background, ports.SeamlessFilter{Open: true}, whole))(b).Transactions
		b.same("waiting", len(open), 2)
		// An admin's decision may exceed the cap, and doesn't count towards it.
		b.commit(b.settleReview(open[1], admin, true))
		b.commit(b.callbackIn(alice, "a4", seamless.Debit, "1", "", together(3000)))
		b.same("after the decision", b.won(b.callbackIn(bob, "b5", seamless.Credit, "", "1", together(3000))), seamless.None)
		b.same("and no more", b.won(b.callbackIn(bob, "b6", seamless.Credit, "", "0.001", together(3000))), seamless.OverConnectionCap)
		// Another token, and another hour.
		b.signIn(other, 0)
		b.commit(b.launch(other, usd, 0))
		b.same("of another token", b.won(b.callbackIn(other, "o1", seamless.Credit, "", "3000", together(3000))), seamless.None)
		b.same("no more of it", b.won(b.callbackIn(other, "o2", seamless.Credit, "", "1", together(3000))), seamless.OverConnectionCap)
		b.clock.Advance(time.Hour)
		b.same("an hour later", b.won(b.callbackIn(bob, "b7", seamless.Credit, "", "3", together(3000))), seamless.None)
		b.same("no more in that", b.won(b.callbackIn(alice, "a5", seamless.Credit, "", "0.001", together(3000))), seamless.OverConnectionCap)
		b.sound()
	}},
	{"wins at once stay within the cap of their connection", Races, func(b *bench) {
		// Commit a hundred wins and half as many bets of five players at once. In any order, the
		// players win at most the cap plus their bets.
		const limit, players, each = 20_000, 5, 20
		var bet, paid int64
		for p := range players {
			b.guest(fakes.Wallet(fmt.Sprint("player ", p)), 100_000)
		}
		items := make([]player.Item, 0, 2*players*each)
		for i := range players * each {
			who := fakes.Wallet(fmt.Sprint("player ", i%players))
			items = append(items, b.callbackIn(who, fmt.Sprint("win ", i), seamless.Credit, "", "0.7", together(limit)))
			if i%2 == 0 {
				items = append(items, b.callbackIn(who, fmt.Sprint("bet ", i), seamless.Debit, "0.1", "", together(limit)))
			}
		}
		for _, receipt := range b.commitAll(items) {
			t := receipt.Change.Seamless
			bet += int64(t.Bet)
			paid += int64(t.Paid())
		}
		// Bets after a win don't let it through any more: some room may be left.
		net := paid - bet
		b.errorIf(net > limit || paid < limit-700, "%d was won and %d bet, with a cap of %d", paid, bet, limit)
		for i := 0; ; i++ { // after all commits, the rest of the cap is exact
			b.fatalIf(i > limit/100, "nothing is held against the cap")
			if b.won(b.callbackIn(fakes.Wallet("player 0"), fmt.Sprint("last ", i), seamless.Credit, "", "0.1", together(limit))) != seamless.None {
				b.same("left", (limit+bet-paid)/100, int64(0))
				break
			}
			paid += 100
		}
		b.sound()
	}},
	{"an instance with a wrong clock begins no hour again", Rows, func(b *bench) {
		if b.Follow == nil {
			return // the store has no time but that of items
		}
		b.guest(alice, 100)
		b.guest(bob, 100)
		now := b.clock.Now()
		b.Follow(standing{now})
		for i, off := range []time.Duration{-time.Hour, time.Hour, 0, 24 * time.Hour, -24 * time.Hour} {
			b.clock.Set(now.Add(off))
			want := seamless.None
			if i > 0 {
				want = seamless.OverConnectionCap
			}
			who := []player.Item{
				b.callbackIn(alice, fmt.Sprint("t", i), seamless.Credit, "", "3", together(3000)),
				b.callbackIn(bob, fmt.Sprint("t", i), seamless.Credit, "", "3", together(3000)),
			}[i%2]
			b.same(fmt.Sprint("off by ", off), b.won(who), want)
		}
		for i, off := range []time.Duration{-time.Hour, time.Hour, 0} { // of one player only, at the latest hour
			b.clock.Set(now.Add(off))
			item := b.callbackIn(alice, fmt.Sprint("p", i), seamless.Credit, "", "0.001", player.ProviderCaps{NetWin: 3000, WithoutDebit: money.Max, Connection: money.Max})
			b.same(fmt.Sprint("a player, off by ", off), b.won(item), seamless.OverNetCap)
		}
		b.Follow(standing{now.Add(-time.Hour)}) // the database's clock is set back
		b.same("set back", b.won(b.callbackIn(alice, "back", seamless.Credit, "", "0.001", together(3000))), seamless.OverConnectionCap)
		b.Follow(standing{now.Add(time.Hour)})
		b.same("the next hour", b.won(b.callbackIn(alice, "next", seamless.Credit, "", "3", together(3000))), seamless.None)
		b.Follow(b.clock)
	}},
}

// standing is a clock that doesn't move.
type standing struct{ at time.Time }

func (s standing) Now() time.Time { return s.at }
