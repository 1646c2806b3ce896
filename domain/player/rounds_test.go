package player_test

import (
	"slices"
	"testing"
	"time"

	"github.com/casino-service/casino/domain/audit"
	"github.com/casino-service/casino/domain/bet"
	"github.com/casino-service/casino/domain/control"
	"github.com/casino-service/casino/domain/fairness"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/game"
	"github.com/casino-service/casino/domain/ledger"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/player"
	"github.com/casino-service/casino/domain/protection"
	"github.com/casino-service/casino/test/fakes"
)

// ladderOf is a config of a ladder with one field set.
func ladderOf(field string, n int64) game.Value {
	value := game.Int(n)
	if field == "doubles" {
		value = game.Bool(n > 0)
	}
	return game.Object(game.Member{Name: field, Value: value})
}

// opened is the opening of a ladder for 1,000.
func opened(v player.View, field string, n int64) (player.Change, error) {
	opening, err := bet.NewOpening(fakes.Ladder(), ladderOf(field, n), 1_000)
	if err != nil {
		return player.Change{}, err
	}
	opening.ID, opening.Wallet, opening.Terms, opening.Bankroll, opening.At = "o1", alice, terms(), money.TotalOf(1<<40), at
	if v.Exposed == nil {
		v.Exposed = &bet.Exposed{}
	}
	return player.OpenRound(v, player.OpenRequest{Opening: opening, Voiding: voiding()})
}

func voiding() player.Voiding {
	return player.Voiding{Spare: spare(3), ServerClientSeed: "server's", AuditID: "a1"}
}

// climbing opens a ladder.
func climbing(field string, n int64) func(*player.View) {
	return func(v *player.View) {
		pairedView(v)
		c, err := opened(*v, field, n)
		if err == nil {
			*v, err = player.Apply(*v, c)
		}
		if err != nil {
			panic(err)
		}
	}
}

func asked(v player.View, action game.Value) player.StepRequest {
	open := v.OpenRounds["o1"]
	r := player.StepRequest{RoundID: "o1", Step: open.Step(), Action: action, At: at, Voiding: voiding()}
	r.Steps, _ = open.Steps(fakes.Ladder())
	return r
}

func stepped(v player.View, action game.Value) (player.Change, error) {
	return player.StepRound(v, asked(v, action))
}

