package sqlstore

import (
	"fmt"

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
func (s *Store) countedTransactions(filter ports.TransactionFilter) tally {
	var kept conditions
	kept.standing(filter, "")
	days, whole := wholeDays(filter.From, filter.To)
	anyTime := filter.From.IsZero() && filter.To.IsZero()
	switch {
	case filter.Wallet != "" && anyTime:
		kept.add("wallet = ?", string(filter.Wallet))
		return tally{"(SELECT coalesce(sum(n), 0) FROM player_transactions" + kept.where() + ")", kept.arguments}
	case filter.Wallet != "" || !whole:
		return tally{}
	case anyTime:
		return inSteps(everInShort(kept), newestDays(kept, 8), ever(kept))
	}
	if days.first != "" {
		kept.add("day >= ?", days.first)
	}
	if days.until != "" {
		kept.add("day < ?", days.until)
	}
	sum := inSteps(newestDays(kept, 8), newestDays(kept, 64), allDays(kept))
	if len(days.ends) == 0 {
		return sum
	}
	// What the figures of days leave over is counted, unless there is enough without.
	text, counts := "", []any{}
	for _, span := range days.ends {
		part := filter
		part.From, part.To = span[0], span[1]
		var count string
		count, counts = s.transactionList(part).counting(counts)
		text += " + " + count
	}
	return tally{
		fmt.Sprintf("(SELECT CASE WHEN n > %d THEN n ELSE n%s END FROM (SELECT %s AS n LIMIT 1) AS kept)", ports.TotalMax, text, sum.text),
		append(counts, sum.arguments...),
	}
}

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

// inSteps adds counts up by the first step that tells enough: one that saw all rows,
// or more than anybody is told of.
func inSteps(steps ...step) tally {
	one := steps[0]
	sum := "SELECT count(*) AS found, coalesce(sum(n), 0) AS n FROM (" + one.rows
	if one.most == 0 {
		return tally{"(SELECT n FROM (" + sum + ") AS kept) AS step)", one.arguments}
	}
	enough := fmt.Sprintf("found < %d", one.most)
	if one.sound {
		enough += fmt.Sprintf(" OR n > %d", ports.TotalMax)
	}
	next := inSteps(steps[1:]...)
	return tally{
		fmt.Sprintf("(SELECT CASE WHEN %s THEN n ELSE %s END FROM (%s LIMIT %d) AS kept) AS step)", enough, next.text, sum, one.most),
		append(next.arguments, one.arguments...),
	}
}

// everInShort are the counts of all days where there are few, as there are unless
// operators are many.
func everInShort(kept conditions) step {
	short := ever(kept)
	short.most = 2000
	return short
}

// ever are the counts of all days.
func ever(kept conditions) step {
	kept.texts = append([]string{"day = ''"}, kept.texts...)
	return step{rows: "SELECT n FROM lane_transactions" + kept.where(), arguments: kept.arguments}
}

// newestDays are the sums of so many days, which are enough where there is much.
func newestDays(kept conditions, most int) step {
	days := allDays(kept)
	days.rows += " ORDER BY day DESC"
	days.most, days.sound = most, true
	return days
}

// allDays are the sums of days. Lanes may be below zero, all of them together not.
func allDays(kept conditions) step {
	kept.texts = append([]string{"day > ''"}, kept.texts...)
	return step{rows: "SELECT sum(n) AS n FROM lane_transactions" + kept.where() + " GROUP BY day", arguments: kept.arguments}
}
