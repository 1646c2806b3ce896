package rows

import (
	"slices"
	"time"

	"github.com/casino-service/casino/adapters/sqlstore/internal/db"
	"github.com/casino-service/casino/domain/approval"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/player"
	"github.com/casino-service/casino/domain/wallet"
)

// ApprovalRequests are what two persons decide.
var ApprovalRequests = table("approval_requests", "a",
	text("id", func(a *approval.Approval) *string { return &a.ID }).keyed(),
	text("kind", func(a *approval.Approval) *approval.Kind { return &a.Kind }),
	text("wallet", func(a *approval.Approval) *wallet.Address { return &a.Wallet }),
	text("agent", func(a *approval.Approval) *string { return &a.Agent }),
	text("token", func(a *approval.Approval) *money.Token { return &a.Token }),
	integer("amount", func(a *approval.Approval) *int64 { return &a.Amount }),
	text("reference", func(a *approval.Approval) *string { return &a.Reference }),
	text("reason", func(a *approval.Approval) *string { return &a.Reason }),
	text("asked_by", func(a *approval.Approval) *wallet.Address { return &a.By }),
	text("status", func(a *approval.Approval) *approval.Status { return &a.Status }),
	moment("created_at", func(a *approval.Approval) *time.Time { return &a.CreatedAt }),
	moment("expires_at", func(a *approval.Approval) *time.Time { return &a.ExpiresAt }),
	text("decided_by", func(a *approval.Approval) *wallet.Address { return &a.DecidedBy }),
	optional("decided_at", func(a *approval.Approval) *time.Time { return &a.DecidedAt }),
)

var (
	readApprovalRequests   = ApprovalRequests.find("a.id = s.id", "id")
	addApprovalRequests    = ApprovalRequests.insert("")
	decideApprovalRequests = ApprovalRequests.update(update{
		set: []string{"status", "decided_by", "decided_at"}, where: "approval_requests.status = 'open'",
	})
)

// approvalRequests are those that the items need and those that the batch makes.
type approvalRequests struct {
	plain
	staged map[string]stagedApprovalRequest
}

// stagedApprovalRequest is a request as a batch leaves it.
type stagedApprovalRequest struct {
	approval.Approval
	isNew bool
}

func neededApprovals(n *player.Needs) []string { return n.Approvals }

// ask reads the requests; one about another wallet is not theirs to see.
func (*approvalRequests) ask(b *Batch) {
	b.Ask("read requests", readApprovalRequests, b.idsOf(neededApprovals), func(row db.Row) error {
		a, err := ApprovalRequests.Scan(row)
		if w := b.Wallets[a.Wallet]; err == nil && w != nil && slices.Contains(w.Needs.Approvals, a.ID) {
			put(&w.View.Approvals, a.ID, a)
		}
		return err
	})
}

// check finds a new request under the id of another.
func (o *approvalRequests) check(_ *Batch, s *Step) error {
	a := s.Change.Approval
	if a == nil || has(s.Seen.Approvals, a.ID) {
		return nil
	}
	return unique("request", a.ID, has(s.Wallet.View.Approvals, a.ID) || has(o.staged, a.ID))
}

func (o *approvalRequests) stage(_ *Batch, s *Step) {
	if a := s.Change.Approval; a != nil {
		_, stored := s.Wallet.View.Approvals[a.ID]
		put(&o.staged, a.ID, stagedApprovalRequest{*a, !stored || o.staged[a.ID].isNew})
	}
}

func (o *approvalRequests) write(b *Batch) error {
	var fresh, decided [][]any
	for _, a := range sorted(o.staged) {
		if a.isNew {
			fresh = append(fresh, addApprovalRequests.row(&a.Approval))
		} else {
			decided = append(decided, decideApprovalRequests.row(&a.Approval))
		}
	}
	b.Write("write requests", addApprovalRequests.query, fresh)
	b.Write("decide requests", decideApprovalRequests.query, decided)
	return nil
}
