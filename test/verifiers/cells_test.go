package verifiers_test

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/casino-service/casino/domain/game"
)

// cell is a config and draws that lead to one figure of a game's tables, and the outcome's value
// then. Most figures never occur in thousands of random rounds.
type cell struct {
	config game.Value
	draws  []uint32
	shows  string
}

// cells returns all cells of a game: every game that publishes a table has some.
func cells(t *testing.T, g game.Game) []cell {
	t.Helper()
	switch g.Rules() {
	case "slots/1":
		return slotsCells(g)
	case "plinko/1", "keno/1", "wheel/1":
		return tableCells(g)
	case "mines/1":
		return minesCells()
	case "baccarat/1":
		return baccaratCells()
	case "diamonds/1":
		return diamondsCells()
	case "dragontower/1":
		return towerCells()
	case "hilo/1":
		return hiloCells()
	}
	if _, ok := g.(game.Tabled); ok {
		t.Errorf("nothing plays every cell of %s", g.Rules())
	}
	return nil
}

// swept returns all cells of the games, one per line, in the format of chosen.
func swept(t *testing.T, m maker) (lines [][]byte) {
	t.Helper()
	for _, g := range m.games {
		for _, c := range cells(t, g) {
			drawn := &again{of: &edges{maker: m, given: c.draws}}
			result := played(t, g, c.config, drawn)
			if !strings.Contains(result.Outcome.String(), c.shows) {
				t.Fatalf("%s: %v of %v is %v, not %s", g.Rules(), c.config, c.draws, result.Outcome, c.shows)
			}
			lines = append(lines, m.line(t, g, c.config, drawn.of.given[:drawn.at], result))
		}
	}
	return lines
}

// least returns the first draw with pick(n) = number.
func least(number, n int) uint32 { return uint32((uint64(number)<<32 + uint64(n) - 1) / uint64(n)) }

const highest = math.MaxUint32

// draws returns a number of one draw, then a number of another.
func draws(first uint32, count int, then uint32, more int) []uint32 {
	return slices.Concat(slices.Repeat([]uint32{first}, count), slices.Repeat([]uint32{then}, more))
}

func tiles(from, to int) game.Value {
	var items []game.Value
	for tile := from; tile < to; tile++ {
		items = append(items, game.Int(int64(tile)))
	}
	return game.List(items...)
}

func with(name string, value game.Value) game.Member { return game.Member{Name: name, Value: value} }

// tableCells reach every figure of the tables that a game has by risk and by size.
func tableCells(g game.Game) (all []cell) {
	for table := range g.(game.Tabled).Table().Get("tables").Items() {
		risk := with("risk", table.Get("risk"))
		for i := range table.Get("pays").Len() {
			switch g.Rules() {
			case "plinko/1":
				rows, _ := table.Get("rows").Int()
				all = append(all, cell{game.Object(risk, with("rows", game.Int(rows))), draws(highest, i, 0, int(rows)-i), fmt.Sprintf("bucket: %d}", i)})
			case "keno/1":
				picks, _ := table.Get("picks").Int()
				all = append(all, cell{game.Object(risk, with("picks", tiles(0, int(picks)))), draws(0, i, highest, 10-i), fmt.Sprintf("hits: %d}", i)})
			case "wheel/1":
				segments, _ := table.Get("segments").Int()
				all = append(all, cell{game.Object(risk, with("segments", game.Int(segments))), []uint32{least(i, int(segments))}, fmt.Sprintf("index: %d}", i)})
			}
		}
	}
	return all
}

