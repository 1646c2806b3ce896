package conformance

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/casino-service/casino/domain/audit"
	"github.com/casino-service/casino/domain/control"
	"github.com/casino-service/casino/domain/crash"
	"github.com/casino-service/casino/domain/event"
	"github.com/casino-service/casino/domain/fairness"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/ports"
	"github.com/casino-service/casino/test/fakes"
)

// crashAdded stands for the action of adding a chain. Stores keep any.
const crashAdded audit.Action = "crash.added"

// opens is the event that opens a round, which no state has.
const opens crash.Event = "open"

// crashLife is a round's life, from its opening to its end.
var crashLife = []crash.Event{
	opens, crash.StopBets, crash.CloseBets, crash.RevealBeacon, crash.StartCurve, crash.EndCurve, crash.SettleBets, crash.FinishRound,
}

// crashLifeUntil is the part of a round's life that ends with an event.
func crashLifeUntil(on crash.Event) []crash.Event { return crashLife[:slices.Index(crashLife, on)+1] }

// crashBench is a store with a chain, and a worker with the lease.
type crashBench struct {
	*bench
	published crash.Commitment
	secrets   crash.Chain
	fence     int64
	last      *crash.Round // that has crashed or was cancelled
}

// newChain returns a chain that isn't stored.
func (b *bench) newChain(length int64) (crash.Commitment, crash.Chain) {
	b.Helper()
	secrets := must(crash.NewChain(fairness.NewServerSeed(b.entropy.Seed()), length, 10))(b)
	return crash.Commitment{Chain: b.id(), Epoch: b.state().Epoch, Terminal: secrets.Terminal, Length: length, Beacon: crash.Rule{
		Source: crash.Solana, Network: "5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d", Delay: 32, Window: 150,
	}}, secrets
}

func (b *bench) addChain(c crash.Commitment, secrets crash.Chain) error {
	return b.AddCrashChain(background, c, secrets, audit.Record{ID: b.id(), Action: crashAdded, By: admin, Target: c.Chain, At: b.now()})
}

// shared adds a chain of some rounds and takes the lease.
func (b *bench) shared(rounds int64) *crashBench {
	b.Helper()
	c := &crashBench{bench: b}
	c.published, c.secrets = b.newChain(rounds)
	b.ok(b.addChain(c.published, c.secrets))
	c.fence = b.leased("worker", 0, time.Hour)
	return c
}

// leased takes or renews the lease and returns its fence.
func (b *bench) leased(worker string, fence int64, term time.Duration) int64 {
	b.Helper()
	lease, has, err := b.LeaseCrash(background, worker, fence, b.now(), term)
	b.fatalIf(err != nil || !has || lease.Worker != worker, "%s has no lease: %+v, %v, %v", worker, lease, has, err)
	return lease.Fence
}

// decided returns the round after an event.
func (c *crashBench) decided(epoch int64, now *crash.Round, number int64, on crash.Event) (crash.Round, error) {
	hash := must(c.secrets.Hash(number))(c.bench)
	if on == opens {
		return crash.NextRound(c.published, epoch, c.last, 100_00, fakes.Start)
	}
	if now == nil {
		return crash.Round{}, errors.New("there is no round")
	}
	rule := c.published.Beacon
	beacon := crash.Beacon{Height: now.Height + 1, Parent: now.Height - 1, Value: "EkSnNWid2cvwEVnVx9aBqawnmiCNiDgp3gUdkDPTKN1N"}
	ends, _ := now.EndsAt(hash)
	switch on {
	case crash.StopBets:
		return now.Stop()
	case crash.CloseBets:
		return now.Close(rule, 1000, nil)
	case crash.RevealBeacon:
		return now.Reveal(rule, beacon)
	case crash.StartCurve:
		return now.Start(c.clock.Now())
	case crash.EndCurve:
		return now.Crash(hash, ends)
	case crash.SettleBets:
		return now.BeginSettlement(ends)
	case crash.FinishRound:
		return now.Finish(0)
	case crash.CancelRound:
		beacon.Height += rule.Window
		return now.Cancel(rule, beacon, hash)
	default:
		return now.Recover(hash)
	}
}

