package feed

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/casino-service/casino/adapters/sqlstore/internal/archive"
	"github.com/casino-service/casino/adapters/sqlstore/internal/chain"
	"github.com/casino-service/casino/adapters/sqlstore/internal/db"
	"github.com/casino-service/casino/domain/audit"
	"github.com/casino-service/casino/domain/bet"
	"github.com/casino-service/casino/domain/event"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/hashchain"
	"github.com/casino-service/casino/domain/seamless"
	"github.com/casino-service/casino/domain/stream"
)

// firstMoments returns the times of the first unread blocks, by lane.
func (s *Store) firstMoments(ctx context.Context, ask eventAsk) (map[int]time.Time, error) {
	texts, arguments := make([]string, len(ask.unread)), make([]any, 0, 2*len(ask.unread))
	for i, head := range ask.unread {
		texts[i] = "SELECT * FROM (SELECT b.lane, b.at FROM blocks AS b WHERE b.lane = ? AND b.seq >= ? ORDER BY b.seq LIMIT 1) AS one"
		arguments = append(arguments, head.Lane, first(ask.after, head.Lane))
	}
	moments := map[int]time.Time{}
	err := s.Kept(ctx, "read the first moments", strings.Join(texts, " UNION ALL "), arguments, func(row *sql.Rows) error {
		var lane int
		var at int64
		err := row.Scan(&lane, &at)
		moments[lane] = db.Moment(at)
		return err
	})
	return moments, err
}

// notDropped refuses a page that would begin in or before a month whose tables are gone, and
// names the first place that can be read.
func (s *Store) notDropped(ctx context.Context, ask eventAsk) error {
	until, err := archive.DroppedUntil(ctx, s.Reads)
	if err != nil || until.IsZero() {
		return err
	}
	begin := ask.after
	for _, head := range ask.unread {
		if !ask.moments[head.Lane].Before(until) {
			continue
		}
		last, err := s.lastBefore(ctx, head, first(ask.after, head.Lane), until)
		if err != nil {
			return err
		}
		begin = begin.With(stream.MarkOf(last.Head))
		begin.Epoch = max(begin.Epoch, last.Epoch)
	}
	if begin.String() == ask.after.String() {
		return nil
	}
	return fault.New(fault.InvalidState, "the events after this cursor are no longer stored: continue from details.cursor").With("cursor", begin.String())
}

var errNoBlockLeft = errors.New("a lane has no block at its head")

// lastBefore returns the last block of a lane, from a number on, before the given time; the block
// with that number is before it.
func (s *Store) lastBefore(ctx context.Context, head chain.Block, from int64, until time.Time) (last hashchain.Link, err error) {
	for from <= head.Seq {
		middle := from + (head.Seq-from)/2
		found, err := s.blocksFrom(ctx, "look for a moment", head.Lane, middle, 1)
		switch {
		case err != nil:
			return last, err
		case len(found) == 0:
			return last, errNoBlockLeft
		case found[0].At.Before(until):
			last, from = found[0].Link(), found[0].Seq+1
		default:
			head.Seq = middle - 1
		}
	}
	return last, nil
}

// streamRead holds blocks of a lane for which rows are read, by seq.
type streamRead struct {
	blocks []stream.Block
	at     map[int64]int
	size   int // number of rows read
	rounds []*bet.Round
}

func newStreamRead(blocks []chain.Block) *streamRead {
	read := &streamRead{blocks: make([]stream.Block, len(blocks)), at: make(map[int64]int, len(blocks))}
	for i, b := range blocks {
		read.blocks[i] = stream.Block{Head: b.Head(), Number: b.Number, At: b.At, Epoch: b.Epoch}
		read.at[b.Seq] = i
	}
	return read
}

// runs returns the blocks as runs that include few others.
func (s *streamRead) runs() []archive.Run {
	seqs := make([]int64, len(s.blocks))
	for i := range s.blocks {
		seqs[i] = s.blocks[i].Seq
	}
	return archive.RunsOf(seqs)
}

// add adds a row to its block; rows of other blocks are dropped.
func (s *streamRead) add(seq, position int64, row stream.Row) {
	if i, wanted := s.at[seq]; wanted {
		row.Position = int(position)
		s.blocks[i].Rows = append(s.blocks[i].Rows, row)
		s.size++
	}
}

// streamWhich selects rows of blocks of one lane in each table.
type streamWhich struct{ rounds, audit, seamless, events archive.Condition }

// streamRows reads the rows of blocks, without transfers. A table with an empty condition is
// skipped.
func (s *Store) streamRows(ctx context.Context, read *streamRead, which streamWhich, pairs *archive.DrawnFrom) error {
	for _, table := range []struct {
		which archive.Condition
		visit func(archive.Condition) error
	}{
		{which.rounds, func(c archive.Condition) error { return s.streamRounds(ctx, read, c) }},
		{which.audit, func(c archive.Condition) error {
			return archive.PartAudit.Visit(ctx, s.Reads, c, func(seq, position int64, record audit.Record) error {
				read.add(seq, position, stream.Row{Audit: &record})
				return nil
			})
		}},
		{which.seamless, func(c archive.Condition) error {
			return archive.PartSeamless.Visit(ctx, s.Reads, c, func(seq, position int64, t seamless.Transaction) error {
				read.add(seq, position, stream.Row{Seamless: &t})
				return nil
			})
		}},
		{which.events, func(c archive.Condition) error {
			return archive.PartEvents.Visit(ctx, s.Reads, c, func(seq, position int64, made event.Event) error {
				read.add(seq, position, stream.Row{Thing: &made})
				return nil
			})
		}},
	} {
		if table.which.Text == "" {
			continue
		}
		if err := table.visit(table.which); err != nil {
			return err
		}
	}
	for i := range read.blocks {
		slices.SortFunc(read.blocks[i].Rows, func(a, b stream.Row) int { return cmp.Compare(a.Position, b.Position) })
	}
	_, err := archive.CompleteRounds(ctx, s.Reads, pairs, read.rounds) // the feed reveals no server seed
	return err
}

func (s *Store) streamRounds(ctx context.Context, read *streamRead, which archive.Condition) error {
	return archive.PartRounds.Visit(ctx, s.Reads, which, func(seq, position int64, round bet.Round) error {
		if _, wanted := read.at[seq]; wanted {
			read.rounds = append(read.rounds, &round)
			read.add(seq, position, stream.Row{Round: &round})
		}
		return nil
	})
}
