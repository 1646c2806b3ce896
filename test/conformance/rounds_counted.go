package conformance

import (
	"fmt"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"time"

	"github.com/casino-service/casino/domain/bet"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/player"
	"github.com/casino-service/casino/domain/seamless"
	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/ports"
)

// mixture is rounds of everybody over several days: own ones, void ones, and those
// of a provider with credits of another day, wins without a bet and wins that an
// admin approved.
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
	var all []bet.Round
	for page := (ports.Page{Limit: ports.PageMax, Number: 1, Uncounted: true}); ; {
		found := must(b.Rounds(background, ports.RoundFilter{}, page))(b)
		all = append(all, found.Rounds...)
		if page.After = found.Next; page.After == "" {
			return all
		}
	}
}

var roundsCountedCases = []story{
	{"a total counts what the list has, under any filter", Rows, func(b *bench) {
		// Compares totals and pages with a list of everything that is filtered here.
		all := b.mixture()
		withoutDebit := 0
		for _, r := range all {
			if r.Wager == 0 {
				withoutDebit++
			}
		}
		if len(all) < 40 || withoutDebit < 6 {
			b.Fatalf("only %d rounds, %d without a bet", len(all), withoutDebit)
		}
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
		if narrowed < 50 {
			b.Errorf("only %d filters left some rounds and not all", narrowed)
		}
	}},
	{"a total was correct at some moment while it was read", Races, func(b *bench) {
		// Reads totals while others play.
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

// pageIs asks for a page by number, at random, and holds it and the total against the
// whole list.
func (b *bench) pageIs(draw *rand.Rand, what string, list func(ports.Page) ([]string, ports.PageInfo, error), want []string) {
	b.Helper()
	limit, number := 1+draw.IntN(8), 1+draw.IntN(3)
	ids, info, err := list(ports.Page{Number: number, Limit: limit})
	if err != nil || info.Total != len(want) || info.Capped {
		b.Fatalf("%s: the total is %d, capped %v, want %d: %v", what, info.Total, info.Capped, len(want), err)
	}
	from := min((number-1)*limit, len(want))
	b.same(fmt.Sprintf("%s, page %d of %d", what, number, limit), ids, want[from:min(from+limit, len(want))])
}

func pick[T any](draw *rand.Rand, from ...T) T { return from[draw.IntN(len(from))] }
