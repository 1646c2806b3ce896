package conformance

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/casino-service/casino/domain/bet"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/seamless"
	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/ports"
	"github.com/casino-service/casino/test/fakes"
)

// pageOf is any list of a port, as ids.
type pageOf func(page ports.Page) (ids []string, info ports.PageInfo, err error)

// lists checks the rules of every list on one: want is all of its ids, newest first.
func (b *bench) lists(what string, want []string, list pageOf) {
	b.Helper()
	if !slices.IsSortedFunc(want, func(x, y string) int { return -compareText(x, y) }) {
		b.Fatalf("%s: the story expects a list that isn't newest first: %v", what, want)
	}
	ask := func(page ports.Page) ([]string, ports.PageInfo) {
		b.Helper()
		ids, info, err := list(page)
		b.fatalIf(err != nil, "%s, page %+v: %v", what, page, err)
		b.fatalIf(info.Total != len(want) || info.Capped,
			"%s, page %+v: the total is %d, capped %v, want %d", what, page, info.Total, info.Capped, len(want))
		return ids, info
	}
	for _, limit := range []int{1, 3, len(want), ports.PageMax} {
		if limit == 0 {
			continue
		}
		for number := 1; number <= len(want)/limit+2; number++ {
			from := min((number-1)*limit, len(want))
			to := min(from+limit, len(want))
			ids, info := ask(ports.Page{Number: number, Limit: limit})
			b.same(fmt.Sprintf("%s, page %d of %d", what, number, limit), ids, want[from:to])
			next := ""
			if to < len(want) {
				next = want[to-1]
			}
			b.same(fmt.Sprintf("%s, cursor after page %d of %d", what, number, limit), info.Next, next)
		}
		var walked []string
		for page := (ports.Page{Number: 1, Limit: limit}); ; {
			ids, info := ask(page)
			walked = append(walked, ids...)
			if page.After = info.Next; page.After == "" || len(walked) > len(want) {
				break
			}
			page.Number = 7 // ignored with a cursor
		}
		b.same(fmt.Sprintf("%s, walked by %d", what, limit), walked, want)
	}
	for _, page := range []ports.Page{
		{Number: ports.TotalMax + 1, Limit: 1}, {Number: ports.TotalMax/ports.PageMax + 1, Limit: ports.PageMax},
		{Number: 1 << 40, Limit: ports.PageMax},
	} {
		if ids, info := ask(page); len(ids) != 0 || info.Next != "" {
			b.Errorf("%s: page %+v beyond the end has %v, next %q", what, page, ids, info.Next)
		}
	}
	b.uncountedEnds(what, list)
	if len(want) > 0 {
		if ids, info := ask(ports.Page{Limit: 5, After: want[len(want)-1]}); len(ids) != 0 || info.Next != "" {
			b.Errorf("%s: after the oldest come %v, next %q", what, ids, info.Next)
		}
		between := want[0][:len(want[0])-1] + string(want[0][len(want[0])-1]-1) + "~" // an unused id, just below the newest
		if ids, _ := ask(ports.Page{Limit: ports.PageMax, After: between}); len(want) <= ports.PageMax {
			b.same(what+", after an id that isn't there", ids, below(want, between))
		}
	}
}

func compareText(x, y string) int {
	switch {
	case x < y:
		return -1
	case x > y:
		return 1
	}
	return 0
}

func below(all []string, id string) []string {
	return slices.DeleteFunc(slices.Clone(all), func(other string) bool { return other >= id })
}

// cappedAt checks the rules of a list that is longer than TotalMax.
func (b *bench) cappedAt(what string, want []string, list pageOf) {
	b.Helper()
	b.fatalIf(len(want) <= ports.TotalMax+ports.PageMax, "%s: a list of %d isn't long enough", what, len(want))
	for _, row := range []struct {
		page     ports.Page
		from, to int
	}{
		{ports.Page{Number: 1, Limit: ports.PageMax}, 0, ports.PageMax},
		{ports.Page{Number: ports.TotalMax / ports.PageMax, Limit: ports.PageMax}, ports.TotalMax - ports.PageMax, ports.TotalMax},
		{ports.Page{Number: (ports.TotalMax-1)/30 + 1, Limit: 30}, (ports.TotalMax - 1) / 30 * 30, (ports.TotalMax-1)/30*30 + 30}, // begins within
		{ports.Page{Limit: ports.PageMax, After: want[ports.TotalMax-1]}, ports.TotalMax, ports.TotalMax + ports.PageMax},
	} {
		ids, info, err := list(row.page)
		b.ok(err)
		b.errorIf(info.Total != ports.TotalMax || !info.Capped,
			"%s, page %+v: total %d, capped %v", what, row.page, info.Total, info.Capped)
		b.same(fmt.Sprintf("%s, page %+v", what, row.page), ids, want[row.from:row.to])
		b.same(fmt.Sprintf("%s, cursor after page %+v", what, row.page), info.Next, want[row.to-1])
	}
	for _, page := range []ports.Page{
		{Number: ports.TotalMax/ports.PageMax + 1, Limit: ports.PageMax}, {Number: ports.TotalMax + 1, Limit: 1}, {Number: 1 << 40, Limit: 7},
	} {
		b.goesOnByCursor(what, page, list)
	}
	b.uncountedEnds(what, list)
}

// uncountedEnds requests a page beyond TotalMax of a shorter list.
func (b *bench) uncountedEnds(what string, list pageOf) {
	b.Helper()
	b.goesOnByCursor(what, ports.Page{Number: ports.TotalMax + 1, Limit: 1, Uncounted: true}, list)
}

