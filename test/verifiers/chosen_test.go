package verifiers_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/casino-service/casino/domain/game"
)

// edges are draws at which wrong computations show: the limits, where pick(n) changes, and where
// divisions by a draw have no remainder. It records the draws.
type edges struct {
	maker
	towards []uint32 // if there are any: the stops to give, one after another
	given   []uint32
}

func (e *edges) Next() uint32 {
	e.given = append(e.given, e.edge())
	return e.given[len(e.given)-1]
}

func (e *edges) Pick(n uint32) uint32 { return uint32(uint64(e.Next()) * uint64(n) >> 32) }

func (e *edges) edge() uint32 {
	if len(e.towards) > 0 && e.IntN(8) > 0 {
		stop := e.towards[len(e.given)%len(e.towards)]
		return (stop-e.Uint32N(3))%32<<27 | e.Uint32()>>5
	}
	near := int64(e.IntN(3)) - 1
	switch e.IntN(6) {
	case 0:
		return e.Uint32()
	case 1:
		return uint32(near) * 2
	case 2: // ⌊a·2^32/n⌋ is where pick(n) changes to a, plus or minus one
		n := []int64{2, 3, 4, 7, 32, 37, 52, 10001, e.number(2, 50)}[e.IntN(9)]
		return uint32(e.Int64N(n+1)<<32/n + near)
	case 3: // divisors of 99·2^32
		return uint32([]int64{1, 3, 9, 11, 33, 99}[e.IntN(6)]<<e.IntN(33) - 1 + near)
	case 4: // the same in the upper 24 bits
		return uint32([]int64{1, 3, 9, 11, 33, 99}[e.IntN(6)]<<e.IntN(25)-1+near)<<8 | e.Uint32()>>24
	default: // a prize of hundredths, reached or not
		return uint32(99<<32/(100+e.Uint64N(1<<e.IntN(20))) - 1 + uint64(near))
	}
}

// scatters are the stops of the reels' scatters, from docs/fairness/games.md.
var scatters = []uint32{23, 12, 27, 19, 27}

// TestChosenDraws plays draws that seeds hardly ever give, with configs that the outcome just
// reaches or misses.
func TestChosenDraws(t *testing.T) {
	t.Parallel()
	lines := chosen(t, newMaker(t, 9, known(t)))
	printed, faults, code := python(t, append(bytes.Join(lines, []byte("\n")), '\n'), "chosen.py")
	noneDiffers(t, lines, printed, faults, code)
}

// chosen returns games' results for chosen draws, one per line: every cell of their tables, and
// draws at which computations go wrong.
func chosen(t *testing.T, m maker) [][]byte {
	t.Helper()
	lines := swept(t, m)
	for i := range 5_000 {
		g := m.games[i%len(m.games)]
		draws := &edges{maker: m}
		if g.Rules() == "slots/1" && i%2 == 0 {
			draws.towards = scatters
		}
		config := m.config(t, g)
		result := played(t, g, config, draws)
		if near, ok := m.near(t, g, config, result.Outcome); ok {
			replay := &again{of: draws}
			config, result = near, played(t, g, near, replay)
			draws.given = draws.given[:replay.at]
		}
		lines = append(lines, m.line(t, g, config, draws.given, result))
	}
	return append(lines, chosenSteps(t, m)...)
}

// line returns a game's result for draws, as a request to programs.
func (m maker) line(t *testing.T, g game.Game, config game.Value, draws []uint32, result game.Result) []byte {
	t.Helper()
	given, err := json.Marshal(draws)
	noError(t, err)
	return fmt.Appendf(nil, `{"rules":%s,"config":%s,"draws":%s,"outcome":%s,"multiplier":%q}`,
		quoted(g.Rules()), m.text(config, false), given, m.text(result.Outcome, true), result.Multiplier.String())
}

// noneDiffers fails if a program judged a line to be different.
func noneDiffers(t *testing.T, lines [][]byte, printed, faults []byte, code int) {
	t.Helper()
	differs := strings.Split(strings.TrimSpace(string(printed)), "\n")
	if code != 0 || len(differs) != len(lines) {
		t.Fatalf("%d answers, exit code %d\n%s", len(differs), code, faults)
	}
	for i, line := range differs {
		if line != `""` {
			t.Errorf("%s\n%s", lines[i], line)
		}
	}
}

func played(t *testing.T, g game.Game, config game.Value, draws game.Draws) game.Result {
	t.Helper()
	plan, err := game.Prepare(g, config, 0)
	noError(t, err)
	result, err := game.Play(plan, draws)
	noError(t, err)
	return result
}

// again gives the recorded draws, and continues where they end.
type again struct {
	of *edges
	at int
}

func (a *again) Next() uint32 {
	if a.at++; a.at > len(a.of.given) {
		return a.of.Next()
	}
	return a.of.given[a.at-1]
}

func (a *again) Pick(n uint32) uint32 { return uint32(uint64(a.Next()) * uint64(n) >> 32) }

// near returns a config with a number of the outcome, or one next to it, in place of one of its
// own, if that can be played: a target that is just hit, or just missed.
func (m maker) near(t *testing.T, g game.Game, config, outcome game.Value) (game.Value, bool) {
	t.Helper()
	var numbers []game.Value
	for _, value := range outcome.Members() {
		if value.Kind() == game.NumberKind {
			numbers = append(numbers, value)
		}
	}
	var members []game.Member
	for _, field := range g.Fields() {
		value := config.Get(field.Name)
		if shape, ok := field.Shape.(game.Number); ok && len(numbers) > 0 {
			if units, ok := numbers[m.IntN(len(numbers))].Units(shape.Decimals); ok && units < math.MaxInt64 {
				value = game.Dec(units+int64(m.IntN(3))-1, shape.Decimals)
			}
		}
		if value.Kind() != game.Absent {
			members = append(members, game.Member{Name: field.Name, Value: value})
		}
	}
	plan, err := game.Prepare(g, game.Object(members...), 0)
	if err != nil {
		return game.Value{}, false
	}
	return plan.Config(), true
}
