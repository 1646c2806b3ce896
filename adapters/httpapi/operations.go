package httpapi

import (
	"context"
	"slices"
	"strings"

	"github.com/casino-service/casino/adapters/httpapi/api"
	"github.com/casino-service/casino/adapters/httpapi/internal/operation"
	"github.com/casino-service/casino/adapters/httpapi/internal/parse"
	"github.com/casino-service/casino/adapters/httpapi/internal/sheet"
	"github.com/casino-service/casino/app/alarms"
	"github.com/casino-service/casino/domain/alarm"
	"github.com/casino-service/casino/domain/audit"
	"github.com/casino-service/casino/domain/rbac"
	"github.com/casino-service/casino/ports"
)

// alarmRoutes returns the routes of alarms.
func (a *API) alarmRoutes() []route {
	return []route{
		{operation.ListAlarms, admins(rbac.AdminRead), noWindow, a.listAlarms},
		{operation.AcknowledgeAlarm, admins(rbac.AdminWrite), noWindow, a.acknowledgeAlarm},
	}
}

// runbooks is the base URL of the operators' instructions.
const runbooks = "https://github.com/casino-service/casino/blob/main/docs/operations/"

// eventAlarmOf returns an alarm in the form of events.
func eventAlarmOf(a alarm.Alarm) api.EventAlarm {
	body := api.EventAlarm{
		ID: a.ID, Kind: a.Kind, Message: a.Kind.Message(), Ending: a.Kind.Entry().Ending, About: a.About, AgentCode: orNull(a.Agent),
		Facts: []api.AlarmFact{}, RaisedAt: unixMillis(a.RaisedAt),
		AcknowledgedAt: unixMillisOrNull(a.AcknowledgedAt), AcknowledgedBy: orNull(string(a.AcknowledgedBy)), Note: orNull(a.Note),
		ClearedAt: unixMillisOrNull(a.ClearedAt), ClearedBy: orNull(string(a.ClearedBy)),
	}
	for _, f := range a.Facts {
		body.Facts = append(body.Facts, api.AlarmFact(f))
	}
	return body
}

func alarmOf(a alarm.Alarm) api.Alarm {
	return api.Alarm{EventAlarm: eventAlarmOf(a), LastSeenAt: unixMillis(a.LastSeen), Seen: a.Seen, Runbook: runbooks + a.Kind.Entry().Runbook}
}

// The states for listing alarms.
const (
	openAlarms    = "open"
	clearedAlarms = "cleared"
)

func (a *API) listAlarms(r *request) (answer, error) {
	return list[ports.AlarmFilter, alarm.Alarm, api.Alarm, api.AlarmPage]{
		filter: func(q *parse.Query) ports.AlarmFilter {
			f := ports.AlarmFilter{
				Kind: alarm.Kind(q.Choice("kind", alarmKinds()...)), About: q.Limited("about", alarm.AboutMax), Agent: q.Text("agentCode"),
				From: q.Time("from"), To: q.Time("to"),
			}
			if state := q.Choice("state", openAlarms, clearedAlarms); state != "" {
				open := state == openAlarms
				f.Open = &open
			}
			return f
		},
		page: func(ctx context.Context, filter ports.AlarmFilter, page ports.Page) ([]alarm.Alarm, ports.PageInfo, error) {
			found, err := a.casino.Alarms.Alarms(ctx, r.caller, filter, page)
			return found.Alarms, found.PageInfo, err
		},
		row:  alarmOf,
		name: "alarms", columns: alarmColumns,
	}.servePage(a, r)
}

// alarmKinds returns the names of the kinds.
func alarmKinds() []string {
	var names []string
	for _, e := range alarm.Kinds() {
		names = append(names, string(e.Kind))
	}
	return names
}

var alarmColumns = slices.Concat(
	sheet.Columns[api.Alarm]("id", "raisedAt", "kind", "message", "about", "agentCode"),
	[]sheet.Column[api.Alarm]{sheet.Text("facts", func(a api.Alarm) string {
		var facts []string
		for _, f := range a.Facts {
			facts = append(facts, f.Name+"="+f.Value)
		}
		return strings.Join(facts, "; ")
	})},
	sheet.Columns[api.Alarm]("lastSeenAt", "seen", "acknowledgedAt", "acknowledgedBy", "note", "clearedAt", "clearedBy"),
)

func (a *API) acknowledgeAlarm(r *request) (answer, error) {
	f := r.readBody()
	f.Need("note")
	word := alarms.Acknowledgement{ID: r.params["id"], Note: f.Note()}
	if f.Has("clear") {
		word.Clear = f.Bool("clear")
	}
	if f.Err != nil {
		return answer{}, f.Err
	}
	stands, err := a.casino.Alarms.AcknowledgeAlarm(r.ctx, r.caller, word)
	return ok(api.AlarmResponse{Alarm: alarmOf(stands)}), err
}

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
