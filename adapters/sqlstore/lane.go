package sqlstore

import (
	"cmp"
	"context"
	"maps"
	"slices"

	"github.com/uptrace/bun"

	"github.com/casino-service/casino/domain/audit"
	"github.com/casino-service/casino/domain/figure"
	"github.com/casino-service/casino/domain/hashchain"
)

var (
	readHead = newQuery(`SELECT b.seq, b.hash FROM {sent} AS s CROSS JOIN blocks AS b
		WHERE b.lane = s.lane AND b.seq = (SELECT max(n.seq) FROM blocks AS n WHERE n.lane = s.lane)`, "lane:int")
	insertBlock = insert("blocks", "", "lane:int", "seq:int", "previous", "hash", "at:int")

	// The low parts add up below 2^41, so that the carry is 0 or 1. A variance stays
	// at figure.VarianceMax, whose parts are written out here.
	addTotals = insert("lane_totals", `ON CONFLICT (lane, kind, owner, agent, token) DO UPDATE SET
		hi = lane_totals.hi + excluded.hi + ((lane_totals.lo + excluded.lo) >> 40),
		lo = (lane_totals.lo + excluded.lo) & 1099511627775`,
		"lane:int", "kind", "owner", "agent", "token", "hi:int", "lo:int")
	addPlayers = insert("lane_players", `ON CONFLICT (lane, agent) DO UPDATE SET
		players = lane_players.players + excluded.players`, "lane:int", "agent", "players:int")
	addFigures = insert("daily_figures", `ON CONFLICT (lane, day, token, source, game, agent) DO UPDATE SET
		rounds = daily_figures.rounds + excluded.rounds,
		wagered_hi = daily_figures.wagered_hi + excluded.wagered_hi + ((daily_figures.wagered_lo + excluded.wagered_lo) >> 40),
		wagered_lo = (daily_figures.wagered_lo + excluded.wagered_lo) & 1099511627775,
		paid_hi = daily_figures.paid_hi + excluded.paid_hi + ((daily_figures.paid_lo + excluded.paid_lo) >> 40),
		paid_lo = (daily_figures.paid_lo + excluded.paid_lo) & 1099511627775,
		expected_hi = daily_figures.expected_hi + excluded.expected_hi + ((daily_figures.expected_lo + excluded.expected_lo) >> 40),
		expected_lo = (daily_figures.expected_lo + excluded.expected_lo) & 1099511627775,
		variance_hi = CASE WHEN daily_figures.variance_hi + excluded.variance_hi + ((daily_figures.variance_lo + excluded.variance_lo) >> 40)
			> 4503599627370495 THEN 4503599627370495
			ELSE daily_figures.variance_hi + excluded.variance_hi + ((daily_figures.variance_lo + excluded.variance_lo) >> 40) END,
		variance_lo = CASE WHEN daily_figures.variance_hi + excluded.variance_hi + ((daily_figures.variance_lo + excluded.variance_lo) >> 40)
			> 4503599627370495 THEN 1099511627775
			ELSE (daily_figures.variance_lo + excluded.variance_lo) & 1099511627775 END`,
		"lane:int", "day", "token", "source", "game", "agent", "rounds:int", "wagered_hi:int", "wagered_lo:int",
		"paid_hi:int", "paid_lo:int", "expected_hi:int", "expected_lo:int", "variance_hi:int", "variance_lo:int")
)

// laneHead reads the newest block of a lane; its seq is 0 before the first.
func (s *Store) laneHead(ctx context.Context, tx bun.Tx, lane int) (hashchain.Head, error) {
	head := hashchain.Head{Lane: lane}
	err := s.db.Each(ctx, tx, readHead, [][]any{{lane}}, func(row Row) error { return scanHead(row, &head) })
	return head, wrap("read head", err)
}

func scanHead(row Row, head *hashchain.Head) (err error) {
	var text string
	if err := row.Scan(&head.Seq, &text); err != nil {
		return err
	}
	head.Hash, err = hashchain.ParseHash(text)
	return err
}

