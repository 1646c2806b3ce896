package audit

import (
	"cmp"
	"errors"
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

// figureName identifies a kept figure: a daily figure or a player's day.
type figureName struct {
	part ports.LedgerPart
	key  string
}

// recordKey returns the key of the figure's records.
func (n figureName) recordKey() []byte {
	if n.part == ports.LedgerPlayerDays {
		return aboutKey(aboutPlayerDay, n.key)
	}
	return aboutKey(aboutFigure, n.key)
}

func (a *Auditor) addRoundFigure(at place, r bet.Round) error {
	key, cell := figure.Of(r)
	player, played := figure.PlayerOf(r)
	return errors.Join(a.addFigure(at, figureName{ports.LedgerFigures, ports.KeyOfFigure(key)}, cell),
		a.addFigure(at, figureName{ports.LedgerPlayerDays, ports.KeyOfPlayerDay(player)}, played))
}

func (a *Auditor) addFigure(at place, name figureName, cell figure.Cell) error {
	f := a.daily[name]
	if f == nil {
		if len(a.daily) >= atOnce {
			if err := a.flushFigures(); err != nil {
				return err
			}
		}
		f = &dailyFacts{cut: a.coveredHeads(name.part, name.key)}
		a.daily[name] = f
	}
	if f.cut.isLate(at) {
		f.late = f.late.Add(cell)
	} else {
		f.cell = f.cell.Add(cell)
	}
	return nil
}

func (a *Auditor) flushFigures() error {
	for _, name := range slices.SortedFunc(maps.Keys(a.daily), func(x, y figureName) int {
		return cmp.Or(cmp.Compare(x.part, y.part), cmp.Compare(x.key, y.key))
	}) {
		if err := a.addRecord(name.recordKey(), factRecord, func(p *packed) {
			p.cell(a.daily[name].cell)
			p.cell(a.daily[name].late)
		}); err != nil {
			return err
		}
	}
	clear(a.daily)
	return nil
}

// figureGroup proves a daily figure or a player's day.
type figureGroup struct {
	figureName
	rows []figure.Cell
	// want is the sum of rounds before the row was read, newest the sum up to the last block.
	want, newest figure.Cell
	// counted means that some round belongs to the figure.
	counted bool
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
	if a.countsLess(g.part, g.key) {
		return
	}
	about := strings.ReplaceAll(g.key, "\x00", " ")
	for _, kept := range g.rows {
		if kept != g.want {
			a.addFinding("kept figures of %s are %+v, rounds add up to %+v", about, kept, g.want)
		}
		g.want = figure.Cell{} // expected of a second row
	}
	if len(g.rows) == 0 && g.counted {
		a.addFinding("kept figures of %s are missing", about)
	}
}

// countsLess reports whether a page of figures has fewer blocks than the earlier audit, whose
// sums then can't be compared with it.
func (a *Auditor) countsLess(part ports.LedgerPart, key string) bool {
	page := a.coveredHeads(part, key)
	return slices.ContainsFunc(a.since, func(h hashchain.Head) bool { return page.isLate(place{lane: h.Lane, seq: h.Seq}) })
}

// checkTransactions compares providers' transactions with their transfers, in both
// directions, and adds them to the figures.
func (a *Auditor) checkTransactions(at place, c hashchain.Content) error {
	posted := map[ledger.Key]ledger.Posting{}
	for _, p := range c.Postings {
		switch p.Key.Kind {
		case ledger.ProviderDebit, ledger.ProviderCredit, ledger.ProviderReview, ledger.ProviderRollback:
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
			player, played, _ := figure.PlayerOfSeamless(t)
			if err := errors.Join(a.addFigure(at, figureName{ports.LedgerFigures, ports.KeyOfFigure(key)}, cell),
				a.addFigure(at, figureName{ports.LedgerPlayerDays, ports.KeyOfPlayerDay(player)}, played)); err != nil {
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
		wagered, paid := t.Bet, t.Paid()
		if t.Kind == seamless.Rollback {
			wagered, paid = -paid, -wagered
		}
		p.integer(int64(wagered))
		p.integer(int64(paid))
		undone := ""
		if t.Kind == seamless.Rollback {
			undone = t.Reference
		}
		p.text(undone)
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
	wagered      money.Total
	paid         money.Total
	transactions int64
	undone       []string // the txn_ids that rollbacks name
}

type storedRound struct {
	begun, txnID                    string
	balance, wager, payout, credits int64
	rolledBack                      bool
}

func (g *roundGroup) add(kind byte, from *unpacked) {
	if kind == rowRecord {
		g.rows = append(g.rows, storedRound{
			begun: from.text(), txnID: from.text(), balance: from.integer(), wager: from.integer(), payout: from.integer(),
			credits: from.integer(), rolledBack: from.flag(),
		})
		return
	}
	if from.flag() {
		g.begun, g.balance = from.text(), from.integer()
	}
	g.wagered, g.paid = g.wagered.Add(money.TotalOfInt(from.integer())), g.paid.Add(money.TotalOfInt(from.integer()))
	g.transactions++
	if undone := from.text(); undone != "" {
		g.undone = append(g.undone, undone)
	}
}

func (g *roundGroup) end(a *Auditor) {
	for i, row := range g.rows {
		if i > 0 || row.begun != g.begun || money.TotalOfInt(row.wager) != g.wagered || money.TotalOfInt(row.payout) != g.paid ||
			row.credits != g.transactions-1 || row.rolledBack != slices.Contains(g.undone, row.txnID) ||
			g.transactions == 1 && row.balance != g.balance {
			a.addFinding("round %s of a provider differs from its transactions", g.id)
		}
	}
	if len(g.rows) == 0 {
		a.addFinding("round %s of a provider is missing", g.id)
	}
}
