// Package alarm defines alarms: notices of faulty conditions and events for a person.
//
// An alarm is raised once and stays open until it is cleared, even if its cause is seen
// again. An alarm about a Condition is cleared when the condition ends, one about a
// Happening when an admin acknowledges it. At most one alarm of a kind and subject is
// open.
package alarm

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/casino-service/casino/domain/event"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/wallet"
)

// SeenEvery is the shortest time between two notes by one instance that the cause of an
// open alarm was seen again.
const SeenEvery = time.Minute

// Quiet is how long a condition must be unseen before its alarm is cleared. So a
// recurring condition stays one alarm, and an instance that doesn't see it doesn't clear
// the alarm of one that does.
const Quiet = 3 * SeenEvery

// Alarm is an alarm with its history.
type Alarm struct {
	ID   string
	Kind Kind
	// About names the subject, see Entry.Subject.
	About string
	// Agent is the code of the agent concerned, empty if none.
	Agent string
	// Facts are the values known when the alarm was raised.
	Facts    []Fact
	RaisedAt time.Time
	// LastSeen is when the cause was last seen, Seen how often that was noted, including
	// the first time. Blocks don't cover them.
	LastSeen time.Time
	Seen     int64
	// AcknowledgedBy is the admin who handles the alarm, with a note; empty until then.
	AcknowledgedBy wallet.Address
	AcknowledgedAt time.Time
	Note           string
	// ClearedAt ends the alarm. ClearedBy is empty if it was cleared because its cause
	// ended.
	ClearedAt time.Time
	ClearedBy wallet.Address
}

// Raise returns a new alarm.
func Raise(id string, kind Kind, about string, facts []Fact, now time.Time) Alarm {
	a := Alarm{ID: id, Kind: kind, About: Subject(about), Facts: boundFacts(facts), RaisedAt: now, LastSeen: now, Seen: 1}
	if kind.Entry().OfAgent {
		a.Agent = a.Fact(AgentFact)
	}
	return a
}

// Open reports whether the alarm isn't cleared.
func (a Alarm) Open() bool { return a.ClearedAt.IsZero() }

// SeenAgain records that the cause was seen.
func (a Alarm) SeenAgain(now time.Time) Alarm {
	if now.After(a.LastSeen) {
		a.LastSeen = now
	}
	a.Seen++
	return a
}

// IsQuiet reports whether the cause wasn't seen for the time Quiet.
func (a Alarm) IsQuiet(now time.Time) bool { return now.Sub(a.LastSeen) >= Quiet }

// Over clears the alarm because its cause ended.
func (a Alarm) Over(now time.Time) Alarm {
	a.ClearedAt = now
	return a
}

// Acknowledge records that an admin handles the alarm. This clears a happening. A
// condition stays open until it ends, unless clear is set; if its cause is seen again, a
// new alarm is raised. A cleared alarm can't be acknowledged, and an acknowledged one
// can only be cleared.
func (a Alarm) Acknowledge(by wallet.Address, note string, clear bool, now time.Time) (Alarm, error) {
	clear = clear || a.Kind.Entry().Ending != Condition
	switch {
	case !a.Open():
		return a, fault.New(fault.InvalidState, "the alarm is cleared").With("status", "cleared")
	case a.AcknowledgedBy != "" && !clear:
		return a, fault.New(fault.InvalidState, "the alarm is acknowledged already").With("status", "acknowledged")
	}
	a.AcknowledgedBy, a.AcknowledgedAt, a.Note = by, now, note
	if clear {
		a.ClearedAt, a.ClearedBy = now, by
	}
	return a, nil
}

// Follows returns an error if the alarm isn't a valid successor of before, nil for a new
// one. Its subject must not change, and a cleared alarm must not change.
func (a Alarm) Follows(before *Alarm) error {
	switch {
	case a.Kind.Entry().Kind == "" || a.ID == "" || a.RaisedAt.IsZero() || a.Seen < 1 || a.LastSeen.Before(a.RaisedAt):
		return fmt.Errorf("alarm %q lacks required values", a.ID)
	case before == nil && (!a.Open() || a.AcknowledgedBy != ""):
		return fmt.Errorf("alarm %q must begin open and unacknowledged", a.ID)
	case before == nil:
		return nil
	case !before.Open():
		return fmt.Errorf("alarm %q is cleared", a.ID)
	case a.ID != before.ID || a.Kind != before.Kind || a.About != before.About || a.Agent != before.Agent ||
		!a.RaisedAt.Equal(before.RaisedAt) || !slices.Equal(a.Facts, before.Facts):
		return fmt.Errorf("alarm %q must not change its kind, subject, agent, time or facts", before.ID)
	case a.Seen < before.Seen || a.LastSeen.Before(before.LastSeen):
		return fmt.Errorf("alarm %q must not lower how often or when it was seen", a.ID)
	}
	return nil
}

