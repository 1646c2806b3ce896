package game

import (
	"math/big"

	"github.com/casino-service/casino/domain/money"
)

// The published table of slots/1: reels, lines, pays and free spins. Changing any of
// them requires a new version of the rules.

// slotsRules is the version of this table.
const slotsRules = "slots/1"

const (
	slotsReels = 5
	slotsRows  = 3
	// slotsStops is the length of each reel, a power of two: pick(32) is the top five bits
	// of a draw, so all stops are exactly equally likely.
	slotsStops = 32
	// slotsFreeFactor multiplies the payout of a free spin.
	slotsFreeFactor = 2
)

// slotsStrips are the reels from the first stop to the last, one letter a symbol; they
// wrap around. A window shows a stop and the two after it, top to bottom. No symbol
// appears twice in a window of its reel.
var slotsStrips = [slotsReels]string{
	"PLSGLSGLBCPLGDBPLBPLCPS*GBPGSDLC",
	"PGLBPGLPDSPB*SWCBDLCPLGPLBGLSGLW",
	"LPGLCPWGBLGPSLPSLBDLGDPWCGB*PLBS",
	"GPLBDPGBLSPWLPBGLPS*GBLCSGCLWPDL",
	"SGLCGLPDBPSDLBPSLCPGLPGBSCL*GPLB",
}

// slotsSymbol is one symbol and the payouts of three, four and five of it, in tenths of
// the wager.
type slotsSymbol struct {
	letter byte
	name   string
	pays   [slotsReels + 1]uint64
}

// slotsSymbols are all symbols. The wild substitutes for every symbol except the
// scatter. It is only on the middle three reels, so the first reel determines a line's
// symbol. A line counts from the left. The scatter pays anywhere.
var slotsSymbols = [...]slotsSymbol{
	{'D', "diamond", [6]uint64{3: 80, 4: 300, 5: 1000}},
	{'C', "crown", [6]uint64{3: 50, 4: 150, 5: 750}},
	{'S', "seven", [6]uint64{3: 20, 4: 70, 5: 250}},
	{'B', "bell", [6]uint64{3: 15, 4: 50, 5: 200}},
	{'G', "grapes", [6]uint64{3: 10, 4: 30, 5: 100}},
	{'P', "plum", [6]uint64{3: 8, 4: 20, 5: 60}},
	{'L', "lemon", [6]uint64{3: 5, 4: 12, 5: 50}},
	{'W', "wild", [6]uint64{}},
	{'*', "scatter", [6]uint64{3: 20, 4: 100, 5: 500}},
}

// slotsFreeSpins is the number of free spins by scatters in a paid spin. Free spins give
// no further ones, so a round has at most 13 spins.
var slotsFreeSpins = [slotsReels + 1]int{3: 8, 4: 10, 5: 12}

// slotsLines are the ten lines: the row, counted from the top, on each reel. All are
// always played; the wager covers them together.
var slotsLines = [...][slotsReels]int{
	{1, 1, 1, 1, 1},
	{0, 0, 0, 0, 0},
	{2, 2, 2, 2, 2},
	{0, 1, 2, 1, 0},
	{2, 1, 0, 1, 2},
	{0, 0, 1, 2, 2},
	{2, 2, 1, 0, 0},
	{1, 0, 0, 0, 1},
	{1, 2, 2, 2, 1},
	{0, 1, 1, 1, 0},
}

// slotsCensus holds sums over all 32^5 windows. A test recounts them all, and the pays
// and free spins also reel by reel.
var slotsCensus = struct {
	// pays and paysSquared are the sums of the payouts of a window's lines and scatters, in
	// tenths of the wager, and of their squares.
	pays, paysSquared uint64
	// free, freeSquared and paysFree are the sums of the free spins won, of their squares,
	// and of their products with the pays.
	free, freeSquared, paysFree uint64
	// most is the greatest payout of a round in tenths, free spins included.
	most uint64
	// mostOpenings counts the windows that open such a round, with mostSpins free spins;
	// each of these must be one of mostWindows.
	mostOpenings, mostSpins, mostWindows int64
}{
	pays:        292_818_360,
	paysSquared: 25_867_281_416,
	free:        1_936_926,
	freeSquared: 15_741_972,
	paysFree:    57_543_588,
	most:        39_155,

	mostOpenings: 18,
	mostSpins:    12,
	mostWindows:  3,
}

// slots implements Slots.
type slots struct{ houseGame }