// change changes a round as an event does.
func (c *crashBench) change(number int64, on crash.Event) error {
	at := c.now()
	return c.ChangeCrashRound(background, c.fence, c.published.Chain, number, func(epoch int64, now *crash.Round) (ports.CrashChange, error) {
		next, err := c.decided(epoch, now, number, on)
		return ports.CrashChange{Round: next, At: at}, err
	})
}

// plays takes a round through events and returns it.
func (c *crashBench) plays(number int64, life ...crash.Event) crash.Round {
	c.Helper()
	for _, on := range life {
		c.ok(c.change(number, on))
	}
	r := must(c.CrashRound(background, c.published.Chain, number))(c.bench)
	if r.Hash != "" {
		c.last = &r
	}
	return r
}

// puts tries to store a round whatever it was.
func (c *crashBench) puts(number int64, r crash.Round) error {
	at := c.now()
	return c.ChangeCrashRound(background, c.fence, c.published.Chain, number, func(int64, *crash.Round) (ports.CrashChange, error) {
		return ports.CrashChange{Round: r, At: at}, nil
	})
}

// crashes returns all rounds and chains as text.
func (b *bench) crashes() string {
	b.Helper()
	var all strings.Builder
	for _, c := range must(b.CrashChains(background))(b) {
		fmt.Fprintf(&all, "%+v %+v\n", c, must(b.CrashRounds(background, c.Chain, 0, 1000))(b))
	}
	return all.String()
}

// CrashChains is the suite of ports.CrashChains.
func CrashChains(t *testing.T, newStore func(t *testing.T) Store, shows ...Fault) {
	run(t, newStore, shows, crashChainsCases)
}

var crashChainsCases = []story{
	{"a chain is stored with its record and its event, the newest first, and no secret is readable", Rows, func(b *bench) {
		b.same("at first", must(b.CrashChains(background))(b), []crash.Commitment{})
		first, firstSecrets := b.newChain(25)
		second, secondSecrets := b.newChain(10)
		b.ok(b.addChain(first, firstSecrets))
		b.ok(b.addChain(second, secondSecrets))
		b.reopen()
		b.same("chains", must(b.CrashChains(background))(b), []crash.Commitment{second, first})
		for _, c := range []struct {
			crash.Commitment
			secrets crash.Chain
		}{{first, firstSecrets}, {second, secondSecrets}} {
			for round := int64(1); round <= c.Length; round++ {
				hash := must(b.CrashHash(background, c.Chain, round))(b)
				b.errorIf(hash.Reveal() != must(c.secrets.Hash(round))(b).Reveal(), "round %d of %s has another hash", round, c.Chain)
				b.errorIf(b.AtRest != nil && bytes.Contains(b.AtRest(b.T), []byte(hash.Reveal())), "the hash of round %d is readable", round)
			}
			b.same("event", b.things()[event.CrashChain][c.Chain].Value("commitment"), must(c.Text())(b))
		}
		b.same("records", len(b.recordsOf(crashAdded)), 2)
		b.same("visited", b.soundThings()[event.CrashChain], 2)
	}},
	{"a hash that isn't there is not found", Logic, func(b *bench) {
		c := b.shared(25)
		for _, round := range []int64{-1, 0, 26} {
			b.fails(fault.NotFound, errorOf(b.CrashHash(background, c.published.Chain, round)), round)
		}
		b.fails(fault.NotFound, errorOf(b.CrashHash(background, "another", 1)))
	}},
	{"a chain that is known, of another epoch, without its secrets or impossible is refused", Logic, func(b *bench) {
		c := b.shared(25)
		other, secrets := b.newChain(25)
		before := b.snapshot()
		refused := func(what string, kind fault.Kind, breach func(c *crash.Commitment, secrets *crash.Chain)) {
			one, its := other, secrets
			its.WayPoints = slices.Clone(secrets.WayPoints)
			breach(&one, &its)
			b.fails(kind, b.addChain(one, its), what)
		}
		refused("a known id", fault.InvalidState, func(o *crash.Commitment, _ *crash.Chain) { o.Chain = c.published.Chain })
		refused("a known chain", fault.InvalidState, func(o *crash.Commitment, s *crash.Chain) { o.Terminal, *s = c.published.Terminal, c.secrets })
		refused("another epoch", fault.InvalidState, func(o *crash.Commitment, _ *crash.Chain) { o.Epoch++ })
		refused("another's secrets", fault.Invalid, func(_ *crash.Commitment, s *crash.Chain) { *s = c.secrets })
		refused("another length", fault.Invalid, func(o *crash.Commitment, _ *crash.Chain) { o.Length++ })
		refused("a way point less", fault.Invalid, func(_ *crash.Commitment, s *crash.Chain) { s.WayPoints = s.WayPoints[:2] })
		refused("no way points", fault.Invalid, func(_ *crash.Commitment, s *crash.Chain) { s.Every = 0 })
		refused("an impossible rule", fault.Invalid, func(o *crash.Commitment, _ *crash.Chain) { o.Beacon.Delay = 0 })
		used := b.recordsOf(crashAdded)[0]
		b.errorIf(b.AddCrashChain(background, other, secrets, used) == nil, "a record was stored twice")
		b.same("everything", b.snapshot(), before)
		b.controls(b.went())
		b.fails(fault.Maintenance, b.addChain(other, secrets))
	}},
	{"of equal chains added at once one is stored", Races, func(b *bench) {
		one, secrets := b.newChain(25)
		var added atomic.Int64
		atOnce(8, func(int) {
			if err := b.addChain(one, secrets); err == nil {
				added.Add(1)
			} else {
				b.fails(fault.InvalidState, err)
			}
		})
		b.same("added", added.Load(), int64(1))
		b.same("chains", len(must(b.CrashChains(background))(b)), 1)
		b.sound()
	}},
}