// factPrefix precedes the names of facts among the covered fields.
const factPrefix = "fact."

// Covered returns the alarm's values that blocks cover: all but LastSeen and Seen.
func (a Alarm) Covered() event.Event {
	fields := []event.Field{
		event.Text("kind", a.Kind), event.Text("about", a.About), event.Text("agent", a.Agent), event.Time("raisedAt", a.RaisedAt),
		event.Text("acknowledgedBy", a.AcknowledgedBy), event.Time("acknowledgedAt", a.AcknowledgedAt), event.Text("note", a.Note),
		event.Time("clearedAt", a.ClearedAt), event.Text("clearedBy", a.ClearedBy),
	}
	for _, f := range a.Facts {
		fields = append(fields, event.Text(factPrefix+f.Name, f.Value))
	}
	return event.New(event.Alarm, a.ID, "", fields...)
}

// FromCovered returns the alarm of an event. LastSeen and Seen, which events lack, are
// those of a new alarm.
func FromCovered(e event.Event) Alarm {
	a := Alarm{
		ID: e.ID, Kind: Kind(e.Value("kind")), About: e.Value("about"), Agent: e.Value("agent"), RaisedAt: e.At("raisedAt"),
		LastSeen: e.At("raisedAt"), Seen: 1,
		AcknowledgedBy: wallet.Address(e.Value("acknowledgedBy")), AcknowledgedAt: e.At("acknowledgedAt"), Note: e.Value("note"),
		ClearedAt: e.At("clearedAt"), ClearedBy: wallet.Address(e.Value("clearedBy")),
	}
	for _, f := range e.Fields {
		if name, is := strings.CutPrefix(f.Name, factPrefix); is {
			a.Facts = append(a.Facts, Fact{name, f.Value})
		}
	}
	return a
}

// Describe summarizes the alarm for the audit log.
func (a Alarm) Describe() string {
	return string(a.Kind) + ": " + a.Kind.Message() + ", about " + cmp.Or(a.About, "nothing")
}

// Fact is a value known when an alarm was raised. It holds nothing secret.
type Fact struct{ Name, Value string }

// AgentFact is the name of the fact with the agent's code.
const AgentFact = "agent"

// Limits in bytes. They keep outside text, such as a node's error message, from making
// an alarm large.
const (
	FactsMax = 16
	NameMax  = 64
	ValueMax = 500
	AboutMax = 200
)

// Fact returns the value of a fact, empty if missing.
func (a Alarm) Fact(name string) string {
	for _, f := range a.Facts {
		if f.Name == name {
			return f.Value
		}
	}
	return ""
}

// Subject returns a subject truncated to AboutMax.
func Subject(about string) string { return truncateText(about, AboutMax) }

// boundFacts truncates the facts, and drops repeated names and empty values.
func boundFacts(facts []Fact) []Fact {
	var kept []Fact
	for _, f := range facts {
		f = Fact{truncateText(f.Name, NameMax), truncateText(f.Value, ValueMax)}
		known := slices.ContainsFunc(kept, func(k Fact) bool { return k.Name == f.Name })
		if f.Name != "" && f.Value != "" && !known && len(kept) < FactsMax {
			kept = append(kept, f)
		}
	}
	return kept
}

// truncateText cuts a text to a number of bytes at a character boundary and replaces
// characters that databases reject.
func truncateText(text string, most int) string {
	text = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return ' '
		}
		return r
	}, strings.ToValidUTF8(text, "\uFFFD"))
	if len(text) <= most {
		return text
	}
	const more = "…"
	at := most - len(more)
	for at > 0 && !utf8.RuneStart(text[at]) {
		at--
	}
	return text[:at] + more
}
