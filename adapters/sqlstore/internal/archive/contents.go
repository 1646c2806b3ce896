package archive

import (
	"context"
	"database/sql"
	"math"
	"slices"
	"strings"

	"github.com/casino-service/casino/adapters/sqlstore/internal/chain"
	"github.com/casino-service/casino/adapters/sqlstore/internal/db"
	"github.com/casino-service/casino/adapters/sqlstore/internal/play"
	"github.com/casino-service/casino/adapters/sqlstore/internal/provider"
	"github.com/casino-service/casino/adapters/sqlstore/internal/read"
	"github.com/casino-service/casino/adapters/sqlstore/internal/table"
	"github.com/casino-service/casino/domain/audit"
	"github.com/casino-service/casino/domain/bet"
	"github.com/casino-service/casino/domain/event"
	"github.com/casino-service/casino/domain/fairness"
	"github.com/casino-service/casino/domain/hashchain"
	"github.com/casino-service/casino/domain/ledger"
	"github.com/casino-service/casino/domain/seamless"
)

// Contents says how to read the contents of some blocks of a lane.
type Contents struct {
	// Which selects the blocks.
	Which Condition
	// Of returns the content to which the rows of a block are added, nil for none.
	Of func(seq int64) (*hashchain.Content, error)
	// Wrong is called with the error of a row that doesn't fit its block; if it returns an error,
	// reading ends.
	Wrong func(seq int64, err error) error
	// pairs caches the seed pairs of rounds; revealed receives those that are revealed, if it
	// isn't nil.
	pairs    *DrawnFrom
	revealed func(map[string]string)
}

// Condition selects rows by block, with @ for the table's alias.
type Condition struct {
	Text      string
	Arguments []any
	// one says that it selects one run, as most do: its text is always the same.
	one bool
}

// Run is a range of consecutive block numbers, including both ends.
type Run struct{ From, To int64 }

// gapMax is how many unwanted blocks are read rather than skipped.
const gapMax = 16

// RunsOf returns runs that include all these sorted numbers, and the numbers in small gaps.
func RunsOf(seqs []int64) (spans []Run) {
	for _, seq := range seqs {
		if last := len(spans) - 1; last >= 0 && seq-spans[last].To <= gapMax {
			spans[last].To = seq
			continue
		}
		spans = append(spans, Run{seq, seq})
	}
	return spans
}

// Runs returns the condition for some blocks of a lane.
func Runs(lane int, all ...Run) Condition {
	c := Condition{Arguments: []any{lane}, one: len(all) == 1}
	for _, r := range all {
		c.Arguments = append(c.Arguments, r.From, r.To)
	}
	c.Text = "@.lane = ? AND (@.seq BETWEEN ? AND ?" + strings.Repeat(" OR @.seq BETWEEN ? AND ?", len(all)-1) + ")"
	return c
}

// Of returns the condition for a table with this alias.
func (c Condition) Of(alias string) string { return strings.ReplaceAll(c.Text, "@", alias) }

// ReadContents reads the contents of blocks, and adds each row to its block's content.
func ReadContents(ctx context.Context, r *read.Reads, c Contents) error {
	booked := bookedRounds{}
	if err := roundsOf(ctx, r, c, booked); err != nil {
		return err
	}
	if err := transfersOf(ctx, r, c, booked); err != nil {
		return err
	}
	for content, places := range booked {
		places.upTo(content, math.MaxInt64)
	}
	for _, part := range []func(context.Context, *read.Reads, Contents) error{auditOf, seamlessOf, eventsOf} {
		if err := part(ctx, r, c); err != nil {
			return err
		}
	}
	return nil
}

// part is a table of rows that blocks cover.
type part[T any] struct {
	doing string
	*table.Model[T]
	from, alias string
}

var (
	partTransfers = part[Transfer]{"read transfers", Transfers, "kept_transfers", "t"}
	PartRounds    = part[bet.Round]{"read rounds", play.Played, "kept_rounds", "r"}
	PartAudit     = part[audit.Record]{"read audit records", chain.Audit, "audit", "a"}
	PartSeamless  = part[seamless.Transaction]{"read provider transactions", provider.ProviderTransactions, "provider_transactions", "t"}
	PartEvents    = part[event.Event]{"read events", chain.Events, "ledger_events", "e"}
)

// Visit reads the covered rows of blocks of a lane, by block; position is a row's place among all
// rows of its block.
func (p part[T]) Visit(ctx context.Context, r *read.Reads, which Condition, visit func(seq, position int64, row T) error) error {
	text := "SELECT " + p.Columns() + ", " + p.alias + ".seq, " + p.alias + ".position FROM " + p.from + " AS " + p.alias + " WHERE " + which.Of(p.alias) +
		" ORDER BY " + p.alias + ".seq, " + p.alias + ".position"
	ask := r.Rows
	if which.one && r.Within != nil { // the spans of a whole ledger are planned each time
		ask = r.Kept
	}
	return ask(ctx, p.doing, text, which.Arguments, func(row *sql.Rows) error {
		var seq, position int64
		v, err := p.ScanWith(row, &seq, &position)
		if err != nil {
			return err
		}
		return visit(seq, position, v)
	})
}

