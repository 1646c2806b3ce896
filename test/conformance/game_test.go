package conformance

import (
	"os"
	"slices"
	"strconv"
	"testing"

	"github.com/casino-service/casino/domain/game"
	"github.com/casino-service/casino/domain/money"
)

// slotsReach is slots with the draws of its highest-paying round: the reels stop for the free
// spins, and then repeatedly for the window that pays most.
type slotsReach struct{ game.Game }

func (slotsReach) Table() game.Value { return game.Slots().(game.Tabled).Table() }

func (slotsReach) GreatestDraws(game.Plan) []uint32 {
	opening, dearest := [5]uint32{23, 10, 26, 17, 25}, [5]uint32{9, 14, 22, 10, 17}
	var draws []uint32
	for spin := range 13 {
		stops := dearest
		if spin == 0 {
			stops = opening
		}
		for _, stop := range stops {
			draws = append(draws, stop<<27) // pick(32) is the top five bits
		}
	}
	return draws
}

// shownReach is a game with the draws of its highest-paying round.
type shownReach struct {
	game.Game
	draws func(config game.Value) []uint32
}

func (s shownReach) GreatestDraws(plan game.Plan) []uint32 { return s.draws(plan.Config()) }

// steppedReach is the same for a game that is also played by steps.
type steppedReach struct {
	game.Stepped
	draws func(config game.Value) []uint32
}

func (s steppedReach) GreatestDraws(plan game.Plan) []uint32 { return s.draws(plan.Config()) }

// picking returns the draws that pick these numbers without replacement from those below n.
func picking(n int, numbers ...int) (draws []uint32) {
	left := make([]int, n)
	for i := range left {
		left[i] = i
	}
	for _, number := range numbers {
		at := slices.Index(left, number)
		draws = append(draws, drawOf(at, len(left)))
		left = slices.Delete(left, at, at+1)
	}
	return draws
}

// drawOf returns the least draw with pick(n) = i.
func drawOf(i, n int) uint32 { return uint32((uint64(i)<<32 + uint64(n) - 1) / uint64(n)) }

// numbersOf returns a list of the config as numbers.
func numbersOf(list game.Value) (numbers []int) {
	for item := range list.Items() {
		n, _ := item.Int()
		numbers = append(numbers, int(n))
	}
	return numbers
}

// reaches are the games with too many rounds to count.
var reaches = map[string]func(config game.Value) []uint32{
	// The mines are on tiles that weren't picked.
	"mines": func(config game.Value) []uint32 {
		count, _ := config.Get("mines").Int()
		var mines []int
		for tile := range 25 {
			if len(mines) < int(count) && !slices.Contains(numbersOf(config.Get("picks")), tile) {
				mines = append(mines, tile)
			}
		}
		return picking(25, mines...)
	},
	"keno": func(config game.Value) []uint32 { return picking(40, numbersOf(config.Get("picks"))...) },
	// An egg behind each picked tile, and the first ones beside it.
	"dragontower": func(config game.Value) (draws []uint32) {
		climb := map[string][2]int{"easy": {4, 3}, "medium": {3, 2}, "hard": {2, 1}, "expert": {3, 1}, "master": {4, 1}}[config.Get("difficulty").Text()]
		for _, tile := range numbersOf(config.Get("picks")) {
			draws = append(append(draws, picking(climb[0], tile)...), make([]uint32, climb[1]-1)...)
		}
		return draws
	},
	// A tie of two hands of nine, or a win of either side, depending on the bets.
	"baccarat": func(config game.Value) []uint32 {
		amounts := map[string]int64{}
		for bet := range config.Get("bets").Items() {
			amounts[bet.Get("on").Text()], _ = bet.Get("amount").Int()
		}
		nine, king := drawOf(4*7, 52), drawOf(4*11, 52)
		player, banker, tie := 40*amounts["player"], 39*amounts["banker"], 20*(amounts["player"]+amounts["banker"])+180*amounts["tie"]
		switch max(player, banker, tie) {
		case tie:
			return []uint32{nine, king, nine, king}
		case player:
			return []uint32{nine, king, king, king}
		}
		return []uint32{king, king, nine, king}
	},
	"hilo": hiloReach,
}

