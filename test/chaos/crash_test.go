package chaos_test

import (
	"context"
	"database/sql"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/casino-service/casino/adapters/httpapi/api"
	"github.com/casino-service/casino/adapters/httpapi/client"
	"github.com/casino-service/casino/domain/crash"
	"github.com/casino-service/casino/domain/fairness"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/stream"
	"github.com/casino-service/casino/test/fakes"
	"github.com/casino-service/casino/test/services"
)

const (
	crashBetting = time.Second
	// takeoverMost is how long a round may be without a driver.
	takeoverMost = 2 * time.Second
)

// withCrash has the deployment play the shared crash, in short rounds.
func (d *deployment) withCrash() {
	d.environment = append(d.environment, "CASINO_CRASH=solana", "CASINO_CRASH_BETTING="+crashBetting.String(), "CASINO_CRASH_CAP=2",
		"CASINO_CRASH_DELAY=2", "CASINO_CRASH_LENGTH=10000")
}

// TestCrashUnderKills kills the instance that drives the rounds of the shared crash, in each state
// of a round, and sometimes PostgreSQL, while players bet, cash out and come back, and listeners
// follow. Each round has one closing commit and one point, each answered bet the one result that
// follows from its round, each answered cash-out is paid, and another instance takes over soon.
func TestCrashUnderKills(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("builds and kills the real binary") // allowed: make test runs it
	}
	kills, databaseKills := number(t, "CASINO_TEST_CRASH_KILLS", 3), number(t, "CASINO_TEST_CRASH_POSTGRES_KILLS", 1)
	cluster := services.NewCluster(t)
	killWithCrash(deploy(t, cluster.URL(), "none"), cluster.URL(), cluster, kills, databaseKills)
}

// killWithCrash plays on two instances and kills them and a server of their database.
func killWithCrash(d *deployment, database string, cluster *services.Cluster, kills, databaseKills int) {
	d.Helper()
	d.withCrash()
	instances := []*instance{d.start(), d.start()}
	table := invite(d, 9, instances...).table(database, 6)
	ctx, cancel := context.WithCancel(d.Context())
	var following, playing sync.WaitGroup
	d.Cleanup(func() {
		cancel()
		following.Wait()
	})
	following.Go(func() { table.watch(ctx) })
	for n, ear := range table.ears {
		following.Go(func() { table.listen(ctx, ear, instances[n%len(instances)]) })
	}
	stop := make(chan struct{})
	for _, who := range table.players {
		playing.Go(func() { table.play(who, stop) })
	}
	table.kill(cluster, kills, databaseKills)
	close(stop)
	playing.Wait()
	table.adds()
	table.heardAll()
	table.events()
	cancel()
	following.Wait()
	for _, i := range instances {
		i.noLeaks()
		i.stop()
	}
	d.audited()
	table.report()
}

// crashRow is the newest round in the database, with the lease.
type crashRow struct {
	chain             string
	number            int64
	status            string
	stopped, revealed bool
	paying            bool
	opened, started   int64 // in microseconds
	point             uint64
	worker            string
	fence             int64
}

// state is the status with the parts of it that a driver passes through.
func (r crashRow) state() string {
	switch {
	case r.status == "betting" && r.stopped:
		return "stopped"
	case r.status == "closed" && r.revealed:
		return "revealed"
	case r.status == "crashed" && r.paying:
		return "settling"
	}
	return r.status
}

// change is the moment at which a state of a round was first seen.
type change struct {
	at time.Time
	crashRow
}

// crashTable is a game of the shared crash with all who take part.
type crashTable struct {
	*party
	db      *sql.DB
	luck    *rand.Rand
	players []*crashPlayer
	ears    []*crashEar

	mu      sync.Mutex
	now     crashRow
	changes []change
	// told is what anybody said of a round once it was known.
	told map[string]string

	hits      map[string]int
	takeovers []time.Duration
	killed    []change
	restarts  []time.Duration
}

// crashPlayer is a player of the shared crash.
type crashPlayer struct {
	*signedIn
	number  int
	balance int64 // at the beginning
	bets    []*crashAnswers
}

// crashAnswers are the answers about a bet.
type crashAnswers struct {
	api.OwnCrashBet
	payout int64
	// late is when a cash-out was refused, because its answer says that the round had ended.
	late time.Time
}

// crashEar is a listener, which connects again whenever its stream ends.
type crashEar struct {
	mu     sync.Mutex
	last   api.CrashRound
	lives  int
	delays []time.Duration // between a change and its news
}

