package sqlstore

import (
	"context"
	"database/sql"

	"github.com/casino-service/casino/domain/approval"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/ports"
)

var _ ports.Approvals = (*Store)(nil)

// Approval serves ports.Approvals.
func (s *Store) Approval(ctx context.Context, id string) (approval.Approval, error) {
	var found approval.Approval
	err := s.one(ctx, "read request", "SELECT "+approvalColumns+" FROM approval_requests AS a WHERE a.id = ?", []any{id},
		func(row *sql.Row) (err error) {
			found, err = scanApproval(row)
			return err
		}, fault.New(fault.NotFound, "no request %q", id))
	if err != nil {
		return approval.Approval{}, err
	}
	return found, nil
}

// OpenApprovals serves ports.Approvals.
func (s *Store) OpenApprovals(ctx context.Context, filter ports.ApprovalFilter, page ports.Page) (ports.ApprovalPage, error) {
	l := list{columns: approvalColumns, from: "approval_requests AS a", id: "a.id"}
	l.equals("a.status", string(approval.Open))
	l.add("a.expires_at > ?", micros(filter.Now))
	l.equals("a.agent", filter.Agent)
	answer := ports.ApprovalPage{Approvals: []approval.Approval{}}
	info, err := s.listed(ctx, "list requests", page, func(row *sql.Rows) (string, error) {
		a, err := scanApproval(row)
		answer.Approvals = append(answer.Approvals, a)
		return a.ID, err
	}, l)
	answer.PageInfo = info
	return answer, err
}
