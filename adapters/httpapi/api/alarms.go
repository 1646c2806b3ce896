package api

import (
	"time"

	"github.com/casino-service/casino/domain/alarm"
)

// AlarmFilter narrows a list of alarms; zero fields don't narrow. From and To are when they
// were raised.
type AlarmFilter struct {
	PageRequest
	State     string    `query:"state"` // "open" or "cleared"
	Kind      string    `query:"kind"`
	About     string    `query:"about"`
	AgentCode string    `query:"agentCode"`
	From      time.Time `query:"from"`
	To        time.Time `query:"to"`
}

// AlarmPage is a page of alarms.
type AlarmPage struct {
	Alarms   []Alarm `json:"alarms"`
	PageInfo `json:",inline"`
}

// Alarm is an alarm with when and how often its cause was seen.
type Alarm struct {
	EventAlarm `json:",inline"`
	LastSeenAt int64 `json:"lastSeenAt"`
	Seen       int64 `json:"seen"`
	// Runbook is the address of the page that says what to do.
	Runbook string `json:"runbook"`
}

// EventAlarm is an alarm as events say it.
type EventAlarm struct {
	ID        string       `json:"id"`
	Kind      alarm.Kind   `json:"kind"`
	Message   string       `json:"message"`
	Ending    alarm.Ending `json:"ending"`
	About     string       `json:"about"`
	AgentCode *string      `json:"agentCode"`
	Facts     []AlarmFact  `json:"facts"`
	RaisedAt  int64        `json:"raisedAt"`

	AcknowledgedAt *int64  `json:"acknowledgedAt"`
	AcknowledgedBy *string `json:"acknowledgedBy"`
	Note           *string `json:"note"`

	ClearedAt *int64  `json:"clearedAt"`
	ClearedBy *string `json:"clearedBy"`
}

// AlarmFact is a value that was known when an alarm was raised.
type AlarmFact struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// AcknowledgeRequest says that somebody looks after an alarm. Clear ends it.
type AcknowledgeRequest struct {
	ID    string `json:"-"`
	Note  string `json:"note"`
	Clear bool   `json:"clear,omitempty"`
}

// AlarmResponse is one alarm.
type AlarmResponse struct {
	Alarm Alarm `json:"alarm"`
}
