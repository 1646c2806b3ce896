package conformance

import (
	"context"
	"fmt"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"github.com/casino-service/casino/domain/audit"
	"github.com/casino-service/casino/domain/bet"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/player"
	"github.com/casino-service/casino/domain/stream"
	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/ports"
	"github.com/casino-service/casino/test/fakes"
)

// Events is the suite of ports.Events.
func Events(t *testing.T, newStore func(t *testing.T) Store, shows ...Fault) {
	run(t, newStore, shows, eventsCases, eventsWalletsCases, eventsRestoresCases)
}

var eventsCases = []story{
	{"reading on from each page gives every event once, in the same order, for any page limit", Rows, func(b *bench) {
		rounds := b.eventful()
		whole, end := b.heard(stream.Cursor{}, everyEvent, everything)
		got := settled(whole)
		b.errorIf(!sameSet(got, rounds), "rounds %v were settled, %v were heard", rounds, got)
		for limit := 1; limit <= 7; limit++ {
			all, at := b.heard(stream.Cursor{}, everyEvent, limit)
			b.same(fmt.Sprintf("in pages of %d", limit), described(all), described(whole))
			b.same("the place after them", at.String(), end.String())
		}
		again, _ := b.heard(end, everyEvent, 5)
		b.errorIf(len(again) > 0, "after everything %d events are heard", len(again))
	}},
	{"an event's cursor is the place after it, for any earlier filter", Logic, func(b *bench) {
		b.eventful()
		filters := []stream.Filter{{}, {Wallet: alice}, {Wallet: bob, Types: []stream.Type{stream.RoundSettled}}, {Types: []stream.Type{stream.RoundSettled}}}
		for _, before := range filters {
			heard, _ := b.heard(stream.Cursor{}, before, 4)
			for _, then := range filters {
				whole, _ := b.heard(stream.Cursor{}, then, everything)
				for i := 0; i < len(heard); i += 5 {
					from := must(stream.ParseCursor(heard[i].Cursor.String()))(b)
					rest, _ := b.heard(from, then, everything)
					b.continues(whole, rest, heard[:i+1])
				}
			}
		}
	}},
	{"a wallet's events come as they happened to it", Logic, func(b *bench) {
		b.eventful()
		for _, f := range []stream.Filter{{}, {Wallet: alice}, {Wallet: bob}} {
			for _, limit := range []int{3, everything} {
				all, _ := b.heard(stream.Cursor{}, f, limit)
				newest := map[wallet.Address]stream.Order{}
				played := map[wallet.Address]map[string]int64{alice: {}, bob: {}}
				for _, e := range all {
					if before := newest[e.Wallet]; e.Wallet != "" && e.Order.String() <= before.String() {
						b.Errorf("%s of %s comes after %v", e.ID, e.Wallet, before)
					}
					newest[e.Wallet] = e.Order
					if e.Type != stream.RoundSettled {
						continue
					}
					r := b.roundOf(e)
					next := played[r.Wallet][r.PairID]
					b.errorIf(r.Nonce != next, "nonce %d is heard, %d comes next", r.Nonce, next)
					played[r.Wallet][r.PairID] = r.Nonce + 1
					b.errorIf(e.Wallet != r.Wallet || !e.At.Equal(r.At), "%+v is about %+v", e, r)
				}
				b.errorIf(f.Wallet == "" && (len(played[alice]) != 2 || len(played[bob]) != 1),
					"rounds of pairs %v were heard", played)
			}
		}
	}},
	{"events have ids of their own that stay", Logic, func(b *bench) {
		b.eventful()
		before, end := b.heard(stream.Cursor{}, everyEvent, 5)
		seen := map[string]bool{}
		for _, e := range before {
			b.errorIf(e.ID == "" || seen[e.ID], "two events have the id %q", e.ID)
			seen[e.ID] = true
		}
		b.commit(b.play(alice, 10))
		after, _ := b.heard(stream.Cursor{}, everyEvent, 3)
		b.same("read again", described(after[:len(before)]), described(before))
		later, _ := b.heard(end, everyEvent, 1)
		b.same("what came since", described(later), described(after[len(before):]))
		for _, e := range later {
			b.errorIf(seen[e.ID], "%s is an id of two events", e.ID)
		}
	}},
	{"a filter by type leaves out the others, and nothing else", Rows, func(b *bench) {
		rounds := b.eventful()
		whole, end := b.heard(stream.Cursor{}, everyEvent, everything)
		for _, limit := range []int{1, 2, 5, everything} {
			f := stream.Filter{Types: []stream.Type{stream.RoundSettled}}
			all, at := b.heard(stream.Cursor{}, f, limit)
			b.same("rounds", described(all), described(those(whole, f)))
			b.same("the place after them", at.String(), end.String())
			b.errorIf(!sameSet(settled(all), rounds), "%d rounds were heard, %d were played", len(all), len(rounds))
			f = stream.Filter{Types: []stream.Type{"none"}}
			if all, at = b.heard(stream.Cursor{}, f, limit); len(all) > 0 || at.String() != end.String() {
				b.Errorf("of no type %d events are heard, up to %v", len(all), at)
			}
		}
	}},
	{"what comes between two pages is in the later ones, while others play", Races, func(b *bench) {
		b.signIn(alice, 100_000)
		b.signIn(bob, 100_000)
		var open atomic.Int32
		open.Store(3)
		heard := map[string][]stream.Event{}
		end := map[string]stream.Cursor{}
		filters := map[string]stream.Filter{"everything": {}, "alice": {Wallet: alice}, "rounds": {Types: []stream.Type{stream.RoundSettled}}}
		atOnce(4, func(i int) {
			if i < 3 {
				defer open.Add(-1)
				for range 12 {
					b.check(errorOf(b.Commit(background, b.play([]wallet.Address{alice, bob, alice}[i], 1))))
					if i == 1 {
						b.grant(other, "support")
					}
				}
				return
			}
			for last := false; !last; {
				last = open.Load() == 0
				for name, f := range filters {
					for more := true; more; {
						page, err := b.After(background, end[name], f, 3)
						if err != nil {
							b.Error(err)
							return
						}
						heard[name], end[name], more = append(heard[name], page.Events...), page.Next, page.More
					}
				}
			}
		})
		for name, f := range filters {
			rest, _ := b.heard(end[name], f, 3)
			whole, _ := b.heard(stream.Cursor{}, f, everything)
			got, want := append(heard[name], rest...), whole
			b.errorIf(!sameSet(described(got), described(want)),
				"%s: %d events were heard, there are %d", name, len(got), len(want))
			newest := map[wallet.Address]string{}
			for _, e := range got {
				b.errorIf(e.Wallet != "" && e.Order.String() <= newest[e.Wallet],
					"%s: %s of %s is out of its order", name, e.ID, e.Wallet)
				newest[e.Wallet] = e.Order.String()
			}
		}
	}},
	{"the newest place is after everything, and before what comes", Rows, func(b *bench) {
		b.same("of nothing", must(b.Newest(background))(b).String(), "")
		b.eventful()
		_, end := b.heard(stream.Cursor{}, everyEvent, everything)
		newest := must(b.Newest(background))(b)
		b.same("newest", newest.String(), end.String())
		id := b.commit(b.play(bob, 10)).Change.Round.ID
		rest, _ := b.heard(newest, everyEvent, 2)
		b.same("what came", settled(rest), []string{id})
	}},
	{"a limit below 1 is refused", Logic, func(b *bench) {
		for _, limit := range []int{0, -1} {
			b.fails(fault.Invalid, errorOf(b.After(background, stream.Cursor{}, everyEvent, limit)), "a limit of ", limit)
		}
		ended, end := context.WithCancel(background)
		end()
		page, err := b.After(ended, stream.Cursor{}, everyEvent, 1)
		b.errorIf(err != nil && len(page.Events) > 0, "%v, with %d events", err, len(page.Events))
	}},
}

