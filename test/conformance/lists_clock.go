package conformance

import (
	"fmt"
	"slices"
	"time"

	"github.com/casino-service/casino/domain/bet"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/seamless"
	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/ports"
	"github.com/casino-service/casino/test/fakes"
)

// setBack plays, wins at a provider and gets adjustments on a clock that is set back
// again and again, by seconds while ids count on and by up to more than a day.
func (b *bench) setBack() {
	b.Helper()
	b.grant(admin, "superadmin")
	for _, w := range []wallet.Address{alice, bob} {
		b.guest(w, 1_000_000)
	}
	for i, back := range []time.Duration{0, 3 * time.Second, 20 * time.Second, 2 * time.Hour, 0, 9 * time.Second, 30 * time.Hour, 0, 5 * time.Minute, 0} {
		for n := range 4 {
			if n == 2 {
				b.clock.Set(b.clock.Now().Add(-back))
			}
			for _, w := range []wallet.Address{alice, bob} {
				b.commit(b.play(w, 1))
				b.commit(b.adjust(w, 1))
			}
			b.asked(alice, fmt.Sprint("bet ", i, n), seamless.DebitCredit, "1", "0")
			b.asked(alice, fmt.Sprint("win ", i, n), seamless.DebitCredit, "0", "1") // without a bet
			b.clock.Advance([]time.Duration{300 * time.Millisecond, time.Second, 3 * time.Hour, 7 * time.Hour}[n])
		}
	}
}

// placed is a thing of a list with its moment.
type placed struct {
	id string
	at time.Time
}

// spans reads lists of every span between some of the moments, and compares them with
// the whole list, newest first.
func (b *bench) spans(what string, all []placed, list func(from, to time.Time) pageOf) {
	b.Helper()
	backwards := 0
	for i := range all[1:] {
		if all[i].at.Before(all[i+1].at) {
			backwards++
		}
	}
	if backwards < 3 {
		b.Fatalf("%s: the clock was set back only %d times", what, backwards)
	}
	step := max(b.TimeStep, time.Microsecond)
	var bounds []time.Time
	for i := 0; i < len(all); i += 1 + len(all)/6 {
		bounds = append(bounds, all[i].at, all[i].at.Add(step), all[i].at.Truncate(24*time.Hour))
	}
	for _, from := range append(bounds, time.Time{}) {
		for _, to := range append(bounds, time.Time{}) {
			want := []string{}
			for _, thing := range all {
				if !thing.at.Before(from) && (to.IsZero() || thing.at.Before(to)) {
					want = append(want, thing.id)
				}
			}
			ids, info, err := list(from, to)(ports.Page{Number: 1, Limit: ports.PageMax})
			if err != nil || info.Total != len(want) {
				b.Fatalf("%s from %s to %s: %d, want %d: %v", what, from, to, info.Total, len(want), err)
			}
			b.same(fmt.Sprintf("%s from %s to %s", what, from, to), ids, want[:min(len(want), ports.PageMax)])
		}
	}
}

var listsClockCases2 = []story{
	{"a list of a span of time is complete, although the clock was set back", Rows, func(b *bench) {
		b.setBack()
		var all []placed
		for page := (ports.Page{Limit: ports.PageMax, Number: 1, Uncounted: true}); ; {
			found := must(b.Rounds(background, ports.RoundFilter{}, page))(b)
			for _, r := range found.Rounds {
				all = append(all, placed{r.ID, r.At})
			}
			if page.After = found.Next; page.After == "" {
				break
			}
		}
		b.spans("rounds", all, func(from, to time.Time) pageOf { return b.roundsOf(ports.RoundFilter{From: from, To: to}) })
		b.sound()
	}},
	{"a round that was open for long is of the moment at which it ended", Rows, func(b *bench) {
		all := b.openForLong()
		step := max(b.TimeStep, time.Microsecond)
		for i, first := range all {
			later := all[min(i+1+i%5, len(all)-1)].At
			filters := []ports.RoundFilter{
				{}, {Wallet: first.Wallet}, {GameType: first.GameType}, {Token: first.Token}, {Agent: first.Agent},
				{Wallet: first.Wallet, GameType: first.GameType, Token: first.Token, Agent: first.Agent},
			}
			for n, f := range filters {
				for _, f.From = range []time.Time{first.At, first.At.Add(step)} {
					f.To = []time.Time{{}, later, all[len(all)-1].At}[(i+n)%3]
					want := idsOf(all, func(r bet.Round) bool {
						return !r.At.Before(f.From) && (f.To.IsZero() || r.At.Before(f.To)) && (f.Wallet == "" || r.Wallet == f.Wallet) &&
							(f.GameType == "" || r.GameType == f.GameType) && (f.Token == "" || r.Token == f.Token) && (f.Agent == "" || r.Agent == f.Agent)
					})
					if what := fmt.Sprintf("%+v", f); i%3 == 0 && n == i%len(filters) {
						b.lists(what, want, b.roundsOf(f))
					} else {
						ids, info, err := b.roundsOf(f)(whole)
						b.same(what, ids, want)
						b.same(what, info.Total, len(want))
						b.same(what, err, nil)
					}
				}
			}
		}
		b.sound()
	}},
}

