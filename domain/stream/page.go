package stream

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/hashchain"
)

// Cursor is a position in the stream: the blocks passed in each lane. The zero Cursor is
// the beginning. Its text is the same for every instance and never changes meaning. It
// holds no secret and gives no rights: the filter decides what is visible.
type Cursor struct {
	// Epoch is the greatest epoch of the blocks passed.
	Epoch int64
	// Marks are sorted by lane; a missing lane hasn't begun.
	Marks []Mark
}

// Mark is the last block passed in a lane, in whole or part.
type Mark struct {
	Lane int
	// Seq is 0 if no block was passed.
	Seq int64
	// Check is the beginning of the block's hash: it shows whether a restore lost the
	// block.
	Check [checkSize]byte
	// Row is 0 if the whole block was passed. Otherwise the block was passed up to event
	// Part of the row at position Row-1, independent of the page's filter: a reader who
	// continues with another filter misses nothing.
	Row, Part int
}

const (
	checkSize     = 4
	cursorVersion = 1
	// lanesMax is above the number of lanes of any ledger: it limits the size of forged
	// cursors.
	lanesMax = 512
	rowMax   = 1 << 24
)

// MarkOf returns the mark of a completely passed block.
func MarkOf(h hashchain.Head) Mark {
	return Mark{Lane: h.Lane, Seq: h.Seq, Check: [checkSize]byte(h.Hash[:checkSize])}
}

// Is reports whether the mark is of this block.
func (m Mark) Is(h hashchain.Head) bool {
	return m.Lane == h.Lane && m.Seq == h.Seq && m.Check == MarkOf(h).Check
}

// upTo returns the mark of a block passed up to an event.
func upTo(b *Block, e *Event) Mark {
	m := MarkOf(b.Head)
	m.Row, m.Part = e.Order.Position+1, e.Order.Part
	return m
}

// Whole reports whether all of the block was passed.
func (m Mark) Whole() bool { return m.Row == 0 }

// hasPassed reports whether an event of the block was passed.
func (m Mark) hasPassed(o Order) bool {
	return m.Whole() || o.Position < m.Row-1 || o.Position == m.Row-1 && o.Part <= m.Part
}

// Mark returns the mark of a lane, the lane's beginning if missing.
func (c Cursor) Mark(lane int) Mark {
	if i, found := c.findLane(lane); found {
		return c.Marks[i]
	}
	return Mark{Lane: lane}
}

func (c Cursor) findLane(lane int) (int, bool) {
	return slices.BinarySearchFunc(c.Marks, lane, func(m Mark, lane int) int { return cmp.Compare(m.Lane, lane) })
}

// With returns the cursor with a lane's mark replaced.
func (c Cursor) With(m Mark) Cursor {
	c.Marks = slices.Clone(c.Marks)
	i, found := c.findLane(m.Lane)
	if !found {
		c.Marks = slices.Insert(c.Marks, i, m)
	}
	c.Marks[i] = m
	return c
}

// Equal reports whether both are the same position.
func (c Cursor) Equal(other Cursor) bool {
	return c.Epoch == other.Epoch && slices.Equal(c.Marks, other.Marks)
}

// Passed reports whether the position is after an event.
func (c Cursor) Passed(e *Event) bool {
	m := c.Mark(e.Lane)
	return m.Seq > e.Seq || m.Seq == e.Seq && m.hasPassed(e.Order)
}

// isBefore reports whether another mark of the lane is further on.
func (m Mark) isBefore(other Mark) bool {
	switch {
	case m.Seq != other.Seq:
		return m.Seq < other.Seq
	case m.Whole() || other.Whole():
		return !m.Whole()
	}
	return cmp.Or(cmp.Compare(m.Row, other.Row), cmp.Compare(m.Part, other.Part)) < 0
}

// Later returns the first position that is before neither, lane by lane.
func (c Cursor) Later(other Cursor) Cursor {
	if !slices.ContainsFunc(c.Marks, other.isBehind) { // true for listeners who read event by event
		other.Epoch = max(c.Epoch, other.Epoch)
		return other
	}
	later := Cursor{Epoch: max(c.Epoch, other.Epoch), Marks: c.Marks}
	for _, m := range other.Marks {
		if later.isBehind(m) {
			later = later.With(m)
		}
	}
	return later
}

// isBehind reports whether the cursor hasn't reached a mark.
func (c Cursor) isBehind(m Mark) bool {
	i, found := c.findLane(m.Lane)
	return !found || c.Marks[i].isBefore(m)
}

