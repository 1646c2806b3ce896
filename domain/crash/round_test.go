package crash_test

import (
	"flag"
	"fmt"
	"math"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/casino-service/casino/domain/bet"
	"github.com/casino-service/casino/domain/control"
	"github.com/casino-service/casino/domain/crash"
	"github.com/casino-service/casino/domain/fairness"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/token"
	"github.com/casino-service/casino/domain/wallet"
)

//go:generate go test -run ^TestStatesAreDrawnFromTheTable$ -update .

var update = flag.Bool("update", false, "write states.md anew")

// wants repeats the state machine: rows are states, columns events.
const wants = `
           bet      stop     close   beacon  start   cash-out  crash    settle     finish   cancel     recover
betting    betting  betting  closed  -       -       -         -        -          -        -          cancelled
closed     -        -        -       closed  flying  -         -        -          -        cancelled  closed
flying     -        -        -       -       -       flying    crashed  -          -        -          flying
crashed    -        -        -       -       -       crashed   -        crashed    settled  -          crashed
settled    -        -        -       -       -       -         -        -          -        -          -
cancelled  -        -        -       -       -       -         -        cancelled  -        -          -
`

// eachTransition calls visit with every pair of a state and an event, and the wanted next
// state, "-" if the event is refused.
func eachTransition(t *testing.T, visit func(from crash.Status, on crash.Event, to string)) {
	t.Helper()
	lines := strings.Split(strings.TrimSpace(wants), "\n")
	events := strings.Fields(lines[0])
	if len(events) != len(crash.Events()) || len(lines)-1 != len(crash.Statuses()) {
		t.Fatalf("the table here has %d events and %d states", len(events), len(lines)-1)
	}
	for i, line := range lines[1:] {
		fields := strings.Fields(line)
		if crash.Status(fields[0]) != crash.Statuses()[i] {
			t.Fatalf("row %d is of %s, not %s", i, fields[0], crash.Statuses()[i])
		}
		for j, event := range events {
			if crash.Event(event) != crash.Events()[j] {
				t.Fatalf("column %d is of %s, not %s", j, event, crash.Events()[j])
			}
			visit(crash.Status(fields[0]), crash.Event(event), fields[j+1])
		}
	}
}

func TestTheMachineIsThisAndNothingElse(t *testing.T) {
	t.Parallel()
	eachTransition(t, func(from crash.Status, on crash.Event, to string) {
		next, ok := from.Next(on)
		if ok != (to != "-") || ok && string(next) != to {
			t.Errorf("%s on %s is %q, %v; want %s", from, on, next, ok, to)
		}
	})
}

// start is the moment at which the rounds of tests start.
var start = time.Date(2026, 11, 29, 12, 0, 0, 0, time.UTC)

// opened is when their betting begins.
var opened = start.Add(-10 * time.Second)

// life has a chain, and its first round in each state.
type life struct {
	commitment crash.Commitment
	hash       fairness.ServerSeed
	bets       []crash.Bet
	beacon     crash.Beacon
	absent     crash.Beacon
	end        time.Time
	in         map[crash.Status]crash.Round
}

const solUnit = 1_000_000_000

func playerBet(id string, auto uint64) crash.Bet {
	return crash.Bet{ID: id, Wallet: wallet.Address("wallet of " + id), Token: money.SOL, Wager: solUnit, Auto: auto}
}

// newLife plays the first round of a chain with a cap of 100.00.
func newLife(t testing.TB) life {
	t.Helper()
	chain, err := crash.NewChain(seedOf("life"), 8, 4)
	l := life{commitment: commitmentOf(must(t, chain, err)), in: map[crash.Status]crash.Round{}}
	l.hash, err = chain.Hash(1)
	must(t, l.hash, err)
	l.bets = []crash.Bet{playerBet("b1", 150), playerBet("b2", 10_000)}
	l.beacon = crash.Beacon{Height: 1035, Parent: 1031, Value: blockhash}
	l.absent = crash.Beacon{Height: 1182, Parent: 1031, Value: blockhash}
	advance := func(r crash.Round, err error) crash.Round {
		l.in[must(t, r, err).Status] = r
		return r
	}
	r := advance(crash.NextRound(l.commitment, 1, nil, 10_000, opened))
	r, err = r.Stop()
	r = advance(must(t, r, err).Close(l.commitment.Beacon, 1000, l.bets))
	advance(r.Cancel(l.commitment.Beacon, l.absent, l.hash))
	r = advance(r.Reveal(l.commitment.Beacon, l.beacon))
	r = advance(r.Start(start))
	l.end, err = r.EndsAt(l.hash)
	r = advance(r.Crash(l.hash, must(t, l.end, err)))
	r = advance(r.BeginSettlement(l.end))
	advance(r.Finish(0))
	return l
}

