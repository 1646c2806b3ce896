package alarm_test

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/casino-service/casino/domain/alarm"
	"github.com/casino-service/casino/domain/fault"
)

var at = time.Unix(1_700_000_000, 0).UTC()

func TestEveryKindIsWhole(t *testing.T) {
	t.Parallel()
	messages := map[string]alarm.Kind{}
	for _, e := range alarm.Kinds() {
		if !regexp.MustCompile(`^[a-z]+(_[a-z]+)+$`).MatchString(string(e.Kind)) || e.Subject == "" {
			t.Errorf("%+v", e)
		}
		if e.Ending != alarm.Condition && e.Ending != alarm.Happening {
			t.Errorf("%s ends by %q", e.Kind, e.Ending)
		}
		if first, twice := messages[e.Message]; twice || e.Message == "" {
			t.Errorf("%s and %s have one message", e.Kind, first)
		}
		messages[e.Message] = e.Kind
		if parsed, ok := alarm.ParseKind(string(e.Kind)); !ok || parsed.Entry() != e || parsed.Message() != e.Message {
			t.Errorf("%s is read as %+v", e.Kind, parsed.Entry())
		}
	}
	if _, ok := alarm.ParseKind("unknown"); ok {
		t.Error("an unknown kind is read")
	}
}

// TestEveryKindHasItsRunbook looks for the heading of each kind's runbook, and for each
// kind with its ending in the table of docs/operations/alarms.md.
func TestEveryKindHasItsRunbook(t *testing.T) {
	t.Parallel()
	folder := "../../docs/operations"
	read := func(page string) string {
		text, err := os.ReadFile(filepath.Join(folder, page)) // #nosec G304 -- a page of the repository
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	table := read("alarms.md")
	for _, e := range alarm.Kinds() {
		page, anchor, _ := strings.Cut(e.Runbook, "#")
		if !slices.ContainsFunc(strings.Split(read(page), "\n"), func(line string) bool {
			return strings.HasPrefix(line, "## ") && strings.EqualFold(strings.TrimPrefix(line, "## "), anchor)
		}) {
			t.Errorf("%s leads to %s, which has no heading %s", e.Kind, page, anchor)
		}
		link := "(" + e.Runbook + ")"
		if page == "alarms.md" {
			link = "(#" + anchor + ")"
		}
		line := "| [`" + string(e.Kind) + "`]" + link + " | " + e.Message + " | " + e.Subject + " | " + string(e.Ending) + " |"
		if !strings.Contains(table, line+"\n") {
			t.Errorf("alarms.md lacks the line\n%s", line)
		}
	}
}

func TestAConditionStaysOpenUntilItIsOver(t *testing.T) {
	t.Parallel()
	a := alarm.Raise("1", alarm.LowFees, "sol", nil, at)
	seen := a.SeenAgain(at.Add(time.Hour)).SeenAgain(at.Add(time.Minute))
	if seen.Seen != 3 || !seen.LastSeen.Equal(at.Add(time.Hour)) || !seen.Open() {
		t.Errorf("%+v", seen)
	}
	if seen.IsQuiet(seen.LastSeen.Add(alarm.Quiet-1)) || !seen.IsQuiet(seen.LastSeen.Add(alarm.Quiet)) {
		t.Error("it is quiet at another moment")
	}
	known, err := seen.Acknowledge("ada", "on it", false, at.Add(2*time.Hour))
	if err != nil || !known.Open() || known.AcknowledgedBy != "ada" || known.Note != "on it" {
		t.Errorf("%+v, %v", known, err)
	}
	if _, err := known.Acknowledge("bob", "me too", false, at); !fault.Is(err, fault.InvalidState) {
		t.Error(err)
	}
	cleared, err := known.Acknowledge("bob", "over", true, at.Add(3*time.Hour))
	if err != nil || cleared.Open() || cleared.ClearedBy != "bob" || cleared.AcknowledgedBy != "bob" {
		t.Errorf("%+v, %v", cleared, err)
	}
	over := known.Over(at.Add(3 * time.Hour))
	if over.Open() || over.ClearedBy != "" {
		t.Errorf("%+v", over)
	}
	for _, a := range []alarm.Alarm{cleared, over} {
		if _, err := a.Acknowledge("ada", "late", true, at); !fault.Is(err, fault.InvalidState) {
			t.Error(err)
		}
	}
}

func TestWhatHappenedIsClearedByAPerson(t *testing.T) {
	t.Parallel()
	a, err := alarm.Raise("1", alarm.RoundVoided, "r1", nil, at).Acknowledge("ada", "seen", false, at.Add(time.Hour))
	if err != nil || a.Open() || a.ClearedBy != "ada" || !a.ClearedAt.Equal(at.Add(time.Hour)) {
		t.Errorf("%+v, %v", a, err)
	}
}

func TestFactsAreBounded(t *testing.T) {
	t.Parallel()
	facts := []alarm.Fact{{"agent", "acme"}, {"agent", "rival"}, {"empty", ""}, {"", "nameless"}, {"line", "a\x00b\nc\xff"}, {"long", strings.Repeat("ü", 1_000)}}
	for i := range 20 {
		facts = append(facts, alarm.Fact{Name: string(rune('a' + i)), Value: "x"})
	}
	a := alarm.Raise("1", alarm.SiteUnsettled, strings.Repeat("ä", 1_000), facts, at)
	long := a.Fact("long")
	if len(a.Facts) != alarm.FactsMax || a.Fact("agent") != "acme" || a.Fact("line") != "a b c\uFFFD" || a.Fact("empty") != "" {
		t.Errorf("%v", a.Facts)
	}
	if len(long) > alarm.ValueMax || len(long) < alarm.ValueMax-4 || !utf8.ValidString(long) || !strings.HasSuffix(long, "ü…") {
		t.Errorf("%d: %s", len(long), long)
	}
	if len(a.About) > alarm.AboutMax || a.About != alarm.Subject(a.About) || !utf8.ValidString(a.About) {
		t.Errorf("%d: %s", len(a.About), a.About)
	}
	if a.Agent != "acme" || alarm.Raise("1", alarm.LowFees, "", facts, at).Agent != "" {
		t.Errorf("of %q", a.Agent)
	}
}

func TestCoveredIsAllButSightings(t *testing.T) {
	t.Parallel()
	a := alarm.Raise("1", alarm.WebhookDisabled, "e1", []alarm.Fact{{"agent", "acme"}, {"reason", "gone"}}, at)
	full, err := a.Acknowledge("ada", "on it", true, at.Add(time.Hour))
	if err != nil {
		t.Fatal(err)
	}
	for _, a := range []alarm.Alarm{a, full} {
		if got := alarm.FromCovered(a.Covered()); got.Covered().Digest() != a.Covered().Digest() || got.Follows(nil) != nil != (a.Follows(nil) != nil) {
			t.Errorf("%+v\nwant %+v", got, a)
		}
	}
	if a.SeenAgain(at.Add(time.Hour)).Covered().Digest() != a.Covered().Digest() {
		t.Error("a sighting is covered")
	}
	if full.Covered().Digest() == a.Covered().Digest() || full.Covered().Digest() == a.Over(at.Add(time.Hour)).Covered().Digest() {
		t.Error("two ends are one")
	}
}

func TestWhatFollows(t *testing.T) {
	t.Parallel()
	a := alarm.Raise("1", alarm.LowFees, "sol", []alarm.Fact{{"holding", "7"}}, at)
	over := a.Over(at.Add(time.Hour))
	if a.Follows(nil) != nil || over.Follows(&a) != nil || a.SeenAgain(at).Follows(&a) != nil {
		t.Error("what is right is refused")
	}
	for name, c := range map[string]struct {
		before *alarm.Alarm
		change func(*alarm.Alarm)
	}{
		"begins cleared":      {nil, func(a *alarm.Alarm) { a.ClearedAt = at }},
		"begins acknowledged": {nil, func(a *alarm.Alarm) { a.AcknowledgedBy = "ada" }},
		"no id":               {nil, func(a *alarm.Alarm) { a.ID = "" }},
		"no kind":             {nil, func(a *alarm.Alarm) { a.Kind = "unknown" }},
		"never raised":        {nil, func(a *alarm.Alarm) { a.RaisedAt = time.Time{} }},
		"never seen":          {nil, func(a *alarm.Alarm) { a.Seen = 0 }},
		"seen before":         {nil, func(a *alarm.Alarm) { a.LastSeen = at.Add(-1) }},
		"after its end":       {&over, func(*alarm.Alarm) {}},
		"another subject":     {&a, func(a *alarm.Alarm) { a.About = "usd" }},
		"other facts":         {&a, func(a *alarm.Alarm) { a.Facts = nil }},
		"seen earlier":        {&alarm.Alarm{ID: "1", Kind: alarm.LowFees, About: "sol", Facts: a.Facts, RaisedAt: at, LastSeen: at.Add(1), Seen: 1}, func(*alarm.Alarm) {}},
	} {
		next := a
		c.change(&next)
		if next.Follows(c.before) == nil {
			t.Errorf("%s is let through", name)
		}
	}
}
