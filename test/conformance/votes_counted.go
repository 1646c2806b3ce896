package conformance

import (
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/casino-service/casino/app/audit"
	"github.com/casino-service/casino/domain/game"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/player"
	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/ports"
	"github.com/casino-service/casino/test/fakes"
)

var votesCountedCases = []story{
	{"what earlier votes come to is what they come to one by one, as time moves", Rows, func(b *bench) {
		// Has admins vote at random while time moves, by clocks that differ by minutes: what each decision
		// sees is what all votes before come to when they are counted one by one, and what stores keep of them
		// is what an audit of the blocks comes to.
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
		games, err := game.NewRegistry(game.Standard()...)
		if err != nil {
			b.Fatal(err)
		}
		report, err := audit.NewAuditor(b.Ports, games, nil).Run(background)
		b.same("findings of an audit", fmt.Sprint(report.Findings, err), "[] <nil>")
		b.sound()
	}},
}

// votes commits a vote that no decision of the domain makes, and holds what it was counted
// with against the votes given before.
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

// creditorsOf are those whose votes in credits are shown, with their newest one's moment.
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