var listsClockCases3 = []story{
	{"a list of a span of time is complete, although the clock was set back", Rows, func(b *bench) {
		b.setBack()
		var all []placed
		for _, line := range must(b.Transactions(background, ports.TransactionFilter{}, whole))(b).Transactions {
			all = append(all, placed{line.ID, line.CreatedAt})
		}
		b.spans("lines", all, func(from, to time.Time) pageOf { return b.linesOf(ports.TransactionFilter{From: from, To: to}) })
	}},
}

// openForLong plays rounds step by step that are open for half a minute to eighty days,
// bets among them, and returns the rounds in the order in which they ended.
func (b *bench) openForLong() (ended []bet.Round) {
	b.Helper()
	b.commit(b.loginAs(carol, b.now().UnixMilli(), "agent-7"))
	b.signIn(alice, 0)
	b.signIn(bob, 0)
	who := []wallet.Address{alice, bob, carol}
	for _, w := range who {
		for _, mint := range []money.Token{money.SOL, usd} {
			b.commit(b.credit(w, string(w+"/")+string(mint), mint, 100_000))
		}
	}
	var open []bet.Open
	for i := range 9 {
		mint := []money.Token{money.SOL, usd}[i/3%2]
		open = append(open, b.commit(b.opensIn(who[i%3], mint, 10, ladderWith(), money.TotalOf(money.Max))).Change.Steps[0])
		b.clock.Advance(time.Second)
	}
	ages := []time.Duration{
		30 * time.Second, time.Minute + time.Second, 9 * time.Minute, 12 * time.Minute, 3 * time.Hour, 20 * time.Hour, 8 * 24 * time.Hour,
		30 * 24 * time.Hour, 80 * 24 * time.Hour,
	}
	for i, age := range ages {
		b.clock.Set(open[i].OpenedAt.Add(age))
		ended = append(ended, withoutTheory(*b.commit(b.steps(open[i], fakes.CashOut)).Change.Round))
		ended = append(ended, withoutTheory(*b.commit(b.playIn(who[i%3], money.SOL, 10, b.dice)).Change.Round))
	}
	return ended
}

var listsClockCases = []story{
	{"a round goes on although the clock was set back", Logic, func(b *bench) {
		b.signIn(alice, 10_000)
		open, other := b.opened(alice, 100, doubles), b.opened(alice, 100)
		b.clock.Set(open.OpenedAt.Add(-3 * time.Hour))
		again := b.commit(b.steps(open, fakes.Double)).Change.Steps[0]
		b.same("touched", again.TouchedAt, open.TouchedAt)
		for _, open := range []bet.Open{again, other} {
			round := *b.commit(b.steps(open, fakes.CashOut)).Change.Round
			b.same("ended", round.At, open.TouchedAt)
			ids, _, err := b.roundsOf(ports.RoundFilter{From: round.At, To: round.At.Add(time.Second)})(whole)
			if err != nil || !slices.Contains(ids, round.ID) {
				b.Errorf("of that moment are %v, %v", ids, err)
			}
		}
		b.sound()
	}},
}
