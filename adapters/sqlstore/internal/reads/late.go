package reads

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/casino-service/casino/adapters/sqlstore/internal/db"
	"github.com/casino-service/casino/adapters/sqlstore/internal/rows"
)

// lateAfter are the ages at which a round that was played step by step comes into the next
// class of lateness, of which the schema's function of that name has the same. So few rounds
// of a class are read beside those that were open at a moment: they ended within the
// class's greatest age after it, and were open for a tenth of that at least.
var lateAfter = [...]time.Duration{
	rows.IDSlack, 10 * time.Minute, 100 * time.Minute, 1_000 * time.Minute, 10_000 * time.Minute, 100_000 * time.Minute,
}

// lateRounds narrows a list of rounds to a class of lateness. A round's id tells when it was opened, so that those which ended in a span and were open
// for longer than an id may be from its row's moment are not where the ids of the span are.
const (
	lateRounds    = "r.actions <> '' AND lateness(r.id, r.at) "
	allLateRounds = lateRounds + "IN (1, 2, 3, 4, 5, 6)"
)

// late is what a list of rounds lacks that is narrowed by a span of time: rounds that began
// before the span's ids do and ended within it.
func (r *Reads) late(of list, from, to time.Time) list {
	for i := range lateAfter {
		var c conditions
		c.is(lateRounds + "= " + strconv.Itoa(i+1))
		c.add("r.at >= ?", db.Micros(from))
		c.add("r.id < ?", of.key(r.db.Dialect, r.idFrom(from.Add(-rows.IDSlack))))
		if until := i + 1; until < len(lateAfter) {
			most := lateAfter[until] + time.Millisecond // ids tell milliseconds
			c.add("r.id >= ?", of.key(r.db.Dialect, r.idFrom(from.Add(-most))))
			c.add("r.at < ?", db.Micros(from.Add(most)))
		}
		if !to.IsZero() {
			c.add("r.at < ?", db.Micros(to))
		}
		of.among = append(of.among, c)
	}
	of.spanned = true
	return of
}

// ofAmong asks for the ids of all that fulfil one of the list's own conditions and those of
// the list. The limit leaves nothing out: a planner who is free to sort by ids would walk
// down them instead.
func (l list) ofAmong() (text string, arguments []any) {
	arms := make([]string, len(l.among))
	for i, c := range l.among {
		c.texts, c.arguments = slices.Concat(c.texts, l.texts), slices.Concat(c.arguments, l.arguments)
		arms[i] = "SELECT " + l.id + " AS id FROM " + l.from + c.where()
		arguments = append(arguments, c.arguments...)
	}
	return "SELECT among.id AS id FROM (" + strings.Join(arms, " UNION ALL ") + " LIMIT 9223372036854775807) AS among", arguments
}
