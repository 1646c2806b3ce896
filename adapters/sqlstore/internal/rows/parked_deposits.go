package rows

import (
	"time"

	"github.com/casino-service/casino/domain/deposit"
	"github.com/casino-service/casino/domain/money"
)

// ParkedDeposits are transactions at the treasury that nobody was credited for yet.
var ParkedDeposits = table("parked_deposits", "p",
	text("token", func(p *deposit.Parked) *money.Token { return &p.Token }).keyed(),
	text("signature", func(p *deposit.Parked) *string { return &p.Signature }).keyed(),
	text("status", func(p *deposit.Parked) *deposit.Status { return &p.Status }),
	text("reason", func(p *deposit.Parked) *deposit.Reason { return &p.Reason }),
	integer("amount", func(p *deposit.Parked) *money.Amount { return &p.Amount }),
	integer("tries", func(p *deposit.Parked) *int { return &p.Tries }),
	moment("found_at", func(p *deposit.Parked) *time.Time { return &p.FoundAt }),
	optional("next_at", func(p *deposit.Parked) *time.Time { return &p.NextAt }),
)
