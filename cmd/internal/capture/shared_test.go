package capture_test

import (
	"bytes"
	"context"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/casino-service/casino/app/sharedcrash"
	"github.com/casino-service/casino/cmd/internal/capture"
	"github.com/casino-service/casino/test/fakes"
)

// driving returns what lets time pass for the shared crash: its workers run every 50 ms, and
// a slot comes with each.
func driving(t testing.TB, clock *fakes.Clock, slots *fakes.Beacons, of *sharedcrash.Service) func(time.Duration) {
	driver := of.Driver()
	pass := func(d time.Duration) {
		for ; d > 0; d -= 50 * time.Millisecond {
			clock.Advance(50 * time.Millisecond)
			slots.Pass(1)
			_, err := driver.Step(t.Context())
			if _, answering := of.AnswersWorker().Step(t.Context()); err != nil || answering != nil {
				t.Error(err, answering)
			}
		}
	}
	pass(time.Second) // the first round
	return pass
}

// sharedHouse is a house with the shared crash, and a plan that bets on seven rounds of it.
func sharedHouse(between func(http.Handler) http.Handler) (house, func(*capture.Plan)) {
	pass := new(func(time.Duration))
	return house{shared: pass, between: between}, func(p *capture.Plan) {
		p.Games, p.Rounds, p.SharedRounds = []string{"coinflip"}, 1, 7
		p.Wait = func(_ context.Context, d time.Duration) { (*pass)(d) }
	}
}

// TestTheSharedCrashIsCaptured checks that bets with an automatic cash-out and by hand are
// captured until their results, and that a service without the shared crash is named.
func TestTheSharedCrashIsCaptured(t *testing.T) {
	t.Parallel()
	h, plan := sharedHouse(nil)
	file, summary := h.taken(t, 2, plan)
	report := checked(t, file)
	if !report.Clean || report.Shared != 7 || report.Checks["shared crash"] != 7 || report.Rounds != 1 || summary.Stopped != "" || len(summary.Refused) != 0 ||
		!bytes.Contains(file, []byte(`"line":"sharedCashOut"`)) {
		t.Errorf("%+v\n%+v", summary, report.Findings)
	}
	_, without := house{}.taken(t, 1, plan)
	if len(without.Refused) == 0 || !strings.HasPrefix(without.Refused[len(without.Refused)-1], "the shared crash: ") {
		t.Errorf("%q", without.Refused)
	}
}

// TestCheatsAtTheSharedCrashAreFound plants one cheat at a time behind the API.
func TestCheatsAtTheSharedCrashAreFound(t *testing.T) {
	t.Parallel()
	rounds := func(change func(exchange)) func(http.Handler) http.Handler {
		return answering(func(e exchange) {
			if strings.HasPrefix(e.call, "GET /crash/rounds/") && e.body["bets"] != nil {
				change(e)
			}
		})
	}
	own := func(e exchange, change func(bet object)) {
		var bets []object
		e.body.read("bets", &bets)
		for _, bet := range bets {
			change(bet)
		}
		e.body.set("bets", bets)
	}
	of := func(call string, change func(object)) func(http.Handler) http.Handler {
		return answering(func(e exchange) {
			if e.call == call {
				change(e.body)
			}
		})
	}
	for name, c := range map[string]struct {
		between func(http.Handler) http.Handler
		found   string // the check, and how its text begins
	}{
		"another point": {rounds(func(e exchange) { e.body.within("round", func(r object) { r.set("point", 1) }) }), "shared crash: point: "},
		"a payout a unit short": {rounds(func(e exchange) {
			own(e, func(b object) {
				if b["payout"] != nil && b.number("payout") > 0 {
					b.set("payout", b.number("payout")-1)
				}
			})
		}), "shared crash: result: "},
		"another automatic cash-out":  {rounds(func(e exchange) { own(e, func(b object) { b.set("cashOut", 1.02) }) }), "shared crash: bets: "},
		"a cash-out by hand left out": {rounds(func(e exchange) { own(e, func(b object) { delete(b, "cashedOut") }) }), "shared crash: "},
		"a bet left out":              {rounds(func(e exchange) { e.body.set("bets", []object{}) }), "shared crash: bets: "},
		"another chain after the bet": {rounds(func(e exchange) {
			e.body.within("chain", func(o object) { o.set("commitment", strings.Replace(o.text("commitment"), "delay: 2", "delay: 1", 1)) })
		}), "shared crash: before: "},
		"a hash shown early": {of("GET /crash", func(o object) {
			o.within("round", func(r object) { r.set("hash", strings.Repeat("0", 64)) })
		}), "hidden: "},
		"another wager taken":          {of("POST /crash/bets", func(o object) { o.within("bet", func(b object) { b.set("wager", b.number("wager")+1) }) }), "asked: asked was a bet"},
		"a bet without receipt":        {of("POST /crash/bets", func(o object) { delete(o, "receipt") }), "receipt: "},
		"a cash-out without receipt":   {of("POST /crash/cashout", func(o object) { delete(o, "receipt") }), "receipt: "},
		"a balance too low":            {of("POST /crash/bets", func(o object) { o.set("balance", o.number("balance")-1) }), "balance: "},
		"a cash-out received later":    {of("POST /crash/cashout", func(o object) { o.within("bet", func(b object) { b.set("receivedAt", b.number("receivedAt")+900) }) }), "shared crash: the cash-out is worth"},
		"a bet that is backdated":      {of("POST /crash/bets", func(o object) { o.within("bet", func(b object) { b.set("createdAt", 1) }) }), "time: "},
		"a cash-out of another amount": {of("POST /crash/cashout", func(o object) { o.within("bet", func(b object) { b.set("wager", 7) }) }), "asked: the cash-out answers another bet"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h, plan := sharedHouse(c.between)
			file, _ := h.taken(t, 1, plan)
			report := checked(t, file)
			for _, f := range report.Findings {
				if strings.HasPrefix(f.Check+": "+f.Text, c.found) {
					return
				}
			}
			t.Errorf("%s wasn't found: %+v", c.found, report.Findings)
		})
	}
	h, plan := sharedHouse(nil)
	file, _ := h.taken(t, 1, plan)
	for name, cut := range map[string]string{"no round": "sharedRound", "no look before": "shared"} {
		lines, err := capture.LinesOf(file)
		if err != nil {
			t.Fatal(err)
		}
		left := lines[:0]
		for _, l := range lines {
			if l.Line != cut {
				left = append(left, l)
			}
		}
		changed, err := capture.FileOf(left)
		if report := checked(t, changed); err != nil || report.Clean {
			t.Errorf("%s: %v, nothing was found", name, err)
		}
	}
}
