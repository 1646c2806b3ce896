package httpapi

import (
	"context"

	"github.com/casino-service/casino/adapters/httpapi/api"
	"github.com/casino-service/casino/adapters/httpapi/internal/operation"
	"github.com/casino-service/casino/adapters/httpapi/internal/parse"
	"github.com/casino-service/casino/adapters/httpapi/internal/sheet"
	"github.com/casino-service/casino/domain/audit"
	"github.com/casino-service/casino/domain/rbac"
	"github.com/casino-service/casino/ports"
)

// auditRoutes returns the routes of the audit log.
func (a *API) auditRoutes() []route {
	return []route{
		{operation.AuditLog, admins(rbac.AuditRead), noWindow, a.auditLog},
	}
}

func auditOf(r audit.Record) api.AuditRecord {
	return api.AuditRecord{
		ID: r.ID, Action: r.Action, By: orNull(string(r.By)), Target: r.Target, Before: orNull(r.Before), After: orNull(r.After),
		CreatedAt: unixMillis(r.At), RequestID: orNull(r.RequestID),
	}
}

// wholeLog selects all parts of the log.
const wholeLog = "all"

// auditLog lists actions of admins and of the service, unless the query selects an actor, a
// target or a part.
func (a *API) auditLog(r *request) (answer, error) {
	return list[ports.AuditFilter, audit.Record, api.AuditRecord, api.AuditPage]{
		filter: func(q *parse.Query) ports.AuditFilter {
			f := ports.AuditFilter{
				By: q.Address("by"), Target: q.Text("target"), Action: audit.Action(q.Text("action")), From: q.Time("from"), To: q.Time("to"),
			}
			switch part := q.Choice("part", string(audit.Admins), string(audit.Players), wholeLog); {
			case part == "" && f.By == "" && f.Target == "" && f.Action == "":
				f.Part = audit.Admins
			case part != wholeLog:
				f.Part = audit.Part(part)
			}
			return f
		},
		page: func(ctx context.Context, filter ports.AuditFilter, page ports.Page) ([]audit.Record, ports.PageInfo, error) {
			found, err := a.casino.Admin.AuditRecords(ctx, r.caller, filter, page)
			return found.Records, found.PageInfo, err
		},
		row:  auditOf,
		name: "audit", columns: auditColumns,
	}.servePage(a, r)
}

var auditColumns = sheet.Columns[api.AuditRecord](
	"id", "createdAt", "action", "by", "target", "before", "after", "requestId",
)
