package player_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/casino-service/casino/domain/audit"
	"github.com/casino-service/casino/domain/bet"
	"github.com/casino-service/casino/domain/control"
	"github.com/casino-service/casino/domain/crash"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/game"
	"github.com/casino-service/casino/domain/ledger"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/player"
	"github.com/casino-service/casino/domain/protection"
	"github.com/casino-service/casino/test/fakes"
)

// high is a round with a point above 3.00, low one with a point below 2.00.
var high, low = fakes.NewCrashBetween(3_00, 50_00, at), fakes.NewCrashBetween(1_20, 1_99, at)

// gateOf opens the gate of round 1 of the chain as far as betting and paying say.
func gateOf(v *player.View, betting, paying bool) {
	v.Control = &control.State{Epoch: 1, Crash: control.CrashGate{Chain: "c1", Number: 1, Betting: betting, Paying: paying}}
}

func crashBet(v player.View, auto uint64) (player.Change, error) {
	if v.Exposed == nil {
		v.Exposed = &bet.Exposed{}
	}
	return player.BetCrash(v, player.CrashBetRequest{
		Round: high.Betting, Wager: 1_000, Auto: auto,
		Placed: bet.Placed{ID: "b1", Wallet: alice, Terms: terms(), Bankroll: money.TotalOf(1 << 40), At: at},
		Seals:  fakes.Authenticator{},
	})
}

func bets2(v player.View) (player.Change, error) { return crashBet(v, 2_00) }

// crashCashOut cashes out some milliseconds after the start.
func crashCashOut(l fakes.Crash, ms int64) func(player.View) (player.Change, error) {
	return func(v player.View) (player.Change, error) {
		return player.CashOutCrash(v, player.CrashCashOutRequest{
			BetID: "b1", Round: l.Flying, Hash: l.Hash, Received: at.Add(time.Duration(ms)*time.Millisecond + 7), At: at.Add(time.Hour), Seals: fakes.Authenticator{},
		})
	}
}

func crashSettle(r crash.Round) func(player.View) (player.Change, error) {
	return func(v player.View) (player.Change, error) {
		return player.SettleCrash(v, player.CrashSettleRequest{BetID: "b1", Round: r, LargeWin: 2_500, AuditID: "a1", At: at.Add(2 * time.Hour), Seals: fakes.Authenticator{}})
	}
}

// betting lets the gate take bets.
func betting(v *player.View) { gateOf(v, true, false) }

// crashing places a bet, makes the other changes, and opens the gate.
func crashing(auto uint64, betting, paying bool, more ...func(player.View) (player.Change, error)) func(*player.View) {
	return func(v *player.View) {
		gateOf(v, true, false)
		bets := func(v player.View) (player.Change, error) { return crashBet(v, auto) }
		for _, decide := range append([]func(player.View) (player.Change, error){bets}, more...) {
			c, err := decide(*v)
			if err == nil {
				*v, err = player.Apply(*v, c)
			}
			if err != nil {
				panic(err)
			}
			gateOf(v, false, false)
		}
		gateOf(v, betting, paying)
	}
}

