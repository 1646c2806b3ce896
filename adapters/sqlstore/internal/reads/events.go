package reads

import (
	"cmp"
	"context"
	"database/sql"
	"math"
	"slices"
	"time"

	"github.com/casino-service/casino/adapters/sqlstore/internal/rows"
	"github.com/casino-service/casino/domain/audit"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/hashchain"
	"github.com/casino-service/casino/domain/stream"
	"github.com/casino-service/casino/ports"
)

var _ ports.Events = (*Reads)(nil)

// After serves ports.Events.
func (r *Reads) After(ctx context.Context, after stream.Cursor, f stream.Filter, limit int) (stream.Page, error) {
	if limit < 1 {
		return stream.Page{}, fault.Field("limit", "must be positive")
	}
	ask := eventAsk{after: after, filter: f, limit: limit}
	page, here, err := r.eventLook(ctx, ask)
	if here || err != nil {
		return page, err
	}
	err = r.moment(ctx, "read events", func(at *Reads) error {
		page, err = at.eventsAfter(ctx, ask)
		return err
	})
	return page, err
}

// Newest serves ports.Events.
func (r *Reads) Newest(ctx context.Context) (stream.Cursor, error) {
	heads, err := r.newest(ctx)
	links := make([]hashchain.Link, len(heads))
	for i, b := range heads {
		links[i] = b.Link()
	}
	return stream.CursorAt(links), err
}

// eventAsk is what a page of events is asked for.
type eventAsk struct {
	after  stream.Cursor
	filter stream.Filter
	limit  int
	// heads are the newest blocks of the lanes, and unread those of the lanes that have
	// anything after the cursor.
	heads, unread []rows.Block
	// moments are those of the first unread blocks, by lane.
	moments map[int]time.Time
}

func (r *Reads) eventsAfter(ctx context.Context, ask eventAsk) (page stream.Page, err error) {
	if ask.heads, err = r.newest(ctx); err != nil {
		return page, err
	}
	left, err := r.marksLeft(ctx, ask)
	if err != nil {
		return page, err
	}
	if left != nil {
		newest := rows.Block{}
		for _, head := range ask.heads {
			if head.Number > newest.Number {
				newest = head
			}
		}
		return stream.Lost(*left, newest.Link(), newest.At), nil
	}
	for _, head := range ask.heads {
		if mark := ask.after.Mark(head.Lane); head.Seq > mark.Seq || !mark.Whole() {
			ask.unread = append(ask.unread, head)
		}
	}
	if len(ask.unread) == 0 {
		return stream.Page{Next: ask.after}, nil
	}
	if ask.moments, err = r.firstMoments(ctx, ask); err != nil {
		return page, err
	}
	if err := r.notDropped(ctx, ask); err != nil {
		return page, err
	}
	if ask.filter.Wallet != "" {
		return r.walletEvents(ctx, ask)
	}
	return r.allEvents(ctx, ask)
}

// first is the first block of a lane that a cursor hasn't wholly passed.
func first(c stream.Cursor, lane int) int64 {
	mark := c.Mark(lane)
	if mark.Whole() {
		return mark.Seq + 1
	}
	return mark.Seq
}

// marksLeft returns nil where all blocks that the cursor names are there, and otherwise
// the cursor without those that aren't: after the newest that is left of what it had
// passed in the lane. What was written since the restore was found is none of that, though
// until the next epoch it has numbers that lost blocks had.
func (r *Reads) marksLeft(ctx context.Context, ask eventAsk) (left *stream.Cursor, err error) {
	var behind []hashchain.Head
	for _, mark := range ask.after.Marks {
		if !slices.ContainsFunc(ask.heads, func(b rows.Block) bool { return mark.Is(b.Head()) }) {
			behind = append(behind, hashchain.Head{Lane: mark.Lane, Seq: mark.Seq})
		}
	}
	if len(behind) == 0 {
		return nil, nil
	}
	there, err := r.BlocksAt(ctx, behind)
	if err != nil {
		return nil, err
	}
	gone := func(mark stream.Mark) bool {
		return slices.ContainsFunc(behind, func(h hashchain.Head) bool { return h.Lane == mark.Lane }) && !slices.ContainsFunc(there, mark.Is)
	}
	if !slices.ContainsFunc(ask.after.Marks, gone) {
		return nil, nil
	}
	found, err := r.restoreFound(ctx, ask.after.Epoch)
	if err != nil {
		return nil, err
	}
	kept := stream.Cursor{Epoch: ask.after.Epoch}
	for _, mark := range ask.after.Marks {
		if !gone(mark) {
			kept = kept.With(mark)
			continue
		}
		before, err := from(r, rows.Blocks).where("b.lane = ? AND b.seq < ? AND b.epoch <= ? AND b.number < ?", mark.Lane, mark.Seq, ask.after.Epoch, found).
			order("b.seq DESC").limit(1).kept(ctx, "read the newest block that is left")
		if err != nil {
			return nil, err
		}
		for _, b := range before {
			kept = kept.With(stream.MarkOf(b.Head()))
		}
	}
	return &kept, nil
}

