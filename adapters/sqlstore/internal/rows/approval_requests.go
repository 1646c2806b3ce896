package rows

import (
	"slices"
	"time"

	"github.com/uptrace/bun"

	"github.com/casino-service/casino/domain/approval"
	"github.com/casino-service/casino/domain/player"
	"github.com/casino-service/casino/domain/wallet"
)

// approvalRequestRow is a row of approval_requests.
type approvalRequestRow struct {
	bun.BaseModel `bun:"table:approval_requests,alias:a"`
	Approval      struct {
		ID string `bun:",pk"`
		approval.Request
		Agent     string
		By        wallet.Address `bun:"asked_by"`
		Status    approval.Status
		CreatedAt time.Time
		ExpiresAt time.Time
		DecidedBy wallet.Address
		DecidedAt time.Time `bun:",nullzero"`
	} `bun:"embed:"`
}

// ApprovalRequests are what two persons decide.
var ApprovalRequests = modelOf[approvalRequestRow, approval.Approval]()

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
	readApprovalRequests.ask(&b.Asks, "read requests", b.idsOf(neededApprovals), func(a approval.Approval) error {
		if w := b.Wallets[a.Wallet]; w != nil && slices.Contains(w.Needs.Approvals, a.ID) {
			put(&w.View.Approvals, a.ID, a)
		}
		return nil
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
	for _, a := range o.staged {
		if a.isNew {
			fresh = append(fresh, addApprovalRequests.row(&a.Approval))
		} else {
			decided = append(decided, decideApprovalRequests.row(&a.Approval))
		}
	}
	b.WriteSorted("write requests", addApprovalRequests.query, fresh)
	b.WriteSorted("decide requests", decideApprovalRequests.query, decided)
	return nil
}
