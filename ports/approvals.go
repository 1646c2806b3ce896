package ports

import (
	"context"
	"time"

	"github.com/casino-service/casino/domain/approval"
)

// Approvals reads approval requests, which two persons decide. The Writer creates and
// decides them.
type Approvals interface {
	// Approval returns one request, open or decided, or NotFound.
	Approval(ctx context.Context, id string) (approval.Approval, error)
	// OpenApprovals lists the requests that can still be decided, newest first.
	OpenApprovals(ctx context.Context, filter ApprovalFilter, page Page) (ApprovalPage, error)
}

// ApprovalFilter narrows a list of approval requests. Now is required: requests that
// have expired by then are left out. An empty Agent doesn't narrow.
type ApprovalFilter struct {
	Now   time.Time
	Agent string
}

// ApprovalPage is a page of approval requests.
type ApprovalPage struct {
	Approvals []approval.Approval
	PageInfo
}
