// Package alarms raises and clears alarms for people to handle, keeps them in the store,
// lists them, and lets admins acknowledge them.
package alarms

import (
	"context"

	"github.com/casino-service/casino/app/kernel"
	"github.com/casino-service/casino/domain/alarm"
	"github.com/casino-service/casino/domain/audit"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/rbac"
	"github.com/casino-service/casino/ports"
)

// Service has the use cases of alarms. It is safe for concurrent use.
type Service struct {
	core   *kernel.Kernel
	raised *raised
}

// New returns the use cases of alarms. It makes core store the alarms that it raises.
func New(core *kernel.Kernel) *Service {
	c := &Service{core, newRaised(core.Logger, core.Clock, core.Entropy, core.Store.Alarms)}
	core.Alarms = c.raised
	return c
}

// Alarms lists alarms, newest first, within the caller's scope: a role bound to an agent
// sees the alarms that concern the agent.
func (c *Service) Alarms(ctx context.Context, caller kernel.Caller, filter ports.AlarmFilter, page ports.Page) (ports.AlarmPage, error) {
	own, err := c.core.Authorize(ctx, caller, rbac.AdminRead)
	if err != nil || !kernel.Scoped(own, &filter.Agent) {
		return ports.AlarmPage{}, err
	}
	return c.core.Store.Alarms.Alarms(ctx, filter, page)
}

// Acknowledgement is an admin's statement that the alarm is being handled.
type Acknowledgement struct {
	ID   string
	Note string
	// Clear ends the alarm even if its cause may still hold. If the cause is seen again, a
	// new alarm is raised.
	Clear bool
}

// AcknowledgeAlarm records that the caller handles an alarm. This clears a happening. A
// condition stays open until its cause ends, unless Clear is set. The order of refusals is
// permission, note, NotFound, and InvalidState if the alarm is cleared or already
// acknowledged.
func (c *Service) AcknowledgeAlarm(ctx context.Context, caller kernel.Caller, r Acknowledgement) (alarm.Alarm, error) {
	if _, err := c.core.Authorize(ctx, caller, rbac.AdminWrite); err != nil {
		return alarm.Alarm{}, err
	}
	if err := kernel.CheckText("note", r.Note); err != nil {
		return alarm.Alarm{}, err
	}
	record := c.core.Record(caller, audit.AlarmAcknowledged, r.ID)
	var next alarm.Alarm
	err := c.core.Store.Alarms.ChangeAlarm(ctx, caller.Wallet, r.ID, func(actor rbac.Assignment, present alarm.Alarm) (alarm.Alarm, audit.Record, error) {
		if err := c.core.Policy.Check(actor, rbac.AdminWrite); err != nil {
			return alarm.Alarm{}, audit.Record{}, err
		}
		if actor.AgentCode != "" && actor.AgentCode != present.Agent {
			return alarm.Alarm{}, audit.Record{}, fault.New(fault.NotFound, "no alarm %q", r.ID)
		}
		acknowledged, err := present.Acknowledge(caller.Wallet, r.Note, r.Clear, record.At)
		if err != nil {
			return alarm.Alarm{}, audit.Record{}, err
		}
		next = acknowledged
		record.Action, record.Before, record.After = audit.AlarmAcknowledged, present.Describe(), "acknowledged: "+r.Note
		if !next.Open() {
			record.Action, record.After = audit.AlarmCleared, "cleared: "+r.Note
		}
		return next, record, nil
	})
	if err == nil && !next.Open() {
		c.raised.forgetAlarm(kernel.AlarmKey{Kind: next.Kind, About: next.About})
	}
	return next, err
}