// CrashRounds is the suite of ports.CrashRounds.
func CrashRounds(t *testing.T, newStore func(t *testing.T) Store, shows ...Fault) {
	run(t, newStore, shows, crashRoundsCases)
}

var crashRoundsCases = []story{
	{"each state of a round is stored as it was decided, with its event", Rows, func(b *bench) {
		c := b.shared(25)
		b.fails(fault.NotFound, errorOf(b.CrashRound(background, c.published.Chain, 1)))
		want, blocks := (*crash.Round)(nil), len(b.chained())
		for _, on := range crashLife {
			next := must(c.decided(1, want, 1, on))(b)
			b.ok(c.puts(1, next))
			b.same(string(on), must(b.CrashRound(background, c.published.Chain, 1))(b), next)
			b.same("the gate after "+string(on), b.state().Crash, next.Gate())
			want = &next
		}
		b.reopen()
		c.bench = b
		b.same("in the end", must(b.CrashRound(background, c.published.Chain, 1))(b), *want)
		b.same("blocks", len(b.chained()), blocks+len(crashLife))
		made := b.things()[event.CrashRound][c.published.Chain+"/1"]
		b.errorIf(made.Digest() != want.Covered().Digest(), "%+v", made)
		b.sound()
	}},
	{"a round's record is in the commit of its change", Rows, func(b *bench) {
		c := b.shared(25)
		blocks := len(b.chained())
		decide := func(id string) ports.CrashDecision {
			return func(epoch int64, now *crash.Round) (ports.CrashChange, error) {
				next, err := c.decided(epoch, now, 1, opens)
				return ports.CrashChange{Round: next, At: b.clock.Now(), Record: &audit.Record{ID: id, Action: "crash.opened", At: b.clock.Now()}}, err
			}
		}
		used := b.recordsOf(crashAdded)[0].ID
		b.errorIf(b.ChangeCrashRound(background, c.fence, c.published.Chain, 1, decide(used)) == nil, "a record was stored twice")
		b.fails(fault.NotFound, errorOf(b.CrashRound(background, c.published.Chain, 1)))
		b.ok(b.ChangeCrashRound(background, c.fence, c.published.Chain, 1, decide(b.id())))
		b.same("records", len(b.recordsOf("crash.opened")), 1)
		b.same("blocks", len(b.chained()), blocks+1)
		b.sound()
	}},
	{"rounds are listed by their numbers, open ones in the order in which they were opened", Rows, func(b *bench) {
		first := b.shared(12)
		for n := range int64(12) {
			first.plays(n+1, crashLife...)
		}
		first.plays(12) // the last one is settled
		second := b.shared2(first, 25)
		second.plays(1, crashLifeUntil(crash.SettleBets)...)
		second.plays(2, opens, crash.StopBets, crash.CloseBets, crash.CancelRound, crash.SettleBets)
		second.plays(3, crashLifeUntil(crash.EndCurve)...)
		second.plays(4, opens)
		b.reopen()
		numbers := func(rounds []crash.Round, err error) []string {
			b.ok(err)
			return mapped(rounds, func(r crash.Round) string { return fmt.Sprint(r.Number) })
		}
		b.same("the newest", numbers(b.CrashRounds(background, first.published.Chain, 0, 3)), []string{"12", "11", "10"})
		b.same("before", numbers(b.CrashRounds(background, first.published.Chain, 10, 3)), []string{"9", "8", "7"})
		b.same("the first ones", numbers(b.CrashRounds(background, first.published.Chain, 3, 9)), []string{"2", "1"})
		b.same("none", numbers(b.CrashRounds(background, first.published.Chain, 1, 9)), []string{})
		b.same("no limit", numbers(b.CrashRounds(background, first.published.Chain, 0, 0)), []string{})
		b.same("another chain", numbers(b.CrashRounds(background, second.published.Chain, 0, 9)), []string{"4", "3", "2", "1"})
		b.same("an unknown chain", numbers(b.CrashRounds(background, "another", 0, 9)), []string{})
		open := must(b.OpenCrashRounds(background))(b)
		b.same("open", numbers(open, nil), []string{"1", "3", "4"})
		b.errorIf(slices.ContainsFunc(open, func(r crash.Round) bool { return r.Chain != second.published.Chain }), "%+v", open)
	}},
	{"open rounds of an older chain come first", Rows, func(b *bench) {
		first := b.shared(25)
		first.plays(1, crashLifeUntil(crash.EndCurve)...)
		second := b.shared2(first, 25)
		second.plays(1, opens)
		b.same("open", mapped(must(b.OpenCrashRounds(background))(b), func(r crash.Round) string { return r.Chain }),
			[]string{first.published.Chain, second.published.Chain})
	}},
	{"a refusal is returned as it is, and a round that is as before is not stored again", Logic, func(b *bench) {
		c := b.shared(25)
		r := c.plays(1, opens)
		before := b.snapshot()
		refusal := errors.New("no")
		err := b.ChangeCrashRound(background, c.fence, r.Chain, 1, func(_ int64, now *crash.Round) (ports.CrashChange, error) {
			b.same("what a decision sees", *now, r)
			now.Cap = 7
			return ports.CrashChange{}, refusal
		})
		b.errorIf(!errors.Is(err, refusal), "%v", err)
		b.ok(c.puts(1, r))
		b.same("everything", b.snapshot(), before)
	}},
	{"the gate follows the newest round alone", Logic, func(b *bench) {
		c := b.shared(25)
		c.plays(1, crashLifeUntil(crash.EndCurve)...)
		second := c.plays(2, opens).Gate()
		b.same("a second round", second, control.CrashGate{Chain: c.published.Chain, Number: 2, Betting: true})
		c.plays(1, crash.SettleBets, crash.FinishRound)
		b.same("after the first one's end", b.state().Crash, second)
		b.controls(b.pausing(crash.GameType))
		b.same("after a pause", b.state().Crash, second)
		c.plays(2, crash.StopBets)
		b.same("after its stop", b.state().Crash, control.CrashGate{Chain: c.published.Chain, Number: 2})
		b.same("pauses", len(b.state().Pauses), 1)
		b.reopen()
		b.same("later", b.state().Crash, control.CrashGate{Chain: c.published.Chain, Number: 2})
	}},
	{"a round is not closed before its bets are stopped", Logic, func(b *bench) {
		c := b.shared(25)
		r := c.plays(1, opens)
		b.fails(fault.InvalidState, c.change(1, crash.CloseBets))
		before := b.snapshot()
		closed := must(must(r.Stop())(b).Close(c.published.Beacon, 1000, nil))(b)
		b.errorIf(c.puts(1, closed) == nil, "a round that took bets was closed")
		b.same("everything", b.snapshot(), before)
	}},
	{"a round that goes back or changes what was known is refused", Logic, func(b *bench) {
		c := b.shared(25)
		c.plays(1, crashLifeUntil(crash.SettleBets)...) // everything is known
		r := c.plays(1)
		before := b.snapshot()
		for what, breach := range map[string]func(r *crash.Round){
			"the cap": func(r *crash.Round) { r.Cap++ }, "the hash before": func(r *crash.Round) { r.Previous = r.Hash }, "what is above": func(r *crash.Round) { r.Above++ },
			"the opening": func(r *crash.Round) { r.OpenedAt = r.OpenedAt.Add(time.Millisecond) }, "the stop": func(r *crash.Round) { r.Stopped = false },
			"the closing": func(r *crash.Round) { r.Closing += "x" }, "the height": func(r *crash.Round) { r.Height++ },
			"the salt": func(r *crash.Round) { r.Salt += "x" }, "the beacon": func(r *crash.Round) { r.BeaconHeight++ },
			"the start": func(r *crash.Round) { r.StartedAt = r.StartedAt.Add(time.Millisecond) },
			"the hash":  func(r *crash.Round) { r.Hash = r.Previous }, "the point": func(r *crash.Round) { r.Point++ },
			"the settlement": func(r *crash.Round) { r.Paying = false }, "the number": func(r *crash.Round) { r.Number++ },
			"a state before": func(r *crash.Round) { r.Status = crash.Flying }, "a state of no round": func(r *crash.Round) { r.Status = "another" },
			"a state that doesn't follow": func(r *crash.Round) { r.Status, r.Point = crash.Cancelled, 0 },
		} {
			changed := r
			breach(&changed)
			b.errorIf(c.puts(1, changed) == nil, "%s", what)
		}
		b.same("everything", b.snapshot(), before)
	}},
	{"a new round that doesn't follow the one before it is refused", Logic, func(b *bench) {
		c := b.shared(25)
		next := func(number int64, previous string) crash.Round {
			return crash.Round{Chain: c.published.Chain, Number: number, Status: crash.Betting, Cap: 100_00, Previous: previous, OpenedAt: fakes.Start}
		}
		hash := func(number int64) string { return must(c.secrets.Hash(number))(b).Reveal() }
		stranger, closed := next(1, c.published.Terminal), next(1, c.published.Terminal)
		stranger.Chain, closed.Status = "another", crash.Closed
		refused := func(what string, number int64, r crash.Round) {
			before := b.snapshot()
			b.errorIf(c.puts(number, r) == nil, "%s was stored", what)
			b.same(what, b.snapshot(), before)
		}
		refused("a second one first", 2, next(2, hash(1)))
		refused("another hash", 1, next(1, hash(1)))
		refused("one under another number", 1, next(2, c.published.Terminal))
		refused("one of another chain", 1, stranger)
		refused("one that isn't new", 1, closed)
		refused("number 0", 0, next(0, c.published.Terminal))
		b.errorIf(b.ChangeCrashRound(background, c.fence, "another", 1, func(int64, *crash.Round) (ports.CrashChange, error) {
			return ports.CrashChange{Round: stranger, At: b.now()}, nil
		}) == nil, "a round of an unknown chain was stored")
		other := b.shared2(c, 25)
		for _, on := range crashLifeUntil(crash.StartCurve) {
			c.plays(1, on)
			b.errorIf(other.change(1, opens) == nil, "a round of another chain began beside %s", on)
			refused("one beside "+string(on), 2, next(2, hash(1)))
		}
		c.plays(1, crash.EndCurve)
		refused("one after another hash", 2, next(2, hash(2)))
		b.ok(c.change(2, opens))
		b.sound()
	}},
	{"a chain of an earlier epoch has no new round", Logic, func(b *bench) {
		c := b.shared(25)
		b.beginEpoch(b.now())
		b.errorIf(c.puts(1, crash.Round{Chain: c.published.Chain, Number: 1, Status: crash.Betting, Cap: 100_00, Previous: c.published.Terminal, OpenedAt: fakes.Start}) == nil,
			"a round was stored")
		err := b.ChangeCrashRound(background, c.fence, c.published.Chain, 1, func(epoch int64, now *crash.Round) (ports.CrashChange, error) {
			b.same("the epoch", epoch, int64(2))
			next, err := c.decided(epoch, now, 1, opens)
			return ports.CrashChange{Round: next, At: b.now()}, err
		})
		b.fails(fault.InvalidState, err)
		b.same("rounds", must(b.OpenCrashRounds(background))(b), []crash.Round{})
	}},
	{"a restored database's open rounds are recovered, and else nothing changes until it is opened", Logic, func(b *bench) {
		for i := range crashLife[1:] {
			c := b.shared(25)
			c.plays(1, crashLife[:i+1]...)
			b.controls(b.went())
			b.fails(fault.Maintenance, c.change(1, crashLife[i+1]), crashLife[i])
			open := must(b.OpenCrashRounds(background))(b)
			b.same("open", len(open), 1)
			b.ok(c.change(1, crash.RecoverRound))
			r := must(b.CrashRound(background, c.published.Chain, 1))(b)
			b.same("the gate", b.state().Crash, r.Gate())
			b.errorIf(r.Status == crash.Betting || !r.Recovered && !r.Paying && r.Status != crash.Cancelled, "%s became %+v", open[0].Status, r)
			if r.Status != crash.Cancelled {
				b.fails(fault.Maintenance, c.change(1, crashLife[i+1]), "recovered ", crashLife[i])
			}
			b.controls(func(now control.State) control.State {
				now.Restored = nil
				return now
			})
			if r.Status != crash.Cancelled {
				c.plays(1, crashLife[i+1:]...)
			}
			b.same("open afterwards", must(b.OpenCrashRounds(background))(b), []crash.Round{})
			b.leased("worker", c.fence, 0)
		}
		b.sound()
	}},
	{"changes at once come one after the other", Races, func(b *bench) {
		c := b.shared(25)
		var opened, refused atomic.Int64
		atOnce(8, func(int) {
			at := b.now()
			err := b.ChangeCrashRound(background, c.fence, c.published.Chain, 1, func(_ int64, now *crash.Round) (ports.CrashChange, error) {
				if now != nil {
					return ports.CrashChange{}, fault.New(fault.InvalidState, "there already")
				}
				next, err := crash.NextRound(c.published, 1, nil, 100_00, fakes.Start)
				return ports.CrashChange{Round: next, At: at}, err
			})
			if err == nil {
				opened.Add(1)
			} else if fault.Is(err, fault.InvalidState) {
				refused.Add(1)
			} else {
				b.Error(err)
			}
		})
		b.same("opened, refused", []int64{opened.Load(), refused.Load()}, []int64{1, 7})
		b.sound()
	}},
}

// shared2 adds another chain for the worker of the first one.
func (b *bench) shared2(first *crashBench, rounds int64) *crashBench {
	b.Helper()
	c := &crashBench{bench: b, fence: first.fence}
	c.published, c.secrets = b.newChain(rounds)
	b.ok(b.addChain(c.published, c.secrets))
	return c
}
