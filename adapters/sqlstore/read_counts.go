package sqlstore

import (
	"context"
	"database/sql"
	"fmt"
	"strconv"
	"time"

	"github.com/casino-service/casino/domain/figure"
	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/ports"
)

// countedRounds is how many rounds there are under a filter, the house's own and
// those of providers, each up to one more than TotalMax at least.
type countedRounds struct {
	own, provided countedSort
	// slack is how far ids may be from their moments on the days that are told.
	slack time.Duration
}

// countedSort is a count of rounds of one sort.
type countedSort struct {
	n int
	// first and last are the days between which all of them lie, empty where that
	// isn't known.
	first, last string
	// more says that there may be some that n doesn't count.
	more bool
}

func (c countedRounds) total() (total int, capped bool) { return upTo(c.own.n + c.provided.n) }

// countRounds counts what a filter leaves. What kept figures tell apart is added
// up from them, whole days at a time, so that nothing is counted that is many; all
// of a player's own rounds are told by his nonces, and those under a filter, like
// the beginning and end of a span within a day, are counted one by one.
//
// Both only ever grow, so the sum is a number that was true between the first
// question and the last.
func (s *Store) countRounds(ctx context.Context, filter ports.RoundFilter, own, provided list) (countedRounds, error) {
	days, ok := wholeDays(filter.From, filter.To)
	if filter.Wallet != "" || !ok {
		switch filter {
		case ports.RoundFilter{Wallet: filter.Wallet}:
			own.tally = s.noncesOf(own, filter.Wallet)
		case ports.RoundFilter{Wallet: filter.Wallet, GameType: filter.GameType}:
			return s.countOfGame(ctx, filter, own, provided)
		}
		return s.countOneByOne(ctx, own, provided)
	}
	c, listedFrom, err := s.addUp(ctx, filter, provided, days)
	if err != nil {
		return c, err
	}
	var rest []list // what no figure tells
	for _, span := range days.ends {
		rest = append(rest, s.spanOf(filter, own, span), s.spanOf(filter, provided, span))
	}
	if listedFrom > days.first { // some months before that day are not in the tables any more
		until, err := time.Parse(time.DateOnly, listedFrom)
		if err != nil {
			return c, err
		}
		if !days.to.IsZero() && days.to.Before(until) {
			until = days.to
		}
		rest = append(rest, s.spanOf(filter, own, [2]time.Time{days.from, until}))
	}
	if len(rest) == 0 {
		return c, nil
	}
	c.own, c.provided = countedSort{n: c.own.n, more: true}, countedSort{n: c.provided.n, more: true}
	if c.own.n+c.provided.n > ports.TotalMax {
		return c, nil
	}
	counts, err := s.counted(ctx, rest...)
	for i, n := range counts {
		if rest[i].from == own.from {
			c.own.n += n
		} else {
			c.provided.n += n
		}
	}
	c.own.more, c.provided.more = false, false
	return c, err
}

// countOneByOne counts providers' rounds only where the house's aren't too many.
func (s *Store) countOneByOne(ctx context.Context, own, provided list) (c countedRounds, err error) {
	others, arguments := provided.counting(nil)
	owns, arguments := own.counting(arguments)
	text := fmt.Sprintf("SELECT n, CASE WHEN n > %d THEN -1 ELSE %s END FROM (SELECT %s AS n LIMIT 1) AS own", ports.TotalMax, others, owns)
	err = s.db.Read.QueryRowContext(ctx, text, arguments...).Scan(&c.own.n, &c.provided.n)
	if c.provided.n < 0 {
		c.provided = countedSort{more: true}
	}
	return c, err
}

// countOfGame tells a player's own rounds of a game by what is kept with his active
// pair, and looks at providers' rounds only where a provider has such a game. With
// months out of the tables rounds are counted one by one.
func (s *Store) countOfGame(ctx context.Context, filter ports.RoundFilter, own, provided list) (c countedRounds, err error) {
	var listedFrom, kept string
	var offered bool
	err = s.db.Read.QueryRowContext(ctx, "SELECT "+s.db.Dialect.ListedFrom()+`,
		coalesce((SELECT played FROM seed_pairs WHERE wallet = ? AND state = 'active'), ''),
		EXISTS (SELECT 1 FROM provider_rounds WHERE game = ?)`, string(filter.Wallet), filter.GameType).Scan(&listedFrom, &kept, &offered)
	if err != nil {
		return c, err
	}
	if listedFrom != "" {
		return s.countOneByOne(ctx, own, provided)
	}
	c.own.n = int(min(played(kept).of(filter.GameType), ports.TotalMax+1))
	if !offered || c.own.n > ports.TotalMax {
		c.provided.more = offered
		return c, nil
	}
	counts, err := s.counted(ctx, provided)
	c.provided.n = counts[0]
	return c, err
}

// noncesOf counts a player's own rounds by the nonces of his pairs: each round took
// one. With months out of the tables they are counted one by one.
func (s *Store) noncesOf(own list, w wallet.Address) tally {
	counted, arguments := own.count([]any{string(w), string(w), ports.TotalMax + 1})
	return tally{text: "(SELECT CASE WHEN " + s.db.Dialect.ListedFrom() + ` = '' THEN
		(SELECT coalesce(sum(nonce), 0) FROM seed_pairs WHERE wallet = ? AND state = 'active') +
		(SELECT coalesce(sum(nonce), 0) FROM (SELECT nonce FROM seed_pairs WHERE wallet = ? AND state = 'retired' AND nonce > 0 LIMIT ?) AS retired)
		ELSE ` + counted + " END)", arguments: arguments}
}

