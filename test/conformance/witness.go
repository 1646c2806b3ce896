package conformance

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/casino-service/casino/domain/hashchain"
	"github.com/casino-service/casino/domain/protection"
	"github.com/casino-service/casino/domain/restriction"
	"github.com/casino-service/casino/domain/witness"
	"github.com/casino-service/casino/ports"
)

// WitnessUnderTest is an empty witness for one test.
type WitnessUnderTest struct {
	ports.Witness
	Traits
	// Flush completes what follows a Keep within 100 ms; nil if there is nothing to do.
	Flush func(t *testing.T)
	// Beside opens the witness's storage a second time, as another instance or the next process
	// does. Durable witnesses have it.
	Beside func(t *testing.T) WitnessUnderTest
	// Spoil changes one byte of everything stored, as an attacker without the keys could; nil if
	// others have no access.
	Spoil func(t *testing.T)
}

func (w WitnessUnderTest) keep(t *testing.T, r witness.Record) {
	t.Helper()
	ok(t, w.Keep(r))
	if w.Flush != nil {
		w.Flush(t)
	}
}

// reads fails unless exactly these records are stored.
func (w WitnessUnderTest) reads(t *testing.T, want ...witness.Record) {
	t.Helper()
	kept, err := w.Kept(background)
	fatalIf(t, err != nil || kept.Spoiled != 0 || len(kept.Records) != len(want), "kept %+v, %v", kept, err)
	slices.SortFunc(kept.Records, func(a, b witness.Record) int { return strings.Compare(a.Ledger, b.Ledger) })
	for i, r := range kept.Records {
		errorIf(t, !r.Covers(want[i]) || !want[i].Covers(r), "kept %+v, want %+v", r, want[i])
		for lane, h := range r.Heads {
			errorIf(t, h != want[i].Heads[lane], "lane %d has %+v, want %+v", lane, h, want[i].Heads[lane])
		}
		errorIf(t, r.Log != want[i].Log, "the log is %+v, want %+v", r.Log, want[i].Log)
	}
}

// keptAt is the time of the suite's heads; it only increases.
var keptAt = time.UnixMicro(1_800_000_000_000_000).UTC()

// keptHead returns the head of a lane; fork distinguishes blocks with the same number.
func keptHead(epoch int64, lane int, seq int64, fork byte) witness.Head {
	return witness.Head{Head: hashchain.Head{Lane: lane, Seq: seq, Hash: hashchain.Hash{byte(lane), byte(seq), fork}}, Epoch: epoch}
}

func ours(heads ...witness.Head) witness.Record { return witness.Of("ours", keptAt, heads...) }

// Witness is the suite of ports.Witness.
func Witness(t *testing.T, open func(t *testing.T) WitnessUnderTest) {
	for sentence, prove := range witnessCases {
		sub(t, sentence, func(t *testing.T) {
			prove(t, open(t))
		})
	}
}

