package sqlstore

import "time"

// idSlack is how far the moment that an id tells may be from the one of its row where
// no drift is kept, or none was asked for: ids go on counting while a clock that was
// set back catches up.
const idSlack = time.Hour

// between narrows by a moment, from inclusive, to exclusive; zero times don't.
// Where ids tell their moment they bound the list too, so that it is found by the
// index it is sorted by, its slack beyond the span. It comes after the list's other
// conditions.
func (s *Store) between(l *list, column string, from, to time.Time) {
	if s.idFrom != nil {
		l.split = s.splitOf(*l, column, from, to)
	}
	s.bound(l, column, from, to)
}

// bound narrows by a moment, and by ids that may be the list's slack from it.
func (s *Store) bound(l *list, column string, from, to time.Time) {
	if !from.IsZero() {
		l.add(column+" >= ?", micros(from))
	}
	if !to.IsZero() {
		l.add(column+" < ?", micros(to))
	}
	s.drawn(l, from, to, l.slack)
}

// drawn narrows by when ids were drawn, where they tell it, so far beyond the span
// (or so far inside of it, where the slack is negative).
func (s *Store) drawn(l *list, from, to time.Time, slack time.Duration) {
	if s.idFrom == nil {
		return
	}
	if !from.IsZero() {
		l.add(l.id+" >= ?", s.idFrom(from.Add(-slack)))
	}
	if !to.IsZero() {
		l.add(l.id+" < ?", s.idFrom(to.Add(slack)))
	}
}

// split is a list of a span of time in parts. Ids of the inside say by themselves
// that their rows are in the span, so that an index counts them without the rows;
// only those of the ends are looked at.
type split struct {
	inside list
	ends   []list
	// bare says that the list has no other conditions: ids alone tell the inside.
	bare bool
}

// splitOf is nil for spans without an inside.
func (s *Store) splitOf(l list, column string, from, to time.Time) *split {
	if from.IsZero() && to.IsZero() || !from.IsZero() && !to.IsZero() && to.Sub(from) < 3*l.slack {
		return nil
	}
	certain := l.slack + time.Millisecond // ids tell milliseconds
	parts := &split{inside: l.apart(), bare: len(l.texts) == 0}
	s.drawn(&parts.inside, from, to, -certain)
	if !from.IsZero() {
		end := l.apart()
		end.add(column+" >= ?", micros(from))
		s.drawn(&end, from, from.Add(certain-l.slack), l.slack)
		parts.ends = append(parts.ends, end)
	}
	if !to.IsZero() {
		end := l.apart()
		end.add(column+" < ?", micros(to))
		s.drawn(&end, to.Add(l.slack-certain), to, l.slack)
		parts.ends = append(parts.ends, end)
	}
	return parts
}
