package reads

import (
	"cmp"
	"context"
	"slices"

	"github.com/casino-service/casino/adapters/sqlstore/internal/rows"
	"github.com/casino-service/casino/domain/audit"
	"github.com/casino-service/casino/domain/bet"
	"github.com/casino-service/casino/domain/event"
	"github.com/casino-service/casino/domain/seamless"
	"github.com/casino-service/casino/domain/stream"
)

// streamRead is blocks of a lane that rows are read for, by seq.
type streamRead struct {
	blocks []stream.Block
	at     map[int64]int
	size   int // rows that were read
	rounds []*bet.Round
}

func newStreamRead(blocks []rows.Block) *streamRead {
	read := &streamRead{blocks: make([]stream.Block, len(blocks)), at: make(map[int64]int, len(blocks))}
	for i, b := range blocks {
		read.blocks[i] = stream.Block{Head: b.Head(), Number: b.Number, At: b.At, Epoch: b.Epoch}
		read.at[b.Seq] = i
	}
	return read
}

// runs are the blocks as runs that read past few others.
func (s *streamRead) runs() (spans []run) {
	for i := range s.blocks {
		seq := s.blocks[i].Seq
		if last := len(spans) - 1; last >= 0 && seq-spans[last].to <= gapMax {
			spans[last].to = seq
			continue
		}
		spans = append(spans, run{seq, seq})
	}
	return spans
}

// add puts a row where it belongs; rows of other blocks are left out.
func (s *streamRead) add(seq, position int64, row stream.Row) {
	if i, wanted := s.at[seq]; wanted {
		row.Position = int(position)
		s.blocks[i].Rows = append(s.blocks[i].Rows, row)
		s.size++
	}
}

// streamWhich narrows each table to rows of blocks of one lane.
type streamWhich struct{ rounds, audit, seamless, events condition }

// streamRows reads the rows of blocks, transfers left out. A condition without a text asks
// for none.
func (r *Reads) streamRows(ctx context.Context, read *streamRead, which streamWhich, pairs *drawnFrom) error {
	for _, table := range []struct {
		which condition
		visit func(condition) error
	}{
		{which.rounds, func(c condition) error { return r.streamRounds(ctx, read, c) }},
		{which.audit, func(c condition) error {
			return partAudit.visit(ctx, r, c, func(seq, position int64, record audit.Record) error {
				read.add(seq, position, stream.Row{Audit: &record})
				return nil
			})
		}},
		{which.seamless, func(c condition) error {
			return partSeamless.visit(ctx, r, c, func(seq, position int64, t seamless.Transaction) error {
				read.add(seq, position, stream.Row{Seamless: &t})
				return nil
			})
		}},
		{which.events, func(c condition) error {
			return partEvents.visit(ctx, r, c, func(seq, position int64, made event.Event) error {
				read.add(seq, position, stream.Row{Thing: &made})
				return nil
			})
		}},
	} {
		if table.which.text == "" {
			continue
		}
		if err := table.visit(table.which); err != nil {
			return err
		}
	}
	for i := range read.blocks {
		slices.SortFunc(read.blocks[i].Rows, func(a, b stream.Row) int { return cmp.Compare(a.Position, b.Position) })
	}
	_, err := r.drawn(ctx, pairs, read.rounds) // no seed goes out that was revealed since
	return err
}

func (r *Reads) streamRounds(ctx context.Context, read *streamRead, which condition) error {
	return partRounds.visit(ctx, r, which, func(seq, position int64, round bet.Round) error {
		if _, wanted := read.at[seq]; wanted {
			read.rounds = append(read.rounds, &round)
			read.add(seq, position, stream.Row{Round: &round})
		}
		return nil
	})
}