func (p *party) table(database string, listeners int) *crashTable {
	p.Helper()
	db, err := sql.Open("pgx", database)
	noError(p, err)
	p.Cleanup(func() { _ = db.Close() })
	c := &crashTable{party: p, db: db, luck: rand.New(rand.NewPCG(1, 0)), told: map[string]string{}, hits: map[string]int{}}
	for n, g := range p.players {
		c.players = append(c.players, &crashPlayer{signedIn: g.signedIn, number: n, balance: g.balance})
	}
	for range listeners {
		c.ears = append(c.ears, &crashEar{})
	}
	return c
}

// read reads the newest round, and keeps its state if that is new. While the database is away it
// returns the last one.
func (c *crashTable) read() crashRow {
	var r crashRow
	err := c.db.QueryRow(`SELECT r.chain, r.number, r.status, r.stopped, r.salt <> '', r.paying, r.opened_at, coalesce(r.started_at, 0), r.point, l.worker, l.fence
		FROM crash_lease AS l, (SELECT * FROM crash_rounds ORDER BY opened_at DESC, number DESC LIMIT 1) AS r`).Scan(
		&r.chain, &r.number, &r.status, &r.stopped, &r.revealed, &r.paying, &r.opened, &r.started, &r.point, &r.worker, &r.fence)
	c.mu.Lock()
	defer c.mu.Unlock()
	if err != nil || r.fence < c.now.fence || r.number < c.now.number && r.chain == c.now.chain {
		return c.now
	}
	if r.number != c.now.number || r.state() != c.now.state() || r.chain != c.now.chain {
		c.changes = append(c.changes, change{time.Now(), r})
	}
	c.now = r
	return r
}

// newest returns the newest round as it was last read.
func (c *crashTable) newest() crashRow {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

// watch reads the newest round again and again.
func (c *crashTable) watch(ctx context.Context) {
	for ctx.Err() == nil {
		c.read()
		pause(c, 4*time.Millisecond)
	}
}

// await waits until the newest round is in a state, and returns it. It doesn't pause: some states
// last for milliseconds.
func (c *crashTable) await(state string) (r crashRow) {
	for r = c.read(); r.state() != state && !c.Failed(); r = c.read() {
		if services.Overdue() {
			c.Fatalf("no round is %s before the tests' time-out", state)
		}
	}
	return r
}

// kill kills the instance that drives in each state of a round in turn, and PostgreSQL in between.
func (c *crashTable) kill(cluster *services.Cluster, kills, databaseKills int) {
	states := []string{"flying", "betting", "closed", "crashed", "stopped", "revealed", "settling"}
	driver, workers := 0, map[string]int{}
	// The first worker that is seen is of either instance: killing one shows of which.
	for n := range kills + databaseKills {
		c.progress(2)
		r := c.await(states[n%len(states)])
		if databaseKills > 0 && n%(kills/databaseKills+1) == 1 {
			cluster.Kill(c)
			cluster.Start(c)
			begin := time.Now()
			for _, i := range c.instances {
				i.ready()
			}
			eventually(c, "the round goes on", func() bool { now := c.read(); return now.number != r.number || now.state() != r.state() })
			c.restarts = append(c.restarts, time.Since(begin))
			continue
		}
		if known, ok := workers[r.worker]; ok {
			driver = known
		} else if len(workers) > 0 { // it isn't the known one of the two
			for _, other := range workers {
				driver = 1 - other
			}
		}
		begin := time.Now()
		c.instances[driver].kill()
		after := c.read()
		eventually(c, "another instance drives, or the killed one didn't", func() bool {
			now := c.read()
			return now.fence > after.fence || time.Since(begin) > 3*takeoverMost
		})
		now := c.read()
		if now.fence > after.fence {
			c.hits[after.state()]++
			c.takeovers = append(c.takeovers, time.Since(begin))
			c.killed = append(c.killed, change{begin, after})
		}
		workers = map[string]int{now.worker: 1 - driver}
		c.instances[driver].again()
		if n%10 == 9 {
			c.Logf("%d kills, %v; the lease after %s", n+1, c.hits, spread(c.takeovers))
		}
	}
	c.await("settled")
}

// hundredths returns a multiplier of the API in hundredths, 0 for none.
func (c *crashTable) hundredths(n api.Number) uint64 {
	if n == "" {
		return 0
	}
	whole, part, _ := strings.Cut(n.String(), ".")
	h, err := strconv.ParseUint(whole+(part + "00")[:2], 10, 64)
	noError(c, err)
	return h
}

// say fails if something else was said about a round before. What isn't known yet is empty.
func (c *crashTable) say(who string, r api.CrashRound) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for name, value := range map[string]string{
		"cap": r.Cap.String(), "previous": r.PreviousHash, "opened": fmt.Sprint(r.OpenedAt), "closing": r.Closing, "height": fmt.Sprint(r.Height),
		"salt": r.Salt, "start": fmt.Sprint(r.StartedAt), "hash": r.Hash, "point": r.Point.String(),
	} {
		of := fmt.Sprint(r.Chain, "/", r.Number, " ", name)
		switch known := c.told[of]; {
		case value == "" || value == "0":
		case known == "":
			c.told[of] = value
		case known != value:
			c.Errorf("%s: %s is %q, and was %q", who, of, value, known)
		}
	}
}

