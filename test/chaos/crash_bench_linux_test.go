package chaos_test

import (
	"bufio"
	"bytes"
	"context"
	crand "crypto/rand"
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/casino-service/casino/adapters/httpapi/api"
	"github.com/casino-service/casino/adapters/httpapi/client"
	"github.com/casino-service/casino/domain/crash"
	"github.com/casino-service/casino/test/fakes"
	"github.com/casino-service/casino/test/services"
)

// BenchmarkCrash lets 2,000 players bet on one round of the shared crash at two instances, half of
// whom cash out by hand within seconds, while 10,000 listeners hear of it and other players play
// dice. It reports how far apart the listeners hear of the crash, how long bets and cash-outs take,
// and how much longer bets on dice take beside a whole round than without it. No cash-out received
// in time may be lost, and none received later may be paid.
func BenchmarkCrash(b *testing.B) {
	players, listeners := number(b, "CASINO_BENCH_CRASH_PLAYERS", 2_000), number(b, "CASINO_BENCH_CRASH_LISTENERS", 10_000)
	// An instance has 7/16 of its streams for listeners who aren't signed in, and its streams are
	// at most a quarter of its descriptors: 5,000 listeners need 46,000 of them. Where the machine
	// allows fewer, further instances have the other listeners.
	const streamsOfFiles, ofStreams = 4, 16.0 / 7
	files := raiseFiles(b, uint64(max(2*players+listeners*3/2, listeners*5)))
	most := int(float64(files) / streamsOfFiles / ofStreams)
	hosts := max(2, (listeners+most-1)/most)
	d := deploy(b, services.NewCluster(b).URL(), "none")
	d.environment = append(d.environment, "CASINO_CRASH=solana", "CASINO_CRASH_BETTING=15s", "CASINO_CRASH_CAP=100", "CASINO_CRASH_DELAY=2",
		"CASINO_CRASH_LENGTH=10000", fmt.Sprint("CASINO_EVENT_STREAMS=", files/streamsOfFiles))
	d.transport.MaxConnsPerHost, d.transport.MaxIdleConnsPerHost = 1_000, 1_000
	instances := []*instance{d.start(), d.start()}
	c := &crashCrowd{B: b, instances: instances, heard: map[int64][]time.Time{}}
	c.enroll(players)
	for c.hosts = slices.Clone(instances); len(c.hosts) < hosts; {
		c.hosts = append(c.hosts, d.start())
	}
	fmt.Printf("%d players at %d instances, %d listeners at %d\n", players, len(instances), listeners, hosts)
	dice := invite(b, 16, instances...)
	for b.Loop() {
		const alone = 20 * time.Second
		dice.paced(2 * time.Second) // statements are prepared
		dice.report("alone before", dice.paced(alone), alone)
		c.beside(dice, "beside a round")
		dice.report("alone between", dice.paced(alone), alone)
		stop := c.listen(listeners)
		c.beside(dice, "beside a round with listeners")
		c.apart(listeners)
		stop()
		dice.report("alone after", dice.paced(alone), alone)
	}
	b.ReportMetric(0, "ns/op")
	for _, i := range c.hosts {
		i.stop()
	}
	d.audited()
}

// raiseFiles lets this process and those that it starts have a number of files open, or as many
// as the machine allows, and returns how many.
func raiseFiles(b *testing.B, files uint64) uint64 {
	b.Helper()
	var limit syscall.Rlimit
	noError(b, syscall.Getrlimit(syscall.RLIMIT_NOFILE, &limit))
	raised := syscall.Rlimit{Cur: max(limit.Cur, files), Max: max(limit.Max, files)}
	if err := syscall.Setrlimit(syscall.RLIMIT_NOFILE, &raised); err != nil {
		raised = syscall.Rlimit{Cur: limit.Max, Max: limit.Max}
		noError(b, syscall.Setrlimit(syscall.RLIMIT_NOFILE, &raised))
	}
	return raised.Cur
}

// report prints how many dice bets were made a second, and how long they took.
func (*party) report(what string, took []time.Duration, lasted time.Duration) {
	fmt.Printf("dice %s: %.0f a second over %v, %s\n", what, float64(len(took))/lasted.Seconds(), lasted.Round(time.Second), spread(took))
}

