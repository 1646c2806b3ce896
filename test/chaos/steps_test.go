package chaos_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/casino-service/casino/adapters/httpapi/api"
	"github.com/casino-service/casino/adapters/httpapi/client"
	"github.com/casino-service/casino/test/fakes"
	"github.com/casino-service/casino/test/services"
)

// TestKilledWithOpenRounds kills the service at random times while players open rounds and step
// through them, and starts it again. Each request is sent until its answer is known, and after
// each kill those answered before it are repeated: each gets its first answer. The open rounds
// are those that the players opened and didn't end, balances and stakes add up with the house's
// wins, and the revealed seeds give every state that was ever shown.
func TestKilledWithOpenRounds(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("builds and kills the real binary") // allowed: make test runs it
	}
	engines := map[string]func(*testing.T) mortal{"SQLite": mortalDev, "PostgreSQL": mortalServe}
	if services.CitusWanted() {
		engines["Citus"] = mortalOnCitus
	}
	for engine, begin := range engines {
		t.Run(engine, func(t *testing.T) {
			t.Parallel()
			killWithOpenRounds(t, begin(t))
		})
	}
}

func killWithOpenRounds(t *testing.T, casino mortal) {
	t.Helper()
	const steppers, funds = 6, 1_000_000_000
	kills, seed := number(t, "CASINO_TEST_ROUND_KILLS", 3), number(t, "CASINO_TEST_ROUND_SEED", 1)
	luck := rand.New(rand.NewPCG(uint64(seed), 0))
	p := &party{TB: t, reach: func(int) *client.Client { return casino.reach() }}
	world := &steppersOf{party: p}
	for n := range steppers {
		world.enter(n, luck.Uint64(), funds, casino)
	}
	world.credit(casino, funds)
	stop := make(chan struct{})
	var playing sync.WaitGroup
	for _, s := range world.steppers {
		playing.Go(func() { s.play(stop) })
	}
	for n := 0; n < kills && !t.Failed(); n++ {
		p.progress(3 + luck.Int64N(40))
		pause(t, time.Duration(luck.Int64N(int64(4*time.Millisecond))))
		casino.kill()
		casino.again()
		world.kills.Add(1)
	}
	p.progress(100)
	close(stop)
	playing.Wait()
	open := 0
	for _, s := range world.steppers {
		s.comesBack()
		open += len(s.open)
	}
	world.addsUp(casino, steppers*funds)
	casino.audited() // while rounds are open
	casino.again()
	for _, s := range world.steppers {
		s.finish()
	}
	world.addsUp(casino, steppers*funds)
	casino.audited()
	world.played(open, kills, seed)
}

// mortal is a casino in a separate process.
type mortal interface {
	// reach returns a client of the running process.
	reach() *client.Client
	// admin returns a client of a superadmin.
	admin() *client.Client
	kill()
	again()
	// audited ends the process in order and audits its ledger.
	audited()
}

// devMortal is `casino dev`, which is at another address after each start.
type devMortal struct {
	*testing.T
	folder  string
	mu      sync.Mutex
	running *services.Dev
	away    bool
}

func mortalDev(t *testing.T) mortal {
	t.Helper()
	d := &devMortal{T: t, folder: t.TempDir()}
	d.again()
	return d
}

func (d *devMortal) reach() *client.Client {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.away {
		return client.New("http://127.0.0.1:1", nil)
	}
	return client.New(d.running.BaseURL, nil)
}

func (d *devMortal) admin() *client.Client {
	fresh := d.running.SignIn(d.T, "superadmin")
	return d.reach().WithToken(fresh)
}

// kill first makes new requests fail: the port of a process that is gone may be given to another
// one, which would answer them.
func (d *devMortal) kill() {
	d.mu.Lock()
	d.away = true
	d.mu.Unlock()
	d.running.Kill()
}

func (d *devMortal) again() {
	running := services.NewDev(d.T, d.folder)
	d.mu.Lock()
	defer d.mu.Unlock()
	d.running, d.away = running, false
}

func (d *devMortal) audited() {
	d.Helper()
	d.running.Stop(d.T)
	out, err := services.Audit(d.T, d.folder)
	if err != nil || !strings.Contains(out, "everything holds") {
		d.Errorf("the audit: %v\n%s", err, out)
	}
	d.Log(strings.TrimSpace(out))
}

// serveMortal is one `casino serve` on PostgreSQL.
type serveMortal struct{ *instance }

func mortalServe(t *testing.T) mortal {
	t.Helper()
	d := deploy(t, services.NewCluster(t).URL(), services.Redis(t))
	return serveMortal{d.start()}
}

func (s serveMortal) reach() *client.Client { return s.client("198.51.100.1") }

func (s serveMortal) admin() *client.Client {
	s.Helper()
	_, session, err := s.client("192.0.2.1").SignIn(s.Context(), fakes.Key("superadmin"), time.Now())
	noError(s, err)
	return s.reach().WithToken(session.Token)
}

func (s serveMortal) again() { s.instance.again() }

func (s serveMortal) audited() {
	s.Helper()
	s.stop()
	s.deployment.audited()
}

// addsUp checks that the players' balances and stakes and the house's wins add up to the players'
// credits.
func (w *steppersOf) addsUp(casino mortal, credited int64) {
	w.Helper()
	owed := int64(0)
	for _, s := range w.steppers {
		owed += s.balance
		for _, h := range s.open {
			owed += h.stake
		}
	}
	overview, err := casino.admin().Overview(w.Context(), api.OverviewParams{})
	noError(w, err)
	for _, of := range overview.Tokens {
		if of.Token != sol {
			continue
		}
		if liabilities, ggr := of.Liabilities.String(), of.GGR.String(); liabilities != fmt.Sprint(owed) || ggr != fmt.Sprint(credited-owed) {
			w.Errorf("players have %d with their stakes, of %d: the house says it owes %s and won %s", owed, credited, liabilities, ggr)
		}
		return
	}
	w.Errorf("the overview has no line of the token: %+v", overview)
}

// played logs what was played, and expects some of everything.
func (w *steppersOf) played(open, kills, seed int) {
	w.Helper()
	total := tallied{}
	for _, s := range w.steppers {
		total.add(s.tally)
	}
	w.Logf("seed %d: %d kills; %+v; %d rounds were open at the end; %d requests were sent again because no answer came",
		seed, kills, total, open, w.unknown.Load())
	if total.Rounds == 0 || total.Further == 0 || total.Again < 3*kills || total.Folded == 0 {
		w.Errorf("too little was played: %+v", total)
	}
	if w.unknown.Load() == 0 || kills >= 100 && total.Lost == 0 {
		w.Error("no kill cost an answer to what was done")
	}
}

// tallied counts opened rounds, steps, steps with a further stake, requests that were carried out
// but not answered, repeated answers, other actions at a step that was taken, rounds that were
// folded again, rotations, and requests that the player or the house couldn't afford.
type tallied struct {
	Rounds, Steps, Further, Lost, Again, Conflicts, Folded, Rotations, Refused int
}

func (t *tallied) add(o tallied) {
	t.Rounds, t.Steps, t.Further, t.Again = t.Rounds+o.Rounds, t.Steps+o.Steps, t.Further+o.Further, t.Again+o.Again
	t.Conflicts, t.Folded, t.Rotations, t.Refused = t.Conflicts+o.Conflicts, t.Folded+o.Folded, t.Rotations+o.Rotations, t.Refused+o.Refused
	t.Lost += o.Lost
}