// slotsCells show three, four and five of every symbol on every line, and of scatters.
func slotsCells(g game.Game) (all []cell) {
	table := g.(game.Tabled).Table()
	strips := table.Get("strips")
	at := func(reel int, is func(symbol string) bool) int {
		symbols := slices.Collect(strips.At(reel).Items())
		return slices.IndexFunc(symbols, func(symbol game.Value) bool { return is(symbol.Text()) })
	}
	add := func(line, count int, symbol string, stop func(reel int) int) {
		drawn := make([]uint32, strips.Len())
		for reel := range drawn {
			drawn[reel] = least((stop(reel)+32)%32, 32)
		}
		all = append(all, cell{game.Object(), drawn, fmt.Sprintf("{line: %d, symbol: %q, count: %d, ", line, symbol, count)})
	}
	for pays := range table.Get("pays").Items() {
		symbol := pays.Get("symbol").Text()
		for count := 3; count <= strips.Len() && symbol != "wild"; count++ {
			if symbol == "scatter" {
				add(0, count, symbol, func(reel int) int {
					found := at(reel, func(shown string) bool { return shown == symbol })
					if reel < count {
						return found
					}
					return found + 1
				})
				continue
			}
			for line := range table.Get("lines").Len() {
				add(line+1, count, symbol, func(reel int) int {
					row, _ := table.Get("lines").At(line).At(reel).Int()
					return at(reel, func(shown string) bool {
						if reel < count {
							return shown == symbol
						}
						return shown != symbol && shown != "wild"
					}) - int(row)
				})
			}
		}
	}
	return all
}

// minesCells win with every number of mines and of picks.
func minesCells() (all []cell) {
	for mines := 1; mines <= 24; mines++ {
		for picks := 1; picks <= 25-mines; picks++ {
			config := game.Object(with("mines", game.Int(int64(mines))), with("picks", tiles(25-picks, 25)))
			all = append(all, cell{config, draws(0, mines, 0, 0), fmt.Sprintf("%d]}", mines-1)})
		}
	}
	return all
}

// towerCells climb every tower to every level.
func towerCells() (all []cell) {
	for difficulty, eggs := range map[string]int{"easy": 3, "medium": 2, "hard": 1, "expert": 1, "master": 1} {
		for levels := 1; levels <= 9; levels++ {
			picks := game.List(slices.Repeat([]game.Value{game.Int(0)}, levels)...)
			all = append(all, cell{game.Object(with("difficulty", game.Text(difficulty)), with("picks", picks)), draws(0, 9*eggs, 0, 0), "levels: [[0"})
		}
	}
	return all
}

var ranks = strings.Fields("2 3 4 5 6 7 8 9 10 J Q K A")

// diamond returns the draw of a card.
func diamond(rank int) uint32 { return least(4*rank, 52) }

// baccaratCells give both sides every number of points with two cards, and the player
// every third card.
func baccaratCells() (all []cell) {
	ranked := []int{0, 1, 2, 3, 4, 5, 6, 7, 11, 12} // 2 to 9, king and ace
	king := diamond(11)
	var sides []game.Value
	for i, on := range []string{"player", "banker", "tie"} {
		sides = append(sides, game.Object(with("on", game.Text(on)), with("amount", game.Int(int64(i+1)))))
	}
	for _, player := range ranked {
		for _, banker := range ranked {
			for _, third := range ranked {
				all = append(all, cell{
					game.Object(with("bets", game.List(sides...))), []uint32{king, diamond(player), king, diamond(banker), diamond(third)},
					fmt.Sprintf("player: [%q, %q", "Kd", ranks[player]+"d"),
				})
			}
		}
	}
	return all
}

// diamondsCells are every hand, and its gems in another order.
func diamondsCells() (all []cell) {
	for _, gems := range strings.Fields("00000 11121 22232 33443 45454 56601 65606 60512 01234 65432") {
		var drawn []uint32
		for _, gem := range gems {
			number, _ := strconv.Atoi(string(gem))
			drawn = append(drawn, least(number, 7))
		}
		all = append(all, cell{game.Object(), drawn, "hand: "})
	}
	return all
}

// hiloCells guess both ways on every rank, for every next rank.
func hiloCells() (all []cell) {
	for _, guess := range []string{"higher", "lower", "skip"} {
		for shown, name := range ranks {
			for next, following := range ranks {
				guesses := game.List(game.Text(guess), game.Text("higher"))
				all = append(all, cell{
					game.Object(with("guesses", guesses)), []uint32{diamond(shown), diamond(next), highest},
					fmt.Sprintf(`cards: ["%sd", "%sd", "Ac"]`, name, following),
				})
			}
		}
	}
	return all
}