// paced is playing for a time.
func (p *party) paced(lasts time.Duration) []time.Duration {
	ctx, cancel := context.WithTimeout(context.Background(), lasts)
	defer cancel()
	return p.playing(ctx)
}

// diceEach is the pause between two bets of one of 16 clients, who together leave the machine time.
const diceEach = 50 * time.Millisecond

// playing bets on dice through 16 clients at once until the context ends, and returns how long each
// bet took.
func (p *party) playing(ctx context.Context) (took []time.Duration) {
	var all sync.WaitGroup
	var mu sync.Mutex
	for i, g := range p.players {
		session := p.instances[i%len(p.instances)].client("198.51.100.1").WithToken(g.bearer())
		all.Go(func() {
			for next := time.Now(); ctx.Err() == nil; next = next.Add(diceEach) {
				<-time.After(time.Until(next))
				begin := time.Now()
				_, err := session.Play(context.Background(), api.PlayRequest{GameType: "dice", Wager: 1_000, Token: sol, IdempotencyKey: g.name + crand.Text()})
				if err != nil && client.CodeOf(err) != "INSUFFICIENT_USER_FUNDS" {
					p.Errorf("a bet of %s: %v", g.name, err)
					return
				}
				mu.Lock()
				took = append(took, time.Since(begin))
				mu.Unlock()
			}
		})
	}
	all.Wait()
	return took
}

// crashCrowd are many players of one round, and its listeners.
type crashCrowd struct {
	*testing.B
	instances []*instance // where players bet
	hosts     []*instance // what listeners listen to
	players   []*signedIn

	mu       sync.Mutex
	bets     []api.OwnCrashBet
	cashOuts []api.OwnCrashBet
	refused  map[string]int
	betTook  []time.Duration
	outTook  []time.Duration
	tooLate  []time.Time // when cash-outs were refused as too late
	heard    map[int64][]time.Time
	broken   atomic.Int64
}

// beside plays a round on which all players bet, and dice until it is settled. Rounds whose curve
// doesn't rise for three seconds don't count.
func (c *crashCrowd) beside(dice *party, what string) {
	for {
		c.bets, c.cashOuts, c.tooLate, c.refused, c.betTook, c.outTook = nil, nil, nil, nil, nil, nil
		r := c.awaits("betting", 0)
		ctx, cancel := context.WithCancel(c.Context())
		begin, played := time.Now(), make(chan []time.Duration, 1)
		go func() { played <- dice.playing(ctx) }()
		c.all(func(n int, who *signedIn) {
			<-time.After(time.Duration(rand.Int64N(int64(10 * time.Second))))
			c.bet(n, who)
		})
		flew := c.round(r)
		cancel()
		took := <-played
		if !flew {
			continue
		}
		dice.report(what, took, time.Since(begin))
		fmt.Printf("  refused %v\n  bets: %s\n  cash-outs: %s\n", c.refused, spread(c.betTook), spread(c.outTook))
		return
	}
}

// all calls do for each player at once.
func (c *crashCrowd) all(do func(n int, who *signedIn)) {
	var wait sync.WaitGroup
	for n, who := range c.players {
		wait.Go(func() { do(n, who) })
	}
	wait.Wait()
}

// enroll signs players in and gives them money.
func (c *crashCrowd) enroll(players int) {
	_, session, err := c.instances[0].client("192.0.2.1").SignIn(c.Context(), fakes.Key("superadmin"), time.Now())
	noError(c, err)
	admin := c.instances[0].client("192.0.2.1").WithToken(session.Token)
	work := make(chan int)
	var wait sync.WaitGroup
	c.players = make([]*signedIn, players)
	for range 16 {
		wait.Go(func() {
			for n := range work {
				who := &signedIn{name: fmt.Sprint("crowd ", n)}
				c.players[n] = who
				if err := who.signIn(c.Context(), c.instances[n%len(c.instances)].client(c.address(n)), ""); err != nil {
					c.Error(err)
				}
				if _, err := admin.AdjustBalance(c.Context(), string(fakes.Wallet(who.name)), api.AdjustRequest{Token: sol, Amount: 10_000_000, Reason: "money to play with"}); err != nil {
					c.Error(err)
				}
			}
		})
	}
	for n := range players {
		work <- n
	}
	close(work)
	wait.Wait()
}

