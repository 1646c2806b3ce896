package game_test

import (
	"math/big"
	"testing"

	"github.com/casino-service/casino/domain/game"
)

// pokerCount sums the payouts of hands. For each set of up to five cards it sums over
// the hands that contain it; the results of a hold follow from these sums by inclusion
// and exclusion. If two holds return the same, the greater square is used.
type pokerCount struct {
	choose [53][6]int32
	// pays and squares are sums over the hands with a set of this many cards, by the set's
	// index.
	pays, squares [6][]int64
}

func newPokerCount() *pokerCount {
	c := &pokerCount{}
	for n := range c.choose {
		c.choose[n][0] = 1
		for k := 1; k <= 5 && n > 0; k++ {
			c.choose[n][k] = c.choose[n-1][k-1] + c.choose[n-1][k]
		}
	}
	for size := range c.pays {
		c.pays[size], c.squares[size] = make([]int64, c.choose[52][size]), make([]int64, c.choose[52][size])
	}
	c.hands(func(hand *[5]uint8) {
		pays := int64(game.PokerPays(hand))
		if pays == 0 {
			return
		}
		for set := range 32 {
			size, at := c.place(hand, set)
			c.pays[size][at] += pays
			c.squares[size][at] += pays * pays
		}
	})
	return c
}

// hands enumerates all hands in ascending order of their cards.
func (c *pokerCount) hands(each func(*[5]uint8)) {
	var hand [5]uint8
	for hand[0] = 0; hand[0] < 48; hand[0]++ {
		for hand[1] = hand[0] + 1; hand[1] < 49; hand[1]++ {
			for hand[2] = hand[1] + 1; hand[2] < 50; hand[2]++ {
				for hand[3] = hand[2] + 1; hand[3] < 51; hand[3]++ {
					for hand[4] = hand[3] + 1; hand[4] < 52; hand[4]++ {
						each(&hand)
					}
				}
			}
		}
	}
}

// place returns the index of some cards of a hand among all sets of their size.
func (c *pokerCount) place(hand *[5]uint8, set int) (size int, at int32) {
	for i, card := range hand {
		if set>>i&1 == 1 {
			size++
			at += c.choose[card][size]
		}
	}
	return size, at
}

// hold returns the sums over all draws that complete the held cards.
func (c *pokerCount) hold(at *[32]int32, size *[32]int8, held int) (pays, squares int64) {
	out := 31 &^ held
	for seen := out; ; seen = (seen - 1) & out {
		set := held | seen
		if (size[set]-size[held])&1 == 0 {
			pays += c.pays[size[set]][at[set]]
			squares += c.squares[size[set]][at[set]]
		} else {
			pays -= c.pays[size[set]][at[set]]
			squares -= c.squares[size[set]][at[set]]
		}
		if seen == 0 {
			return pays, squares
		}
	}
}

// TestVideoPokerAtBestPlay counts every one of the 2,598,960 hands with every one of its 32
// holds.
func TestVideoPokerAtBestPlay(t *testing.T) {
	t.Parallel()
	c := newPokerCount()
	// ways is the number of draws that complete this many held cards; all makes the sums
	// comparable.
	const all = 5 * 1533939
	ways := [6]int64{1533939, 178365, 16215, 1081, 47, 1}
	var mean, square big.Int
	c.hands(func(hand *[5]uint8) {
		if !canonical(hand) {
			return
		}
		var at [32]int32
		var size [32]int8
		for set := range 32 {
			n, place := c.place(hand, set)
			size[set], at[set] = int8(n), place
		}
		var best, bestSquare int64
		for held := range 32 {
			pays, squares := c.hold(&at, &size, held)
			scale := int64(all) / ways[size[held]]
			if pays, squares = pays*scale, squares*scale; pays > best || pays == best && squares > bestSquare {
				best, bestSquare = pays, squares
			}
		}
		times := int64(alike(hand))
		mean.Add(&mean, big.NewInt(best*times))
		square.Add(&square, big.NewInt(bestSquare*times))
	})
	of := new(big.Int).Mul(big.NewInt(2598960), big.NewInt(all))
	best, squares := new(big.Rat).SetFrac(&mean, of), new(big.Rat).SetFrac(&square, of)
	stated := begin(t, game.VideoPoker())
	if stated.Return().Best.Cmp(best) != 0 || best.FloatString(8) != "0.99543904" {
		t.Errorf("best play returns %s = %s, stated is %s", best, percent(best), stated.Return().Best)
	}
	variance := new(big.Rat).Sub(squares, new(big.Rat).Mul(best, best))
	if got := stated.Theory(nil, game.Object()); got.RTPPartsPerBillion != rounded(best) || got.VariancePartsPerBillion != rounded(variance) {
		t.Errorf("keeps %+v, best play has a mean square of %s, a variance of %s", got, squares, variance.FloatString(9))
	}
}