// hiloReach goes from each card to the one for which the right guess leaves the fewest ranks for
// the following cards.
func hiloReach(config game.Value) (draws []uint32) {
	guesses := config.Get("guesses")
	fits := func(guess string, rank int) (low, high int) {
		switch {
		case guess == "higher":
			return max(rank, 1), 12
		case guess == "lower":
			return 0, min(rank, 11)
		}
		return 0, 12
	}
	// least[i][rank] is the least product of right ranks from guess i on, with the next rank that
	// leads to it.
	type path struct{ product, next int }
	least := make([][13]path, guesses.Len()+1)
	best := func(ahead [13]path, low, high int) (at int) {
		at = low
		for rank := low; rank <= high; rank++ {
			if ahead[rank].product < ahead[at].product {
				at = rank
			}
		}
		return at
	}
	for rank := range 13 {
		least[guesses.Len()][rank].product = 1
	}
	for i := guesses.Len() - 1; i >= 0; i-- {
		for rank := range 13 {
			guess := guesses.At(i).Text()
			low, high := fits(guess, rank)
			next := best(least[i+1], low, high)
			product := least[i+1][next].product
			if guess != "skip" {
				product *= high - low + 1
			}
			least[i][rank] = path{product, next}
		}
	}
	rank := best(least[0], 0, 12)
	for i := range least {
		draws = append(draws, drawOf(4*rank, 52))
		rank = least[i][rank].next
	}
	return draws
}

func TestTheHouseGamesConform(t *testing.T) {
	t.Parallel()
	for _, g := range game.House() {
		if g.Type() == "slots" {
			g = slotsReach{g}
		} else if draws := reaches[g.Type()]; draws != nil {
			if stepped, ok := g.(game.Stepped); ok {
				g = steppedReach{stepped, draws}
			} else {
				g = shownReach{g, draws}
			}
		}
		t.Run(g.Type(), func(t *testing.T) {
			t.Parallel()
			Game(t, g)
		})
	}
}

// TestStreams checks the laws of stepped games on CASINO_TEST_STREAMS random streams and lists of
// actions per game.
func TestStreams(t *testing.T) {
	t.Parallel()
	streams := 2_000
	if text := os.Getenv("CASINO_TEST_STREAMS"); text != "" {
		n, err := strconv.Atoi(text)
		if err != nil || n < 1 {
			t.Fatalf("CASINO_TEST_STREAMS is %q, not a number above 0", text)
		}
		streams = n
	}
	for _, g := range game.House() {
		if stepped, ok := g.(game.Stepped); ok {
			t.Run(g.Type(), func(t *testing.T) {
				t.Parallel()
				Streams(t, stepped, streams)
			})
		}
	}
}

// sampled is a game with one draw more in its rounds than they need, and so too many to be
// counted.
type sampled struct{ game.Game }

type sampledPlan struct{ game.Plan }

func (s sampled) Plan(config game.Value, wager money.Amount) (game.Plan, error) {
	plan, err := s.Game.Plan(config, wager)
	if err != nil {
		return nil, err
	}
	return sampledPlan{plan}, nil
}

func (p sampledPlan) Play(draws game.Draws) game.Result {
	result := p.Plan.Play(draws)
	draws.Pick(1 << 31)
	return result
}

// TestSamplesOfSoundGamesConform checks that the bounds hold for prizes as rare as one in a
// million, which most samples miss.
func TestSamplesOfSoundGamesConform(t *testing.T) {
	t.Parallel()
	for _, g := range []game.Game{game.Dice(), game.Limbo(), game.Crash(), game.Coinflip()} {
		t.Run(g.Type(), func(t *testing.T) {
			t.Parallel()
			Game(t, sampled{g})
		})
	}
}
