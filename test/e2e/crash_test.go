package e2e_test

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"github.com/casino-service/casino/adapters/httpapi/api"
	"github.com/casino-service/casino/test/services"
)

// crashLimit is longer than a round of the shared crash, which other limits aren't.
const crashLimit = 5 * time.Minute

// crashTries is how many rounds a test plays until one lasts long enough to be cashed out.
const crashTries = 5

// control is what the big button of the shared crash does.
const control = `document.querySelector('.board')?.dataset.control`

// unsent drops the next two cash-outs before they reach the service.
const unsent = `{
	const fetch = window.fetch; let left = 2;
	window.fetch = async (address, request) => {
		if (String(address).endsWith('/crash/cashout') && left-- > 0) throw new TypeError('the request is lost');
		return fetch(address, request);
	};
}`

// awaits waits for an expression of JavaScript that may take rounds of the shared crash.
func (p player) awaits(expression string) {
	p.Helper()
	for begun := time.Now(); !value[bool](p.page, expression); time.Sleep(50 * time.Millisecond) { // allowed: another process is waited for
		if time.Since(begun) > crashLimit {
			p.Fatalf("waiting for %s: the page says %q", expression, p.text("main"))
		}
	}
}

// controls waits until the button does one of some things, and returns which.
func (p player) controls(some ...string) string {
	p.Helper()
	p.awaits(fmt.Sprintf(`%q.split(' ').includes(%s)`, strings.Join(some, " "), control))
	return value[string](p.page, control)
}

// watcher opens the shared crash without a session.
func watcher(t *testing.T, dev *services.Dev, on screen) player {
	t.Helper()
	p := visitor(t, dev, on, "#/game/shared-crash")
	p.until(`document.querySelector('.board')?.dataset.round !== undefined`)
	return p
}

// TestTheSharedCrash bets on rounds until one can be cashed out, loses requests and an answer of
// that, and compares what the page shows with the ledger and with what somebody else sees. Then it
// verifies the round.
func TestTheSharedCrash(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("needs a browser") // allowed: make test runs it
	}
	e := begin(t, t.TempDir())
	other := watcher(t, e.dev, desktop)
	p := enter(t, e.dev, phone)
	p.tolerated = []string{"/crash/cashout"} // a cash-out may come too late
	if first := value[string](p.page, `document.querySelector('#house .tile').dataset.game`); first != "shared-crash" {
		t.Errorf("the first game is %s", first)
	}
	p.deposit("3")
	p.visit("#/game/shared-crash")
	var own api.OwnCrashBet
	for try := 1; ; try++ {
		p.controls("bet")
		p.press(".bar [type=submit]")
		if p.controls("placed", "cashOut", "queue") == "queue" {
			t.Fatalf("a bet in time isn't placed: %q", p.text("main"))
		}
		var err error
		own, err = e.player.CrashBet(t.Context())
		e.must(err)
		p.do(chromedp.Reload())
		p.until(`document.querySelector('.board') !== null`)
		if p.controls("cashOut", "queue") == "cashOut" {
			p.do(chromedp.Evaluate[chromedp.Void](unsent))
			p.loses("/crash/cashout", 1)
			p.press(".bar [type=submit]")
		}
		p.awaits(fmt.Sprintf(`document.querySelector('.outcome')?.dataset.round === %q`, own.ID))
		round := e.lastRound()
		won := value[bool](p.page, `document.querySelector('.outcome').classList.contains('won')`)
		if round.ID != own.ID || round.Wager != own.Wager || won != (round.Payout > round.Wager) {
			t.Errorf("the page shows the bet %+v as won: %v; the ledger has %+v", own, won, round)
		}
		const out = `document.querySelector('[data-bet="%s"]')?.dataset.out`
		shown := value[string](p.page, fmt.Sprintf(out, own.ID)+` ?? ''`) // nothing once the next round is shown
		multiplier, err := strconv.ParseFloat(string(round.Multiplier), 64)
		e.must(err)
		if won && shown != "" && shown != strconv.Itoa(int(math.Round(multiplier*100))) {
			t.Errorf("the page shows a cash-out at %s, the ledger at %s", shown, round.Multiplier)
		}
		if won {
			other.until(fmt.Sprintf(`document.querySelector('.board').dataset.round !== %q || `+out+` !== undefined`, fmt.Sprint(own.Round), own.ID))
			break
		}
		if try == crashTries {
			t.Fatal("no round could be cashed out")
		}
	}
	p.verifiesCrash(fmt.Sprintf(`[data-ended="%d"]`, own.Round))
	p.visit("#/history/" + own.ID)
	p.verifiesCrash("#verify")
	p.visit("#/history")
	p.until(`document.querySelector('[data-round]') !== null && [...document.querySelectorAll('[data-round]')].every((row) => row.querySelector('[data-seal=right]') !== null)`)
	other.clean()
	p.clean()
}

