package headlog_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"golang.org/x/mod/sumdb/note"

	"github.com/casino-service/casino/app"
	"github.com/casino-service/casino/app/kernel"
	"github.com/casino-service/casino/domain/alarm"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/merkle"
	"github.com/casino-service/casino/ports"
	"github.com/casino-service/casino/test/apptest"
	"github.com/casino-service/casino/test/fakes"
)

// witnessed opens a casino whose log the witnesses know.
func witnessed(t *testing.T, at *outside, witnesses ...*fakes.LogWitness) *apptest.House {
	t.Helper()
	h, _ := log(t, at, func(d *app.Deps) {
		for _, w := range witnesses {
			d.LogWitnesses = append(d.LogWitnesses, w)
		}
	})
	for _, w := range witnesses {
		w.Add("casino/ledger-1/1", apptest.OK(h.HeadLog.VerifierKeys(h.Ctx))(t)...)
	}
	return h
}

// ask lets each witness cosign once, and returns their errors.
func ask(h *apptest.House) (errs []error) {
	for _, w := range h.Workers() {
		if w.Name == kernel.LogWitnessesWorker {
			_, err := w.Step(h.Ctx)
			errs = append(errs, err)
		}
	}
	return errs
}

// cosigners returns the published checkpoint's size, and who cosigned it.
func cosigners(t *testing.T, h *apptest.House, witnesses ...*fakes.LogWitness) (size int64, names []string) {
	t.Helper()
	published := apptest.OK(h.HeadLog.Checkpoint(h.Ctx, 1))(t)
	for _, w := range witnesses {
		if _, err := note.Open([]byte(published.Note), note.VerifierList(w.Verifier())); err == nil {
			names = append(names, w.Name())
		}
	}
	return published.Size, names
}

// Each witness cosigns what it can; one that is down delays nothing, and catches up.
func TestWitnessesCosign(t *testing.T) {
	t.Parallel()
	one, two := fakes.NewLogWitness("one"), fakes.NewLogWitness("two")
	h := witnessed(t, &outside{}, one, two)
	alice := h.NewPlayer("alice", 1_000_000)
	want := func(cosigned int64, by ...string) {
		t.Helper()
		if size, names := cosigners(t, h, one, two); size != cosigned || strings.Join(names, " ") != strings.Join(by, " ") {
			t.Errorf("%d entries are cosigned by %v, want %d by %v", size, names, cosigned, by)
		}
	}
	grow := func() int64 {
		apptest.OK(h.Play.Play(h.Ctx, alice, apptest.Dice(100)))(t)
		apptest.OK(h.HeadLog.Step(h.Ctx))(t)
		return apptest.OK(h.Store.LogSize(h.Ctx))(t)
	}
	first := grow()
	want(first)
	for _, err := range ask(h) {
		apptest.OK(0, err)(t)
	}
	want(first, "one", "two")
	second := grow()
	want(first, "one", "two") // for ten seconds: a cosigned one is worth more than a newer one
	two.Break(true)
	if errs := ask(h); errs[0] != nil || !fault.Is(errs[1], fault.Unavailable) {
		t.Errorf("%v", errs)
	}
	want(second, "one")
	one.Break(true)
	third := grow()
	want(second, "one")
	h.Clock.Advance(10 * time.Second)
	want(third)
	one.Break(false)
	two.Break(false)
	ask(h)
	want(third, "one", "two")
	proved := apptest.OK(h.HeadLog.Prove(h.Ctx, apptest.OK(h.Store.LoggedHeaders(h.Ctx, first, 1))(t)[0]))(t)
	if _, err := note.Open([]byte(proved.Checkpoint.Note), note.VerifierList(two.Verifier())); err != nil || proved.Index != first {
		t.Errorf("a proof of entry %d: %v", proved.Index, err)
	}
	if n := h.CountAlarms(alarm.PublicLog.Message()); n != 0 {
		t.Errorf("%d alarms", n)
	}
}

