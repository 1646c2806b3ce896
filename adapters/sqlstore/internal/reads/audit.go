package reads

import (
	"context"
	"time"

	"github.com/casino-service/casino/adapters/sqlstore/internal/rows"
	"github.com/casino-service/casino/domain/audit"
	"github.com/casino-service/casino/ports"
)

var _ ports.AuditLog = (*Reads)(nil)

// recordSlack is rows.IDSlack for audit records, which short administrative
// transactions write too: those are not looked at one by one.
const recordSlack = time.Hour

// playersRecord is audit.Record.Part in SQL. The indexes audit_admins and audit_players
// have the same condition.
const playersRecord = "(a.action IN ('session.opened', 'sessions.ended', 'player.first_signed_in')" +
	" OR (a.action IN ('limits.changed', 'player.excluded', 'player.cooled_off') AND a.actor = a.target))"

// Records serves ports.AuditLog.
func (r *Reads) Records(ctx context.Context, filter ports.AuditFilter, page ports.Page) (ports.AuditPage, error) {
	l := listOf(rows.Audit, "a.id")
	l.equals("a.actor", string(filter.By))
	l.equals("a.target", filter.Target)
	l.equals("a.action", string(filter.Action))
	switch filter.Part {
	case "":
	case audit.Players:
		l.is(playersRecord)
	case audit.Admins:
		l.is("NOT " + playersRecord)
	default: // no record is of it
		l.is("FALSE")
	}
	r.between(&l, "a.at", filter.From, filter.To, recordSlack)
	found, info, err := listed(ctx, r, "list audit records", page, rows.Audit, func(a *audit.Record) string { return a.ID }, l)
	return ports.AuditPage{Records: found, PageInfo: info}, err
}
