package conformance

import (
	"fmt"
	"math"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/casino-service/casino/domain/bet"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/game"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/player"
	"github.com/casino-service/casino/domain/seamless"
	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/ports"
	"github.com/casino-service/casino/test/fakes"
)

// Rounds is the suite of ports.Rounds.
func Rounds(t *testing.T, newStore func(t *testing.T) Store, shows ...Fault) {
	run(t, newStore, shows, roundsCases, roundsCountedCases, clockedRoundsCases)
}

var roundsCases = []story{
	{"a round comes back as it was settled", Rows, func(b *bench) {
		b.signIn(alice, 1_000_000)
		for _, rules := range game.Standard() {
			for range 4 {
				receipt := b.commit(b.playIn(alice, money.SOL, 1000, rules))
				round := withoutTheory(*receipt.Change.Round)
				kept := must(b.Round(background, round.ID))(b)
				b.same("the round", kept, round)
				b.errorIf(!kept.Config.Equal(round.Config) || !kept.Outcome.Equal(round.Outcome),
					"config and outcome %v, %v come back as %v, %v", round.Config, round.Outcome, kept.Config, kept.Outcome)
			}
		}
		b.sound()
	}},
	{"a round of any outcome and multiplier comes back", Rows, func(b *bench) {
		b.signIn(alice, 1_000_000)
		round := withoutTheory(*b.commit(b.playIn(alice, money.SOL, 1000, oddGame{b.dice})).Change.Round)
		b.fatalIf(round.Void, "the odd round is void")
		kept := must(b.Round(background, round.ID))(b)
		b.same("the round", kept, round)
		b.errorIf(!kept.Config.Equal(round.Config) || !kept.Outcome.Equal(round.Outcome),
			"config and outcome %v, %v come back as %v, %v", round.Config, round.Outcome, kept.Config, kept.Outcome)
		b.archiveHolds(round)
	}},
	{"an unknown round is not found", Rows, func(b *bench) {
		b.signIn(alice, 100)
		for _, id := range []string{"", "nobody's", must(b.ActivePair(background, alice))(b).ID} {
			b.fails(fault.NotFound, errorOf(b.Round(background, id)), "round ", id, " is")
		}
	}},
	{"rounds are listed newest first in pages", Rows, func(b *bench) {
		all := b.table()
		b.lists("all rounds", idsOf(all, func(bet.Round) bool { return true }), b.roundsOf(ports.RoundFilter{}))
		listed := must(b.Rounds(background, ports.RoundFilter{}, whole))(b)
		for i, round := range listed.Rounds {
			b.same("a listed round", round, all[len(all)-1-i])
		}
	}},
	{"filters narrow the list", Rows, func(b *bench) {
		all := b.table()
		middle := all[len(all)/2].At
		for what, row := range map[string]struct {
			filter ports.RoundFilter
			keep   func(bet.Round) bool
		}{
			"of a wallet": {ports.RoundFilter{Wallet: bob}, func(r bet.Round) bool { return r.Wallet == bob }},
			"of a game":   {ports.RoundFilter{GameType: "limbo"}, func(r bet.Round) bool { return r.GameType == "limbo" }},
			"of a token":  {ports.RoundFilter{Token: usd}, func(r bet.Round) bool { return r.Token == usd }},
			"of an agent": {ports.RoundFilter{Agent: "agent-7"}, func(r bet.Round) bool { return r.Agent == "agent-7" }},
			"from":        {ports.RoundFilter{From: middle}, func(r bet.Round) bool { return !r.At.Before(middle) }},
			"to":          {ports.RoundFilter{To: middle}, func(r bet.Round) bool { return r.At.Before(middle) }},
			"of all at once": {
				ports.RoundFilter{Wallet: carol, GameType: "dice", Token: money.SOL, Agent: "agent-7", From: all[2].At, To: all[22].At},
				func(r bet.Round) bool {
					return r.Wallet == carol && r.GameType == "dice" && r.Token == money.SOL &&
						!r.At.Before(all[2].At) && r.At.Before(all[22].At)
				},
			},
			"of nobody":                   {ports.RoundFilter{Wallet: admin}, func(bet.Round) bool { return false }},
			"of an unknown game":          {ports.RoundFilter{GameType: "chess"}, func(bet.Round) bool { return false }},
			"of an agent without players": {ports.RoundFilter{Wallet: alice, Agent: "agent-7"}, func(bet.Round) bool { return false }},
		} {
			b.lists("rounds "+what, idsOf(all, row.keep), b.roundsOf(row.filter))
		}
	}},
	{"the end of a span is excluded", Rows, func(b *bench) {
		all := b.table()
		first, second := all[3], all[4]
		b.lists("from the first", []string{first.ID}, b.roundsOf(ports.RoundFilter{From: first.At, To: second.At}))
		b.lists("an empty span", []string{}, b.roundsOf(ports.RoundFilter{From: first.At, To: first.At}))
		step := max(b.TimeStep, time.Microsecond)
		b.lists("to just after it", []string{first.ID}, b.roundsOf(ports.RoundFilter{From: first.At, To: first.At.Add(step)}))
		b.lists("from just after it", []string{}, b.roundsOf(ports.RoundFilter{From: first.At.Add(step), To: second.At}))
		zone := time.FixedZone("east", 7*3600)
		b.lists("in another zone", []string{first.ID}, b.roundsOf(ports.RoundFilter{From: first.At.In(zone), To: second.At.In(zone)}))
	}},
	{"a list is counted up to the cap and cursors go on", Races, func(b *bench) {
		const clients, each = 16, 75 // 1,200 rounds
		items := make([]string, clients*each)
		wallets := make([]wallet.Address, clients)
		for i := range wallets {
			wallets[i] = fakes.Wallet(string(rune('A' + i)))
			b.signIn(wallets[i], 1_000_000)
		}
		atOnce(clients, func(client int) {
			for i := range each {
				receipt, err := b.Commit(background, b.play(wallets[client], 1))
				if err != nil {
					b.Error(err)
					return
				}
				items[client*each+i] = receipt.Change.Round.ID
			}
		})
		b.cappedAt("rounds", newest(items), b.roundsOf(ports.RoundFilter{}))
		today := ports.RoundFilter{From: fakes.Start.Add(-time.Hour), To: fakes.Start.Add(time.Hour)}
		b.cappedAt("rounds of two hours", newest(items), b.roundsOf(today))
		b.cappedAt("rounds of a game", newest(items), b.roundsOf(ports.RoundFilter{GameType: "dice"}))
		own := newest(items[:each])
		ids, info, err := b.roundsOf(ports.RoundFilter{Wallet: wallets[0]})(ports.Page{Number: 2, Limit: 10})
		b.errorIf(err != nil || info.Total != each || info.Capped,
			"one of them has %d, capped %v, %v", info.Total, info.Capped, err)
		b.same("the player's second page", ids, own[10:20])
	}},
	{"recent rounds are the newest of all players without void ones", Rows, func(b *bench) {
		b.same("before anything was played", len(must(b.RecentRounds(background, 10))(b)), 0)
		all := b.table()
		want := idsOf(all, func(r bet.Round) bool { return !r.Void })
		for _, n := range []int{1, 7, len(want), 100} {
			ids := []string{}
			for _, round := range must(b.RecentRounds(background, n))(b) {
				ids = append(ids, round.ID)
				b.same("a recent round", round, must(b.Round(background, round.ID))(b))
			}
			b.same("recent rounds", ids, want[:min(n, len(want))])
		}
		b.same("none asked for", len(must(b.RecentRounds(background, 0))(b)), 0)
	}},
}

