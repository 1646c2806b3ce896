// Package alarm is what a person has to look at: what holds and should not, and what
// happened and should not have.
//
// An alarm is raised once and stays open until it is cleared, however often its cause is
// seen meanwhile. What holds (Condition) is cleared when it holds no longer, what happened
// (Happening) by whoever looked at it. Of a kind and a subject one alarm is open at most.
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

// SeenEvery is how often it is noted at most that an open alarm's cause was seen again, by
// each instance.
const SeenEvery = time.Minute

// Quiet is how long nobody has seen what held before the alarm about it is cleared, so that
// what comes and goes is one alarm, and an instance that doesn't see it clears nothing that
// another one sees.
const Quiet = 3 * SeenEvery

// Alarm is an alarm with what became of it.
type Alarm struct {
	ID   string
	Kind Kind
	// About names the subject: see Entry.Subject.
	About string
	// Agent is the code of the agent that it concerns, empty for none.
	Agent string
	// Facts are what was known when it was raised.
	Facts    []Fact
	RaisedAt time.Time
	// LastSeen is when its cause was seen last, Seen how often that was noted, the first
	// time included. Blocks don't cover them.
	LastSeen time.Time
	Seen     int64
	// AcknowledgedBy says that somebody looks after it, with a note; empty for nobody.
	AcknowledgedBy wallet.Address
	AcknowledgedAt time.Time
	Note           string
	// ClearedAt ends it. ClearedBy is who cleared it, empty where its cause was over.
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

// Open reports whether it isn't cleared.
func (a Alarm) Open() bool { return a.ClearedAt.IsZero() }

// SeenAgain notes that its cause was seen.
func (a Alarm) SeenAgain(now time.Time) Alarm {
	if now.After(a.LastSeen) {
		a.LastSeen = now
	}
	a.Seen++
	return a
}

// IsQuiet reports whether nobody has seen its cause lately.
func (a Alarm) IsQuiet(now time.Time) bool { return now.Sub(a.LastSeen) >= Quiet }

// Over clears it because its cause is over.
func (a Alarm) Over(now time.Time) Alarm {
	a.ClearedAt = now
	return a
}

// Acknowledge notes that somebody looks after it. What happened is cleared with that; what
// holds stays open until it is over, unless it is to be cleared now: where its cause is seen
// again, another one is raised then. One that is cleared can't be acknowledged, and one that
// is acknowledged can only be cleared.
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

// Follows returns an error where the alarm can't be what came of the one before, nil for
// none: what it is about never changes, and what is cleared stays as it is.
func (a Alarm) Follows(before *Alarm) error {
	switch {
	case a.Kind.Entry().Kind == "" || a.ID == "" || a.RaisedAt.IsZero() || a.Seen < 1 || a.LastSeen.Before(a.RaisedAt):
		return fmt.Errorf("alarm %q is not whole", a.ID)
	case before == nil && (!a.Open() || a.AcknowledgedBy != ""):
		return fmt.Errorf("alarm %q begins with its end", a.ID)
	case before == nil:
		return nil
	case !before.Open():
		return fmt.Errorf("alarm %q is cleared", a.ID)
	case a.ID != before.ID || a.Kind != before.Kind || a.About != before.About || a.Agent != before.Agent ||
		!a.RaisedAt.Equal(before.RaisedAt) || !slices.Equal(a.Facts, before.Facts):
		return fmt.Errorf("alarm %q may not change what it is about", before.ID)
	case a.Seen < before.Seen || a.LastSeen.Before(before.LastSeen):
		return fmt.Errorf("alarm %q was seen less than before", a.ID)
	}
	return nil
}

// factPrefix is before the names of facts among what blocks cover.
const factPrefix = "fact."

// Covered is what blocks cover of it: all but when and how often its cause was seen again.
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

// FromCovered is the alarm that an event made, as far as events say it: seen once.
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

// Describe says in short what it is, for records of the audit log.
func (a Alarm) Describe() string {
	return string(a.Kind) + ": " + a.Kind.Message() + ", about " + cmp.Or(a.About, "nothing")
}

// Fact is a value that was known when an alarm was raised. It holds nothing secret.
type Fact struct{ Name, Value string }

// AgentFact is the name of the fact that names an agent.
const AgentFact = "agent"

// Bounds, in bytes: what comes from outside, such as a node's own words, makes no alarm
// larger than this.
const (
	FactsMax = 16
	NameMax  = 64
	ValueMax = 500
	AboutMax = 200
)

// Fact returns the value of a fact, empty where there is none.
func (a Alarm) Fact(name string) string {
	for _, f := range a.Facts {
		if f.Name == name {
			return f.Value
		}
	}
	return ""
}

// Subject returns what an alarm is about as it is kept: within its bound.
func Subject(about string) string { return truncateText(about, AboutMax) }

// boundFacts returns the facts within their bounds, each name once, those without a value left
// out.
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

// truncateText cuts a text to a number of bytes, between letters, and leaves out what is none:
// databases don't take every byte.
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
