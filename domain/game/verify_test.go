package game_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/casino-service/casino/domain/fairness"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/game"
	"github.com/casino-service/casino/domain/money"
)

func claim() game.RoundInputs {
	return game.RoundInputs{GameType: "dice", Rules: "dice/1", ServerSeed: strings.Repeat("ab", 32), ClientSeed: "mine", Nonce: 4}
}

// The rounds that an active pair decides are the ones recomputed after its seed is
// revealed, for every game.
func TestVerifyRecomputesWhatThePairDecided(t *testing.T) {
	t.Parallel()
	registry, err := game.NewRegistry(game.House()...)
	if err != nil {
		t.Fatal(err)
	}
	pair := fairness.NewPair(
		fairness.Spare{ID: "1", Seed: fairness.NewServerSeed([32]byte{1})},
		fairness.Spare{ID: "2", Seed: fairness.NewServerSeed([32]byte{2})}, "client", time.Unix(0, 0))
	type played struct {
		claim  game.RoundInputs
		result game.Result
	}
	var rounds []played
	for _, g := range registry.Games() {
		for range 20 {
			if stepped, ok := g.(game.Stepped); ok {
				draws := func() game.Draws { return pair.Draws() }
				claim := game.RoundInputs{GameType: g.Type(), Rules: g.Rules(), ClientSeed: pair.ClientSeed, Nonce: pair.Nonce}
				end := playSteps(t, begin(t, stepped), draws, stream("choices", g.Type(), pair.Nonce), &claim.Actions)
				rounds = append(rounds, played{claim, game.Settle(end)})
				pair = pair.Advance()
			}
			if !game.AtOnce(g) {
				continue
			}
			plan := prepare(t, g)
			claim := game.RoundInputs{GameType: g.Type(), Rules: g.Rules(), Config: plan.Config(), ClientSeed: pair.ClientSeed, Nonce: pair.Nonce}
			rounds = append(rounds, played{claim, plan.Play(pair.Draws())})
			pair = pair.Advance()
		}
	}
	revealed, _ := pair.Rotate(pair.Kept("next"), fairness.Spare{ID: "3", Seed: fairness.NewServerSeed([32]byte{3})}, time.Unix(0, 0))
	for _, round := range rounds {
		round.claim.ServerSeed = revealed.ServerSeed
		result, commitment, err := registry.Verify(round.claim)
		if err != nil || commitment != revealed.Commitment {
			t.Fatalf("%+v: %s, %v", round.claim, commitment, err)
		}
		if !result.Outcome.Equal(round.result.Outcome) || result.Multiplier != round.result.Multiplier {
			t.Errorf("nonce %d of %s: %v, decided %v", round.claim.Nonce, round.claim.GameType, result, round.result)
		}
	}
}

// TestServerSeedsHaveOneForm refuses seeds of other houses, of 32 characters or of any text.
func TestServerSeedsHaveOneForm(t *testing.T) {
	t.Parallel()
	for _, seed := range []string{
		"", "x", strings.Repeat("a", 32), strings.Repeat("a", 63), strings.Repeat("a", 65), strings.Repeat("AB", 32), strings.Repeat("é", 32), strings.Repeat("0g", 32),
		" " + strings.Repeat("a", 63),
	} {
		c := claim()
		c.ServerSeed = seed
		_, _, err := standard(t).Verify(c)
		requireField(t, err, "serverSeed")
	}
	if _, _, err := standard(t).Verify(claim()); err != nil {
		t.Error(err)
	}
}

func TestVerifyNamesWhatIsWrong(t *testing.T) {
	t.Parallel()
	for field, change := range map[string]func(*game.RoundInputs){
		"rules":         func(c *game.RoundInputs) { c.Rules = "dice/9" },
		"config.target": func(c *game.RoundInputs) { c.Config = object("target", 0) },
		"serverSeed":    func(c *game.RoundInputs) { c.ServerSeed = strings.Repeat("a", 129) },
		"clientSeed":    func(c *game.RoundInputs) { c.ClientSeed = "" },
		"nonce":         func(c *game.RoundInputs) { c.Nonce = -1 },
	} {
		c := claim()
		change(&c)
		_, _, err := standard(t).Verify(c)
		requireField(t, err, field)
	}
	c := claim()
	c.ServerSeed = ""
	_, _, err := standard(t).Verify(c)
	requireField(t, err, "serverSeed")
	c.GameType = "craps"
	if _, _, err := standard(t).Verify(c); !fault.Is(err, fault.InvalidGame) {
		t.Errorf("unknown game: %v", err)
	}
}