// oddGame is an embedder's game with rounds that have every kind of Value and Ratio.
type oddGame struct{ game.Game }

type oddPlan struct{ game.Plan }

func (g oddGame) Plan(config game.Value, wager money.Amount) (game.Plan, error) {
	plan, err := g.Game.Plan(config, wager)
	return oddPlan{plan}, err
}

func (g oddGame) Type() string  { return "odd" }
func (g oddGame) Rules() string { return "odd/1" }

func (oddPlan) MaxMultiplier() money.Ratio { return money.Ratio{Num: 2, Den: 1} }

func (oddPlan) Config() game.Value {
	return game.Object(
		game.Member{Name: "z first", Value: game.Dec(-250, 2)},
		game.Member{Name: "a", Value: game.Dec(math.MinInt64, 0)},
		game.Member{Name: "größe \"'\\\n\t</script>", Value: game.Text("naïve 🎲 \u2028 \x01 \"'\\")},
		game.Member{Name: "", Value: game.Dec(math.MaxInt64, 18)},
		game.Member{Name: "empty", Value: game.List(game.List(), game.Object(), game.Text(""))},
	)
}

func (oddPlan) Play(game.Draws) game.Result {
	return game.Result{
		Outcome: game.List(game.Bool(true), game.Bool(false), game.Dec(50, 1), game.Dec(5, 0), game.Dec(500, 2),
			game.Object(game.Member{Name: "deep", Value: game.List(game.List(game.List(game.Int(0))))})),
		Multiplier: money.Ratio{Num: math.MaxUint64, Den: math.MaxUint64 - 2},
	}
}

