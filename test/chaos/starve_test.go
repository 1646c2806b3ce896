package chaos_test

import (
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/gagliardetto/solana-go"
	"github.com/jackc/pgx/v5"
	"golang.org/x/time/rate"

	"github.com/casino-service/casino/test/services"
)

// callsPerSecond is a node's limit per client, as for rented nodes.
const callsPerSecond = 100

// TestNothingStarves floods the production service from outside, on nodes that refuse more than
// 100 calls a second. Meanwhile health answers, new players sign in, a player plays, an admin
// freezes the flooder, deposits are credited and withdrawals are paid out on chain: each at the
// first try, and within a time limit. It prints how long each took with and without the flood,
// and how much floods add to the database.
//
// CASINO_TEST_STARVE is how many seconds each flood lasts. Without it all of them run together,
// smaller and once.
func TestNothingStarves(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("builds and floods the real binary") // allowed: make test runs it
	}
	for name, database := range map[string]func(*testing.T) (url, redis string){
		"PostgreSQL with Redis": func(t *testing.T) (string, string) { return services.NewCluster(t).URL(), services.Redis(t) },
		"SQLite":                func(t *testing.T) (string, string) { return "sqlite:" + t.TempDir() + "/casino.db", "none" },
	} {
		t.Run(name, func(t *testing.T) {
			if number(t, "CASINO_TEST_STARVE", 0) == 0 {
				t.Parallel() // otherwise each run would load the other
			}
			url, redis := database(t)
			newScene(t, deploy(t, url, redis), url, nil).run()
		})
	}
}

// TestIdleConnectionsLeaveDescriptors checks that a process with a low limit of open files serves
// requests, pays out and credits deposits while more idle connections than that are kept up.
func TestIdleConnectionsLeaveDescriptors(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("builds and floods the real binary") // allowed: make test runs it
	}
	const descriptors, connections = 200, 400
	database := "sqlite:" + t.TempDir() + "/casino.db"
	s := newScene(t, deploy(t, database, "none"), database, func(process *exec.Cmd) {
		process.Args = append([]string{"sh", "-c", fmt.Sprintf(`ulimit -n %d && exec "$@"`, descriptors), "sh", process.Path}, process.Args[1:]...)
		process.Path = "/bin/sh"
	})
	s.through("idle connections", []*flood{{what: "idle connections", connections: connections, atLeast: connections + 1, keep: s.hold(idleConnection)}})
	if open := s.files(); open > descriptors {
		t.Errorf("%d files are open of %d", open, descriptors)
	}
	s.figures.print(t)
	s.stop()
	s.audited()
}

// scene is a service that is flooded, and the results of clients that don't flood.
type scene struct {
	*instance
	party    *party
	database string
	flooding *http.Client
	// listening has no time limit, because streams don't end.
	listening *http.Client
	admin     *signedIn     // the admin who freezes
	lasts     time.Duration // of each flood; zero if all run together
	figures   *figures
	refused   *atomic.Int64 // calls that the nodes refused
}

func newScene(t *testing.T, d *deployment, database string, confine func(*exec.Cmd)) *scene {
	t.Helper()
	refused := &atomic.Int64{}
	// The default settings of a service, except for the proxy that names addresses.
	d.environment = append(d.environment, "CASINO_WRITES_PER_MINUTE=60", "CASINO_SOLANA_RPC_URLS="+d.rationed(refused)+","+d.rationed(refused))
	s := &scene{
		instance: d.startConfined(confine), database: database, figures: newFigures(), refused: refused,
		flooding:  &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 4_096}, Timeout: settledWithin},
		listening: &http.Client{Transport: &http.Transport{}},
		lasts:     time.Duration(number(t, "CASINO_TEST_STARVE", 0)) * time.Second,
		admin:     &signedIn{name: "superadmin"},
	}
	t.Cleanup(s.flooding.CloseIdleConnections)
	s.party = invite(t, 2, s.instance)
	noError(t, s.admin.signIn(t.Context(), s.client("192.0.2.3"), ""))
	s.party.provide(s.party.players[0], 1_000*solana.LAMPORTS_PER_SOL)
	return s
}

