// Package witness says what is kept of a ledger outside its database, and what that
// proves when the database went back.
//
// Whoever puts an older copy of a database back loses blocks that were committed, and
// the copy can't know. So the newest block of each lane is kept elsewhere as well. A
// database that lacks a kept block, or has another one in its place, was restored: no
// clock and no count decides that.
package witness

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/hashchain"
)

// Head is a block that was the newest of its lane, and the epoch in which it was.
type Head struct {
	hashchain.Head
	Epoch int64
}

// After reports whether the head is a later one of its lane than the other. An epoch
// begins above every number that was known before, so it is compared first.
func (h Head) After(other Head) bool {
	return cmp.Or(cmp.Compare(h.Epoch, other.Epoch), cmp.Compare(h.Seq, other.Seq)) > 0
}

// Name writes a block as `casino audit --head` reads it: lane, number, hash.
func Name(h hashchain.Head) string { return fmt.Sprintf("%d:%d:%s", h.Lane, h.Seq, h.Hash) }

// Record is what is kept of one ledger. Its methods leave it as it is.
type Record struct {
	// Ledger is the id of the ledger.
	Ledger string
	// Epoch is the latest that was known.
	Epoch int64
	// Heads are the newest heads by lane.
	Heads map[int]Head
	// RolesVersion is the latest version of the list of roles that was known.
	RolesVersion int64
	// At is when the newest of it was kept. It is for people: nothing is decided by it.
	At time.Time
}

// Of returns the record of a ledger with these heads. A head that no block can have is
// left out.
func Of(ledger string, at time.Time, heads ...Head) Record {
	r := Record{Ledger: ledger, Heads: make(map[int]Head, len(heads)), At: at}
	for _, h := range heads {
		if !h.Possible() {
			continue
		}
		r.Epoch = max(r.Epoch, h.Epoch)
		if old, known := r.Heads[h.Lane]; !known || h.After(old) {
			r.Heads[h.Lane] = h
		}
	}
	return r
}

// Merge is what both records know together: of each lane the later head. It only goes
// forward. What is of another ledger is left out.
func (r Record) Merge(other Record) Record {
	if other.Ledger != r.Ledger {
		return r
	}
	merged := r
	merged.Epoch, merged.RolesVersion = max(r.Epoch, other.Epoch), max(r.RolesVersion, other.RolesVersion)
	if other.At.After(r.At) {
		merged.At = other.At
	}
	merged.Heads = make(map[int]Head, max(len(r.Heads), len(other.Heads)))
	maps.Copy(merged.Heads, r.Heads)
	for lane, h := range other.Heads {
		if old, known := merged.Heads[lane]; h.Possible() && (!known || h.After(old)) {
			merged.Heads[lane] = h
		}
	}
	return merged
}

// Covers reports whether the record knows everything that the other one of its ledger
// knows: that head of each lane, or a later one.
func (r Record) Covers(other Record) bool {
	if r.Ledger != other.Ledger || r.Epoch < other.Epoch || r.RolesVersion < other.RolesVersion {
		return false
	}
	for lane, h := range other.Heads {
		if known, ok := r.Heads[lane]; !ok || h.After(known) {
			return false
		}
	}
	return true
}

// Sorted are the heads by lane.
func (r Record) Sorted() []Head {
	return slices.SortedFunc(maps.Values(r.Heads), func(a, b Head) int { return cmp.Compare(a.Lane, b.Lane) })
}

// Database is what a database says of itself. It is to be read after what is kept
// outside it: the other way round, a block that was committed between the two would be
// missing from it.
type Database struct {
	Ledger string
	Epoch  int64
	// Blocks are its blocks with the lanes and numbers of the kept heads, as far as it
	// has them.
	Blocks []hashchain.Head
	// Newest are the newest blocks of its lanes, for the words of a finding.
	Newest []hashchain.Head
}

// Lost is a kept head that the database doesn't have.
type Lost struct {
	Kept Head
	// Instead is the database's block in its place, or, when it has none there, the
	// newest of the lane; nil when the lane is empty.
	Instead *hashchain.Head
}

// From is the head that is kept outside, as an operator reads it.
func (l Lost) From() string { return Name(l.Kept.Head) }

// To is what the database has instead, as an operator reads it.
func (l Lost) To() string {
	if l.Instead == nil {
		return fmt.Sprintf("no block in lane %d", l.Kept.Lane)
	}
	return Name(*l.Instead)
}

// Compare returns the kept heads that prove that the database was restored, by lane;
// none when nothing proves it. A head that no block can have proves nothing. Neither does
// a head of an earlier epoch: a recovery went on from a database without it. A record of another ledger says nothing here
// either; see OtherLedger.
func Compare(kept Record, database Database) []Lost {
	if kept.Ledger != database.Ledger {
		return nil
	}
	var lost []Lost
	for _, h := range kept.Sorted() {
		if !h.Possible() || h.Epoch < database.Epoch || slices.Contains(database.Blocks, h.Head) {
			continue
		}
		l := Lost{Kept: h}
		if at := slices.IndexFunc(database.Blocks, func(b hashchain.Head) bool { return b.Lane == h.Lane && b.Seq == h.Seq }); at >= 0 {
			l.Instead = &database.Blocks[at]
		} else if at := slices.IndexFunc(database.Newest, func(b hashchain.Head) bool { return b.Lane == h.Lane }); at >= 0 {
			l.Instead = &database.Newest[at]
		}
		lost = append(lost, l)
	}
	return lost
}

// OtherLedger returns a fault of kind InvalidState when a record is of another ledger
// than the database: somebody connected the one with what belongs to the other.
func OtherLedger(kept []Record, ledger string) error {
	for _, r := range kept {
		if r.Ledger != ledger && len(r.Heads) > 0 {
			return fault.New(fault.InvalidState, "the heads that are kept belong to ledger %s, this database is ledger %s", r.Ledger, ledger)
		}
	}
	return nil
}

// Origin is what tells one copy of a database from another where no head is kept: a
// PostgreSQL server's system identifier and timeline. Its zero value says nothing.
type Origin struct {
	System   string
	Timeline int64
}

// Known reports whether the server says where its data comes from.
func (o Origin) Known() bool { return o.System != "" && o.Timeline > 0 }

// Differs reports whether both are known and not the same.
func (o Origin) Differs(other Origin) bool { return o.Known() && other.Known() && o != other }

// String names the origin as an operator reads it.
func (o Origin) String() string {
	if !o.Known() {
		return "unknown"
	}
	return fmt.Sprintf("system %s, timeline %d", o.System, o.Timeline)
}
