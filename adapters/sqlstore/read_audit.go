package sqlstore

import (
	"context"
	"database/sql"

	"github.com/casino-service/casino/domain/audit"
	"github.com/casino-service/casino/ports"
)

var _ ports.AuditLog = (*Store)(nil)

// Records serves ports.AuditLog.
func (s *Store) Records(ctx context.Context, filter ports.AuditFilter, page ports.Page) (ports.AuditPage, error) {
	l := list{columns: "a.id, a.action, a.actor, a.target, a.was, a.became, a.at, a.request_id", from: "audit AS a", id: "a.id"}
	l.equals("a.actor", string(filter.By))
	l.equals("a.target", filter.Target)
	l.equals("a.action", string(filter.Action))
	s.between(&l, "a.at", filter.From, filter.To, recordSlack)
	answer := ports.AuditPage{Records: []audit.Record{}}
	info, err := s.listed(ctx, "list audit records", page, func(row *sql.Rows) (string, error) {
		var a audit.Record
		var at int64
		err := row.Scan(&a.ID, &a.Action, &a.By, &a.Target, &a.Before, &a.After, &at, &a.RequestID)
		a.At = moment(at)
		answer.Records = append(answer.Records, a)
		return a.ID, err
	}, l)
	answer.PageInfo = info
	return answer, err
}
