package game_test

import (
	"fmt"
	"math/big"
	"slices"
	"strings"
	"testing"

	"github.com/casino-service/casino/domain/game"
)

// bjHand is a hand's total and whether it is soft.
type bjHand struct {
	total int
	soft  bool
}

// with adds a card of this value, an ace being 1.
func (h bjHand) with(value int) bjHand {
	h.total += value
	if value == 1 && !h.soft && h.total+10 <= 21 {
		return bjHand{h.total + 10, true}
	}
	if h.soft && h.total > 21 {
		return bjHand{h.total - 10, false}
	}
	return h
}

// bjChance returns the chance of a card of this value: one rank in thirteen, the tens
// four.
func bjChance(value int) *big.Rat {
	if value == 10 {
		return big.NewRat(4, 13)
	}
	return big.NewRat(1, 13)
}

// bjEnds are the chances of a hand's results, by total, with 22 for a bust, and by
// stakes.
type bjEnds map[[2]int]*big.Rat

func (e bjEnds) add(total, stakes int, chance *big.Rat) {
	key := [2]int{min(total, 22), stakes}
	if e[key] == nil {
		e[key] = new(big.Rat)
	}
	e[key].Add(e[key], chance)
}

func (e bjEnds) mix(chance *big.Rat, other bjEnds) {
	for key, part := range other {
		e.add(key[0], key[1], new(big.Rat).Mul(chance, part))
	}
}

// bjDealer returns the results of a dealer with this shown card and without a blackjack.
func bjDealer(up int) bjEnds {
	known := map[bjHand]bjEnds{}
	var draw func(h bjHand) bjEnds
	draw = func(h bjHand) bjEnds {
		if known[h] == nil {
			known[h] = bjEnds{}
			if h.total >= 17 {
				known[h].add(h.total, 1, big.NewRat(1, 1))
			} else {
				for value := 1; value <= 10; value++ {
					known[h].mix(bjChance(value), draw(h.with(value)))
				}
			}
		}
		return known[h]
	}
	ends, all := bjEnds{}, new(big.Rat)
	for value := 1; value <= 10; value++ {
		if !bjNatural(up, value) {
			ends.mix(bjChance(value), draw(bjHand{}.with(up).with(value)))
			all.Add(all, bjChance(value))
		}
	}
	for _, chance := range ends {
		chance.Quo(chance, all)
	}
	return ends
}

func bjNatural(a, b int) bool { return a+b == 11 && (a == 1 || b == 1) }

// bjPlayer plays the best strategy against one shown card of the dealer.
type bjPlayer struct {
	dealer bjEnds
	known  map[bjHand]bjEnds
}

// worth returns the expected payout of ends, less the stakes.
func (p *bjPlayer) worth(ends bjEnds) *big.Rat {
	sum := new(big.Rat)
	for end, chance := range ends {
		for dealt, against := range p.dealer {
			both := new(big.Rat).Mul(chance, against)
			sum.Add(sum, both.Mul(both, big.NewRat(int64(bjNet(end, dealt[0])), 1)))
		}
	}
	return sum
}

// bjNet returns the gain of an end against a dealer's total.
func bjNet(end [2]int, dealer int) int {
	switch {
	case end[0] > 21, dealer <= 21 && end[0] < dealer:
		return -end[1]
	case dealer > 21, end[0] > dealer:
		return end[1]
	}
	return 0
}

func (p *bjPlayer) better(best, other bjEnds) bjEnds {
	if best == nil || p.worth(other).Cmp(p.worth(best)) > 0 {
		return other
	}
	return best
}

func bjSure(h bjHand) bjEnds {
	ends := bjEnds{}
	ends.add(h.total, 1, big.NewRat(1, 1))
	return ends
}

// play stands or hits.
func (p *bjPlayer) play(h bjHand) bjEnds {
	if p.known[h] == nil {
		best := bjSure(h)
		if h.total < 21 {
			hit := bjEnds{}
			for value := 1; value <= 10; value++ {
				hit.mix(bjChance(value), p.play(h.with(value)))
			}
			best = p.better(best, hit)
		}
		p.known[h] = best
	}
	return p.known[h]
}

