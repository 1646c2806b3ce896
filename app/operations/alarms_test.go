package operations_test

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
	"github.com/casino-service/casino/test/apptest"
)

// raiseElsewhere raises an alarm in the store, as another instance would.
func (h *house) raiseElsewhere(kind alarm.Kind, about string, facts ...alarm.Fact) alarm.Alarm {
	h.T.Helper()
	a := alarm.Raise(h.Entropy.ID(), kind, about, facts, h.Clock.Now())
	record := audit.Record{ID: h.Entropy.ID(), Action: audit.AlarmRaised, Target: a.ID, At: a.RaisedAt}
	err := h.Store.ChangeOpenAlarm(h.Ctx, kind, about, func(*alarm.Alarm) (*alarm.Alarm, *audit.Record, error) { return &a, &record, nil })
	if err != nil {
		h.T.Fatal(err)
	}
	return a
}

// openWithClocks opens a casino with a separate, adjustable clock of the database.
func openWithClocks(t *testing.T) (*house, *offClock) {
	t.Helper()
	clocks := &offClock{}
	h := bare(t, func(d *app.Deps) { d.Store.StoreClock = clocks })
	clocks.h = h
	return h, clocks
}

// runProbes compares the clocks once and lists the open alarms.
func (h *house) runProbes() {
	h.T.Helper()
	apptest.OK(h.Alarms.AlarmWorker().Step(h.Ctx))(h.T)
	apptest.OK(h.Health().Step(h.Ctx))(h.T)
}

func TestAnAlarmIsOneRowUntilItIsOver(t *testing.T) {
	t.Parallel()
	h, clocks := openWithClocks(t)
	clocks.store = time.Hour
	message := alarm.Clocks.Message()
	for i, step := range []struct {
		pause        time.Duration
		seen, logged int
	}{{0, 1, 1}, {alarm.SeenEvery - 1, 1, 1}, {1, 2, 1}, {alarm.SeenEvery, 3, 1}, {8 * alarm.SeenEvery, 4, 2}, {alarm.SeenEvery, 5, 2}} {
		h.Clock.Advance(step.pause)
		h.runProbes()
		all := h.StoredAlarms(ports.AlarmFilter{})
		if len(all) != 1 || all[0].Seen != int64(step.seen) || !all[0].Open() || h.CountAlarms(message) != step.logged {
			t.Fatalf("step %d: %+v, logged %d times", i, all, h.CountAlarms(message))
		}
	}
	first := h.StoredAlarms(ports.AlarmFilter{})[0]
	apptest.Equal(t, "logged with its id", h.AlarmFact(message, "alarm"), any(first.ID))
	apptest.Equal(t, "the bound", first.Fact("bound"), "10s")

	h = h.Remade(func(*app.Deps) {}) // another process
	h.Clock.Advance(alarm.SeenEvery)
	h.runProbes()
	apptest.Equal(t, "alarms after a restart", len(h.StoredAlarms(ports.AlarmFilter{})), 1)
	apptest.Equal(t, "logged after a restart", h.CountAlarms(message), 2)

	clocks.store = 0
	h.Clock.Advance(alarm.Quiet - 1)
	h.runProbes()
	apptest.Equal(t, "open before it is quiet", h.StoredAlarms(ports.AlarmFilter{})[0].Open(), true)
	h = h.Remade(func(*app.Deps) {}) // which has to wait as long first
	for _, pause := range []time.Duration{1, alarm.Quiet - 1} {
		h.Clock.Advance(pause)
		h.runProbes()
	}
	apptest.Equal(t, "open before a new process has looked for as long", h.StoredAlarms(ports.AlarmFilter{})[0].Open(), true)
	h.Clock.Advance(1)
	h.runProbes()
	cleared := h.StoredAlarms(ports.AlarmFilter{})[0]
	if cleared.Open() || cleared.ClearedBy != "" || !cleared.ClearedAt.Equal(h.Clock.Now()) {
		t.Errorf("%+v", cleared)
	}

	clocks.store = -time.Hour
	h.runProbes()
	all := h.StoredAlarms(ports.AlarmFilter{})
	if len(all) != 2 || !all[0].Open() || all[0].ID == first.ID || h.CountAlarms(message) != 3 {
		t.Errorf("%+v, logged %d times", all, h.CountAlarms(message))
	}
	var heard []stream.Type
	for _, e := range h.CommittedEvents(stream.Filter{Types: []stream.Type{stream.AlarmRaised, stream.AlarmCleared}}) {
		heard = append(heard, e.Type)
	}
	apptest.Equal(t, "events", slices.Equal(heard, []stream.Type{stream.AlarmRaised, stream.AlarmCleared, stream.AlarmRaised}), true)
	h.CheckAudit()
}

