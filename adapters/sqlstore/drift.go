package sqlstore

import (
	"context"
	"slices"
	"time"

	"github.com/casino-service/casino/domain/figure"
)

// drawnWithin is how far the moment that an id tells may be from its row's without
// anything being noted. Both are drawn together, so that more is rare: it takes a
// process that stood still in between, or a clock that was set back, after which ids
// go on counting until it has caught up.
const drawnWithin = time.Second

// raiseDrift keeps the furthest of each day.
var raiseDrift = insert("id_drift", `ON CONFLICT (lane, day) DO UPDATE SET
	drift = CASE WHEN id_drift.drift > excluded.drift THEN id_drift.drift ELSE excluded.drift END`,
	"day", "drift:int", "lane:int")

// dated is an id with the moment of its row.
type dated struct {
	id string
	at time.Time
}

// writeDrift notes which new rows of a batch, if any, have ids that are far from
// their moments.
func (r *run) writeDrift() {
	if r.store.idFrom == nil {
		return
	}
	all := make([]dated, 0, len(r.out.content.Rounds))
	for i := range r.out.content.Rounds {
		all = append(all, dated{r.out.content.Rounds[i].ID, r.out.content.Rounds[i].At})
	}
	for _, p := range r.out.played {
		all = append(all, dated{p.ID, p.At})
	}
	for _, t := range r.out.transactions {
		if t.stored == nil {
			all = append(all, dated{t.id, t.createdAt})
		}
	}
	var rows [][]any
	for day, drift := range driftOf(all, r.store.idFrom) {
		rows = append(rows, []any{day, drift.Microseconds(), r.head.Lane})
	}
	slices.SortFunc(rows, compareRows)
	r.write("note the drift of ids", raiseDrift, rows)
}

// driftOf tells, by day, how far ids are from their moments where that is further
// than drawnWithin.
func driftOf(all []dated, idFrom func(time.Time) string) map[string]time.Duration {
	if len(all) == 0 {
		return nil
	}
	first, last := all[0], all[0] // a batch is of a moment, so that two looks are enough for all of it
	for _, d := range all[1:] {
		first.id, last.id = min(first.id, d.id), max(last.id, d.id)
		if d.at.Before(first.at) {
			first.at = d.at
		}
		if d.at.After(last.at) {
			last.at = d.at
		}
	}
	if first.id >= idFrom(last.at.Add(-drawnWithin)) && last.id < idFrom(first.at.Add(drawnWithin)) {
		return nil
	}
	drifts := map[string]time.Duration{}
	for _, d := range all {
		reach := drawnWithin
		for reach < driftMax && (d.id < idFrom(d.at.Add(-reach)) || d.id >= idFrom(d.at.Add(reach))) {
			reach *= 2
		}
		if on := figure.Day(d.at); reach > drawnWithin {
			drifts[on] = max(drifts[on], reach)
		}
	}
	return drifts
}

// driftMax is more than any clock is wrong by.
const driftMax = 1 << 22 * drawnWithin // 48 days

// slack is how far ids of rounds and transactions may be from their moments, in a
// span of time or beside it; zero times bound nothing. What drifts by more than a day
// counts for any span.
func (s *Store) slack(ctx context.Context, from, to time.Time) (time.Duration, error) {
	if s.idFrom == nil || from.IsZero() && to.IsZero() {
		return idSlack, nil
	}
	near := conditions{}
	if from = from.Add(-day); !from.Before(time.Time{}) {
		near.texts = append(near.texts, "(day >= ? OR drift > ?)")
		near.arguments = append(near.arguments, figure.Day(from), day.Microseconds())
	}
	if to = to.Add(day); to.After(time.Time{}.Add(day)) && to.Year() < 9999 {
		near.texts = append(near.texts, "(day <= ? OR drift > ?)")
		near.arguments = append(near.arguments, figure.Day(to), day.Microseconds())
	}
	drift := 0
	err := s.db.Read.QueryRowContext(ctx, "SELECT coalesce(max(drift), 0) FROM id_drift"+near.where(), near.arguments...).Scan(&drift)
	return slackOf(drift), s.asked("read the drift of ids", err)
}

// slackOf is how far ids may be from moments with a drift in microseconds.
func slackOf(drift int) time.Duration {
	return max(time.Duration(drift)*time.Microsecond, drawnWithin) + time.Millisecond // ids tell milliseconds
}