// crashBreaches break the rules of bets on crash rounds.
var crashBreaches = []ruleBreach{
	{"crash bet written", "crash bet", func(l *lawful) { l.c.Steps[0].Config = game.Object() }},
	{"crash bet written", "crash bet", func(l *lawful) { l.c.Steps[0].Exposure-- }},
	{"crash bet written", "crash bet", func(l *lawful) { l.c.Steps[0].Nonce = 1 }},
	{"crash bet written", "crash bet", func(l *lawful) { l.c.Steps[0].PairID = "p1" }},
	{"crash bet written", "crash bet", func(l *lawful) { l.c.Steps[0].Shared.Number++ }},
	{"crash bet written", "crash bet", func(l *lawful) { l.c.Pair = &l.view.Pair }},
	{"crash bet written", "crash out", func(l *lawful) { l.c.Steps[0].Actions = game.List(game.ActionOf("cashOut")) }},
	{"crash bet once", "crash bet", func(l *lawful) {
		other := l.c.Steps[0]
		other.ID = "b0"
		l.view.OpenRounds = map[string]bet.Open{"b0": other}
	}},
	{"crash bet once", "crash bet", func(l *lawful) {
		l.c.Steps = append(l.c.Steps, crash.WithCashOut(l.c.Steps[0], crash.CashOut{Received: at, Multiplier: 150}, at))
	}},
	{"crash bet in time", "crash bet", func(l *lawful) { l.view.Control = nil }},
	{"crash bet in time", "crash bet", func(l *lawful) { gateOf(&l.view, false, false) }},
	{"crash bet in time", "crash out", func(l *lawful) { gateOf(&l.view, true, false) }},
	{"crash bet in time", "crash out", func(l *lawful) { gateOf(&l.view, false, true) }},
	{"crash bet in time", "crash end", func(l *lawful) { gateOf(&l.view, false, false) }},
	{"crash bet in time", "crash end", func(l *lawful) { gateOf(&l.view, true, false) }},
	{"crash bet paid", "crash end", func(l *lawful) { l.c.Round.Multiplier.Num++ }},
	{"crash bet paid", "crash end", func(l *lawful) { l.c.Round.Outcome = game.Object() }},
	{"crash bet paid", "crash end", func(l *lawful) { l.c.Round.Theory = bet.Theory{} }},
	{"open round ended", "crash end", func(l *lawful) { l.c.Round.Wager++ }},
	{"open round ended", "crash end", func(l *lawful) {
		open := l.view.OpenRounds["b1"]
		open.Exposure = 0
		l.view.OpenRounds = map[string]bet.Open{"b1": open}
	}},
	{"stake moved", "crash bet", func(l *lawful) { l.c.Postings = nil }},
	{"stake moved", "crash out", func(l *lawful) {
		l.c.Postings = one("k", "", "1", ledger.StakeOf(alice), ledger.PlayerOf(alice), 1)
	}},
}

// TestABetOnACrashRoundLives follows a bet's money with each end.
func TestABetOnACrashRoundLives(t *testing.T) {
	t.Parallel()
	for name, row := range map[string]struct {
		auto    uint64
		outMs   int64 // 0 for none
		of      fakes.Crash
		end     func(fakes.Crash) crash.Round
		payout  money.Amount
		void    bool
		records []audit.Action
	}{
		"it wins":              {auto: 2_00, of: high, payout: 2_000},
		"it loses":             {auto: 2_00, of: low},
		"it is cashed out":     {auto: 100_00, outMs: crash.TimeOf(1_10), of: low, payout: 1_100},
		"its win is recorded":  {auto: 3_00, of: high, payout: 3_000, records: []audit.Action{audit.LargeWin}},
		"its round never came": {auto: 2_00, of: high, end: func(l fakes.Crash) crash.Round { return l.Cancelled }, payout: 1_000, void: true, records: []audit.Action{audit.RoundVoided}},
	} {
		v := known()
		var outs []func(player.View) (player.Change, error)
		if row.outMs > 0 {
			outs = append(outs, crashCashOut(row.of, row.outMs))
		}
		crashing(row.auto, false, true, outs...)(&v)
		open := v.OpenRounds["b1"]
		if v.Balances[money.SOL] != 9_000 || open.Step() != len(outs) || open.Stake != 1_000 || open.Exposure != money.Amount(row.auto*10) {
			t.Fatalf("%s: %d, %+v", name, v.Balances[money.SOL], open)
		}
		end := row.of.Settled
		if row.end != nil {
			end = row.end(row.of)
		}
		c, err := crashSettle(end)(v)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		item := seeing(v, c)
		if err := player.Check(&item, &v, &c); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		made := v.Events(&c)
		next, err := player.Apply(v, c)
		if err != nil || next.Balances[money.SOL] != 9_000+row.payout || len(next.OpenRounds) != 0 || c.Balance != 9_000+row.payout {
			t.Errorf("%s: %v, balance %d", name, err, next.Balances[money.SOL])
		}
		if r := c.Round; r.Payout != row.payout || r.Void != row.void || !r.IsShared() || crash.SharedOf(*r) != open.Shared || !r.Actions.Equal(open.Actions) ||
			r.BalanceBefore() != 9_000 || len(made) == 0 || len(made[0].Fields) != 0 {
			t.Errorf("%s: %+v, %+v", name, r, made)
		}
		var records []audit.Action
		for _, a := range c.Audit {
			records = append(records, a.Action)
		}
		if !slices.Equal(records, row.records) {
			t.Errorf("%s: recorded %v", name, records)
		}
		if used := next.Player.Protection.At(at).Limits[2].Used; used != map[bool]int64{false: 1_000}[row.void] {
			t.Errorf("%s: it counts as a wager of %d", name, used)
		}
	}
}