// spanOf are the rounds of a sort under a filter, in a span of its own.
func (s *Store) spanOf(filter ports.RoundFilter, sort list, span [2]time.Time) list {
	l := list{from: sort.from, id: sort.id, slack: sort.slack}
	l.figures(filter, "r.")
	s.between(&l, "r.at", span[0], span[1])
	return l
}

// The cells that are added up of each sort: the newest at first, which are enough
// where there is much, and then as many as may be needed, because each has a round
// at least.
const (
	newestCells = 200
	everyCell   = ports.TotalMax + 1
)

// addUp counts by kept figures. A provider's round that no bet began is in none
// of them and is counted by an index of its own. listedFrom is the day from which
// on all of the house's rounds are in the tables.
func (s *Store) addUp(ctx context.Context, filter ports.RoundFilter, provided list, days dayRange) (c countedRounds, listedFrom string, err error) {
	c, listedFrom, enough, err := s.addUpTo(ctx, filter, provided, days, newestCells)
	if !enough && err == nil {
		c, listedFrom, _, err = s.addUpTo(ctx, filter, provided, days, everyCell)
	}
	return c, listedFrom, err
}

func (s *Store) addUpTo(ctx context.Context, filter ports.RoundFilter, provided list, days dayRange, cells int) (c countedRounds, listedFrom string, enough bool, err error) {
	var kept conditions
	kept.figures(filter, "")
	if days.first != "" {
		kept.add("day >= ?", days.first)
	}
	if days.until != "" {
		kept.add("day < ?", days.until)
	}
	listed, order := s.db.Dialect.ListedFrom(), ""
	if cells == newestCells {
		order = " ORDER BY day DESC"
	}
	text, arguments := "", []any{}
	for i, part := range [...]struct{ answer, more string }{
		{listed, "source = '" + figure.Own + "' AND day >= " + listed}, {"''", "source <> '" + figure.Own + "'"},
	} {
		k := conditions{texts: append([]string{"rounds > 0", part.more}, kept.texts...)}
		text += "SELECT " + strconv.Itoa(i) + ", " + part.answer + `, count(*), coalesce(sum(rounds), 0), coalesce(min(day), ''), coalesce(max(day), '')
			FROM (SELECT rounds, day FROM daily_figures` + k.where() + order + " LIMIT ?) AS kept UNION ALL "
		arguments = append(append(arguments, kept.arguments...), cells)
	}
	loose := s.spanOf(filter, provided, [2]time.Time{days.from, days.to})
	loose.texts = append(loose.texts, "r.loose") // so few that they are counted in one
	few, arguments := loose.count(arguments)
	text += "SELECT 2, '', 0, " + few + ", '', '' UNION ALL SELECT 3, '', 0, coalesce(max(drift), 0), '', '' FROM id_drift"
	var parts [4]countedSort
	complete := true
	err = s.rows(ctx, "add rounds up", text, arguments, func(row *sql.Rows) error {
		var which, found int
		var from string
		var part countedSort
		err := row.Scan(&which, &from, &found, &part.n, &part.first, &part.last)
		if found >= cells {
			complete, part.first = false, ""
			if order == "" {
				part.last = ""
			}
		}
		if which == 0 {
			listedFrom = from
		}
		parts[which] = part
		return err
	})
	c.own, c.provided, c.slack = parts[0], parts[1], slackOf(parts[3].n)
	if loose := parts[2].n; loose > 0 {
		c.provided = countedSort{n: c.provided.n + loose}
	}
	return c, listedFrom, complete || c.own.n+c.provided.n > ports.TotalMax, err
}

// worthReading are the lists of which there is anything, bounded to the days in
// which all of it lies: a page of what is rare doesn't look through all the rest.
func (s *Store) worthReading(own, provided list, c countedRounds) (lists []list) {
	for _, part := range [...]struct {
		list
		countedSort
	}{{own, c.own}, {provided, c.provided}} {
		if part.n == 0 && !part.more {
			continue
		}
		l := part.list
		if first, err := time.Parse(time.DateOnly, part.first); err == nil && s.idFrom != nil {
			l = l.under(l.id+" >= ?", s.idFrom(first.Add(-c.slack)))
		}
		if last, err := time.Parse(time.DateOnly, part.last); err == nil && s.idFrom != nil {
			l = l.under(l.id+" < ?", s.idFrom(last.AddDate(0, 0, 1).Add(c.slack)))
		}
		lists = append(lists, l)
	}
	return lists
}

// dayRange is a span of time as whole days UTC, which figures are kept of, and
// what it has beside them.
type dayRange struct {
	// first is inclusive, until exclusive; empty where the span has no such bound.
	first, until string
	// from and to are the moments of first and until, zero where those are empty.
	from, to time.Time
	// ends are the parts of the first and the last day, each from inclusive, to exclusive.
	ends [][2]time.Time
}

const day = 24 * time.Hour

// wholeDays splits a span into whole days and its ends; false says that no whole
// day is in it, or that days that far away have no name.
func wholeDays(from, to time.Time) (d dayRange, ok bool) {
	for _, bound := range [...]time.Time{from, to} {
		if year := bound.UTC().Year(); year < 1 || year > 9998 {
			return d, false
		}
	}
	if !from.IsZero() {
		if d.from = from.UTC().Truncate(day); d.from.Before(from) {
			d.from = d.from.Add(day)
			d.ends = append(d.ends, [2]time.Time{from, d.from})
		}
		d.first = figure.Day(d.from)
	}
	if !to.IsZero() {
		if d.to = to.UTC().Truncate(day); d.to.Before(to) {
			d.ends = append(d.ends, [2]time.Time{d.to, to})
		}
		d.until = figure.Day(d.to)
	}
	return d, from.IsZero() || to.IsZero() || d.from.Before(d.to)
}