// terms are those of SOL in tests.
func terms() token.Terms {
	return token.Terms{Mint: money.SOL, MinWager: 10_000, MaxWager: 100 * solUnit, MaxPayout: 1000 * solUnit, BankrollShare: money.Ratio{Num: 1, Den: 10}}
}

// funds decide on bets.
type funds struct {
	bet.Placed
	Exposed bet.Exposed
	Balance money.Amount
}

// ample are funds that cover every bet of tests.
func ample() funds {
	return funds{Placed: bet.Placed{Terms: terms(), Bankroll: money.TotalOf(100_000 * solUnit)}, Balance: 1000 * solUnit}
}

// admit asks a round whether it takes a bet.
func (f funds) admit(r crash.Round, b crash.Bet) error {
	return r.Admit(b, f.Placed, f.Exposed, f.Balance)
}

// apply gives a round an event whose conditions are met, if its state allows it.
func (l life) apply(r crash.Round, on crash.Event) (crash.Round, error) {
	rule := l.commitment.Beacon
	unlit := r
	unlit.Salt, unlit.BeaconHeight = "", 0
	untaken := r
	untaken.Paying = false
	stopped := r
	stopped.Stopped = true
	switch on {
	case crash.PlaceBet:
		return r, ample().admit(r, l.bets[0])
	case crash.StopBets:
		return r.Stop()
	case crash.CloseBets:
		return stopped.Close(rule, 2000, l.bets)
	case crash.RevealBeacon:
		return unlit.Reveal(rule, crash.Beacon{Height: r.Height + 3, Parent: r.Height - 1, Value: blockhash})
	case crash.StartCurve:
		return r.Start(start)
	case crash.CashOutBet:
		_, err := untaken.CashOut(l.bets[1], start.Add(200*time.Millisecond), l.hash)
		return r, err
	case crash.EndCurve:
		return r.Crash(l.hash, l.end)
	case crash.SettleBets:
		return r.BeginSettlement(l.end)
	case crash.FinishRound:
		return r.Finish(0)
	case crash.CancelRound:
		return unlit.Cancel(rule, crash.Beacon{Height: r.Height + 150, Parent: r.Height - 1, Value: blockhash}, l.hash)
	default:
		return r.Recover(l.hash)
	}
}

// Every event on a round in every state, through the method that a driver calls.
func TestEveryEventInEveryStateIsDecided(t *testing.T) {
	t.Parallel()
	l := newLife(t)
	eachTransition(t, func(from crash.Status, on crash.Event, to string) {
		r, in := l.in[from]
		if !in || r.Status != from {
			t.Fatalf("there is no round that is %s", from)
		}
		after, err := l.apply(r, on)
		switch {
		case to == "-" && (!fault.Is(err, fault.InvalidState) || !strings.Contains(err.Error(), string(from))):
			t.Errorf("%s on %s: %v", from, on, err)
		case to != "-" && (err != nil || string(after.Status) != to):
			t.Errorf("%s on %s: %s, %v; want %s", from, on, after.Status, err, to)
		}
	})
}