// TestRefusalsAboutCrashBets gives each refusal, in the documented order: each row also
// has what the rows after it refuse.
func TestRefusalsAboutCrashBets(t *testing.T) {
	t.Parallel()
	var all []func(*player.View)
	for _, row := range slices.Backward([]struct {
		name   string
		view   func(*player.View)
		kind   fault.Kind
		detail string // name=value
	}{
		{"never signed in", stranger, fault.InvalidToken, ""},
		{"no exposure", nil, fault.Unavailable, ""},
		{"frozen", func(v *player.View) { v.Player.Protection.Frozen = true }, fault.PlayerFrozen, ""},
		{"an agent that is blocked", func(v *player.View) { v.AgentBlocked = true }, fault.BlockedAgent, ""},
		{"disabled", func(v *player.View) { v.GameDisabled = true }, fault.GameDisabled, ""},
		{"paused", func(v *player.View) { v.Control.Pauses = []control.PlayPause{{GameType: "crash"}} }, fault.Maintenance, ""},
		{"beyond a limit", func(v *player.View) {
			v.Player.Protection.Limits = slices.Clone(v.Player.Protection.Limits)
			v.Player.Protection.Limits[1].Used = 49_001
		}, fault.LimitExceeded, ""},
		{"closed", func(v *player.View) { v.Control.Crash.Betting = false }, fault.InvalidState, "status=closed"},
		{"twice", func(v *player.View) {
			v.OpenRounds = map[string]bet.Open{"b0": {ID: "b0", Shared: bet.Shared{Chain: "c1", Number: 1}}}
		}, fault.InvalidState, "status=bet"},
		{"no room", func(v *player.View) { v.Exposed = &bet.Exposed{Own: money.TotalOf(1 << 40)} }, fault.WagerOutOfRange, "reason=room"},
		{"too little money", func(v *player.View) { v.Balances = map[money.Token]money.Amount{money.SOL: 999} }, fault.InsufficientFunds, ""},
	}) {
		change := row.view
		if change != nil {
			all = append(all, change)
		}
		v := known()
		gateOf(&v, true, false)
		for _, change := range all {
			change(&v)
		}
		request := player.CrashBetRequest{
			Round: high.Betting, Wager: 1_000, Auto: 2_00,
			Placed: bet.Placed{ID: "b1", Wallet: alice, Terms: terms(), Bankroll: money.TotalOf(1 << 40), At: at},
		}
		if v.Exposed == nil && row.name != "no exposure" {
			v.Exposed = &bet.Exposed{}
		}
		if row.name == "no exposure" {
			v.Exposed = nil
		}
		c, err := player.BetCrash(v, request)
		if !fault.Is(err, row.kind) || len(c.Steps) > 0 {
			t.Errorf("%s: %v", row.name, err)
		}
		checkDetail(t, row.name, err, row.detail)
	}
	v := known()
	betting(&v)
	if _, err := crashBet(v, 100_01); !fault.Is(err, fault.Invalid) {
		t.Errorf("above the cap: %v", err)
	}
	v.OpenRounds = manyOpen(bet.OpenMax)
	if _, err := bets2(v); err != nil {
		t.Errorf("beside stepped rounds: %v", err)
	}
	pairedView(&v)
	v.OpenRounds = map[string]bet.Open{"b1": {ID: "b1", Shared: bet.Shared{Chain: "c1", Number: 1}}, "b2": {ID: "b2", Shared: bet.Shared{Chain: "c1", Number: 2}}}
	for id := range manyOpen(bet.OpenMax - 1) {
		v.OpenRounds[id] = bet.Open{ID: id}
	}
	v.Pair.Epoch = 1
	if _, err := opened(v, "rungs", 4); err != nil {
		t.Errorf("a stepped round beside bets: %v", err)
	}
}

