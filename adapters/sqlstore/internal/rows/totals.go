package rows

import (
	"fmt"
	"strings"

	"github.com/uptrace/bun"

	"github.com/casino-service/casino/domain/ledger"
	"github.com/casino-service/casino/domain/money"
)

// TotalRow is what is in an account, of a liability with an agent, as one lane
// counts it.
type TotalRow struct {
	bun.BaseModel `bun:"table:lane_totals,alias:l"`
	Lane          int
	Kind          string
	Owner         string
	Agent         string
	Token         money.Token
	Sum
}

var laneTotals = modelOf[TotalRow, TotalRow]()

var addTotals = laneTotals.insert("ON CONFLICT (lane, kind, owner, agent, token) DO UPDATE SET " + addUp("lane_totals", ""))

// Sum is a total in the two columns that it is kept in.
type Sum struct{ Hi, Lo int64 }

func sumOf(t money.Total) (s Sum) {
	s.Hi, s.Lo = t.Parts()
	return s
}

// Total is the sum as a number.
func (s Sum) Total() money.Total { return money.TotalFromParts(s.Hi, s.Lo) }

// addUp adds sums to those of the row that is there, whose columns begin so. The low parts
// add up below 2^41, so that the carry is 0 or 1.
func addUp(table string, columns ...string) string { return addUpFrom(table, "excluded", columns...) }

// addUpFrom is addUp of what another table has.
func addUpFrom(table, from string, columns ...string) string {
	set := make([]string, len(columns))
	for i, c := range columns {
		set[i] = fmt.Sprintf(`%[3]shi = %[1]s.%[3]shi + %[2]s.%[3]shi + ((%[1]s.%[3]slo + %[2]s.%[3]slo) >> 40),
	%[3]slo = (%[1]s.%[3]slo + %[2]s.%[3]slo) & 1099511627775`, table, from, c)
	}
	return strings.Join(set, ",\n\t")
}

// TotalsBy are what is in accounts as all lanes count it, added up by columns.
func TotalsBy(columns ...string) *Model[TotalRow] {
	return laneTotals.only(append(columns, "hi", "lo")...).summed(len(columns))
}

// totals are what is in each account, and of liabilities by agent.
type totals struct {
	plain
	moved map[totalKey]money.Total
}

// totalKey names a row of lane_totals within its lane.
type totalKey struct {
	account ledger.Account
	agent   string
	token   money.Token
}

func (o *totals) add(a ledger.Account, agent string, token money.Token, amount money.Total) {
	key := totalKey{a.Bucket(), agent, token}
	put(&o.moved, key, o.moved[key].Add(amount))
}

// stage adds up what is moved, and of a player who is bound to another agent what
// is owed to the player.
func (o *totals) stage(_ *Batch, s *Step) {
	if r := s.Change.Rebinding; r != nil {
		for _, h := range r.Holdings {
			o.add(h.Account, r.From, h.Token, money.TotalOf(h.Amount).Neg())
			o.add(h.Account, r.To, h.Token, money.TotalOf(h.Amount))
		}
	}
	agent := s.Next.Player.Agent
	for _, p := range s.Change.Postings {
		for _, t := range p.Transfers {
			o.add(t.Debit, agent, t.Token, money.TotalOf(t.Amount).Neg())
			o.add(t.Credit, agent, t.Token, money.TotalOf(t.Amount))
		}
	}
}

func (o *totals) write(b *Batch) error {
	var rows [][]any
	for k, sum := range o.moved {
		rows = append(rows, addTotals.row(&TotalRow{
			Lane: b.Head.Lane, Kind: k.account.Kind.String(), Owner: k.account.Owner, Agent: k.agent, Token: k.token, Sum: sumOf(sum),
		}))
	}
	b.WriteSorted("add to totals", addTotals.query, rows)
	return nil
}