// archiveHolds finds the round among the blocks and checks its chain.
func (b *bench) archiveHolds(round bet.Round) {
	b.Helper()
	found := false
	err := b.Blocks(background, func(block ports.Block) error {
		for _, archived := range block.Rounds {
			if archived.ID == round.ID {
				found = true
				b.same("the archived round", withoutTheory(archived), round)
			}
		}
		return nil
	})
	b.errorIf(err != nil || !found, "found %v, %v", found, err)
	b.chained()
}

// table plays rounds of all players and returns them in the order played.
func (b *bench) table() []bet.Round {
	b.Helper()
	games := game.Standard()
	b.commit(b.loginAs(carol, b.now().UnixMilli(), "agent-7"))
	b.signIn(alice, 0)
	b.signIn(bob, 0)
	for _, w := range []wallet.Address{alice, bob, carol} {
		b.commit(b.credit(w, "sol"+string(w), money.SOL, 1_000_000))
		b.commit(b.credit(w, "usd"+string(w), usd, 1_000_000))
	}
	var all []bet.Round
	for i := range 25 {
		w := []wallet.Address{alice, bob, carol}[i%3]
		mint := []money.Token{money.SOL, usd}[i%2]
		rules := games[i%4]
		if i%7 == 3 {
			rules = brokenGame{rules}
		}
		b.clock.Advance(time.Hour)
		all = append(all, withoutTheory(*b.commit(b.playIn(w, mint, 10, rules)).Change.Round))
	}
	return all
}

func (b *bench) roundsOf(filter ports.RoundFilter) pageOf {
	return func(page ports.Page) ([]string, ports.PageInfo, error) {
		listed, err := b.Rounds(background, filter, page)
		return mapped(listed.Rounds, func(round bet.Round) string { return round.ID }), listed.PageInfo, err
	}
}

func idsOf(all []bet.Round, keep func(bet.Round) bool) []string {
	return chosen(all, func(thing bet.Round) string { return thing.ID }, keep)
}

// mixture plays rounds of all players on several days: own rounds, void rounds, and a provider's
// rounds with credits on another day, wins without a bet and wins that an admin approved.
func (b *bench) mixture() []bet.Round {
	b.Helper()
	b.table()
	b.grant(admin, "superadmin")
	b.commit(b.launch(alice, money.SOL, 3))
	b.commit(b.launch(carol, usd, 3))
	for i, w := range []wallet.Address{alice, carol, alice, carol} {
		txn := fmt.Sprint("t", i)
		b.asked(w, txn, seamless.Debit, "2", "")
		b.clock.Advance(7 * time.Hour)
		b.asked(w, txn, seamless.Credit, "", "3")
		b.asked(w, txn+" both", seamless.DebitCredit, "1", "0")
		b.asked(w, txn+" free", seamless.DebitCredit, "0", "1")
		b.asked(w, txn+" too much", seamless.Debit, "999999999", "")
		b.clock.Advance(25 * time.Hour) // too long after the debit: a credit without one
		b.asked(w, txn+" alone", seamless.Credit, "", "1")
		parked := *b.commit(b.callbackIn(w, txn+" parked", seamless.DebitCredit, "1", "9", player.ProviderCaps{})).Change.Seamless
		b.clock.Advance(9 * time.Hour)
		b.commit(b.settleReview(parked, admin, i%2 == 0))
	}
	return b.allRounds()
}

// allRounds reads every round, newest first.
func (b *bench) allRounds() []bet.Round {
	b.Helper()
	return allPages(b, ports.PageMax, func(page ports.Page) ([]bet.Round, ports.PageInfo, error) {
		found, err := b.Rounds(background, ports.RoundFilter{}, page)
		return found.Rounds, found.PageInfo, err
	})
}

