package provider

import (
	"cmp"
	"slices"
)

// machine is a slot machine: three reels, all with the same stops, and one line.
type machine struct {
	maker, code, name string
	symbols           []symbol
}

// symbol is a symbol of a reel. Stops is its number of stops on a reel; pays is the payout
// for three of it, in hundredths of the bet.
type symbol struct {
	sign, name string
	stops      int
	pays       int64
}

// The makers and their games. A machine's return is the sum of pays·(stops/all stops)^3
// over its symbols, below 1 for all of them.
var machines = []machine{
	{maker: "DEMOSPIN", code: "cherry-rush", name: "Cherry Rush", symbols: []symbol{
		{"🍒", "cherry", 4, 300}, {"🍋", "lemon", 3, 800}, {"🔔", "bell", 2, 2000}, {"⭐", "star", 1, 10000},
	}},
	{maker: "DEMOSPIN", code: "lucky-bells", name: "Lucky Bells", symbols: []symbol{
		{"🔔", "bell", 5, 250}, {"🍇", "grapes", 3, 700}, {"💎", "diamond", 2, 3500},
	}},
	{maker: "DEMOGOLD", code: "nugget-river", name: "Nugget River", symbols: []symbol{
		{"🪙", "coin", 6, 200}, {"⛏️", "pick", 2, 2500}, {"👑", "crown", 1, 15000}, {"🌊", "wave", 1, 12000},
	}},
}

// makers lists the makers' codes in order.
var makers = []string{"DEMOSPIN", "DEMOGOLD"}

func machineOf(maker, code string) (machine, bool) {
	for _, m := range machines {
		if m.maker == maker && m.code == code {
			return m, true
		}
	}
	return machine{}, false
}

// spinReels draws three symbols and returns them with their payout for a bet, in
// hundredths.
func (m machine) spinReels(bet int64, draw func(n int) int) (window []string, win int64) {
	var line [3]symbol
	reel := m.reelStops()
	for i := range line {
		line[i] = reel[draw(len(reel))]
		window = append(window, line[i].sign)
	}
	if line[0] == line[1] && line[1] == line[2] {
		return window, bet * line[0].pays / 100
	}
	return window, 0
}

// reelStops returns the symbols on the stops of a reel.
func (m machine) reelStops() (stops []symbol) {
	for _, s := range m.symbols {
		stops = append(stops, slices.Repeat([]symbol{s}, s.stops)...)
	}
	return stops
}

// payTable lists the symbols, the best first.
func (m machine) payTable() []symbol {
	return slices.SortedStableFunc(slices.Values(m.symbols), func(a, b symbol) int { return cmp.Compare(b.pays, a.pays) })
}

// averageReturn returns the machine's average return, in hundredths of a percent of the
// bets.
func (m machine) averageReturn() int64 {
	sum := int64(0)
	for _, s := range m.symbols {
		sum += s.pays * int64(s.stops*s.stops*s.stops)
	}
	stops := int64(len(m.reelStops()))
	return sum * 100 / (stops * stops * stops)
}
