package rows

import (
	"time"

	"github.com/uptrace/bun"

	"github.com/casino-service/casino/adapters/sqlstore/internal/db"
	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/domain/withdrawal"
)

// Approval is one person's approval of a withdrawal, the n-th.
type Approval struct {
	bun.BaseModel `bun:"table:approvals,alias:a"`
	approvalColumns
	WithdrawalID string
	N            int
	Wallet       wallet.Address `bun:",type:uuid"` // of the withdrawal
}

// approvalColumns are those of a withdrawal.Approval.
type approvalColumns struct {
	By        wallet.Address `bun:"approver"`
	At        time.Time
	Note      string
	Attempt   int
	Needed    int
	Signature string
	Timestamp int64 `bun:"signed_at"`
	Treasury  wallet.Address
	Seal      string
}

// Approvals are those of withdrawals.
var Approvals = modelOf[Approval, Approval]()

// Given is the approval itself.
func (a Approval) Given() withdrawal.Approval { return withdrawal.Approval(a.approvalColumns) }

var (
	readApprovals  = Approvals.find("a.wallet = s.wallet AND a.withdrawal_id = s.id ORDER BY a.withdrawal_id, a.n", "wallet:uuid", "id")
	clearApprovals = db.NewQuery(`DELETE FROM approvals WHERE (wallet, withdrawal_id) IN (SELECT s.wallet, s.id FROM {sent} AS s)`, "wallet:uuid", "id")
	addApprovals   = Approvals.insert("")
)
