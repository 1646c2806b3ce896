package conformance

import (
	"slices"
	"time"

	"github.com/casino-service/casino/domain/audit"
	"github.com/casino-service/casino/domain/control"
	"github.com/casino-service/casino/domain/hashchain"
	"github.com/casino-service/casino/domain/stream"
	"github.com/casino-service/casino/ports"
)

// taken returns a cursor with missing blocks: a number of blocks after the place, in its lane.
func taken(at stream.Cursor, lane int, further int64) stream.Cursor {
	mark := at.Mark(lane)
	return at.With(stream.MarkOf(hashchain.Head{Lane: lane, Seq: mark.Seq + further, Hash: hashchain.Hash{1, 2, 3}}))
}

var eventsRestoresCases = []story{
	{"a cursor of blocks that aren't there hears once that the ledger was restored, and then the later epochs", Rows, func(b *bench) {
		b.eventful()
		_, end := b.heard(stream.Cursor{}, everyEvent, everything)
		lane := end.Marks[len(end.Marks)-1].Lane
		mark := end.Mark(lane)
		mark.Check[0] ^= 1
		known := []stream.Cursor{taken(end, lane, 40), taken(end, lane, 0), taken(end, 61, 7), end.With(mark)}
		hears := func(from stream.Cursor, f stream.Filter, want []string) {
			b.Helper()
			all, _ := b.heard(from, f, 3)
			b.errorIf(len(all) == 0 || all[0].Type != stream.LedgerRestored || !sameSet(settled(all), want),
				"%v is heard, want a restore and %v", described(all), want)
			for _, e := range all[min(1, len(all)):] {
				b.errorIf(e.Type == stream.LedgerRestored, "the restore is heard twice")
			}
		}
		for _, from := range known[:1] { // its blocks are lost, and no epoch has begun yet
			hears(from, everyEvent, nil)
		}
		// The numbers that an epoch skips are fewer than those that the cursor is ahead.
		known = append(known, taken(end, lane, hashchain.EpochMargin+1), taken(end, lane, hashchain.EpochMargin+2))
		b.beginEpoch(b.now())
		b.returns()
		var played []string
		for range 3 {
			played = append(played, b.commit(b.play(alice, 10)).Change.Round.ID)
		}
		for _, from := range known {
			hears(from, everyEvent, b.since(from, end, played))
			hears(from, stream.Filter{Wallet: alice}, b.since(from, end, played))
			hears(from, stream.Filter{Wallet: carol}, nil)
		}
	}},
	{"events between a restore and the next epoch are read by a listener that had read lost blocks", Rows, func(b *bench) {
		// Freeze a player between the discovery and the next epoch, under a number of a lost
		// block.
		b.eventful()
		_, end := b.heard(stream.Cursor{}, everyEvent, everything)
		for range 2 { // the second time only the blocks after the first remain
			var known []stream.Cursor
			for _, mark := range end.Marks {
				known = append(known, taken(end, mark.Lane, 40))
			}
			found := audit.Record{ID: b.id(), Action: audit.DatabaseRestored, Target: "ledger", At: b.now()}
			becomes := b.went()
			b.ok(b.ChangeControl(background, func(now control.State) (control.State, *audit.Record, error) { return becomes(now), &found, nil }))
			paused := audit.Record{ID: b.id(), Action: audit.PlayPaused, By: admin, Target: "play", At: b.now()}
			pausing := b.pausing("dice")
			b.ok(b.ChangeControl(background, func(now control.State) (control.State, *audit.Record, error) { return pausing(now), &paused, nil }))
			heard := func(during string) {
				b.Helper()
				for i, from := range known {
					limit := 3 // page by page for one lane only: a page costs as much as all of it
					if i > 0 {
						limit = everything
					}
					all, _ := b.heard(from, everyEvent, limit)
					types := map[stream.Type]int{}
					for _, e := range all {
						types[e.Type]++
					}
					if len(all) == 0 || all[0].Type != stream.LedgerRestored || types[stream.LedgerRestored] != 1 || types[stream.LedgerClosed] != 1 || types[stream.PlayPaused] != 1 {
						b.Errorf("%s %v is heard", during, described(all))
					}
				}
			}
			heard("while it is closed")
			begun := audit.Record{ID: b.id(), Action: audit.EpochBegun, By: admin, Target: "ledger", At: b.now()}
			opens := b.beginning(b.now(), true)
			_, err := b.BeginEpoch(background, nil, func(now control.State) (control.State, *audit.Record, error) {
				next, _, err := opens(now)
				next.Pauses = nil
				return next, &begun, err
			})
			b.ok(err)
			heard("in the next epoch")
			b.commit(b.again(b.login(alice, b.now().Add(2*time.Minute).UnixMilli())))
			_, end = b.heard(end, everyEvent, everything)
		}
	}},
	{"a cursor without lost blocks continues after a restore", Rows, func(b *bench) {
		b.eventful()
		half, _ := b.heard(stream.Cursor{}, everyEvent, everything)
		from := half[len(half)/2].Cursor
		b.beginEpoch(b.now())
		b.returns()
		id := b.commit(b.play(alice, 10)).Change.Round.ID
		whole, _ := b.heard(stream.Cursor{}, everyEvent, everything)
		rest, _ := b.heard(from, everyEvent, 2)
		b.same("the rest", described(rest), described(whole[len(half)/2+1:]))
		all := settled(rest)
		b.errorIf(len(all) == 0 || all[len(all)-1] != id, "round %s of the later epoch isn't heard: %v", id, all)
		if slices.ContainsFunc(rest, func(e stream.Event) bool { return e.Type == stream.LedgerRestored }) {
			b.Error("a restore is heard that took nothing")
		}
	}},
	{"a cursor continues after the store was opened again", Rows, func(b *bench) {
		b.eventful()
		whole, end := b.heard(stream.Cursor{}, everyEvent, everything)
		from := whole[len(whole)/3].Cursor
		b.reopen()
		id := b.commit(b.play(bob, 10)).Change.Round.ID
		rest, _ := b.heard(from, everyEvent, 3)
		b.same("the rest", described(rest[:len(whole)-1-len(whole)/3]), described(whole[len(whole)/3+1:]))
		newest, _ := b.heard(end, stream.Filter{Wallet: bob}, 1)
		b.same("of bob", settled(newest), []string{id})
	}},
}

// since returns the rounds that a cursor reads after its newest block was lost: if another block
// of the ledger has that number, its own events are read again.
func (b *bench) since(from, end stream.Cursor, played []string) []string {
	b.Helper()
	for _, mark := range from.Marks {
		if at := end.Mark(mark.Lane); at.Seq == mark.Seq && at.Check != mark.Check {
			b.ok(b.Archive(func(block ports.Block) {
				for _, r := range block.Rounds {
					if block.Lane == mark.Lane && block.Seq == mark.Seq {
						played = append(slices.Clone(played), r.ID)
					}
				}
			}))
		}
	}
	return played
}
