package feed

import (
	"cmp"
	"context"
	"database/sql"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/casino-service/casino/adapters/sqlstore/internal/archive"
	"github.com/casino-service/casino/adapters/sqlstore/internal/chain"
	"github.com/casino-service/casino/adapters/sqlstore/internal/db"
	"github.com/casino-service/casino/adapters/sqlstore/internal/read"
	"github.com/casino-service/casino/adapters/sqlstore/internal/table"
	"github.com/casino-service/casino/domain/event"
	"github.com/casino-service/casino/domain/stream"
	"github.com/casino-service/casino/domain/wallet"
)

// A wallet's rounds and providers' transactions are found by their ids, which contain their
// creation time; its other events by an index of wallet and block. idToBlock covers the time
// between an id and the block of its row: the queue, the batch's tries, and clock differences
// between instances.
const idToBlock = 5 * time.Minute

// walletAtOnce is how many rows of a wallet are read at once.
const walletAtOnce = 500

// walletRead searches for a wallet's next blocks.
type walletRead struct {
	eventAsk
	*Store
	wallet wallet.Address
	// since is the least id that may be in an unread block, empty if ids don't contain times.
	since string
	// places are the blocks with rows of the wallet, and whether events were found there.
	places map[archive.Place]bool
	// ids are the rows found by id, by list.
	ids map[string][]archive.PlayedRow
	// bounds are the last ids read of lists with more rows; ends are the last blocks read of
	// lanes with more events.
	bounds []string
	ends   []archive.Place
}

// idLists are the lists that are searched by id. Rounds played step by step may have ended long
// after their ids were drawn: the same block has their events.
var idLists = []struct{ name, text string }{
	{"rounds", "SELECT t.id, t.lane, t.seq, FALSE FROM kept_rounds AS t WHERE t.wallet = ? AND t.id >= ?"},
	{"seamless", "SELECT t.id, t.lane, t.seq, FALSE FROM provider_transactions AS t WHERE t.wallet = ? AND t.id >= ?"},
}

// walletEvents reads the wallet's next blocks, with the wallet's rows only.
func (s *Store) walletEvents(ctx context.Context, ask eventAsk) (page stream.Page, err error) {
	w := &walletRead{eventAsk: ask, Store: s, wallet: ask.filter.Wallet}
	if s.IDFrom != nil {
		w.since = s.IDFrom(slices.MinFunc(slices.Collect(maps.Values(ask.moments)), time.Time.Compare).Add(-table.IDSlack - idToBlock))
	}
	var chosen []chain.Block
	until := int64(-1)
	for limit := walletAtOnce; ; limit *= 4 {
		if err := w.find(ctx, limit); err != nil {
			return page, err
		}
		var enough bool
		if chosen, until, enough, err = w.choose(ctx); err != nil {
			return page, err
		}
		if enough {
			break
		}
	}
	lanes, err := w.lanes(ctx, chosen, until)
	if err != nil {
		return page, err
	}
	page = stream.Cut(ask.after, lanes, ask.filter, ask.limit)
	page.More = page.More || until >= 0
	return page, nil
}

// find searches for blocks with rows of the wallet.
func (w *walletRead) find(ctx context.Context, limit int) error {
	w.places, w.ids, w.bounds, w.ends = map[archive.Place]bool{}, map[string][]archive.PlayedRow{}, nil, nil
	for _, l := range idLists {
		arguments := []any{w.Key(w.wallet), w.since}
		if l.name == "rounds" {
			arguments[1] = w.DB.Dialect.ID(w.since)
		}
		text := l.text
		if w.since != "" {
			text += " ORDER BY t.id LIMIT ?"
			arguments = append(arguments, limit)
		}
		found, err := read.Collect(ctx, w.Rows, "read where a wallet is in "+l.name, text, arguments, archive.ScanPlayed)
		if err != nil {
			return err
		}
		if w.since != "" && len(found) == limit {
			w.bounds = append(w.bounds, found[limit-1].ID)
		}
		for _, p := range found {
			if p.Seq >= first(w.after, p.Lane) {
				w.ids[l.name] = append(w.ids[l.name], p)
				w.places[p.Place] = true
			}
		}
	}
	return w.findThings(ctx, limit)
}

// findThings searches for blocks with events of the wallet.
func (w *walletRead) findThings(ctx context.Context, limit int) error {
	texts, arguments := make([]string, len(w.unread)), make([]any, 0, 4*len(w.unread))
	for i, head := range w.unread {
		texts[i] = `SELECT * FROM (SELECT DISTINCT e.lane, e.seq FROM ledger_events AS e
			WHERE e.wallet = ? AND e.wallet <> '' AND e.lane = ? AND e.seq >= ? ORDER BY e.seq LIMIT ?) AS one`
		arguments = append(arguments, string(w.wallet), head.Lane, first(w.after, head.Lane), limit)
	}
	found := map[int][]archive.Place{}
	err := w.Rows(ctx, "read where a wallet has events", strings.Join(texts, " UNION ALL "), arguments, func(row *sql.Rows) error {
		var p archive.Place
		err := row.Scan(&p.Lane, &p.Seq)
		w.places[p] = true
		found[p.Lane] = append(found[p.Lane], p)
		return err
	})
	for _, some := range found {
		if len(some) == limit {
			w.ends = append(w.ends, slices.MaxFunc(some, func(a, b archive.Place) int { return cmp.Compare(a.Seq, b.Seq) }))
		}
	}
	return err
}

