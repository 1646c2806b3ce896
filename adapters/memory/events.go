package memory

import (
	"context"
	"maps"
	"math"
	"slices"

	"github.com/casino-service/casino/domain/audit"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/hashchain"
	"github.com/casino-service/casino/domain/ledger"
	"github.com/casino-service/casino/domain/stream"
	"github.com/casino-service/casino/ports"
)

// After serves ports.Events.
func (s *Store) After(_ context.Context, after stream.Cursor, f stream.Filter, limit int) (stream.Page, error) {
	if limit < 1 {
		return stream.Page{}, fault.Field("limit", "must be positive")
	}
	defer s.locked()()
	if kept, lost := s.withoutLostBlocks(after); lost {
		newest := s.blocks[len(s.blocks)-1]
		return stream.Lost(kept, linkOf(newest), newest.At), nil
	}
	lanes := map[int]*stream.Lane{}
	for _, b := range s.blocks {
		lane := lanes[b.Lane]
		if lane == nil {
			lane = &stream.Lane{}
			lanes[b.Lane] = lane
		}
		lane.Upto, lane.Number = linkOf(b), b.Number
		if mark := after.Mark(b.Lane); b.Seq > mark.Seq || b.Seq == mark.Seq && !mark.Whole() {
			lane.Blocks = append(lane.Blocks, streamed(b))
		}
	}
	var all []stream.Lane
	for _, lane := range slices.Sorted(maps.Keys(lanes)) {
		all = append(all, *lanes[lane])
	}
	return stream.Cut(after, all, f, limit), nil
}

// Newest serves ports.Events.
func (s *Store) Newest(context.Context) (stream.Cursor, error) {
	defer s.locked()()
	newest := map[int]hashchain.Link{}
	for _, b := range s.blocks {
		newest[b.Lane] = linkOf(b)
	}
	return stream.CursorAt(slices.Collect(maps.Values(newest))), nil
}

func linkOf(b ports.Block) hashchain.Link { return hashchain.Link{Head: b.Head, Epoch: b.Epoch} }

// withoutLostBlocks returns the cursor without the blocks that no longer exist, and whether
// there were any. It skips blocks written after a restore was found: they reuse the numbers
// of lost blocks, which the cursor had not passed.
func (s *Store) withoutLostBlocks(c stream.Cursor) (kept stream.Cursor, lost bool) {
	kept = stream.Cursor{Epoch: c.Epoch}
	found := s.restoreFound(c.Epoch)
	for _, mark := range c.Marks {
		var before hashchain.Head
		there := false
		for _, b := range s.blocks {
			there = there || mark.Is(b.Head)
			if b.Lane == mark.Lane && b.Seq < mark.Seq && b.Epoch <= c.Epoch && b.Number < found {
				before = b.Head
			}
		}
		switch lost = lost || !there; {
		case there:
			kept = kept.With(mark)
		case before.Seq > 0:
			kept = kept.With(stream.MarkOf(before))
		}
	}
	return kept, lost
}

// restoreFound returns the number of the block that records a restore in the epoch, or in
// the newest earlier epoch that still has blocks. It returns math.MaxInt64 if no restore
// was found, or if nothing had been lost.
func (s *Store) restoreFound(epoch int64) int64 {
	number := int64(math.MaxInt64)
	for _, b := range s.blocks {
		for _, r := range b.Audit {
			switch {
			case b.Epoch > epoch:
			case r.Action == audit.DatabaseRestored:
				number = b.Number
			case r.Action == audit.DatabaseReopened || r.Action == audit.EpochBegun:
				number = math.MaxInt64
			}
		}
	}
	return number
}

// streamed returns a block with the positions of its rows. A block holds one item; a round
// takes the position of its bookings.
func streamed(b ports.Block) stream.Block {
	made := stream.Block{Head: b.Head, Number: b.Number, At: b.At, Epoch: b.Epoch}
	position, rounds := 0, b.Rounds
	add := func(row stream.Row) {
		row.Position = position
		made.Rows = append(made.Rows, row)
		position++
	}
	for i := range b.Seamless {
		add(stream.Row{Seamless: &b.Seamless[i]})
	}
	for i := range b.Postings {
		if b.Postings[i].Key.Kind == ledger.Round {
			made.Rows = append(made.Rows, stream.Row{Position: position, Round: &rounds[0]})
			rounds = rounds[1:]
		}
		position += len(b.Postings[i].Transfers)
	}
	for i := range b.Audit {
		add(stream.Row{Audit: &b.Audit[i]})
	}
	for i := range b.Events {
		add(stream.Row{Thing: &b.Events[i]})
	}
	return made
}
