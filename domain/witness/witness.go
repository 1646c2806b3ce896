// Package witness defines what is stored of a ledger outside its database, and what it
// proves about a restored database.
//
// A restored copy lacks blocks that were committed since, and can't know it. So the
// newest block of each lane is stored elsewhere as well. A database that lacks a stored
// block, or has another one in its place, was restored. Clocks and counts decide
// nothing.
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

// Head is a block that was the newest of its lane, with its epoch.
type Head struct {
	hashchain.Head
	Epoch int64
}

// After reports whether the head is a later one of its lane than the other. Epochs are
// compared first; their numbers begin above all known ones.
func (h Head) After(other Head) bool {
	return cmp.Or(cmp.Compare(h.Epoch, other.Epoch), cmp.Compare(h.Seq, other.Seq)) > 0
}

// LogLane is the lane of a Head that is a signed checkpoint of the public log: its Seq is the
// number of entries, its Hash the root of their tree.
const LogLane = -2

// Name formats a block for `casino audit --head`: lane, number, hash. A checkpoint of the
// log has "log" instead of the lane.
func Name(h hashchain.Head) string {
	if h.Lane == LogLane {
		return fmt.Sprintf("log:%d:%s", h.Seq, h.Hash)
	}
	return fmt.Sprintf("%d:%d:%s", h.Lane, h.Seq, h.Hash)
}

// Record is the stored state of one ledger. Its methods don't change it.
type Record struct {
	// Ledger is the id of the ledger.
	Ledger string
	// Epoch is the latest known epoch.
	Epoch int64
	// Heads are the newest heads by lane.
	Heads map[int]Head
	// RolesVersion is the latest known version of the list of roles.
	RolesVersion int64
	// Log is the newest signed checkpoint of the public log, zero if none is known.
	Log Head
	// At is when the newest of it was stored. It is informative only.
	At time.Time
}

// Of returns the record of a ledger with these heads, without those that no block can
// have.
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

// Merge returns the newest of both records: the later head of each lane. A record of
// another ledger is ignored.
func (r Record) Merge(other Record) Record {
	if other.Ledger != r.Ledger {
		return r
	}
	merged := r
	merged.Epoch, merged.RolesVersion = max(r.Epoch, other.Epoch), max(r.RolesVersion, other.RolesVersion)
	if other.At.After(r.At) {
		merged.At = other.At
	}
	if other.Log.After(r.Log) {
		merged.Log = other.Log
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

// Covers reports whether the record is at least as new as the other one of its ledger:
// it has that head of each lane, or a later one.
func (r Record) Covers(other Record) bool {
	if r.Ledger != other.Ledger || r.Epoch < other.Epoch || r.RolesVersion < other.RolesVersion || other.Log.After(r.Log) {
		return false
	}
	for lane, h := range other.Heads {
		if known, ok := r.Heads[lane]; !ok || h.After(known) {
			return false
		}
	}
	return true
}

// Sorted returns the heads by lane.
func (r Record) Sorted() []Head {
	return slices.SortedFunc(maps.Values(r.Heads), func(a, b Head) int { return cmp.Compare(a.Lane, b.Lane) })
}

// Database is the state of a database for Compare. It must be read after the record kept
// outside; otherwise blocks committed in between would seem to be missing.
type Database struct {
	Ledger string
	Epoch  int64
	// Blocks are its blocks with the lanes and numbers of the kept heads, without those it
	// lacks.
	Blocks []hashchain.Head
	// Newest are the newest blocks of its lanes, for messages.
	Newest []hashchain.Head
}

// Lost is a kept head that the database lacks.
type Lost struct {
	Kept Head
	// Instead is the database's block in its place or, if it has none there, the newest of
	// the lane; nil if the lane is empty.
	Instead *hashchain.Head
}

// From returns the head that is kept outside, in readable form.
func (l Lost) From() string { return Name(l.Kept.Head) }

// To returns the database's block instead of it, in readable form.
func (l Lost) To() string {
	switch {
	case l.Kept.Lane == LogLane:
		return "a log without these entries"
	case l.Instead == nil:
		return fmt.Sprintf("no block in lane %d", l.Kept.Lane)
	}
	return Name(*l.Instead)
}

// Compare returns the kept heads, by lane, that prove that the database was restored;
// none if nothing proves it. A head that no block can have proves nothing, nor does a
// head of an earlier epoch: a recovery continued from a database without it. Records of
// another ledger are ignored; see OtherLedger.
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

// OtherLedger returns a fault of kind InvalidState if a record belongs to another ledger
// than the database: the two were connected by mistake.
func OtherLedger(kept []Record, ledger string) error {
	for _, r := range kept {
		if r.Ledger != ledger && len(r.Heads) > 0 {
			return fault.New(fault.InvalidState, "the kept heads belong to ledger %s, but this database is ledger %s", r.Ledger, ledger)
		}
	}
	return nil
}

// Origin identifies a copy of a database if no head is kept: a PostgreSQL server's
// system identifier and timeline. Its zero value means unknown.
type Origin struct {
	System   string
	Timeline int64
}

// Known reports whether the origin is known.
func (o Origin) Known() bool { return o.System != "" && o.Timeline > 0 }

// Differs reports whether both are known and not the same.
func (o Origin) Differs(other Origin) bool { return o.Known() && other.Known() && o != other }

// String returns the origin in readable form.
func (o Origin) String() string {
	if !o.Known() {
		return "unknown"
	}
	return fmt.Sprintf("system %s, timeline %d", o.System, o.Timeline)
}
