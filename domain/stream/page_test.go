package stream_test

import (
	"encoding/base64"
	"fmt"
	"math"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/casino-service/casino/domain/bet"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/hashchain"
	"github.com/casino-service/casino/domain/stream"
	"github.com/casino-service/casino/domain/wallet"
)

// cursors draws positions in lanes, some within a block.
func cursors(t *rapid.T) stream.Cursor {
	var c stream.Cursor
	lanes := rapid.SliceOfNDistinct(rapid.IntRange(0, hashchain.LaneMax), 0, 5, rapid.ID).Draw(t, "lanes")
	for _, lane := range lanes {
		m := stream.MarkOf(hashchain.Head{
			Lane: lane, Seq: rapid.Int64Range(1, hashchain.SeqMax).Draw(t, "seq"),
			Hash: hashchain.Hash(slices.Repeat(rapid.SliceOfN(rapid.Byte(), 4, 4).Draw(t, "hash"), 8)),
		})
		m.Row = rapid.SampledFrom([]int{0, 1, 1 << 20}).Draw(t, "row")
		if !m.Whole() {
			m.Part = rapid.IntRange(0, 9).Draw(t, "part")
		}
		c.Epoch = max(c.Epoch, rapid.Int64Range(1, math.MaxInt32).Draw(t, "epoch"))
		c = c.With(m)
	}
	return c
}

func TestACursorIsReadAsItWasWritten(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		c := cursors(t)
		read, err := stream.ParseCursor(c.String())
		if err != nil || read.String() != c.String() || read.Epoch != c.Epoch || !slices.Equal(read.Marks, c.Marks) {
			t.Fatalf("%+v was read as %+v: %v", c, read, err)
		}
		for _, m := range c.Marks {
			if read.Mark(m.Lane) != m {
				t.Fatalf("the mark of lane %d is %+v", m.Lane, read.Mark(m.Lane))
			}
		}
	})
}

func TestForgedCursorsAreRefused(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		text := cursors(t).String()
		forged := []byte(text)
		if len(forged) == 0 {
			return
		}
		switch at := rapid.IntRange(0, len(forged)-1).Draw(t, "at"); rapid.IntRange(0, 2).Draw(t, "how") {
		case 0:
			forged = forged[:at]
		case 1:
			forged[at] = rapid.Byte().Draw(t, "byte")
		default:
			forged = slices.Insert(forged, at, rapid.Byte().Draw(t, "byte"))
		}
		if string(forged) == text || len(forged) == 0 {
			return
		}
		if c, err := stream.ParseCursor(string(forged)); !fault.Is(err, fault.Invalid) {
			t.Fatalf("%q is read as %+v: %v", forged, c, err)
		}
	})
}

// TestForgedCursorsThatHoldAreRefused makes cursors with a valid checksum, as anyone who
// knows the format can.
func TestForgedCursorsThatHoldAreRefused(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		raw := rapid.SliceOfN(rapid.Byte(), 0, 60).Draw(t, "raw")
		text := stream.Summed(append([]byte{1}, raw...))
		c, err := stream.ParseCursor(text)
		if err == nil && c.String() != text {
			// A number may be encoded with more bytes than necessary: the cursor is the same.
			again, err := stream.ParseCursor(c.String())
			if err != nil || !slices.Equal(again.Marks, c.Marks) {
				t.Fatalf("%+v is read again as %+v: %v", c, again, err)
			}
		}
	})
	mark := func(lane byte) []byte { return []byte{lane, 1, 0, 0, 9, 9, 9, 9} }
	for name, raw := range map[string][]byte{
		"no mark": {1, 1}, "lanes out of order": slices.Concat([]byte{1, 1}, mark(2), mark(1)), "a lane twice": slices.Concat([]byte{1, 1}, mark(2), mark(2)),
		"no block": {1, 1, 0, 0, 0, 0, 9, 9, 9, 9}, "another version": slices.Concat([]byte{2, 1}, mark(0)),
		"a lane that none is": slices.Concat([]byte{1, 1, 0xff, 0xff, 0x7f}, mark(0)[1:]), "very many lanes": slices.Concat([]byte{1, 1}, manyMarks()),
	} {
		if c, err := stream.ParseCursor(stream.Summed(raw)); !fault.Is(err, fault.Invalid) {
			t.Errorf("%s: %d marks, %v", name, len(c.Marks), err)
		}
	}
	for _, text := range []string{"=", "AQ", "AQ==", base64.RawURLEncoding.EncodeToString(make([]byte, 7)), "ä"} {
		if _, err := stream.ParseCursor(text); !fault.Is(err, fault.Invalid) {
			t.Errorf("%q: %v", text, err)
		}
	}
}

