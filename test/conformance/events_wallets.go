package conformance

import (
	"fmt"
	"slices"
	"time"

	"github.com/casino-service/casino/domain/audit"
	"github.com/casino-service/casino/domain/player"
	"github.com/casino-service/casino/domain/stream"
	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/test/fakes"
)

// those are the events that a filter leaves in.
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
		id = id[:len(id)-12] + "ffffffffffff" // what was lived may have taken the ids of this moment
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
		if b.Durable { // what is remembered and what is read are the same
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
