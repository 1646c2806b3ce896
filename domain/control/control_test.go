package control_test

import (
	"errors"
	"reflect"
	"testing"
	"time"

	"github.com/casino-service/casino/domain/control"
	"github.com/casino-service/casino/domain/fault"
)

var noon = time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)

func TestNoStateRestrictsNothing(t *testing.T) {
	t.Parallel()
	first := control.First()
	for _, s := range []*control.State{nil, {}, &first} {
		if err := errors.Join(s.Open(), s.Admits(noon), s.Admits(time.Time{}), s.PausedFor("dice", "house")); err != nil {
			t.Errorf("%+v: %v", s, err)
		}
	}
}

func TestARestoredStateIsClosed(t *testing.T) {
	t.Parallel()
	s := control.State{Epoch: 1, Restored: &control.Restored{At: noon}}
	var refusal *fault.Error
	if err := s.Open(); !errors.As(err, &refusal) || refusal.Kind != fault.Maintenance || refusal.Details["reason"] != control.ReasonRestored {
		t.Errorf("%+v", refusal)
	}
}

func TestAnEpochEndsTheSessionsBeforeIt(t *testing.T) {
	t.Parallel()
	s := control.State{Epoch: 2, EpochAt: noon}
	if err := s.Admits(noon.Add(-time.Nanosecond)); !fault.Is(err, fault.InvalidToken) {
		t.Errorf("before: %v", err)
	}
	if err := s.Admits(noon); err != nil {
		t.Errorf("since: %v", err)
	}
}

func TestWhatAPauseCloses(t *testing.T) {
	t.Parallel()
	all, dice, acme, acmesDice := control.PlayPause{}, control.PlayPause{GameType: "dice"}, control.PlayPause{AgentCode: "acme"},
		control.PlayPause{GameType: "dice", AgentCode: "acme"}
	for _, row := range []struct {
		name        string
		pauses      []control.PlayPause
		game, agent string
		want        string
	}{
		{"nothing", nil, "dice", "acme", ""},
		{"all", []control.PlayPause{all}, "plinko", "house", "play is paused"},
		{"a game", []control.PlayPause{dice}, "dice", "acme", "the game is paused"},
		{"another game", []control.PlayPause{dice}, "plinko", "acme", ""},
		{"a launch of no game", []control.PlayPause{dice}, "", "acme", ""},
		{"an agent", []control.PlayPause{acme}, "plinko", "acme", "play is paused for this agent's players"},
		{"another agent", []control.PlayPause{acme}, "plinko", "house", ""},
		{"an agent's game", []control.PlayPause{acmesDice}, "dice", "acme", "play is paused for this agent's players"},
		{"an agent's other game", []control.PlayPause{acmesDice}, "plinko", "acme", ""},
		{"another agent's game", []control.PlayPause{acmesDice}, "dice", "house", ""},
		{"the last of several", []control.PlayPause{acmesDice, dice, all}, "plinko", "house", "play is paused"},
	} {
		s := control.State{Epoch: 1, Pauses: row.pauses}
		err := s.PausedFor(row.game, row.agent)
		var refusal *fault.Error
		if got := ""; errors.As(err, &refusal) {
			got = refusal.Message
			if got != row.want || refusal.Kind != fault.Maintenance || refusal.Details["reason"] != control.ReasonPaused {
				t.Errorf("%s: %+v", row.name, refusal)
			}
		} else if row.want != "" || err != nil {
			t.Errorf("%s: %v", row.name, err)
		}
	}
}

func TestACloneIsItsOwn(t *testing.T) {
	t.Parallel()
	s := control.State{Epoch: 1, Restored: &control.Restored{Reason: "one"}, Pauses: []control.PlayPause{{Reason: "one"}}}
	clone := s.Clone()
	clone.Restored.Reason, clone.Pauses[0].Reason = "two", "two"
	if s.Restored.Reason != "one" || s.Pauses[0].Reason != "one" {
		t.Errorf("%+v", s)
	}
	if empty := control.First().Clone(); empty.Restored != nil || len(empty.Pauses) != 0 {
		t.Errorf("%+v", empty)
	}
}