// adds checks every round with its bets, and each player's answers and balance against them.
func (c *crashTable) adds() {
	c.Helper()
	bets := map[string]api.CrashBet{}
	rounds := map[string]api.CrashRound{}
	newest := int64(0) // with bets; it is settled once another one is open
	for _, who := range c.players {
		for _, a := range who.bets {
			newest = max(newest, a.Round)
		}
	}
	last := c.newest()
	eventually(c, "another round is open", func() bool {
		last = c.newest()
		return last.number > newest
	})
	for n := int64(1); n < last.number; n++ {
		var found api.CrashRoundResponse
		c.insistAs(c.players[0].signedIn, int(n), "a round", func(ctx context.Context, s *client.Client) (err error) {
			found, err = s.CrashRound(ctx, fmt.Sprint(n), api.CrashRoundParams{Chain: last.chain})
			return err
		})
		c.say("GET /crash/rounds/"+fmt.Sprint(n), found.Round)
		c.follows(found)
		for _, b := range found.Bets {
			bets[b.ID], rounds[b.ID] = b, found.Round
		}
	}
	answered, byHand, tooLate := 0, 0, 0
	for _, who := range c.players {
		balance := who.balance
		for _, a := range who.bets {
			if answered++; a.CashedOut != "" {
				byHand++
			}
			if !a.late.IsZero() {
				tooLate++
			}
			b, known := bets[a.ID]
			delete(bets, a.ID)
			if !known || b.Payout == nil || *b.Payout != a.payout || b.Wager != a.Wager || rounds[a.ID].Number != a.Round {
				c.Errorf("%s was answered %+v, of the round is %+v", who.name, a, b)
				continue
			}
			balance += a.payout - a.Wager
			c.inTime(a, b, rounds[a.ID])
		}
		if got := c.balanceOf(who); got != balance {
			c.Errorf("%s has %d, the answers leave %d", who.name, got, balance)
		}
	}
	if len(bets) > 0 {
		c.Errorf("%d bets were not answered", len(bets))
	}
	c.Logf("%d rounds, %d bets, %d of them cashed out by hand and %d too late", last.number, answered, byHand, tooLate)
}

// balanceOf returns a player's balance.
func (c *crashTable) balanceOf(who *crashPlayer) (have int64) {
	c.insistAs(who.signedIn, 0, "a balance", func(ctx context.Context, s *client.Client) error {
		all, err := s.Balance(ctx, api.BalanceParams{})
		for _, b := range all {
			if b.Token == sol {
				have = b.Balance
			}
		}
		return err
	})
	return have
}

// follows checks that a round's point follows from its hash and salt, its closing commit states its
// bets, and each result follows from the point.
func (c *crashTable) follows(r api.CrashRoundResponse) {
	c.Helper()
	if r.Round.Status != "settled" {
		c.Errorf("round %d is %s", r.Round.Number, r.Round.Status)
		return
	}
	hash := fairness.ServerSeedFromText(r.Round.Hash)
	point, limit := c.hundredths(r.Round.Point), c.hundredths(r.Round.Cap)
	if hash.Commitment() != r.Round.PreviousHash || crash.Point(hash, r.Round.Salt) != point || r.Round.Recovered {
		c.Errorf("round %d does not follow: %+v", r.Round.Number, r.Round)
	}
	stated := make([]crash.Bet, len(r.Bets))
	for i, b := range r.Bets {
		stated[i] = crash.Bet{ID: b.ID, Token: money.Token(b.Token), Wager: money.Amount(b.Wager), Auto: c.hundredths(b.CashOut)}
		at := min(stated[i].Auto, limit)
		if b.CashedOut != "" {
			at = c.hundredths(b.CashedOut)
		}
		if at > point {
			at = 0
		}
		if want, _ := stated[i].Wager.Times(money.Ratio{Num: at, Den: 100}); b.Payout == nil || *b.Payout != int64(want) || b.CashedOut != "" && at == 0 {
			c.Errorf("round %d crashed at %d: %+v", r.Round.Number, point, b)
		}
	}
	end := fmt.Sprintf("bets: %d\nroot: %x\n", len(stated), crash.Root(r.Round.Chain, r.Round.Number, stated))
	if !strings.HasSuffix(r.Round.Closing, end) {
		c.Errorf("round %d closed with %q, its bets are %q", r.Round.Number, r.Round.Closing, end)
	}
}

