package conformance

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/casino-service/casino/domain/hashchain"
	"github.com/casino-service/casino/domain/witness"
	"github.com/casino-service/casino/ports"
)

// WitnessUnderTest is a witness that keeps nothing yet, and is of this test alone.
type WitnessUnderTest struct {
	ports.Witness
	Traits
	// Flush does what follows a Keep within 100 ms; nil when nothing does.
	Flush func(t *testing.T)
	// Beside opens what the witness keeps a second time, as another instance or the next
	// process does. Durable witnesses have it.
	Beside func(t *testing.T) WitnessUnderTest
	// Spoil changes one byte of everything that is kept, as somebody without the keys
	// may; nil where nobody else gets at it.
	Spoil func(t *testing.T)
}

func (w WitnessUnderTest) keep(t *testing.T, r witness.Record) {
	t.Helper()
	if err := w.Keep(r); err != nil {
		t.Fatal(err)
	}
	if w.Flush != nil {
		w.Flush(t)
	}
}

// reads fails unless exactly these records are kept.
func (w WitnessUnderTest) reads(t *testing.T, want ...witness.Record) {
	t.Helper()
	kept, err := w.Kept(background)
	if err != nil || kept.Spoiled != 0 || len(kept.Records) != len(want) {
		t.Fatalf("kept %+v, %v", kept, err)
	}
	slices.SortFunc(kept.Records, func(a, b witness.Record) int { return strings.Compare(a.Ledger, b.Ledger) })
	for i, r := range kept.Records {
		if !r.Covers(want[i]) || !want[i].Covers(r) {
			t.Errorf("kept %+v, want %+v", r, want[i])
		}
		for lane, h := range r.Heads {
			if h != want[i].Heads[lane] {
				t.Errorf("lane %d has %+v, want %+v", lane, h, want[i].Heads[lane])
			}
		}
	}
}

// keptAt is when heads of the suite are kept; it only goes forward.
var keptAt = time.UnixMicro(1_800_000_000_000_000).UTC()

// keptHead is the head of a lane; fork tells blocks of one number apart.
func keptHead(epoch int64, lane int, seq int64, fork byte) witness.Head {
	return witness.Head{Head: hashchain.Head{Lane: lane, Seq: seq, Hash: hashchain.Hash{byte(lane), byte(seq), fork}}, Epoch: epoch}
}

func ours(heads ...witness.Head) witness.Record { return witness.Of("ours", keptAt, heads...) }

// Witness is the suite of ports.Witness.
func Witness(t *testing.T, open func(t *testing.T) WitnessUnderTest) {
	for sentence, prove := range map[string]func(*testing.T, WitnessUnderTest){
		"at first nothing is kept": func(t *testing.T, w WitnessUnderTest) {
			w.reads(t)
		},
		"what was kept is read, of every lane and every ledger": func(t *testing.T, w WitnessUnderTest) {
			mine := ours(keptHead(1, 0, 5, 0), keptHead(1, 64, 1<<40, 0))
			mine.RolesVersion = 3
			theirs := witness.Of("theirs", keptAt, keptHead(1, 0, 9, 1))
			w.keep(t, mine)
			w.keep(t, theirs)
			w.keep(t, ours(keptHead(1, 7, 2, 0)))
			w.reads(t, mine.Merge(ours(keptHead(1, 7, 2, 0))), theirs)
		},
		"it only goes forward":            witnessGoesForward,
		"whoever else keeps at that time": witnessOfMany,
		"what was kept outlives the process": func(t *testing.T, w WitnessUnderTest) {
			if !w.Durable {
				return
			}
			want := ours(keptHead(1, 1, 5, 0))
			want.RolesVersion = 2
			w.keep(t, want)
			again := w.Beside(t)
			again.reads(t, want)
			again.keep(t, ours(keptHead(1, 1, 4, 9), keptHead(1, 2, 1, 0)))
			w.reads(t, want.Merge(ours(keptHead(1, 2, 1, 0))))
		},
		"what can't be trusted is left out and counted, and keeping goes on": func(t *testing.T, w WitnessUnderTest) {
			if w.Spoil == nil {
				return
			}
			w.keep(t, ours(keptHead(1, 1, 5, 0), keptHead(1, 2, 6, 0)))
			w.Spoil(t)
			for _, reader := range []WitnessUnderTest{w, w.Beside(t)} {
				if kept, err := reader.Kept(background); err != nil || kept.Spoiled != 2 || len(kept.Records) != 0 {
					t.Errorf("spoiled: %+v, %v", kept, err)
				}
			}
			w.keep(t, ours(keptHead(1, 1, 5, 0), keptHead(1, 2, 6, 0)))
			w.Beside(t).reads(t, ours(keptHead(1, 1, 5, 0), keptHead(1, 2, 6, 0)))
		},
	} {
		sub(t, sentence, func(t *testing.T) {
			prove(t, open(t))
		})
	}
}

func witnessGoesForward(t *testing.T, w WitnessUnderTest) {
	want := ours(keptHead(1, 1, 5, 0))
	want.RolesVersion = 4
	w.keep(t, want)
	earlier := ours(keptHead(1, 1, 4, 0))
	earlier.RolesVersion = 3
	w.keep(t, earlier)
	w.reads(t, want)
	w.keep(t, ours(keptHead(1, 1, 5, 1))) // another block of the number: the first stays
	w.reads(t, want)
	for _, next := range []witness.Head{keptHead(1, 1, 6, 0), keptHead(1, 1, 10, 0), keptHead(1, 1, 100, 0), keptHead(2, 1, 7, 0), keptHead(2, 1, 8, 0)} {
		w.keep(t, ours(next))
		want = want.Merge(ours(next))
		w.reads(t, want)
	}
	if want.Heads[1] != keptHead(2, 1, 8, 0) {
		t.Fatalf("a later epoch goes before a greater number: %+v", want.Heads[1])
	}
	w.keep(t, ours(keptHead(1, 1, 200, 0)))
	w.reads(t, want)
}

func witnessOfMany(t *testing.T, w WitnessUnderTest) {
	const keepers, heads = 4, 60
	others := []WitnessUnderTest{w}
	if w.Durable {
		others = append(others, w.Beside(t))
	}
	atOnce(keepers, func(i int) {
		mine := others[i%len(others)]
		for seq := int64(1); seq <= heads; seq++ {
			if err := mine.Keep(ours(keptHead(1, 1, seq*keepers+int64(i), 0), keptHead(1, 10+i, seq, 0))); err != nil {
				t.Error(err)
			}
		}
		if mine.Flush != nil {
			mine.Flush(t)
		}
	})
	want := ours(keptHead(1, 1, heads*keepers+keepers-1, 0))
	for i := range keepers {
		want = want.Merge(ours(keptHead(1, 10+i, heads, 0)))
	}
	for _, reader := range others {
		reader.reads(t, want)
	}
}