// address returns the address of a player or a listener.
func (c *crashCrowd) address(n int) string { return fmt.Sprintf("198.51.%d.%d", 100+n/200, 1+n%200) }

// at returns a player's client.
func (c *crashCrowd) at(n int, who *signedIn) *client.Client {
	return c.instances[n%len(c.instances)].client(c.address(n)).WithToken(who.bearer())
}

func (c *crashCrowd) bet(n int, who *signedIn) {
	order := api.PlaceCrashBetRequest{Wager: 10_000, Token: sol, IdempotencyKey: who.name + crand.Text()}
	if n%2 == 0 {
		order.CashOut = api.Number(fmt.Sprintf("1.%02d", 5+n%90))
	}
	begin := time.Now()
	made, err := c.at(n, who).PlaceCrashBet(c.Context(), order)
	c.mu.Lock()
	defer c.mu.Unlock()
	c.betTook = append(c.betTook, time.Since(begin))
	if err != nil {
		c.refuse("bet", err)
		return
	}
	c.bets = append(c.bets, made.Bet)
}

// refuse counts a refusal, or a request without an answer by its cause. The caller holds mu.
func (c *crashCrowd) refuse(what string, err error) {
	if c.refused == nil {
		c.refused = map[string]int{}
	}
	why := client.CodeOf(err)
	if why == "" {
		cause := err
		for next := cause; next != nil; next = errors.Unwrap(next) {
			cause = next
		}
		why = cause.Error()
	}
	c.refused[what+": "+why]++
}

// awaits waits for a state of the newest round, after the one with a number.
func (c *crashCrowd) awaits(status string, number int64) (r api.CrashRound) {
	eventually(c, "a round is "+status, func() bool {
		rounds, err := c.instances[0].client(c.address(rand.IntN(2_000))).CrashRounds(c.Context(), api.CrashRoundsParams{Limit: 1})
		if err != nil || len(rounds) == 0 {
			return false
		}
		r = rounds[0]
		return r.Status == status && (number == 0 && time.Now().UnixMilli()-r.OpenedAt < 2_000 || r.Number == number) || number > 0 && r.Number > number
	})
	return r
}

// round lets half of the players cash out by hand within five seconds, and checks all results. It
// reports whether the curve rose for as long.
func (c *crashCrowd) round(r api.CrashRound) bool {
	const spreadOver = 5 * time.Second
	flying := c.awaits("flying", r.Number)
	if flying.Status == "flying" && flying.Number == r.Number {
		byID := map[string]bool{}
		for _, b := range c.bets {
			byID[b.ID] = true
		}
		begin := time.UnixMilli(flying.StartedAt)
		c.all(func(n int, who *signedIn) {
			if n%2 == 0 {
				return
			}
			own, err := c.at(n, who).CrashBet(c.Context())
			if err != nil || !byID[own.ID] {
				return
			}
			<-time.After(time.Until(begin.Add(200*time.Millisecond + time.Duration(rand.Int64N(int64(spreadOver))))))
			asked := time.Now()
			made, err := c.at(n, who).CashOutCrash(c.Context(), api.CashOutCrashRequest{Bet: own.ID})
			c.mu.Lock()
			defer c.mu.Unlock()
			c.outTook = append(c.outTook, time.Since(asked))
			switch {
			case err == nil:
				c.cashOuts = append(c.cashOuts, made.Bet)
			case client.CodeOf(err) == "INVALID_STATE":
				c.tooLate = append(c.tooLate, time.Now())
				c.refuse("cash-out", err)
			default:
				c.refuse("cash-out", err)
			}
		})
	}
	c.awaits("betting", r.Number+1)
	found, err := c.instances[0].client("192.0.2.7").CrashRound(c.Context(), strconv.FormatInt(r.Number, 10), api.CrashRoundParams{Chain: r.Chain})
	noError(c, err)
	table := &crashTable{party: &party{TB: c.B}}
	table.follows(found)
	ends := found.Round.StartedAt + crash.EndTime(table.hundredths(found.Round.Point), table.hundredths(found.Round.Cap))
	paid := map[string]api.CrashBet{}
	for _, one := range found.Bets {
		paid[one.ID] = one
	}
	if len(found.Bets) != len(c.bets) {
		c.Errorf("%d bets were accepted, the round has %d", len(c.bets), len(found.Bets))
	}
	unpaid, late := 0, 0
	for _, out := range c.cashOuts {
		if out.ReceivedAt >= ends {
			late++
		} else if one := paid[out.ID]; one.Payout == nil || *one.Payout == 0 || one.CashedOut != out.CashedOut {
			unpaid++
		}
	}
	for _, at := range c.tooLate {
		if at.UnixMilli() < ends {
			unpaid++
		}
	}
	if unpaid+late > 0 {
		c.Errorf("%d cash-outs received in time were not paid, %d received later were", unpaid, late)
	}
	fmt.Printf("round %d: %d bets, point %s, %d cash-outs, %d too late; in time and not paid %d, later and paid %d\n",
		r.Number, len(c.bets), found.Round.Point, len(c.cashOuts), len(c.tooLate), unpaid, late)
	return ends-found.Round.StartedAt > 3_000
}

