package e2e_test

import (
	"testing"

	"github.com/chromedp/chromedp"
)

// below is how far the bet button reaches below the bar at the bottom, and how far the page
// reaches beyond the screen's width.
const below = `Math.max(document.querySelector('.bar [type=submit]').getBoundingClientRect().bottom - document.querySelector('.bottom').getBoundingClientRect().top, document.documentElement.scrollWidth - document.documentElement.clientWidth)`

// hiddenControls is how far a board's own controls reach below the bar with the bet button.
const hiddenControls = `Math.max(0, ...[...document.querySelectorAll('.controls .own > *')].map((each) => each.getBoundingClientRect().bottom - document.querySelector('.bar').getBoundingClientRect().top))`

// TestTheBetFitsAPhone: with a balance of many digits and Portuguese's longer words, each game's
// bet button is on the narrowest screen, and on a usual one the choices of a bet are too. Games
// played step by step offer no auto-bet.
func TestTheBetFitsAPhone(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("needs a browser") // allowed: make test runs it
	}
	e := begin(t, t.TempDir())
	p := enter(t, e.dev, phone)
	p.deposit("3.123456789")
	p.visit("#/account")
	p.fill(".switches label:nth-of-type(1) select", "pt-BR")
	p.until(`document.documentElement.lang === 'pt-BR'`)
	stepped := map[string]bool{"mines": true, "dragontower": true, "hilo": true, "videopoker": true, "blackjack": true}
	for _, game := range []string{"dice", "limbo", "crash", "coinflip", "slots", "mines", "plinko", "keno", "wheel", "roulette", "diamonds", "baccarat", "dragontower", "hilo", "videopoker", "blackjack"} {
		p.visit("#/game/" + game)
		p.until(`document.querySelector('.bar [type=submit]') !== null && document.querySelectorAll('.feed tr').length > 1`)
		if over := value[float64](p.page, below); over > 0 {
			t.Errorf("%s: the bet button or the page is %.0f pixels outside the screen", game, over)
		}
		if auto := value[bool](p.page, `document.querySelector('.ways') !== null`); auto == stepped[game] {
			t.Errorf("%s: auto-bet is offered: %v", game, auto)
		}
	}
	p.do(chromedp.EmulateViewport(390, 844, chromedp.EmulateMobile, chromedp.EmulateTouch))
	for _, game := range []string{"dice", "limbo", "crash", "coinflip", "mines", "plinko", "keno", "wheel", "baccarat", "dragontower"} {
		p.visit("#/game/" + game)
		p.until(`document.querySelector('.bar [type=submit]') !== null`)
		if over := value[float64](p.page, hiddenControls); over > 1 {
			t.Errorf("%s: %.0f pixels of its controls are hidden", game, over)
		}
	}
	if said := value[string](p.page, `document.querySelector('.game-head .tag').textContent`); said != "RTP 99,00 %" {
		t.Errorf("the return in Portuguese is %q", said)
	}
	p.clean()
}

// TestAnOpenRoundIsReadAgain: a tab that comes to the front shows what another tab did in its round.
func TestAnOpenRoundIsReadAgain(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("needs a browser") // allowed: make test runs it
	}
	e := begin(t, t.TempDir())
	p := enter(t, e.dev, desktop)
	p.deposit("3")
	p.visit("#/game/dragontower")
	p.until(`document.querySelector('.tower') !== null`)
	p.press(".bar [type=submit]")
	p.until(`document.querySelector('.egg.now') !== null`)
	second := p.newTab("#/game/dragontower")
	second.until(`document.querySelector('.actions .big') !== null`)
	second.press(".actions .big") // cashes out
	second.until(`document.querySelector('.opened') === null`)
	p.front()
	for _, hidden := range []string{"true", "false"} {
		p.do(chromedp.Evaluate[chromedp.Void](`{
			window.drawn = false;
			Object.defineProperty(document, 'hidden', { configurable: true, value: ` + hidden + ` });
			document.dispatchEvent(new Event('visibilitychange'));
			requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(() => { window.drawn = true; })));
		}`))
		p.until(`window.drawn`)
	}
	p.until(`document.querySelector('.opened') === null`)
	p.clean()
	second.clean()
}
