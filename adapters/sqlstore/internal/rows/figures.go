package rows

import (
	"cmp"
	"slices"

	"github.com/uptrace/bun"

	"github.com/casino-service/casino/adapters/sqlstore/internal/db"
	"github.com/casino-service/casino/domain/figure"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/ports"
)

// figureRow is a figure with the lane that keeps it.
type figureRow struct {
	bun.BaseModel `bun:"table:daily_figures,alias:d"`
	Lane          int
	figure.Key
	Rounds   int64
	Wagered  Sum `bun:"embed:wagered_"`
	Paid     Sum `bun:"embed:paid_"`
	Expected Sum `bun:"embed:expected_"`
	Variance Sum `bun:"embed:variance_"`
}

var dailyFigures = modelOf[figureRow, figureRow]()

// FiguresBy are the figures of all lanes, added up by columns. High parts of variances are
// added in two pieces: each may be at its bound, and a database's sum stops at 2^63.
func FiguresBy(columns ...string) View[ports.DailyFigure] {
	sums := dailyFigures.only(slices.Concat(columns, []string{"rounds", "wagered_hi", "wagered_lo", "paid_hi", "paid_lo", "expected_hi", "expected_lo"})...).
		summed(len(columns))
	return View[ports.DailyFigure]{
		sums.Columns() + ", sum(d.variance_hi >> 20), sum(d.variance_hi & 1048575), sum(d.variance_lo)", sums.From(),
		func(row db.Row) (ports.DailyFigure, error) {
			var high, middle, low int64
			f, err := sums.ScanWith(row, &high, &middle, &low)
			cell := figure.Cell{
				Rounds: f.Rounds, Wagered: f.Wagered.Total(), Paid: f.Paid.Total(), Expected: f.Expected.Total(),
				Variance: money.TotalOfProduct(uint64(high), 1<<60).Add(money.TotalFromParts(middle, low)),
			}
			return ports.DailyFigure{Key: f.Key, Cell: figure.Cell{}.Add(cell)}, err // a variance stays within its bound
		},
	}
}

// A variance stays at figure.VarianceMax, whose parts are written out here.
var addFigures = dailyFigures.insert(`ON CONFLICT (lane, day, token, source, game, agent) DO UPDATE SET
	rounds = daily_figures.rounds + excluded.rounds, ` + addUp("daily_figures", "wagered_", "paid_", "expected_") + `,
	variance_hi = CASE WHEN daily_figures.variance_hi + excluded.variance_hi + ((daily_figures.variance_lo + excluded.variance_lo) >> 40)
		> 4503599627370495 THEN 4503599627370495
		ELSE daily_figures.variance_hi + excluded.variance_hi + ((daily_figures.variance_lo + excluded.variance_lo) >> 40) END,
	variance_lo = CASE WHEN daily_figures.variance_hi + excluded.variance_hi + ((daily_figures.variance_lo + excluded.variance_lo) >> 40)
		> 4503599627370495 THEN 1099511627775
		ELSE (daily_figures.variance_lo + excluded.variance_lo) & 1099511627775 END`)

// figures are what was played in a day.
type figures struct {
	plain
	cells map[figure.Key]figure.Cell
}

func (f *figures) stage(_ *Batch, s *Step) {
	if s.Change.Round != nil {
		key, cell := figure.Of(*s.Change.Round)
		put(&f.cells, key, f.cells[key].Add(cell))
	}
	if s.Change.Seamless != nil {
		if key, cell, counts := figure.OfSeamless(*s.Change.Seamless); counts {
			put(&f.cells, key, f.cells[key].Add(cell))
		}
	}
}

func (f *figures) write(b *Batch) error {
	var rows [][]any
	for k, cell := range f.cells {
		rows = append(rows, addFigures.row(&figureRow{
			Lane: b.Head.Lane, Key: k, Rounds: cell.Rounds, Wagered: sumOf(cell.Wagered), Paid: sumOf(cell.Paid),
			Expected: sumOf(cell.Expected), Variance: sumOf(cell.Variance),
		}))
	}
	b.WriteSorted("add to figures", addFigures.query, rows)
	return nil
}

// CompareFigures orders figures by day, token, source, game and agent.
func CompareFigures(a, b figure.Key) int {
	return cmp.Or(cmp.Compare(a.Day, b.Day), cmp.Compare(a.Token, b.Token), cmp.Compare(a.Source, b.Source),
		cmp.Compare(a.Game, b.Game), cmp.Compare(a.Agent, b.Agent))
}
