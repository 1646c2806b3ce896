package game_test

import (
	"errors"
	"math/big"
	"slices"
	"strings"
	"testing"

	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/game"
	"github.com/casino-service/casino/domain/money"
)

// odd is an embedder's game with any declaration that a test needs: it wins on odd
// draws.
type odd struct {
	name, rules string
	fields      []game.Field
	refusal     error
}

type oddPlan struct {
	game.Odds
	config game.Value
}

func (o odd) Type() string         { return o.name }
func (o odd) Rules() string        { return o.rules }
func (o odd) Title() string        { return "Odd" }
func (o odd) Fields() []game.Field { return o.fields }
func (o odd) RTP() game.RTP {
	return game.RTP{Default: big.NewRat(99, 100), Min: big.NewRat(99, 100), Max: big.NewRat(99, 100)}
}

func (o odd) Plan(config game.Value, _ money.Amount) (game.Plan, error) {
	odds := game.Odds{Prize: money.Ratio{Num: 198, Den: 100}, Wins: lattice / 2}
	return oddPlan{Odds: odds, config: config}, o.refusal
}

func (p oddPlan) Config() game.Value { return p.config }

func (p oddPlan) Play(draws game.Draws) game.Result {
	k := draws.Next()
	result := game.Result{Outcome: game.Object(game.Member{Name: "draw", Value: game.Int(int64(k))}), Multiplier: money.Ratio{Den: 1}}
	if k%2 == 1 {
		result.Multiplier = p.Prize
	}
	return result
}

func TestRegistryOffersStandardAndOwnGames(t *testing.T) {
	t.Parallel()
	registry, err := game.NewRegistry(append(game.Standard(), odd{name: "odd", rules: "odd/1"})...)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, g := range registry.Games() {
		names = append(names, g.Type())
		if found, err := registry.Game(g.Type()); err != nil || found.Rules() != g.Rules() {
			t.Errorf("%s: %v", g.Type(), err)
		}
		if found, err := registry.Rules(g.Type(), g.Rules()); err != nil || found.Type() != g.Type() {
			t.Errorf("%s: %v", g.Rules(), err)
		}
		if found, err := registry.Rules(g.Type(), ""); err != nil || found.Rules() != g.Rules() {
			t.Errorf("%s without a version: %v", g.Type(), err)
		}
		if g.Title() == "" {
			t.Errorf("%s has no title", g.Type())
		}
	}
	if got := strings.Join(names, " "); got != "dice limbo crash coinflip slots mines plinko keno wheel roulette diamonds baccarat dragontower hilo odd" {
		t.Errorf("offers %s", got)
	}
	registry.Games()[0] = nil
	if registry.Games()[0] == nil {
		t.Error("the list returned is the registry's own")
	}
}

func TestRegistryRefusesUnknownGamesAndRules(t *testing.T) {
	t.Parallel()
	registry := standard(t)
	for _, name := range []string{"", "Dice", "dice/1", "toString", strings.Repeat("x", 1<<16)} {
		if _, err := registry.Game(name); !fault.Is(err, fault.InvalidGame) || len(err.Error()) > 100 {
			t.Errorf("%.20q: %v", name, err)
		}
		if _, err := registry.Rules(name, ""); !fault.Is(err, fault.InvalidGame) {
			t.Errorf("%.20q: %v", name, err)
		}
	}
	for _, rules := range []string{"dice/2", "limbo/1", "dice", "1"} {
		_, err := registry.Rules("dice", rules)
		requireField(t, err, "rules")
	}
}

