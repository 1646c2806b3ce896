package conformance

import (
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/casino-service/casino/domain/audit"
	"github.com/casino-service/casino/domain/control"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/player"
	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/ports"
)

// Controls is the suite of ports.Controls.
func Controls(t *testing.T, newStore func(t *testing.T) Store, shows ...Fault) {
	run(t, newStore, shows, controlsCases, controlsPlayCases)
}

var controlsCases = []story{
	{"a new store is in its first epoch, named when it is initialized and never again", Rows, func(b *bench) {
		b.same("at first", shown(b.state()), shown(control.First()))
		for _, ledger := range []string{"", "one", "two"} {
			b.ok(b.Initialize(background, ports.Identity{Mode: ports.ModeDev, Genesis: "genesis", Ledger: ledger}))
		}
		named := control.First()
		named.Ledger = "one"
		b.same("afterwards", shown(b.state()), shown(named))
	}},
	{"the state is stored as a whole with its audit record", Rows, func(b *bench) {
		b.ok(b.Initialize(background, ports.Identity{Mode: ports.ModeDev, Genesis: "genesis", Ledger: "one"}))
		at := b.now()
		want := control.State{
			Ledger: "one", Epoch: 1,
			Restored: &control.Restored{At: at, By: "\"x\"", Reason: "ünïcode", From: "a", To: "b"},
			Pauses: []control.PlayPause{
				{GameType: "dice", AgentCode: "acme", By: admin, Reason: "odd, \"very\"", At: at}, {AgentCode: "acme", At: at},
				{GameType: "dice", Reason: "r", At: at}, {Reason: "all", At: at},
			},
		}
		b.controls(func(control.State) control.State { return want })
		b.reopen()
		b.same("the state", shown(b.state()), shown(want))
		records := b.recordsOf(audit.PlayPaused)
		b.errorIf(len(records) != 1 || records[0].By != admin, "%+v", records)
		b.chained()
		b.controls(func(now control.State) control.State {
			b.same("what a decision sees", shown(now), shown(want))
			now.Restored, now.Pauses = nil, nil
			return now
		})
		b.same("afterwards", shown(b.state()), shown(control.State{Ledger: "one", Epoch: 1}))
	}},
	{"a refusal is returned as it is, and like a record that can't be kept it changes nothing", Rows, func(b *bench) {
		b.controls(b.pausing("dice"))
		b.unchanged(audit.PlayPaused, func(record audit.Record, refusal error) error {
			return b.ChangeControl(background, func(now control.State) (control.State, *audit.Record, error) {
				now.Pauses[0].Reason = "of the decision alone"
				return now, &record, refusal
			})
		})
	}},
	{"without a record nothing is stored", Logic, func(b *bench) {
		b.controls(b.pausing("dice"))
		before, everything := shown(b.state()), b.snapshot()
		b.check(b.ChangeControl(background, func(now control.State) (control.State, *audit.Record, error) {
			now.Pauses = nil
			return now, nil, nil
		}))
		b.same("the state", shown(b.state()), before)
		b.same("everything", b.snapshot(), everything)
	}},
	{"a state that breaks a rule is not stored", Logic, func(b *bench) {
		at := b.now()
		b.controls(func(now control.State) control.State {
			now.Ledger = "one"
			return now
		})
		b.beginEpoch(at)
		before, everything := shown(b.state()), b.snapshot()
		for what, breach := range map[string]func(*control.State){
			"another ledger":              func(s *control.State) { s.Ledger = "two" },
			"no ledger":                   func(s *control.State) { s.Ledger = "" },
			"an earlier epoch":            func(s *control.State) { s.Epoch = 1 },
			"an epoch of another moment":  func(s *control.State) { s.EpochAt = at.Add(time.Hour) },
			"an epoch that began earlier": func(s *control.State) { s.Epoch, s.EpochAt = 4, at.Add(-time.Hour) },
			"an epoch without beginning":  func(s *control.State) { s.Epoch, s.EpochAt = 4, time.Time{} },
			"an epoch without a recovery": func(s *control.State) { *s = s.Next(at.Add(time.Hour), 0) },
			"one pause twice": func(s *control.State) {
				s.Pauses = []control.PlayPause{{GameType: "dice", At: at}, {GameType: "dice", At: at.Add(time.Second)}}
			},
		} {
			err := b.ChangeControl(background, b.deciding(func(now control.State) control.State {
				breach(&now)
				return now
			}))
			b.errorIf(err == nil || fault.KindOf(err) != fault.Internal, "%s: %v", what, err)
			b.same(what, shown(b.state()), before)
		}
		b.same("everything", b.snapshot(), everything)
	}},
	{"changes at once come one after the other", Races, func(b *bench) {
		const changes = 8
		atOnce(changes, func(i int) { b.controls(b.pausing(fmt.Sprint("game ", i))) })
		b.same("pauses", len(b.state().Pauses), changes)
		b.chained()
	}},
	{"decisions see the state", Logic, func(b *bench) {
		b.signIn(alice, 1_000)
		var seen []string
		look := func(w wallet.Address) {
			item := b.login(w, b.now().UnixMilli())
			decide := item.Decide
			item.Decide = func(v player.View) (player.Change, error) {
				seen = append(seen, shown(*v.Control))
				return decide(v)
			}
			b.commit(item)
		}
		look(alice)
		b.same("at first", seen, []string{shown(b.state())})
		b.controls(b.pausing("dice"))
		seen = nil
		look(alice)
		look(bob)
		b.same("paused", seen, []string{shown(b.state()), shown(b.state())})
		b.sound()
	}},
	{"while it is restored nothing is decided but what stops something", Logic, func(b *bench) {
		b.signIn(alice, 1_000)
		b.controls(b.went())
		for _, item := range []player.Item{b.play(alice, 10), b.withdraw(alice, 10), b.login(bob, b.now().UnixMilli()), b.adjust(alice, 5)} {
			refusal := b.refuse(item, fault.Maintenance)
			b.same("reason", refusal.Details["reason"], "restored")
		}
		stopping := b.login(alice, b.now().Add(2*time.Minute).UnixMilli()) // older messages no longer sign in
		stopping.WhileRestored = true
		b.commit(stopping)
		late := b.play(alice, 10)
		b.refuse(late, fault.Maintenance)
		b.controls(func(now control.State) control.State {
			now.Restored = nil
			return now
		})
		b.commit(late)
		b.sound()
	}},
	{"while it is restored a key that is held is answered", Logic, func(b *bench) {
		b.signIn(alice, 1_000)
		item, other := b.keyed(b.play(alice, 10), "key", "print"), b.keyed(b.play(alice, 10), "key", "another")
		first := b.commit(item)
		b.controls(b.went())
		b.same("the round", b.replay(item).Change.Round.ID, first.Change.Round.ID)
		b.refuse(other, fault.IdempotencyConflict)
	}},
	{"a session of before the epoch is ended", Logic, func(b *bench) {
		b.signIn(alice, 0)
		at := b.now()
		b.beginEpoch(at)
		if ended := must(b.Player(background, alice))(b).SessionsFrom; ended.Before(at) || ended.After(at.Add(time.Millisecond)) {
			b.Errorf("sessions are admitted from %v on", ended)
		}
		var seen player.View
		item := b.again(b.login(alice, b.now().Add(2*time.Minute).UnixMilli()))
		decide := item.Decide
		item.Decide = func(v player.View) (player.Change, error) {
			seen = v
			return decide(v)
		}
		b.commit(item)
		b.fails(fault.InvalidToken, seen.Control.Admits(at.Add(-time.Microsecond)), "a session of before")
		b.same("a session of since", seen.Control.Admits(at.Add(time.Millisecond)), nil)
		later := at.Add(time.Hour)
		b.commit(b.endSessions(alice, later))
		if ended := must(b.Player(background, alice))(b).SessionsFrom; !ended.Equal(later) {
			b.Errorf("sessions are admitted from %v on after signing out", ended)
		}
	}},
	{"after a change no commit that saw an earlier state is still to come", Races, func(b *bench) {
		b.waitsForCommits(b.deciding(b.pausing("another game")))
		b.same("pauses", len(b.state().Pauses), 1)
	}},
	{"after a change that stored nothing neither", Races, func(b *bench) {
		b.waitsForCommits(func(now control.State) (control.State, *audit.Record, error) { return now, nil, nil })
	}},
	{"a commit that begins later is not waited for", Races, func(b *bench) {
		b.signIn(alice, 1_000)
		b.controls(b.pausing("dice"))
		var rounds sync.WaitGroup
		stop := make(chan struct{})
		for _, w := range []wallet.Address{alice, bob, carol} {
			rounds.Go(func() {
				for {
					select {
					case <-stop:
						return
					default:
						if _, err := b.Commit(background, b.login(w, b.now().UnixMilli())); err != nil {
							b.Error(err)
							return
						}
					}
				}
			})
		}
		for i := range 5 {
			b.controls(b.pausing(fmt.Sprint("game ", i)))
		}
		close(stop)
		rounds.Wait()
		b.sound()
	}},
}

