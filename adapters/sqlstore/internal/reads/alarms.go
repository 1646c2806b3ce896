package reads

import (
	"context"

	"github.com/casino-service/casino/adapters/sqlstore/internal/rows"
	"github.com/casino-service/casino/domain/alarm"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/ports"
)

// Alarm serves ports.Alarms.
func (r *Reads) Alarm(ctx context.Context, id string) (alarm.Alarm, error) {
	return from(r, rows.Alarms).where("m.id = ?", id).one(ctx, "read alarm", fault.New(fault.NotFound, "no alarm %q", id))
}

// Alarms serves ports.Alarms.
func (r *Reads) Alarms(ctx context.Context, filter ports.AlarmFilter, page ports.Page) (ports.AlarmPage, error) {
	l := listOf(rows.Alarms, "m.id")
	switch {
	case filter.Open == nil:
	case *filter.Open:
		l.is("m.cleared_at IS NULL") // in the text, for the index of those that are open
	default:
		l.is("m.cleared_at IS NOT NULL")
	}
	l.equals("m.kind", string(filter.Kind))
	l.equals("m.about", filter.About)
	if filter.Agent != "" {
		l.is("m.agent <> ''")
		l.equals("m.agent", filter.Agent)
	}
	r.between(&l, "m.raised_at", filter.From, filter.To, recordSlack)
	found, info, err := listed(ctx, r, "list alarms", page, rows.Alarms, func(a *alarm.Alarm) string { return a.ID }, l)
	return ports.AlarmPage{Alarms: found, PageInfo: info}, err
}
