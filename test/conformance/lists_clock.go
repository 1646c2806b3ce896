package conformance

import (
	"fmt"
	"time"

	"github.com/casino-service/casino/domain/seamless"
	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/ports"
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

func roundsOfAClockSetBack(b *bench) {
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
}

func transactionsOfAClockSetBack(b *bench) {
	b.setBack()
	var all []placed
	for _, line := range must(b.Transactions(background, ports.TransactionFilter{}, whole))(b).Transactions {
		all = append(all, placed{line.ID, line.CreatedAt})
	}
	b.spans("lines", all, func(from, to time.Time) pageOf { return b.linesOf(ports.TransactionFilter{From: from, To: to}) })
}
