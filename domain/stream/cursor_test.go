package stream_test

import (
	"encoding/base64"
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/hashchain"
	"github.com/casino-service/casino/domain/stream"
)

// cursors are places of lanes, some within a block.
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

// TestForgedCursorsThatHoldAreRefused makes cursors with a right sum, as whoever knows the
// format can.
func TestForgedCursorsThatHoldAreRefused(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		raw := rapid.SliceOfN(rapid.Byte(), 0, 60).Draw(t, "raw")
		text := stream.Summed(append([]byte{1}, raw...))
		c, err := stream.ParseCursor(text)
		if err == nil && c.String() != text {
			// A number may be written with more bytes than it needs: what is read is the same.
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

// TestLaterIsBeforeNeither: what either place has passed the later one of both has, and
// nothing else.
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
