// Package feed reads the events of the ledger in commit order.
package feed

import (
	"cmp"
	"context"
	"database/sql"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/casino-service/casino/adapters/sqlstore/internal/archive"
	"github.com/casino-service/casino/adapters/sqlstore/internal/batch"
	"github.com/casino-service/casino/adapters/sqlstore/internal/chain"
	"github.com/casino-service/casino/adapters/sqlstore/internal/read"
	"github.com/casino-service/casino/domain/audit"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/hashchain"
	"github.com/casino-service/casino/domain/stream"
	"github.com/casino-service/casino/domain/wallet"
)

// Store implements ports.Events.
type Store struct {
	*archive.Store
	// Recent has the rows of recent commits.
	Recent *batch.Recent
}

// After implements ports.Events.
func (s *Store) After(ctx context.Context, after stream.Cursor, f stream.Filter, limit int) (stream.Page, error) {
	if limit < 1 {
		return stream.Page{}, fault.Field("limit", "must be positive")
	}
	ask := eventAsk{after: after, filter: f, limit: limit}
	page, here, err := s.eventLook(ctx, ask)
	if here || err != nil {
		return page, err
	}
	err = s.Settled(ctx, "read events", func(at *read.Reads) error {
		page, err = (&Store{&archive.Store{Reads: at}, s.Recent}).eventsAfter(ctx, ask)
		return err
	})
	return page, err
}

// Newest implements ports.Events.
func (s *Store) Newest(ctx context.Context) (stream.Cursor, error) {
	heads, err := archive.NewestBlocks(ctx, s.Reads)
	links := make([]hashchain.Link, len(heads))
	for i, b := range heads {
		links[i] = b.Link()
	}
	return stream.CursorAt(links), err
}

// eventAsk describes the requested page of events.
type eventAsk struct {
	after  stream.Cursor
	filter stream.Filter
	limit  int
	// heads are the newest blocks of the lanes, unread those of lanes with blocks after the
	// cursor.
	heads, unread []chain.Block
	// moments are the times of the first unread blocks, by lane.
	moments map[int]time.Time
}

