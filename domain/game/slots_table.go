package game

// The published table of slots/1: reels, lines, pays and free spins. A change of
// anything in this file is a new version of the rules.

// slotsRules is the version of this table.
const slotsRules = "slots/1"

const (
	slotsReels = 5
	slotsRows  = 3
	// slotsStops is the length of each reel. A power of two: pick(32) is the top
	// five bits of a draw, so every stop is exactly as likely as another.
	slotsStops = 32
	// slotsFreeFactor multiplies what a free spin pays.
	slotsFreeFactor = 2
)

// slotsStrips are the reels from the first stop to the last, one letter a symbol;
// after the last comes the first again. A window shows a stop and the two after
// it, top to bottom. No symbol is twice in a window of its reel.
var slotsStrips = [slotsReels]string{
	"PLSGLSGLBCPLGDBPLBPLCPS*GBPGSDLC",
	"PGLBPGLPDSPB*SWCBDLCPLGPLBGLSGLW",
	"LPGLCPWGBLGPSLPSLBDLGDPWCGB*PLBS",
	"GPLBDPGBLSPWLPBGLPS*GBLCSGCLWPDL",
	"SGLCGLPDBPSDLBPSLCPGLPGBSCL*GPLB",
}

// slotsSymbol is one symbol and what three, four and five of it pay, in tenths
// of the wager.
type slotsSymbol struct {
	letter byte
	name   string
	pays   [slotsReels + 1]uint64
}

// slotsSymbols are all symbols. The wild stands for every one but the scatter; it
// is on the middle three reels only, so that the first reel names a line's
// symbol. A line counts from the left. The scatter pays wherever it shows.
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

// slotsFreeSpins is how many free spins so many scatters give in a paid spin.
// Free spins give no further ones, so a round has at most 13 spins.
var slotsFreeSpins = [slotsReels + 1]int{3: 8, 4: 10, 5: 12}

// slotsLines are the ten lines: the row, counted from the top, on each reel. All
// are always played; the wager covers them together.
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

// slotsCensus is what spins do, summed over all 32^5 windows. A test counts it all
// anew, and pays and free spins a second time, reel by reel.
var slotsCensus = struct {
	// pays and paysSquared are the sums of what the lines and scatters of a window
	// pay, in tenths of the wager, and of the squares.
	pays, paysSquared uint64
	// free, freeSquared and paysFree are the sums of the free spins won, of their
	// squares, and of their products with the pays.
	free, freeSquared, paysFree uint64
	// most is the most tenths that a round can pay, free spins included.
	most uint64
	// mostOpenings is how many windows open such a round, with mostSpins free spins,
	// each of which must be one of mostWindows.
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
