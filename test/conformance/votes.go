package conformance

import (
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/casino-service/casino/app/audit"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/player"
	"github.com/casino-service/casino/domain/token"
	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/domain/withdrawal"
	"github.com/casino-service/casino/ports"
	"github.com/casino-service/casino/test/fakes"
)

// withdrawTo requests a payout of native SOL to another address.
func (b *bench) withdrawTo(w wallet.Address, amount money.Amount, destination string) withdrawal.Withdrawal {
	b.Helper()
	request := player.WithdrawalRequest{
		ID: b.id(), Terms: terms(money.SOL), Amount: amount,
		Destination: withdrawal.Destination{Address: string(fakes.Wallet(destination))}, At: b.now(),
	}
	return *b.commit(itemOf(w, request.At, player.UniqueKey{Kind: player.WithdrawalKey, ID: request.ID},
		player.Needs{Tokens: []money.Token{money.SOL}, Open: true},
		func(v player.View) (player.Change, error) { return player.Withdraw(v, request) })).Change.Withdrawal
}

var approvalsCountedCases = []story{
	{"votes count for the player, for the destination and for the admin", Rows, func(b *bench) {
		// Approve two withdrawals that share one property: the player, the destination or the
		// admin. Together they are above the threshold, so the second one waits; a pair without a
		// shared property doesn't.
		b.askers()
		for name, c := range map[string]struct {
			players      [2]string
			destinations [2]string
			admins       [2]wallet.Address
			want         withdrawal.Status
		}{
			"nothing":         {[2]string{"a", "b"}, [2]string{"c", "d"}, [2]wallet.Address{admin, other}, withdrawal.Approved},
			"the player":      {[2]string{"e", "e"}, [2]string{"f", "g"}, [2]wallet.Address{admin, other}, withdrawal.Pending},
			"the destination": {[2]string{"h", "i"}, [2]string{"j", "j"}, [2]wallet.Address{admin, other}, withdrawal.Pending},
			"the admin":       {[2]string{"k", "l"}, [2]string{"m", "n"}, [2]wallet.Address{admin, admin}, withdrawal.Pending},
		} {
			b.clock.Advance(player.VoteWindow + player.VoteSlot) // votes of the previous pair no longer count
			var statuses [2]withdrawal.Status
			for i := range statuses {
				w := fakes.Wallet(c.players[i])
				b.signIn(w, 600_000)
				asked := b.withdrawTo(w, 600_000, c.destinations[i])
				statuses[i] = b.commit(b.approving(asked, c.admins[i])).Change.Withdrawal.Status
			}
			b.same(fmt.Sprint("in common: ", name), statuses, [2]withdrawal.Status{withdrawal.Approved, c.want})
		}
		b.sound()
	}},
	{"what all admins let go within a day is counted together, by token", Rows, func(b *bench) {
		// Approve withdrawals by different players to different destinations by different admins:
		// released amounts count, for a day, per token; credits and waiting votes don't.
		b.askers()
		b.commit(b.credits(alice, 900_000))
		approve := func(name string, by wallet.Address) withdrawal.Status {
			b.Helper()
			w := fakes.Wallet(name)
			b.signIn(w, 600_000)
			return b.commit(b.daily(b.withdrawTo(w, 600_000, "to "+name), by, 1_000_000)).Change.Withdrawal.Status
		}
		b.same("the first", approve("a", admin), withdrawal.Approved)
		b.same("the second", approve("b", other), withdrawal.Pending)
		// It waits and releases nothing: a third one only counts what the first released.
		c := fakes.Wallet("c")
		b.signIn(c, 400_000)
		b.same("up to the threshold", b.commit(b.daily(b.withdrawTo(c, 400_000, "to c"), other, 1_000_000)).Change.Withdrawal.Status, withdrawal.Approved)
		b.clock.Advance(player.VoteWindow + player.VoteSlot)
		b.same("a day later", approve("d", admin), withdrawal.Approved)
		b.sound()
	}},
	{"a vote with the same admin and moment is kept once", Rows, func(b *bench) {
		// Let decisions vote twice for one admin, which the domain never does: the store refuses
		// the second vote at the same time.
		b.signIn(alice, 100)
		vote := player.Vote{Of: "thing", Destination: "there", Wallet: alice, Token: money.SOL, Amount: 1, By: admin, At: b.now()}
		votes := func() player.Item {
			cast, item := vote, b.adjust(alice, 1)
			item.Needs.Votes = &player.VotesNeed{Of: "thing", Destination: "there", Token: money.SOL, By: cast.By, At: cast.At}
			decide := item.Decide
			item.Decide = func(v player.View) (player.Change, error) {
				change, err := decide(v)
				change.Votes = []player.Vote{cast.Following(v.Votes)}
				return change, err
			}
			return item
		}
		b.commit(votes())
		before := b.snapshot()
		if _, err := b.Commit(background, votes()); err == nil {
			b.Error("one vote is kept twice")
		}
		b.same("everything", b.snapshot(), before)
		vote.At = b.now()
		b.commit(votes())
		vote.By = other
		b.commit(votes())
		b.sound()
	}},
}

