package sqlstore

import (
	"fmt"
	"slices"
	"time"

	"github.com/casino-service/casino/ports"
)

// standing narrows by what counts tell apart too; prefix names the table.
func (c *conditions) standing(filter ports.TransactionFilter, prefix string) {
	c.equals(prefix+"type", string(filter.Type))
	c.equals(prefix+"status", filter.Status)
	c.equals(prefix+"token", string(filter.Token))
	c.equals(prefix+"agent", filter.Agent)
}

// countedTransactions tells how many transactions there are under a filter from
// what is kept of them, empty where nothing tells. A status may change while it is
// asked, so everything is asked in one query, of one moment.
func (s *Store) countedTransactions(filter ports.TransactionFilter, slack time.Duration) tally {
	var kept conditions
	kept.standing(filter, "")
	days, whole := wholeDays(filter.From, filter.To)
	anyTime := filter.From.IsZero() && filter.To.IsZero()
	switch {
	case filter.Wallet != "" && anyTime:
		kept.add("wallet = ?", string(filter.Wallet))
		return tally{text: "(SELECT coalesce(sum(n), 0) FROM player_transactions" + kept.where() + ")", arguments: kept.arguments}
	case filter.Wallet != "" || !whole:
		return tally{}
	case anyTime:
		short := ever(kept)
		short.most = fewCounts
		first, rest := short.tally("NULL"), inSteps(newestDays(kept.with("day > ?", ""), 8), ever(kept))
		first.otherwise = &rest
		return first
	}
	sum := s.countedDays(kept, days)
	if len(days.ends) == 0 {
		return sum
	}
	// What days leave over is counted, unless there is enough without.
	text, counts := "", []any{}
	for _, span := range days.ends {
		part := filter
		part.From, part.To = span[0], span[1]
		var count string
		count, counts = s.transactionList(part, slack).counting(counts)
		text += " + " + count
	}
	return tally{
		text: fmt.Sprintf("(SELECT CASE WHEN n > %d THEN n ELSE n%s END FROM (SELECT %s AS n LIMIT 1) AS kept)",
			ports.TotalMax, text, sum.text),
		arguments: append(counts, sum.arguments...),
	}
}

// countedDays tells how many transactions there are in whole days.
func (*Store) countedDays(kept conditions, days dayRange) tally {
	kept = kept.with("day > ?", "").with("day >= ?", days.first)
	if days.until != "" {
		kept = kept.with("day < ?", days.until)
	}
	if days.first != "" && days.until != "" && days.to.Sub(days.from) <= 31*day {
		return inSteps(newestDays(kept, 2), all(kept))
	}
	return inSteps(newestDays(kept, 8), newestDays(kept, 64), all(kept))
}

// fewCounts is how many rows of counts are added up without asking for less.
const fewCounts = 2000

// step is a look at kept counts: a query of rows with a number n, and after how many
// it stops.
type step struct {
	rows      string
	arguments []any
	// most is how many rows it looks at, 0 for all.
	most int
	// sound says that what some rows add up to is there, although there are more.
	sound bool
}

// tally is what the step adds up to, or what another tells where it saw too little.
func (s step) tally(otherwise string) tally {
	const sum = "SELECT count(*) AS found, coalesce(sum(n), 0) AS n FROM ("
	if s.most == 0 {
		return tally{text: "(SELECT n FROM (" + sum + s.rows + ") AS kept) AS step)", arguments: s.arguments}
	}
	enough := fmt.Sprintf("found < %d", s.most)
	if s.sound {
		enough += fmt.Sprintf(" OR n > %d", ports.TotalMax)
	}
	return tally{
		text: fmt.Sprintf("(SELECT CASE WHEN %s THEN n ELSE %s END FROM (%s%s LIMIT %d) AS kept) AS step)",
			enough, otherwise, sum, s.rows, s.most),
		arguments: s.arguments,
	}
}

// inSteps adds counts up by the first step that sees all rows, or more than anybody
// is told of.
func inSteps(steps ...step) (t tally) {
	for _, s := range slices.Backward(steps) {
		one := s.tally(t.text)
		one.arguments = append(t.arguments, one.arguments...)
		t = one
	}
	return t
}

// ever are the counts of all days.
func ever(kept conditions) step {
	return all(kept.with("day = ?", ""))
}

// all are the counts under the conditions.
func all(kept conditions) step {
	return step{rows: "SELECT n FROM lane_transactions" + kept.where(), arguments: kept.arguments}
}

// newestDays are the sums of so many days, which are enough where there is much.
// Lanes may be below zero, all of them together not.
func newestDays(kept conditions, most int) step {
	return step{
		rows:      "SELECT sum(n) AS n FROM lane_transactions" + kept.where() + " GROUP BY day ORDER BY day DESC",
		arguments: kept.arguments, most: most, sound: true,
	}
}
