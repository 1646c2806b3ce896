package audit

import (
	"github.com/casino-service/casino/domain/figure"
	"github.com/casino-service/casino/domain/hashchain"
	"github.com/casino-service/casino/domain/ledger"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/seamless"
	"github.com/casino-service/casino/ports"
)

// transactions checks providers' transactions against their transfers, both ways, and
// adds up their part of the kept figures.
func (a *Auditor) transactions(at place, c hashchain.Content) error {
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
				a.found("%s: provider transaction %s is not what was booked for it", at, t.ID)
			}
			delete(posted, want.Key)
		}
		if err := a.plays(at, t); err != nil {
			return err
		}
		if key, cell, counts := figure.OfSeamless(t); counts {
			if err := a.addFigure(at, key, cell); err != nil {
				return err
			}
		}
	}
	for key := range posted {
		a.found("%s: transfers of %v without the provider's transaction", at, key)
	}
	return nil
}

// plays adds a transaction to its round.
func (a *Auditor) plays(at place, t seamless.Transaction) error {
	if t.RoundID == "" || t.RoundID <= a.roundsFrom {
		return nil
	}
	a.roundsTo = max(a.roundsTo, t.RoundID)
	if a.covers(ports.LedgerProviderRounds, t.RoundID).late(at) {
		return nil
	}
	return a.add(roundKey(t.RoundID), factRecord, func(p *packed) {
		first := t.ID == t.RoundID
		if p.flag(first); first {
			p.text(begun(seamless.Begin(t)))
			p.integer(int64(t.Balance))
		}
		p.integer(int64(t.Paid()))
	})
}

// roundGroup compares a stored round of a provider's game with the sums of its
// transactions, which are read lane by lane, so that the first may be read last. The
// balance after a round's newest transaction isn't compared where it has several, since
// they may be of several lanes.
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

func (g *roundGroup) add(whose byte, from *unpacked) {
	if whose == rowRecord {
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
			a.found("round %s of a provider is not what its transactions make", g.id)
		}
	}
	if len(g.rows) == 0 {
		a.found("round %s of a provider is missing", g.id)
	}
}
