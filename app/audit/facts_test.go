package audit_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/casino-service/casino/domain/event"
	"github.com/casino-service/casino/ports"
	"github.com/casino-service/casino/test/apptest"
)

// withFact changes the events of the first block with a balance fact, and seals all blocks
// again.
func withFact(change func(all []event.Event, at int) []event.Event) func([]ports.Block) []ports.Block {
	return apptest.ChangeFirstBlock(func(b *ports.Block) bool {
		at := slices.IndexFunc(b.Events, func(e event.Event) bool { return e.Kind == event.Balance })
		if at >= 0 {
			b.Events = change(slices.Clone(b.Events), at)
		}
		return at >= 0
	})
}

func setField(e event.Event, name, value string) event.Event {
	e.Fields = slices.Clone(e.Fields)
	for i := range e.Fields {
		if e.Fields[i].Name == name {
			e.Fields[i].Value = value
		}
	}
	return e
}

// TestAuditHoldsFactsAgainstWhatWasBooked: even in blocks that are all sealed again, a
// false balance fact is found.
func TestAuditHoldsFactsAgainstWhatWasBooked(t *testing.T) {
	t.Parallel()
	h := openPlayed(t)
	for name, c := range map[string]struct {
		change func(all []event.Event, at int) []event.Event
		want   string
	}{
		"as it is":        {func(all []event.Event, _ int) []event.Event { return all }, ""},
		"another amount":  {func(all []event.Event, at int) []event.Event { all[at] = setField(all[at], "amount", "1"); return all }, "which was not booked"},
		"another token":   {func(all []event.Event, at int) []event.Event { all[at] = setField(all[at], "token", "x"); return all }, "which was not booked"},
		"another wallet":  {func(all []event.Event, at int) []event.Event { all[at].Wallet = "x"; return all }, "which was not booked"},
		"another booking": {func(all []event.Event, at int) []event.Event { all[at].ID += "x"; return all }, "no event says that the balance"},
		"nothing":         {func(all []event.Event, at int) []event.Event { return slices.Delete(all, at, at+1) }, "no event says that the balance"},
		"twice":           {func(all []event.Event, at int) []event.Event { return append(all, all[at]) }, "which was not booked"},
		"after another":   {func(all []event.Event, at int) []event.Event { all[at].Was = "0"; return all }, "is a fact, and follows another"},
		"of nothing": {func(all []event.Event, _ int) []event.Event {
			return append(all, event.Event{Kind: event.Session, ID: "s", Wallet: "x"})
		}, "is a fact, and follows another"},
	} {
		if got := h.AuditFindings(h.dealToLanes(3, withFact(c.change))); !strings.Contains(got, c.want) || c.want == "" && got != "" {
			t.Errorf("%s: want %q, found:\n%s", name, c.want, got)
		}
	}
}
