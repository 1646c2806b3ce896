package demo

// machine is a slot machine: three reels of symbols, and what three of a kind pay.
type machine struct {
	maker, code, name string
	reel              []string
	pays              map[string]int64 // in hundredths of the bet
}

// The makers and their games. The reels have ten stops each: what they return is
// the sum of pays[s]·(n_s/10)^3 over the symbols, below 1 for all of them.
var machines = []machine{
	{
		maker: "DEMOSPIN", code: "cherry-rush", name: "Cherry Rush",
		reel: []string{"🍒", "🍒", "🍒", "🍒", "🍋", "🍋", "🍋", "🔔", "🔔", "⭐"},
		pays: map[string]int64{"🍒": 300, "🍋": 800, "🔔": 2000, "⭐": 10000},
	},
	{
		maker: "DEMOSPIN", code: "lucky-bells", name: "Lucky Bells",
		reel: []string{"🔔", "🔔", "🔔", "🔔", "🔔", "🍇", "🍇", "🍇", "💎", "💎"},
		pays: map[string]int64{"🔔": 250, "🍇": 700, "💎": 3500},
	},
	{
		maker: "DEMOGOLD", code: "nugget-river", name: "Nugget River",
		reel: []string{"🪙", "🪙", "🪙", "🪙", "🪙", "🪙", "⛏", "⛏", "👑", "🌊"},
		pays: map[string]int64{"🪙": 200, "⛏": 2500, "👑": 15000, "🌊": 12000},
	},
}

// makers are the codes in the order they are listed.
var makers = []string{"DEMOSPIN", "DEMOGOLD"}

func machineOf(maker, code string) (machine, bool) {
	for _, m := range machines {
		if m.maker == maker && m.code == code {
			return m, true
		}
	}
	return machine{}, false
}

// spin draws three symbols and tells what they pay for a bet, in hundredths.
func (m machine) spin(bet int64, draw func(n int) int) (window []string, win int64) {
	for range 3 {
		window = append(window, m.reel[draw(len(m.reel))])
	}
	if window[0] == window[1] && window[1] == window[2] {
		return window, bet * m.pays[window[0]] / 100
	}
	return window, 0
}