var roundsCountedCases = []story{
	{"a total counts what the list has, under any filter", Rows, func(b *bench) {
		// Compare totals and pages with a complete list that is filtered here.
		all := b.mixture()
		withoutDebit := 0
		for _, r := range all {
			if r.Wager == 0 {
				withoutDebit++
			}
		}
		b.fatalIf(len(all) < 40 || withoutDebit < 6, "only %d rounds, %d without a bet", len(all), withoutDebit)
		draw := rand.New(rand.NewPCG(1, 2)) //nolint:gosec // a test's own order
		bounds := func() time.Time {
			at := all[draw.IntN(len(all))].At
			return pick(draw, time.Time{}, at, at.Add(max(b.TimeStep, time.Microsecond)),
				at.Truncate(24*time.Hour), at.Truncate(24*time.Hour).Add(48*time.Hour))
		}
		narrowed := 0
		for range 300 {
			f := ports.RoundFilter{
				GameType: pick(draw, "", "", "dice", "limbo", "fruits", "chess"), Token: pick(draw, "", "", money.SOL, usd),
				Agent: pick(draw, "", "", "house", "agent-7", "agent-8"), Wallet: pick(draw, "", "", "", alice, carol),
				From: bounds(), To: bounds(),
			}
			want := []string{}
			for _, r := range all {
				if asked(f.GameType, r.GameType) && asked(f.Token, r.Token) && asked(f.Agent, r.Agent) && asked(f.Wallet, r.Wallet) &&
					!r.At.Before(f.From) && (f.To.IsZero() || r.At.Before(f.To)) {
					want = append(want, r.ID)
				}
			}
			b.pageIs(draw, fmt.Sprintf("%+v", f), b.roundsOf(f), want)
			if len(want) > 0 && len(want) < len(all) {
				narrowed++
			}
		}
		b.errorIf(narrowed < 50, "only %d filters left some rounds and not all", narrowed)
	}},
	{"a total was correct at some moment while it was read", Races, func(b *bench) {
		// Read totals while others play.
		const clients, each = 4, 60
		wallets := []wallet.Address{alice, bob, carol, admin}
		for _, w := range wallets {
			b.signIn(w, 1_000_000)
		}
		b.clock.Set(b.clock.Now().Truncate(24 * time.Hour).Add(30 * time.Hour)) // in the middle of a day
		since := b.clock.Now().Add(-time.Hour)
		var begun, done atomic.Int64
		var playing sync.WaitGroup
		for _, w := range wallets {
			playing.Go(func() {
				for range each {
					item := b.play(w, 1)
					begun.Add(1)
					if _, err := b.Commit(background, item); err != nil {
						b.Error(err)
						return
					}
					done.Add(1)
				}
			})
		}
		for asked := 0; done.Load() < clients*each && !b.Failed() || asked < 3; asked++ {
			for _, f := range []ports.RoundFilter{{}, {GameType: "dice"}, {From: since}, {Agent: "house", To: since.Add(240 * time.Hour)}} {
				least := done.Load()
				_, info, err := b.roundsOf(f)(ports.Page{Number: 1, Limit: 1})
				if most := begun.Load(); err != nil || int64(info.Total) < least || int64(info.Total) > most {
					b.Errorf("%+v: the total is %d, there were %d to %d: %v", f, info.Total, least, most, err)
				}
			}
		}
		playing.Wait()
	}},
}

// pageIs reads a random page by number, and compares it and the total with the whole list.
func (b *bench) pageIs(draw *rand.Rand, what string, list func(ports.Page) ([]string, ports.PageInfo, error), want []string) {
	b.Helper()
	limit, number := 1+draw.IntN(8), 1+draw.IntN(3)
	ids, info, err := list(ports.Page{Number: number, Limit: limit})
	b.fatalIf(err != nil || info.Total != len(want) || info.Capped,
		"%s: the total is %d, capped %v, want %d: %v", what, info.Total, info.Capped, len(want), err)
	from := min((number-1)*limit, len(want))
	b.same(fmt.Sprintf("%s, page %d of %d", what, number, limit), ids, want[from:min(from+limit, len(want))])
}

func pick[T any](draw *rand.Rand, from ...T) T { return from[draw.IntN(len(from))] }