// Slots returns slots: five reels of 32 stops, three rows, ten lines, wilds on the
// middle reels and scatters that give free spins at double pay. The game is Tabled.
//
// A spin draws pick(32) for each reel, from the left; free spins use the following
// draws. Free spins give no further ones, so the space is finite and the return to
// player an exact fraction.
//
// The outcome is {stops, window, lines, freeSpins}: window is the rows from the top,
// lines are the wins {line, symbol, count, pays} with pays in wagers and line 0 for the
// scatters, and freeSpins are spins of the same form. The multiplier is the sum of all
// pays.
func Slots() Game {
	return slots{houseGame{
		gameType: "slots", rules: slotsRules, title: "Slots",
		explanation: "Five reels of three rows spin once, and ten lines pay from the left for three or more of a symbol. Wilds stand for any symbol but the scatter; three scatters or more pay wherever they show and give free spins, which pay double.",
	}}
}

func (slots) RTP() RTP { return sameRTP(slotsMoments().Mean) }

func (slots) Plan(config Value, _ money.Amount) (Plan, error) {
	return &slotsPlan{configured{config}}, nil
}

// Table returns {strips, lines, pays, freeSpins, freeFactor}: strips are each reel's
// symbols from stop 0, a window showing a stop and the two after it; lines are the rows,
// from the top as 0, on each reel; pays are {symbol, pays} with the wagers paid for
// three, four and five; freeSpins are those for three, four and five scatters, which pay
// freeFactor times as much.
func (slots) Table() Value {
	var strips, lines, pays, free []Value
	for reel := range slotsReels {
		symbols := make([]Value, slotsStops)
		for stop := range symbols {
			symbols[stop] = Text(slotsSymbols[slotsFaces[reel][stop]].name)
		}
		strips = append(strips, List(symbols...))
	}
	for _, line := range slotsLines {
		rows := make([]Value, slotsReels)
		for reel, row := range line {
			rows[reel] = Int(int64(row))
		}
		lines = append(lines, List(rows...))
	}
	for _, symbol := range slotsSymbols {
		var wagers []Value
		for _, tenths := range symbol.pays[3:] {
			wagers = append(wagers, Dec(int64(tenths), 1))
		}
		pays = append(pays, Object(Member{"symbol", Text(symbol.name)}, Member{"pays", List(wagers...)}))
	}
	for _, spins := range slotsFreeSpins[3:] {
		free = append(free, Int(int64(spins)))
	}
	return Object(
		Member{"strips", List(strips...)}, Member{"lines", List(lines...)}, Member{"pays", List(pays...)},
		Member{"freeSpins", List(free...)}, Member{"freeFactor", Int(slotsFreeFactor)})
}

// slotsPlan is a spin with its free spins.
type slotsPlan struct{ configured }

func (*slotsPlan) MaxMultiplier() money.Ratio {
	return money.Ratio{Num: slotsCensus.most, Den: 10}
}

// GreatestChance returns the chance of a paid spin that opens a greatest round with the
// most free spins, followed by a greatest window in each of them.
func (*slotsPlan) GreatestChance() *big.Rat {
	windows := new(big.Int).Exp(big.NewInt(slotsStops), big.NewInt(slotsReels), nil)
	free := big.NewInt(slotsCensus.mostSpins)
	ways := new(big.Int).Exp(big.NewInt(slotsCensus.mostWindows), free, nil)
	ways.Mul(ways, big.NewInt(slotsCensus.mostOpenings))
	return new(big.Rat).SetFrac(ways, windows.Exp(windows, free.Add(free, big.NewInt(1)), nil))
}

func (*slotsPlan) Moments() Moments                { return slotsMoments() }
func (*slotsPlan) RTPPartsPerBillion() uint64      { return slotsRTP }
func (*slotsPlan) VariancePartsPerBillion() uint64 { return slotsVariance }

// slotsRTP and slotsVariance are the figures of every round.
var (
	slotsRTP      = PartsPerBillion(slotsMoments().Mean)
	slotsVariance = PartsPerBillion(slotsMoments().Variance())
)

// slotsMoments derives the moments of a round from the census. U is the pays of the paid
// spin, N its free spins. Each free spin pays f·V; V is distributed like U, with mean m
// and variance v, and independent of everything:
//
//	E[T]  = E[U] + f·m·E[N]
//	E[T²] = E[U²] + 2·f·m·E[UN] + f²·(v·E[N] + m²·E[N²])
func slotsMoments() Moments {
	windows := new(big.Int).Exp(big.NewInt(slotsStops), big.NewInt(slotsReels), nil)
	expect := func(sum uint64) *big.Rat {
		return new(big.Rat).SetFrac(new(big.Int).SetUint64(sum), windows)
	}
	product := func(a, b *big.Rat) *big.Rat { return new(big.Rat).Mul(a, b) }
	sum := func(a, b *big.Rat) *big.Rat { return new(big.Rat).Add(a, b) }
	factor := big.NewRat(slotsFreeFactor, 1)

	m, square := expect(slotsCensus.pays), expect(slotsCensus.paysSquared)
	v := new(big.Rat).Sub(square, product(m, m))
	free := product(factor, m)
	mean := sum(m, product(free, expect(slotsCensus.free)))
	spins := sum(
		product(product(factor, factor), product(v, expect(slotsCensus.free))),
		product(product(free, free), expect(slotsCensus.freeSquared)))
	cross := product(product(big.NewRat(2, 1), free), expect(slotsCensus.paysFree))

	wager := big.NewRat(1, 10)
	return Moments{
		Mean:       product(mean, wager),
		MeanSquare: product(sum(square, sum(cross, spins)), product(wager, wager)),
	}
}