// CursorAt returns the position after the newest blocks of all lanes.
func CursorAt(heads []hashchain.Link) (c Cursor) {
	for _, h := range heads {
		c.Epoch = max(c.Epoch, h.Epoch)
		c = c.With(MarkOf(h.Head))
	}
	return c
}

// String formats the cursor as letters, digits, "-" and "_", empty for the beginning.
func (c Cursor) String() string {
	if len(c.Marks) == 0 {
		return ""
	}
	raw := binary.AppendUvarint([]byte{cursorVersion}, uint64(c.Epoch)) // #nosec G115 -- epochs are counted from 1
	for _, m := range c.Marks {
		raw = binary.AppendUvarint(raw, uint64(m.Lane)) // #nosec G115 -- lanes are counted from 0
		raw = binary.AppendUvarint(raw, uint64(m.Seq))  // #nosec G115 -- blocks are counted from 1
		raw = binary.AppendUvarint(raw, uint64(m.Row))  // #nosec G115 -- a count
		raw = binary.AppendUvarint(raw, uint64(m.Part)) // #nosec G115 -- a count
		raw = append(raw, m.Check[:]...)
	}
	return base64.RawURLEncoding.EncodeToString(append(raw, sumOf(raw)...))
}

// sumOf returns a checksum that detects a cut or mistyped cursor.
func sumOf(raw []byte) []byte {
	sum := sha256.Sum256(raw)
	return sum[:checkSize]
}

var errCursor = fault.Field("cursor", "is invalid: use one that this service returned")

// ParseCursor parses the form of String. The fault for any other text is Invalid.
func ParseCursor(text string) (Cursor, error) {
	if text == "" {
		return Cursor{}, nil
	}
	raw, err := base64.RawURLEncoding.Strict().DecodeString(text)
	lines := strings.ContainsAny(text, "\r\n") // the decoder ignores them
	if err != nil || lines || len(raw) < 2*checkSize || raw[0] != cursorVersion {
		return Cursor{}, errCursor
	}
	body := raw[:len(raw)-checkSize]
	if !bytes.Equal(sumOf(body), raw[len(body):]) {
		return Cursor{}, errCursor
	}
	read := reader{rest: body[1:]}
	c := Cursor{Epoch: read.readNumber(hashchain.SeqMax)}
	for len(read.rest) > 0 && !read.failed && len(c.Marks) < lanesMax {
		c.Marks = append(c.Marks, read.readMark())
	}
	sorted := slices.IsSortedFunc(c.Marks, func(a, b Mark) int { return cmp.Compare(a.Lane, b.Lane) })
	apart := len(slices.CompactFunc(slices.Clone(c.Marks), func(a, b Mark) bool { return a.Lane == b.Lane })) == len(c.Marks)
	if read.failed || len(read.rest) > 0 || len(c.Marks) == 0 || !sorted || !apart {
		return Cursor{}, errCursor
	}
	return c, nil
}

// reader reads numbers; a missing or too large one sets its error.
type reader struct {
	rest   []byte
	failed bool
}

func (r *reader) readNumber(greatest int64) int64 {
	value, size := binary.Uvarint(r.rest)
	if size <= 0 || value > uint64(greatest) { // #nosec G115 -- positive
		r.failed = true
		return 0
	}
	r.rest = r.rest[size:]
	return int64(value) // #nosec G115 -- at most greatest
}

func (r *reader) readMark() (m Mark) {
	m.Lane, m.Seq = int(r.readNumber(hashchain.LaneMax)), r.readNumber(hashchain.SeqMax)
	m.Row, m.Part = int(r.readNumber(rowMax)), int(r.readNumber(rowMax))
	if r.failed || m.Seq == 0 || len(r.rest) < checkSize {
		r.failed = true
		return m
	}
	m.Check = [checkSize]byte(r.rest[:checkSize])
	r.rest = r.rest[checkSize:]
	return m
}

// Page is a sequence of events.
type Page struct {
	Events []Event
	// Next is the position after them, and after the events between them that the filter
	// left out.
	Next Cursor
	// More reports that more may be available at once.
	More bool
}

// Lane is the part of a lane that was read for a page, from the cursor's mark on.
type Lane struct {
	// Blocks are in order of seq: the mark's own block if it was passed in part, and those
	// after it. If only a wallet's rows were read, blocks without any are missing.
	Blocks []Block
	// Upto is the last block examined, Number its number: Blocks is complete up to it. Its
	// Seq is 0 if none was examined.
	Upto   hashchain.Link
	Number int64
	// More reports that the lane has blocks after Upto.
	More bool
}

