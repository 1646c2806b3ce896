package reads

import (
	"context"

	"github.com/casino-service/casino/adapters/sqlstore/internal/db"
	"github.com/casino-service/casino/adapters/sqlstore/internal/rows"
	"github.com/casino-service/casino/domain/approval"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/ports"
)

var _ ports.Approvals = (*Reads)(nil)

// Approval serves ports.Approvals.
func (r *Reads) Approval(ctx context.Context, id string) (approval.Approval, error) {
	return from(r, rows.ApprovalRequests).where("a.id = ?", id).one(ctx, "read request", fault.New(fault.NotFound, "no request %q", id))
}

// OpenApprovals serves ports.Approvals.
func (r *Reads) OpenApprovals(ctx context.Context, filter ports.ApprovalFilter, page ports.Page) (ports.ApprovalPage, error) {
	l := listOf(rows.ApprovalRequests, "a.id")
	l.is("a.status = 'open'") // in the text, for the index of those that are
	l.add("a.expires_at > ?", db.Micros(filter.Now))
	l.equals("a.agent", filter.Agent)
	found, info, err := listed(ctx, r, "list requests", page, rows.ApprovalRequests,
		func(a *approval.Approval) string { return a.ID }, l)
	return ports.ApprovalPage{Approvals: found, PageInfo: info}, err
}
