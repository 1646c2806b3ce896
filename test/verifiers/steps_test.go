package verifiers_test

import (
	"fmt"
	"math/big"
	"testing"

	"github.com/casino-service/casino/domain/fairness"
	"github.com/casino-service/casino/domain/game"
)

// steppedRound makes a round of a game that is played step by step.
func (m maker) steppedRound(t *testing.T, g game.Stepped) round {
	t.Helper()
	steps := m.begun(t, g)
	inputs := game.RoundInputs{GameType: g.Type(), Rules: g.Rules(), Config: steps.Config()}
	m.seeds(&inputs)
	seed := fairness.ServerSeedFromText(inputs.ServerSeed)
	inputs.Actions = m.walk(t, steps, func() game.Draws { return fairness.NewStream(seed, inputs.ClientSeed, inputs.Nonce) }, m.patience())
	return m.decided(t, inputs)
}

// begun returns the beginning of a round with a random config.
func (m maker) begun(t *testing.T, g game.Stepped) game.Steps {
	t.Helper()
	for range 1000 {
		var members []game.Member
		for _, field := range g.StepFields() {
			given := field.Default.Kind() == game.Absent && !field.Optional
			if given || m.IntN(8) > 0 && (!field.Optional || m.IntN(2) == 0) {
				members = append(members, with(field.Name, m.value(t, field.Shape)))
			}
		}
		if steps, err := game.Begin(g, game.Object(members...), 0); err == nil {
			return steps
		}
	}
	t.Fatalf("no config of %s that can be begun in 1000", g.Rules())
	return nil
}

// patience returns how many actions a player takes before abandoning the round.
func (m maker) patience() int {
	if m.IntN(4) == 0 {
		return m.IntN(4)
	}
	return game.StepsMax
}

// walk plays a round to its end and returns its actions: with random choices, as a player who
// always continues and is lucky, or as one who abandons it after some actions.
func (m maker) walk(t *testing.T, steps game.Steps, draws func() game.Draws, left int) []game.Value {
	t.Helper()
	states, err := game.Replay(steps, draws, nil)
	noError(t, err)
	state, taken := states[0], []game.Value{}
	lucky := m.IntN(3) > 0
	for !state.Ended {
		action, after := m.step(t, steps, draws, taken, state, lucky, left)
		taken, state, left = append(taken, action), after, left-1
	}
	return taken
}

// step takes one action; a lucky player looks ahead for one that continues.
func (m maker) step(t *testing.T, steps game.Steps, draws func() game.Draws, taken []game.Value, state game.State, lucky bool, left int) (game.Value, game.State) {
	t.Helper()
	for tries := 1; ; tries++ {
		offer := &state.Choices[m.IntN(len(state.Choices))]
		if last := &state.Choices[len(state.Choices)-1]; last.Action.Get("type").Text() == "split" && m.IntN(2) == 0 {
			offer = last // which hardly ever exists
		}
		action := offer.Pick(m)
		if left <= 0 {
			abandoned, err := game.Abandoned(steps, state)
			noError(t, err)
			action = abandoned
		}
		action, _, after, err := game.Advance(steps, draws, taken, action)
		if err != nil {
			t.Fatalf("%v of %v: %v", action, steps.Config(), err)
		}
		if !after.Ended || !lucky || left <= 0 || tries > 6 {
			return action, after
		}
	}
}

// Next makes maker implement game.Draws, for game.Offer.Pick.
func (m maker) Next() uint32 { return m.Uint32() }

// Pick is the Pick of a draw.
func (m maker) Pick(n uint32) uint32 { return uint32(uint64(m.Next()) * uint64(n) >> 32) }

// changedAction replaces an action by another one: of another type, with other members, or one
// that no game has.
func changedAction(_ *testing.T, m maker, r *round) {
	i := m.someAction(*r)
	if i < 0 {
		return
	}
	switch action := r.Actions[i]; m.IntN(3) {
	case 0:
		r.Actions[i] = m.changed(action)
	case 1:
		types := []string{"cashOut", "skip", "higher", "lower", "hit", "stand", "double", "split", "draw"}
		r.Actions[i] = game.ActionOf(types[m.IntN(len(types))])
	default:
		var members []game.Member
		for name, value := range action.Members() {
			if value.Kind() == game.NumberKind {
				value = game.Int(m.number(-1, 25))
			}
			members = append(members, with(name, value))
		}
		r.Actions[i] = game.Object(members...)
	}
}

// someAction returns the index of one of a round's actions, -1 if it has none.
func (m maker) someAction(r round) int {
	if len(r.Actions) == 0 {
		return -1
	}
	return m.IntN(len(r.Actions))
}