var witnessCases = map[string]func(*testing.T, WitnessUnderTest){
	"at first nothing is kept": func(t *testing.T, w WitnessUnderTest) {
		w.reads(t)
	},
	"what was kept is read, of every lane and every ledger": func(t *testing.T, w WitnessUnderTest) {
		mine := ours(keptHead(1, 0, 5, 0), keptHead(1, 64, 1<<40, 0))
		mine.RolesVersion = 3
		mine.Log = keptHead(1, witness.LogLane, 12, 0)
		theirs := witness.Of("theirs", keptAt, keptHead(1, 0, 9, 1))
		w.keep(t, mine)
		w.keep(t, theirs)
		w.keep(t, ours(keptHead(1, 7, 2, 0)))
		w.reads(t, mine.Merge(ours(keptHead(1, 7, 2, 0))), theirs)
	},
	"it only goes forward": func(t *testing.T, w WitnessUnderTest) {
		want := ours(keptHead(1, 1, 5, 0))
		want.RolesVersion = 4
		want.Log = keptHead(1, witness.LogLane, 12, 0)
		w.keep(t, want)
		earlier := ours(keptHead(1, 1, 4, 0))
		earlier.RolesVersion = 3
		earlier.Log = keptHead(1, witness.LogLane, 11, 0)
		w.keep(t, earlier)
		w.reads(t, want)
		w.keep(t, ours(keptHead(1, 1, 5, 1))) // another block with this number: the first stays
		w.reads(t, want)
		for _, next := range []witness.Head{keptHead(1, 1, 6, 0), keptHead(1, 1, 10, 0), keptHead(1, 1, 100, 0), keptHead(2, 1, 7, 0), keptHead(2, 1, 8, 0)} {
			w.keep(t, ours(next))
			want = want.Merge(ours(next))
			w.reads(t, want)
		}
		fatalIf(t, want.Heads[1] != keptHead(2, 1, 8, 0), "a later epoch goes before a greater number: %+v", want.Heads[1])
		w.keep(t, ours(keptHead(1, 1, 200, 0)))
		w.reads(t, want)
		want.Log = keptHead(2, witness.LogLane, 2, 0)
		w.keep(t, witness.Record{Ledger: "ours", Log: want.Log, At: keptAt})
		w.reads(t, want)
	},
	"concurrent writers keep their heads": func(t *testing.T, w WitnessUnderTest) {
		const keepers, heads = 4, 60
		others := []WitnessUnderTest{w}
		if w.Durable {
			others = append(others, w.Beside(t))
		}
		atOnce(keepers, func(i int) {
			mine := others[i%len(others)]
			for seq := int64(1); seq <= heads; seq++ {
				if err := mine.Keep(ours(keptHead(1, 1, seq*keepers+int64(i), 0), keptHead(1, 10+i, seq, 0))); err != nil {
					t.Error(err)
				}
			}
			if mine.Flush != nil {
				mine.Flush(t)
			}
		})
		want := ours(keptHead(1, 1, heads*keepers+keepers-1, 0))
		for i := range keepers {
			want = want.Merge(ours(keptHead(1, 10+i, heads, 0)))
		}
		for _, reader := range others {
			reader.reads(t, want)
		}
	},
	"what was kept outlives the process": func(t *testing.T, w WitnessUnderTest) {
		if !w.Durable {
			return
		}
		want := ours(keptHead(1, 1, 5, 0))
		want.RolesVersion = 2
		w.keep(t, want)
		again := w.Beside(t)
		again.reads(t, want)
		again.keep(t, ours(keptHead(1, 1, 4, 9), keptHead(1, 2, 1, 0)))
		w.reads(t, want.Merge(ours(keptHead(1, 2, 1, 0))))
	},
	"what can't be trusted is left out and counted, and keeping goes on": func(t *testing.T, w WitnessUnderTest) {
		if w.Spoil == nil {
			return
		}
		w.keep(t, ours(keptHead(1, 1, 5, 0), keptHead(1, 2, 6, 0)))
		w.Spoil(t)
		for _, reader := range []WitnessUnderTest{w, w.Beside(t)} {
			if kept, err := reader.Kept(background); err != nil || kept.Spoiled != 2 || len(kept.Records) != 0 {
				t.Errorf("spoiled: %+v, %v", kept, err)
			}
		}
		w.keep(t, ours(keptHead(1, 1, 5, 0), keptHead(1, 2, 6, 0)))
		w.Beside(t).reads(t, ours(keptHead(1, 1, 5, 0), keptHead(1, 2, 6, 0)))
	},
}

// RestrictionsUnderTest is an empty storage for one test.
type RestrictionsUnderTest struct {
	ports.Restrictions
	Traits
	// Beside opens the storage a second time, as another instance or the next process does.
	// Durable ones have it.
	Beside func(t *testing.T) RestrictionsUnderTest
	// Spoil changes one byte of everything stored, as an attacker without the keys could; nil if
	// others have no access.
	Spoil func(t *testing.T)
}

func (r RestrictionsUnderTest) keep(t *testing.T, ledger string, all ...restriction.Restriction) {
	t.Helper()
	ok(t, r.Keep(background, ledger, all))
}

// reads fails unless exactly these are stored for a ledger, in the order of their kinds.
func (r RestrictionsUnderTest) reads(t *testing.T, ledger string, since time.Time, want ...restriction.Restriction) {
	t.Helper()
	kept, err := r.Kept(background, ledger)
	fatalIf(t, err != nil || kept.Spoiled != 0 || !kept.Since.Equal(since) || len(kept.All) != len(want),
		"kept %+v, %v; want %+v since %v", kept, err, want, since)
	for i, got := range kept.All {
		errorIf(t, !reflect.DeepEqual(got, want[i]), "kept %+v, want %+v", got, want[i])
	}
}

// forbidden returns one restriction of each kind, with all its values.
func forbidden(at time.Time) []restriction.Restriction {
	limits := protection.State{Limits: []protection.Limit{
		{Kind: protection.Loss, Period: protection.Week, Token: "SOL", Amount: 0, From: at, Next: 7, NextAt: at.Add(time.Hour)},
		{Kind: protection.Wager, Period: protection.Day, Token: "SOL", Amount: 1 << 62, From: at, Lifted: true, NextAt: at.Add(time.Hour)},
		{Kind: protection.Wager, Period: protection.Day, Token: "SOL", Imposed: true, Amount: 9, From: at},
	}}
	return []restriction.Restriction{
		{Kind: restriction.Role, Subject: string(alice), At: at, Holds: true, Role: "operator", AgentCode: "acme"},
		restriction.OfPlayer(restriction.Frozen, alice, protection.State{Frozen: true}, at),
		restriction.OfPlayer(restriction.Excluded, alice, protection.State{Excluded: true, ExcludedUntil: at.Add(time.Hour), CoolOffUntil: at.Add(2 * time.Hour)}, at),
		restriction.OfPlayer(restriction.Limits, alice, limits, at),
		{Kind: restriction.Agent, Subject: "acme", At: at, Holds: true},
		{Kind: restriction.Credentials, Subject: "acme", At: at, Holds: true},
		{Kind: restriction.Play, Subject: restriction.PlaySubject("dice", "acme"), At: at, Holds: true, By: bob, Reason: "a \"reason\",\nof two lines"},
		{Kind: restriction.Payouts, At: at, Holds: true, By: bob, Reason: "ü"},
	}
}

