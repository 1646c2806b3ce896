package crash_test

import (
	"math/big"
	"slices"
	"strconv"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/casino-service/casino/domain/crash"
	"github.com/casino-service/casino/domain/ledger"
	"github.com/casino-service/casino/domain/money"
)

// crashedAt returns a round that crashed at a point, with its settlement begun.
func crashedAt(point, limit uint64) crash.Round {
	return crash.Round{Chain: "c", Number: 1, Status: crash.Crashed, Cap: limit, StartedAt: start, Point: point, Paying: true}
}

// by returns a cash-out by hand of a bet, received so many microseconds after the start.
func by(b crash.Bet, micros int64) crash.CashOut {
	return crash.CashOut{Bet: b.ID, Received: start.Add(time.Duration(micros) * time.Microsecond), Multiplier: min(crash.MultiplierAt(micros/1000), b.Auto)}
}

// Both sides of the boundary to the microsecond, through the decision that a server takes
// and through the settlement: a cash-out counts until the last moment of the millisecond
// before the curve is above the point.
func TestACashOutAtTheBoundary(t *testing.T) {
	t.Parallel()
	l := newLife(t)
	flying := l.in[crash.Flying]
	ms := crash.EndTime(l.in[crash.Crashed].Point, flying.Cap)
	if first := crash.MultiplierAt(ms); first <= l.in[crash.Crashed].Point || crash.MultiplierAt(ms-1) > l.in[crash.Crashed].Point {
		t.Fatalf("the curve is at %d when it ends", first)
	}
	for micros, wins := range map[int64]bool{ms*1000 - 1: true, ms * 1000: false, ms*1000 + 1: false, ms*1000 - 1000: true} {
		out, err := flying.CashOut(l.bets[1], start.Add(time.Duration(micros)*time.Microsecond), l.hash)
		if (err == nil) != wins {
			t.Fatalf("%d µs after the start: %v", micros, err)
		}
		// The same request decided after the crash, because it waited in a queue.
		late := l.in[crash.Crashed]
		late.Paying = false
		again, err := late.CashOut(l.bets[1], start.Add(time.Duration(micros)*time.Microsecond), l.hash)
		if (err == nil) != wins || again != out {
			t.Fatalf("%d µs after the start, decided after the crash: %+v, %v", micros, again, err)
		}
		results, err := l.in[crash.Crashed].Settle(l.bets[1:], []crash.CashOut{by(l.bets[1], micros)})
		if (err == nil) != wins {
			t.Fatalf("%d µs after the start, settled: %v", micros, err)
		}
		if wins && (results[0].Multiplier != out.Multiplier || results[0].Payout != money.Amount(out.Multiplier)*solUnit/100) {
			t.Fatalf("%d µs after the start: %+v, cashed out at %d", micros, results[0], out.Multiplier)
		}
	}
}

func TestResultsOfBets(t *testing.T) {
	t.Parallel()
	b := func(auto uint64) crash.Bet { return playerBet("b", auto) }
	at := func(m uint64) int64 { return crash.TimeOf(m) * 1000 }
	recovered := crashedAt(250, 10_000)
	recovered.Recovered = true
	cancelled := crash.Round{Status: crash.Cancelled, Cap: 10_000}
	for name, row := range map[string]struct {
		round crash.Round
		auto  uint64
		by    int64 // microseconds after the start, -1 for none
		want  uint64
		void  bool
	}{
		"the automatic cash-out below the point": {crashedAt(250, 10_000), 200, -1, 200, false},
		"at the point":                           {crashedAt(250, 10_000), 250, -1, 250, false},
		"above the point":                        {crashedAt(250, 10_000), 251, -1, 0, false},
		"the cap below the point":                {crashedAt(99_999, 10_000), 10_000, -1, 10_000, false},
		"the cap at the point":                   {crashedAt(10_000, 10_000), 10_000, -1, 10_000, false},
		"the cap above the point":                {crashedAt(9_999, 10_000), 10_000, -1, 0, false},
		"by hand before the automatic one":       {crashedAt(250, 10_000), 200, at(150), 150, false},
		"by hand after the automatic one":        {crashedAt(250, 10_000), 200, at(230), 200, false},
		"by hand at the point":                   {crashedAt(250, 10_000), 10_000, at(250), 250, false},
		"by hand at the cap's last millisecond":  {crashedAt(50_000, 10_000), 10_000, at(10_000) - 1, 9_999, false},
		"a point of 1.00 pays nobody":            {crashedAt(100, 10_000), 101, -1, 0, false},
		"a point of 1.01":                        {crashedAt(101, 10_000), 101, -1, 101, false},
		"recovered, won":                         {recovered, 200, -1, 200, false},
		"recovered, lost":                        {recovered, 251, -1, 100, true},
		"recovered, by hand":                     {recovered, 10_000, at(240), 240, false},
		"cancelled":                              {cancelled, 200, -1, 100, true},
	} {
		bet, outs := b(row.auto), []crash.CashOut(nil)
		bet.Wager = 1_000_000_007 // not a multiple of 100: payouts are rounded down
		if row.by >= 0 {
			outs = append(outs, by(bet, row.by))
		}
		results, err := row.round.Settle([]crash.Bet{bet}, outs)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		payout := money.Amount(1_000_000_007 * row.want / 100)
		if got := results[0]; got.Bet != bet || got.Multiplier != row.want || got.Payout != payout || got.Void != row.void {
			t.Errorf("%s: %+v, want %d and a payout of %d", name, got, row.want, payout)
		}
	}
}