func manyMarks() (raw []byte) {
	for lane := range 600 {
		raw = append(raw, byte(lane&0x7f|0x80), byte(lane>>7), 1, 0, 0, 9, 9, 9, 9)
	}
	return raw
}

// TestLaterIsBeforeNeither: the later cursor has passed exactly the events that either
// cursor has passed.
func TestLaterIsBeforeNeither(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		drawn := func(name string) (c stream.Cursor) {
			c.Epoch = rapid.Int64Range(1, 3).Draw(t, name+"'s epoch")
			for lane := range 3 {
				if rapid.Bool().Draw(t, name+" knows the lane") {
					m := stream.Mark{Lane: lane, Seq: rapid.Int64Range(1, 3).Draw(t, "seq"), Row: rapid.IntRange(0, 3).Draw(t, "row")}
					if !m.Whole() {
						m.Part = rapid.IntRange(0, 1).Draw(t, "part")
					}
					c.Marks = append(c.Marks, m)
				}
			}
			return c
		}
		one, other := drawn("one"), drawn("the other")
		later := one.Later(other)
		if !later.Equal(other.Later(one)) {
			t.Errorf("%+v and %+v are %+v or %+v", one, other, later, other.Later(one))
		}
		for lane := range 3 {
			for seq := range int64(4) {
				for row := range 3 {
					e := stream.Event{Lane: lane, Seq: seq + 1, Order: stream.Order{Position: row}}
					if got, want := later.Passed(&e), one.Passed(&e) || other.Passed(&e); got != want {
						t.Errorf("%+v after %+v and %+v: event %d of block %d of lane %d is passed: %t", later, one, other, row, e.Seq, lane, got)
					}
				}
			}
		}
	})
}

// ledger holds blocks of lanes by number, in the order of their commits.
type ledger struct{ blocks []stream.Block }

var players = []wallet.Address{"alice", "bob", "carol"}

// drawLedger draws blocks of some lanes, interleaved in any way, some empty.
func drawLedger(t *rapid.T) (l ledger) {
	seqs := make([]int64, 4)
	number := int64(0)
	for range rapid.IntRange(0, 25).Draw(t, "blocks") {
		lane := rapid.IntRange(0, 3).Draw(t, "lane")
		seqs[lane]++
		number += rapid.Int64Range(1, 3).Draw(t, "step")
		b := stream.Block{
			Head:   hashchain.Head{Lane: lane, Seq: seqs[lane], Hash: hashchain.Hash{byte(lane), byte(seqs[lane]), 1}},
			Number: number, At: time.UnixMicro(number).UTC(), Epoch: 1,
		}
		position := 0
		for range rapid.IntRange(0, 4).Draw(t, "rounds") {
			w := rapid.SampledFrom(players).Draw(t, "wallet")
			b.Rows = append(b.Rows, stream.Row{Position: position, Round: &bet.Round{ID: fmt.Sprintf("%d.%d.%d", lane, b.Seq, position), Wallet: w, At: b.At}})
			position += rapid.IntRange(1, 2).Draw(t, "takes")
		}
		l.blocks = append(l.blocks, b)
	}
	return l
}

// read returns the part of the first seen blocks that a store reads for a page: any
// number of blocks of each lane, and only matching ones for a single wallet.
func (l ledger) read(t *rapid.T, seen int, after stream.Cursor, f stream.Filter) []stream.Lane {
	lanes := map[int]*stream.Lane{}
	wanted := map[int]int{}
	for _, b := range l.blocks[:seen] {
		lane := lanes[b.Lane]
		if lane == nil {
			lane = &stream.Lane{}
			lanes[b.Lane], wanted[b.Lane] = lane, rapid.IntRange(1, 5).Draw(t, "window")
		}
		if mark := after.Mark(b.Lane); b.Seq < mark.Seq || b.Seq == mark.Seq && mark.Whole() {
			continue
		}
		if wanted[b.Lane]--; wanted[b.Lane] < 0 {
			lane.More = true
			continue
		}
		lane.Upto, lane.Number = hashchain.Link{Head: b.Head, Epoch: b.Epoch}, b.Number
		if f.Wallet != "" {
			b.Rows = slices.DeleteFunc(slices.Clone(b.Rows), func(r stream.Row) bool { return r.Round.Wallet != f.Wallet })
			if len(b.Rows) == 0 {
				continue
			}
		}
		lane.Blocks = append(lane.Blocks, b)
	}
	var all []stream.Lane
	for lane := range 4 {
		if lanes[lane] != nil {
			all = append(all, *lanes[lane])
		}
	}
	return all
}