// playSteps plays a round to its end by random choices.
func playSteps(t fataler, steps game.Steps, draws func() game.Draws, random game.Draws, taken *[]game.Value) game.State {
	states, err := game.Replay(steps, draws, nil)
	if err != nil {
		t.Fatalf("%v", err)
	}
	state := states[0]
	*taken = []game.Value{}
	for !state.Ended {
		choice := &state.Choices[random.Pick(uint32(len(state.Choices)))]
		action, _, after, err := game.Advance(steps, draws, *taken, choice.Pick(random))
		if err != nil {
			t.Fatalf("%v: %v", *taken, err)
		}
		*taken, state = append(*taken, action), after
	}
	return state
}

// TestVerifyRefusesActionsThatArent tries actions that don't form an ended round.
func TestVerifyRefusesActionsThatArent(t *testing.T) {
	t.Parallel()
	mines := func(actions ...game.Value) game.RoundInputs {
		c := claim()
		c.GameType, c.Rules, c.Actions = "mines", "mines/1", append([]game.Value{}, actions...)
		return c
	}
	c := mines(action("cashOut"))
	if result, _, err := standard(t).Verify(c); err != nil || result.Multiplier.String() != "0.99" {
		t.Fatalf("%v, %v", result, err)
	}
	picked, dice, late := mines(action("cashOut")), claim(), mines(action("cashOut"), action("cashOut"))
	picked.Config = object("picks", listOf(1))
	dice.Actions = []game.Value{}
	for field, c := range map[string]game.RoundInputs{
		"actions": mines(), "actions[0].tile": mines(action("open", "tile", 25)), "gameType": dice, "config.picks": picked,
	} {
		_, _, err := standard(t).Verify(c)
		requireField(t, err, field)
	}
	_, _, err := standard(t).Verify(late)
	requireField(t, err, "actions")
}

func TestWhatDiffersIsNamed(t *testing.T) {
	t.Parallel()
	outcome := game.Object(game.Member{Name: "roll", Value: game.Dec(5050, 2)}, game.Member{Name: "shown", Value: game.List(game.Int(1), game.Bool(true), game.Text("a"))})
	result := game.Result{Outcome: outcome, Multiplier: money.Ratio{Num: 198, Den: 100}}
	wager := func(a money.Amount) *money.Amount { return &a }
	number := func(text string) game.Value { v, _ := game.ParseNumber(text); return v }
	for name, row := range map[string]struct {
		expected game.Expected
		differs  []string
	}{
		"nothing is expected": {game.Expected{}, nil},
		"all as it was":       {game.Expected{Commitment: "c", Outcome: outcome, Multiplier: game.Dec(198, 2), Wager: wager(101), Payout: wager(199)}, nil},
		"all otherwise": {game.Expected{Commitment: "d", Outcome: game.Object(), Multiplier: game.Int(2), Wager: wager(101), Payout: wager(200)},
			[]string{"serverSeedHash", "outcome", "multiplier", "payout"}},
		"members in another order, no zeros": {game.Expected{Outcome: game.Object(
			game.Member{Name: "shown", Value: outcome.Get("shown")}, game.Member{Name: "roll", Value: number("50.5")})}, nil},
		"more zeros": {game.Expected{Multiplier: number("1.98000")}, nil},
		"another item in a list": {game.Expected{Outcome: game.Object(
			game.Member{Name: "roll", Value: game.Dec(5050, 2)}, game.Member{Name: "shown", Value: game.List(game.Int(1), game.Bool(true), game.Text("b"))})}, []string{"outcome"}},
		"a list cut short": {game.Expected{Outcome: game.Object(
			game.Member{Name: "roll", Value: game.Dec(5050, 2)}, game.Member{Name: "shown", Value: game.List(game.Int(1), game.Bool(true))})}, []string{"outcome"}},
		"a member more":          {game.Expected{Outcome: game.Object(append(slices.Collect(membersOf(outcome)), game.Member{Name: "more", Value: game.Int(1)})...)}, []string{"outcome"}},
		"a member of other name": {game.Expected{Outcome: game.Object(game.Member{Name: "rolled", Value: game.Dec(5050, 2)}, game.Member{Name: "shown", Value: outcome.Get("shown")})}, []string{"outcome"}},
		"an exponent":            {game.Expected{Multiplier: number("198e-2")}, []string{"multiplier"}},
		"a huge exponent":        {game.Expected{Multiplier: number("1e999999999")}, []string{"multiplier"}},
		"a number in a text":     {game.Expected{Multiplier: game.Text("1.98")}, []string{"multiplier"}},
		"a payout alone":         {game.Expected{Payout: wager(1)}, nil},
		"more than can be paid":  {game.Expected{Wager: wager(money.Max), Payout: wager(money.Max)}, []string{"payout"}},
	} {
		if got := row.expected.Differences(result, "c"); !slices.Equal(got, row.differs) {
			t.Errorf("%s: %q, want %q", name, got, row.differs)
		}
	}
	third := game.Result{Multiplier: money.Ratio{Num: 1, Den: 3}}
	for text, same := range map[string]bool{
		"0.333333333333333333": true, "0.3333333333333333": true, "0.333333333": true, "0.33333333": false, "0.333333335": false, "1": false, "3e-1": false,
		"0." + strings.Repeat("3", 62): true, "0." + strings.Repeat("3", 63): false,
	} {
		if got := (game.Expected{Multiplier: number(text)}).Differences(third, ""); (got == nil) != same {
			t.Errorf("a third as %s: %q", text, got)
		}
	}
}