func TestTheCashOutReceivedFirstCounts(t *testing.T) {
	t.Parallel()
	b := playerBet("b", 10_000)
	early, late := by(b, 7_000_000), by(b, 9_000_000)
	for _, outs := range [][]crash.CashOut{{early, late}, {late, early}, {late, early, late}} {
		results, err := crashedAt(250, 10_000).Settle([]crash.Bet{b}, outs)
		if must(t, results, err)[0].Multiplier != early.Multiplier || early.Multiplier >= late.Multiplier {
			t.Errorf("paid at %d, received first at %d", results[0].Multiplier, early.Multiplier)
		}
	}
}

func TestRowsThatNoDecisionWroteAreErrors(t *testing.T) {
	t.Parallel()
	b, c := playerBet("b", 10_000), playerBet("c", 10_000)
	forged, foreign, unstarted := by(b, 7_000_000), by(c, 7_000_000), by(b, -1_000_000)
	forged.Multiplier++
	unpaid := crashedAt(250, 10_000)
	unpaid.Paying = false
	for name, row := range map[string]struct {
		round crash.Round
		bets  []crash.Bet
		outs  []crash.CashOut
	}{
		"a raised multiplier":             {crashedAt(250, 10_000), []crash.Bet{b}, []crash.CashOut{forged}},
		"a cash-out of another bet":       {crashedAt(250, 10_000), []crash.Bet{b}, []crash.CashOut{foreign}},
		"a cash-out after the end":        {crashedAt(250, 10_000), []crash.Bet{b}, []crash.CashOut{by(b, 16_000_000)}},
		"a cash-out before the start":     {crashedAt(250, 10_000), []crash.Bet{b}, []crash.CashOut{unstarted}},
		"a cash-out at 1.00":              {crashedAt(250, 10_000), []crash.Bet{b}, []crash.CashOut{by(b, 1000)}},
		"a bet twice":                     {crashedAt(250, 10_000), []crash.Bet{b, c, b}, nil},
		"an automatic cash-out of 1.00":   {crashedAt(250, 10_000), []crash.Bet{playerBet("b", 100)}, nil},
		"one above the cap":               {crashedAt(250_000, 10_000), []crash.Bet{playerBet("b", 10_001)}, nil},
		"settled before the cash-outs":    {unpaid, []crash.Bet{b}, nil},
		"settled while betting":           {crash.Round{Status: crash.Betting, Cap: 10_000}, []crash.Bet{b}, nil},
		"more than the greatest amount":   {crashedAt(250, 10_000), []crash.Bet{{ID: "b", Wager: money.Max, Auto: 200}}, nil},
		"a cash-out of a cancelled round": {crash.Round{Status: crash.Cancelled, Cap: 10_000, StartedAt: start}, []crash.Bet{b}, []crash.CashOut{by(b, 7_000_000)}},
	} {
		if results, err := row.round.Settle(row.bets, row.outs); err == nil {
			t.Errorf("%s: %+v", name, results)
		}
	}
}

// modelPayout computes a payout with rational numbers, as the rules are written.
func modelPayout(r crash.Round, b crash.Bet, outs []crash.CashOut) int64 {
	at := new(big.Rat).SetFrac64(int64(min(b.Auto, r.Cap)), 100)
	first := time.Time{}
	for _, out := range outs {
		if out.Bet == b.ID && (first.IsZero() || out.Received.Before(first)) {
			first = out.Received
			byHand := new(big.Rat).SetFrac64(int64(crash.MultiplierAt(first.Sub(r.StartedAt).Milliseconds())), 100)
			if at.SetFrac64(int64(min(b.Auto, r.Cap)), 100); byHand.Cmp(at) < 0 {
				at = byHand
			}
		}
	}
	if at.Cmp(new(big.Rat).SetFrac64(int64(r.Point), 100)) > 0 {
		return 0
	}
	at.Mul(at, new(big.Rat).SetInt64(int64(b.Wager)))
	return new(big.Int).Quo(at.Num(), at.Denom()).Int64()
}