// choose returns the blocks of the page, and the number up to which all of the wallet's blocks
// are known, -1 if there are no more. It reports false if too little was read to know any.
func (w *walletRead) choose(ctx context.Context) (chosen []chain.Block, until int64, enough bool, err error) {
	if chosen, err = w.found(ctx); err != nil {
		return nil, 0, false, err
	}
	number := make(map[archive.Place]int64, len(chosen))
	for _, b := range chosen {
		number[archive.Place{Lane: b.Lane, Seq: b.Seq}] = b.Number
	}
	until = -1
	bound := func(n int64) {
		if until < 0 || n < until {
			until = n
		}
	}
	for _, id := range w.bounds {
		safe := w.safe(id)
		last := int64(-1)
		for _, found := range w.ids {
			for _, p := range found {
				if p.ID < safe {
					last = max(last, number[p.Place])
				}
			}
		}
		if last < 0 {
			return nil, 0, false, nil
		}
		bound(last)
	}
	for _, end := range w.ends {
		bound(number[end])
	}
	if len(chosen) > w.limit {
		bound(chosen[w.limit-1].Number)
	}
	if until >= 0 {
		chosen = slices.DeleteFunc(chosen, func(b chain.Block) bool { return b.Number > until })
	}
	return chosen, until, true, nil
}

// safe returns an id with a row committed before those of all ids drawn after the given one.
func (w *walletRead) safe(id string) string {
	at, known := db.IDMoment(id)
	if !known {
		return ""
	}
	return w.IDFrom(at.Add(-table.IDSlack - idToBlock))
}

// found returns the blocks of the places, by number.
func (w *walletRead) found(ctx context.Context) (all []chain.Block, err error) {
	places := make([]archive.Place, 0, len(w.places))
	for p := range w.places {
		places = append(places, p)
	}
	for some := range slices.Chunk(places, archive.BlocksAtOnce) {
		blocks, err := archive.BlocksUnder(ctx, w.Reads, some, func(p archive.Place) (int, int64) { return p.Lane, p.Seq })
		if err != nil {
			return nil, err
		}
		all = append(all, blocks...)
	}
	slices.SortFunc(all, func(a, b chain.Block) int {
		return cmp.Or(cmp.Compare(a.Number, b.Number), cmp.Compare(a.Lane, b.Lane))
	})
	return all, nil
}

// lanes reads the wallet's rows of the chosen blocks. Each lane was searched up to its newest
// block, or up to the last one before until.
func (w *walletRead) lanes(ctx context.Context, chosen []chain.Block, until int64) ([]stream.Lane, error) {
	upto := w.unread
	if until >= 0 {
		texts, arguments := make([]string, len(w.unread)), make([]any, 0, 2*len(w.unread))
		for i, head := range w.unread {
			texts[i] = "SELECT * FROM (" + chain.Blocks.Select() + " WHERE b.lane = ? AND b.number <= ? ORDER BY b.number DESC LIMIT 1) AS one"
			arguments = append(arguments, head.Lane, until)
		}
		var err error
		if upto, err = read.Collect(ctx, w.Rows, "read the last blocks", strings.Join(texts, " UNION ALL "), arguments, chain.Blocks.Scan); err != nil {
			return nil, err
		}
	}
	pairs := &archive.DrawnFrom{}
	var lanes []stream.Lane
	for _, last := range upto {
		some := slices.DeleteFunc(slices.Clone(chosen), func(b chain.Block) bool { return b.Lane != last.Lane })
		lane := stream.Lane{Upto: last.Link(), Number: last.Number}
		if len(some) > 0 {
			read := newStreamRead(some)
			if err := w.rowsOf(ctx, last.Lane, read, pairs); err != nil {
				return nil, err
			}
			lane.Blocks = read.blocks
		}
		lanes = append(lanes, lane)
	}
	return lanes, nil
}

// rowsOf reads the wallet's rows of blocks of a lane.
func (w *walletRead) rowsOf(ctx context.Context, lane int, read *streamRead, pairs *archive.DrawnFrom) error {
	things := archive.Runs(lane, read.runs()...)
	things.Text += " AND @.wallet = ?"
	things.Arguments = append(things.Arguments, string(w.wallet))
	if err := w.streamRows(ctx, read, streamWhich{events: things}, pairs); err != nil {
		return err
	}
	return w.streamRows(ctx, read, streamWhich{
		rounds:   w.byID("rounds", lane, read, stepped(read), w.DB.Dialect.ID),
		seamless: w.byID("seamless", lane, read, nil, func(id string) any { return id }),
	}, pairs)
}

// byID returns the condition for rows of the blocks that were found by id, and for more ids.
func (w *walletRead) byID(name string, lane int, read *streamRead, more []string, as func(string) any) archive.Condition {
	for _, p := range w.ids[name] {
		if _, wanted := read.at[p.Seq]; wanted && p.Lane == lane {
			more = append(more, p.ID)
		}
	}
	if len(more) == 0 {
		return archive.Condition{}
	}
	slices.Sort(more)
	more = slices.Compact(more)
	c := archive.Condition{
		Text:      "@.wallet = ? AND @.lane = ? AND @.id IN (?" + strings.Repeat(", ?", len(more)-1) + ")",
		Arguments: []any{w.Key(w.wallet), lane},
	}
	for _, id := range more {
		c.Arguments = append(c.Arguments, as(id))
	}
	return c
}

// stepped returns the rounds played step by step with events in the blocks; some ended there.
func stepped(read *streamRead) (ids []string) {
	for i := range read.blocks {
		for _, row := range read.blocks[i].Rows {
			if row.Thing != nil && row.Thing.Kind == event.OpenRound {
				ids = append(ids, row.Thing.ID)
			}
		}
	}
	return ids
}