// The service writes a fraction with 18 digits in all, more than 64 bits if it is above
// 9.
func TestALongMultiplierIsCompared(t *testing.T) {
	t.Parallel()
	result := game.Result{Multiplier: money.Ratio{Num: 12_345_679, Den: 7}}
	said, _ := game.ParseNumber(result.Multiplier.DecimalText(18))
	if got := (game.Expected{Multiplier: said}).Differences(result, ""); got != nil {
		t.Errorf("%s: %q", said.NumberText(), got)
	}
}

// membersOf gives the members of an object.
func membersOf(v game.Value) func(yield func(game.Member) bool) {
	return func(yield func(game.Member) bool) {
		for name, value := range v.Members() {
			if !yield(game.Member{Name: name, Value: value}) {
				return
			}
		}
	}
}

func TestWagersThatARoundCanHaveHad(t *testing.T) {
	t.Parallel()
	of := func(num, den uint64) money.Ratio { return money.Ratio{Num: num, Den: den} }
	for name, row := range map[string]struct {
		wagers  game.Wagers
		allowed []money.Amount
		refused []money.Amount
		text    string
	}{
		"any":         {game.Wagers{}, []money.Amount{1, 7, money.Max}, nil, `"any"`},
		"one stake":   {game.Wagers{Stake: of(1, 1)}, []money.Amount{1, 7, money.Max}, nil, `"any"`},
		"a sum":       {game.Wagers{Sum: 10_000}, []money.Amount{10_000}, []money.Amount{1, 9_999, 10_001, 20_000}, "10000"},
		"three":       {game.Wagers{Stake: of(3, 1)}, []money.Amount{3, 30_000, money.Max / 3 * 3}, []money.Amount{1, 2, 29_999, 30_001, money.Max/3*3 - 1}, `"a whole first wager 3 times"`},
		"half again":  {game.Wagers{Stake: of(3, 2)}, []money.Amount{1, 3, 4, 15_000}, []money.Amount{2, 5, 14_999}, `"a whole first wager 1.5 times"`},
		"a great one": {game.Wagers{Stake: of(2, 1)}, []money.Amount{money.Max - 1}, []money.Amount{money.Max}, `"a whole first wager 2 times"`},
		"not reduced": {game.Wagers{Stake: of(4, 2)}, []money.Amount{2, 4}, []money.Amount{3}, `"a whole first wager 2 times"`},
	} {
		if got := row.wagers.Text(); got != row.text {
			t.Errorf("%s is %s, want %s", name, got, row.text)
		}
		for _, wager := range row.allowed {
			if !row.wagers.Allow(wager) {
				t.Errorf("%s: %d is refused", name, wager)
			}
		}
		for _, wager := range row.refused {
			result := game.Result{Multiplier: money.Ratio{Den: 1}, Wagers: row.wagers}
			if got := (game.Expected{Wager: &wager}).Differences(result, ""); !slices.Equal(got, []string{"wager"}) {
				t.Errorf("%s: %d differs in %v", name, wager, got)
			}
		}
	}
}
