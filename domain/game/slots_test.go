package game_test

import (
	"math/big"
	"strings"
	"sync"
	"testing"

	"pgregory.net/rapid"

	"github.com/casino-service/casino/domain/game"
)

// The second implementation of slots: texts and tables of its own, and lines tried
// symbol by symbol.
var (
	slotStrips = []string{
		"PLSGLSGLBCPLGDBPLBPLCPS*GBPGSDLC",
		"PGLBPGLPDSPB*SWCBDLCPLGPLBGLSGLW",
		"LPGLCPWGBLGPSLPSLBDLGDPWCGB*PLBS",
		"GPLBDPGBLSPWLPBGLPS*GBLCSGCLWPDL",
		"SGLCGLPDBPSDLBPSLCPGLPGBSCL*GPLB",
	}
	slotLines = strings.Fields("11111 00000 22222 01210 21012 00122 22100 10001 12221 01110")
	slotPays  = map[string][3]uint64{
		"D": {80, 300, 1000}, "C": {50, 150, 750}, "S": {20, 70, 250}, "B": {15, 50, 200},
		"G": {10, 30, 100}, "P": {8, 20, 60}, "L": {5, 12, 50},
	}
	slotScatters = map[int]uint64{3: 20, 4: 100, 5: 500}
	slotFree     = map[int]int{3: 8, 4: 10, 5: 12}
	slotNames    = map[byte]string{
		'D': "diamond", 'C': "crown", 'S': "seven", 'B': "bell", 'G': "grapes",
		'P': "plum", 'L': "lemon", 'W': "wild", '*': "scatter",
	}
)

// slotSpin returns a window's pays in tenths and its free spins, by the second
// implementation.
func slotSpin(stops [5]uint8) (tenths uint64, free int) {
	var columns [5]string
	scatters := 0
	for reel, strip := range slotStrips {
		columns[reel] = (strip + strip)[stops[reel] : stops[reel]+3]
		scatters += strings.Count(columns[reel], "*")
	}
	for _, rows := range slotLines {
		faces := ""
		for reel := range columns {
			faces += columns[reel][rows[reel]-'0' : rows[reel]-'0'+1]
		}
		var best uint64
		for symbol, pays := range slotPays {
			run := len(faces) - len(strings.TrimLeft(faces, symbol+"W"))
			if run >= 3 {
				best = max(best, pays[run-3])
			}
		}
		tenths += best
	}
	return tenths + slotScatters[scatters], slotFree[scatters]
}

func TestSlotsAgainstSecondImplementation(t *testing.T) {
	t.Parallel()
	stop := rapid.Uint8Range(0, 31)
	rapid.Check(t, func(t *rapid.T) {
		for range 100 {
			stops := [5]uint8{stop.Draw(t, "1"), stop.Draw(t, "2"), stop.Draw(t, "3"), stop.Draw(t, "4"), stop.Draw(t, "5")}
			tenths, free := game.SlotsSpin(stops)
			if want, wantFree := slotSpin(stops); tenths != want || free != wantFree {
				t.Fatalf("%v pays %d and gives %d free spins, want %d and %d", stops, tenths, free, want, wantFree)
			}
		}
	})
}

// The published table is that of the second implementation.
func TestSlotsPublishesItsTable(t *testing.T) {
	t.Parallel()
	table := game.Slots().(game.Tabled).Table()
	letters := map[string]string{"wild": "W", "scatter": "*"}
	for name := range slotPays {
		letters[slotNames[name[0]]] = name
	}
	for reel, want := range slotStrips {
		got := ""
		for symbol := range table.Get("strips").At(reel).Items() {
			got += letters[symbol.Text()]
		}
		if got != want {
			t.Errorf("reel %d is %s, want %s", reel, got, want)
		}
	}
	if got := table.Get("lines").Len(); got != len(slotLines) {
		t.Errorf("%d lines, want %d", got, len(slotLines))
	}
	for i, want := range slotLines {
		got := ""
		for row := range table.Get("lines").At(i).Items() {
			got += row.NumberText()
		}
		if got != want {
			t.Errorf("line %d is %s, want %s", i+1, got, want)
		}
	}
	for entry := range table.Get("pays").Items() {
		want := slotPays[letters[entry.Get("symbol").Text()]]
		if entry.Get("symbol").Text() == "scatter" {
			want = [3]uint64{slotScatters[3], slotScatters[4], slotScatters[5]}
		}
		for i := range want {
			if tenths, _ := entry.Get("pays").At(i).Units(1); uint64(tenths) != want[i] {
				t.Errorf("%v, want %v tenths", entry, want)
			}
		}
	}
	if got := table.Get("freeSpins").String() + table.Get("freeFactor").String(); got != "[8, 10, 12]2" {
		t.Errorf("free spins %s", got)
	}
}

