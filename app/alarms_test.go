package app_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/casino-service/casino/app"
	"github.com/casino-service/casino/app/alarms"
	"github.com/casino-service/casino/app/play"
	"github.com/casino-service/casino/domain/alarm"
	"github.com/casino-service/casino/domain/audit"
	"github.com/casino-service/casino/domain/control"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/game"
	"github.com/casino-service/casino/domain/rbac"
	"github.com/casino-service/casino/domain/stream"
	"github.com/casino-service/casino/ports"
)

// kept returns every alarm, newest first.
func (h *house) kept(f ports.AlarmFilter) []alarm.Alarm {
	h.t.Helper()
	return ok(h.store.Alarms(h.ctx, f, ports.Page{Number: 1, Limit: ports.PageMax}))(h.t).Alarms
}

// put raises an alarm in the store, as another instance would.
func (h *house) put(kind alarm.Kind, about string, facts ...alarm.Fact) alarm.Alarm {
	h.t.Helper()
	a := alarm.Raise(h.Entropy.ID(), kind, about, facts, h.clock.Now())
	record := audit.Record{ID: h.Entropy.ID(), Action: audit.AlarmRaised, Target: a.ID, At: a.RaisedAt}
	err := h.store.ChangeOpenAlarm(h.ctx, kind, about, func(*alarm.Alarm) (*alarm.Alarm, *audit.Record, error) { return &a, &record, nil })
	if err != nil {
		h.t.Fatal(err)
	}
	return a
}

// timed is a house whose database has a clock of its own, which may be wrong.
func timed(t *testing.T) (*house, *offClock) {
	t.Helper()
	clocks := &offClock{}
	h := bare(t, func(d *app.Deps) { d.Store.StoreClock = clocks })
	clocks.h = h
	return h, clocks
}

// probes has the clocks compared once, and the open alarms listed.
func (h *house) probes() {
	h.t.Helper()
	ok(h.Alarms.AlarmWorker().Step(h.ctx))(h.t)
	ok(h.Health().Step(h.ctx))(h.t)
}

func TestAnAlarmIsOneRowUntilItIsOver(t *testing.T) {
	t.Parallel()
	h, clocks := timed(t)
	clocks.store = time.Hour
	message := alarm.Clocks.Message()
	for i, step := range []struct {
		pause        time.Duration
		seen, logged int
	}{{0, 1, 1}, {alarm.SeenEvery - 1, 1, 1}, {1, 2, 1}, {alarm.SeenEvery, 3, 1}, {8 * alarm.SeenEvery, 4, 2}, {alarm.SeenEvery, 5, 2}} {
		h.clock.Advance(step.pause)
		h.probes()
		all := h.kept(ports.AlarmFilter{})
		if len(all) != 1 || all[0].Seen != int64(step.seen) || !all[0].Open() || h.alarms(message) != step.logged {
			t.Fatalf("step %d: %+v, logged %d times", i, all, h.alarms(message))
		}
	}
	first := h.kept(ports.AlarmFilter{})[0]
	equal(t, "logged with its id", h.fact(message, "alarm"), any(first.ID))
	equal(t, "the bound", first.Fact("bound"), "10s")

	h = h.remade(func(*app.Deps) {}) // another process
	h.clock.Advance(alarm.SeenEvery)
	h.probes()
	equal(t, "alarms after a restart", len(h.kept(ports.AlarmFilter{})), 1)
	equal(t, "logged after a restart", h.alarms(message), 2)

	clocks.store = 0
	h.clock.Advance(alarm.Quiet - 1)
	h.probes()
	equal(t, "open before it is quiet", h.kept(ports.AlarmFilter{})[0].Open(), true)
	h = h.remade(func(*app.Deps) {}) // who has to look for as long first
	for _, pause := range []time.Duration{1, alarm.Quiet - 1} {
		h.clock.Advance(pause)
		h.probes()
	}
	equal(t, "open before a new process has looked for as long", h.kept(ports.AlarmFilter{})[0].Open(), true)
	h.clock.Advance(1)
	h.probes()
	cleared := h.kept(ports.AlarmFilter{})[0]
	if cleared.Open() || cleared.ClearedBy != "" || !cleared.ClearedAt.Equal(h.clock.Now()) {
		t.Errorf("%+v", cleared)
	}

	clocks.store = -time.Hour
	h.probes()
	all := h.kept(ports.AlarmFilter{})
	if len(all) != 2 || !all[0].Open() || all[0].ID == first.ID || h.alarms(message) != 3 {
		t.Errorf("%+v, logged %d times", all, h.alarms(message))
	}
	var heard []stream.Type
	for _, e := range h.committed(stream.Filter{Types: []stream.Type{stream.AlarmRaised, stream.AlarmCleared}}) {
		heard = append(heard, e.Type)
	}
	equal(t, "events", slices.Equal(heard, []stream.Type{stream.AlarmRaised, stream.AlarmCleared, stream.AlarmRaised}), true)
	h.audited()
}