// whole returns the events of all blocks, by number.
func (l ledger) whole(f stream.Filter) (ids []string) {
	for i := range l.blocks {
		for _, e := range stream.Events(&l.blocks[i]) {
			if f.Keeps(&e) {
				ids = append(ids, e.ID)
			}
		}
	}
	return ids
}

// TestPagesReturnEachEventOnce reads lanes interleaved in any way in pages of any size,
// while blocks are added, and gets all events in order.
func TestPagesReturnEachEventOnce(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		l := drawLedger(t)
		f := stream.Filter{Wallet: rapid.SampledFrom(append([]wallet.Address{""}, players...)).Draw(t, "of")}
		var after stream.Cursor
		var heard []string
		seen, still := 0, 0
		for still < 2 {
			limit := rapid.IntRange(1, 7).Draw(t, "limit")
			page := stream.Cut(after, l.read(t, seen, after, f), f, limit)
			if len(page.Events) > limit {
				t.Fatalf("%d events in a page of %d", len(page.Events), limit)
			}
			if page.More && page.Next.String() == after.String() {
				t.Fatalf("a page of %d leads nowhere", limit)
			}
			next := page.Next
			for i, e := range page.Events {
				heard = append(heard, e.ID)
				if rapid.IntRange(0, 9).Draw(t, "ends") == 0 { // the listener continues from an event
					next, page.More = page.Events[i].Cursor, true
					break
				}
			}
			var err error
			if after, err = stream.ParseCursor(next.String()); err != nil {
				t.Fatal(err)
			}
			if page.More {
				continue
			}
			if still++; seen < len(l.blocks) {
				seen, still = min(len(l.blocks), seen+rapid.IntRange(1, 9).Draw(t, "come")), 0
			}
		}
		if want := l.whole(f); !slices.Equal(heard, want) {
			t.Fatalf("heard %v, want %v", heard, want)
		}
		if f.Wallet == "" && len(l.blocks) > 0 {
			var heads []hashchain.Link
			newest := map[int]hashchain.Link{}
			for _, b := range l.blocks {
				newest[b.Lane] = hashchain.Link{Head: b.Head, Epoch: b.Epoch}
			}
			for _, head := range newest {
				heads = append(heads, head)
			}
			if end := stream.CursorAt(heads); end.String() != after.String() {
				t.Fatalf("the end is %+v, want %+v", after, end)
			}
		}
	})
}

// TestACursorOfOneFilterIsOneOfAnother continues with another filter from each event: it
// gets all later events, and none twice.
func TestACursorOfOneFilterIsOneOfAnother(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		l := drawLedger(t)
		page := stream.Cut(stream.Cursor{}, l.read(t, len(l.blocks), stream.Cursor{}, stream.Filter{}), stream.Filter{}, 1<<20)
		whole := l.whole(stream.Filter{})
		for i, e := range page.Events {
			f := stream.Filter{Wallet: e.Wallet}
			var heard []string
			for after, more := e.Cursor, true; more; {
				rest := stream.Cut(after, l.read(t, len(l.blocks), after, f), f, 3)
				for _, e := range rest.Events {
					heard = append(heard, e.ID)
				}
				after, more = rest.Next, rest.More
			}
			own := l.whole(f)
			if want := own[slices.Index(own, whole[i])+1:]; !slices.Equal(heard, want) {
				t.Fatalf("after %s %v is heard, want %v", e.ID, heard, want)
			}
		}
	})
}

func TestOrdersSortAsTexts(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		draw := func() stream.Order {
			return stream.Order{
				Number: rapid.Int64Range(1, hashchain.SeqMax).Draw(t, "number"), Position: rapid.IntRange(0, 1<<20).Draw(t, "position"),
				Part: rapid.IntRange(0, 9).Draw(t, "part"),
			}
		}
		a, b := draw(), draw()
		less := a.Number < b.Number || a.Number == b.Number && (a.Position < b.Position || a.Position == b.Position && a.Part < b.Part)
		if (a.String() < b.String()) != less {
			t.Fatalf("%s and %s", a, b)
		}
	})
}