// slotsSums are sums over windows, for the census.
type slotsSums struct {
	pays, paysSquared, free, freeSquared, paysFree uint64
	// best is the highest payout of a window, for each number of free spins it gives, and
	// the number of such windows.
	best [13]struct {
		tenths  uint64
		windows int64
		stops   [5]uint8
	}
}

func (s *slotsSums) take(stops [5]uint8) {
	tenths, free := game.SlotsSpin(stops)
	n := uint64(free)
	s.pays += tenths
	s.paysSquared += tenths * tenths
	s.free += n
	s.freeSquared += n * n
	s.paysFree += n * tenths
	best := &s.best[free]
	if tenths > best.tenths {
		best.tenths, best.stops, best.windows = tenths, stops, 0
	}
	if tenths == best.tenths {
		best.windows++
	}
}

func (s *slotsSums) merge(other slotsSums) {
	s.pays += other.pays
	s.paysSquared += other.paysSquared
	s.free += other.free
	s.freeSquared += other.freeSquared
	s.paysFree += other.paysFree
	for free := range other.best {
		windows := s.best[free].windows
		switch {
		case other.best[free].tenths > s.best[free].tenths:
			s.best[free] = other.best[free]
		case other.best[free].tenths == s.best[free].tenths:
			s.best[free].windows = windows + other.best[free].windows
		}
	}
}

// countWindows enumerates all 32^5 windows with the game's own rules, once for all
// tests.
var countWindows = sync.OnceValue(func() slotsSums {
	var total slotsSums
	var lock sync.Mutex
	var all sync.WaitGroup
	for first := range uint8(32) {
		all.Go(func() {
			var sums slotsSums
			for rest := range uint32(1 << 20) {
				sums.take([5]uint8{first, uint8(rest >> 15), uint8(rest >> 10 & 31), uint8(rest >> 5 & 31), uint8(rest & 31)})
			}
			lock.Lock()
			defer lock.Unlock()
			total.merge(sums)
		})
	}
	all.Wait()
	return total
})

// Each stop has exactly 2^27 of the 2^32 draws, because a reel has 32. Hence all 32^5
// windows are equally likely.
func TestSlotsStopsAreEquallyLikely(t *testing.T) {
	t.Parallel()
	plan := prepare(t, game.Slots())
	for stop := range int64(33) {
		first := firstDraw(func(k uint32) bool {
			got, _ := play(plan, k).Outcome.Get("stops").At(0).Int()
			return got >= stop
		})
		if first != uint64(stop)<<27 {
			t.Errorf("stop %d starts at draw %d, want %d", stop, first, stop<<27)
		}
	}
}