// guards are the conditions besides the state, each refused alone.
func TestEveryGuardRefuses(t *testing.T) {
	t.Parallel()
	l := newLife(t)
	rule, other := l.commitment.Beacon, seedOf("of another chain")
	closed, flying, crashed := l.in[crash.Closed], l.in[crash.Flying], l.in[crash.Crashed]
	unlit, unpaid := closed, crashed
	unlit.Salt, unlit.BeaconHeight = "", 0
	unpaid.Paying = false
	betting := l.in[crash.Betting]
	stopped := betting
	stopped.Stopped = true
	recovered := flying
	recovered.Recovered = true
	short := l.commitment
	short.Length = 1
	foreign := crashed
	foreign.Chain = "another"
	errOf := func(_ crash.Round, err error) error { return err }
	cashOut := func(r crash.Round, after time.Duration) error {
		_, err := r.CashOut(l.bets[1], start.Add(after), l.hash)
		return err
	}
	for name, row := range map[string]struct {
		err  error
		kind fault.Kind
	}{
		"a bet after the stop":              {ample().admit(stopped, l.bets[0]), fault.InvalidState},
		"closed before the stop":            {errOf(betting.Close(rule, 1000, l.bets)), fault.InvalidState},
		"a second beacon":                   {errOf(closed.Reveal(rule, l.beacon)), fault.InvalidState},
		"an early beacon":                   {errOf(unlit.Reveal(rule, crash.Beacon{Height: 1031, Parent: 1030, Value: blockhash})), fault.Invalid},
		"a beacon that is not the first":    {errOf(unlit.Reveal(rule, crash.Beacon{Height: 1036, Parent: 1035, Value: blockhash})), fault.Invalid},
		"a beacon beyond the window":        {errOf(unlit.Reveal(rule, l.absent)), fault.Invalid},
		"a start without a beacon":          {errOf(unlit.Start(start)), fault.InvalidState},
		"cancelled with a beacon":           {errOf(closed.Cancel(rule, l.absent, l.hash)), fault.InvalidState},
		"cancelled while the beacon exists": {errOf(unlit.Cancel(rule, l.beacon, l.hash)), fault.Invalid},
		"cancelled by a later slot":         {errOf(unlit.Cancel(rule, crash.Beacon{Height: 1182, Parent: 1181, Value: blockhash}, l.hash)), fault.Invalid},
		"cancelled with another hash":       {errOf(unlit.Cancel(rule, l.absent, other)), fault.Internal},
		"a crash 1 ms before its time":      {errOf(flying.Crash(l.hash, l.end.Add(-time.Millisecond))), fault.InvalidState},
		"a crash 1 ns before its time":      {errOf(flying.Crash(l.hash, l.end.Add(-1))), fault.InvalidState},
		"a crash with another hash":         {errOf(flying.Crash(other, l.end)), fault.Internal},
		"settled before cash-outs are in":   {errOf(unpaid.BeginSettlement(l.end.Add(-1))), fault.InvalidState},
		"finished before the settlement":    {errOf(unpaid.Finish(0)), fault.InvalidState},
		"finished with a bet left":          {errOf(crashed.Finish(1)), fault.InvalidState},
		"a cash-out before the start":       {cashOut(flying, -time.Microsecond), fault.InvalidState},
		"a cash-out at 1.00":                {cashOut(flying, 165*time.Millisecond), fault.InvalidState},
		"a cash-out of a recovered round":   {cashOut(recovered, 200*time.Millisecond), fault.InvalidState},
		"a cash-out after the settlement":   {cashOut(crashed, 200*time.Millisecond), fault.InvalidState},
		"recovered with another hash":       {errOf(l.in[crash.Betting].Recover(other)), fault.Internal},
		"a chain of another epoch":          {errOf(crash.NextRound(l.commitment, 2, nil, 10_000, opened)), fault.InvalidState},
		"a chain without a hash left":       {errOf(crash.NextRound(short, 1, &crashed, 10_000, opened)), fault.InvalidState},
		"a round after another chain's":     {errOf(crash.NextRound(l.commitment, 1, &foreign, 10_000, opened)), fault.InvalidState},
		"a round after one that flies":      {errOf(crash.NextRound(l.commitment, 1, &flying, 10_000, opened)), fault.InvalidState},
		"a cap below 2.00":                  {errOf(crash.NextRound(l.commitment, 1, nil, crash.CapMin-1, opened)), fault.Invalid},
		"a cap above the table's":           {errOf(crash.NextRound(l.commitment, 1, nil, crash.CapMax+1, opened)), fault.Invalid},
		"an impossible chain":               {errOf(crash.NextRound(crash.Commitment{}, 1, nil, 10_000, opened)), fault.Invalid},
		"closed at an impossible height":    {errOf(stopped.Close(rule, math.MaxUint64, l.bets)), fault.Invalid},
	} {
		if row.err == nil || fault.KindOf(row.err) != row.kind {
			t.Errorf("%s: %v", name, row.err)
		}
	}
}

