package rows

import (
	"time"

	"github.com/uptrace/bun"

	"github.com/casino-service/casino/domain/deposit"
	"github.com/casino-service/casino/domain/money"
)

// ParkedDepositRow is a row of parked_deposits.
type ParkedDepositRow struct {
	bun.BaseModel `bun:"table:parked_deposits,alias:p"`
	Parked        struct {
		deposit.Ref
		Status  deposit.Status
		Reason  deposit.Reason
		Amount  money.Amount
		Tries   int
		FoundAt time.Time
		NextAt  time.Time `bun:",nullzero"`
	} `bun:"embed:"`
}

// ParkedDeposits are transactions at the treasury that nobody was credited for yet.
var ParkedDeposits = modelOf[ParkedDepositRow, deposit.Parked]()