// Settlements of any bets and cash-outs, in one piece and in batches of any order: each
// payout is the model's, none is above the exposure that was admitted, and no money comes
// or goes.
func TestSettlementConservesMoney(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		limit := rapid.Uint64Range(crash.CapMin, 2_000_000).Draw(t, "cap")
		r := crashedAt(rapid.OneOf(rapid.Uint64Range(100, 400), rapid.Uint64Range(100, 2*limit)).Draw(t, "point"), limit)
		end := crash.EndTime(r.Point, r.Cap)
		var bets []crash.Bet
		var outs []crash.CashOut
		for i := range rapid.IntRange(0, 12).Draw(t, "bets") {
			b := playerBet("b"+strconv.Itoa(i), rapid.OneOf(rapid.Uint64Range(101, limit), rapid.Just(limit)).Draw(t, "auto"))
			b.Wager = money.Amount(rapid.Int64Range(1, 100*solUnit).Draw(t, "wager"))
			bets = append(bets, b)
			for range rapid.IntRange(0, 2).Draw(t, "outs") {
				if end > 166 {
					outs = append(outs, by(b, rapid.Int64Range(166_000, end*1000-1).Draw(t, "micros")))
				}
			}
		}
		whole, err := r.Settle(bets, outs)
		if err != nil {
			t.Fatal(err)
		}
		book, paid := map[ledger.Account]int64{}, money.Total{}
		for i, result := range whole {
			if want := modelPayout(r, bets[i], outs); int64(result.Payout) != want {
				t.Fatalf("bet %+v: %+v, the model pays %d", bets[i], result, want)
			}
			paid = paid.AddAmount(result.Payout)
			for _, transfer := range result.Transfers() {
				if transfer.Amount <= 0 || transfer.Token != bets[i].Token {
					t.Fatalf("transfer %+v", transfer)
				}
				book[transfer.Debit] -= int64(transfer.Amount)
				book[transfer.Credit] += int64(transfer.Amount)
			}
			if book[ledger.StakeOf(bets[i].Wallet)] != -int64(bets[i].Wager) || book[ledger.PlayerOf(bets[i].Wallet)] != int64(result.Payout) {
				t.Fatalf("bet %+v: books %v", bets[i], book)
			}
		}
		if most, ok := crash.Exposure(bets, money.SOL); !ok || paid.Cmp(most) > 0 || r.Point >= limit && len(outs) == 0 && paid != most {
			t.Fatalf("paid %s of an exposure of %s, point %d", paid, most, r.Point)
		}
		var sum int64
		for _, amount := range book {
			sum += amount
		}
		if sum != 0 {
			t.Fatalf("%d came from nowhere", sum)
		}
		// In batches, in another order.
		for _, b := range rapid.Permutation(bets).Draw(t, "order") {
			own := slices.DeleteFunc(slices.Clone(outs), func(out crash.CashOut) bool { return out.Bet != b.ID })
			single, err := r.Settle([]crash.Bet{b}, own)
			if err != nil || !slices.Contains(whole, single[0]) {
				t.Fatalf("alone: %+v, %v", single, err)
			}
		}
	})
}

func TestACancelledRoundReturnsEveryStake(t *testing.T) {
	t.Parallel()
	l := newLife(t)
	results, err := l.in[crash.Cancelled].Settle(l.bets, nil)
	for i, result := range must(t, results, err) {
		if result.Payout != l.bets[i].Wager || !result.Void || result.Multiplier != 100 {
			t.Errorf("%+v", result)
		}
	}
}

func TestExposureIsOfOneToken(t *testing.T) {
	t.Parallel()
	bets := []crash.Bet{playerBet("a", 150), playerBet("b", 10_000), {ID: "c", Token: "other", Wager: 7, Auto: 200}}
	for token, want := range map[money.Token]money.Total{money.SOL: money.TotalOf(101_500_000_000), "other": money.TotalOf(14), "none": {}} {
		if most, ok := crash.Exposure(bets, token); !ok || most != want {
			t.Errorf("%s: %s, %v; want %s", token, most, ok, want)
		}
	}
	if _, ok := crash.Exposure([]crash.Bet{{Wager: money.Max, Auto: 101}}, ""); ok {
		t.Error("a bet that no amount can pay has an exposure")
	}
}

// TestTheGreatestCashOutOfAWager checks that a bet without a choice is cashed out at 50.00, at the
// cap, or at what its token allows; a hundredth more would pay more than that.
func TestTheGreatestCashOutOfAWager(t *testing.T) {
	t.Parallel()
	r := crash.Round{Cap: 100_00}
	for _, c := range []struct {
		wager, most money.Amount
		want        uint64
	}{
		{1, 1_000_000, 50_00}, {20_000, 1_000_000, 50_00}, {20_001, 1_000_000, 49_99}, {100_000, 1_000_000, 10_00},
		{1_000_000, 1_000_000, crash.CashOutMin}, {money.Max, money.Max, crash.CashOutMin}, {2, money.Max, 50_00}, {1, 0, crash.CashOutMin},
	} {
		if got := r.MostFor(c.wager, c.most); got != c.want {
			t.Errorf("%d of at most %d: %d, want %d", c.wager, c.most, got, c.want)
		}
	}
	if got := (crash.Round{Cap: 4_00}).MostFor(1, 1_000_000); got != 4_00 {
		t.Errorf("above the cap: %d", got)
	}
}