// TestAnInstanceThatSeesNothingClearsNothing has one instance whose clock is wrong beside
// one whose clock is right.
func TestAnInstanceThatSeesNothingClearsNothing(t *testing.T) {
	t.Parallel()
	sees, clocks := timed(t)
	clocks.store = time.Hour
	other := sees.remade(func(d *app.Deps) { d.Store.StoreClock = &offClock{h: sees} })
	for range 10 {
		sees.probes()
		other.probes()
		sees.clock.Advance(alarm.SeenEvery)
	}
	clocks.store = 0
	if all := sees.kept(ports.AlarmFilter{}); len(all) != 1 || !all[0].Open() || all[0].Seen != 10 {
		t.Errorf("%+v", all)
	}
	for range 4 {
		other.probes()
		sees.clock.Advance(alarm.SeenEvery)
	}
	if all := sees.kept(ports.AlarmFilter{}); len(all) != 1 || all[0].Open() {
		t.Errorf("%+v", all)
	}
}

// stubborn takes no alarm.
type stubborn struct {
	alarmsPort
	err   error
	waits time.Duration // how long it was given
}

func (s *stubborn) ChangeOpenAlarm(ctx context.Context, kind alarm.Kind, about string, decide ports.OpenAlarmDecision) error {
	if s.err == nil {
		return s.alarmsPort.ChangeOpenAlarm(ctx, kind, about, decide)
	}
	deadline, _ := ctx.Deadline()
	s.waits = time.Until(deadline)
	return s.err
}

func TestAnAlarmThatCanNotBeStoredIsLogged(t *testing.T) {
	t.Parallel()
	h, clocks := timed(t)
	store := &stubborn{h.store, errors.New("the database is away"), 0}
	h = h.remade(func(d *app.Deps) { d.Store.Alarms = store })
	clocks.store = time.Hour
	message := alarm.Clocks.Message()
	ok(h.Health().Step(h.ctx))(t)
	equal(t, "logged", h.alarms(message), 1)
	equal(t, "and why alone", h.fact(message, "unstored"), any("the database is away"))
	if store.waits <= 0 || store.waits > 2*time.Second {
		t.Errorf("a worker may wait for %s", store.waits)
	}
	h.clock.Advance(alarm.SeenEvery)
	ok(h.Health().Step(h.ctx))(t)
	equal(t, "logged again", h.alarms(message), 1)
	store.err = nil
	h.clock.Advance(alarm.SeenEvery)
	ok(h.Health().Step(h.ctx))(t)
	equal(t, "stored", len(h.kept(ports.AlarmFilter{})), 1)
	equal(t, "logged with its row", h.alarms(message), 2)
}

// TestNothingIsStoredInADatabaseThatWentBack raises one before and one after, and what
// becomes of the first once the service is open again.
func TestNothingIsStoredInADatabaseThatWentBack(t *testing.T) {
	t.Parallel()
	h, clocks := timed(t)
	h.put(alarm.RoundVoided, "r1")
	h.controls(func(s *control.State) {
		s.Restored = &control.Restored{At: h.clock.Now(), By: "ada", Reason: "a head is gone"}
	})
	clocks.store = time.Hour
	ok(h.Health().Step(h.ctx))(t)
	equal(t, "logged", h.alarms(alarm.Clocks.Message()), 1)
	if why, _ := h.fact(alarm.Clocks.Message(), "unstored").(string); !strings.Contains(why, "restored") {
		t.Errorf("it says %q", why)
	}
	equal(t, "rows", len(h.kept(ports.AlarmFilter{})), 1)
	h.controls(func(s *control.State) { s.Restored = nil })
	h.clock.Advance(alarm.SeenEvery)
	h.probes()
	all := h.kept(ports.AlarmFilter{})
	if len(all) != 2 || all[0].Kind != alarm.Clocks || all[1].Kind != alarm.RoundVoided || !all[1].Open() {
		t.Errorf("%+v", all)
	}
}

// TestWhatHappenedIsRaisedWhoeverStopsWaiting: a player who hangs up hides nothing.
func TestWhatHappenedIsRaisedWhoeverStopsWaiting(t *testing.T) {
	t.Parallel()
	hungUp, hangUp := context.WithCancel(t.Context())
	played, clocks := 0, &offClock{}
	h := open(t, func(d *app.Deps) { d.Store.StoreClock = clocks }, withBroken(t, func(game.Draws) game.Result {
		if played++; played == 2 { // the first time says that it needs another pair
			hangUp()
		}
		panic("out of cards")
	}))
	clocks.h = h
	alice := h.player("alice", 10_000)
	played = 0
	round := ok(h.Play.Play(hungUp, alice, play.PlayRequest{GameType: "broken", Wager: 1_000, Token: sol}))(t).Round
	if all := h.kept(ports.AlarmFilter{}); hungUp.Err() == nil || len(all) != 1 || all[0].Kind != alarm.RoundVoided || all[0].About != round.ID {
		t.Errorf("%+v", all)
	}
	clocks.store = time.Hour
	_, _ = h.Health().Step(hungUp)
	equal(t, "with what may not hold", len(h.kept(ports.AlarmFilter{})), 1)
}