// everyEvent is a filter that matches every event.
var everyEvent = stream.Filter{}

// heard reads pages from a cursor to the end, and checks each page.
func (b *bench) heard(from stream.Cursor, f stream.Filter, limit int) (all []stream.Event, end stream.Cursor) {
	b.Helper()
	for end = from; ; {
		page := must(b.After(background, end, f, limit))(b)
		b.fatalIf(len(page.Events) > limit, "%d events in a page of %d", len(page.Events), limit)
		for i := range page.Events {
			e := &page.Events[i]
			b.errorIf(!f.Keeps(e), "%s of %q was not asked for", e.Type, e.Wallet)
		}
		b.fatalIf(page.More && page.Next.String() == end.String(), "a page that has more leads nowhere")
		all, end = append(all, page.Events...), page.Next
		if !page.More {
			return all, end
		}
	}
}

// described returns the events as text, with all fields except the cursors, which depend on where
// the reading began.
func described(all []stream.Event) []string {
	lines := make([]string, len(all))
	for i, e := range all {
		e.Cursor = stream.Cursor{}
		lines[i] = fmt.Sprintf("%+v %+v", e, e.Data)
	}
	return lines
}

// eventful plays and makes admins' changes, in every lane, and returns the rounds.
func (b *bench) eventful() (rounds []string) {
	b.Helper()
	b.signIn(alice, 100_000)
	b.signIn(bob, 100_000)
	b.grant(admin, "support")
	var played [2][]string
	atOnce(6, func(i int) {
		w := []wallet.Address{alice, bob}[i%2]
		for n := range 6 {
			receipt, err := b.Commit(background, b.play(w, 10))
			if err != nil {
				b.Error(err)
				return
			}
			if i < 2 {
				played[i] = append(played[i], receipt.Change.Round.ID)
			}
			if i == 5 && n%2 == 0 {
				b.grant(other, []string{"support", "finance"}[n/2%2])
			}
		}
	})
	b.commit(b.rotate(alice, "mine"))
	b.commit(b.withdraw(bob, 700))
	b.commit(b.play(alice, 20))
	err := b.Archive(func(block ports.Block) {
		for _, r := range block.Rounds {
			rounds = append(rounds, r.ID)
		}
	})
	b.fatalIf(err != nil || len(rounds) != 37, "%d rounds are stored: %v", len(rounds), err)
	return rounds
}