// suits are all permutations of the suits.
var suits = func() (all [][4]uint8) {
	for a := range uint8(4) {
		for b := range uint8(4) {
			for c := range uint8(4) {
				if d := 6 - a - b - c; a != b && a != c && b != c {
					all = append(all, [4]uint8{a, b, c, d})
				}
			}
		}
	}
	return all
}()

// renamed returns the set of a hand's cards with permuted suits.
func renamed(hand *[5]uint8, to *[4]uint8) (set uint64) {
	for _, card := range hand {
		set |= 1 << (card&^3 | to[card&3])
	}
	return set
}

// canonical reports whether a hand is the least of those that differ only by a
// permutation of suits, and how many they are.
func canonical(hand *[5]uint8) bool {
	if top := hand[4]; top&3 != 0 && hand[3]>>2 != top>>2 {
		return false // swapping with the first suit would lower its highest card
	}
	own := renamed(hand, &[4]uint8{0, 1, 2, 3})
	for i := range suits {
		if renamed(hand, &suits[i]) < own {
			return false
		}
	}
	return true
}

func alike(hand *[5]uint8) int {
	seen := map[uint64]bool{}
	for i := range suits {
		seen[renamed(hand, &suits[i])] = true
	}
	return len(seen)
}

// TestVideoPokerHands has a hand for each entry of the table.
func TestVideoPokerHands(t *testing.T) {
	t.Parallel()
	names := map[string]uint8{}
	for card := range uint32(52) {
		names[game.CardName(card)] = uint8(card)
	}
	for _, row := range []struct {
		hand [5]string
		pays uint64
	}{
		{[5]string{"10h", "Jh", "Qh", "Kh", "Ah"}, 800},
		{[5]string{"9h", "10h", "Jh", "Qh", "Kh"}, 50},
		{[5]string{"Ac", "2c", "3c", "4c", "5c"}, 50},
		{[5]string{"2d", "2h", "2s", "2c", "3d"}, 25},
		{[5]string{"Kd", "Kh", "2s", "2c", "2d"}, 9},
		{[5]string{"2d", "5d", "9d", "Jd", "Kd"}, 6},
		{[5]string{"Ad", "2c", "3c", "4c", "5c"}, 4},
		{[5]string{"10d", "Jc", "Qc", "Kc", "Ac"}, 4},
		{[5]string{"Qd", "Kc", "Ac", "2c", "3c"}, 0},
		{[5]string{"7d", "7h", "7s", "2c", "3d"}, 3},
		{[5]string{"7d", "7h", "2s", "2c", "Ad"}, 2},
		{[5]string{"Jd", "Jh", "2s", "3c", "4d"}, 1},
		{[5]string{"Ad", "Ah", "2s", "3c", "4d"}, 1},
		{[5]string{"10d", "10h", "Js", "Qc", "Kd"}, 0},
		{[5]string{"2d", "4h", "6s", "8c", "10d"}, 0},
	} {
		var hand [5]uint8
		for i, name := range row.hand {
			hand[i] = names[name]
		}
		if got := game.PokerPays(&hand); got != row.pays {
			t.Errorf("%v pays %d, want %d", row.hand, got, row.pays)
		}
	}
}

// TestVideoPokerDraws: the cards that aren't held are replaced from the left by the
// sixth card and those after it, in any order of holds.
func TestVideoPokerDraws(t *testing.T) {
	t.Parallel()
	draws := func() game.Draws { return stream("video", "poker", 4) }
	steps := begin(t, game.VideoPoker())
	all := popped(recorded(draws(), 10), 52, 10)
	for _, held := range [][]int{{}, {0, 1, 2, 3, 4}, {4, 1}, {2}, {0, 3, 4}} {
		want, next := make([]int, 5), 5
		for i := range want {
			if want[i] = all[i]; !containsInt(held, i) {
				want[i] = all[next]
				next++
			}
		}
		got := ended(t, steps, draws, action("draw", "hold", listOf(held...)))
		for i, card := range want {
			if got.Outcome.Get("cards").At(i).Text() != game.CardName(uint32(card)) || got.Outcome.Get("dealt").At(i).Text() != game.CardName(uint32(all[i])) {
				t.Errorf("held %v: %v, want %v of %v", held, got.Outcome, want, all)
			}
		}
	}
	state, err := game.Replay(steps, draws, nil)
	if err != nil {
		t.Fatal(err)
	}
	left, err := game.Abandoned(steps, state[0])
	if err != nil || !left.Equal(action("draw", "hold", listOf(0, 1, 2, 3, 4))) {
		t.Errorf("left alone: %v, %v", left, err)
	}
}

// recorded returns the first draws of a stream.
func recorded(draws game.Draws, n int) []uint32 {
	all := make([]uint32, n)
	for i := range all {
		all[i] = draws.Next()
	}
	return all
}