// open plays two cards, which may be doubled.
func (p *bjPlayer) open(h bjHand) bjEnds {
	if h.total >= 21 {
		return bjSure(h)
	}
	double := bjEnds{}
	for value := 1; value <= 10; value++ {
		double.add(h.with(value).total, 2, bjChance(value))
	}
	return p.better(p.play(h), double)
}

// half is one hand of a split pair.
func (p *bjPlayer) half(value int) bjEnds {
	ends := bjEnds{}
	for next := 1; next <= 10; next++ {
		h := bjHand{}.with(value).with(next)
		if value == 1 {
			ends.mix(bjChance(next), bjSure(h))
		} else {
			ends.mix(bjChance(next), p.open(h))
		}
	}
	return ends
}

// squares returns the mean square of the gain; with twice, for two hands played against
// the same dealer.
func (p *bjPlayer) squares(ends bjEnds, twice bool) *big.Rat {
	sum := new(big.Rat)
	for dealt, against := range p.dealer {
		mean, square := new(big.Rat), new(big.Rat)
		for end, chance := range ends {
			net := big.NewRat(int64(bjNet(end, dealt[0])), 1)
			part := new(big.Rat).Mul(chance, net)
			mean.Add(mean, part)
			square.Add(square, new(big.Rat).Mul(part, net))
		}
		if twice { // (x+y)² of two independent, identically distributed hands: 2·(x² + x·y)
			square.Add(square, mean.Mul(mean, mean))
			square.Add(square, square)
		}
		sum.Add(sum, square.Mul(square, against))
	}
	return sum
}

// TestBlackjackAtBestPlay computes the best return and its variance backwards from the
// dealer's last card, with every card from an endless deck.
func TestBlackjackAtBestPlay(t *testing.T) {
	t.Parallel()
	mean, square := new(big.Rat), new(big.Rat)
	for up := 1; up <= 10; up++ {
		p := &bjPlayer{dealer: bjDealer(up), known: map[bjHand]bjEnds{}}
		natural := new(big.Rat)
		for value := 1; value <= 10; value++ {
			if bjNatural(up, value) {
				natural.Add(natural, bjChance(value))
			}
		}
		unfinished := new(big.Rat).Sub(big.NewRat(1, 1), natural)
		for a := 1; a <= 10; a++ {
			for b := 1; b <= 10; b++ {
				chance := new(big.Rat).Mul(bjChance(up), new(big.Rat).Mul(bjChance(a), bjChance(b)))
				add := func(chance, worth, squared *big.Rat) {
					mean.Add(mean, new(big.Rat).Mul(chance, worth))
					square.Add(square, new(big.Rat).Mul(chance, squared))
				}
				on := new(big.Rat).Mul(chance, unfinished)
				if bjNatural(a, b) {
					add(on, big.NewRat(3, 2), big.NewRat(9, 4))
					continue
				}
				add(new(big.Rat).Mul(chance, natural), big.NewRat(-1, 1), big.NewRat(1, 1))
				ends := p.open(bjHand{}.with(a).with(b))
				// One in four pairs of ten-valued cards has one rank; none is split by the best
				// strategy.
				if a == b {
					half := p.half(a)
					if two := new(big.Rat).Mul(p.worth(half), big.NewRat(2, 1)); two.Cmp(p.worth(ends)) > 0 {
						if a == 10 {
							t.Errorf("tens are split against %d", up)
						}
						add(on, two, p.squares(half, true))
						continue
					}
				}
				add(on, p.worth(ends), p.squares(ends, false))
			}
		}
	}
	variance := new(big.Rat).Sub(square, new(big.Rat).Mul(mean, mean))
	best := mean.Add(mean, big.NewRat(1, 1))
	stated := begin(t, game.Blackjack())
	if stated.Return().Best.Cmp(best) != 0 || percent(best)[:7] != "99.4296" {
		t.Errorf("best play returns %s = %s, stated is %s", best, percent(best), stated.Return().Best)
	}
	for stakes := 1; stakes <= 4; stakes++ {
		actions := slices.Repeat([]game.Value{action("double")}, stakes-1)
		got := stated.Theory(actions, game.Object())
		staked := big.NewRat(int64(stakes), 1)
		paid := new(big.Rat).Add(staked, new(big.Rat).Sub(best, big.NewRat(1, 1)))
		if got.RTPPartsPerBillion != rounded(paid.Quo(paid, staked)) || got.VariancePartsPerBillion != rounded(new(big.Rat).Quo(variance, new(big.Rat).Mul(staked, staked))) {
			t.Errorf("%d stakes: keeps %+v, best play has a variance of %s = %s", stakes, got, variance, variance.FloatString(9))
		}
	}
}