// The return, the mean square and the greatest payout, from a count of every window.
func TestSlotsReturnByEnumeration(t *testing.T) {
	t.Parallel()
	sums := countWindows()
	plan := prepare(t, game.Slots())
	of := func(sum uint64) *big.Rat { return new(big.Rat).SetFrac(new(big.Int).SetUint64(sum), big.NewInt(1<<25)) }
	add := func(a, b *big.Rat) *big.Rat { return new(big.Rat).Add(a, b) }
	times := func(a, b *big.Rat) *big.Rat { return new(big.Rat).Mul(a, b) }

	// A free spin pays twice the window's payout.
	u, uu := of(sums.pays), of(sums.paysSquared)
	v, vv := times(u, big.NewRat(2, 1)), times(uu, big.NewRat(4, 1))
	wantMean := add(u, times(v, of(sums.free)))
	// (U + ΣV)² = U² + 2·U·ΣV + ΣV² + Σ over ordered pairs of V·V'.
	pairs := new(big.Rat).Sub(of(sums.freeSquared), of(sums.free))
	wantSquare := add(add(uu, times(times(big.NewRat(2, 1), of(sums.paysFree)), v)),
		add(times(vv, of(sums.free)), times(times(v, v), pairs)))

	moments := plan.Moments()
	if want := times(wantMean, big.NewRat(1, 10)); moments.Mean.Cmp(want) != 0 {
		t.Errorf("return %s, counted %s", moments.Mean, want)
	}
	if want := times(wantSquare, big.NewRat(1, 100)); moments.MeanSquare.Cmp(want) != 0 {
		t.Errorf("mean square %s, counted %s", moments.MeanSquare, want)
	}
	checkRounded(t, plan)
	checkRange(t, game.Slots().RTP(), moments.Mean, moments.Mean, moments.Mean)

	t.Logf("return %s = %s, most %s", moments.Mean, percent(moments.Mean), plan.MaxMultiplier())
}

// The return computed without windows: a row of a reel shows each stop of its strip
// equally often, so a line's symbols are independent, and all lines have the same mean.
func TestSlotsReturnReelByReel(t *testing.T) {
	t.Parallel()
	chance := func(reel int, symbols string) *big.Rat {
		n := 0
		for _, symbol := range symbols {
			n += strings.Count(slotStrips[reel], string(symbol))
		}
		return big.NewRat(int64(n), 32)
	}
	line := new(big.Rat)
	for symbol, pays := range slotPays {
		run := big.NewRat(1, 1)
		for reel := range 5 {
			run.Mul(run, chance(reel, symbol+"W"))
			if reel < 2 {
				continue
			}
			ends := big.NewRat(1, 1)
			if reel < 4 {
				ends.Sub(ends, chance(reel+1, symbol+"W"))
			}
			ends.Mul(ends, run)
			line.Add(line, ends.Mul(ends, new(big.Rat).SetFrac(new(big.Int).SetUint64(pays[reel-2]), big.NewInt(1))))
		}
	}
	scatterPays, free := slotsScatterMeans(chance)
	// The wager covers all ten lines: a line's pays are in tenths.
	spin := new(big.Rat).Add(line.Mul(line, big.NewRat(10, 1)), scatterPays)
	want := new(big.Rat).Mul(spin, new(big.Rat).Add(big.NewRat(1, 1), free.Mul(free, big.NewRat(2, 1))))
	want.Mul(want, big.NewRat(1, 10))
	got := game.Slots().RTP().Default
	if got.Cmp(want) != 0 {
		t.Errorf("return %s, want %s", percent(got), percent(want))
	}
	if got.Cmp(big.NewRat(96, 100)) < 0 || got.Cmp(big.NewRat(99, 100)) > 0 {
		t.Errorf("return %s is outside 96 … 99 %%", percent(got))
	}
}

// slotsScatterMeans returns the mean pays of scatters in tenths and the mean of
// free spins, from each reel's chance of showing its one scatter in three rows.
func slotsScatterMeans(chance func(int, string) *big.Rat) (pays, free *big.Rat) {
	shows := []*big.Rat{big.NewRat(1, 1)} // by number of scatters so far
	for reel := range 5 {
		p := new(big.Rat).Mul(big.NewRat(3, 1), chance(reel, "*"))
		next := make([]*big.Rat, len(shows)+1)
		for i := range next {
			next[i] = new(big.Rat)
		}
		for n, q := range shows {
			next[n+1].Add(next[n+1], new(big.Rat).Mul(q, p))
			next[n].Add(next[n], new(big.Rat).Mul(q, new(big.Rat).Sub(big.NewRat(1, 1), p)))
		}
		shows = next
	}
	pays, free = new(big.Rat), new(big.Rat)
	for n, q := range shows {
		pays.Add(pays, new(big.Rat).Mul(q, big.NewRat(int64(slotScatters[n]), 1)))
		free.Add(free, new(big.Rat).Mul(q, big.NewRat(int64(slotFree[n]), 1)))
	}
	return pays, free
}