func TestTheClosingCommitStatesEverything(t *testing.T) {
	t.Parallel()
	l := newLife(t)
	root := crash.Root("chain-1", 1, l.bets)
	want := fmt.Sprintf("casino crash round 1\nchain: chain-1\nround: 1\ncap: 10000\nseen: 1000\nheight: 1032\nbets: 2\nroot: %x\n", root)
	if got := l.in[crash.Closed]; got.Closing != want || got.Height != 1032 {
		t.Errorf("%s\nwant\n%s", got.Closing, want)
	}
	if crash.Root("chain-1", 1, []crash.Bet{l.bets[1], l.bets[0]}) != root {
		t.Error("the order of the bets changes the root")
	}
	changed := map[string][]crash.Bet{"without one": l.bets[:1], "none": nil}
	for name, change := range map[string]func(*crash.Bet){
		"id": func(b *crash.Bet) { b.ID = "b0" }, "wager": func(b *crash.Bet) { b.Wager++ }, "auto": func(b *crash.Bet) { b.Auto++ }, "token": func(b *crash.Bet) { b.Token = "x" },
	} {
		bets := []crash.Bet{l.bets[0], l.bets[1]}
		change(&bets[0])
		changed[name] = bets
	}
	for name, bets := range changed {
		if crash.Root("chain-1", 1, bets) == root {
			t.Errorf("%s: the same root", name)
		}
	}
	if crash.Root("chain-2", 1, l.bets) == root || crash.Root("chain-1", 2, l.bets) == root {
		t.Error("another round has the same root")
	}
}

// TestTheGateFollowsTheRound through its life, and the ends that a restore makes.
func TestTheGateFollowsTheRound(t *testing.T) {
	t.Parallel()
	l := newLife(t)
	const bets, outs, pays = "bets", "cash-outs", "pays"
	stopped, err := l.in[crash.Betting].Stop()
	again, err2 := must(t, stopped, err).Stop()
	if must(t, again, err2) != stopped || !stopped.Stopped || stopped.Status != crash.Betting {
		t.Errorf("stopped: %+v, again: %+v", stopped, again)
	}
	unpaid := l.in[crash.Crashed]
	unpaid.Paying = false
	recover := func(r crash.Round) crash.Round {
		r, err := r.Recover(l.hash)
		return must(t, r, err)
	}
	for name, row := range map[string]struct {
		round crash.Round
		takes string
	}{
		"betting": {l.in[crash.Betting], bets}, "stopped": {stopped, outs}, "closed": {l.in[crash.Closed], outs}, "flying": {l.in[crash.Flying], outs},
		"crashed": {unpaid, outs}, "paying": {l.in[crash.Crashed], pays}, "settled": {l.in[crash.Settled], pays}, "cancelled": {l.in[crash.Cancelled], pays},
		"betting, recovered": {recover(l.in[crash.Betting]), pays}, "stopped, recovered": {recover(stopped), pays},
		"closed, recovered": {recover(l.in[crash.Closed]), pays}, "flying, recovered": {recover(l.in[crash.Flying]), pays},
		"crashed, recovered": {recover(unpaid), pays},
	} {
		want := control.CrashGate{Chain: "chain-1", Number: 1, Betting: row.takes == bets, Paying: row.takes == pays}
		if got := row.round.Gate(); got != want {
			t.Errorf("%s: %+v", name, got)
		}
	}
}

// The next round uses the next hash, and a beacon above the last one.
func TestRoundsFollowOneAnother(t *testing.T) {
	t.Parallel()
	l := newLife(t)
	chain, err := crash.NewChain(seedOf("life"), 8, 4)
	must(t, chain, err)
	for _, status := range []crash.Status{crash.Crashed, crash.Settled, crash.Cancelled} {
		last := l.in[status]
		next, err := crash.NextRound(l.commitment, 1, &last, 500, opened)
		if must(t, next, err).Number != 2 || next.Previous != l.hash.Reveal() || next.Cap != 500 || next.Status != crash.Betting || next.OpenedAt != opened {
			t.Fatalf("after %s: %+v", status, next)
		}
		next, err = next.Stop()
		next, err = must(t, next, err).Close(l.commitment.Beacon, 900, nil) // seen is older than the last beacon
		if want := last.BeaconHeight + 32; must(t, next, err).Height != want {
			t.Errorf("after %s: height %d, want %d", status, next.Height, want)
		}
		hash, err := chain.Hash(2)
		if err != nil {
			t.Fatal(err)
		}
		next, err = next.Reveal(l.commitment.Beacon, crash.Beacon{Height: next.Height, Parent: next.Height - 1, Value: blockhash})
		next, err = must(t, next, err).Start(start.Add(1500 * time.Microsecond))
		if !must(t, next, err).StartedAt.Equal(start.Add(time.Millisecond)) {
			t.Errorf("started at %s, no whole millisecond", next.StartedAt)
		}
		next, err = next.Crash(hash, start.Add(time.Hour))
		if err := crash.CheckHash(must(t, next, err).Hash, 2, l.commitment.Terminal, 0); err != nil || next.Point != crash.Point(hash, next.Salt) {
			t.Errorf("after %s: point %d, %v", status, next.Point, err)
		}
	}
}