// inTime checks a cash-out that was answered, or refused as too late, against the round's end.
func (c *crashTable) inTime(a *crashAnswers, b api.CrashBet, r api.CrashRound) {
	c.Helper()
	ends := r.StartedAt + crash.EndTime(c.hundredths(r.Point), c.hundredths(r.Cap))
	switch {
	case a.CashedOut != b.CashedOut:
		c.Errorf("the cash-out was answered %+v, of the round is %+v", a, b)
	case a.CashedOut != "" && (a.ReceivedAt >= ends || c.hundredths(a.CashedOut) != min(crash.MultiplierAt(a.ReceivedAt-r.StartedAt), c.hundredths(a.CashOut))):
		c.Errorf("received %d ms after the start, %d before the end, cashed out: %+v", a.ReceivedAt-r.StartedAt, ends-a.ReceivedAt, a)
	case !a.late.IsZero() && a.late.UnixMilli() < ends:
		c.Errorf("refused as late %d ms before the end: %+v", ends-a.late.UnixMilli(), a)
	}
}

// heardAll waits until each listener knows a round that is as new as the newest.
func (c *crashTable) heardAll() {
	c.Helper()
	want := c.newest().number
	for _, e := range c.ears {
		eventually(c, "a listener knows the newest round", func() bool {
			e.mu.Lock()
			defer e.mu.Unlock()
			return e.last.Number >= want || c.Failed()
		})
	}
}

// events compares what events say with what anybody else said.
func (c *crashTable) events() {
	c.Helper()
	_, session, err := c.instances[0].client("192.0.2.1").SignIn(c.Context(), fakes.Key("superadmin"), time.Now())
	noError(c, err)
	admin := c.instances[0].client("192.0.2.1").WithToken(session.Token)
	seen := map[string]int{}
	for _, e := range committedAfter(c, admin, "", "casino."+string(stream.CrashChanged)) {
		var r api.CrashRound
		noError(c, e.Read(&r))
		c.say("event "+e.ID, r)
		seen[fmt.Sprint(r.Chain, "/", r.Number, " ", r.Status)]++
	}
	for _, status := range []string{"flying", "settled"} {
		if last := c.newest(); last.number > 1 && seen[fmt.Sprint(last.chain, "/", last.number-1, " ", status)] != 1 {
			c.Errorf("%d events say that round %d is %s", seen[fmt.Sprint(last.chain, "/", last.number-1, " ", status)], last.number-1, status)
		}
	}
}

// report logs how soon rounds went on after kills. A run of many kills must show that rounds are
// taken over in time; few prove nothing on a busy machine.
func (c *crashTable) report() {
	c.Helper()
	var late []time.Duration
	for _, k := range c.killed {
		for _, next := range c.changes {
			if !next.at.After(k.at) || next.number == k.number && next.state() == k.state() {
				continue
			}
			due := k.at
			switch k.state() {
			case "betting":
				due = time.UnixMicro(k.opened).Add(crashBetting)
			case "flying":
				due = time.UnixMicro(k.started).Add(time.Duration(crash.EndTime(next.point, 200)) * time.Millisecond)
			case "closed": // for the beacon
				due = next.at
			}
			if due.Before(k.at) {
				due = k.at
			}
			late = append(late, max(0, next.at.Sub(due)))
			if late[len(late)-1] > takeoverMost {
				c.Logf("%v from %s to %s of round %d", late[len(late)-1], k.state(), next.state(), k.number)
			}
			break
		}
	}
	var delays []time.Duration
	lives := 0
	for _, e := range c.ears {
		delays, lives = append(delays, e.delays...), lives+e.lives
	}
	c.Logf("kills of the driver by the state that they left: %v", c.hits)
	c.Logf("until another instance had the lease: %s", spread(c.takeovers))
	c.Logf("until the round went on, without what it waits for: %s", spread(late))
	c.Logf("after kills of PostgreSQL: %s", spread(c.restarts))
	c.Logf("%d listeners connected %d times, and heard of changes after %s", len(c.ears), lives, spread(delays))
	if len(c.takeovers) >= 50 && slices.Max(c.takeovers) > takeoverMost {
		c.Errorf("a round was without a driver for %v", slices.Max(c.takeovers))
	}
	if len(c.takeovers) == 0 {
		c.Error("no kill hit a driver")
	}
}

// spread describes durations.
func spread(all []time.Duration) string {
	if len(all) == 0 {
		return "none"
	}
	all = slices.Sorted(slices.Values(all))
	at := func(part int) time.Duration { return all[(len(all)-1)*part/100].Round(time.Millisecond) }
	return fmt.Sprintf("p50 %v, p99 %v, at most %v of %d", at(50), at(99), at(100), len(all))
}