func TestRegistryRefusesBrokenDeclarations(t *testing.T) {
	t.Parallel()
	flag := func(shape game.Shape, standard game.Value) []game.Field {
		return []game.Field{{Name: "f", Shape: shape, Default: standard}}
	}
	two := game.Number{Min: 0, Max: 100, Decimals: 2}
	for says, games := range map[string][]game.Game{
		`"dice" is registered twice`:           {game.Dice(), game.Dice()},
		`"odd/1" are registered twice`:         {odd{name: "odd", rules: "odd/1"}, odd{name: "even", rules: "odd/1"}},
		`game type ""`:                         {odd{rules: "/1"}},
		`game type "Odd"`:                      {odd{name: "Odd", rules: "Odd/1"}},
		`game type "o d"`:                      {odd{name: "o d", rules: "o d/1"}},
		`rules "1"`:                            {odd{name: "odd", rules: "1"}},
		`rules "odd/"`:                         {odd{name: "odd", rules: "odd/"}},
		`"f" has no shape`:                     {odd{name: "odd", rules: "odd/1", fields: flag(nil, game.Value{})}},
		`default of "f"`:                       {odd{name: "odd", rules: "odd/1", fields: flag(two, game.Dec(500, 2))}},
		`odd/1: default of "f" is not a canon`: {odd{name: "odd", rules: "odd/1", fields: flag(two, game.Int(1))}},
		`config.f: is required`:                {odd{name: "odd", rules: "odd/1", fields: flag(two, game.Value{})}},
		`empty config: no plan`:                {odd{name: "odd", rules: "odd/1", refusal: errors.New("no plan")}},
	} {
		if _, err := game.NewRegistry(games...); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%v, want %q", err, says)
		}
	}
	_, err := game.NewRegistry(odd{name: "A", rules: "A/1"}, odd{name: "B", rules: "B/1"})
	if err == nil || !strings.Contains(err.Error(), `"A"`) || !strings.Contains(err.Error(), `"B"`) {
		t.Errorf("%v does not name every fault", err)
	}
}

// Retired rules are found only by their version, including those of a game that is no
// longer offered.
func TestRetiredRulesStayVerifiable(t *testing.T) {
	t.Parallel()
	old, gone := odd{name: "odd", rules: "odd/1"}, odd{name: "even", rules: "even/7"}
	now, err := game.NewRegistry(odd{name: "odd", rules: "odd/2"})
	if err != nil {
		t.Fatal(err)
	}
	registry, err := now.Retire(old, gone)
	if err != nil {
		t.Fatal(err)
	}
	for rules, name := range map[string]string{"odd/1": "odd", "odd/2": "odd", "": "odd", "even/7": "even"} {
		found, err := registry.Rules(name, rules)
		if err != nil || rules != "" && found.Rules() != rules || rules == "" && found.Rules() != "odd/2" {
			t.Errorf("%s %s: %v, %v", name, rules, found, err)
		}
	}
	if _, err := registry.Game("even"); !fault.Is(err, fault.InvalidGame) {
		t.Errorf("a retired game is offered: %v", err)
	}
	if _, err := now.Rules("odd", "odd/1"); !fault.Is(err, fault.Invalid) {
		t.Errorf("retiring changed the first registry: %v", err)
	}
	if _, err := registry.Retire(old); err == nil {
		t.Error("the same rules are retired twice")
	}
	claim := game.RoundInputs{GameType: "even", Rules: "even/7", ServerSeed: strings.Repeat("ab", 32), ClientSeed: "c"}
	if result, _, err := registry.Verify(claim); err != nil || result.Outcome.Get("draw").Kind() != game.NumberKind {
		t.Errorf("%v, %v", result, err)
	}
}

// The figures of Odds agree with their exact moments for all values, also outside the
// range of the fast computation.
func TestOddsOfAnyPrize(t *testing.T) {
	t.Parallel()
	for _, odds := range []game.Odds{
		{Prize: money.Ratio{Num: 2, Den: 1}, Wins: lattice / 2},
		{Prize: money.Ratio{Num: 1, Den: 1}, Wins: lattice},
		{Prize: money.Ratio{Num: 5, Den: 1}, Wins: 0},
		{Prize: money.Ratio{Num: 0, Den: 1}, Wins: 7},
		{Prize: money.Ratio{Num: 1, Den: 3}, Wins: lattice / 3},
		{Prize: money.Ratio{Num: 1, Den: 7}, Wins: 1},
		{Prize: money.Ratio{Num: 99 << 20, Den: 100}, Wins: lattice >> 20},
		{Prize: money.Ratio{Num: 1 << 40, Den: 1 << 20}, Wins: lattice >> 21},
		{Prize: money.Ratio{Num: 1_000_000_00, Den: 100}, Wins: 4252},
		{Prize: money.Ratio{Num: 19_802, Den: 10_000}, Wins: 2147268899},
		{Prize: money.Ratio{Num: 1, Den: 1 << 33}, Wins: lattice},
		{Prize: money.Ratio{Num: 4_000_000_000, Den: 1}, Wins: 1},
	} {
		checkRounded(t, oddPlan{Odds: odds})
	}
	huge := game.Odds{Prize: money.Ratio{Num: 4_294_967_295, Den: 1}, Wins: lattice / 2}
	if got := huge.VariancePartsPerBillion(); got != 1<<64-1 {
		t.Errorf("a variance beyond 64 bits is %d", got)
	}
	if got := game.PartsPerBillion(new(big.Rat).SetInt(new(big.Int).Lsh(big.NewInt(1), 80))); got != 1<<64-1 {
		t.Errorf("a figure beyond 64 bits is %d", got)
	}
	if got := game.PartsPerBillion(big.NewRat(1, 2_000_000_000)); got != 1 {
		t.Errorf("half a part is %d", got)
	}
}

