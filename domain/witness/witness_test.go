package witness_test

import (
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/hashchain"
	"github.com/casino-service/casino/domain/witness"
)

var start = time.Unix(1_800_000_000, 0).UTC()

// block is the seq-th block of a lane; fork distinguishes blocks with the same number.
func block(lane int, seq int64, fork byte) hashchain.Head {
	return hashchain.Head{Lane: lane, Seq: seq, Hash: hashchain.Hash{byte(lane), byte(seq), fork}}
}

func head(epoch int64, lane int, seq int64) witness.Head {
	return witness.Head{Head: block(lane, seq, 0), Epoch: epoch}
}

// chain are the blocks of a lane up to a number.
func chain(lane int, upTo int64) (blocks []hashchain.Head) {
	for seq := int64(1); seq <= upTo; seq++ {
		blocks = append(blocks, block(lane, seq, 0))
	}
	return blocks
}

func TestARestoreIsAKeptHeadThatTheDatabaseLacks(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		kept     []witness.Head
		database witness.Database
		want     [][2]string
	}{
		"the database has what is kept": {
			kept:     []witness.Head{head(1, 1, 5)},
			database: witness.Database{Epoch: 1, Blocks: []hashchain.Head{block(1, 5, 0)}, Newest: []hashchain.Head{block(1, 9, 0)}},
		},
		"nothing is kept": {database: witness.Database{Epoch: 1, Newest: []hashchain.Head{block(1, 9, 0)}}},
		"the database ends before it": {
			kept:     []witness.Head{head(1, 1, 5)},
			database: witness.Database{Epoch: 1, Newest: []hashchain.Head{block(0, 9, 0), block(1, 4, 0)}},
			want:     [][2]string{{witness.Name(block(1, 5, 0)), witness.Name(block(1, 4, 0))}},
		},
		"the lane is empty": {
			kept:     []witness.Head{head(1, 1, 5)},
			database: witness.Database{Epoch: 1, Newest: []hashchain.Head{block(0, 9, 0)}},
			want:     [][2]string{{witness.Name(block(1, 5, 0)), "no block in lane 1"}},
		},
		"another block has its number": {
			kept:     []witness.Head{head(1, 1, 5)},
			database: witness.Database{Epoch: 1, Blocks: []hashchain.Head{block(1, 5, 1)}, Newest: []hashchain.Head{block(1, 9, 1)}},
			want:     [][2]string{{witness.Name(block(1, 5, 0)), witness.Name(block(1, 5, 1))}},
		},
		"a head of an earlier epoch says nothing": {
			kept:     []witness.Head{head(1, 1, 5), head(2, 2, 3000)},
			database: witness.Database{Epoch: 2, Blocks: []hashchain.Head{block(2, 3000, 0)}},
		},
		"a head of a later epoch than the database's does": {
			kept:     []witness.Head{head(2, 1, 1005)},
			database: witness.Database{Epoch: 1, Newest: []hashchain.Head{block(1, 9, 0)}},
			want:     [][2]string{{witness.Name(block(1, 1005, 0)), witness.Name(block(1, 9, 0))}},
		},
		"every lane is named, in order": {
			kept:     []witness.Head{head(1, 3, 5), head(1, 1, 5), head(1, 2, 5)},
			database: witness.Database{Epoch: 1, Blocks: []hashchain.Head{block(2, 5, 0)}, Newest: []hashchain.Head{block(1, 1, 0), block(2, 5, 0)}},
			want: [][2]string{
				{witness.Name(block(1, 5, 0)), witness.Name(block(1, 1, 0))}, {witness.Name(block(3, 5, 0)), "no block in lane 3"},
			},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c.database.Ledger = "ours"
			lost := witness.Compare(witness.Of("ours", start, c.kept...), c.database)
			if len(lost) != len(c.want) {
				t.Fatalf("%+v", lost)
			}
			for i, l := range lost {
				if got := [2]string{l.From(), l.To()}; got != c.want[i] {
					t.Errorf("from %s to %s", got[0], got[1])
				}
			}
		})
	}
}

func TestAnotherLedgerStopsAndNeverCounts(t *testing.T) {
	t.Parallel()
	kept := witness.Of("theirs", start, head(1, 1, 5))
	if lost := witness.Compare(kept, witness.Database{Ledger: "ours", Epoch: 1}); lost != nil {
		t.Errorf("%+v", lost)
	}
	ours := witness.Of("ours", start, head(1, 1, 5))
	if err := witness.OtherLedger([]witness.Record{ours, kept}, "ours"); !fault.Is(err, fault.InvalidState) {
		t.Errorf("another ledger: %v", err)
	}
	if err := witness.OtherLedger([]witness.Record{ours, {Ledger: "theirs"}}, "ours"); err != nil {
		t.Errorf("no head of another ledger: %v", err)
	}
}