// add reads the rows of one table into the contents of their blocks.
func (p part[T]) add(ctx context.Context, r *read.Reads, c Contents, add func(in *hashchain.Content, position int64, row T) error) error {
	return p.Visit(ctx, r, c.Which, func(seq, position int64, row T) error {
		content, err := c.Of(seq)
		if err != nil || content == nil {
			return err
		}
		if err := add(content, position, row); err != nil {
			return c.Wrong(seq, err)
		}
		return nil
	})
}

// bookedRounds are the positions of rounds, by block, whose postings must still be inserted among
// the transfers.
type bookedRounds map[*hashchain.Content]*roundPlaces

type roundPlaces struct {
	positions []int64 // of all rounds of the block
	booked    int     // how many of them were inserted
}

// upTo inserts the postings of the rounds before a position.
func (p *roundPlaces) upTo(b *hashchain.Content, position int64) {
	for ; p.booked < len(p.positions) && p.positions[p.booked] < position; p.booked++ {
		b.Postings = append(b.Postings, b.Rounds[p.booked].Posting())
	}
}

func transfersOf(ctx context.Context, r *read.Reads, c Contents, booked bookedRounds) error {
	return partTransfers.add(ctx, r, c,
		func(b *hashchain.Content, position int64, t Transfer) error {
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

func roundsOf(ctx context.Context, r *read.Reads, c Contents, booked bookedRounds) error {
	err := PartRounds.add(ctx, r, c,
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
		c.pairs = &DrawnFrom{}
	}
	revealed, err := CompleteRounds(ctx, r, c.pairs, played)
	if err == nil && c.revealed != nil {
		c.revealed(revealed)
	}
	return err
}

func auditOf(ctx context.Context, r *read.Reads, c Contents) error {
	return PartAudit.add(ctx, r, c,
		func(b *hashchain.Content, _ int64, record audit.Record) error {
			b.Audit = append(b.Audit, record)
			return nil
		})
}

func seamlessOf(ctx context.Context, r *read.Reads, c Contents) error {
	return PartSeamless.add(ctx, r, c,
		func(b *hashchain.Content, _ int64, t seamless.Transaction) error {
			b.Seamless = append(b.Seamless, t)
			return nil
		})
}

func eventsOf(ctx context.Context, r *read.Reads, c Contents) error {
	return PartEvents.add(ctx, r, c,
		func(b *hashchain.Content, _ int64, made event.Event) error {
			b.Events = append(b.Events, made)
			return nil
		})
}

// pairsHeld is how many pairs are cached while reading blocks, at most twice as many; pairsAtOnce
// is how many are read at once.
const (
	pairsHeld   = 20_000
	pairsAtOnce = 500
)

// DrawnFrom caches the pairs of rounds while blocks are read. Rounds of a pair are close
// together: the cache reads a pair once where a join would read it for each round.
type DrawnFrom struct{ newer, older map[string]fairness.Revealed }

func (d *DrawnFrom) pair(id string) (p fairness.Revealed, known bool) {
	if p, known = d.newer[id]; known {
		return p, true
	}
	if p, known = d.older[id]; known {
		d.add(id, p)
	}
	return p, known
}

func (d *DrawnFrom) add(id string, p fairness.Revealed) {
	if len(d.newer) >= pairsHeld || d.newer == nil {
		d.newer, d.older = map[string]fairness.Revealed{}, d.newer
	}
	d.newer[id] = p
}

// CompleteRounds completes rounds with the data of their pairs, and returns the server seeds of
// the revealed pairs, by pair. A round whose pair is missing, or can't have been used yet, stays
// incomplete: its content then doesn't match its block.
func CompleteRounds(ctx context.Context, r *read.Reads, known *DrawnFrom, rounds []*bet.Round) (map[string]string, error) {
	found, revealed := map[string]fairness.Revealed{}, map[string]string{}
	var missing []string
	for _, round := range rounds {
		if _, seen := found[round.PairID]; seen || round.PairID == "" {
			continue
		}
		p, here := known.pair(round.PairID)
		if found[round.PairID] = p; !here {
			missing = append(missing, round.PairID)
		}
	}
	for some := range slices.Chunk(missing, pairsAtOnce) {
		ids := make([]any, len(some))
		for i, id := range some {
			ids[i] = r.DB.Dialect.ID(id)
		}
		if err := read.From(r, play.DrawnFrom).Where("p.state <> 'next'").In("p.id", ids).Each(ctx, "read pairs of rounds", func(p fairness.Revealed) error {
			found[p.ID] = p
			known.add(p.ID, p)
			return nil
		}); err != nil {
			return nil, err
		}
	}
	for _, round := range rounds {
		p := found[round.PairID]
		round.Commitment, round.ClientSeed, round.ClientSource = p.Commitment, p.ClientSeed, p.ClientSource
		if p.ServerSeed != "" {
			revealed[round.PairID] = p.ServerSeed
		}
	}
	return revealed, nil
}