// chosenSteps returns rounds of steps with chosen draws, one per line: of random configs, and of
// bounds that a step just reaches or exceeds.
func chosenSteps(t *testing.T, m maker) (lines [][]byte) {
	t.Helper()
	for _, g := range m.stepped {
		for range 80 {
			draws, left := &edges{maker: m}, m.patience()
			switch {
			case g.Rules() == "blackjack/1" && m.IntN(2) == 0:
				draws.given = m.pair()
			case g.Rules() == "videopoker/1" && m.IntN(4) > 0:
				draws.given, left = deal(m.hand()), 0
			}
			from := func() game.Draws { return &again{of: draws} }
			steps := m.begun(t, g)
			for range 3 {
				actions := m.walk(t, steps, from, left)
				states, err := game.Replay(steps, from, actions)
				noError(t, err)
				result := game.Settle(states[len(states)-1])
				line := m.line(t, g, steps.Config(), draws.given, result)
				lines = append(lines, fmt.Appendf(line[:len(line)-1], `,"actions":%s}`, m.text(game.List(actions...), false)))
				steps = m.bounded(g, steps, result)
			}
		}
	}
	return lines
}

// pair returns the draws of two cards of one rank, which a player may split.
func (m maker) pair() []uint32 {
	rank := m.IntN(13)
	return []uint32{least(4*rank+m.IntN(4), 52), least(4*rank+m.IntN(4), 52)}
}

// hand returns five cards with the properties of hands: of one suit or not, in a row or not, and
// some of one rank.
func (m maker) hand() []int {
	ranks := m.Perm(13)[:5]
	switch alike := [][]int{{4}, {3, 2}, {3}, {2, 2}, {2}, nil, nil}[m.IntN(7)]; {
	case alike != nil:
		var cards []int
		for i, times := range alike {
			for _, suit := range m.Perm(4)[:times] {
				cards = append(cards, 4*ranks[i]+suit)
			}
		}
		for _, rank := range ranks[len(alike):][:5-len(cards)] {
			cards = append(cards, 4*rank+m.IntN(4))
		}
		m.Shuffle(5, func(i, j int) { cards[i], cards[j] = cards[j], cards[i] })
		return cards
	case m.IntN(3) > 0:
		lowest := m.IntN(10)
		for i, of := range m.Perm(5) {
			ranks[i] = (lowest + of + 12) % 13
		}
	}
	suit, suited := m.IntN(4), m.IntN(2) == 0
	for i, rank := range ranks {
		if ranks[i] = 4*rank + suit; !suited {
			ranks[i] = 4*rank + m.IntN(4)
		}
	}
	return ranks
}

// deal returns draws that deal these cards without replacement.
func deal(cards []int) (drawn []uint32) {
	for i, card := range cards {
		at := card
		for _, before := range cards[:i] {
			if before < card {
				at--
			}
		}
		drawn = append(drawn, least(at, 52-i))
	}
	return drawn
}

// bounded returns the steps of the same config limited to a round's payout, or a ten thousandth
// more or less, if there are any.
func (m maker) bounded(g game.Stepped, steps game.Steps, result game.Result) game.Steps {
	var members []game.Member
	for name, value := range steps.Config().Members() {
		if name != "maxMultiplier" {
			members = append(members, with(name, value))
		}
	}
	exact, ok := new(big.Rat).SetString(result.Multiplier.String())
	if !ok {
		return steps
	}
	units := new(big.Int).Quo(new(big.Int).Mul(exact.Num(), big.NewInt(1e4)), exact.Denom()).Int64()
	members = append(members, with("maxMultiplier", game.Dec(units+int64(m.IntN(3))-1, 4)))
	if capped, err := game.Begin(g, game.Object(members...), 0); err == nil {
		return capped
	}
	return steps
}

// TestSteppedRoundsAreLongAndShort checks that the random rounds for programs end in every
// possible way.
func TestSteppedRoundsAreLongAndShort(t *testing.T) {
	t.Parallel()
	m := newMaker(t, 77, everything())
	for _, g := range m.stepped {
		var lost, most, opening, capped, full int
		for range 200 {
			r := m.steppedRound(t, g)
			most = max(most, len(r.Actions))
			if r.Multiplier == "0" {
				lost++
			}
			if r.Config.Get("maxMultiplier").Kind() != game.Absent {
				capped++
			}
			if len(r.Actions) <= 1 {
				opening++
			}
			if r.Multiplier != "0" && (len(r.Actions) == 0 || r.Actions[len(r.Actions)-1].Get("type").Text() != "cashOut") {
				full++
			}
		}
		t.Logf("%s: %d of 200 lost, %d of one action at most, the longest of %d, %d with a bound, %d ended by the rules", g.Rules(), lost, opening, most, capped, full)
		if lost < 10 || lost > 190 || opening < 5 || full < 5 {
			t.Errorf("%s: %d of 200 lost, %d of one action, %d ended by the rules", g.Rules(), lost, opening, full)
		}
	}
}

// everything returns the rules of every game, as if a program knew them.
func everything() map[string]bool {
	rules := map[string]bool{}
	for _, g := range game.House() {
		rules[g.Rules()], rules[g.Rules()+" by steps"] = true, true
	}
	return rules
}
