package reads

import (
	"context"
	"database/sql"
	"errors"
	"strings"
	"time"

	"github.com/casino-service/casino/adapters/sqlstore/internal/db"
	"github.com/casino-service/casino/adapters/sqlstore/internal/rows"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/hashchain"
	"github.com/casino-service/casino/domain/stream"
)

// firstMoments are the moments of the first unread blocks, by lane.
func (r *Reads) firstMoments(ctx context.Context, ask eventAsk) (map[int]time.Time, error) {
	texts, arguments := make([]string, len(ask.unread)), make([]any, 0, 2*len(ask.unread))
	for i, head := range ask.unread {
		texts[i] = "SELECT * FROM (SELECT b.lane, b.at FROM blocks AS b WHERE b.lane = ? AND b.seq >= ? ORDER BY b.seq LIMIT 1) AS one"
		arguments = append(arguments, head.Lane, first(ask.after, head.Lane))
	}
	moments := map[int]time.Time{}
	err := r.kept(ctx, "read the first moments", strings.Join(texts, " UNION ALL "), arguments, func(row *sql.Rows) error {
		var lane int
		var at int64
		err := row.Scan(&lane, &at)
		moments[lane] = db.Moment(at)
		return err
	})
	return moments, err
}

// droppedUntil is the end of the newest month whose tables are gone, zero where none are.
func (r *Reads) droppedUntil(ctx context.Context) (end time.Time, err error) {
	text := r.db.Dialect.DroppedMonths()
	if text == "" {
		return end, nil
	}
	var month sql.NullString
	if err := r.kept(ctx, "read which months are gone", text, nil, func(row *sql.Rows) error { return row.Scan(&month) }); err != nil || !month.Valid {
		return end, err
	}
	begin, err := time.Parse(db.MonthLayout, month.String)
	// A block of the next month's first moments may have rows whose ids are of the one before.
	return begin.AddDate(0, 1, 0).Add(rows.IDSlack), err
}

// notDropped refuses a page that would begin in a month whose tables are gone, or before
// one, with the first place that can be read.
func (r *Reads) notDropped(ctx context.Context, ask eventAsk) error {
	until, err := r.droppedUntil(ctx)
	if err != nil || until.IsZero() {
		return err
	}
	begin := ask.after
	for _, head := range ask.unread {
		if !ask.moments[head.Lane].Before(until) {
			continue
		}
		last, err := r.lastBefore(ctx, head, first(ask.after, head.Lane), until)
		if err != nil {
			return err
		}
		begin = begin.With(stream.MarkOf(last.Head))
		begin.Epoch = max(begin.Epoch, last.Epoch)
	}
	if begin.String() == ask.after.String() {
		return nil
	}
	return fault.New(fault.InvalidState, "what came next is not kept any more").With("cursor", begin.String())
}

var errNoBlockLeft = errors.New("a lane has no block at its head")

// lastBefore is the last block of a lane from a number on that is of an earlier moment than
// the given one; the block of the number is.
func (r *Reads) lastBefore(ctx context.Context, head rows.Block, from int64, until time.Time) (last hashchain.Link, err error) {
	for from <= head.Seq {
		middle := from + (head.Seq-from)/2
		found, err := r.blocksFrom(ctx, "look for a moment", head.Lane, middle, 1)
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
