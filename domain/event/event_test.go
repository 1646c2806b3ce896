package event_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/casino-service/casino/domain/event"
)

func TestEmptyValuesAreLeftOut(t *testing.T) {
	t.Parallel()
	e := event.New(event.Deposit, "d1", "alice",
		event.Text("status", "pending"), event.Int("amount", 0), event.Uint("slot", 0), event.Flag("dead", false), event.Time("at", time.Time{}),
		event.Text("reason", ""), event.Int("net", -7), event.Uint("height", 1<<63), event.Flag("credit", true), event.Time("since", time.UnixMicro(5)))
	want := []event.Field{
		{Name: "status", Value: "pending"}, {Name: "net", Value: "-7"}, {Name: "height", Value: "9223372036854775808"},
		{Name: "credit", Value: "true"}, {Name: "since", Value: "5"},
	}
	if !slices.Equal(e.Fields, want) {
		t.Errorf("%v", e.Fields)
	}
}

// TestDigestsTellThingsApart draws things from few letters, so that their joined texts
// are often equal.
func TestDigestsTellThingsApart(t *testing.T) {
	t.Parallel()
	seen := map[string]string{}
	text := rapid.StringOfN(rapid.RuneFrom([]rune("ab\x01")), 0, 3, -1)
	rapid.Check(t, func(t *rapid.T) {
		e := event.Event{Kind: event.Kind(text.Draw(t, "kind")), ID: text.Draw(t, "id"), Fields: rapid.SliceOfN(rapid.Custom(func(t *rapid.T) event.Field {
			return event.Field{Name: text.Draw(t, "name"), Value: text.Draw(t, "value")}
		}), 1, 3).Draw(t, "fields")}
		shown, digest := fmt.Sprintf("%#v", e), e.Digest()
		if other, ok := seen[digest]; ok && other != shown {
			t.Fatalf("two things have one digest:\n%s\n%s", other, shown)
		}
		seen[digest] = shown
		e.Was = "what it was is no part of what it is"
		if e.Digest() != digest || len(digest) != 32 {
			t.Fatalf("%s", e.Digest())
		}
	})
}

func TestEventsFollowOneAnother(t *testing.T) {
	t.Parallel()
	first := event.New(event.Role, "ada", "ada", event.Text("role", "finance"))
	second := event.New(event.Role, "ada", "ada", event.Text("role", "superadmin"), event.Text("agent", "acme")).After(first)
	gone := second.Gone()
	if first.Was != "" || second.Was != first.Digest() || gone.Was != second.Digest() || gone.Digest() != "" || gone.ID != "ada" {
		t.Errorf("%+v, %+v, %+v", first, second, gone)
	}
	if got := second.Differences(first); !slices.Equal(got, []string{"role", "agent"}) {
		t.Errorf("they differ in %v", got)
	}
	moved := first
	moved.Wallet = "eve"
	if got := moved.Differences(first); !slices.Equal(got, []string{"wallet"}) {
		t.Errorf("they differ in %v", got)
	}
}

func TestKindsAreApart(t *testing.T) {
	t.Parallel()
	kinds := append(event.Kinds(), event.Facts()...)
	slices.Sort(kinds)
	if len(slices.Compact(kinds)) != 15+7 {
		t.Errorf("%v", kinds)
	}
	for _, k := range event.Kinds() {
		if k.Fact() {
			t.Errorf("%s is a thing and a fact", k)
		}
	}
}

func TestFieldsAreReadBack(t *testing.T) {
	t.Parallel()
	at := time.UnixMicro(5).UTC()
	e := event.New(event.Balance, "b", "alice", event.Text("cause", "deposit"), event.Int("amount", -7), event.Time("at", at))
	if e.Value("cause") != "deposit" || e.Number("amount") != -7 || !e.At("at").Equal(at) {
		t.Errorf("%v", e)
	}
	if e.Value("none") != "" || e.Number("cause") != 0 || !e.At("none").IsZero() || !e.At("cause").IsZero() {
		t.Errorf("what isn't there is %q, %d, %v, %v", e.Value("none"), e.Number("cause"), e.At("none"), e.At("cause"))
	}
}