func (s *Store) eventsAfter(ctx context.Context, ask eventAsk) (page stream.Page, err error) {
	if ask.heads, err = archive.NewestBlocks(ctx, s.Reads); err != nil {
		return page, err
	}
	left, err := s.marksLeft(ctx, ask)
	if err != nil {
		return page, err
	}
	if left != nil {
		newest := chain.Block{}
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
	if ask.moments, err = s.firstMoments(ctx, ask); err != nil {
		return page, err
	}
	if err := s.notDropped(ctx, ask); err != nil {
		return page, err
	}
	if ask.filter.Wallet != "" {
		return s.walletEvents(ctx, ask)
	}
	return s.allEvents(ctx, ask)
}

// first returns the first block of a lane that a cursor hasn't completely passed.
func first(c stream.Cursor, lane int) int64 {
	mark := c.Mark(lane)
	if mark.Whole() {
		return mark.Seq + 1
	}
	return mark.Seq
}

// marksLeft returns nil if all blocks of the cursor exist. Otherwise it replaces each missing
// block by the newest older one of its lane that the cursor had passed and that still exists.
// Blocks written after the restore was found don't count, although they may have numbers of lost
// blocks until the next epoch.
func (s *Store) marksLeft(ctx context.Context, ask eventAsk) (left *stream.Cursor, err error) {
	var behind []hashchain.Head
	for _, mark := range ask.after.Marks {
		if !slices.ContainsFunc(ask.heads, func(b chain.Block) bool { return mark.Is(b.Head()) }) {
			behind = append(behind, hashchain.Head{Lane: mark.Lane, Seq: mark.Seq})
		}
	}
	if len(behind) == 0 {
		return nil, nil
	}
	there, err := s.BlocksAt(ctx, behind)
	if err != nil {
		return nil, err
	}
	gone := func(mark stream.Mark) bool {
		return slices.ContainsFunc(behind, func(h hashchain.Head) bool { return h.Lane == mark.Lane }) && !slices.ContainsFunc(there, mark.Is)
	}
	if !slices.ContainsFunc(ask.after.Marks, gone) {
		return nil, nil
	}
	found, err := s.restoreFound(ctx, ask.after.Epoch)
	if err != nil {
		return nil, err
	}
	kept := stream.Cursor{Epoch: ask.after.Epoch}
	for _, mark := range ask.after.Marks {
		if !gone(mark) {
			kept = kept.With(mark)
			continue
		}
		before, err := read.From(s.Reads, chain.Blocks).Where("b.lane = ? AND b.seq < ? AND b.epoch <= ? AND b.number < ?", mark.Lane, mark.Seq, ask.after.Epoch, found).
			Order("b.seq DESC").Limit(1).Kept(ctx, "read the newest block that is left")
		if err != nil {
			return nil, err
		}
		for _, b := range before {
			kept = kept.With(stream.MarkOf(b.Head()))
		}
	}
	return &kept, nil
}

// restoreFound returns the number of the block that recorded that the database was set back, in
// this epoch or the newest remaining one before it: blocks from this number on were written after
// that. It is greater than all numbers if there is none, or if nothing was lost.
func (s *Store) restoreFound(ctx context.Context, epoch int64) (number int64, err error) {
	number = math.MaxInt64
	err = s.Rows(ctx, "read when a restore was found", `SELECT a.action, b.number FROM audit AS a JOIN blocks AS b ON b.lane = a.lane AND b.seq = a.seq
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

// eventWindow returns the next blocks of all lanes by number, up to the least point that all
// lanes were read to, and whether there are more.
func (s *Store) eventWindow(ctx context.Context, ask eventAsk) (all []chain.Block, more bool, err error) {
	until := int64(-1)
	for _, head := range ask.unread {
		blocks, err := s.blocksFrom(ctx, "read blocks", head.Lane, first(ask.after, head.Lane), archive.BlocksAtOnce)
		if err != nil {
			return nil, false, err
		}
		if last := blocks[len(blocks)-1]; last.Seq < head.Seq && (until < 0 || last.Number < until) {
			until, more = last.Number, true
		}
		all = append(all, blocks...)
	}
	slices.SortStableFunc(all, func(a, b chain.Block) int { return cmp.Compare(a.Number, b.Number) })
	if more {
		all = slices.DeleteFunc(all, func(b chain.Block) bool { return b.Number > until })
	}
	return all, more, nil
}

// blocksFrom returns the next blocks of a lane, from a number on.
func (s *Store) blocksFrom(ctx context.Context, doing string, lane int, seq int64, limit int) ([]chain.Block, error) {
	return read.From(s.Reads, chain.Blocks).Where("b.lane = ? AND b.seq >= ?", lane, seq).Order("b.seq").Limit(limit).Kept(ctx, doing)
}

// allEvents reads the next blocks, some at a time, until the page is full or it has read enough.
func (s *Store) allEvents(ctx context.Context, ask eventAsk) (stream.Page, error) {
	window, more, err := s.eventWindow(ctx, ask)
	if err != nil {
		return stream.Page{}, err
	}
	page := stream.Page{Next: ask.after}
	pairs := &archive.DrawnFrom{}
	// A page of n events has at most n blocks, and seldom more than one per hundred.
	for read, next := 0, ask.limit/100+1; len(window) > 0; next *= 2 {
		some := window[:min(next, len(window))]
		window = window[len(some):]
		lanes, size, err := s.streamed(ctx, some, pairs)
		if err != nil {
			return stream.Page{}, err
		}
		part := stream.Cut(page.Next, lanes, ask.filter, ask.limit-len(page.Events))
		page.Events, page.Next = append(page.Events, part.Events...), part.Next
		if read += size; part.More || len(page.Events) == ask.limit || read > archive.RowsAtOnce {
			page.More = part.More || more || len(window) > 0
			return page, nil
		}
	}
	page.More = more
	return page, nil
}

// streamed reads the contents of blocks sorted by number, and returns how many rows they have.
func (s *Store) streamed(ctx context.Context, blocks []chain.Block, pairs *archive.DrawnFrom) (lanes []stream.Lane, size int, err error) {
	places := map[int][]chain.Block{}
	for _, b := range blocks {
		places[b.Lane] = append(places[b.Lane], b)
	}
	for lane, some := range places {
		made, unread := s.remembered(some)
		for _, b := range made {
			size += len(b.Rows)
		}
		if len(unread) > 0 {
			read := newStreamRead(unread)
			which := archive.Runs(lane, read.runs()...)
			if err := s.streamRows(ctx, read, streamWhich{rounds: which, audit: which, seamless: which, events: which}, pairs); err != nil {
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

// remembered returns the blocks with rows in memory, and those to be read.
func (s *Store) remembered(blocks []chain.Block) (made []stream.Block, unread []chain.Block) {
	for _, b := range blocks {
		if kept, here := s.Recent.Rows(b.Hash); here {
			made = append(made, stream.Block{Head: b.Head(), Number: b.Number, At: b.At, Epoch: b.Epoch, Rows: kept})
			continue
		}
		unread = append(unread, b)
	}
	return made, unread
}

// lookBlocks is how many blocks of a lane eventLook reads, and lookLanes how many lanes a cursor
// may have for it: more than instances use, so that a forged cursor makes no huge statement.
const lookBlocks, lookLanes = archive.BlocksAtOnce, 32

// eventLook returns a page for a listener that is nearly up to date, from rows in memory that
// this store's own writers committed: one statement finds the next blocks, and nothing else is
// read. It reports false if that isn't enough: another instance committed some blocks, a lane
// began, or a block of the cursor is missing.
//
// The statement sees one snapshot, and blocks don't change, so no other read must share it. Rows
// in memory are returned even if their month's tables are gone.
func (s *Store) eventLook(ctx context.Context, ask eventAsk) (page stream.Page, here bool, err error) {
	if lanes := len(ask.after.Marks); lanes == 0 || lanes > lookLanes || !s.Recent.Reaches(ask.after.Marks) {
		return page, false, nil
	}
	text, arguments := lookText(ask.after)
	found, err := read.Collect(ctx, s.Kept, "look for new blocks", text, arguments, chain.Blocks.Scan)
	if err != nil {
		return page, false, err
	}
	lanes := make([]stream.Lane, 0, len(ask.after.Marks))
	for _, mark := range ask.after.Marks {
		of := slices.DeleteFunc(slices.Clone(found), func(b chain.Block) bool { return b.Lane != mark.Lane })
		slices.SortFunc(of, func(a, b chain.Block) int { return cmp.Compare(a.Seq, b.Seq) })
		if found = slices.DeleteFunc(found, func(b chain.Block) bool { return b.Lane == mark.Lane }); len(of) == 0 || !mark.Is(of[0].Head()) {
			return page, false, nil
		}
		more := len(of) == lookBlocks
		if mark.Whole() {
			of = of[1:]
		}
		if len(of) == 0 {
			continue
		}
		made, unread := s.remembered(of)
		if len(unread) > 0 {
			return page, false, nil
		}
		last := of[len(of)-1]
		lanes = append(lanes, stream.Lane{Blocks: onlyOf(ask.filter.Wallet, made), Upto: last.Link(), Number: last.Number, More: more})
	}
	if len(found) > 0 { // of a lane that the cursor doesn't have
		return page, false, nil
	}
	return stream.Cut(ask.after, lanes, ask.filter, ask.limit), true, nil
}

// lookText returns the query of each mark's block and those after it, and of one block of any
// other lane.
func lookText(after stream.Cursor) (text string, arguments []any) {
	var texts []string
	ask := func(which string, values ...any) {
		texts = append(texts, "SELECT * FROM ("+chain.Blocks.Select()+" WHERE "+which+" LIMIT ?) AS one")
		arguments = append(arguments, values...)
	}
	next := 0
	for _, mark := range after.Marks {
		if mark.Lane > next {
			ask("b.lane >= ? AND b.lane < ? ORDER BY b.lane, b.seq", next, mark.Lane, 1)
		}
		ask("b.lane = ? AND b.seq >= ? ORDER BY b.seq", mark.Lane, mark.Seq, lookBlocks)
		next = mark.Lane + 1
	}
	ask("b.lane >= ? AND b.lane <= ? ORDER BY b.lane, b.seq", next, math.MaxInt16, 1)
	return strings.Join(texts, " UNION ALL "), arguments
}

// onlyOf keeps the rows of a wallet, or all for an empty one: a player's events depend on no
// other rows.
func onlyOf(w wallet.Address, blocks []stream.Block) []stream.Block {
	if w == "" {
		return blocks
	}
	some := make([]stream.Block, 0, len(blocks))
	for _, b := range blocks {
		whole := b.Rows
		b.Rows = nil
		for i := range whole {
			if whole[i].Wallet() == w {
				b.Rows = append(b.Rows, whole[i])
			}
		}
		if len(b.Rows) > 0 {
			some = append(some, b)
		}
	}
	return some
}
