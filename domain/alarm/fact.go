package alarm

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

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
func Subject(about string) string { return cut(about, AboutMax) }

// sound returns the facts within their bounds, each name once, those without a value left
// out.
func sound(facts []Fact) []Fact {
	var kept []Fact
	for _, f := range facts {
		f = Fact{cut(f.Name, NameMax), cut(f.Value, ValueMax)}
		known := slices.ContainsFunc(kept, func(k Fact) bool { return k.Name == f.Name })
		if f.Name != "" && f.Value != "" && !known && len(kept) < FactsMax {
			kept = append(kept, f)
		}
	}
	return kept
}

// cut cuts a text to a number of bytes, between letters, and leaves out what is none:
// databases don't take every byte.
func cut(text string, most int) string {
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