// goesOnByCursor checks that a page is refused for its number, and that the refusal has the
// cursor.
func (b *bench) goesOnByCursor(what string, page ports.Page, list pageOf) {
	b.Helper()
	ids, _, err := list(page)
	var refusal *fault.Error
	if !errors.As(err, &refusal) || refusal.Kind != fault.Invalid || refusal.Details["field"] != "page" ||
		!strings.Contains(refusal.Message, "nextCursor") || len(ids) > 0 {
		b.Errorf("%s, page %+v: %v, %v", what, page, ids, err)
	}
}

// allPages reads a whole list by its cursors, without counting it.
func allPages[T any](b *bench, limit int, read func(ports.Page) ([]T, ports.PageInfo, error)) (all []T) {
	b.Helper()
	for page := (ports.Page{Limit: limit, Number: 1, Uncounted: true}); ; {
		some, info, err := read(page)
		b.ok(err)
		b.errorIf(info.Total != 0 || info.Capped, "an uncounted page has total %d", info.Total)
		all = append(all, some...)
		if page.After = info.Next; page.After == "" {
			return all
		}
	}
}

// walkAfter reads a list in parts of n, each after the last id of the previous one.
func walkAfter[T any](b *bench, limit int, id func(T) string, read func(after string) ([]T, error)) []T {
	b.Helper()
	walked, after := []T{}, ""
	for {
		some, err := read(after)
		b.ok(err)
		if len(some) == 0 {
			return walked
		}
		b.fatalIf(len(some) > limit, "%d came, at most %d were asked for", len(some), limit)
		walked, after = append(walked, some...), id(some[len(some)-1])
	}
}

// chosen returns the ids of the kept values, newest first.
func chosen[T any](all []T, id func(T) string, keep func(T) bool) []string {
	ids := []string{}
	for _, thing := range all {
		if keep(thing) {
			ids = append(ids, id(thing))
		}
	}
	return newest(ids)
}

// newest sorts the ids, newest first.
func newest(ids []string) []string {
	sorted := slices.Sorted(slices.Values(ids))
	slices.Reverse(sorted)
	return sorted
}

// setBack plays, wins at a provider and makes adjustments on a clock that is repeatedly set back,
// by seconds while ids continue and by up to more than a day.
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

// placed is a value of a list with its time.
type placed struct {
	id string
	at time.Time
}

// spans reads lists of every period between some of the times, and compares them with the whole
// list, newest first.
func (b *bench) spans(what string, all []placed, list func(from, to time.Time) pageOf) {
	b.Helper()
	backwards := 0
	for i := range all[1:] {
		if all[i].at.Before(all[i+1].at) {
			backwards++
		}
	}
	b.fatalIf(backwards < 3, "%s: the clock was set back only %d times", what, backwards)
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
			b.fatalIf(err != nil || info.Total != len(want),
				"%s from %s to %s: %d, want %d: %v", what, from, to, info.Total, len(want), err)
			b.same(fmt.Sprintf("%s from %s to %s", what, from, to), ids, want[:min(len(want), ports.PageMax)])
		}
	}
}

var clockedRoundsCases = []story{
	{"a list of a span of time is complete, although the clock was set back", Rows, func(b *bench) {
		b.setBack()
		var all []placed
		for _, r := range b.allRounds() {
			all = append(all, placed{r.ID, r.At})
		}
		b.spans("rounds", all, func(from, to time.Time) pageOf { return b.roundsOf(ports.RoundFilter{From: from, To: to}) })
		b.sound()
	}},
	{"a round that was open for long is of the moment at which it ended", Rows, func(b *bench) {
		all := b.openForLong()
		step := max(b.TimeStep, time.Microsecond)
		for i := 0; i < len(all); i += 2 { // those that were open for long
			first := all[i]
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

var clockedTransactionsCases = []story{
	{"a list of a span of time is complete, although the clock was set back", Rows, func(b *bench) {
		b.setBack()
		var all []placed
		for _, line := range must(b.Transactions(background, ports.TransactionFilter{}, whole))(b).Transactions {
			all = append(all, placed{line.ID, line.CreatedAt})
		}
		b.spans("lines", all, func(from, to time.Time) pageOf { return b.linesOf(ports.TransactionFilter{From: from, To: to}) })
	}},
}

// openForLong plays rounds step by step that are open for half a minute to eighty days, with bets
// between, and returns the rounds in the order in which they ended.
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

var clockedStepsCases = []story{
	{"a round continues after the clock was set back", Logic, func(b *bench) {
		b.signIn(alice, 10_000)
		open, other := b.opened(alice, 100, doubles), b.opened(alice, 100)
		b.clock.Set(open.OpenedAt.Add(-3 * time.Hour))
		again := b.commit(b.steps(open, fakes.Double)).Change.Steps[0]
		b.same("touched", again.TouchedAt, open.TouchedAt)
		for _, open := range []bet.Open{again, other} {
			round := *b.commit(b.steps(open, fakes.CashOut)).Change.Round
			b.same("ended", round.At, open.TouchedAt)
			ids, _, err := b.roundsOf(ports.RoundFilter{From: round.At, To: round.At.Add(time.Second)})(whole)
			b.errorIf(err != nil || !slices.Contains(ids, round.ID), "of that moment are %v, %v", ids, err)
		}
		b.sound()
	}},
}
