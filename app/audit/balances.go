package audit

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"strings"

	"github.com/casino-service/casino/domain/agent"
	"github.com/casino-service/casino/domain/ledger"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/seamless"
	"github.com/casino-service/casino/domain/session"
	"github.com/casino-service/casino/ports"
)

// holding identifies an account's balance of a token.
type holding struct {
	account ledger.Account
	token   money.Token
}

func (h holding) compareTo(other holding) int {
	return cmp.Or(cmp.Compare(h.account.String(), other.account.String()), cmp.Compare(h.token, other.token))
}

func sortedHoldings[V any](of map[holding]V) []holding {
	return slices.SortedFunc(maps.Keys(of), holding.compareTo)
}

// book adds up transfers: totals of each bucket, and movements of accounts with their own
// row, which go to the sorter when there are too many.
type book struct {
	totals map[holding]money.Total
	moved  map[holding]*movement
}

func newBook() book { return book{totals: map[holding]money.Total{}, moved: map[holding]*movement{}} }

// atOnce is the number of accounts, pairs and figures held before they go to the sorter.
const atOnce = 20_000

// movement is the effect of successive transfers on an account.
type movement struct {
	cut
	// sum is the sum of all transfers, late of those after the row was read.
	sum, late money.Total
	// low and high are the least and the greatest of the running sums, with their blocks.
	low, high     money.Total
	lowAt, highAt place
	// tally is the change of a player's tally, lateTally the part after the row was read.
	tally, lateTally session.Tally
}

func (m *movement) addAmount(at place, by money.Total, counted session.Tally) {
	m.tally = m.tally.Add(counted)
	m.sum = m.sum.Add(by)
	if m.sum.Cmp(m.low) < 0 {
		m.low, m.lowAt = m.sum, at
	}
	if m.sum.Cmp(m.high) > 0 {
		m.high, m.highAt = m.sum, at
	}
	if m.cut.isLate(at) {
		m.late, m.lateTally = m.late.Add(by), m.lateTally.Add(counted)
	}
}

// bookPosting books a posting. The sorter finds keys that were booked twice.
func (a *Auditor) bookPosting(at place, p ledger.Posting) error {
	if err := a.addRecord(postingKey(p.Key), factRecord, func(p *packed) { p.place(at) }); err != nil {
		return err
	}
	if err := a.addCorrections(at, p); err != nil {
		return err
	}
	for _, t := range p.Transfers {
		if err := t.Check(); err != nil {
			a.addFinding("%s: posting %v can't be booked: %v", at, p.Key, err)
			continue
		}
		amount := money.TotalOf(t.Amount)
		of, counted, _ := session.Of(p.Key.Kind, &t)
		for _, side := range [...]struct {
			of ledger.Account
			by money.Total
		}{{t.Debit, amount.Neg()}, {t.Credit, amount}} {
			if side.of == of {
				a.addMovement(at, holding{side.of, t.Token}, side.by, counted)
			} else {
				a.addMovement(at, holding{side.of, t.Token}, side.by, session.Tally{})
			}
		}
		if of != (ledger.Account{}) && of != t.Debit && of != t.Credit { // the stakes of this round left the balance earlier
			a.addMovement(at, holding{of, t.Token}, money.Total{}, counted)
		}
	}
	if len(a.book.moved) < atOnce {
		return nil
	}
	return a.flushBook()
}

func (a *Auditor) addMovement(at place, of holding, by money.Total, counted session.Tally) {
	bucket := holding{of.account.Bucket(), of.token}
	a.book.totals[bucket] = a.book.totals[bucket].Add(by)
	if !of.account.Kind.Liability() {
		return
	}
	m := a.book.moved[of]
	if m == nil {
		m = &movement{cut: a.coveredHeads(ports.PartOfBalance(of.account, of.token))}
		a.book.moved[of] = m
	}
	m.addAmount(at, by, counted)
}

func (a *Auditor) flushBook() error {
	for _, of := range sortedHoldings(a.book.moved) {
		m := a.book.moved[of]
		if err := a.addRecord(balanceKey(of), factRecord, func(p *packed) {
			for _, t := range [...]money.Total{m.sum, m.late, m.low, m.high} {
				p.total(t)
			}
			p.place(m.lowAt)
			p.place(m.highAt)
			if of.account.Kind == ledger.Player {
				p.tally(m.tally)
				p.tally(m.lateTally)
			}
		}); err != nil {
			return err
		}
	}
	clear(a.book.moved)
	return nil
}

// flushHeld passes all held data to the sorter.
func (a *Auditor) flushHeld() error {
	for _, flush := range []func() error{a.flushBook, a.flushNonces, a.flushFigures} {
		if err := flush(); err != nil {
			return err
		}
	}
	return nil
}

