package e2e_test

import (
	"encoding/json"
	"fmt"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/casino-service/casino/adapters/httpapi/api"
)

// moves lets the page animate, which open forbids.
func (p player) moves() {
	p.Helper()
	send(p.page, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
		Features: []*emulation.MediaFeature{{Name: "prefers-reduced-motion", Value: "no-preference"}},
	})
	p.until(`!matchMedia('(prefers-reduced-motion: reduce)').matches`)
}

// atPlay opens a game and waits for its board.
func (p player) atPlay(game string) {
	p.Helper()
	p.visit("#/game/" + game)
	p.until(fmt.Sprintf(`document.querySelector('.stage') !== null && location.hash.endsWith(%q)`, game))
}

// balance returns the balance that the page shows, in base units.
func (p player) balance() string {
	p.Helper()
	return value[string](p.page, `document.querySelector('.balance output').dataset.balance`)
}

// TestResultsWaitForTheBoard checks that neither the result nor the payout is shown while a board
// animates a round, nor the bet in the feed, nor a sound played, and that a press does all.
func TestResultsWaitForTheBoard(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("needs a browser") // allowed: make test runs it
	}
	e := begin(t, t.TempDir())
	p := enter(t, e.dev, phone)
	p.deposit("5")
	p.visit("#/account")
	p.until(`document.querySelector('#sound') !== null`)
	p.press("#sound")
	p.atPlay("plinko")
	p.moves()
	p.do(chromedp.Evaluate[chromedp.Void](`{
		window.heard = []; window.notes = 0;
		new EventSource('/casino/public/feed').onmessage = (message) => window.heard.push(JSON.parse(message.data).id);
		const make = AudioContext.prototype.createOscillator;
		AudioContext.prototype.createOscillator = function () { window.notes++; return make.call(this); };
	}`))
	// Animations stand still until the test ends them: timers of a second or more never fire.
	p.do(chromedp.Evaluate[chromedp.Void](`{ const later = window.setTimeout; window.setTimeout = (what, ms, ...more) => (ms >= 1000 && ms < 2000 ? 0 : later(what, ms, ...more)); }`))
	p.do(chromedp.Evaluate[chromedp.Void](`[...document.querySelectorAll('.controls input[type=radio]')][3].click()`)) // expert never returns the stake, which has no sound
	p.press(".controls button[type=submit]")
	p.until(`document.querySelector('.plinko .ball') !== null && window.heard.length === 1`)
	_, net, rounds := e.played()
	if rounds != 1 {
		t.Fatalf("%d rounds were played", rounds)
	}
	const deposited, wager = 5_000_000_000, 10_000_000
	if shown := p.balance(); shown != fmt.Sprint(deposited-wager) {
		t.Errorf("the page shows %s while the ball falls", shown)
	}
	if found := value[int](p.page, `document.querySelectorAll('.outcome[data-round], .results li, .buckets .hit, .feed [data-bet]').length`); found != 0 {
		t.Errorf("%d places show the result while the ball falls", found)
	}
	if notes := value[int](p.page, `window.notes`); notes != 0 {
		t.Errorf("%d notes were played while the ball falls", notes)
	}
	p.press(".controls button[type=submit]")
	p.until(`document.querySelector('.outcome[data-round]') !== null && document.querySelector('.buckets .hit') !== null && document.querySelectorAll('.results li').length === 1`)
	p.until(`window.heard[0] === document.querySelector('.feed tbody tr').dataset.bet && window.notes > 1`)
	if shown := p.balance(); shown != fmt.Sprint(deposited+net) {
		t.Errorf("the page shows %s after a net of %d", shown, net)
	}
	if _, _, rounds := e.played(); rounds != 1 {
		t.Errorf("a press that ends the animation bets: %d rounds", rounds)
	}
	p.clean()
}

// TestChipsBetweenNumbers bets on two numbers of the roulette table.
func TestChipsBetweenNumbers(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("needs a browser") // allowed: make test runs it
	}
	e := begin(t, t.TempDir())
	p := enter(t, e.dev, desktop)
	p.deposit("5")
	p.atPlay("roulette")
	p.do(chromedp.Evaluate[chromedp.Void](`[...document.querySelectorAll('.controls input[type=radio]')][1].click()`))
	p.until(`document.querySelector('.between[aria-label="Split: 32, 35"]') !== null`)
	p.press(`.between[aria-label="Split: 32, 35"]`)
	p.bet()
	history, err := e.player.ListRounds(t.Context(), api.ListRoundsParams{})
	e.must(err)
	config, err := json.Marshal(history.Rounds[0].Config)
	e.must(err)
	if want := `{"bets":[{"type":"split","numbers":[32,35],"amount":10000000}]}`; string(config) != want {
		t.Errorf("the bet is %s, want %s", config, want)
	}
	p.clean()
}

