package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/casino-service/casino/adapters/httpapi/api"
	"github.com/casino-service/casino/adapters/httpapi/client"
	"github.com/casino-service/casino/test/services"
)

const (
	sol = "So11111111111111111111111111111111111111112"
	cut = "RAKEBACK_TEST_CUT" // "3 before", "3 after" or "never"
)

// TestMain runs the program itself when the tests start it.
func TestMain(m *testing.M) {
	where := os.Getenv(cut)
	if where == "" {
		os.Exit(m.Run())
	}
	number, side, _ := strings.Cut(where, " ")
	at, _ := strconv.Atoi(number) // "never" is no request's number
	http.DefaultTransport = &cutting{at: at, after: side == "after", next: http.DefaultTransport}
	main()
}

// cutting kills the process before or after its nth request.
type cutting struct {
	at, n int
	after bool
	next  http.RoundTripper
}

func (c *cutting) RoundTrip(r *http.Request) (*http.Response, error) {
	c.n++
	if c.n == c.at && !c.after {
		kill()
	}
	answer, err := c.next.RoundTrip(r)
	if c.n == c.at && err == nil {
		_, _ = io.Copy(io.Discard, answer.Body)
		kill()
	}
	return answer, err
}

func kill() {
	_ = syscall.Kill(os.Getpid(), syscall.SIGKILL)
	select {}
}

// world is a casino with players, and their stakes.
type world struct {
	*testing.T
	dev     *services.Dev
	admin   *client.Client
	players map[string]*client.Client // by wallet
	staked  map[string]int64
	won     map[string]int64
	folder  string
}

const funded = 5_000_000_000

func newWorld(t *testing.T) *world {
	t.Helper()
	folder := t.TempDir()
	w := &world{
		T: t, dev: services.NewDev(t, filepath.Join(folder, "data")), folder: folder,
		players: map[string]*client.Client{}, staked: map[string]int64{}, won: map[string]int64{},
	}
	bearer := w.dev.SignIn(t, "finance")
	w.admin = client.New(w.dev.BaseURL, nil).WithToken(bearer)
	w.write("token", bearer)
	for _, name := range []string{"alice", "bob"} {
		as := client.New(w.dev.BaseURL, nil).WithToken(w.dev.SignIn(t, name))
		_, address := w.dev.Key(t, name)
		w.players[address] = as
		_, err := w.admin.AdjustBalance(t.Context(), address, api.AdjustRequest{Token: sol, Amount: funded, Reason: "to play with"})
		w.must(err)
	}
	return w
}

func (w *world) must(err error) {
	w.Helper()
	if err != nil {
		w.Fatal(err)
	}
}

func (w *world) write(name, text string) {
	w.Helper()
	w.must(os.WriteFile(filepath.Join(w.folder, name), []byte(text), 0o600))
}

// play lets each player play a number of rounds, with shares that are no whole units.
func (w *world) play(n int) {
	w.Helper()
	var mu sync.Mutex
	var all sync.WaitGroup
	for address, as := range w.players {
		for range 4 {
			all.Go(func() {
				for i := range (n + 3) / 4 {
					r, err := as.Play(w.Context(), api.PlayRequest{GameType: "dice", Wager: 1_000_003 + int64(i%7), Token: sol})
					if err != nil {
						w.Error(err)
						return
					}
					mu.Lock()
					w.staked[address] += r.Round.Wager
					w.won[address] += r.Round.Payout
					mu.Unlock()
				}
			})
		}
	}
	all.Wait()
}

// start starts the program as a process, which is killed where the text says.
func (w *world) start(where string) (*exec.Cmd, *bytes.Buffer) {
	w.Helper()
	program := exec.Command(os.Args[0], w.dev.BaseURL, filepath.Join(w.folder, "token"), filepath.Join(w.folder, "state"))
	program.Env = append(os.Environ(), cut+"="+where)
	said := &bytes.Buffer{}
	program.Stderr = said
	w.must(program.Start())
	return program, said
}