// A restored round is cancelled while betting; later it keeps its height, takes no
// cash-outs and may crash at once. A settlement that began goes on.
func TestARecoveredRoundKeepsItsPoint(t *testing.T) {
	t.Parallel()
	l := newLife(t)
	cancelled, err := l.in[crash.Betting].Recover(l.hash)
	if must(t, cancelled, err).Hash != l.hash.Reveal() || cancelled.Recovered {
		t.Errorf("a betting round: %+v", cancelled)
	}
	closed, err := l.in[crash.Closed].Recover(l.hash)
	flying, err2 := must(t, closed, err).Start(start)
	crashed, err3 := must(t, flying, err2).Crash(l.hash, start)
	if must(t, crashed, err3).Point != l.in[crash.Crashed].Point || crashed.Height != l.in[crash.Closed].Height || !crashed.Recovered {
		t.Errorf("a closed round: %+v", crashed)
	}
	if paying, err := crashed.BeginSettlement(start); !must(t, paying, err).Paying {
		t.Error("its settlement doesn't begin")
	}
	paying, err := l.in[crash.Crashed].Recover(l.hash)
	if must(t, paying, err).Recovered {
		t.Error("a settlement that began had all cash-outs")
	}
	unpaid := l.in[crash.Crashed]
	unpaid.Paying = false
	if unpaid, err = unpaid.Recover(l.hash); !must(t, unpaid, err).Recovered {
		t.Error("a crashed round may lack cash-outs")
	}
}

func TestBetsAreAdmittedAgainstTheRoom(t *testing.T) {
	t.Parallel()
	l := newLife(t)
	betting := l.in[crash.Betting]
	for name, row := range map[string]struct {
		change func(*crash.Bet, *funds)
		kind   fault.Kind
	}{
		"admitted":                  {func(*crash.Bet, *funds) {}, 0},
		"the least cash-out":        {func(b *crash.Bet, _ *funds) { b.Auto = 101 }, 0},
		"the cap":                   {func(b *crash.Bet, _ *funds) { b.Auto = 10_000 }, 0},
		"a cash-out at 1.00":        {func(b *crash.Bet, _ *funds) { b.Auto = 100 }, fault.Invalid},
		"no cash-out":               {func(b *crash.Bet, _ *funds) { b.Auto = 0 }, fault.Invalid},
		"above the cap":             {func(b *crash.Bet, _ *funds) { b.Auto = 10_001 }, fault.Invalid},
		"another token":             {func(_ *crash.Bet, f *funds) { f.Terms.Mint = "x" }, fault.Invalid},
		"no wager":                  {func(b *crash.Bet, f *funds) { b.Wager, f.Terms.MinWager = 0, 0 }, fault.Invalid},
		"the least wager":           {func(b *crash.Bet, _ *funds) { b.Wager = 10_000 }, 0},
		"below it":                  {func(b *crash.Bet, _ *funds) { b.Wager = 9_999 }, fault.WagerOutOfRange},
		"the greatest wager":        {func(b *crash.Bet, _ *funds) { b.Wager = 100 * solUnit }, 0},
		"above it":                  {func(b *crash.Bet, _ *funds) { b.Wager = 100*solUnit + 1 }, fault.WagerOutOfRange},
		"no capital":                {func(_ *crash.Bet, f *funds) { f.Bankroll = money.Total{} }, fault.WagerOutOfRange},
		"just the greatest payout":  {func(_ *crash.Bet, f *funds) { f.Terms.MaxPayout = 3 * solUnit / 2 }, 0},
		"above the greatest payout": {func(_ *crash.Bet, f *funds) { f.Terms.MaxPayout = 3*solUnit/2 - 1 }, fault.WagerOutOfRange},
		"a full balance":            {func(_ *crash.Bet, f *funds) { f.Balance = money.Max - 3*solUnit/2 }, 0},
		"above a full balance":      {func(_ *crash.Bet, f *funds) { f.Balance = money.Max - 3*solUnit/2 + 1 }, fault.WagerOutOfRange},
		"just the room":             {func(_ *crash.Bet, f *funds) { f.Bankroll = money.TotalOf(15 * solUnit) }, 0},
		"above the room":            {func(_ *crash.Bet, f *funds) { f.Bankroll = money.TotalOf(15*solUnit - 1) }, fault.WagerOutOfRange},
		"beside other bets":         {func(_ *crash.Bet, f *funds) { f.Exposed = bet.Exposed{Own: money.TotalOf(9_998_500_000_000)} }, 0},
		"above them":                {func(_ *crash.Bet, f *funds) { f.Exposed = bet.Exposed{Own: money.TotalOf(9_998_500_000_001)} }, fault.WagerOutOfRange},
		"a lane's part": {func(_ *crash.Bet, f *funds) {
			f.Bankroll, f.Exposed.Others = money.TotalOf(29*solUnit), make([]money.Total, 1)
		}, fault.WagerOutOfRange},
		"the whole balance": {func(_ *crash.Bet, f *funds) { f.Balance = solUnit }, 0},
		"above the balance": {func(_ *crash.Bet, f *funds) { f.Balance = solUnit - 1 }, fault.InsufficientFunds},
		"beyond all amounts": {func(b *crash.Bet, f *funds) {
			b.Wager, b.Auto, f.Terms.MaxWager, f.Balance = money.Max/2, 10_000, money.Max, money.Max
		}, fault.WagerOutOfRange},
	} {
		b, with := l.bets[0], ample()
		row.change(&b, &with)
		err := with.admit(betting, b)
		if (err == nil) != (row.kind == 0) || err != nil && !fault.Is(err, row.kind) {
			t.Errorf("%s: %v", name, err)
		}
		if err != nil && strings.Contains(err.Error(), "no capital") != (name == "no capital") {
			t.Errorf("%s is refused with: %v", name, err)
		}
		if bet.RefusedForRoom(err) != (name == "above them") {
			t.Errorf("%s: refused for the room of other bets: %v", name, err)
		}
	}
}

