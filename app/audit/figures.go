package audit

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/casino-service/casino/domain/bet"
	"github.com/casino-service/casino/domain/figure"
	"github.com/casino-service/casino/domain/hashchain"
	"github.com/casino-service/casino/domain/ledger"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/seamless"
	"github.com/casino-service/casino/ports"
)

// dailyFacts is the part of a daily figure from some rounds; late holds those after the
// figure was read.
type dailyFacts struct {
	cut
	cell, late figure.Cell
}

func (a *Auditor) addRoundFigure(at place, r bet.Round) error {
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
		f = &dailyFacts{cut: a.coveredHeads(ports.LedgerFigures, ports.KeyOfFigure(key))}
		a.daily[key] = f
	}
	if f.cut.isLate(at) {
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
		if err := a.addRecord(figureKey(key), factRecord, func(p *packed) {
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
	// want is the sum of rounds before the row was read, newest the sum up to the last block.
	want, newest figure.Cell
	// counted means that some round belongs to the figure.
	counted bool
}

func newFigureGroup(name string) *figureGroup {
	parts := strings.SplitN(name, "\x00", 5)
	for len(parts) < 5 {
		parts = append(parts, "")
	}
	return &figureGroup{Key: figure.Key{Day: parts[0], Token: money.Token(parts[1]), Source: parts[2], Game: parts[3], Agent: parts[4]}}
}

func (g *figureGroup) add(kind byte, from *unpacked) {
	if kind == rowRecord {
		g.rows = append(g.rows, from.cell())
		return
	}
	cell := from.cell()
	g.newest = g.newest.Add(cell)
	if kind == factRecord {
		g.newest = g.newest.Add(from.cell()) // of later rounds
	}
	g.want, g.counted = g.want.Add(cell), g.counted || cell != figure.Cell{}
}

func (g *figureGroup) end(a *Auditor) {
	g.leave(a)
	for _, kept := range g.rows {
		if kept != g.want {
			a.addFinding("kept figures of %+v are %+v, rounds add up to %+v", g.Key, kept, g.want)
		}
		g.want = figure.Cell{} // expected of a second row
	}
	if len(g.rows) == 0 && g.counted {
		a.addFinding("kept figures of %+v are missing", g.Key)
	}
}

// checkTransactions compares providers' transactions with their transfers, in both
// directions, and adds them to the figures.
func (a *Auditor) checkTransactions(at place, c hashchain.Content) error {
	posted := map[ledger.Key]ledger.Posting{}
	for _, p := range c.Postings {
		switch p.Key.Kind {
		case ledger.ProviderDebit, ledger.ProviderCredit, ledger.ProviderReview:
			posted[p.Key] = p
		}
	}
	for _, t := range c.Seamless {
		a.report.Transactions++
		for _, want := range t.Postings() {
			if !want.Equal(posted[want.Key]) {
				a.addFinding("%s: provider transaction %s differs from its booking", at, t.ID)
			}
			delete(posted, want.Key)
		}
		if err := a.addPlay(at, t); err != nil {
			return err
		}
		if key, cell, counts := figure.OfSeamless(t); counts {
			if err := a.addFigure(at, key, cell); err != nil {
				return err
			}
		}
	}
	for key := range posted {
		a.addFinding("%s: transfers of %v without the provider's transaction", at, key)
	}
	return nil
}

// addPlay adds a transaction to its round.
func (a *Auditor) addPlay(at place, t seamless.Transaction) error {
	if t.RoundID == "" || t.RoundID <= a.roundsFrom {
		return nil
	}
	a.roundsTo = max(a.roundsTo, t.RoundID)
	if a.coveredHeads(ports.LedgerProviderRounds, t.RoundID).isLate(at) {
		return nil
	}
	return a.addRecord(roundKey(t.RoundID), factRecord, func(p *packed) {
		first := t.ID == t.RoundID
		if p.flag(first); first {
			p.text(roundBeginning(seamless.Begin(t)))
			p.integer(int64(t.Balance))
		}
		p.integer(int64(t.Paid()))
	})
}

// roundGroup compares a stored round of a provider's game with the sums of its
// transactions. They are read lane by lane, so the first may be read last. The balance
// after the newest transaction is compared only if it is the only one, because several may
// be in different lanes.
type roundGroup struct {
	id           string
	rows         []storedRound
	begun        string // empty until the first transaction is read
	balance      int64
	paid         money.Total
	transactions int64
}

type storedRound struct {
	begun                    string
	balance, payout, credits int64
}

func (g *roundGroup) add(kind byte, from *unpacked) {
	if kind == rowRecord {
		g.rows = append(g.rows, storedRound{from.text(), from.integer(), from.integer(), from.integer()})
		return
	}
	if from.flag() {
		g.begun, g.balance = from.text(), from.integer()
	}
	g.paid, g.transactions = g.paid.Add(money.TotalOfInt(from.integer())), g.transactions+1
}

func (g *roundGroup) end(a *Auditor) {
	for i, row := range g.rows {
		if i > 0 || row.begun != g.begun || money.TotalOfInt(row.payout) != g.paid || row.credits != g.transactions-1 ||
			g.transactions == 1 && row.balance != g.balance {
			a.addFinding("round %s of a provider differs from its transactions", g.id)
		}
	}
	if len(g.rows) == 0 {
		a.addFinding("round %s of a provider is missing", g.id)
	}
}
