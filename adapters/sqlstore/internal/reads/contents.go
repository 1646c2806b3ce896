package reads

import (
	"context"
	"database/sql"
	"math"
	"strings"

	"github.com/casino-service/casino/adapters/sqlstore/internal/db"
	"github.com/casino-service/casino/adapters/sqlstore/internal/rows"
	"github.com/casino-service/casino/domain/audit"
	"github.com/casino-service/casino/domain/bet"
	"github.com/casino-service/casino/domain/event"
	"github.com/casino-service/casino/domain/hashchain"
	"github.com/casino-service/casino/domain/ledger"
	"github.com/casino-service/casino/domain/seamless"
)

// contents are what belongs to some blocks of a lane.
type contents struct {
	// which are the numbers of the blocks.
	which condition
	// of returns the content that the rows of a block are added to, nil for none.
	of func(seq int64) (*hashchain.Content, error)
	// wrong is called with a row that doesn't fit into its block; what it returns ends the walk.
	wrong func(seq int64, err error) error
	// pairs are those that rounds were drawn from; revealed takes which of them are
	// revealed, nil where nobody asks.
	pairs    *drawnFrom
	revealed func(map[string]string)
}

// condition is what narrows rows to blocks, in which @ stands for the table's alias.
type condition struct {
	text      string
	arguments []any
	// one says that it is of one run, as most are: its text is always the same.
	one bool
}

// run is a number of blocks in succession, both ends included.
type run struct{ from, to int64 }

// runs are the rows of some blocks of a lane.
func runs(lane int, all ...run) condition {
	c := condition{arguments: []any{lane}, one: len(all) == 1}
	for _, r := range all {
		c.arguments = append(c.arguments, r.from, r.to)
	}
	c.text = "@.lane = ? AND (@.seq BETWEEN ? AND ?" + strings.Repeat(" OR @.seq BETWEEN ? AND ?", len(all)-1) + ")"
	return c
}

func (c condition) of(alias string) string { return strings.ReplaceAll(c.text, "@", alias) }

// contents reads what belongs to blocks, and adds each row to its block's content.
func (r *Reads) contents(ctx context.Context, c contents) error {
	booked := bookedRounds{}
	if err := r.roundsOf(ctx, c, booked); err != nil {
		return err
	}
	if err := r.transfersOf(ctx, c, booked); err != nil {
		return err
	}
	for content, places := range booked {
		places.upTo(content, math.MaxInt64)
	}
	for _, part := range []func(context.Context, contents) error{r.auditOf, r.seamlessOf, r.eventsOf} {
		if err := part(ctx, c); err != nil {
			return err
		}
	}
	return nil
}

// part is one table of what blocks cover.
type part[T any] struct {
	doing string
	*rows.Model[T]
	from, alias string
}

var (
	partTransfers = part[rows.Transfer]{"read transfers", rows.Transfers, "kept_transfers", "t"}
	partRounds    = part[bet.Round]{"read rounds", rows.Played, "kept_rounds", "r"}
	partAudit     = part[audit.Record]{"read audit records", rows.Audit, "audit", "a"}
	partSeamless  = part[seamless.Transaction]{"read provider transactions", rows.ProviderTransactions, "provider_transactions", "t"}
	partEvents    = part[event.Event]{"read events", rows.Events, "ledger_events", "e"}
)

// visit reads the rows that belong to blocks of a lane, by block; position is a row's place
// among all those of its block.
func (p part[T]) visit(ctx context.Context, r *Reads, which condition, visit func(seq, position int64, row T) error) error {
	text := "SELECT " + p.Columns() + ", " + p.alias + ".seq, " + p.alias + ".position FROM " + p.from + " AS " + p.alias + " WHERE " + which.of(p.alias) +
		" ORDER BY " + p.alias + ".seq, " + p.alias + ".position"
	take := func(row db.Row) error {
		var seq, position int64
		v, err := p.ScanWith(row, &seq, &position)
		if err != nil {
			return err
		}
		return visit(seq, position, v)
	}
	if which.one && r.within != nil { // outside, a ledger is streamed, whose spans are planned for
		return r.kept(ctx, p.doing, text, which.arguments, func(row *sql.Rows) error { return take(row) })
	}
	return r.stream(ctx, p.doing, text, which.arguments, take)
}

// add reads the rows of one table, each into the content of its block.
func (p part[T]) add(ctx context.Context, r *Reads, c contents, add func(in *hashchain.Content, position int64, row T) error) error {
	return p.visit(ctx, r, c.which, func(seq, position int64, row T) error {
		content, err := c.of(seq)
		if err != nil || content == nil {
			return err
		}
		if err := add(content, position, row); err != nil {
			return c.wrong(seq, err)
		}
		return nil
	})
}

// bookedRounds are the places of rounds among the transfers of their blocks, whose
// postings are still to come.
type bookedRounds map[*hashchain.Content]*roundPlaces

type roundPlaces struct {
	positions []int64 // of all rounds of the block
	booked    int     // so many of them were booked
}

// upTo books the rounds of a content that stand before a position.
func (p *roundPlaces) upTo(b *hashchain.Content, position int64) {
	for ; p.booked < len(p.positions) && p.positions[p.booked] < position; p.booked++ {
		b.Postings = append(b.Postings, b.Rounds[p.booked].Posting())
	}
}

func (r *Reads) transfersOf(ctx context.Context, c contents, booked bookedRounds) error {
	return partTransfers.add(ctx, r, c,
		func(b *hashchain.Content, position int64, t rows.Transfer) error {
			if places := booked[b]; places != nil {
				places.upTo(b, position)
			}
			if t.N == 0 || len(b.Postings) == 0 {
				b.Postings = append(b.Postings, ledger.Posting{Key: t.Key})
			}
			last := &b.Postings[len(b.Postings)-1]
			if last.Key != t.Key || len(last.Transfers) != t.N {
				return db.Defect("transfer %d of posting %v is out of its order", t.N, t.Key)
			}
			last.Transfers = append(last.Transfers, t.Booked())
			return nil
		})
}

func (r *Reads) roundsOf(ctx context.Context, c contents, booked bookedRounds) error {
	err := partRounds.add(ctx, r, c,
		func(b *hashchain.Content, position int64, round bet.Round) error {
			places := booked[b]
			if places == nil {
				places = &roundPlaces{}
				booked[b] = places
			}
			b.Rounds, places.positions = append(b.Rounds, round), append(places.positions, position)
			return nil
		})
	if err != nil {
		return err
	}
	var played []*bet.Round
	for b := range booked {
		for i := range b.Rounds {
			played = append(played, &b.Rounds[i])
		}
	}
	if c.pairs == nil {
		c.pairs = &drawnFrom{}
	}
	revealed, err := r.drawn(ctx, c.pairs, played)
	if err == nil && c.revealed != nil {
		c.revealed(revealed)
	}
	return err
}

func (r *Reads) auditOf(ctx context.Context, c contents) error {
	return partAudit.add(ctx, r, c,
		func(b *hashchain.Content, _ int64, record audit.Record) error {
			b.Audit = append(b.Audit, record)
			return nil
		})
}

func (r *Reads) seamlessOf(ctx context.Context, c contents) error {
	return partSeamless.add(ctx, r, c,
		func(b *hashchain.Content, _ int64, t seamless.Transaction) error {
			b.Seamless = append(b.Seamless, t)
			return nil
		})
}

func (r *Reads) eventsOf(ctx context.Context, c contents) error {
	return partEvents.add(ctx, r, c,
		func(b *hashchain.Content, _ int64, made event.Event) error {
			b.Events = append(b.Events, made)
			return nil
		})
}