// TestStatesAreDrawnFromTheTable compares states.md with the table; go generate writes it.
func TestStatesAreDrawnFromTheTable(t *testing.T) {
	t.Parallel()
	drawn := draw()
	if *update {
		must(t, 0, os.WriteFile("states.md", []byte(drawn), 0o600))
	}
	kept, err := os.ReadFile("states.md")
	if must(t, string(kept), err) != drawn {
		t.Error("states.md is stale: go generate ./domain/crash")
	}
}

// causes describe each event.
var causes = map[crash.Event]string{
	crash.PlaceBet:     "a bet is admitted, with everything that it can pay",
	crash.StopBets:     "no further bet is taken; again, it changes nothing",
	crash.CloseBets:    "the closing commit, after the stop: it states the bets and the beacon's height",
	crash.RevealBeacon: "the beacon at that height is known",
	crash.StartCurve:   "the curve starts; only after the beacon",
	crash.CashOutBet:   "a cash-out received before the curve's end",
	crash.EndCurve:     "the curve's end; point and hash are public",
	crash.SettleBets:   "a batch of bets gets its results, when every cash-out received in time is committed",
	crash.FinishRound:  "no bet is left without a result",
	crash.CancelRound:  "the beacon provably never came to be; stakes go back",
	crash.RecoverRound: "the database was restored from an older copy",
}

func draw() string {
	var b strings.Builder
	b.WriteString("<!-- Generated from the table in round.go by go generate. DO NOT EDIT. -->\n")
	b.WriteString("# The states of a shared crash round\n\n```mermaid\nstateDiagram-v2\n    [*] --> betting: the hash before it is public\n")
	rows := ""
	for _, from := range crash.Statuses() {
		for _, event := range crash.Events() {
			if to, ok := from.Next(event); ok {
				fmt.Fprintf(&b, "    %s --> %s: %s\n", from, to, event)
				rows += fmt.Sprintf("| %s | %s | %s | %s |\n", from, event, to, causes[event])
			}
		}
	}
	b.WriteString("    settled --> [*]\n    cancelled --> [*]\n```\n\n| from | event | to | when |\n|---|---|---|---|\n" + rows)
	b.WriteString("\nWhat isn't here is refused.\n")
	return b.String()
}
