package writer

import (
	"context"
	"reflect"
	"slices"

	"github.com/uptrace/bun"

	"github.com/casino-service/casino/adapters/sqlstore/internal/batch"
	"github.com/casino-service/casino/adapters/sqlstore/internal/chain"
	"github.com/casino-service/casino/domain/control"
	"github.com/casino-service/casino/domain/hashchain"
	"github.com/casino-service/casino/domain/witness"
)

// Outside is the record of ledgers that is kept outside the database.
type Outside interface {
	// Kept returns the current records. It is called before the first batch on a connection and
	// after any error, because the connection may then lead to another database.
	Kept(ctx context.Context) []witness.Record
	// Lost receives the kept heads that the database doesn't have.
	Lost(lost []witness.Lost)
	// Closed says how the database was found to have been set back, nil if it wasn't. If it was,
	// no batch decides anything.
	Closed() *control.Restored
}

// comparison compares a batch's database with the outside records. Its zero value compares
// nothing.
type comparison struct {
	store      *Store
	outside    Outside
	connection any
	kept       []witness.Record
	found      []hashchain.Head
}

// verifiedMax is how many compared connections a store remembers. Closed ones are among them, so
// the list is emptied when it is full.
const verifiedMax = 64

// newComparison reads the outside records for a new connection or after an error. They are read
// before the database: otherwise a block that another writer commits in between would seem to be
// missing.
func (w *Writer) newComparison(ctx context.Context, session bun.Conn, doubted bool) comparison {
	if w.options.Outside == nil {
		return comparison{}
	}
	c := comparison{store: w.store, outside: w.options.Outside}
	_ = session.Raw(func(connection any) error { // fails for a broken connection, and then the batch fails too
		if connection != nil && reflect.TypeOf(connection).Comparable() {
			c.connection = connection
		}
		return nil
	})
	if !doubted && c.connection != nil && w.store.isVerified(c.connection) {
		return c
	}
	c.kept = c.outside.Kept(ctx)
	return c
}

// askForBlocks queries the blocks that are recorded outside.
func (c *comparison) askForBlocks(b *batch.Batch) {
	var places []hashchain.Head
	for _, k := range c.kept {
		for _, h := range k.Heads {
			places = append(places, h.Head)
		}
	}
	c.found = nil
	chain.AskBlocks(&b.Asks, places, func(h hashchain.Head) { c.found = append(c.found, h) })
}

// closeIfRestored shows every item a restored control state if the database lacks recorded
// blocks, or if this instance found so before.
func (c *comparison) closeIfRestored(b *batch.Batch) {
	if c.outside == nil {
		return
	}
	database := witness.Database{Ledger: b.Control.Ledger, Epoch: b.Control.Epoch, Blocks: c.found}
	for _, k := range c.kept {
		if lost := witness.Compare(k, database); len(lost) > 0 {
			c.outside.Lost(lost)
		}
	}
	if closed := c.outside.Closed(); closed != nil && b.Control.Restored == nil {
		state := b.Control.Clone()
		state.Restored = closed
		b.Control = &state
	}
}

// noteVerified notes that the connection's database has all recorded blocks.
func (c *comparison) noteVerified() {
	if c.connection != nil && c.outside.Closed() == nil {
		c.store.verifyConnection(c.connection)
	}
}

func (s *Store) isVerified(connection any) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.verified[connection]
}

func (s *Store) verifyConnection(connection any) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.verified) >= verifiedMax || s.verified == nil {
		s.verified = map[any]bool{}
	}
	s.verified[connection] = true
}

// inDoubtMax is how many blocks in doubt a writer remembers. A block stays in doubt only if it
// can't be resolved in time and its lane is not used again.
const inDoubtMax = 16

// rememberDoubt remembers a block of an unanswered commit, if the batch has one.
func (w *Writer) rememberDoubt(block *witness.Head) {
	if block == nil {
		return
	}
	w.inDoubt = append(w.inDoubt, *block)
	if len(w.inDoubt) > inDoubtMax {
		w.inDoubt = w.inDoubt[1:]
	}
}

// askDoubts queries the blocks in doubt.
func (r *run) askDoubts() {
	r.found = nil
	if len(r.writer.inDoubt) == 0 {
		return
	}
	places := make([]hashchain.Head, len(r.writer.inDoubt))
	for i, h := range r.writer.inDoubt {
		places[i] = h.Head
	}
	chain.AskBlocks(&r.batch.Asks, places, func(h hashchain.Head) { r.found = append(r.found, h) })
}

// settleDoubts reports the blocks in doubt that the run found, and forgets those whose number
// another block has. The others may still be committed.
func (w *Writer) settleDoubts(r *run, committed bool) {
	there := r.found
	if committed && r.sealed != nil {
		there = append(there, r.sealed.Head)
	}
	w.inDoubt = slices.DeleteFunc(w.inDoubt, func(h witness.Head) bool {
		for _, found := range there {
			if found.Lane == h.Lane && found.Seq == h.Seq {
				if found == h.Head {
					w.announceHead(h)
				}
				return true
			}
		}
		return false
	})
}

// announceHead reports a head that was not reported yet.
func (w *Writer) announceHead(head witness.Head) {
	if head.Lane != w.announced.Lane || head.Seq > w.announced.Seq {
		w.announced = head.Head
		w.options.Sealed(head)
	}
}