// Archive visits every block.
func (b *bench) Archive(visit func(ports.Block)) error {
	return b.Blocks(background, func(block ports.Block) error {
		visit(block)
		return nil
	})
}

// settled returns the rounds that were settled, by events.
func settled(all []stream.Event) (ids []string) {
	for _, e := range all {
		if e.Type == stream.RoundSettled {
			ids = append(ids, e.Subject)
		}
	}
	return ids
}

func sameSet(a, b []string) bool {
	return slices.Equal(slices.Sorted(slices.Values(a)), slices.Sorted(slices.Values(b)))
}

// continues checks the events after an event's cursor: all later events are read, and no earlier
// ones again.
func (b *bench) continues(whole, rest, before []stream.Event) {
	b.Helper()
	ids := map[string]bool{}
	for _, e := range rest {
		b.errorIf(ids[e.ID], "%s is heard twice", e.ID)
		ids[e.ID] = true
	}
	last := before[len(before)-1]
	for _, e := range whole {
		was := slices.ContainsFunc(before, func(o stream.Event) bool { return o.ID == e.ID })
		// An earlier event that the first filter left out may be read or not.
		if after := e.Order.String() > last.Order.String(); was && ids[e.ID] || after && !ids[e.ID] {
			b.Errorf("after %s: %s is heard: %v, was heard before: %v", last.ID, e.ID, ids[e.ID], was)
		}
	}
}

// roundOf reads the round that an event is about.
func (b *bench) roundOf(e stream.Event) bet.Round {
	b.Helper()
	return must(b.Round(background, e.Subject))(b)
}

// those returns the events that match a filter.
func those(all []stream.Event, f stream.Filter) []stream.Event {
	return slices.DeleteFunc(slices.Clone(all), func(e stream.Event) bool { return !f.Keeps(&e) })
}

var eventsWalletsCases = []story{
	{"a filter by wallet leaves out what concerns others, and nothing else", Rows, func(b *bench) {
		b.eventful()
		whole, end := b.heard(stream.Cursor{}, everyEvent, everything)
		for _, w := range []wallet.Address{alice, bob, carol} {
			f := stream.Filter{Wallet: w}
			for _, limit := range []int{1, 2, 3, 4, 5, 6, 7, everything} {
				own, at := b.heard(stream.Cursor{}, f, limit)
				b.same(fmt.Sprintf("of %s in pages of %d", w, limit), described(own), described(those(whole, f)))
				b.same("the place after them", at.String(), end.String())
			}
		}
		b.commit(b.play(bob, 10))
		rest, _ := b.heard(end, stream.Filter{Wallet: bob}, 1)
		b.same("bob played one round and hears", len(settled(rest)), 1)
		if rest, _ = b.heard(end, stream.Filter{Wallet: alice}, 1); len(rest) > 0 {
			b.Errorf("bob played, and alice hears %v", described(rest))
		}
	}},
	{"a filter by wallet leaves in all that can happen to one", Rows, func(b *bench) {
		b.lived()
		whole, end := b.heard(stream.Cursor{}, everyEvent, everything)
		for _, w := range []wallet.Address{alice, bob, carol} {
			f := stream.Filter{Wallet: w}
			for _, limit := range []int{2, everything} {
				own, at := b.heard(stream.Cursor{}, f, limit)
				b.same(fmt.Sprintf("of %s in pages of %d", w, limit), described(own), described(those(whole, f)))
				b.same("the place after them", at.String(), end.String())
			}
		}
		item, id := b.play(alice, 10), b.id()
		id = id[:len(id)-12] + "ffffffffffff" // the story may have used the ids of this time
		decide := item.Decide
		item.Decide = func(v player.View) (player.Change, error) {
			c, err := decide(v)
			if err == nil {
				c.Audit = append(c.Audit, audit.Record{ID: id, Action: audit.LargeWin, Target: c.Round.ID, At: c.Round.At})
			}
			return c, err
		}
		b.commit(item)
		whole, _ = b.heard(stream.Cursor{}, everyEvent, everything)
		if !slices.ContainsFunc(whole, func(e stream.Event) bool { return e.Type == stream.WinLarge }) {
			b.Errorf("the win isn't among %d events", len(whole))
		}
		if b.Durable { // cached and stored events are the same
			b.reopen()
			read, _ := b.heard(stream.Cursor{}, everyEvent, everything)
			b.same("after opening again", described(read), described(whole))
		}
	}},
	{"a round that was opened long ago is heard when it ends", Rows, func(b *bench) {
		b.signIn(alice, 100_000)
		open := b.opened(alice, 100)
		end := must(b.Newest(background))(b)
		b.clock.Advance(20 * 24 * time.Hour)
		played := b.commit(b.play(alice, 10)).Change.Round.ID
		b.commit(b.steps(open, fakes.CashOut))
		for _, f := range []stream.Filter{{}, {Wallet: alice}} {
			all, _ := b.heard(end, f, 2)
			b.same("rounds", settled(all), []string{played, open.ID})
		}
	}},
}
