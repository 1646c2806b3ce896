package rows

import (
	"time"

	"github.com/casino-service/casino/adapters/sqlstore/internal/db"
	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/domain/withdrawal"
)

// Approval is one person's approval of a withdrawal, the n-th.
type Approval struct {
	withdrawal.Approval
	WithdrawalID string
	n            int
	wallet       wallet.Address // of the withdrawal
}

// Approvals are those of withdrawals.
var Approvals = table("approvals", "a",
	ofWallet("wallet", func(a *Approval) *wallet.Address { return &a.wallet }),
	text("withdrawal_id", func(a *Approval) *string { return &a.WithdrawalID }),
	integer("n", func(a *Approval) *int { return &a.n }),
	text("approver", func(a *Approval) *wallet.Address { return &a.By }),
	moment("at", func(a *Approval) *time.Time { return &a.At }),
	text("note", func(a *Approval) *string { return &a.Note }),
	integer("attempt", func(a *Approval) *int { return &a.Attempt }),
	integer("needed", func(a *Approval) *int { return &a.Needed }),
	text("signature", func(a *Approval) *string { return &a.Signature }),
	integer("signed_at", func(a *Approval) *int64 { return &a.Timestamp }),
	text("treasury", func(a *Approval) *wallet.Address { return &a.Treasury }),
	text("seal", func(a *Approval) *string { return &a.Seal }),
)

// Given is the approval itself.
func (a Approval) Given() withdrawal.Approval { return a.Approval }

var (
	readApprovals = db.NewQuery("SELECT "+Approvals.Columns()+` FROM {sent} AS s CROSS JOIN approvals AS a
		WHERE a.wallet = s.wallet AND a.withdrawal_id = s.id ORDER BY a.withdrawal_id, a.n`, "wallet:uuid", "id")
	clearApprovals = db.NewQuery(`DELETE FROM approvals WHERE (wallet, withdrawal_id) IN (SELECT s.wallet, s.id FROM {sent} AS s)`, "wallet:uuid", "id")
	addApprovals   = Approvals.insert("")
)