// restoreFound is the number of the block in which it was written that the database had gone
// back in an epoch, or in the newest one before it that is left: blocks of this number or a
// greater one were written since. It is greater than all where nothing was found, or where
// nothing had been lost.
func (r *Reads) restoreFound(ctx context.Context, epoch int64) (number int64, err error) {
	number = math.MaxInt64
	err = r.rows(ctx, "read when a restore was found", `SELECT a.action, b.number FROM audit AS a JOIN blocks AS b ON b.lane = a.lane AND b.seq = a.seq
		WHERE a.action IN (?, ?, ?) AND b.epoch <= ? ORDER BY b.number DESC LIMIT 1`,
		[]any{audit.DatabaseRestored, audit.DatabaseReopened, audit.EpochBegun, epoch}, func(row *sql.Rows) error {
			var action audit.Action
			err := row.Scan(&action, &number)
			if action != audit.DatabaseRestored {
				number = math.MaxInt64
			}
			return err
		})
	return number, err
}

// eventWindow is the next blocks of all lanes by number, no further than each lane was read,
// and whether there are more.
func (r *Reads) eventWindow(ctx context.Context, ask eventAsk) (all []rows.Block, more bool, err error) {
	until := int64(-1)
	for _, head := range ask.unread {
		blocks, err := r.blocksFrom(ctx, "read blocks", head.Lane, first(ask.after, head.Lane), blocksAtOnce)
		if err != nil {
			return nil, false, err
		}
		if last := blocks[len(blocks)-1]; last.Seq < head.Seq && (until < 0 || last.Number < until) {
			until, more = last.Number, true
		}
		all = append(all, blocks...)
	}
	slices.SortStableFunc(all, func(a, b rows.Block) int { return cmp.Compare(a.Number, b.Number) })
	if more {
		all = slices.DeleteFunc(all, func(b rows.Block) bool { return b.Number > until })
	}
	return all, more, nil
}

// blocksFrom are the next blocks of a lane from a number on.
func (r *Reads) blocksFrom(ctx context.Context, doing string, lane int, seq int64, limit int) ([]rows.Block, error) {
	return from(r, rows.Blocks).where("b.lane = ? AND b.seq >= ?", lane, seq).order("b.seq").limit(limit).kept(ctx, doing)
}

// allEvents reads the next blocks, some at a time, until the page is full or has read enough.
func (r *Reads) allEvents(ctx context.Context, ask eventAsk) (stream.Page, error) {
	window, more, err := r.eventWindow(ctx, ask)
	if err != nil {
		return stream.Page{}, err
	}
	page := stream.Page{Next: ask.after}
	pairs := &drawnFrom{}
	// A page of n events is at most n blocks, and seldom more than one for each hundred.
	for read, next := 0, ask.limit/100+1; len(window) > 0; next *= 2 {
		some := window[:min(next, len(window))]
		window = window[len(some):]
		lanes, size, err := r.streamed(ctx, some, pairs)
		if err != nil {
			return stream.Page{}, err
		}
		part := stream.Cut(page.Next, lanes, ask.filter, ask.limit-len(page.Events))
		page.Events, page.Next = append(page.Events, part.Events...), part.Next
		if read += size; part.More || len(page.Events) == ask.limit || read > rowsAtOnce {
			page.More = part.More || more || len(window) > 0
			return page, nil
		}
	}
	page.More = more
	return page, nil
}

// streamed reads the contents of blocks that are sorted by number, and how many rows they
// have.
func (r *Reads) streamed(ctx context.Context, blocks []rows.Block, pairs *drawnFrom) (lanes []stream.Lane, size int, err error) {
	places := map[int][]rows.Block{}
	for _, b := range blocks {
		places[b.Lane] = append(places[b.Lane], b)
	}
	for lane, some := range places {
		made, unread := r.remembered(some)
		for _, b := range made {
			size += len(b.Rows)
		}
		if len(unread) > 0 {
			read := newStreamRead(unread)
			which := runs(lane, read.runs()...)
			if err := r.streamRows(ctx, read, streamWhich{rounds: which, audit: which, seamless: which, events: which}, pairs); err != nil {
				return nil, 0, err
			}
			made = append(made, read.blocks...)
			size += read.size
		}
		slices.SortFunc(made, func(a, b stream.Block) int { return cmp.Compare(a.Seq, b.Seq) })
		last := some[len(some)-1]
		lanes = append(lanes, stream.Lane{Blocks: made, Upto: last.Link(), Number: last.Number})
	}
	return lanes, size, nil
}

// remembered are the blocks whose rows this store has in memory, and those that are to be
// read.
func (r *Reads) remembered(blocks []rows.Block) (made []stream.Block, unread []rows.Block) {
	for _, b := range blocks {
		if kept, here := r.recent.Rows(b.Hash); here {
			made = append(made, stream.Block{Head: b.Head(), Number: b.Number, At: b.At, Epoch: b.Epoch, Rows: kept})
			continue
		}
		unread = append(unread, b)
	}
	return made, unread
}