func TestCheck(t *testing.T) {
	t.Parallel()
	state := func(ledger string, epoch int64, at time.Time, pauses ...control.PlayPause) control.State {
		return control.State{Ledger: ledger, Epoch: epoch, EpochAt: at, Pauses: pauses}
	}
	var never time.Time
	dice, plinko := control.PlayPause{GameType: "dice"}, control.PlayPause{GameType: "plinko"}
	for _, row := range []struct {
		name          string
		before, after control.State
		ok            bool
	}{
		{"the same", state("one", 1, never), state("one", 1, never), true},
		{"a name", state("", 1, never), state("one", 1, never), true},
		{"another name", state("one", 1, never), state("two", 1, never), false},
		{"no name any more", state("one", 1, never), state("", 1, never), false},
		{"an epoch", state("one", 1, never), state("one", 2, noon), true},
		{"the epoch after it", state("one", 2, noon), state("one", 3, noon), true},
		{"some epochs later", state("one", 2, noon), state("one", 9, noon.Add(1)), true},
		{"an epoch that began earlier", state("one", 2, noon), state("one", 3, noon.Add(-1)), false},
		{"an earlier epoch", state("one", 3, noon), state("one", 2, noon), false},
		{"an epoch of another moment", state("one", 2, noon), state("one", 2, noon.Add(1)), false},
		{"an epoch without beginning", state("one", 1, never), state("one", 2, never), false},
		{"a first epoch that began", state("one", 1, never), state("one", 1, noon), false},
		{"no epoch", state("one", 0, never), state("one", 0, never), false},
		{"two pauses", state("one", 1, never), state("one", 1, never, dice, plinko), true},
		{"one pause twice", state("one", 1, never), state("one", 1, never, dice, plinko, dice), false},
	} {
		if err := control.Check(row.before, row.after); (err == nil) != row.ok {
			t.Errorf("%s: %v", row.name, err)
		}
	}
}

// gates are all gates of two rounds of two chains.
func gates() (all []control.CrashGate) {
	all = append(all, control.CrashGate{})
	for _, chain := range []string{"a", "b"} {
		for number := int64(1); number <= 2; number++ {
			for _, open := range [][2]bool{{true, false}, {false, false}, {false, true}, {true, true}} {
				all = append(all, control.CrashGate{Chain: chain, Number: number, Betting: open[0], Paying: open[1]})
			}
		}
	}
	return all
}

func TestAGateTakesBetsThenCashOutsThenPays(t *testing.T) {
	t.Parallel()
	for _, g := range gates() {
		for _, s := range []*control.State{nil, {Crash: g}} {
			is := s != nil && g.Chain == "a" && g.Number == 2 && !g.Paying
			if s.TakesBets("a", 2) != (is && g.Betting) || s.TakesCashOuts("a", 2) != (is && !g.Betting) {
				t.Errorf("%+v: bets %t, cash-outs %t", s, s.TakesBets("a", 2), s.TakesCashOuts("a", 2))
			}
			if s.TakesBets("", 0) || s.TakesCashOuts("", 0) {
				t.Errorf("%+v takes something for no round", s)
			}
		}
	}
}

// stage rises as a chain is played: a round takes bets, then cash-outs, then pays.
func stage(g control.CrashGate) int64 {
	switch at := 3 * g.Number; {
	case g.Betting:
		return at
	case g.Paying:
		return at + 2
	default:
		return at + 1
	}
}

// TestAGateNeverOpensAgain tries each change of the gate. In a chain the round and its stage
// only rise.
func TestAGateNeverOpensAgain(t *testing.T) {
	t.Parallel()
	for _, before := range gates() {
		for _, after := range gates() {
			valid := after == before || after.Chain != "" && !(after.Betting && after.Paying) &&
				(after.Chain != before.Chain || stage(after) > stage(before) && !before.Paying || after.Number > before.Number)
			if before.Betting && before.Paying { // never stored
				continue
			}
			err := control.CheckWithin(control.State{Epoch: 1, Crash: before}, control.State{Epoch: 1, Crash: after})
			if (err == nil) != valid {
				t.Errorf("%+v to %+v: %v", before, after, err)
			}
		}
	}
}

// TestTheGateFollowsAChangeOfItsRound tries each gate of a changed round in each state: a new
// round's gate is the state's; that of its own round goes on to the later stage; a round that
// another one follows changes nothing.
func TestTheGateFollowsAChangeOfItsRound(t *testing.T) {
	t.Parallel()
	for _, now := range gates() {
		for _, g := range gates() {
			if g.Chain == "" || g.Betting && g.Paying || now.Betting && now.Paying { // no round's
				continue
			}
			before := control.State{Ledger: "one", Epoch: 1, Pauses: []control.PlayPause{{GameType: "dice"}}, Crash: now}
			want := before
			if want.Crash = g; !reflect.DeepEqual(before.Gated(g, true), want) {
				t.Errorf("%+v, a new round with %+v: %+v", now, g, before.Gated(g, true))
			}
			if now.Chain != g.Chain || now.Number != g.Number || stage(now) > stage(g) {
				want.Crash = now
			}
			got := before.Gated(g, false)
			if err := control.CheckWithin(before, got); err != nil || !reflect.DeepEqual(got, want) {
				t.Errorf("%+v, a round changed to %+v: %+v, %v", now, g, got.Crash, err)
			}
		}
	}
}

func TestAnEpochClosesTheGate(t *testing.T) {
	t.Parallel()
	s := control.State{Epoch: 1, Restored: &control.Restored{At: noon}, Crash: control.CrashGate{Chain: "a", Number: 7, Betting: true}}
	next := s.Next(noon, 1)
	if want := (control.CrashGate{Chain: "a", Number: 7, Paying: true}); next.Crash != want || control.CheckNext(s, next) != nil {
		t.Errorf("%+v", next.Crash)
	}
	if s.Crash = (control.CrashGate{}); s.Next(noon, 1).Crash != s.Crash {
		t.Error("an epoch made a gate")
	}
}
