package stream

import (
	"math"
	"slices"
	"strconv"
	"time"

	"github.com/casino-service/casino/domain/hashchain"
)

// Page is some events in their order.
type Page struct {
	Events []Event
	// Next is the place after them, and after what the filter left out between them.
	Next Cursor
	// More says that there may be more to read at once.
	More bool
}

// Lane is what was read of a lane for a page, from the cursor's mark on.
type Lane struct {
	// Blocks are in succession by seq: the mark's own where it was passed in part, and those
	// after it. Where only a wallet's rows were asked for the blocks that have none are
	// missing.
	Blocks []Block
	// Upto is the last block that was looked at, and Number its number: up to it nothing
	// is missing in Blocks. Where none was looked at its Seq is 0.
	Upto   hashchain.Link
	Number int64
	// More says that the lane has blocks after Upto.
	More bool
}

// Cut makes a page of at most limit events from what was read of every lane, all of it at
// one moment: by number, and no further than each lane was read.
func Cut(after Cursor, lanes []Lane, f Filter, limit int) Page {
	page := Page{Next: after}
	until := int64(math.MaxInt64)
	for _, l := range lanes {
		if l.More {
			until, page.More = min(until, l.Number), true
		}
	}
	waiting := slices.Clone(lanes)
	for b := least(waiting, until); b != nil; b = least(waiting, until) {
		if !page.take(b, f, limit) {
			page.More = true
			return page
		}
	}
	for _, l := range lanes {
		if page.More = page.More || l.Number > until; l.Number <= until {
			page.Next = page.Next.past(l.Upto)
		}
	}
	return page
}

// past is the cursor after a block, unless that was passed before.
func (c Cursor) past(b hashchain.Link) Cursor {
	if mark := c.Mark(b.Lane); b.Seq > mark.Seq || b.Seq > 0 && b.Seq == mark.Seq && !mark.Whole() {
		c = c.With(MarkOf(b.Head))
		c.Epoch = max(c.Epoch, b.Epoch)
	}
	return c
}

// least takes the block of the least number, none above until, from the lanes that wait.
func least(waiting []Lane, until int64) *Block {
	var from *Lane
	for i := range waiting {
		l := &waiting[i]
		if len(l.Blocks) > 0 && l.Blocks[0].Number <= until && (from == nil || l.Blocks[0].Number < from.Blocks[0].Number) {
			from = l
		}
	}
	if from == nil {
		return nil
	}
	b := &from.Blocks[0]
	from.Blocks = from.Blocks[1:]
	return b
}

// take adds a block's events, and reports false where the page has no room for all of them.
func (p *Page) take(b *Block, f Filter, limit int) bool {
	mark := p.Next.Mark(b.Lane)
	made := slices.DeleteFunc(Events(b), func(e Event) bool { return mark.Seq == b.Seq && mark.passed(e.Order) || !f.Keeps(&e) })
	room := max(0, limit-len(p.Events))
	p.add(b, made[:min(len(made), room)])
	if len(made) > room {
		return false
	}
	p.Next = p.Next.past(b.link())
	return true
}

// add adds events of a block, whose places differ in the mark of its lane alone.
func (p *Page) add(b *Block, some []Event) {
	if len(some) == 0 {
		return
	}
	p.Next = p.Next.With(upTo(b, &some[0]))
	p.Next.Epoch = max(p.Next.Epoch, b.Epoch)
	lane, _ := p.Next.find(b.Lane)
	for i := range some {
		e := &some[i]
		p.Next.Marks = slices.Clone(p.Next.Marks) // whoever keeps a place keeps nothing else
		p.Next.Marks[lane] = upTo(b, e)
		e.Lane, e.Seq, e.Cursor = b.Lane, b.Seq, p.Next
	}
	p.Events = append(p.Events, some...)
}

func (b *Block) link() hashchain.Link { return hashchain.Link{Head: b.Head, Epoch: b.Epoch} }

// Lost is the page for a cursor that names blocks which a restore took. Next is the cursor
// without them: of each lane the newest block that is left of those which the cursor had
// passed. Newest is the newest block of the lanes, at its moment; its epoch is the event's
// subject.
func Lost(next Cursor, newest hashchain.Link, at time.Time) Page {
	e := restored(newest)
	e.At, e.Cursor = at, next
	return Page{Events: []Event{e}, Next: next, More: true}
}

// restored is a LedgerRestored of an epoch, named after a block.
func restored(of hashchain.Link) Event {
	epoch := strconv.FormatInt(of.Epoch, 10)
	return Event{ID: "restored." + epoch + "." + strconv.Itoa(of.Lane) + "." + strconv.FormatInt(of.Seq, 10), Type: LedgerRestored, Subject: epoch}
}

// Found is the LedgerRestored for whoever's place went back together with the database, and
// so names nothing that is gone: in the place of the LedgerClosed by which it was written
// that the database went back. The epoch is the one that followed.
func Found(closed *Event, epoch int64) Event {
	e := restored(hashchain.Link{Head: hashchain.Head{Lane: closed.Lane, Seq: closed.Seq}, Epoch: epoch})
	e.At, e.Order, e.Lane, e.Seq, e.Cursor = closed.At, closed.Order, closed.Lane, closed.Seq, closed.Cursor
	return e
}