// TestAnInstanceThatSeesNothingClearsNothing runs an instance with a wrong clock beside one
// with a right clock.
func TestAnInstanceThatSeesNothingClearsNothing(t *testing.T) {
	t.Parallel()
	sees, clocks := openWithClocks(t)
	clocks.store = time.Hour
	other := sees.Remade(func(d *app.Deps) { d.Store.StoreClock = &offClock{h: sees} })
	for range 10 {
		sees.runProbes()
		other.runProbes()
		sees.Clock.Advance(alarm.SeenEvery)
	}
	clocks.store = 0
	if all := sees.StoredAlarms(ports.AlarmFilter{}); len(all) != 1 || !all[0].Open() || all[0].Seen != 10 {
		t.Errorf("%+v", all)
	}
	for range 4 {
		other.runProbes()
		sees.Clock.Advance(alarm.SeenEvery)
	}
	if all := sees.StoredAlarms(ports.AlarmFilter{}); len(all) != 1 || all[0].Open() {
		t.Errorf("%+v", all)
	}
}

// stubborn refuses to store alarms.
type stubborn struct {
	alarmsPort
	err   error
	waits time.Duration // how much time it was given
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
	h, clocks := openWithClocks(t)
	store := &stubborn{h.Store, errors.New("the database is away"), 0}
	h = h.Remade(func(d *app.Deps) { d.Store.Alarms = store })
	clocks.store = time.Hour
	message := alarm.Clocks.Message()
	apptest.OK(h.Health().Step(h.Ctx))(t)
	apptest.Equal(t, "logged", h.CountAlarms(message), 1)
	apptest.Equal(t, "and why alone", h.AlarmFact(message, "unstored"), any("the database is away"))
	if store.waits <= 0 || store.waits > 2*time.Second {
		t.Errorf("a worker may wait for %s", store.waits)
	}
	h.Clock.Advance(alarm.SeenEvery)
	apptest.OK(h.Health().Step(h.Ctx))(t)
	apptest.Equal(t, "logged again", h.CountAlarms(message), 1)
	store.err = nil
	h.Clock.Advance(alarm.SeenEvery)
	apptest.OK(h.Health().Step(h.Ctx))(t)
	apptest.Equal(t, "stored", len(h.StoredAlarms(ports.AlarmFilter{})), 1)
	apptest.Equal(t, "logged with its row", h.CountAlarms(message), 2)
}