// Cut makes a page of at most limit events from the parts of every lane, all read at one
// moment: in order of block numbers, and no further than each lane was read.
func Cut(after Cursor, lanes []Lane, f Filter, limit int) Page {
	page := Page{Next: after}
	until := int64(math.MaxInt64)
	for _, l := range lanes {
		if l.More {
			until, page.More = min(until, l.Number), true
		}
	}
	waiting := slices.Clone(lanes)
	for b := takeLowest(waiting, until); b != nil; b = takeLowest(waiting, until) {
		if !page.takeBlock(b, f, limit) {
			page.More = true
			return page
		}
	}
	for _, l := range lanes {
		if page.More = page.More || l.Number > until; l.Number <= until {
			page.Next = page.Next.advancePast(l.Upto)
		}
	}
	return page
}

// advancePast returns the cursor after a block, unless it was passed before.
func (c Cursor) advancePast(b hashchain.Link) Cursor {
	if mark := c.Mark(b.Lane); b.Seq > mark.Seq || b.Seq > 0 && b.Seq == mark.Seq && !mark.Whole() {
		c = c.With(MarkOf(b.Head))
		c.Epoch = max(c.Epoch, b.Epoch)
	}
	return c
}

// takeLowest removes the block with the lowest number, at most until, from the waiting
// lanes.
func takeLowest(waiting []Lane, until int64) *Block {
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

// takeBlock adds a block's events, and reports false if the page has no room for all of
// them.
func (p *Page) takeBlock(b *Block, f Filter, limit int) bool {
	mark := p.Next.Mark(b.Lane)
	made := slices.DeleteFunc(Events(b), func(e Event) bool { return mark.Seq == b.Seq && mark.hasPassed(e.Order) || !f.Keeps(&e) })
	room := max(0, limit-len(p.Events))
	p.addEvents(b, made[:min(len(made), room)])
	if len(made) > room {
		return false
	}
	p.Next = p.Next.advancePast(b.chainLink())
	return true
}

// addEvents adds events of a block. Their positions differ only in the mark of its lane.
func (p *Page) addEvents(b *Block, some []Event) {
	if len(some) == 0 {
		return
	}
	p.Next = p.Next.With(upTo(b, &some[0]))
	p.Next.Epoch = max(p.Next.Epoch, b.Epoch)
	lane, _ := p.Next.findLane(b.Lane)
	for i := range some {
		e := &some[i]
		p.Next.Marks = slices.Clone(p.Next.Marks) // so that keeping a cursor keeps nothing else in memory
		p.Next.Marks[lane] = upTo(b, e)
		e.Lane, e.Seq, e.Cursor = b.Lane, b.Seq, p.Next
	}
	p.Events = append(p.Events, some...)
}

func (b *Block) chainLink() hashchain.Link { return hashchain.Link{Head: b.Head, Epoch: b.Epoch} }

// Lost returns the page for a cursor that names blocks lost in a restore. Next is the
// cursor without them: for each lane, the newest remaining block that the cursor had
// passed. newest is the newest block of the lanes at that moment; its epoch is the
// event's subject.
func Lost(next Cursor, newest hashchain.Link, at time.Time) Page {
	e := restoredEvent(newest)
	e.At, e.Cursor = at, next
	return Page{Events: []Event{e}, Next: next, More: true}
}

// restoredEvent returns a LedgerRestored of an epoch, with an id made from a block.
func restoredEvent(of hashchain.Link) Event {
	epoch := strconv.FormatInt(of.Epoch, 10)
	return Event{ID: "restored." + epoch + "." + strconv.Itoa(of.Lane) + "." + strconv.FormatInt(of.Seq, 10), Type: LedgerRestored, Subject: epoch}
}

// Found returns the LedgerRestored for a cursor that was restored together with the
// database, and so names no lost block. It replaces the LedgerClosed that recorded the
// restore. The epoch is the one that followed.
func Found(closed *Event, epoch int64) Event {
	e := restoredEvent(hashchain.Link{Head: hashchain.Head{Lane: closed.Lane, Seq: closed.Seq}, Epoch: epoch})
	e.At, e.Order, e.Lane, e.Seq, e.Cursor = closed.At, closed.Order, closed.Lane, closed.Seq, closed.Cursor
	return e
}
