package game_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/casino-service/casino/domain/game"
	"github.com/casino-service/casino/domain/money"
)

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

// The service writes a fraction with 18 decimals, more than 64 bits where it is above 9.
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
