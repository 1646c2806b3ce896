package ports

import (
	"context"
	"time"

	"github.com/casino-service/casino/domain/alarm"
	"github.com/casino-service/casino/domain/audit"
	"github.com/casino-service/casino/domain/rbac"
	"github.com/casino-service/casino/domain/wallet"
)

// Alarms keeps what a person has to look at. A change is a short transaction, with its
// audit record and what the alarm is from then on (event.Alarm) in a block of the same
// commit. While the control state is Restored every change is refused with the state's own
// refusal.
type Alarms interface {
	// Alarm returns an alarm by its id, or NotFound.
	Alarm(ctx context.Context, id string) (alarm.Alarm, error)
	// Alarms lists them newest first.
	Alarms(ctx context.Context, filter AlarmFilter, page Page) (AlarmPage, error)
	// ChangeOpenAlarm runs decide on the open alarm of a kind about a subject, read under
	// lock, nil where there is none, and stores what it returns. Calls come one after the
	// other, those of other processes too, so that one alarm of a kind and a subject is
	// open at most. Without a record only when and how often it was seen is stored, in no
	// block; without an alarm nothing is. A refusal changes nothing and is returned as it
	// is, and so is what alarm.Follows refuses.
	ChangeOpenAlarm(ctx context.Context, kind alarm.Kind, about string, decide OpenAlarmDecision) error
	// ChangeAlarm runs decide on the role of the admin who changes it and on the alarm, both
	// read under lock, and stores what it returns with the audit record. An alarm that isn't
	// there is NotFound. A refusal changes nothing and is returned as it is.
	ChangeAlarm(ctx context.Context, by wallet.Address, id string, decide AlarmDecision) error
}

// OpenAlarmDecision decides on the next state of the open alarm, nil where there is none.
type OpenAlarmDecision func(open *alarm.Alarm) (*alarm.Alarm, *audit.Record, error)

// AlarmDecision decides on the next state of an alarm. The actor without a role is the zero
// Assignment.
type AlarmDecision func(actor rbac.Assignment, present alarm.Alarm) (alarm.Alarm, audit.Record, error)

// AlarmFilter narrows a list of alarms; zero fields don't. From and To are when they were
// raised, From inclusive, To exclusive.
type AlarmFilter struct {
	// Open keeps those that are open, or that are cleared.
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