// run reports whether the program was killed; otherwise it ended without an error.
func (w *world) run(where string) bool {
	w.Helper()
	program, said := w.start(where)
	if err := program.Wait(); err != nil {
		if !killed(err) {
			w.Fatalf("killed %s: %v: %s", where, err, said)
		}
		return true
	}
	return false
}

func killed(err error) bool {
	exit := (*exec.ExitError)(nil)
	if !errors.As(err, &exit) {
		return false
	}
	status, ok := exit.Sys().(syscall.WaitStatus)
	return ok && status.Signaled() && status.Signal() == syscall.SIGKILL
}

// settled runs the program to its end, and compares its payments with the stakes.
func (w *world) settled() {
	w.Helper()
	for w.run("never") {
	}
	paid := map[string]int64{}
	for cursor, more := "", true; more; {
		page, err := w.admin.AdminEvents(w.Context(), api.AdminEventsParams{Cursor: cursor, Types: "balance.changed", Limit: 500})
		w.must(err)
		for _, e := range page.Events {
			var changed api.EventBalance
			w.must(e.Read(&changed))
			if changed.Reason != nil && *changed.Reason == "rakeback" {
				paid[changed.Wallet] += changed.Amount
			}
		}
		cursor, more = page.NextCursor, page.More
	}
	for address, as := range w.players {
		due := w.staked[address] / 1_000_000 * perMillion
		due += w.staked[address] % 1_000_000 * perMillion / 1_000_000
		has, err := as.Balance(w.Context(), api.BalanceParams{})
		w.must(err)
		if want := funded - w.staked[address] + w.won[address] + due; paid[address] != due || has[0].Balance != want {
			w.Fatalf("%s staked %d and was given back %d of %d; the balance is %d of %d",
				address, w.staked[address], paid[address], due, has[0].Balance, want)
		}
	}
}

// TestRakebackIsPaidToTheUnit kills the program before and after each of its requests, and at
// random times; each player gets the share of their stakes, to the unit.
func TestRakebackIsPaidToTheUnit(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("builds and runs the real binary") // allowed: make test runs it
	}
	w := newWorld(t)
	if program, said := w.start("never"); program.Wait() == nil || !strings.Contains(said.String(), "state") {
		t.Errorf("without a state the program began: %s", said)
	}
	w.write("state", "{}")
	w.play(260) // two pages
	kills := 0
	for range 3 {
		for _, side := range []string{"before", "after"} {
			for at := 1; w.run(fmt.Sprint(at, " ", side)); at++ {
				kills++
				w.play(1)
			}
			w.settled()
			w.play(3)
		}
	}
	if kills < 12 {
		t.Errorf("killed %d times only", kills)
	}
	const seed = 20261123
	random := rand.New(rand.NewPCG(seed, seed)) // #nosec G404 -- a test's moments
	hit := 0
	for range 25 {
		w.play(2)
		program, _ := w.start("never")
		ctx, stop := context.WithTimeout(t.Context(), time.Duration(random.IntN(60_000))*time.Microsecond)
		<-ctx.Done()
		stop()
		_ = program.Process.Kill()
		if killed(program.Wait()) {
			hit++
		}
	}
	w.settled()
	t.Logf("killed at %d requests and at %d moments (seed %d)", kills, hit, seed)
	w.lost()
	w.dev.Stop(t)
	if out, err := services.Audit(t, filepath.Join(w.folder, "data")); err != nil {
		t.Errorf("the ledger doesn't hold: %v\n%s", err, out)
	}
}

// lost begins again, as if the state were lost: the first period has other amounts than before,
// so its keys are refused and no player is paid again.
func (w *world) lost() {
	w.Helper()
	state, err := os.ReadFile(filepath.Join(w.folder, "state"))
	w.must(err)
	w.write("state", "{}")
	program, said := w.start("never")
	if err := program.Wait(); err == nil || !strings.Contains(said.String(), "IDEMPOTENCY_CONFLICT") {
		w.Errorf("a lost state: %v, %s", err, said)
	}
	w.write("state", string(state))
	w.settled()
}