func checkDetail(t *testing.T, name string, err error, want string) {
	t.Helper()
	refusal, _ := err.(*fault.Error)
	if want == "" || refusal == nil {
		return
	}
	for key, value := range refusal.Details {
		if fmt.Sprintf("%s=%v", key, value) == want {
			return
		}
	}
	t.Errorf("%s: details %v, want %s", name, refusal.Details, want)
}

func TestRefusalsAboutCashOutsAndResults(t *testing.T) {
	t.Parallel()
	ended := func(v *player.View) { v.OpenRounds = nil }
	forged := func(v *player.View) {
		open := v.OpenRounds["b1"]
		open.Seal = "x"
		v.OpenRounds = map[string]bet.Open{"b1": open}
	}
	second := fakes.NewCrash(1, at)
	second.Flying.Number = 2
	early := high
	early.Flying = high.Betting
	for name, row := range map[string]struct {
		view   func(*player.View)
		decide func(player.View) (player.Change, error)
		detail string
	}{
		"a cash-out of no bet":          {ended, crashCashOut(high, crash.TimeOf(1_50)), "status=ended"},
		"a cash-out in another round":   {crashing(2_00, false, false), crashCashOut(second, crash.TimeOf(1_50)), "status=other"},
		"a second cash-out":             {crashing(2_00, false, false, crashCashOut(high, crash.TimeOf(1_50))), crashCashOut(high, crash.TimeOf(1_10)), "status=cashed-out"},
		"a cash-out while bets come":    {crashing(2_00, true, false), crashCashOut(high, crash.TimeOf(1_50)), "status=closed"},
		"a cash-out of a betting round": {crashing(2_00, true, false), crashCashOut(early, crash.TimeOf(1_50)), "status=betting"},
		"a cash-out after the payments": {crashing(2_00, false, true), crashCashOut(high, crash.TimeOf(1_50)), "status=closed"},
		"a cash-out before the start":   {crashing(2_00, false, false), crashCashOut(high, -1), "status=flying"},
		"a cash-out at the end":         {crashing(100_00, false, false), crashCashOut(high, high.EndMs), "status=flying"},
		"a result of no bet":            {ended, crashSettle(high.Settled), "status=ended"},
		"a result while bets come":      {crashing(2_00, true, false), crashSettle(high.Cancelled), "status=open"},
		"a result while cash-outs come": {crashing(2_00, false, false), crashSettle(high.Settled), "status=open"},
		"a result of a flying round":    {crashing(2_00, false, true), crashSettle(high.Flying), "status=flying"},
		"a step": {crashing(2_00, false, false), func(v player.View) (player.Change, error) {
			return player.StepRound(v, player.StepRequest{RoundID: "b1"})
		}, "status=shared"},
		"an abandonment": {crashing(2_00, false, false), func(v player.View) (player.Change, error) {
			return player.AbandonRound(v, player.StepRequest{RoundID: "b1", By: boss}, at)
		}, "status=shared"},
	} {
		v := known()
		row.view(&v)
		c, err := row.decide(v)
		if !fault.Is(err, fault.InvalidState) || len(c.Steps) > 0 || c.Round != nil {
			t.Errorf("%s: %v", name, err)
		}
		checkDetail(t, name, err, row.detail)
	}
	for name, decide := range map[string]func(player.View) (player.Change, error){"cash-out": crashCashOut(high, 9_000), "result": crashSettle(high.Settled)} {
		v := known()
		crashing(2_00, false, name == "result")(&v)
		forged(&v)
		if _, err := decide(v); !errors.Is(err, player.ErrOpenRoundChanged) {
			t.Errorf("a %s of a forged bet: %v", name, err)
		}
	}
	v := known()
	crashing(100_00, false, false)(&v)
	if _, err := crashCashOut(high, high.EndMs-1)(v); err != nil {
		t.Errorf("a cash-out just before the end: %v", err)
	}
	v.Player.Protection = protection.State{Frozen: true}
	if _, err := crashCashOut(high, crash.TimeOf(1_50))(v); err != nil {
		t.Errorf("a frozen player's cash-out: %v", err)
	}
}

