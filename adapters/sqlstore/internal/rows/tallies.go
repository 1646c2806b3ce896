package rows

import (
	"github.com/casino-service/casino/adapters/sqlstore/internal/db"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/session"
	"github.com/casino-service/casino/domain/wallet"
)

// Counted is a balance with what was counted of it; of holds and of what is unclaimed
// nothing is.
type Counted struct {
	Balance
	session.Tally
}

// tallied are balances as they are written: tallies are only ever added to.
var tallied = table("balances", "b",
	ofWallet("wallet", func(b *Counted) *wallet.Address { return &b.Wallet }).keyed(),
	text("kind", func(b *Counted) *string { return &b.Kind }).keyed(),
	text("hold", func(b *Counted) *string { return &b.Hold }).keyed(),
	text("token", func(b *Counted) *money.Token { return &b.Token }).keyed(),
	integer("amount", func(b *Counted) *money.Amount { return &b.Amount }),
	integer("rounds", func(b *Counted) *int64 { return &b.Rounds }),
	high("wagered_hi", func(b *Counted) money.Total { return b.Wagered }),
	low("wagered_lo", func(b *Counted) money.Total { return b.Wagered }),
	high("won_hi", func(b *Counted) money.Total { return b.Won }),
	low("won_lo", func(b *Counted) money.Total { return b.Won }),
	high("deposited_hi", func(b *Counted) money.Total { return b.Deposited }),
	low("deposited_lo", func(b *Counted) money.Total { return b.Deposited }),
)

// TallyColumns are the columns that ScanTally reads, of balances AS b.
const TallyColumns = "b.rounds, b.wagered_hi, b.wagered_lo, b.won_hi, b.won_lo, b.deposited_hi, b.deposited_lo"

// TallyParts are where a scan puts TallyColumns.
type TallyParts [7]int64

// Places are for a scan.
func (p *TallyParts) Places() []any {
	places := make([]any, len(p))
	for i := range p {
		places[i] = &p[i]
	}
	return places
}

// Tally is what was read.
func (p *TallyParts) Tally() session.Tally {
	return session.Tally{
		Rounds: p[0], Wagered: money.TotalFromParts(p[1], p[2]), Won: money.TotalFromParts(p[3], p[4]), Deposited: money.TotalFromParts(p[5], p[6]),
	}
}

// The low parts add up below 2^41, so that the carry is 0 or 1.
const addPlay = `rounds = balances.rounds + %[1]s.rounds,
	wagered_hi = balances.wagered_hi + %[1]s.wagered_hi + ((balances.wagered_lo + %[1]s.wagered_lo) >> 40),
	wagered_lo = (balances.wagered_lo + %[1]s.wagered_lo) & 1099511627775,
	won_hi = balances.won_hi + %[1]s.won_hi + ((balances.won_lo + %[1]s.won_lo) >> 40),
	won_lo = (balances.won_lo + %[1]s.won_lo) & 1099511627775`

// CountedColumns are what ScanCounted reads, of balances AS b.
var CountedColumns = Balances.Columns() + ", " + TallyColumns

// ScanCounted reads a balance with what was counted of it.
func ScanCounted(row db.Row) (c Counted, err error) {
	var parts TallyParts
	c.Balance, err = Balances.ScanWith(row, parts.Places()...)
	c.Tally = parts.Tally()
	return c, err
}