// controls changes the control state by a function.
func (b *bench) controls(become func(now control.State) control.State) {
	b.Helper()
	b.check(b.ChangeControl(background, b.deciding(become)))
}

func (b *bench) deciding(become func(now control.State) control.State) ports.ControlDecision {
	record := audit.Record{ID: b.id(), Action: audit.PlayPaused, By: admin, Target: "play", At: b.now()}
	return func(now control.State) (control.State, *audit.Record, error) { return become(now), &record, nil }
}

// pausing adds a pause of a game.
func (b *bench) pausing(game string) func(control.State) control.State {
	at := b.now()
	return func(now control.State) control.State {
		now.Pauses = append(now.Pauses, control.PlayPause{GameType: game, By: admin, Reason: "because", At: at})
		return now
	}
}

// went returns a change to the state of a restored database.
func (b *bench) went() func(control.State) control.State {
	at := b.now()
	return func(now control.State) control.State {
		now.Restored = &control.Restored{At: at, By: "an instance", Reason: "a head is gone", From: "lane 1: 7", To: "lane 1: 5"}
		return now
	}
}

func (b *bench) state() control.State {
	b.Helper()
	return must(b.State(background))(b)
}

// shown prints a state including its pointers' values.
func shown(s control.State) string {
	restored := control.Restored{}
	if s.Restored != nil {
		restored = *s.Restored
	}
	return fmt.Sprintf("%s %d %v %v %+v %+v %+v", s.Ledger, s.Epoch, s.EpochAt, s.Restored != nil, restored, s.Pauses, s.Crash)
}