// daily returns an item of an admin's approval, with only a threshold for a day.
func (b *bench) daily(w withdrawal.Withdrawal, by wallet.Address, perDay money.Amount) player.Item {
	item := b.approving(w, by)
	decision := b.decisionOn(w, by)
	decision.Terms.TwoPersonAbove, decision.Terms.TwoPersonAbovePerDay, decision.At = token.NoTwoPerson, perDay, item.At
	item.Decide = func(v player.View) (player.Change, error) { return player.Approve(v, decision) }
	return item
}

var votesCountedCases = []story{
	{"what earlier votes come to is what they come to one by one, as time moves", Rows, func(b *bench) {
		// Let admins vote at random while time passes, by clocks that differ by minutes: each
		// decision sees the sums of all votes before it, counted one by one here, and the stored
		// sums are those that an audit computes from the blocks.
		draw := rand.New(rand.NewPCG(5, 13)) //nolint:gosec // a test's own order
		players := []wallet.Address{alice, bob}
		for _, w := range players {
			b.signIn(w, 0)
		}
		var given, things []player.Vote
		for range 200 {
			b.clock.Advance(pick(draw, 0, 0, 0, time.Minute, 8*time.Minute, time.Hour, 7*time.Hour, player.VoteWindow, 26*time.Hour, 11*24*time.Hour/2))
			next := player.Vote{
				Of: b.id(), Credit: draw.IntN(2) == 0, Wallet: pick(draw, players...), Token: pick(draw, money.SOL, money.Token(fakes.Wallet("a token"))),
				Amount: pick[money.Amount](draw, 1, 700, 1<<40, 1<<40-1, money.Max),
			}
			switch repeat := draw.IntN(2) == 0 && len(things) > 0; {
			case next.Credit:
			case repeat:
				next = pick(draw, things[max(0, len(things)-4):]...)
			default:
				next.Destination = pick(draw, "here", "there")
				things = append(things, next)
			}
			next.By, next.At = pick(draw, admin, other), b.now().Add(-pick(draw, 0, 0, time.Second, 14*time.Minute))
			next.GrantedBy, next.Passes = pick(draw, "", fakes.Wallet("root")), draw.IntN(2) == 0
			if next.GrantedBy != "" {
				next.GrantedAt = fakes.Start.Add(pick(draw, 0, time.Hour))
			}
			given = append(given, b.votes(next, given))
		}
		for _, part := range []ports.LedgerPart{ports.LedgerVoteSums, ports.LedgerCreditors} {
			var few, many []ports.LedgerRow
			for _, page := range b.pages(part, 7) {
				few = append(few, page.Rows...)
			}
			for _, page := range b.pages(part, 10_000) {
				many = append(many, page.Rows...)
			}
			b.same(fmt.Sprintf("%s by small pages", part), few, many)
		}
		games, err := fakes.StandardGames()
		b.ok(err)
		report, err := audit.NewAuditor(b.Ports, games, nil).Run(background)
		b.same("findings of an audit", fmt.Sprint(report.Findings, err), "[] <nil>")
		b.sound()
	}},
}

// votes commits a vote that no decision of the domain makes, and compares its counts with the
// given votes.
func (b *bench) votes(next player.Vote, given []player.Vote) player.Vote {
	b.Helper()
	need := player.VotesNeed{Token: next.Token, By: next.By, At: next.At}
	if !next.Credit {
		need.Of, need.Destination = next.Of, next.Destination
	}
	item := b.adjust(next.Wallet, 1)
	item.Needs.Votes = &need
	decide := item.Decide
	var seen player.View
	item.Decide = func(v player.View) (player.Change, error) {
		seen = v
		next = next.Following(v.Votes)
		change, err := decide(v)
		change.Votes = []player.Vote{next}
		return change, err
	}
	b.commit(item)
	b.same(fmt.Sprintf("what counts for %+v", need), seen.Counted, need.Count(next.Wallet, given))
	var shown []player.Vote
	for _, y := range given {
		if need.Includes(next.Wallet, y) {
			shown = append(shown, y)
		}
	}
	b.same(fmt.Sprintf("creditors for %+v", need), creditorsOf(seen.Votes), creditorsOf(shown))
	b.same(fmt.Sprintf("the vote after others of %+v", need), next, next.Following(shown))
	return next
}

// creditorsOf returns the admins whose votes in credits are shown, with the time of the newest.
func creditorsOf(votes []player.Vote) map[player.Creditor]int64 {
	newest := map[player.Creditor]int64{}
	for _, y := range votes {
		if c, credited := y.Creditor(); credited {
			c.GrantedAt = c.GrantedAt.UTC()
			newest[c] = max(newest[c], y.At.UnixMicro())
		}
	}
	return newest
}