// A round equals its spins: the multiplier is the sum of the pays shown, free spins are
// as many as the scatters give, and each shows the window of its stops.
func TestSlotsOutcomeAddsUp(t *testing.T) {
	t.Parallel()
	plan := prepare(t, game.Slots())
	rounds, bonuses := 3000, 0
	for nonce := range rounds {
		result := plan.Play(stream("slots", "add up", int64(nonce)))
		var tenths int64
		spins := []game.Value{result.Outcome}
		for spin := range result.Outcome.Get("freeSpins").Items() {
			spins = append(spins, spin)
		}
		for i, spin := range spins {
			var stops [5]uint8
			for reel := range stops {
				stop, _ := spin.Get("stops").At(reel).Int()
				stops[reel] = uint8(stop)
				for row := range 3 {
					letter := slotStrips[reel][(int(stop)+row)%32]
					if got := spin.Get("window").At(row).At(reel).Text(); got != slotNames[letter] {
						t.Fatalf("nonce %d: %s shown for %c", nonce, got, letter)
					}
				}
			}
			want, free := slotSpin(stops)
			if i == 0 && free != len(spins)-1 {
				t.Fatalf("nonce %d: %d free spins, want %d", nonce, len(spins)-1, free)
			}
			if i > 0 {
				want *= 2
			}
			shown := int64(0)
			for line := range spin.Get("lines").Items() {
				pays, _ := line.Get("pays").Units(1)
				shown += pays
			}
			if shown != int64(want) {
				t.Fatalf("nonce %d spin %d: shows %d tenths, want %d", nonce, i, shown, want)
			}
			tenths += shown
		}
		if len(spins) > 1 {
			bonuses++
		}
		if rat(result.Multiplier).Cmp(big.NewRat(tenths, 10)) != 0 {
			t.Fatalf("nonce %d pays %s, shows %d tenths", nonce, result.Multiplier, tenths)
		}
	}
	if bonuses == 0 {
		t.Error("no free spins in all these rounds")
	}
}

// The greatest payout is the best window for some number of free spins, followed by as
// many of the best window of all. The test plays those draws.
func TestSlotsMostIsReached(t *testing.T) {
	t.Parallel()
	best := countWindows().best
	dearest := best[0]
	for _, window := range best {
		if window.tenths > dearest.tenths {
			dearest = window
		}
	}
	opening, spins, most := best[0], 0, uint64(0)
	for free, window := range best {
		if round := window.tenths + uint64(free)*2*dearest.tenths; window.tenths > 0 && round > most {
			opening, spins, most = window, free, round
		}
	}
	var draws []uint32
	for spin := range 1 + spins {
		for reel := range 5 {
			stop := dearest.stops[reel]
			if spin == 0 {
				stop = opening.stops[reel]
			}
			draws = append(draws, uint32(stop)<<27)
		}
	}
	plan := prepare(t, game.Slots())
	got := play(plan, draws...).Multiplier
	if got.Cmp(plan.MaxMultiplier()) != 0 || rat(got).Cmp(big.NewRat(int64(most), 10)) != 0 {
		t.Errorf("%s paid, counted %d tenths, the stated most is %s", got, most, plan.MaxMultiplier())
	}
	if got.Num > 5000*got.Den {
		t.Errorf("%s is above 5000 wagers", got)
	}
	chance := big.NewRat(opening.windows, 1<<25)
	for range spins {
		chance.Mul(chance, big.NewRat(dearest.windows, 1<<25))
	}
	if stated := plan.(game.KnownChance).GreatestChance(); stated.Cmp(chance) != 0 {
		t.Errorf("it is paid with a chance of %s, counted %s", stated, chance)
	}
}