// endSessions returns an item that ends a wallet's sessions issued before a time.
func (b *bench) endSessions(w wallet.Address, before time.Time) player.Item {
	id := b.id()
	return itemOf(w, b.now(), operation(id), player.Needs{},
		func(v player.View) (player.Change, error) { return player.EndSessions(v, id, "req", before) })
}

// topUp returns an item without a wallet: a top-up of the treasury.
func (b *bench) topUp() player.Item {
	t := player.TopUp{Token: money.SOL, Amount: 5, Reference: b.id(), AuditID: b.id(), At: b.now()}
	return itemOf("", t.At, operation(b.id()), player.Needs{},
		func(player.View) (player.Change, error) { return player.BookCapital(t) })
}

// held commits an item with a decision that waits, and returns when it is being decided. release
// lets it continue and returns when the commit was answered.
func (b *bench) held(item player.Item) (release func()) {
	deciding, goOn, done := make(chan struct{}), make(chan struct{}), make(chan struct{})
	decide, once := item.Decide, sync.Once{}
	item.Decide = func(v player.View) (player.Change, error) {
		once.Do(func() { close(deciding) })
		<-goOn
		return decide(v)
	}
	go func() {
		defer close(done)
		b.check(errorOf(b.Commit(background, item)))
	}()
	b.await(deciding)
	return func() {
		close(goOn)
		<-done
	}
}

// notYet is how long a test waits to see that something doesn't happen.
const notYet = 250 * time.Millisecond

// waitsForCommits changes the control state during decisions that have seen it: of a wallet, of
// an unknown wallet, and without a wallet.
func (b *bench) waitsForCommits(decide ports.ControlDecision) {
	b.signIn(alice, 1_000)
	for what, item := range map[string]player.Item{
		"a round": b.play(alice, 10), "a first sign-in": b.login(bob, b.now().UnixMilli()),
		"a posting of nobody's": b.topUp(),
	} {
		release := b.held(item)
		var released atomic.Bool
		changed := make(chan struct{})
		go func() {
			defer close(changed)
			b.check(guarded(func() error { return b.ChangeControl(background, decide) }))
			b.errorIf(!released.Load(), "%s that began earlier was still to come", what)
		}()
		select {
		case <-changed:
		case <-time.After(notYet):
		}
		released.Store(true)
		release()
		<-changed
		decide = func(now control.State) (control.State, *audit.Record, error) { return now, nil, nil }
	}
	b.sound()
}