// records draws from few lanes and numbers, so that they overlap.
var records = rapid.Custom(func(t *rapid.T) witness.Record {
	r := witness.Of("ours", start.Add(time.Duration(rapid.IntRange(0, 9).Draw(t, "at"))))
	for lane := range rapid.IntRange(0, 3).Draw(t, "lanes") {
		h := head(rapid.Int64Range(1, 3).Draw(t, "epoch"), lane, rapid.Int64Range(1, 9).Draw(t, "seq"))
		r = r.Merge(witness.Of("ours", start, h))
	}
	r.RolesVersion = rapid.Int64Range(0, 3).Draw(t, "roles")
	return r
})

func TestRecordsOnlyGoForward(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		a, b := records.Draw(t, "a"), records.Draw(t, "b")
		both := a.Merge(b)
		if !both.Covers(a) || !both.Covers(b) || !b.Merge(a).Covers(both) {
			t.Fatalf("%+v and %+v make %+v", a, b, both)
		}
		for lane, h := range both.Heads {
			if h != a.Heads[lane] && h != b.Heads[lane] {
				t.Fatalf("lane %d has %+v, which nobody kept", lane, h)
			}
		}
		if a.Covers(b) != (len(a.Merge(b).Heads) == len(a.Heads) && both.Epoch == a.Epoch && both.RolesVersion == a.RolesVersion && same(both, a)) {
			t.Fatalf("Covers of %+v and %+v", a, b)
		}
	})
	theirs := witness.Of("theirs", start, head(1, 1, 5))
	ours := witness.Of("ours", start)
	if merged := ours.Merge(theirs); len(merged.Heads) != 0 || merged.Ledger != "ours" || ours.Covers(theirs) {
		t.Errorf("another ledger was merged: %+v", merged)
	}
	if before := witness.Of("ours", start, head(1, 1, 5)); before.Merge(witness.Of("ours", start, head(1, 1, 9))).Heads[1].Seq != 9 ||
		before.Heads[1].Seq != 5 {
		t.Errorf("merging changed the record: %+v", before)
	}
}

func same(a, b witness.Record) bool {
	for lane, h := range a.Heads {
		if b.Heads[lane] != h {
			return false
		}
	}
	return true
}

// TestADatabaseThatOnlyGrowsIsNeverFoundRestored grows lanes, begins epochs as a
// recovery does, and keeps any of the heads that were ever the newest.
func TestADatabaseThatOnlyGrowsIsNeverFoundRestored(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		newest, epoch := map[int]int64{}, int64(1)
		var blocks []hashchain.Head
		kept := witness.Of("ours", start)
		for range rapid.IntRange(1, 30).Draw(t, "steps") {
			lane := rapid.IntRange(0, 2).Draw(t, "lane")
			newest[lane]++
			blocks = append(blocks, block(lane, newest[lane], 0))
			if rapid.Bool().Draw(t, "kept") {
				kept = kept.Merge(witness.Of("ours", start, head(epoch, lane, newest[lane])))
			}
		}
		if lost := witness.Compare(kept, witness.Database{Ledger: "ours", Epoch: epoch, Blocks: blocks}); lost != nil {
			t.Fatalf("a false alarm: %+v", lost)
		}
		for lane, h := range kept.Heads { // and losing any kept block is found
			cut := chain(lane, h.Seq-1)
			if lost := witness.Compare(kept, witness.Database{Ledger: "ours", Epoch: epoch, Blocks: cut}); len(lost) == 0 {
				t.Fatalf("lane %d without %+v says nothing", lane, h)
			}
		}
	})
}

func TestOriginsDifferOnlyWhereBothAreKnown(t *testing.T) {
	t.Parallel()
	here := witness.Origin{System: "7301", Timeline: 1}
	for other, want := range map[witness.Origin]bool{
		here: false, {}: false, {System: "7301", Timeline: 2}: true, {System: "7302", Timeline: 1}: true, {System: "7302"}: false,
	} {
		if here.Differs(other) != want || other.Differs(here) != want {
			t.Errorf("%s and %s", here, other)
		}
	}
	if here.String() != "system 7301, timeline 1" || (witness.Origin{}).String() != "unknown" {
		t.Error(here, witness.Origin{})
	}
}

// TestAHeadThatNoBlockCanHaveProvesNothing: such heads, above all that of an empty lane,
// aren't kept, merged or compared.
func TestAHeadThatNoBlockCanHaveProvesNothing(t *testing.T) {
	t.Parallel()
	for name, impossible := range map[string]witness.Head{
		"of an empty lane": {Head: hashchain.Head{Lane: 1}, Epoch: 1}, "a negative number": head(1, 1, -1),
		"a negative lane": head(1, -1, 1), "above every lane": head(1, hashchain.LaneMax+1, 1),
	} {
		if r := witness.Of("ours", start, impossible); len(r.Heads) != 0 {
			t.Errorf("%s: kept %+v", name, r.Heads)
		}
		raw := witness.Record{Ledger: "ours", Heads: map[int]witness.Head{impossible.Lane: impossible}}
		if r := witness.Of("ours", start).Merge(raw); len(r.Heads) != 0 {
			t.Errorf("%s: merged %+v", name, r.Heads)
		}
		if lost := witness.Compare(raw, witness.Database{Ledger: "ours", Epoch: 1}); len(lost) != 0 {
			t.Errorf("%s: compared %+v", name, lost)
		}
	}
}
