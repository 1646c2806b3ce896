package stream

import (
	"math"
	"slices"

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

// Lane is what was read of a lane for a page, after the cursor's mark.
type Lane struct {
	// Blocks are in succession by seq. Where only a wallet's rows were asked for the blocks
	// that have none are missing.
	Blocks []Block
	// Upto is the last block that was looked at, and Number its number: up to it nothing
	// is missing in Blocks. Where none was looked at it is the cursor's own, and the number 0.
	Upto   hashchain.Head
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
	for {
		b := least(waiting, until)
		if b == nil {
			break
		}
		if len(page.Events) >= limit || !page.take(b, f, limit) {
			page.More = true
			return page
		}
	}
	for _, l := range lanes {
		page.More = page.More || l.Number > until
		if l.Upto.Seq > page.Next.Mark(l.Upto.Lane).Seq && l.Number <= until {
			page.Next = page.Next.With(MarkOf(l.Upto))
		}
	}
	return page
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
	made := Events(b)
	for i := mark.Given; i < len(made); i++ {
		if len(p.Events) >= limit {
			return false
		}
		e := &made[i]
		mark.Given = i + 1
		p.Next = p.Next.With(mark)
		if f.Keeps(e) {
			e.Cursor = p.Next
			p.Events = append(p.Events, *e)
		}
	}
	p.Next = p.Next.With(MarkOf(b.Head))
	p.Next.Epoch = max(p.Next.Epoch, b.Epoch)
	if n := len(p.Events); n > 0 && p.Events[n-1].Order.Number == b.Number && len(made) > 0 && p.Events[n-1].Order == made[len(made)-1].Order {
		p.Events[n-1].Cursor = p.Next
	}
	return true
}