func TestAlarmsAreAcknowledged(t *testing.T) {
	t.Parallel()
	h := bare(t)
	ops, reader, player := h.admin("olga", "ops"), h.admin("rita", "readonly"), h.enter("alice")
	holds, happened := h.put(alarm.LowFees, sol), h.put(alarm.RoundVoided, "r1")
	word := func(who app.Caller, id, note string, clear bool) (alarm.Alarm, error) {
		h.clock.Advance(time.Second)
		return h.Alarms.AcknowledgeAlarm(h.ctx, who, alarms.Acknowledgement{ID: id, Note: note, Clear: clear})
	}
	for name, c := range map[string]struct {
		err  error
		kind fault.Kind
	}{
		"a player":        {no(word(player, holds.ID, "seen", false)), fault.AdminForbidden},
		"who only reads":  {no(word(reader, holds.ID, "seen", false)), fault.AdminForbidden},
		"without a note":  {no(word(ops, holds.ID, "", false)), fault.Invalid},
		"none":            {no(word(ops, "none", "seen", false)), fault.NotFound},
		"a player's list": {no(h.Alarms.Alarms(h.ctx, player, ports.AlarmFilter{}, ports.Page{Number: 1, Limit: 5})), fault.AdminForbidden},
	} {
		if !fault.Is(c.err, c.kind) {
			t.Errorf("%s: %v", name, c.err)
		}
	}
	known := ok(word(ops, holds.ID, "on it", false))(t)
	if !known.Open() || known.AcknowledgedBy != ops.Wallet || known.Note != "on it" {
		t.Errorf("%+v", known)
	}
	refused(t, no(word(ops, holds.ID, "again", false)), fault.InvalidState, "status", "acknowledged")
	if over := ok(word(ops, holds.ID, "paid in", true))(t); over.Open() || over.ClearedBy != ops.Wallet {
		t.Errorf("%+v", over)
	}
	refused(t, no(word(ops, holds.ID, "again", true)), fault.InvalidState, "status", "cleared")
	if seen := ok(word(ops, happened.ID, "looked at", false))(t); seen.Open() {
		t.Errorf("%+v", seen)
	}
	var actions []audit.Action
	for _, r := range h.records() {
		if strings.HasPrefix(string(r.Action), "alarm.") && r.By == ops.Wallet {
			actions = append(actions, r.Action)
		}
	}
	equal(t, "records", slices.Equal(actions, []audit.Action{audit.AlarmAcknowledged, audit.AlarmCleared, audit.AlarmCleared}), true)
	heard := ok(h.Events.AdminEventPage(h.ctx, reader, stream.Filter{Types: []stream.Type{stream.AlarmRaised, stream.AlarmAcknowledged, stream.AlarmCleared}}, stream.Cursor{}, 100))(t)
	equal(t, "heard by who may list them", len(heard.Events), 5)
	h.audited()
}

func TestAnAgentsAdminSeesTheAgentsAlarms(t *testing.T) {
	t.Parallel()
	h := bare(t)
	h.ensureAgent("acme")
	ops, bound := h.admin("olga", "ops"), h.founder("abe", "operator", "acme")
	own := h.put(alarm.WebhookDisabled, "e1", alarm.Fact{Name: "agent", Value: "acme"})
	rival := h.put(alarm.WebhookDisabled, "e2", alarm.Fact{Name: "agent", Value: "rival"})
	money := h.put(alarm.LowFees, sol)
	listed := func(who app.Caller, f ports.AlarmFilter) (ids []string) {
		for _, a := range ok(h.Alarms.Alarms(h.ctx, who, f, ports.Page{Number: 1, Limit: 5}))(t).Alarms {
			ids = append(ids, a.ID)
		}
		return ids
	}
	equal(t, "all", slices.Equal(listed(ops, ports.AlarmFilter{}), []string{money.ID, rival.ID, own.ID}), true)
	equal(t, "the agent's", slices.Equal(listed(bound, ports.AlarmFilter{}), []string{own.ID}), true)
	equal(t, "another agent's", len(listed(bound, ports.AlarmFilter{Agent: "rival"})), 0)
	page := ok(h.Events.AdminEventPage(h.ctx, bound, stream.Filter{Types: []stream.Type{stream.AlarmRaised}}, stream.Cursor{}, 100))(t)
	if len(page.Events) != 1 || page.Events[0].Subject != own.ID {
		t.Errorf("heard %+v", page.Events)
	}
	branch := h.remade(func(d *app.Deps) {
		d.Policy = rbac.NewPolicy(rbac.Role{Name: "operator", Level: 3, Permissions: []rbac.Permission{rbac.AdminRead, rbac.AdminWrite}, NeedsAgent: true})
	})
	refused(t, no(branch.Alarms.AcknowledgeAlarm(h.ctx, bound, alarms.Acknowledgement{ID: rival.ID, Note: "mine"})), fault.NotFound)
	ok(branch.Alarms.AcknowledgeAlarm(h.ctx, bound, alarms.Acknowledgement{ID: own.ID, Note: "ours"}))(t)
}
