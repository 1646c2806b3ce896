package audit

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/casino-service/casino/domain/bet"
	"github.com/casino-service/casino/domain/figure"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/ports"
)

// dailyFacts is what some rounds add to a daily figure, those after the moment at which
// it was read apart.
type dailyFacts struct {
	cut
	cell, late figure.Cell
}

func (a *Auditor) figure(at place, r bet.Round) error {
	key, cell := figure.Of(r)
	return a.addFigure(at, key, cell)
}

func (a *Auditor) addFigure(at place, key figure.Key, cell figure.Cell) error {
	f := a.daily[key]
	if f == nil {
		if len(a.daily) >= atOnce {
			if err := a.flushFigures(); err != nil {
				return err
			}
		}
		f = &dailyFacts{cut: a.covers(ports.LedgerFigures, ports.KeyOfFigure(key))}
		a.daily[key] = f
	}
	if f.cut.late(at) {
		f.late = f.late.Add(cell)
	} else {
		f.cell = f.cell.Add(cell)
	}
	return nil
}

func (a *Auditor) flushFigures() error {
	for _, key := range slices.SortedFunc(maps.Keys(a.daily), func(x, y figure.Key) int {
		return cmp.Compare(ports.KeyOfFigure(x), ports.KeyOfFigure(y))
	}) {
		if err := a.add(figureKey(key), factRecord, func(p *packed) {
			p.cell(a.daily[key].cell)
			p.cell(a.daily[key].late)
		}); err != nil {
			return err
		}
	}
	clear(a.daily)
	return nil
}

// figureGroup proves a daily figure.
type figureGroup struct {
	figure.Key
	rows []figure.Cell
	// want is what rounds add up to up to the moment at which the row was read, newest up
	// to the last block.
	want, newest figure.Cell
	// counted says that a round is counted in it.
	counted bool
}

func newFigureGroup(name string) *figureGroup {
	parts := strings.SplitN(name, "\x00", 5)
	for len(parts) < 5 {
		parts = append(parts, "")
	}
	return &figureGroup{Key: figure.Key{Day: parts[0], Token: money.Token(parts[1]), Source: parts[2], Game: parts[3], Agent: parts[4]}}
}

func (g *figureGroup) add(whose byte, from *unpacked) {
	if whose == rowRecord {
		g.rows = append(g.rows, from.cell())
		return
	}
	cell := from.cell()
	g.newest = g.newest.Add(cell)
	if whose == factRecord {
		g.newest = g.newest.Add(from.cell()) // of rounds that came later
	}
	g.want, g.counted = g.want.Add(cell), g.counted || cell != figure.Cell{}
}

func (g *figureGroup) end(a *Auditor) {
	g.leave(a)
	for _, kept := range g.rows {
		if kept != g.want {
			a.found("kept figures of %+v are %+v, rounds add up to %+v", g.Key, kept, g.want)
		}
		g.want = figure.Cell{} // of a second row
	}
	if len(g.rows) == 0 && g.counted {
		a.found("kept figures of %+v are missing", g.Key)
	}
}
