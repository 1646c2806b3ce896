package crash_test

import (
	"crypto/sha256"
	"encoding/binary"
	"math"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/casino-service/casino/domain/crash"
	"github.com/casino-service/casino/domain/fairness"
	"github.com/casino-service/casino/domain/game"
	"github.com/casino-service/casino/domain/internal/base58"
	"github.com/casino-service/casino/domain/money"
)

const (
	// simulated is the number of rounds, of one chain from a fixed seed.
	simulated = 1_000_000
	// level is the chance that a true return is refused, for each cash-out and side.
	level = 1e-6
)

// withinBounds checks a number of wins among rounds of a chance by Chernoff's bound, which
// holds for every number of rounds: P(wins/rounds as far from chance) ≤ e^(-rounds·D),
// where D is the relative entropy of the two.
func withinBounds(t *testing.T, what string, wins, rounds int, chance float64) {
	t.Helper()
	seen := float64(wins) / float64(rounds)
	part := func(a, b float64) float64 {
		if a == 0 {
			return 0
		}
		return a * math.Log(a/b)
	}
	if far := float64(rounds) * (part(seen, chance) + part(1-seen, 1-chance)); far > -math.Log(level) {
		t.Errorf("%s: %d of %d rounds, expected %.1f: nearly impossible", what, wins, rounds, chance*float64(rounds))
	}
}

// TestAMillionRounds simulates rounds of one chain, each with the salt of a beacon of its
// own. It counts what each cash-out wins, automatic and by hand, with what was known
// before the beacon and without; and compares the distribution of the points by
// chi-square.
func TestAMillionRounds(t *testing.T) {
	t.Parallel()
	const limit = 1_000_000
	autos := []uint64{101, 102, 110, 150, 200, 300, 500, 1_000, 2_000, 10_000, 50_000, limit, 5_000_000}
	byHand := []int64{166, 1_000, 6_758, 11_553, 30_000, 76_753, 120_000}
	edges := []uint64{101, 103, 106, 110, 115, 122, 130, 140, 152, 168, 190, 220, 264, 330, 440, 660, 1_320, 5_000, 50_000, math.MaxUint64}
	wins, hands, cells := make([]int, len(autos)), make([]int, len(byHand)), make([]int, len(edges))
	guessed, guesses := 0, 0

	chain, err := crash.NewChain(seedOf("a million rounds"), simulated, 1)
	must(t, chain, err)
	bets, outs := make([]crash.Bet, len(byHand)), make([]crash.CashOut, len(byHand))
	for i, ms := range byHand {
		bets[i] = playerBet("h"+strconv.Itoa(i), limit)
		outs[i] = crash.CashOut{Bet: bets[i].ID, Received: start.Add(time.Duration(ms) * time.Millisecond), Multiplier: crash.MultiplierAt(ms)}
	}
	for round := range simulated {
		hash := chain.WayPoints[round]
		point := crash.Point(hash, "solana:"+strconv.Itoa(300_000_000+60*round)+":"+blockhash)
		for i, auto := range autos {
			if min(auto, limit) <= point {
				wins[i]++
			}
		}
		end := crash.EndTime(point, limit)
		for i, ms := range byHand {
			if ms < end {
				hands[i]++
			}
		}
		for i, edge := range edges {
			if point < edge {
				cells[i]++
				break
			}
		}
		// An operator knows the hash, and guesses the salt.
		if round%5 == 0 && crash.Point(hash, "solana:1:"+blockhash) >= 200 {
			guesses++
			if point >= 200 {
				guessed++
			}
		}
		if round%1_000 == 0 { // the settlement pays what is counted here
			settleAsCounted(t, crashedAt(point, limit), bets, outs)
		}
	}

	const lattice = 1 << 32
	for i, auto := range autos {
		odds := crash.Odds(auto, limit)
		withinBounds(t, "cash-out "+strconv.FormatUint(auto, 10), wins[i], simulated, float64(odds.Wins)/lattice)
		seen := float64(wins[i]) * float64(odds.Prize.Num) / 100 / simulated
		t.Logf("cash-out %8d: return %.5f, exactly %s", auto, seen, odds.Moments().Mean.FloatString(9))
	}
	for i, ms := range byHand {
		withinBounds(t, "by hand after "+strconv.FormatInt(ms, 10)+" ms", hands[i], simulated, float64(crash.Odds(crash.MultiplierAt(ms), limit).Wins)/lattice)
	}
	withinBounds(t, "an operator who knows the hash", guessed, guesses, float64(crash.Odds(200, limit).Wins)/lattice)
	checkCells(t, edges, cells)
}