func TestReturnIsThatOfThePlan(t *testing.T) {
	t.Parallel()
	registry := standard(t)
	for _, g := range registry.Games() {
		plan := prepare(t, g)
		of, err := registry.Return(g.Type(), game.Value{})
		if err != nil {
			t.Fatal(err)
		}
		moments := plan.Moments()
		if of.GameType != g.Type() || of.Rules != g.Rules() || !of.Config.Equal(plan.Config()) || of.Mean.Cmp(g.RTP().Default) != 0 ||
			of.Variance.Cmp(moments.Variance()) != 0 || of.MaxMultiplier.Cmp(plan.MaxMultiplier()) != 0 ||
			of.GreatestChance.Cmp(plan.(game.KnownChance).GreatestChance()) != 0 {
			t.Errorf("%s: %+v", g.Type(), of)
		}
	}
	of, err := registry.Return("coinflip", object("flips", 3))
	if err != nil || of.Mean.Cmp(big.NewRat(99, 100)) != 0 || of.GreatestChance.Cmp(big.NewRat(1, 8)) != 0 || of.MaxMultiplier.String() != "7.92" ||
		of.Variance.Cmp(big.NewRat(68607, 10000)) != 0 {
		t.Errorf("%+v, %v", of, err)
	}
	if _, err := registry.Return("chess", game.Value{}); !fault.Is(err, fault.InvalidGame) {
		t.Errorf("an unknown game: %v", err)
	}
	_, err = registry.Return("mines", object("mines", 25))
	requireField(t, err, "config.mines")
	// A game with plans that don't know the chance of their greatest multiplier.
	own, err := game.NewRegistry(unsaid{game.Dice()})
	if err != nil {
		t.Fatal(err)
	}
	if of, err := own.Return("dice", game.Value{}); err != nil || of.GreatestChance != nil || of.MaxMultiplier.String() != "1.98" {
		t.Errorf("%+v, %v", of, err)
	}
}

// unsaid is a game with plans that don't implement KnownChance.
type unsaid struct{ game.Game }

type unsaidPlan struct{ game.Plan }

func (u unsaid) Plan(config game.Value, wager money.Amount) (game.Plan, error) {
	plan, err := u.Game.Plan(config, wager)
	return unsaidPlan{plan}, err
}

// Public requests are cheap.
func TestARoundAsksForFewDraws(t *testing.T) {
	t.Parallel()
	draws := 0
	for _, g := range game.Standard() {
		plan := prepare(t, g)
		if g.Type() == "hilo" {
			plan = prepare(t, g, "guesses", guessesOf(slices.Repeat([]string{"lower"}, 15)...))
		}
		counted := &counting{Draws: stream("bounded", g.Type(), 1)}
		plan.Play(counted)
		draws = max(draws, counted.asked)
	}
	if draws > 27 {
		t.Errorf("a round asks for %d draws", draws)
	}
}

// counting counts the draws asked for.
type counting struct {
	game.Draws
	asked int
}

func (c *counting) Next() uint32         { c.asked++; return c.Draws.Next() }
func (c *counting) Pick(n uint32) uint32 { c.asked++; return c.Draws.Pick(n) }