// bjCount totals written cards by an independent rule: the best of counting each ace as
// 1 or one of them as 11.
func bjCount(cards []string) (total int) {
	aces := 0
	for _, card := range cards {
		switch rank := card[:len(card)-1]; rank {
		case "A":
			aces++
			total++
		case "10", "J", "Q", "K":
			total += 10
		default:
			total += int(rank[0] - '0')
		}
	}
	if aces > 0 && total+10 <= 21 {
		total += 10
	}
	return total
}

func bjCards(list game.Value) (cards []string) {
	for card := range list.Items() {
		cards = append(cards, card.Text())
	}
	return cards
}

// TestBlackjackRounds plays random rounds and checks them by their cards: the cards
// drawn and their order, the dealer's play and the payout.
func TestBlackjackRounds(t *testing.T) {
	t.Parallel()
	seen := map[string]int{}
	for nonce := range int64(3000) {
		draws := func() game.Draws { return stream("black", "jack", nonce) }
		var taken []game.Value
		end := playSteps(t, begin(t, game.Blackjack()), draws, stream("choices", "of blackjack", nonce), &taken)
		judge(t, seen, draws(), taken, end)
	}
	for _, wanted := range []string{"blackjack", "bust", "win", "push", "lose", "split", "double", "aces", "dealer's blackjack", "both"} {
		if seen[wanted] == 0 {
			t.Errorf("no %s among %v", wanted, seen)
		}
	}
}

func judge(t fataler, seen map[string]int, draws game.Draws, taken []game.Value, end game.State) {
	next := func() string { return game.CardName(draws.Pick(52)) }
	hands, dealer := [][]string{{next(), next()}}, []string{next(), next()}
	stakes, at := []int{1}, 0
	over := bjCount(hands[0]) == 21 || bjCount(dealer) == 21
	naturals := over
	for _, a := range taken {
		switch name := a.Get("type").Text(); name {
		case "hit":
			hands[at] = append(hands[at], next())
		case "stand":
			at++
			continue
		case "double":
			hands[at] = append(hands[at], next())
			stakes[at] = 2
			seen[name]++
			at++
			continue
		case "split":
			pair := hands[0]
			hands = [][]string{{pair[0], next()}, {pair[1]}}
			hands[1] = append(hands[1], next())
			stakes = []int{1, 1}
			seen[name]++
			if pair[0][0] == 'A' {
				seen["aces"]++
				at = 2
			}
		}
		for at < len(hands) && bjCount(hands[at]) >= 21 {
			at++
		}
	}
	if slices.ContainsFunc(hands, func(h []string) bool { return bjCount(h) <= 21 }) && !over {
		for bjCount(dealer) < 17 {
			dealer = append(dealer, next())
		}
	}
	halves, all, results := 0, 0, []string{}
	for i, hand := range hands {
		count, against := bjCount(hand), bjCount(dealer)
		result, pays := "lose", 0
		switch {
		case naturals && count == 21 && against == 21:
			result, pays = "push", 2
			seen["both"]++
		case naturals && count == 21:
			result, pays = "blackjack", 5
		case naturals:
			seen["dealer's blackjack"]++
		case count > 21:
			result = "bust"
		case against > 21 || count > against:
			result, pays = "win", 4
		case count == against:
			result, pays = "push", 2
		}
		seen[result]++
		results = append(results, result)
		halves += pays * stakes[i]
		all += stakes[i]
	}
	var shown []string
	for hand := range end.Shown.Get("hands").Items() {
		shown = append(shown, strings.Join(bjCards(hand), " "))
	}
	var want []string
	for _, hand := range hands {
		want = append(want, strings.Join(hand, " "))
	}
	if !slices.Equal(shown, want) || !slices.Equal(bjCards(end.Shown.Get("dealer")), dealer) || !slices.Equal(bjCards(end.Shown.Get("results")), results) {
		t.Fatalf("%v: %v, want %q against %q: %q", taken, end.Shown, want, dealer, results)
	}
	if rat(end.Multiplier).Cmp(big.NewRat(int64(halves), 2)) != 0 || rat(end.Stake).Cmp(big.NewRat(int64(all), 1)) != 0 {
		t.Fatalf("%v: %v pays %s of %s, want %d/2 of %d", taken, end.Shown, end.Multiplier, end.Stake, halves, all)
	}
}

