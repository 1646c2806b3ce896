package system

import (
	"encoding/binary"
	"time"

	"github.com/google/uuid"
)

// id holds the variable parts of a UUID of version 7 (RFC 9562, section 5.7): 48 bits of
// Unix milliseconds and 74 bits that are random at first and count upwards within a
// millisecond.
type id struct {
	millis uint64
	high   uint16 // 12 bits
	low    uint64 // 62 bits
}

const (
	highBits = 12
	lowBits  = 62
)

// aheadMax is how far ids may be ahead of the clock. If the clock is set back by more, ids
// go back too, because lists use ids to find records of a time span.
const aheadMax = 30 * time.Second

// ID returns a UUID of version 7 as 36 characters of lower-case text. Each sorts as text
// after the one before it, also within one millisecond and while the clock steps back by up
// to half a minute; its millisecond doesn't advance until the clock has caught up.
//
// google/uuid's NewV7 isn't used because it reads time.Now and keeps its order in a package
// variable, which tests can't control.
func (s *System) ID() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	if millis := uint64(max(s.now().UnixMilli(), 0)); millis > s.last.millis || s.last.millis-millis > uint64(aheadMax.Milliseconds()) {
		s.last = s.randomID(millis)
	} else {
		s.last = s.nextID(s.last)
	}
	s.latest = max(s.latest, s.last.millis)
	return s.last.String()
}

// SessionIDs returns the system with ids for sessions. They never go back, however far the
// clock is set back, not even behind another id of the system. A session's start is read
// from its id, so a session that begins after a sign-out never looks older than it.
func (s *System) SessionIDs() *SessionIDs { return &SessionIDs{s} }

// SessionIDs is a System whose ids never go back. It serves ports.Entropy.
type SessionIDs struct{ *System }

// ID returns a UUID of version 7 that sorts after the one before it.
func (s *SessionIDs) ID() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	if millis := max(uint64(max(s.now().UnixMilli(), 0)), s.latest); millis > s.session.millis {
		s.session = s.randomID(millis)
	} else {
		s.session = s.nextID(s.session)
	}
	return s.session.String()
}

// randomID returns an id with 74 new random bits.
func (s *System) randomID(millis uint64) id {
	var bits [10]byte
	s.readRandom(bits[:])
	return id{
		millis: millis,
		high:   binary.BigEndian.Uint16(bits[:2]) & (1<<highBits - 1),
		low:    binary.BigEndian.Uint64(bits[2:]) & (1<<lowBits - 1),
	}
}

// nextID adds a random distance, so that an id doesn't reveal its neighbours (RFC 9562,
// section 6.2, method 2). If the counter overflows, it takes the next millisecond.
func (s *System) nextID(last id) id {
	var step [4]byte
	s.readRandom(step[:])
	last.low += 1 + uint64(binary.BigEndian.Uint32(step[:]))
	if last.low>>lowBits == 0 {
		return last
	}
	last.low &= 1<<lowBits - 1
	last.high++
	if last.high>>highBits == 0 {
		return last
	}
	return s.randomID(last.millis + 1)
}

// String returns the id in the layout of RFC 9562, with version 7 and variant 10.
func (i id) String() string {
	var raw uuid.UUID
	binary.BigEndian.PutUint64(raw[:8], i.millis<<16|7<<highBits|uint64(i.high))
	binary.BigEndian.PutUint64(raw[8:], 1<<63|i.low)
	return raw.String()
}

// IDFrom returns the least id that can be drawn at the time or later. An id has the
// millisecond in which it was drawn, or a later one while a clock that stepped back catches
// up.
func IDFrom(moment time.Time) string {
	return id{millis: uint64(max(moment.UnixMilli(), 0))}.String()
}

// DrawnAt returns the time in an id, to the millisecond; false if the text is not a UUID of
// version 7.
func DrawnAt(text string) (time.Time, bool) {
	parsed, err := uuid.Parse(text)
	if err != nil || parsed.Version() != 7 || parsed.String() != text {
		return time.Time{}, false
	}
	return time.UnixMilli(int64(binary.BigEndian.Uint64(parsed[:8]) >> 16)).UTC(), true
}