// TestCrashBetsConserveMoney plays random bets on random rounds: no money appears, and
// each bet has one result.
func TestCrashBetsConserveMoney(t *testing.T) {
	t.Parallel()
	for seed := range uint64(300) {
		rng := rand.New(rand.NewPCG(seed, 41))
		l := fakes.NewCrash(byte(rng.IntN(256)), at)
		auto := uint64(crash.CashOutMin + rng.IntN(99_00))
		ms := rng.Int64N(l.EndMs + 2_000)
		v, book := known(), ledger.Book{}
		fund := ledger.Posting{Key: ledger.Key{Kind: ledger.Deposit, ID: "d"}, Transfers: []ledger.Transfer{{
			Debit: ledger.System(ledger.Chain), Credit: ledger.PlayerOf(alice), Token: money.SOL, Amount: v.Balances[money.SOL],
		}}}
		if err := book.Post(fund); err != nil {
			t.Fatal(err)
		}
		want := v.Balances[money.SOL] - 1_000
		cashed := min(auto, crash.MultiplierAt(ms))
		counts := cashed >= crash.CashOutMin && ms < l.EndMs
		switch end := l.Settled; {
		case rng.IntN(10) == 0:
			l.Settled, l.Flying, want = l.Cancelled, l.Cancelled, want+1_000
		case counts && cashed <= end.Point:
			want += money.Amount(cashed * 10)
		case auto <= end.Point:
			want += money.Amount(auto * 10)
		}
		for i, decide := range []func(player.View) (player.Change, error){
			func(v player.View) (player.Change, error) { return crashBet(v, auto) },
			crashCashOut(l, ms), crashCashOut(l, ms-1), crashSettle(l.Settled), crashSettle(l.Settled),
		} {
			gateOf(&v, i == 0, i > 2)
			c, err := decide(v)
			if fault.Is(err, fault.InvalidState) {
				continue
			}
			item := seeing(v, c)
			if err == nil {
				err = player.Check(&item, &v, &c)
			}
			for _, p := range c.Postings {
				if err == nil {
					err = book.Post(p)
				}
			}
			if err == nil {
				v, err = player.Apply(v, c)
			}
			if err != nil {
				t.Fatalf("seed %d, decision %d: %v", seed, i, err)
			}
		}
		if v.Balances[money.SOL] != want || book.Balance(ledger.PlayerOf(alice), money.SOL) != money.TotalOf(want) ||
			book.Balance(ledger.StakeOf(alice), money.SOL) != (money.Total{}) || len(v.OpenRounds) != 0 {
			t.Errorf("seed %d: %d at %d ms, point %d: the balance is %d, want %d", seed, auto, ms, l.Settled.Point, v.Balances[money.SOL], want)
		}
	}
}
