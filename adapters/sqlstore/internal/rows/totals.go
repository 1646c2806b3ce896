package rows

import (
	"cmp"
	"maps"
	"slices"

	"github.com/casino-service/casino/domain/ledger"
	"github.com/casino-service/casino/domain/money"
)

// totalRow is what is in an account, of a liability with an agent, as one lane
// counts it.
type totalRow struct {
	lane        int
	kind, owner string
	agent       string
	token       money.Token
	amount      money.Total
}

var laneTotals = table("lane_totals", "l",
	integer("lane", func(t *totalRow) *int { return &t.lane }),
	text("kind", func(t *totalRow) *string { return &t.kind }),
	text("owner", func(t *totalRow) *string { return &t.owner }),
	text("agent", func(t *totalRow) *string { return &t.agent }),
	text("token", func(t *totalRow) *money.Token { return &t.token }),
	high("hi", func(t *totalRow) money.Total { return t.amount }),
	low("lo", func(t *totalRow) money.Total { return t.amount }),
)

// The low parts add up below 2^41, so that the carry is 0 or 1.
var addTotals = laneTotals.insert(`ON CONFLICT (lane, kind, owner, agent, token) DO UPDATE SET
	hi = lane_totals.hi + excluded.hi + ((lane_totals.lo + excluded.lo) >> 40),
	lo = (lane_totals.lo + excluded.lo) & 1099511627775`)

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

func (k totalKey) compare(other totalKey) int {
	return cmp.Or(cmp.Compare(k.account.Kind, other.account.Kind), cmp.Compare(k.account.Owner, other.account.Owner),
		cmp.Compare(k.agent, other.agent), cmp.Compare(k.token, other.token))
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
	for _, k := range slices.SortedFunc(maps.Keys(o.moved), totalKey.compare) {
		rows = append(rows, addTotals.row(&totalRow{b.Head.Lane, k.account.Kind.String(), k.account.Owner, k.agent, k.token, o.moved[k]}))
	}
	b.Write("add to totals", addTotals.query, rows)
	return nil
}