// sealBlock stores the block of the content that was written with the number
// after previous. It is written last: its number is the fence against another
// writer that believes to have the lane.
func (s *Store) sealBlock(ctx context.Context, tx bun.Tx, previous hashchain.Head, c hashchain.Content) (hashchain.Head, error) {
	head := hashchain.Next(previous, c)
	written, err := s.db.Exec(ctx, tx, insertBlock, [][]any{blockRow(previous, head, c)})
	if err == nil && written != 1 {
		err = errRowsLost
	}
	return head, wrap("seal block", err)
}

func blockRow(previous, head hashchain.Head, c hashchain.Content) []any {
	return []any{head.Lane, head.Seq, previous.Hash.String(), head.Hash.String(), micros(c.At)}
}

// sealAudit writes audit records as a block of their own, for the short
// administrative transactions that don't go through a writer. Those of every kind
// share the lane, so it has a guard of its own, locked last.
func (s *Store) sealAudit(ctx context.Context, tx bun.Tx, lane int, records ...audit.Record) error {
	if err := guard(ctx, tx, "blocks"); err != nil {
		return err
	}
	previous, err := s.laneHead(ctx, tx, lane)
	if err != nil {
		return err
	}
	content := hashchain.Content{Audit: records}
	for _, record := range records {
		if record.At.After(content.At) {
			content.At = record.At
		}
	}
	following := hashchain.Head{Lane: lane, Seq: previous.Seq + 1}
	if _, err := s.db.Exec(ctx, tx, insertAudit, auditRows(following, records)); err != nil {
		return wrap("write audit records", err)
	}
	_, err = s.sealBlock(ctx, tx, previous, content)
	return err
}

func auditRows(block hashchain.Head, records []audit.Record) [][]any {
	rows := make([][]any, len(records))
	for i, a := range records {
		rows[i] = []any{a.ID, string(a.Action), string(a.By), a.Target, a.Before, a.After, micros(a.At), a.RequestID,
			block.Lane, block.Seq, i}
	}
	return rows
}

// askHead asks where the lane stands, unless the writer knows.
func (r *run) askHead() {
	r.previous = hashchain.Head{Lane: r.lane}
	if known := r.writer.head; known != nil && known.Lane == r.lane {
		r.previous = *known
		return
	}
	r.ask("read head", readHead, [][]any{{r.lane}}, func(row Row) error { return scanHead(row, &r.previous) })
}

// writeLane adds to what all writers would update and seals the block. These
// rows come last, so that nobody waits on a wallet while holding a lane.
func (r *run) writeLane() {
	lane := r.head.Lane
	var totals [][]any
	for _, k := range slices.SortedFunc(maps.Keys(r.out.totals), totalKey.compare) {
		hi, lo := r.out.totals[k].Parts()
		totals = append(totals, []any{lane, k.account.Kind.String(), k.account.Owner, k.agent, string(k.token), hi, lo})
	}
	r.write("add to totals", addTotals, totals)
	var figures [][]any
	for _, k := range slices.SortedFunc(maps.Keys(r.out.figures), compareFigures) {
		cell := r.out.figures[k]
		row := []any{lane, k.Day, string(k.Token), k.Source, k.Game, k.Agent, cell.Rounds}
		for _, total := range [...]interface{ Parts() (int64, int64) }{cell.Wagered, cell.Paid, cell.Expected, cell.Variance} {
			hi, lo := total.Parts()
			row = append(row, hi, lo)
		}
		figures = append(figures, row)
	}
	r.write("add to figures", addFigures, figures)
	var newcomers [][]any
	for _, agent := range slices.Sorted(maps.Keys(r.out.newcomers)) {
		newcomers = append(newcomers, []any{lane, agent, r.out.newcomers[agent]})
	}
	r.write("count players", addPlayers, newcomers)
	if !r.out.covered() {
		r.head = r.previous
		return
	}
	r.head = hashchain.Next(r.previous, r.out.content)
	r.write("seal block", insertBlock, [][]any{blockRow(r.previous, r.head, r.out.content)})
}

func compareFigures(a, b figure.Key) int {
	return cmp.Or(cmp.Compare(a.Day, b.Day), cmp.Compare(a.Token, b.Token), cmp.Compare(a.Source, b.Source),
		cmp.Compare(a.Game, b.Game), cmp.Compare(a.Agent, b.Agent))
}
