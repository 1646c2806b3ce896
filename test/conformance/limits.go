package conformance

import (
	"errors"
	"slices"
	"strconv"
	"testing"

	"github.com/casino-service/casino/domain/audit"
	"github.com/casino-service/casino/domain/event"
	"github.com/casino-service/casino/domain/fault"
)

// PublishedLimits is the suite of ports.PublishedLimits.
func PublishedLimits(t *testing.T, newStore func(t *testing.T) Store, shows ...Fault) {
	run(t, newStore, shows, publishedLimitsCases)
}

var publishedLimitsCases = []story{
	{"what was said last of each is returned, in a block with its record", Rows, func(b *bench) {
		b.same("before the first", must(b.Ports.PublishedLimits(background))(b), []event.Event{})
		dice, sol, lower := b.limitFact("game/dice", 0), b.limitFact("token/sol", 5), b.limitFact("token/sol", 4)
		b.ok(b.publish(dice, sol))
		blocks := len(b.chained())
		b.ok(b.publish(lower))
		b.reopen()
		b.same("the newest", must(b.Ports.PublishedLimits(background))(b), []event.Event{dice, lower})
		last := b.chained()[blocks:]
		b.fatalIf(len(last) != 1 || !slices.EqualFunc(last[0].Events, []event.Event{lower}, sameEvent) || len(last[0].Audit) != 1, "%+v", last)
		b.same("records", len(b.recordsOf(audit.LimitsPublished)), 2)
		b.sound()
	}},
	{"without a change, and by a refusal, nothing is stored", Logic, func(b *bench) {
		b.ok(b.publish(b.limitFact("game/dice", 0)))
		blocks := len(b.chained())
		b.ok(b.publish())
		refused := errors.New("refused")
		err := b.PublishLimits(background, func([]event.Event) ([]event.Event, audit.Record, error) {
			return []event.Event{b.limitFact("game/dice", 1)}, b.limitsRecord(), refused
		})
		b.errorIf(!errors.Is(err, refused), "%v", err)
		b.same("blocks", len(b.chained()), blocks)
	}},
	{"calls at once come one after the other", Races, func(b *bench) {
		const calls = 8
		record := make([]audit.Record, calls)
		for i := range record {
			record[i] = b.limitsRecord()
		}
		atOnce(calls, func(i int) {
			b.check(b.PublishLimits(background, func(newest []event.Event) ([]event.Event, audit.Record, error) {
				n := int64(0)
				if len(newest) > 0 {
					n = newest[0].Number("n")
				}
				return []event.Event{b.limitFact("rounds", n+1)}, record[i], nil
			}))
		})
		b.same("the newest", must(b.Ports.PublishedLimits(background))(b)[0].Value("n"), strconv.Itoa(calls))
	}},
	{"while the control state is restored nothing is said", Logic, func(b *bench) {
		b.controls(b.went())
		b.fails(fault.Maintenance, b.publish(b.limitFact("game/dice", 0)))
	}},
}

// limitFact is a fact with a number.
func (b *bench) limitFact(of string, n int64) event.Event {
	return event.New(event.Limits, of+"/"+b.id(), "", event.Text(event.LimitsOf, of), event.Text("symbol", "is there"), event.Int("n", n))
}

func sameEvent(a, b event.Event) bool {
	return a.Kind == b.Kind && a.ID == b.ID && a.Digest() == b.Digest() && a.Was == b.Was
}

func (b *bench) limitsRecord() audit.Record {
	return audit.Record{ID: b.id(), Action: audit.LimitsPublished, Target: "limits", After: "token/sol", At: b.now()}
}

func (b *bench) publish(made ...event.Event) error {
	record := b.limitsRecord()
	return b.PublishLimits(background, func([]event.Event) ([]event.Event, audit.Record, error) { return made, record, nil })
}