// openBreaches break the rules of open rounds.
var openBreaches = []ruleBreach{
	{"pair of open rounds", "rotate", func(l *lawful) { l.view.OpenRounds = map[string]bet.Open{"o1": {ID: "o1", PairID: l.view.Pair.ID}} }},
	{"open round owned", "open", func(l *lawful) { l.c.Steps[0].Wallet = "bob" }},
	{"open round asked for", "open", func(l *lawful) { l.item.Needs.Pair, l.item.Needs.OpenRounds = false, false }},
	{"open round begun", "open", func(l *lawful) { l.c.Steps[0].ID = "" }},
	{"open round begun", "open", func(l *lawful) { l.c.Steps[0].Stake++ }},
	{"open round begun", "open", func(l *lawful) { l.c.Steps[0].Actions = game.Value{} }},
	{"open round begun", "open", func(l *lawful) { l.c.Steps[0].Actions = game.List(fakes.Climb) }},
	{"open round begun", "open", func(l *lawful) { l.c.Steps[0].TouchedAt = at.Add(1) }},
	{"open round begun", "climb", func(l *lawful) { l.view.OpenRounds = nil }},
	{"open round drawn", "open", func(l *lawful) { l.c.Pair = nil }},
	{"open round drawn", "open", func(l *lawful) { l.c.Steps[0].Nonce++ }},
	{"open round drawn", "open", func(l *lawful) { l.c.Steps[0].PairID = "other" }},
	{"open round drawn", "open", func(l *lawful) { l.c.Steps[0].ClientSeed = "other" }},
	{"pair counted", "open", func(l *lawful) { *l.c.Pair = l.view.Pair }},
	{"open round followed", "climb", func(l *lawful) { l.c.Steps[0].Config = game.Object() }},
	{"open round followed", "climb", func(l *lawful) { l.c.Steps[0].Exposure++ }},
	{"open round followed", "climb", func(l *lawful) { l.c.Steps[0].Wager-- }},
	{"open round followed", "climb", func(l *lawful) { l.c.Steps[0].Stake-- }},
	{"open round followed", "climb", func(l *lawful) { l.c.Steps[0].Actions = game.List(fakes.Climb, fakes.Climb) }},
	{"open round followed", "climb", func(l *lawful) { l.c.Steps[0].Actions = game.List() }},
	{"open round followed", "climb", func(l *lawful) { l.c.Steps[0].TouchedAt = at.Add(-1) }},
	{"open round followed", "cash", func(l *lawful) { l.c.Steps = append(l.c.Steps, l.c.Steps[0]) }},
	{"open rounds few", "open", func(l *lawful) { l.view.OpenRounds = manyOpen(bet.OpenMax) }},
	{"open round ended", "cash", func(l *lawful) { l.c.Round = nil }},
	{"open round ended", "cash", func(l *lawful) { l.c.Steps[0].Ended = false }},
	{"open round ended", "cash", func(l *lawful) { l.c.Round.Actions = game.List() }},
	{"open round ended", "cash", func(l *lawful) { l.c.Round.Nonce++ }},
	{"open round ended", "cash", func(l *lawful) { l.c.Round.Outcome = game.Object() }},
	{"open round ended", "cash", func(l *lawful) { l.c.Round.Void = true }},
	{"open round ended", "cash", func(l *lawful) { l.c.Steps[0].Exposure, l.view.OpenRounds = 0, exposed(l.view.OpenRounds, 0) }},
	{"open round ended", "cash", func(l *lawful) { l.c.Steps = nil }},
	{"open round ended", "break", func(l *lawful) { l.c.Round.ID = "o2" }},
	{"open round ended", "break", func(l *lawful) { l.c.Round.Wager++ }},
	{"open round ended", "break", func(l *lawful) { l.c.Round.Void = false }},
	{"round booked", "cash", func(l *lawful) { l.c.Postings[0].Transfers[0].Debit = ledger.PlayerOf(alice) }},
	{"round booked", "cash", func(l *lawful) { l.c.Postings = append(l.c.Postings, l.c.Postings[0]) }},
	{"round booked", "cash", func(l *lawful) {
		l.c.Postings = append(one("k", "", "1", ledger.System(ledger.House), ledger.System(ledger.Fees), 1), l.c.Postings...)
	}},
	{"stake posted", "stake", func(l *lawful) { l.c.Postings[0].Key.ID = "o2" }},
	{"stake moved", "open", func(l *lawful) { l.c.Postings[0].Transfers[0].Amount-- }},
	{"stake moved", "open", func(l *lawful) { l.c.Postings = nil }},
	{"stake moved", "open", func(l *lawful) { l.c.Postings[0].Transfers[0].Credit = ledger.StakeOf("bob") }},
	{"stake moved", "open", func(l *lawful) { l.c.Postings[0].Transfers[0].Token = "usd" }},
	{"stake moved", "stake", func(l *lawful) { l.c.Postings[0].Transfers[0].Amount++ }},
	{"stake moved", "end", func(l *lawful) {
		l.c.Postings = one("k", "", "1", ledger.StakeOf(alice), ledger.PlayerOf(alice), 1)
	}},
	{"balance asked for", "open", func(l *lawful) { l.item.Needs.Tokens = nil }},
}

func exposed(rounds map[string]bet.Open, most money.Amount) map[string]bet.Open {
	open := rounds["o1"]
	open.Exposure = most
	return map[string]bet.Open{"o1": open}
}

func manyOpen(n int) map[string]bet.Open {
	all := map[string]bet.Open{}
	for i := range n {
		id := string(rune('p' + i))
		all[id] = bet.Open{ID: id}
	}
	return all
}