func (*slotsPlan) Play(draws Draws) Result {
	paid := spinReels(draws)
	free := make([]Member, slotsFreeSpins[paid.countScatters()])
	pays := paid.totalPay()
	for i := range free {
		bonus := spinReels(draws)
		pays += slotsFreeFactor * bonus.totalPay()
		free[i].Value = Object(bonus.describeSpin(slotsFreeFactor)...)
	}
	outcome := append(paid.describeSpin(1), Member{"freeSpins", Value{kind: ListKind, members: free}})
	return Result{Outcome: Object(outcome...), Multiplier: money.Ratio{Num: pays, Den: 10}}
}

// reels are the stops of the reels.
type reels [slotsReels]uint8

func spinReels(draws Draws) reels {
	var stops reels
	for reel := range stops {
		stops[reel] = uint8(draws.Pick(slotsStops))
	}
	return stops
}

// slotsFaces are the strips as indices into slotsSymbols, with the first stops repeated
// at the end so that a window never wraps.
var slotsFaces = func() (faces [slotsReels][slotsStops + slotsRows - 1]uint8) {
	for reel := range faces {
		for i := range faces[reel] {
			faces[reel][i] = slotsSymbolOf(slotsStrips[reel][i%slotsStops])
		}
	}
	return faces
}()

var slotsWild, slotsScatter = slotsSymbolOf('W'), slotsSymbolOf('*')

func slotsSymbolOf(letter byte) uint8 {
	for i := range slotsSymbols {
		if slotsSymbols[i].letter == letter {
			return uint8(i)
		}
	}
	panic("game: slots strip with an unknown letter")
}

// symbolAt returns the symbol of a reel in a row.
func (r *reels) symbolAt(reel, row int) uint8 { return slotsFaces[reel][int(r[reel])+row] }

// countScatters counts the scatters in the window, at most one a reel.
func (r *reels) countScatters() (count int) {
	for reel := range slotsReels {
		for row := range slotsRows {
			if r.symbolAt(reel, row) == slotsScatter {
				count++
			}
		}
	}
	return count
}

// lineRun returns a line's symbol and the length of its run from the left, including
// wilds.
func (r *reels) lineRun(line *[slotsReels]int) (symbol uint8, count int) {
	symbol = r.symbolAt(0, line[0])
	count = 1
	for count < slotsReels {
		if next := r.symbolAt(count, line[count]); next != symbol && next != slotsWild {
			break
		}
		count++
	}
	return symbol, count
}

// eachWin calls each with every win of the window: the lines from 1, then the scatters
// as line 0.
func (r *reels) eachWin(each func(line int, symbol *slotsSymbol, count int)) {
	for i := range slotsLines {
		symbol, count := r.lineRun(&slotsLines[i])
		if symbol != slotsScatter && slotsSymbols[symbol].pays[count] > 0 {
			each(i+1, &slotsSymbols[symbol], count)
		}
	}
	if count := r.countScatters(); slotsSymbols[slotsScatter].pays[count] > 0 {
		each(0, &slotsSymbols[slotsScatter], count)
	}
}

// totalPay returns the window's payout, in tenths of the wager.
func (r *reels) totalPay() (tenths uint64) {
	r.eachWin(func(_ int, symbol *slotsSymbol, count int) { tenths += symbol.pays[count] })
	return tenths
}

// describeSpin describes the spin, with its pays times the factor.
func (r *reels) describeSpin(factor uint64) []Member {
	stops := make([]Value, slotsReels)
	for reel := range stops {
		stops[reel] = Int(int64(r[reel]))
	}
	window := make([]Value, slotsRows)
	for row := range window {
		symbols := make([]Value, slotsReels)
		for reel := range symbols {
			symbols[reel] = Text(slotsSymbols[r.symbolAt(reel, row)].name)
		}
		window[row] = List(symbols...)
	}
	var lines []Value
	r.eachWin(func(line int, symbol *slotsSymbol, count int) {
		lines = append(lines, Object(
			Member{"line", Int(int64(line))},
			Member{"symbol", Text(symbol.name)},
			Member{"count", Int(int64(count))},
			Member{"pays", Dec(int64(symbol.pays[count]*factor), 1)}))
	})
	return []Member{{"stops", List(stops...)}, {"window", List(window...)}, {"lines", List(lines...)}}
}