// lastRound returns the player's newest round by the ledger.
func (e *evening) lastRound() api.Round {
	e.Helper()
	var rounds []api.Round
	e.eventually("a round in the history", func() bool {
		page, err := e.player.ListRounds(e.Context(), api.ListRoundsParams{Limit: 1})
		e.must(err)
		rounds = page.Rounds
		return len(rounds) > 0
	})
	return rounds[0]
}

// verifiesCrash opens the verification of a round, which must find nothing.
func (p player) verifiesCrash(button string) {
	p.Helper()
	p.press(button)
	p.until(`document.querySelector('.crash-proof') !== null && document.querySelector('.crash-proof li:not([data-same])') === null`)
	if found := value[[]string](p.page, `[...document.querySelectorAll('.crash-proof li')].filter((each) => each.dataset.same !== 'true').map((each) => each.dataset.check)`); len(found) > 0 {
		p.Errorf("verification finds %v: %q", found, p.text(".crash-proof"))
	}
	if done := value[int](p.page, `document.querySelectorAll('.crash-proof li').length`); done != 7 {
		p.Errorf("%d checks: %q", done, p.text(".crash-proof"))
	}
	p.do(chromedp.Evaluate[chromedp.Void](`document.querySelector('dialog header button').click()`))
}

// TestASharedCrashIsQueuedFor queues a bet while a round isn't open for bets, cancels it, queues
// it again, and finds it placed on the next round alone. Then the space bar bets. The board fits the narrowest screen, and
// has no barrier.
func TestASharedCrashIsQueuedFor(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("needs a browser") // allowed: make test runs it
	}
	e := begin(t, t.TempDir())
	p := enter(t, e.dev, phone)
	p.deposit("3.123456789")
	p.visit("#/game/shared-crash")
	p.controls("bet", "queue")
	if over := value[float64](p.page, below); over > 0 {
		t.Errorf("the bet button or the page is %.0f pixels outside the screen", over)
	}
	if over := value[float64](p.page, hiddenControls); over > 1 {
		t.Errorf("%.0f pixels of the controls are hidden", over)
	}
	p.accessible("the shared crash")
	p.fill(".controls .own input", "1.005")
	p.controls("bet", "queue")
	p.awaits(`document.querySelector('.controls .own input').getAttribute('aria-invalid') === 'true'`)
	p.fill(".controls .own input", "1.01")
	p.controls("queue")
	const pressUntil = `%s === %q || (document.querySelector('.bar [type=submit]').click(), false)` // a press right after a change doesn't count
	p.awaits(fmt.Sprintf(pressUntil, control, "queued"))
	p.awaits(fmt.Sprintf(pressUntil, control, "queue"))
	p.awaits(fmt.Sprintf(pressUntil, control, "queued"))
	queuedIn := value[string](p.page, `document.querySelector('.board').dataset.round`)
	p.controls("placed", "cashOut")
	own, err := e.player.CrashBet(t.Context())
	e.must(err)
	if fmt.Sprint(own.Round-1) != queuedIn || own.CashOut != "1.01" {
		t.Errorf("a bet queued in round %s is %+v", queuedIn, own)
	}
	p.awaits(fmt.Sprintf(`document.querySelector('.outcome')?.dataset.round === %q`, own.ID))
	p.controls("bet")
	if again, err := e.player.CrashBet(t.Context()); err == nil && again.ID != "" {
		t.Errorf("the queued bet is placed again: %+v", again)
	}
	p.do(chromedp.Evaluate[chromedp.Void](`localStorage.setItem('casino.hotkeys', 'on')`), chromedp.Reload())
	p.controls("queue")
	p.controls("bet")
	p.key(" ")
	p.controls("placed")
	p.clean()
}

// TestTheSharedCrashWithoutAConnection cuts the connection: the page says so and shows no number
// that it can't know, and then continues.
func TestTheSharedCrashWithoutAConnection(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("needs a browser") // allowed: make test runs it
	}
	e := begin(t, t.TempDir())
	p := watcher(t, e.dev, desktop)
	p.tolerated = []string{"ERR_INTERNET_DISCONNECTED", "ERR_NETWORK_CHANGED"}
	p.awaits(`document.querySelector('.board').dataset.status === 'flying'`)
	p.offline(true)
	p.until(`document.querySelector('.phase').dataset.live === 'false'`)
	if number, status := p.text(".roll"), value[string](p.page, `document.querySelector('.board').dataset.status`); status == "flying" && number != "…" {
		t.Errorf("without a connection the curve is at %s", number)
	}
	p.offline(false)
	p.until(`document.querySelector('.phase').dataset.live === 'true'`)
	p.awaits(`document.querySelector('.board').dataset.status === 'betting'`)
	p.clean()
}
