package ports

import (
	"context"
	"time"

	"github.com/casino-service/casino/domain/alarm"
	"github.com/casino-service/casino/domain/audit"
	"github.com/casino-service/casino/domain/rbac"
	"github.com/casino-service/casino/domain/wallet"
)

// Alarms stores notices for persons. Each change is a short transaction; a block of the
// same commit covers its audit record and the alarm's new values (event.Alarm). While
// the control state is Restored, every change is refused with the state's refusal.
type Alarms interface {
	// Alarm returns an alarm by its id, or NotFound.
	Alarm(ctx context.Context, id string) (alarm.Alarm, error)
	// Alarms lists them newest first.
	Alarms(ctx context.Context, filter AlarmFilter, page Page) (AlarmPage, error)
	// ChangeOpenAlarm reads the open alarm of a kind about a subject under lock (nil if
	// there is none), calls decide, and stores what it returns. Calls run one after
	// another, across processes too, so at most one alarm of a kind and subject is open. If
	// decide returns no record, only the count and time of sightings are stored, in no
	// block; if it returns no alarm, nothing is. A refusal by decide or by alarm.Follows
	// changes nothing and is returned unchanged.
	ChangeOpenAlarm(ctx context.Context, kind alarm.Kind, about string, decide OpenAlarmDecision) error
	// ChangeAlarm reads the role of the admin who makes the change and the alarm under
	// lock, calls decide, and stores what it returns with the audit record. An unknown
	// alarm is NotFound. A refusal changes nothing and is returned unchanged.
	ChangeAlarm(ctx context.Context, by wallet.Address, id string, decide AlarmDecision) error
}

// OpenAlarmDecision decides on the next state of the open alarm, nil if there is none.
type OpenAlarmDecision func(open *alarm.Alarm) (*alarm.Alarm, *audit.Record, error)

// AlarmDecision decides on the next state of an alarm. For an actor without a role it
// gets the zero Assignment.
type AlarmDecision func(actor rbac.Assignment, present alarm.Alarm) (alarm.Alarm, audit.Record, error)

// AlarmFilter narrows a list of alarms; zero fields don't. From (inclusive) and To
// (exclusive) bound when they were raised.
type AlarmFilter struct {
	// Open selects the open alarms if true, the cleared ones if false.
	Open     *bool
	Kind     alarm.Kind
	About    string
	Agent    string
	From, To time.Time
}

// AlarmPage is a page of alarms.
type AlarmPage struct {
	Alarms []alarm.Alarm
	PageInfo
}