// TestNothingIsStoredInADatabaseThatWentBack raises one alarm before and one after the
// restore, and checks the first one after the service is open again.
func TestNothingIsStoredInADatabaseThatWentBack(t *testing.T) {
	t.Parallel()
	h, clocks := openWithClocks(t)
	h.raiseElsewhere(alarm.RoundVoided, "r1")
	h.ChangeControls(func(s *control.State) {
		s.Restored = &control.Restored{At: h.Clock.Now(), By: "ada", Reason: "a head is gone"}
	})
	clocks.store = time.Hour
	apptest.OK(h.Health().Step(h.Ctx))(t)
	apptest.Equal(t, "logged", h.CountAlarms(alarm.Clocks.Message()), 1)
	if why, _ := h.AlarmFact(alarm.Clocks.Message(), "unstored").(string); !strings.Contains(why, "restored") {
		t.Errorf("it says %q", why)
	}
	apptest.Equal(t, "rows", len(h.StoredAlarms(ports.AlarmFilter{})), 1)
	h.ChangeControls(func(s *control.State) { s.Restored = nil })
	h.Clock.Advance(alarm.SeenEvery)
	h.runProbes()
	all := h.StoredAlarms(ports.AlarmFilter{})
	if len(all) != 2 || all[0].Kind != alarm.Clocks || all[1].Kind != alarm.RoundVoided || !all[1].Open() {
		t.Errorf("%+v", all)
	}
}

// TestWhatHappenedIsRaisedWhoeverStopsWaiting: a player who disconnects hides nothing.
func TestWhatHappenedIsRaisedWhoeverStopsWaiting(t *testing.T) {
	t.Parallel()
	hungUp, hangUp := context.WithCancel(t.Context())
	played, clocks := 0, &offClock{}
	h := open(t, func(d *app.Deps) { d.Store.StoreClock = clocks }, apptest.WithBroken(t, func(game.Draws) game.Result {
		if played++; played == 2 { // the first call requests another pair
			hangUp()
		}
		panic("out of cards")
	}))
	clocks.h = h
	alice := h.NewPlayer("alice", 10_000)
	played = 0
	round := apptest.OK(h.Play.Play(hungUp, alice, play.PlayRequest{GameType: "broken", Wager: 1_000, Token: apptest.SOL}))(t).Round
	if all := h.StoredAlarms(ports.AlarmFilter{}); hungUp.Err() == nil || len(all) != 1 || all[0].Kind != alarm.RoundVoided || all[0].About != round.ID {
		t.Errorf("%+v", all)
	}
	clocks.store = time.Hour
	_, _ = h.Health().Step(hungUp)
	apptest.Equal(t, "with what may not hold", len(h.StoredAlarms(ports.AlarmFilter{})), 1)
}

func TestAlarmsAreAcknowledged(t *testing.T) {
	t.Parallel()
	h := bare(t)
	ops, reader, player := h.NewAdmin("olga", "ops"), h.NewAdmin("rita", "readonly"), h.SignIn("alice")
	holds, happened := h.raiseElsewhere(alarm.LowFees, apptest.SOL), h.raiseElsewhere(alarm.RoundVoided, "r1")
	word := func(who app.Caller, id, note string, clear bool) (alarm.Alarm, error) {
		h.Clock.Advance(time.Second)
		return h.Alarms.AcknowledgeAlarm(h.Ctx, who, alarms.Acknowledgement{ID: id, Note: note, Clear: clear})
	}
	for name, c := range map[string]struct {
		err  error
		kind fault.Kind
	}{
		"a player":        {apptest.ErrorOf(word(player, holds.ID, "seen", false)), fault.AdminForbidden},
		"who only reads":  {apptest.ErrorOf(word(reader, holds.ID, "seen", false)), fault.AdminForbidden},
		"without a note":  {apptest.ErrorOf(word(ops, holds.ID, "", false)), fault.Invalid},
		"none":            {apptest.ErrorOf(word(ops, "none", "seen", false)), fault.NotFound},
		"a player's list": {apptest.ErrorOf(h.Alarms.Alarms(h.Ctx, player, ports.AlarmFilter{}, ports.Page{Number: 1, Limit: 5})), fault.AdminForbidden},
	} {
		if !fault.Is(c.err, c.kind) {
			t.Errorf("%s: %v", name, c.err)
		}
	}
	known := apptest.OK(word(ops, holds.ID, "on it", false))(t)
	if !known.Open() || known.AcknowledgedBy != ops.Wallet || known.Note != "on it" {
		t.Errorf("%+v", known)
	}
	apptest.Refused(t, apptest.ErrorOf(word(ops, holds.ID, "again", false)), fault.InvalidState, "status", "acknowledged")
	if over := apptest.OK(word(ops, holds.ID, "paid in", true))(t); over.Open() || over.ClearedBy != ops.Wallet {
		t.Errorf("%+v", over)
	}
	apptest.Refused(t, apptest.ErrorOf(word(ops, holds.ID, "again", true)), fault.InvalidState, "status", "cleared")
	if seen := apptest.OK(word(ops, happened.ID, "looked at", false))(t); seen.Open() {
		t.Errorf("%+v", seen)
	}
	var actions []audit.Action
	for _, r := range h.AuditRecords() {
		if strings.HasPrefix(string(r.Action), "alarm.") && r.By == ops.Wallet {
			actions = append(actions, r.Action)
		}
	}
	apptest.Equal(t, "records", slices.Equal(actions, []audit.Action{audit.AlarmAcknowledged, audit.AlarmCleared, audit.AlarmCleared}), true)
	heard := apptest.OK(h.Events.AdminEventPage(h.Ctx, reader, stream.Filter{Types: []stream.Type{stream.AlarmRaised, stream.AlarmAcknowledged, stream.AlarmCleared}}, stream.Cursor{}, 100))(t)
	apptest.Equal(t, "heard by who may list them", len(heard.Events), 5)
	h.CheckAudit()
}

