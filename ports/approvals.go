package ports

import (
	"context"
	"time"

	"github.com/casino-service/casino/domain/approval"
)

// Approvals reads requests to two persons. They are asked for and decided
// through the Writer.
type Approvals interface {
	// Approval returns one request, open or decided, or NotFound.
	Approval(ctx context.Context, id string) (approval.Approval, error)
	// OpenApprovals lists those that can still be decided, newest first.
	OpenApprovals(ctx context.Context, filter ApprovalFilter, page Page) (ApprovalPage, error)
}

// ApprovalFilter narrows a list of requests. Now is required: a request that has
// ended by then is left out. An empty Agent doesn't narrow.
type ApprovalFilter struct {
	Now   time.Time
	Agent string
}

// ApprovalPage is a page of requests.
type ApprovalPage struct {
	Approvals []approval.Approval
	PageInfo
}