// TestARoundIsPlayedStepByStep follows the money of a round from its opening to its end.
func TestARoundIsPlayedStepByStep(t *testing.T) {
	t.Parallel()
	v := known()
	climbing("doubles", 1)(&v)
	open := v.OpenRounds["o1"]
	if v.Balances[money.SOL] != 9_000 || open.Stake != 1_000 || open.Step() != 0 || open.Choices.Len() != 3 || v.Pair.Nonce != 6 {
		t.Fatalf("opened: %d, %+v, nonce %d", v.Balances[money.SOL], open, v.Pair.Nonce)
	}
	if limits := v.Player.Protection.At(at).Limits; limits[1].Used != 1_000 || limits[2].Used != 1_000 {
		t.Errorf("a stake counts as %+v", limits)
	}
	for _, action := range []game.Value{fakes.Double, fakes.CashOut} {
		c, err := stepped(v, action)
		if err != nil {
			t.Fatal(err)
		}
		if v, err = player.Apply(v, c); err != nil {
			t.Fatal(err)
		}
		if c.Round == nil {
			continue
		}
		if c.Round.Wager != 2_000 || c.Round.Payout != 2_000 || c.Round.Multiplier.Cmp(money.Ratio{Num: 1, Den: 1}) != 0 || c.Round.Balance != 10_000 || c.Round.BalanceBefore() != 8_000 {
			t.Errorf("ended as %+v", c.Round)
		}
		if c.Round.Theory.RTPPartsPerBillion != 1_000_000_000 || c.Round.Theory.VariancePartsPerBillion != 0 {
			t.Errorf("its rules expect %+v", c.Round.Theory)
		}
	}
	if v.Balances[money.SOL] != 10_000 || len(v.OpenRounds) != 0 || v.Pair.Nonce != 6 {
		t.Errorf("ended: %d, %+v", v.Balances[money.SOL], v.OpenRounds)
	}
	if limits := v.Player.Protection.At(at).Limits; limits[1].Used != 0 || limits[2].Used != 2_000 {
		t.Errorf("an ended round counts as %+v", limits)
	}
}

func TestWhatRefusesAnOpeningAndAStep(t *testing.T) {
	t.Parallel()
	frozen := func(v *player.View) { v.Player.Protection.Frozen = true }
	for name, row := range map[string]struct {
		view    func(*player.View)
		decide  func(player.View) (player.Change, error)
		refused fault.Kind // 0 if accepted
	}{
		"frozen, an opening":   {frozen, open4, fault.PlayerFrozen},
		"disabled, an opening": {func(v *player.View) { v.GameDisabled = true }, open4, fault.GameDisabled},
		"paused, an opening": {func(v *player.View) {
			v.Control = &control.State{Epoch: 1, Pauses: []control.PlayPause{{}}}
			v.Pair.Epoch = 1
		}, open4, fault.Maintenance},
		"a fifth":                {func(v *player.View) { v.OpenRounds = manyOpen(bet.OpenMax) }, open4, fault.TooManyOpen},
		"too little money":       {func(v *player.View) { v.Balances[money.SOL] = 999 }, open4, fault.InsufficientFunds},
		"beyond a limit":         {func(v *player.View) { v.Player.Protection.Limits[2].Used = 49_001 }, open4, fault.LimitExceeded},
		"no room":                {func(v *player.View) { v.Exposed = &bet.Exposed{Own: money.TotalOf(1 << 40)} }, open4, fault.WagerOutOfRange},
		"a store without any":    {func(v *player.View) { v.OpenRounds = nil }, openNowhere, fault.Unavailable},
		"frozen, a step":         {frozen, climbs, 0},
		"frozen, an end":         {frozen, cashes, 0},
		"disabled, a step":       {func(v *player.View) { v.GameDisabled = true }, climbs, 0},
		"frozen, a stake":        {frozen, doubles, fault.PlayerFrozen},
		"excluded, a stake":      {func(v *player.View) { v.Player.Protection.Excluded = true }, doubles, fault.PlayerExcluded},
		"a stake without money":  {func(v *player.View) { v.Balances[money.SOL] = 999 }, doubles, fault.InsufficientFunds},
		"a stake beyond a limit": {func(v *player.View) { v.Player.Protection.Limits[1].Used = 49_001 }, doubles, fault.LimitExceeded},
		"an action that isn't":   {nil, func(v player.View) (player.Change, error) { return stepped(v, game.ActionOf("jump")) }, fault.Invalid},
		"another step": {nil, func(v player.View) (player.Change, error) {
			r := asked(v, fakes.Climb)
			r.Step = 1
			return player.StepRound(v, r)
		}, fault.InvalidState},
		"no such round": {func(v *player.View) { v.OpenRounds = nil }, climbs, fault.InvalidState},
		"a rotation": {nil, func(v player.View) (player.Change, error) {
			return player.Rotate(v, player.RotationRequest{Spare: spare(3)})
		}, fault.InvalidState},
		"abandoned, yet touched": {nil, func(v player.View) (player.Change, error) {
			return player.AbandonRound(v, asked(v, game.Value{}), at.Add(-1))
		}, fault.InvalidState},
		"after a recovery, a step": {inLaterEpoch, climbs, fault.InvalidState},
		"after a recovery, an end": {inLaterEpoch, cashes, fault.InvalidState},
		"after a recovery, abandoned though touched": {inLaterEpoch, func(v player.View) (player.Change, error) {
			return player.AbandonRound(v, asked(v, game.Value{}), at.Add(-1))
		}, 0},
		"after a recovery, abandoned, and its pair is too old": {func(v *player.View) {
			inLaterEpoch(v)
			v.Pair.Since = at.Add(-fairness.AgeMax)
		}, func(v player.View) (player.Change, error) { return player.AbandonRound(v, asked(v, game.Value{}), at) }, 0},
		"abandoned and untouched": {nil, func(v player.View) (player.Change, error) { return player.AbandonRound(v, asked(v, game.Value{}), at) }, 0},
	} {
		v := known()
		climbing("doubles", 1)(&v)
		if row.view != nil {
			row.view(&v)
		}
		c, err := row.decide(v)
		switch {
		case row.refused != 0:
			if !fault.Is(err, row.refused) || len(c.Steps) > 0 {
				t.Errorf("%s: %v", name, err)
			}
		case err != nil:
			t.Errorf("%s: %v", name, err)
		default:
			item := seeing(v, c)
			if err := player.Check(&item, &v, &c); err != nil {
				t.Errorf("%s: %v", name, err)
			}
		}
	}
}