func TestAnAgentsAdminSeesTheAgentsAlarms(t *testing.T) {
	t.Parallel()
	h := bare(t)
	h.EnsureAgent("acme")
	ops, bound := h.NewAdmin("olga", "ops"), h.Founder("abe", "operator", "acme")
	own := h.raiseElsewhere(alarm.WebhookDisabled, "e1", alarm.Fact{Name: "agent", Value: "acme"})
	rival := h.raiseElsewhere(alarm.WebhookDisabled, "e2", alarm.Fact{Name: "agent", Value: "rival"})
	money := h.raiseElsewhere(alarm.LowFees, apptest.SOL)
	listed := func(who app.Caller, f ports.AlarmFilter) (ids []string) {
		for _, a := range apptest.OK(h.Alarms.Alarms(h.Ctx, who, f, ports.Page{Number: 1, Limit: 5}))(t).Alarms {
			ids = append(ids, a.ID)
		}
		return ids
	}
	apptest.Equal(t, "all", slices.Equal(listed(ops, ports.AlarmFilter{}), []string{money.ID, rival.ID, own.ID}), true)
	apptest.Equal(t, "the agent's", slices.Equal(listed(bound, ports.AlarmFilter{}), []string{own.ID}), true)
	apptest.Equal(t, "another agent's", len(listed(bound, ports.AlarmFilter{Agent: "rival"})), 0)
	page := apptest.OK(h.Events.AdminEventPage(h.Ctx, bound, stream.Filter{Types: []stream.Type{stream.AlarmRaised}}, stream.Cursor{}, 100))(t)
	if len(page.Events) != 1 || page.Events[0].Subject != own.ID {
		t.Errorf("heard %+v", page.Events)
	}
	branch := h.Remade(func(d *app.Deps) {
		d.Policy = rbac.NewPolicy(rbac.Role{Name: "operator", Level: 3, Permissions: []rbac.Permission{rbac.AdminRead, rbac.AdminWrite}, NeedsAgent: true})
	})
	apptest.Refused(t, apptest.ErrorOf(branch.Alarms.AcknowledgeAlarm(h.Ctx, bound, alarms.Acknowledgement{ID: rival.ID, Note: "mine"})), fault.NotFound)
	apptest.OK(branch.Alarms.AcknowledgeAlarm(h.Ctx, bound, alarms.Acknowledgement{ID: own.ID, Note: "ours"}))(t)
}