// balanceGroup proves a balance owed to a player.
type balanceGroup struct {
	holding
	rows      []money.Total
	sum, late money.Total
	// low and high are the first running balances that are invalid for the kind of account.
	low, high     *money.Total
	lowAt, highAt place
	// counted are the stored tallies of the player, tally is computed from transfers, and
	// lateTally is its part after the row was read.
	counted          []session.Tally
	tally, lateTally session.Tally
}

func newBalanceGroup(name string) *balanceGroup {
	owner, token, _ := strings.Cut(name[1:], "\x00")
	return &balanceGroup{holding: holding{ledger.Account{Kind: ledger.Kind(name[0]), Owner: owner}, money.Token(token)}}
}

func (g *balanceGroup) add(kind byte, from *unpacked) {
	if kind == rowRecord {
		g.rows = append(g.rows, from.total())
		if from.flag() {
			g.counted = append(g.counted, from.tally())
		}
		return
	}
	if kind == carriedRecord {
		g.sum = g.sum.Add(from.total())
		if g.account.Kind == ledger.Player {
			g.tally = g.tally.Add(from.tally())
		}
		return
	}
	sum, late, low, high := from.total(), from.total(), from.total(), from.total()
	lowAt, highAt := from.place(), from.place()
	if low = g.sum.Add(low); low.Sign() < 0 && g.low == nil {
		g.low, g.lowAt = &low, lowAt
	}
	if high = g.sum.Add(high); g.high == nil && high.Cmp(money.TotalOf(money.Max)) > 0 {
		g.high, g.highAt = &high, highAt
	}
	g.sum, g.late = g.sum.Add(sum), g.late.Add(late)
	if g.account.Kind == ledger.Player {
		g.tally, g.lateTally = g.tally.Add(from.tally()), g.lateTally.Add(from.tally())
	}
}

func (g *balanceGroup) end(a *Auditor) {
	g.leave(a)
	want := g.sum.Sub(g.late)
	for _, stored := range g.rows {
		if stored != want {
			a.addFinding("%v holds %v of %s, its transfers add up to %v", g.account, stored, g.token, want)
		}
		want = money.Total{} // expected of a second row
	}
	if len(g.rows) == 0 && want.Sign() != 0 {
		a.addFinding("%v has no balance of %s, its transfers add up to %v", g.account, g.token, want)
	}
	for _, stored := range g.counted {
		if due := g.tally.Sub(g.lateTally); stored != due {
			a.addFinding("tally of %v in %s is %v, its transfers add up to %v", g.account, g.token, stored, due)
		}
	}
	if a.ordered {
		if g.low != nil {
			a.addFinding("%s: a posting can't be booked: %v would fall to %v of %s", g.lowAt, g.account, *g.low, g.token)
		}
		if g.high != nil {
			a.addFinding("%s: a posting can't be booked: %v would rise to %v of %s", g.highAt, g.account, *g.high, g.token)
		}
	}
	if _, holds := g.sum.Amount(); !holds {
		a.addFinding("%v can't hold %v of %s", g.account, g.sum, g.token)
	}
}

// checkFunds checks agents' prepaid accounts against their transfers and credit limits, and
// their reserved amounts against the open bets at sites.
func (a *Auditor) checkFunds(context.Context) error {
	reserved := map[agent.FundsRef]money.Amount{}
	for _, r := range a.sums.Open {
		if r.Status == seamless.Asking {
			reserved[agent.FundsRef{Agent: r.Agent, Token: r.Token}] += r.Amount
		}
	}
	seen := map[agent.FundsRef]bool{}
	for _, line := range a.sums.Funds {
		a.report.Accounts++
		seen[line.FundsRef] = true
		account := ledger.AgentOf(line.Agent)
		if want := a.book.totals[holding{account, line.Token}]; want != money.TotalOfInt(line.Balance) {
			a.addFinding("%v holds %d of %s, its transfers add up to %v", account, line.Balance, line.Token, want)
		}
		if want := reserved[line.FundsRef]; want != line.Reserved {
			a.addFinding("%v reserves %d of %s, its open bets add up to %d", account, line.Reserved, line.Token, want)
		}
		if line.Check() != nil {
			a.addFinding("%v passes its credit limit in %s: %+v", account, line.Token, line.Funds)
		}
	}
	for _, of := range sortedHoldings(a.book.totals) {
		if amount := a.book.totals[of]; of.account.Kind == ledger.Agent && amount.Sign() != 0 &&
			!seen[agent.FundsRef{Agent: of.account.Owner, Token: of.token}] {
			a.addFinding("%v has no account in %s, its transfers add up to %v", of.account, of.token, amount)
		}
	}
	for ref, amount := range reserved {
		if amount > 0 && !seen[ref] {
			a.addFinding("%v has no account in %s and open bets of %d", ledger.AgentOf(ref.Agent), ref.Token, amount)
		}
	}
	return nil
}
