package rows

import (
	"cmp"
	"maps"
	"slices"

	"github.com/casino-service/casino/domain/figure"
	"github.com/casino-service/casino/domain/money"
)

// figureRow is a figure with the lane that keeps it.
type figureRow struct {
	lane int
	figure.Key
	figure.Cell
}

var dailyFigures = table("daily_figures", "d",
	integer("lane", func(f *figureRow) *int { return &f.lane }),
	text("day", func(f *figureRow) *string { return &f.Day }),
	text("token", func(f *figureRow) *money.Token { return &f.Token }),
	text("source", func(f *figureRow) *string { return &f.Source }),
	text("game", func(f *figureRow) *string { return &f.Game }),
	text("agent", func(f *figureRow) *string { return &f.Agent }),
	integer("rounds", func(f *figureRow) *int64 { return &f.Rounds }),
	high("wagered_hi", func(f *figureRow) money.Total { return f.Wagered }),
	low("wagered_lo", func(f *figureRow) money.Total { return f.Wagered }),
	high("paid_hi", func(f *figureRow) money.Total { return f.Paid }),
	low("paid_lo", func(f *figureRow) money.Total { return f.Paid }),
	high("expected_hi", func(f *figureRow) money.Total { return f.Expected }),
	low("expected_lo", func(f *figureRow) money.Total { return f.Expected }),
	high("variance_hi", func(f *figureRow) money.Total { return f.Variance }),
	low("variance_lo", func(f *figureRow) money.Total { return f.Variance }),
)

// The low parts add up below 2^41, so that the carry is 0 or 1. A variance stays at
// figure.VarianceMax, whose parts are written out here.
var addFigures = dailyFigures.insert(`ON CONFLICT (lane, day, token, source, game, agent) DO UPDATE SET
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
	for _, k := range slices.SortedFunc(maps.Keys(f.cells), CompareFigures) {
		rows = append(rows, addFigures.row(&figureRow{b.Head.Lane, k, f.cells[k]}))
	}
	b.Write("add to figures", addFigures.query, rows)
	return nil
}

// CompareFigures orders figures by day, token, source, game and agent.
func CompareFigures(a, b figure.Key) int {
	return cmp.Or(cmp.Compare(a.Day, b.Day), cmp.Compare(a.Token, b.Token), cmp.Compare(a.Source, b.Source),
		cmp.Compare(a.Game, b.Game), cmp.Compare(a.Agent, b.Agent))
}