// TestKeysForBets turns the keys on, and checks that Space bets, and does not open a second round.
func TestKeysForBets(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("needs a browser") // allowed: make test runs it
	}
	e := begin(t, t.TempDir())
	p := enter(t, e.dev, desktop)
	p.deposit("5")
	p.atPlay("mines")
	blur := func() { p.do(chromedp.Evaluate[chromedp.Void](`document.activeElement.blur()`)) }
	blur()
	p.key(" ")
	p.key("?")
	p.until(`document.querySelector('dialog .keys') !== null`)
	p.press(`dialog input[type=checkbox]`)
	p.key(kb.Escape)
	p.until(`document.querySelector('dialog') === null`)
	if rounds := e.open(); rounds != 0 {
		t.Errorf("Space opened %d rounds before the keys were turned on", rounds)
	}
	blur()
	// A second key comes as soon as the opened round is drawn, before anything else can run.
	p.do(chromedp.Evaluate[chromedp.Void](`new MutationObserver((_, observer) => {
		if (document.querySelector('.opened') === null) return;
		observer.disconnect();
		document.body.dispatchEvent(new KeyboardEvent('keydown', { key: ' ', bubbles: true }));
	}).observe(document.body, { attributes: true, childList: true, subtree: true })`))
	p.key(" ")
	p.until(`document.querySelector('.opened .actions button') !== null`)
	p.press(`.opened .actions button`) // its answer comes after that of a second opening
	p.until(`document.querySelector('.outcome[data-round]') !== null`)
	if rounds := e.open(); rounds != 0 {
		t.Errorf("%d rounds are still open", rounds)
	}
	p.clean()
}

// open returns the number of the player's open rounds.
func (e *evening) open() int {
	e.Helper()
	list, err := e.player.OpenRounds(e.Context())
	e.must(err)
	return len(list)
}

// TestAutoBetEndsWithItsTokenAndWallet checks that auto-bet ends, and bets nothing more, when another
// token is chosen or another wallet signs in.
func TestAutoBetEndsWithItsTokenAndWallet(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("needs a browser") // allowed: make test runs it
	}
	e := begin(t, t.TempDir())
	p := enter(t, e.dev, desktop)
	p.deposit("5")
	p.atPlay("dice")
	p.press(".ways .segments button:last-child")
	p.until(`document.querySelector('.auto') !== null`)
	p.fill(".auto input", "0")
	p.press(".auto .big")
	p.until(`document.querySelectorAll('.results li').length >= 2`)
	if value[bool](p.page, `[...document.querySelectorAll('.own')].some((each) => !each.disabled && !each.inert)`) {
		t.Error("the choices can be changed while auto-bet runs")
	}
	chooses := func(index int) {
		p.do(chromedp.Evaluate[chromedp.Void](fmt.Sprintf(`{
			const tokens = document.querySelector('.balance select');
			window.first ??= tokens.selectedIndex;
			tokens.selectedIndex = (window.first + %d) %% tokens.options.length;
			tokens.dispatchEvent(new Event('change', { bubbles: true }));
		}`, index)))
	}
	chooses(1)
	p.until(`document.querySelector('.auto-state').textContent === 'Stopped.'`)
	history, err := e.player.ListRounds(t.Context(), api.ListRoundsParams{Limit: 100})
	e.must(err)
	for _, round := range history.Rounds {
		if round.Token != history.Rounds[len(history.Rounds)-1].Token {
			t.Errorf("a round of another token, with %d base units", round.Wager)
		}
	}

	_, bob := e.dev.Key(t, "bob")
	chooses(0)
	p.press(".auto .big")
	p.until(`document.querySelector('.auto-state').textContent !== 'Stopped.'`)
	p.do(chromedp.Evaluate[chromedp.Void](fmt.Sprintf(`{
		const tabs = new BroadcastChannel('casino.session /casino'); // another tab signs in with another wallet
		const held = %s;
		tabs.postMessage({ kind: 'in', held: { ...held, wallet: %q, token: %q, endsAt: held.endsAt + 1000 } });
	}`, kept, bob, e.dev.SignIn(t, "bob"))))
	p.until(fmt.Sprintf(`document.querySelector('.who code')?.title === %q && document.querySelector('.auto-state').textContent === 'Stopped.'`, bob))
	p.clean()
}