// inLaterEpoch begins a later epoch.
func inLaterEpoch(v *player.View) { v.Control = &control.State{Epoch: v.Pair.Epoch + 1, EpochAt: at} }

func open4(v player.View) (player.Change, error) { return opened(v, "rungs", 4) }
func openNowhere(v player.View) (player.Change, error) {
	opening, _ := bet.NewOpening(fakes.Ladder(), game.Value{}, 1_000)
	return player.OpenRound(v, player.OpenRequest{Opening: opening})
}
func climbs(v player.View) (player.Change, error)  { return stepped(v, fakes.Climb) }
func cashes(v player.View) (player.Change, error)  { return stepped(v, fakes.CashOut) }
func doubles(v player.View) (player.Change, error) { return stepped(v, fakes.Double) }

// TestABrokenRoundGivesItsStakesBack also checks that its pair retires only without
// other open rounds.
func TestABrokenRoundGivesItsStakesBack(t *testing.T) {
	t.Parallel()
	for name, row := range map[string]struct {
		field  string
		broken func(player.View) (player.Change, error)
		other  bool // another round is open
	}{
		"at a step":               {"breaksAt", climbs, false},
		"at a step, another open": {"breaksAt", climbs, true},
		"at an abandonment":       {"breaksAt", func(v player.View) (player.Change, error) { return player.AbandonRound(v, asked(v, game.Value{}), at) }, false},
		"at an abandonment after a recovery": {"breaksAt", func(v player.View) (player.Change, error) {
			return player.AbandonRound(v, asked(v, game.Value{}), at.Add(-1))
		}, false},
		"at the opening":              {"rungs", func(v player.View) (player.Change, error) { v.OpenRounds = nil; return opened(v, "breaksAt", 0) }, false},
		"at the opening, another one": {"rungs", func(v player.View) (player.Change, error) { return opened(v, "breaksAt", 0) }, true},
	} {
		v := known()
		climbing(row.field, 1)(&v)
		if row.other {
			v.OpenRounds["o2"] = bet.Open{ID: "o2", PairID: v.Pair.ID}
		}
		if name == "at an abandonment after a recovery" {
			inLaterEpoch(&v)
		}
		balance, stakes := v.Balances[money.SOL], v.OpenRounds["o1"].Stake
		c, err := row.broken(v)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		opening := !c.Round.Stepped()
		if opening {
			stakes = 0
		}
		if !c.Round.Void || c.Balance != balance+stakes || len(c.Audit) != 1 || c.Audit[0].Action != audit.RoundVoided {
			t.Errorf("%s: %+v", name, c)
		}
		if kept := row.other || name == "at an abandonment after a recovery"; (c.Retired == nil) != kept {
			t.Errorf("%s: the pair is revealed as %+v", name, c.Retired)
		}
		item := seeing(v, c)
		if opening && !row.other {
			v.OpenRounds = nil
		}
		if err := player.Check(&item, &v, &c); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if _, err := player.Apply(v, c); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestAForgedOpenRoundIsNotPlayedOn: access to the database alone isn't enough to raise
// a stake.
func TestAForgedOpenRoundIsNotPlayedOn(t *testing.T) {
	t.Parallel()
	v := known()
	climbing("rungs", 4)(&v)
	seals := fakes.Authenticator{}
	sealed := v.OpenRounds["o1"]
	sealed.Seal, _ = seals.Seal(bet.OpenPurpose, sealed.Sealed())
	for name, forge := range map[string]func(*bet.Open){
		"":             func(*bet.Open) {},
		"another seal": func(o *bet.Open) { o.Seal = "" },
		"a stake":      func(o *bet.Open) { o.Wager++ },
		"an action":    func(o *bet.Open) { o.Actions = game.List(fakes.Climb) },
		"a prize":      func(o *bet.Open) { o.Exposure++ },
	} {
		forged := sealed
		forge(&forged)
		v.OpenRounds = map[string]bet.Open{"o1": forged}
		r := asked(v, fakes.Climb)
		r.Seals = seals
		if _, err := player.StepRound(v, r); (name == "") != (err == nil) {
			t.Errorf("%q: %v", name, err)
		}
	}
}

// TestStakesOfAnEarlierPeriodCountInThePresentOne: winning back a loss counted in an
// earlier period must not widen the present one.
func TestStakesOfAnEarlierPeriodCountInThePresentOne(t *testing.T) {
	t.Parallel()
	limits, _ := protection.State{}.WithLimits([]protection.LimitRequest{{Kind: protection.Loss, Period: protection.Day, Token: money.SOL, Amount: 500}}, at)
	for _, row := range []struct {
		end  time.Time
		want int64
	}{{at.Add(time.Hour), -100}, {at.Add(24 * time.Hour), -100}} {
		s, moved := limits.Staked(money.SOL, 300, at)
		if !moved || s.Limits[0].Used != 300 {
			t.Fatalf("a stake counts as %d", s.Limits[0].Used)
		}
		s, _ = s.Settled(money.SOL, 300, 400, at, row.end)
		if got := s.Limits[0].Used; got != row.want {
			t.Errorf("ended at %v: %d", row.end, got)
		}
	}
	if _, moved := (protection.State{}).Settled(money.SOL, 1, 1, at, at); moved {
		t.Error("nothing to move is moved")
	}
}

// TestRoomsAddUp: for any exposures of the lanes, and any age of what they see of
// others, their total stays within the share.
func TestRoomsAddUp(t *testing.T) {
	t.Parallel()
	const share = 1_000
	for lanes := 1; lanes <= 5; lanes++ {
		has := make([]money.Amount, lanes)
		has[0] = share * 3 / 5 // from a time with fewer lanes
		seen := slices.Clone(has)
		for round := range 200 {
			at := round * 7 % lanes
			if round%3 == 0 { // all lanes see the committed state
				seen = slices.Clone(has)
			}
			e := bet.Exposed{Own: money.TotalOf(has[at])}
			for i, other := range seen {
				if i != at {
					e.Others = append(e.Others, money.TotalOf(other))
				}
			}
			has[at] += min(e.Room(share), money.Amount(round%90))
			if round%11 == 0 {
				has[at] -= has[at] / 2
			}
			sum := money.Amount(0)
			for _, n := range has {
				sum += n
			}
			if sum > share {
				t.Fatalf("%d lanes owe %d of %d: %v", lanes, sum, share, has)
			}
		}
	}
	for name, row := range map[string]struct {
		e    bet.Exposed
		want money.Amount
	}{
		"alone":                     {bet.Exposed{}, 1_000},
		"what is idle counts":       {bet.Exposed{Idle: money.TotalOf(300)}, 700},
		"no more than a part":       {bet.Exposed{Others: []money.Total{{}}}, 500},
		"another has more than one": {bet.Exposed{Others: []money.Total{money.TotalOf(800)}}, 200},
		"nothing is left":           {bet.Exposed{Own: money.TotalOf(1_001)}, 0},
		"more than an amount holds": {bet.Exposed{Own: money.TotalOf(money.Max).AddAmount(money.Max)}, 0},
	} {
		if got := row.e.Room(share); got != row.want {
			t.Errorf("%s: %d, want %d", name, got, row.want)
		}
	}
}