// listen opens streams at all instances, from many addresses, until stop is called.
func (c *crashCrowd) listen(listeners int) (stop func()) {
	var wait sync.WaitGroup
	var open atomic.Int64
	conns := make([]net.Conn, listeners)
	gate := make(chan struct{}, 64)
	for n := range listeners {
		gate <- struct{}{}
		conn, err := net.Dial("tcp", c.hosts[n%len(c.hosts)].api)
		noError(c, err)
		conns[n] = conn
		_, err = fmt.Fprintf(conn, "GET /casino/crash/stream HTTP/1.1\r\nHost: casino\r\nAccept: text/event-stream\r\nX-Forwarded-For: %s\r\n\r\n", fmt.Sprintf("203.%d.%d.7", n%250, n/250%250))
		noError(c, err)
		wait.Go(func() {
			defer func() { _ = conn.Close() }()
			c.hear(conn, func() { open.Add(1); <-gate })
		})
	}
	eventually(c, "all listeners are told of a round", func() bool { return open.Load()+c.broken.Load() >= int64(listeners) })
	fmt.Printf("%d listeners, and %d refused\n", open.Load()-c.broken.Load(), c.broken.Load())
	return func() {
		for _, conn := range conns {
			_ = conn.Close()
		}
		wait.Wait()
	}
}

// hear notes when a stream tells of a crash.
func (c *crashCrowd) hear(conn net.Conn, opened func()) {
	lines, last, begun := bufio.NewReaderSize(conn, 16_384), int64(0), false
	for {
		line, err := lines.ReadSlice('\n')
		if err != nil && !errors.Is(err, bufio.ErrBufferFull) {
			if !begun {
				c.broken.Add(1)
				opened()
			}
			return
		}
		if !begun && bytes.HasPrefix(line, []byte("HTTP/1.1 ")) && !bytes.Contains(line, []byte(" 200 ")) {
			_ = conn.Close()
		}
		if !begun && bytes.HasPrefix(line, []byte("data: ")) {
			begun = true
			opened()
		}
		if !bytes.Contains(line, []byte(`"status":"crashed"`)) {
			continue
		}
		at := time.Now()
		_, number, _ := bytes.Cut(line, []byte(`"number":`))
		digits := number[:max(0, bytes.IndexByte(number, ','))]
		if of, err := strconv.ParseInt(string(digits), 10, 64); err == nil && of != last {
			last = of
			c.mu.Lock()
			c.heard[of] = append(c.heard[of], at)
			c.mu.Unlock()
		}
	}
}

// apart reports how far apart the listeners heard of each crash.
func (c *crashCrowd) apart(listeners int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for round, at := range c.heard {
		if len(at) < (listeners-int(c.broken.Load()))*9/10 {
			continue // it crashed while they connected
		}
		slices.SortFunc(at, time.Time.Compare)
		later := make([]time.Duration, len(at))
		for i := range at {
			later[i] = at[i].Sub(at[0])
		}
		fmt.Printf("round %d: %d listeners heard of the crash after the first one: %s\n", round, len(at), spread(later))
	}
}