// Instances with one witness go on where the other one was, also if an answer was lost.
func TestInstancesShareAWitness(t *testing.T) {
	t.Parallel()
	w := fakes.NewLogWitness("one")
	h := witnessed(t, &outside{}, w)
	lost := h.Remade(func(d *app.Deps) { d.LogWitnesses = []ports.LogWitness{loses{w}} })
	alice := h.NewPlayer("alice", 1_000_000)
	for i := range 6 {
		apptest.OK(h.Play.Play(h.Ctx, alice, apptest.Dice(100)))(t)
		apptest.OK(h.HeadLog.Step(h.Ctx))(t)
		if i%2 == 0 {
			ask(lost)
			continue
		}
		for _, err := range ask(h) {
			apptest.OK(0, err)(t)
		}
		if size, names := cosigners(t, h, w); len(names) != 1 || size != apptest.OK(h.Store.LogSize(h.Ctx))(t) {
			t.Errorf("%d entries are cosigned by %v", size, names)
		}
	}
	if n := h.CountAlarms(alarm.PublicLog.Message()); n != 0 {
		t.Errorf("%d alarms", n)
	}
}

// loses is a witness whose answers get lost.
type loses struct{ ports.LogWitness }

func (l loses) Cosign(ctx context.Context, old int64, proof []merkle.Hash, checkpoint string) (ports.Cosigned, error) {
	_, _ = l.LogWitness.Cosign(ctx, old, proof, checkpoint)
	return ports.Cosigned{}, fault.New(fault.Unavailable, "the answer was lost")
}

// A witness that saw another log refuses this one, which is an alarm that names the witness,
// until it cosigns again.
func TestAWitnessRefusesAFork(t *testing.T) {
	t.Parallel()
	for name, bets := range map[string][2]int{"as large": {4, 4}, "larger": {2, 9}, "smaller": {9, 2}} {
		w := fakes.NewLogWitness("one")
		h := witnessed(t, &outside{}, w)
		grow := func(h *apptest.House, n int) {
			player := h.NewPlayer(name, 1_000_000)
			for range n {
				apptest.OK(h.Play.Play(h.Ctx, player, apptest.Dice(100)))(t)
			}
			apptest.OK(h.HeadLog.Step(h.Ctx))(t)
		}
		grow(h, bets[0])
		for _, err := range ask(h) {
			apptest.OK(0, err)(t)
		}
		// A copy of the house without what is kept outside begins the log again.
		fork, _ := log(t, &outside{}, func(d *app.Deps) { d.LogWitnesses = []ports.LogWitness{w} })
		fork.SignIn("mallory")
		grow(fork, bets[1]-1)
		if errs := ask(fork); errs[0] == nil || !strings.Contains(errs[0].Error(), "the witness one refuses the checkpoint") {
			t.Errorf("%s: %v", name, errs)
		}
		if _, names := cosigners(t, fork, w); len(names) > 0 {
			t.Errorf("%s: a fork is cosigned by %v", name, names)
		}
		message := alarm.PublicLog.Message()
		if fork.CountAlarms(message) != 1 || fork.AlarmFact(message, "about") != "one" {
			t.Errorf("%s: %d alarms about %v", name, fork.CountAlarms(message), fork.AlarmFact(message, "about"))
		}
		alarms := fork.Alarms.AlarmWorker()
		apptest.OK(alarms.Step(fork.Ctx))(t)
		w.Add("casino/ledger-1/1", apptest.OK(fork.HeadLog.VerifierKeys(fork.Ctx))(t)...)
		for range 2 {
			for _, err := range ask(fork) {
				apptest.OK(0, err)(t)
			}
			fork.Clock.Advance(alarm.Quiet)
		}
		apptest.OK(alarms.Step(fork.Ctx))(t)
		if stored := fork.StoredAlarms(ports.AlarmFilter{Kind: alarm.PublicLog, About: "one"}); len(stored) != 1 || stored[0].Open() {
			t.Errorf("%s: the alarms %+v", name, stored)
		}
	}
}