// TestBlackjackAtTheDeal checks the offers after the first cards of a known stream.
func TestBlackjackAtTheDeal(t *testing.T) {
	t.Parallel()
	named := map[string]uint32{}
	for card := range uint32(52) {
		named[game.CardName(card)] = uint32((uint64(card)<<32 + 51) / 52)
	}
	for _, row := range []struct{ cards, offers string }{
		{"Ad Kh 9s 9c", ""},                               // a blackjack
		{"Ad Kh As Kc", ""},                               // both have one
		{"9d Kh 10s Ac", ""},                              // the dealer's, with the ten shown
		{"9d Kh Ac 10s", ""},                              // the dealer's, with the ace shown
		{"9d Kh Ac 9s", "hit stand double"},               // the dealer checked and has none
		{"8d 8h Ac 9s", "hit stand double split"},         // a pair
		{"10d Kh 7c 9s", "hit stand double"},              // two ten-valued cards, but no pair
		{"Ad Ah 7c 9s", "hit stand double split"},         // aces
		{"5d 6h 7c 9s 2d", "hit stand double"},            // before the next card
		{"5d 6h 7c 9s 2d | hit", "hit stand"},             // and after it
		{"5d 6h 7c 9s Kd | hit", ""},                      // 21 stands automatically
		{"8d 8h 7c 9s 8c 3d | split", "hit stand double"}, // another eight can't be split again
		{"Ad Ah 7c 9s 5c Ac 9d | split", ""},              // one card each
		{"5d 6h 7c 9s 2d 3d | double", ""},                // one card
	} {
		cards, done, _ := strings.Cut(row.cards, " | ")
		var drawn []uint32
		for _, card := range append(strings.Fields(cards), "Kd", "Kd", "Kd") {
			drawn = append(drawn, named[card])
		}
		var actions []game.Value
		for _, name := range strings.Fields(done) {
			actions = append(actions, action(name))
		}
		states, err := game.Replay(begin(t, game.Blackjack()), func() game.Draws { f := fixed(slices.Clone(drawn)); return &f }, actions)
		if err != nil {
			t.Fatal(row.cards, err)
		}
		var offers []string
		last := states[len(states)-1]
		for i := range last.Choices {
			o := &last.Choices[i]
			offers = append(offers, o.Action.Get("type").Text())
			if stake := fmt.Sprint(o.Stake.Num, "/", o.Stake.Den); (stake == "1/1") != slices.Contains([]string{"double", "split"}, offers[i]) {
				t.Errorf("%s: %s stakes %s", row.cards, offers[i], stake)
			}
		}
		if got := strings.Join(offers, " "); got != row.offers {
			t.Errorf("%s: offers %q, want %q, of %v", row.cards, got, row.offers, last.Shown)
		}
	}
}