// Restrictions is the suite of ports.Restrictions.
func Restrictions(t *testing.T, open func(t *testing.T) RestrictionsUnderTest) {
	for sentence, prove := range restrictionCases {
		sub(t, sentence, func(t *testing.T) {
			prove(t, open(t))
		})
	}
}

// lifted returns a restriction that has ended.
func lifted(r restriction.Restriction, at time.Time) restriction.Restriction {
	return restriction.Restriction{Kind: r.Kind, Subject: r.Subject, At: at}
}

var restrictionCases = map[string]func(*testing.T, RestrictionsUnderTest){
	"at first nothing is kept, and there is no moment": func(t *testing.T, r RestrictionsUnderTest) {
		r.reads(t, "ours", time.Time{})
		r.keep(t, "ours")
		r.reads(t, "ours", time.Time{})
	},
	"what is kept is read, of every kind, and of its ledger alone": func(t *testing.T, r RestrictionsUnderTest) {
		all := forbidden(keptAt)
		fatalIf(t, len(all) != len(restriction.Kinds()), "a kind is missing here")
		r.keep(t, "ours", all...)
		r.reads(t, "ours", keptAt, all...)
		r.reads(t, "theirs", time.Time{})
	},
	"of each subject the one counts that was kept last, whatever its moment": func(t *testing.T, r RestrictionsUnderTest) {
		all := forbidden(keptAt)
		r.keep(t, "ours", all...)
		earlier := keptAt.Add(-time.Hour) // a clock that is behind
		all[1], all[7] = lifted(all[1], earlier), lifted(all[7], keptAt)
		r.keep(t, "ours", all[1])
		r.keep(t, "ours", all[7])
		r.reads(t, "ours", keptAt, all...)
		other := restriction.Restriction{Kind: restriction.Frozen, Subject: string(bob), At: keptAt, Holds: true, Protection: protection.State{Frozen: true}}
		r.keep(t, "ours", other)
		if kept, err := r.Kept(background, "ours"); err != nil || len(kept.All) != len(all)+1 {
			t.Errorf("kept %+v, %v", kept, err)
		}
	},
	"what is kept outlives the process": func(t *testing.T, r RestrictionsUnderTest) {
		if !r.Durable {
			return
		}
		all := forbidden(keptAt)
		r.keep(t, "ours", all...)
		again := r.Beside(t)
		again.reads(t, "ours", keptAt, all...)
		all[2] = lifted(all[2], keptAt.Add(time.Second))
		again.keep(t, "ours", all[2])
		r.reads(t, "ours", keptAt, all...)
	},
	"concurrent writers keep their restrictions": func(t *testing.T, r RestrictionsUnderTest) {
		const keepers, each = 4, 25
		others := []RestrictionsUnderTest{r}
		if r.Durable {
			others = append(others, r.Beside(t))
		}
		atOnce(keepers, func(i int) {
			for n := range each {
				made := restriction.Restriction{Kind: restriction.Agent, Subject: fmt.Sprint(i, "-", n), At: keptAt, Holds: true}
				if err := others[i%len(others)].Keep(background, "ours", []restriction.Restriction{made}); err != nil {
					t.Error(err)
				}
			}
		})
		for _, reader := range others {
			if kept, err := reader.Kept(background, "ours"); err != nil || kept.Spoiled != 0 || len(kept.All) != keepers*each {
				t.Errorf("%d of %d are kept, %d spoiled, %v", len(kept.All), keepers*each, kept.Spoiled, err)
			}
		}
	},
	"what can't be trusted is left out and counted, and keeping goes on": func(t *testing.T, r RestrictionsUnderTest) {
		if r.Spoil == nil {
			return
		}
		all := forbidden(keptAt)
		r.keep(t, "ours", all...)
		r.Spoil(t)
		for _, reader := range []RestrictionsUnderTest{r, r.Beside(t)} {
			if kept, err := reader.Kept(background, "ours"); err != nil || kept.Spoiled != len(all)+1 || len(kept.All) != 0 || !kept.Since.IsZero() {
				t.Errorf("spoiled: %+v, %v", kept, err)
			}
		}
		later := forbidden(keptAt.Add(time.Hour))
		r.keep(t, "ours", later...)
		if kept, err := r.Beside(t).Kept(background, "ours"); err != nil || !reflect.DeepEqual(kept.All, later) || !kept.Since.Equal(keptAt.Add(time.Hour)) {
			t.Errorf("kept after it: %+v, %v", kept, err)
		}
	},
}