// settleAsCounted settles cash-outs by hand that were received in time, and compares their
// payouts.
func settleAsCounted(t *testing.T, r crash.Round, bets []crash.Bet, outs []crash.CashOut) {
	t.Helper()
	var inTime []crash.CashOut
	for _, out := range outs {
		if out.Received.Sub(start).Milliseconds() < crash.EndTime(r.Point, r.Cap) {
			inTime = append(inTime, out)
		}
	}
	results, err := r.Settle(bets, inTime)
	for i, result := range must(t, results, err) {
		want := uint64(0)
		switch {
		case i < len(inTime):
			want = outs[i].Multiplier
		case r.Point >= r.Cap:
			want = r.Cap
		}
		if result.Multiplier != want || result.Payout != money.Amount(want)*solUnit/100 {
			t.Fatalf("point %d: %+v, counted %d", r.Point, result, want)
		}
	}
}

// checkCells compares the distribution of points with its exact one by chi-square, within
// its middle 99 %: a result that is too even is as suspicious as one that is too uneven.
func checkCells(t *testing.T, edges []uint64, cells []int) {
	t.Helper()
	// The bounds of 0.5 % and 99.5 % with 19 degrees of freedom, from printed tables.
	const low, high = 6.844, 38.582
	if len(cells) != 20 {
		t.Fatalf("%d cells", len(cells))
	}
	sum, below := 0.0, uint64(1)<<32
	for i, edge := range edges {
		above := uint64(0)
		if edge < math.MaxUint64 {
			above = game.CrashOdds(edge).Wins
		}
		expected := float64(below-above) / (1 << 32) * simulated
		sum += (float64(cells[i]) - expected) * (float64(cells[i]) - expected) / expected
		below = above
	}
	if t.Logf("chi-square %.2f", sum); sum < low || sum > high {
		t.Errorf("chi-square %.2f is outside of %.3f to %.3f", sum, low, high)
	}
}

// TestAnOperatorChoosesTheSlot simulates an operator who knows all hashes of the chain and
// chooses at which slot each round's bets close, by strategies. None of them changes the points:
// the slot that decides wasn't made then. An operator who knew it would change them, which shows
// that the bounds are narrow enough.
func TestAnOperatorChoosesTheSlot(t *testing.T) {
	t.Parallel()
	const rounds, patience, limit, auto = 100_000, 6, 100_00, 200
	rule := crash.Rule{Source: crash.Solana, Network: blockhash, Delay: 32, Window: 150}
	value := func(slot uint64) string { // the network's, which nobody can foresee
		sum := sha256.Sum256(binary.BigEndian.AppendUint64([]byte("a network's slot "), slot))
		return base58.Encode(sum[:])
	}
	pointAt := func(hash fairness.ServerSeed, seen, before uint64) (point, height uint64) {
		height, err := rule.Height(seen, before)
		must(t, height, err)
		salt, err := rule.Salt(height, crash.Beacon{Height: height, Parent: height - 1, Value: value(height)})
		return crash.Point(hash, must(t, salt, err)), height
	}
	chain, err := crash.NewChain(seedOf("an operator who chooses"), rounds, 1)
	must(t, chain, err)
	for name, closes := range map[string]func(hash fairness.ServerSeed, now, before uint64) bool{
		"at once": func(fairness.ServerSeed, uint64, uint64) bool { return true },
		"by hash": func(hash fairness.ServerSeed, now, _ uint64) bool {
			return (now+uint64(hash.Reveal()[0]))%patience == 0
		},
		"by the newest blockhash with the hash": func(hash fairness.ServerSeed, now, _ uint64) bool {
			return crash.Point(hash, "solana:"+strconv.FormatUint(now, 10)+":"+value(now)) < auto
		},
		"by the guess that the newest blockhash stays": func(hash fairness.ServerSeed, now, before uint64) bool {
			height, _ := rule.Height(now, before)
			return crash.Point(hash, "solana:"+strconv.FormatUint(height, 10)+":"+value(now)) < auto
		},
		"by the beacon itself, which is impossible": func(hash fairness.ServerSeed, now, before uint64) bool {
			point, _ := pointAt(hash, now, before)
			return point < auto
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			wins, now, before := 0, uint64(300_000_000), uint64(0)
			for round := range rounds {
				hash, waited := chain.WayPoints[round], 0
				for ; waited < patience && !closes(hash, now, before); waited++ {
					now++
				}
				var point uint64
				if point, before = pointAt(hash, now, before); point >= auto {
					wins++
				}
				now = before + 60
			}
			chance := float64(crash.Odds(auto, limit).Wins) / (1 << 32)
			if strings.Contains(name, "impossible") {
				if wins > rounds/100 {
					t.Errorf("an operator who foresees lets %d of %d rounds win", wins, rounds)
				}
				return
			}
			withinBounds(t, name, wins, rounds, chance)
		})
	}
}