// rationed starts one more node of the chain, which answers 429 above its limit.
func (d *deployment) rationed(refused *atomic.Int64) string {
	d.Helper()
	allowed, node := rate.NewLimiter(callsPerSecond, callsPerSecond), d.chain.Handler()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !allowed.Allow() {
			refused.Add(1)
			http.Error(w, "too many calls", http.StatusTooManyRequests)
			return
		}
		node.ServeHTTP(w, r)
	}))
	d.Cleanup(server.Close)
	return server.URL
}

// run probes the service without a flood, then during each flood, and then checks its money.
func (s *scene) run() {
	s.Helper()
	s.through("peace", nil)
	floods := s.floods()
	if s.lasts == 0 {
		s.through("all floods together", floods)
	} else {
		for _, f := range floods {
			s.through(f.what, []*flood{f})
		}
	}
	s.figures.print(s)
	s.party.landed()
	s.stop()
	s.audited()
}

// through probes the service while floods last, and until each probe has succeeded.
func (s *scene) through(what string, floods []*flood) {
	s.Helper()
	memory, size, refused, begin := s.resident(), s.size(), s.refused.Load(), time.Now()
	stop := make(chan struct{})
	var flooding sync.WaitGroup
	for _, f := range floods {
		f.start(stop, &flooding)
	}
	ended := func() bool {
		done := time.Since(begin) >= s.lasts
		for _, f := range floods {
			done = done && f.count.Load() >= f.atLeast
		}
		return done
	}
	most := s.probe(what, ended)
	close(stop)
	flooding.Wait()
	lasted := time.Since(begin)
	for _, f := range floods {
		s.Logf("%s: %s", f.what, f.outcome(lasted))
	}
	s.Logf("%s: %v; the database grew by %d kB, %.1f kB a second; memory %d MB before, %d at most, %d after; nodes refused %d calls", what, lasted.Round(time.Second),
		(s.size()-size)>>10, float64(s.size()-size)/1024/lasted.Seconds(), memory, most, s.resident(), s.refused.Load()-refused)
}

// size returns the database's size in bytes.
func (s *scene) size() (bytes int64) {
	s.Helper()
	if path, file := strings.CutPrefix(s.database, "sqlite:"); file {
		for _, each := range []string{path, path + "-wal"} {
			if held, err := os.Stat(each); err == nil {
				bytes += held.Size()
			}
		}
		return bytes
	}
	connection, err := pgx.Connect(s.Context(), s.database)
	noError(s, err)
	defer func() { _ = connection.Close(s.Context()) }()
	noError(s, connection.QueryRow(s.Context(), "SELECT pg_database_size(current_database())").Scan(&bytes))
	return bytes
}

// resident returns the process's memory in MB, 0 if the system doesn't report it.
func (s *scene) resident() (megabytes int64) {
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", s.process.Process.Pid))
	if err != nil {
		return 0
	}
	for line := range strings.Lines(string(status)) {
		if text, found := strings.CutPrefix(line, "VmRSS:"); found {
			_, _ = fmt.Sscan(text, &megabytes)
		}
	}
	return megabytes >> 10
}

// figures are the durations of each probe, by flood.
type figures struct {
	mu    sync.Mutex
	order []string
	took  map[string]map[string][]time.Duration
}

func newFigures() *figures { return &figures{took: map[string]map[string][]time.Duration{}} }

func (f *figures) note(during, probe string, took time.Duration) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.took[during] == nil {
		f.order, f.took[during] = append(f.order, during), map[string][]time.Duration{}
	}
	f.took[during][probe] = append(f.took[during][probe], took)
}

// print prints the median and the maximum of each.
func (f *figures) print(t testing.TB) {
	t.Helper()
	f.mu.Lock()
	defer f.mu.Unlock()
	var table strings.Builder
	for _, during := range f.order {
		fmt.Fprintf(&table, "\n%s:", during)
		for _, probe := range slices.Sorted(maps.Keys(f.took[during])) {
			all := f.took[during][probe]
			slices.Sort(all)
			fmt.Fprintf(&table, "\n  %-10s %4d times, median %v, worst %v", probe, len(all),
				all[len(all)/2].Round(time.Millisecond), all[len(all)-1].Round(time.Millisecond))
		}
	}
	t.Log(table.String())
}
