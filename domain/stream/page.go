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

// Cursor is a place in the stream: which blocks of each lane were passed. The zero one is
// the beginning. As text it is the same for every instance and for ever; it names no
// secret and gives no right: what may be heard is the filter's.
type Cursor struct {
	// Epoch is the greatest one of the blocks that were passed.
	Epoch int64
	// Marks are sorted by lane; a lane that isn't there hasn't begun.
	Marks []Mark
}

// Mark is the last block of a lane that was passed, whole or in part.
type Mark struct {
	Lane int
	// Seq is 0 where none was.
	Seq int64
	// Check is the beginning of the block's hash: it tells that a restore took the block.
	Check [checkSize]byte
	// Row is 0 where the whole block was passed. Otherwise it was passed up to an event of
	// the row at position Row-1, the Part-th of that row, whichever filter the page had:
	// so whoever goes on with another filter misses nothing.
	Row, Part int
}

const (
	checkSize     = 4
	cursorVersion = 1
	// lanesMax is more than a ledger has lanes: whoever forges a cursor makes nobody read
	// a long one.
	lanesMax = 512
	rowMax   = 1 << 24
)

// MarkOf is the mark of a block that was wholly passed.
func MarkOf(h hashchain.Head) Mark {
	return Mark{Lane: h.Lane, Seq: h.Seq, Check: [checkSize]byte(h.Hash[:checkSize])}
}

// Is reports whether the mark was made of such a block.
func (m Mark) Is(h hashchain.Head) bool {
	return m.Lane == h.Lane && m.Seq == h.Seq && m.Check == MarkOf(h).Check
}

// upTo is the mark of a block that was passed up to an event.
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

// Mark returns the mark of a lane; one that isn't there is the lane's beginning.
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

// Equal reports whether both are the same place.
func (c Cursor) Equal(other Cursor) bool {
	return c.Epoch == other.Epoch && slices.Equal(c.Marks, other.Marks)
}

// Passed reports whether the place is after an event.
func (c Cursor) Passed(e *Event) bool {
	m := c.Mark(e.Lane)
	return m.Seq > e.Seq || m.Seq == e.Seq && m.hasPassed(e.Order)
}

// isBefore reports whether another mark of the lane is further than this one.
func (m Mark) isBefore(other Mark) bool {
	switch {
	case m.Seq != other.Seq:
		return m.Seq < other.Seq
	case m.Whole() || other.Whole():
		return !m.Whole()
	}
	return cmp.Or(cmp.Compare(m.Row, other.Row), cmp.Compare(m.Part, other.Part)) < 0
}

// Later is the first place that is before neither of both, lane by lane.
func (c Cursor) Later(other Cursor) Cursor {
	if !slices.ContainsFunc(c.Marks, other.isBehind) { // as it is of whoever hears event after event
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

// isBehind reports whether the place hasn't come to a mark.
func (c Cursor) isBehind(m Mark) bool {
	i, found := c.findLane(m.Lane)
	return !found || c.Marks[i].isBefore(m)
}

// CursorAt returns the place after the newest blocks of all lanes.
func CursorAt(heads []hashchain.Link) (c Cursor) {
	for _, h := range heads {
		c.Epoch = max(c.Epoch, h.Epoch)
		c = c.With(MarkOf(h.Head))
	}
	return c
}

// String returns the cursor as text of letters, digits, "-" and "_", empty for the
// beginning.
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

// sumOf finds a cursor that was cut or mistyped.
func sumOf(raw []byte) []byte {
	sum := sha256.Sum256(raw)
	return sum[:checkSize]
}

var errCursor = fault.Field("cursor", "is none that this service made")

// ParseCursor reads what String wrote. Invalid is the fault of any other text.
func ParseCursor(text string) (Cursor, error) {
	if text == "" {
		return Cursor{}, nil
	}
	raw, err := base64.RawURLEncoding.Strict().DecodeString(text)
	lines := strings.ContainsAny(text, "\r\n") // which the decoder skips
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

// reader reads numbers; one that isn't there or is too great fails it.
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

// advancePast is the cursor after a block, unless that was passed before.
func (c Cursor) advancePast(b hashchain.Link) Cursor {
	if mark := c.Mark(b.Lane); b.Seq > mark.Seq || b.Seq > 0 && b.Seq == mark.Seq && !mark.Whole() {
		c = c.With(MarkOf(b.Head))
		c.Epoch = max(c.Epoch, b.Epoch)
	}
	return c
}

// takeLowest takes the block of the least number, none above until, from the lanes that wait.
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

// takeBlock adds a block's events, and reports false where the page has no room for all of them.
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

// addEvents adds events of a block, whose places differ in the mark of its lane alone.
func (p *Page) addEvents(b *Block, some []Event) {
	if len(some) == 0 {
		return
	}
	p.Next = p.Next.With(upTo(b, &some[0]))
	p.Next.Epoch = max(p.Next.Epoch, b.Epoch)
	lane, _ := p.Next.findLane(b.Lane)
	for i := range some {
		e := &some[i]
		p.Next.Marks = slices.Clone(p.Next.Marks) // whoever keeps a place keeps nothing else
		p.Next.Marks[lane] = upTo(b, e)
		e.Lane, e.Seq, e.Cursor = b.Lane, b.Seq, p.Next
	}
	p.Events = append(p.Events, some...)
}

func (b *Block) chainLink() hashchain.Link { return hashchain.Link{Head: b.Head, Epoch: b.Epoch} }

// Lost is the page for a cursor that names blocks which a restore took. Next is the cursor
// without them: of each lane the newest block that is left of those which the cursor had
// passed. Newest is the newest block of the lanes, at its moment; its epoch is the event's
// subject.
func Lost(next Cursor, newest hashchain.Link, at time.Time) Page {
	e := restoredEvent(newest)
	e.At, e.Cursor = at, next
	return Page{Events: []Event{e}, Next: next, More: true}
}

// restoredEvent is a LedgerRestored of an epoch, named after a block.
func restoredEvent(of hashchain.Link) Event {
	epoch := strconv.FormatInt(of.Epoch, 10)
	return Event{ID: "restored." + epoch + "." + strconv.Itoa(of.Lane) + "." + strconv.FormatInt(of.Seq, 10), Type: LedgerRestored, Subject: epoch}
}

// Found is the LedgerRestored for whoever's place went back together with the database, and
// so names nothing that is gone: in the place of the LedgerClosed by which it was written
// that the database went back. The epoch is the one that followed.
func Found(closed *Event, epoch int64) Event {
	e := restoredEvent(hashchain.Link{Head: hashchain.Head{Lane: closed.Lane, Seq: closed.Seq}, Epoch: epoch})
	e.At, e.Order, e.Lane, e.Seq, e.Cursor = closed.At, closed.Order, closed.Lane, closed.Seq, closed.Cursor
	return e
}
