package e2e_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/chromedp"

	"github.com/casino-service/casino/adapters/httpapi/api"
	"github.com/casino-service/casino/test/services"
)

// names returns the games of a list of tiles.
func (p player) names(list string) string {
	p.Helper()
	return value[string](p.page, fmt.Sprintf(`[...document.querySelectorAll('%s [data-game], %[1]s [data-launch]')].map((each) => each.dataset.game ?? each.dataset.launch).join(' ')`, list))
}

// view chooses which games the lobby shows, by its place among the choices.
func (p player) chip(n int) {
	p.Helper()
	p.press(fmt.Sprintf(".chips button:nth-of-type(%d)", n))
}

// TestTheLobbyFindsAndKeepsGames searches house and provider games, and keeps favourites and the
// games opened last over a reload.
func TestTheLobbyFindsAndKeepsGames(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("needs a browser") // allowed: make test runs it
	}
	e := begin(t, t.TempDir())
	e.offered()
	p := visitor(t, e.dev, phone, "")
	p.until(fmt.Sprintf(`document.querySelectorAll('#house .tile').length > 10 && document.querySelector('[data-launch=%s]') !== null`, game))
	for _, each := range []struct{ query, found string }{{"plínko", "plinko"}, {"CHERRY slot", game}, {"zero roulette", "roulette"}, {"nothing like it", ""}} {
		p.fill(".search input", each.query)
		p.until(`document.querySelector('#found') !== null`)
		if got := p.names("#found"); got != each.found {
			t.Errorf("%q finds %q", each.query, got)
		}
	}
	p.picture("around-phone-nothing-found")
	p.press("#found + button") // clear
	p.until(`document.querySelector('.search input').value === '' && document.querySelector('#house') !== null`)

	p.chip(2)
	p.until(`document.querySelector('main .hint')?.textContent.includes('heart')`)
	p.chip(1)
	for _, tile := range []string{"[data-game=keno]", "[data-launch=" + game + "]"} {
		p.press(tile + " + .heart")
		p.until(fmt.Sprintf(`document.querySelector('%s + .heart').getAttribute('aria-pressed') === 'true'`, tile))
	}
	for _, each := range []string{"plinko", "dice", "nothing", "plinko"} {
		p.visit("#/game/" + each)
		p.until(`document.querySelector('#main .game-head, #main .missing') !== null`)
		p.visit("#/")
		p.until(`document.querySelector('#house') !== null`)
	}
	p.do(chromedp.Reload())
	p.until(`document.querySelectorAll('#house .tile').length > 10`)
	p.do(chromedp.Evaluate[chromedp.Void](watching))
	p.picture("around-phone-lobby")
	p.fits()
	p.chip(2)
	p.until(fmt.Sprintf(`document.querySelector('.tiles [data-launch=%s]') !== null && document.querySelector('#house') === null`, game))
	if kept := p.names(".tiles"); kept != game+" keno" {
		t.Errorf("the favourites are %q", kept)
	}
	p.press("[data-game=keno] + .heart")
	p.until(`document.querySelector('[data-game=keno]') === null`)
	p.chip(3)
	p.until(`document.querySelector('.tiles [data-game=plinko]') !== null`)
	if kept := p.names(".tiles"); kept != "plinko dice" {
		t.Errorf("the games opened last are %q", kept)
	}
	p.chip(5)
	p.fill("#offered .field:nth-of-type(1) select", "slot")
	p.until(fmt.Sprintf(`document.querySelector('#offered [data-launch=%s]') !== null`, game))
	p.fits()
	p.clean()
}

// TestPlayFramesAProvidersGame shows a game of a named origin in a frame of the page, and none of
// another origin.
func TestPlayFramesAProvidersGame(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("needs a browser") // allowed: make test runs it
	}
	dev := services.NewDev(t, t.TempDir(), "--game-frames", "http://127.0.0.1:*")
	p := visitor(t, dev, desktop, "")
	p.may = nil // the frame's requests are the provider's
	p.until(fmt.Sprintf(`document.querySelector('[data-launch=%s]') !== null`, game))
	p.signIn("alice")
	p.press("[data-launch=" + game + "]")
	p.until(`document.querySelector('iframe.provider-game') !== null`)
	if at := value[string](p.page, `document.querySelector('iframe.provider-game').src`); !strings.HasPrefix(at, dev.ProviderURL+"/play/") {
		t.Errorf("the frame has %s", at)
	}
	p.until(`document.querySelector('iframe.provider-game').contentWindow.length === 0 && window.refused.length === 0`)
	p.picture("around-framed")
	p.visit("#/")
	p.until(`document.querySelector('iframe') === null && document.querySelector('#house') !== null`)
	if kept := p.names(".tiles.along"); kept != game {
		t.Errorf("the games opened last are %q", kept)
	}
	p.clean()
}

// bets plays rounds of dice by the API.
func (e *evening) bets(wagers ...int64) (ids []string) {
	e.Helper()
	for _, wager := range wagers {
		played, err := e.player.Play(e.Context(), api.PlayRequest{GameType: "dice", Token: e.dev.Tokens[0].Mint, Wager: wager})
		e.must(err)
		ids = append(ids, played.Round.ID)
	}
	return ids
}

// TestTheFeedMovesNothing: the feed has the same rows and height whatever comes, stands still
// under the pointer, and has tabs for high bets and one's own.
func TestTheFeedMovesNothing(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("needs a browser") // allowed: make test runs it
	}
	e := begin(t, t.TempDir())
	p := enter(t, e.dev, desktop)
	p.deposit("5")
	p.visit("#/")
	p.until(`document.querySelector('.feed') !== null`)
	height := func() float64 {
		return value[float64](p.page, `document.querySelector('.feed').getBoundingClientRect().height`)
	}
	before := height()
	p.do(chromedp.Evaluate[chromedp.Void](`window.heard = []; new EventSource('/casino/public/feed').onmessage = (message) => window.heard.push(JSON.parse(message.data).id)`))
	shows := func(id string) {
		p.until(fmt.Sprintf(`document.querySelector('.feed tbody tr').dataset.bet === %q`, id))
	}
	first := e.bets(1_000_000)[0]
	shows(first)
	p.do(chromedp.Evaluate[chromedp.Void](`document.querySelector('.feed-box .scroll').dispatchEvent(new PointerEvent('pointerenter'))`))
	p.until(`!document.querySelector('.feed-tabs .tag').matches('.unseen')`)
	second := e.bets(1_000_001)[0]
	p.until(fmt.Sprintf(`window.heard.includes(%q)`, second))
	p.do(chromedp.Evaluate[chromedp.Void](`window.drawn = false; requestAnimationFrame(() => requestAnimationFrame(() => (window.drawn = true)))`))
	p.until(`window.drawn`)
	shows(first)
	p.do(chromedp.Evaluate[chromedp.Void](`document.querySelector('.feed-box .scroll').dispatchEvent(new PointerEvent('pointerleave'))`))
	shows(second)
	if after, rows := height(), value[int](p.page, `document.querySelectorAll('.feed tbody tr').length`); after != before || rows != 12 {
		t.Errorf("the feed has %d rows and went from %v to %v pixels", rows, before, after)
	}
	public, err := e.player.PublicLimits(t.Context())
	e.must(err)
	high := int64(0)
	for _, each := range public.Tokens {
		if each.Token == e.dev.Tokens[0].Mint {
			high = each.MaxWager / 100
		}
	}
	big := e.bets(high, high/2-1)[0] // the other one is low even if it wins
	p.press(".feed-tabs button:nth-of-type(2)")
	p.until(fmt.Sprintf(`document.querySelector('.feed [data-bet="%s"]') !== null`, big)) // the other one is high too if it won
	if listed := value[string](p.page, `[...document.querySelectorAll('.feed [data-bet]')].map((each) => each.dataset.bet).join(' ')`); strings.Contains(listed, first) {
		t.Errorf("a low bet is among the high ones: %s", listed)
	}
	p.press(".feed-tabs button:nth-of-type(3)")
	p.until(fmt.Sprintf(`document.querySelector('.feed a[href="#/history/%s"]') !== null`, first))
	profit := value[string](p.page, fmt.Sprintf(`document.querySelector('[data-bet="%s"] td:last-child').textContent`, first))
	round, err := e.player.Round(t.Context(), first)
	e.must(err)
	if won := round.Payout > round.Wager; strings.HasPrefix(profit, "+") != won || strings.HasPrefix(profit, "−") == won {
		t.Errorf("a payout of %d for %d is %q", round.Payout, round.Wager, profit)
	}
	p.picture("around-feed")
	p.clean()
}

// TestStatisticsAreTheHistory compares the page's sums with the history.
func TestStatisticsAreTheHistory(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("needs a browser") // allowed: make test runs it
	}
	e := begin(t, t.TempDir())
	p := enter(t, e.dev, desktop)
	p.visit("#/statistics")
	p.until(`document.querySelector('main a.button[href="#/"]') !== null`) // nothing was bet: the way to a game
	p.deposit("2")
	wagers := make([]int64, 120)
	for i := range wagers {
		wagers[i] = 100_000 + int64(i)
	}
	e.bets(wagers...)
	_, err := e.player.Play(t.Context(), api.PlayRequest{GameType: "limbo", Token: e.dev.Tokens[0].Mint, Wager: 1_000_000})
	e.must(err)
	rounds, net := 0, int64(0)
	for page := (api.ListRoundsParams{Limit: 100}); ; {
		list, err := e.player.ListRounds(t.Context(), page)
		e.must(err)
		for _, round := range list.Rounds {
			rounds, net = rounds+1, net+round.Payout-round.Wager
		}
		if list.NextCursor == nil {
			break
		}
		page.Cursor = *list.NextCursor
	}
	p.visit("#/statistics")
	p.until(`document.querySelector('#all-time')?.dataset.done === 'true'`)
	if counted := value[string](p.page, `document.querySelector('#all-time').dataset.counted + ' ' + document.querySelector('#all-time .fact [data-net]').dataset.net`); counted != fmt.Sprintf("%d %d", rounds, net) {
		t.Errorf("the page counts %s, the history has %d rounds with net %d", counted, rounds, net)
	}
	p.until(fmt.Sprintf(`document.querySelector('main .shown [data-net]')?.dataset.net === '%d'`, net)) // of this sitting
	for table, want := range map[int]string{0: "121", 1: "120"} {
		if got := value[string](p.page, fmt.Sprintf(`document.querySelectorAll('.sums')[%d].querySelector('tbody td').textContent`, table)); got != want {
			t.Errorf("the first line of table %d has %s bets", table, got)
		}
	}
	// The chart has a bar: much of it is in the colour of a gain or a loss.
	coloured := value[int](p.page, `(() => {
		const canvas = document.querySelector('.day-chart canvas'), drawn = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data;
		let count = 0;
		for (let i = 0; i < drawn.length; i += 4) if (drawn[i + 3] > 200 && Math.abs(drawn[i] - drawn[i + 1]) > 80) count++;
		return count;
	})()`)
	if coloured < 1000 {
		t.Errorf("the chart's bar has %d pixels", coloured)
	}
	for _, each := range []screen{desktop, phone, {390, 844, true}} {
		p.do(chromedp.EmulateViewport(each.width, each.height))
		for _, theme := range []string{"light", "dark"} {
			p.theme(theme)
			p.picture(fmt.Sprintf("around-statistics-%d-%s", each.width, theme))
		}
		p.fits()
	}
	p.clean()
}

// TestAReminderOfTheTime: after the operator's time a dialog states the sitting's length and
// result, bets of auto-bet wait for the answer, and going on puts it off.
func TestAReminderOfTheTime(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("needs a browser") // allowed: make test runs it
	}
	e := begin(t, t.TempDir())
	p := visitor(t, e.dev, phone, "")
	p.until(`document.querySelectorAll('.tile').length > 10`)
	mint := e.dev.Tokens[0].Mint
	kept := func(asked string) {
		p.do(chromedp.Evaluate[chromedp.Void](fmt.Sprintf(`{
			const now = Date.now(), hour = 3_600_000;
			localStorage.setItem('casino.sitting', JSON.stringify({ wallet: %q, began: now - 2 * hour - 90_000, seen: now - 60_000, asked: now - %s, session: 1, last: {},
				sums: { [%q]: { rounds: 7, wagered: '70000000', net: '-1500000000' } } }));
		}`, e.address, asked, mint)))
	}
	kept("0.9 * hour")
	p.signIn("alice")
	p.visit("#/limits")
	p.until(`document.querySelector('main .shown [data-net]') !== null`) // noted, and not due yet
	if value[bool](p.page, `document.querySelector('#reminder') !== null`) {
		t.Error("it is reminded too early")
	}
	p.press(`.who summary`)
	p.press(`.who .menu button`)
	p.until(`document.querySelector('.who') === null`)
	kept("1.1 * hour")
	p.press(`header .primary`)
	p.until(`document.querySelector('.wallet.demo') !== null`)
	p.do(chromedp.Evaluate[chromedp.Void](`[...document.querySelectorAll('.wallet.demo')].find((each) => each.textContent.includes('alice')).click()`))
	p.until(`document.querySelector('#reminder') !== null`)
	if said := p.text("dialog .shown"); !strings.Contains(said, "2 hours 1 minute") || !strings.Contains(said, "−1.50 SOL") || !strings.Contains(said, "Bets: 7") {
		t.Errorf("the reminder says %q", said)
	}
	for _, theme := range []string{"light", "dark"} {
		p.theme(theme)
		p.accessible("reminder")
		p.picture("around-phone-reminder-" + theme)
	}
	p.press("#reminder button")
	p.until(`document.querySelector('#reminder') === null`)
	var noted struct{ Asked, Began float64 }
	e.must(json.Unmarshal([]byte(value[string](p.page, `localStorage.getItem('casino.sitting')`)), &noted))
	if noted.Asked-noted.Began < 7_200_000 {
		t.Errorf("after going on it is %+v", noted)
	}
	p.clean()
}

// TestALimitSaysWhenItTakesEffect: a higher limit and the removal of one name the moment, and the
// latest wish is kept when another limit is set.
func TestALimitSaysWhenItTakesEffect(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("needs a browser") // allowed: make test runs it
	}
	e := begin(t, t.TempDir())
	p := enter(t, e.dev, phone)
	p.visit("#/limits")
	set := func(amount, says string, lines int) {
		p.Helper()
		p.fill("#limit .amount-input input", amount)
		p.until(fmt.Sprintf(`document.querySelector('#limit small').textContent.includes(%q)`, says))
		p.picture("around-phone-limit")
		p.press("#limit button[type=submit]")
		p.until(fmt.Sprintf(`document.querySelectorAll('#limits li').length === %d`, lines))
	}
	set("2", "at once", 1)
	set("3", "24 hours", 2)
	p.do(chromedp.Evaluate[chromedp.Void](`document.querySelector('#limit .segments input').click()`)) // another kind
	set("9", "at once", 3)
	list, err := e.player.Limits(t.Context())
	e.must(err)
	if len(list) != 3 || *list[2].Amount != 9_000_000_000 && *list[2].Amount != 3_000_000_000 {
		t.Errorf("the limits are %+v", list)
	}
	p.press("#limits li:last-of-type button")
	p.until(`document.querySelector('dialog p')?.textContent.includes('24 hours')`)
	p.accessible("removal")
	p.press("dialog .stack button:last-of-type")
	p.until(`document.querySelector('dialog') === null && document.querySelectorAll('#limits li').length === 3`)
	p.press("#break")
	p.until(`document.querySelector('dialog p')?.textContent.includes('Nobody can end this earlier')`)
	p.picture("around-phone-break")
	p.accessible("break")
	p.press("dialog .stack button:last-of-type")
	p.until(`document.querySelector('dialog') === null`)
	p.fits()
	p.clean()
}

// TestALostConnectionIsShown while it lasts, whoever notices it: the browser or a stream.
func TestALostConnectionIsShown(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("needs a browser") // allowed: make test runs it
	}
	e := begin(t, t.TempDir())
	p := enter(t, e.dev, phone)
	p.tolerated = []string{"ERR_", "request failed"}
	shown := `document.querySelector('.connection').textContent`
	if said := value[string](p.page, shown); said != "" {
		t.Errorf("with a connection it says %q", said)
	}
	send(p.page, network.SetBlockedURLs, network.SetBlockedURLsParams{URLPatterns: []*network.BlockPattern{{URLPattern: e.dev.BaseURL + "/*", Block: true}}})
	p.visit("#/history") // asks for something
	p.until(shown + `.includes('not sent') && document.querySelector('h1') !== null`)
	p.accessible("offline")
	p.picture("around-phone-offline")
	send(p.page, network.SetBlockedURLs, network.SetBlockedURLsParams{URLPatterns: []*network.BlockPattern{{URLPattern: "https://nowhere.example/*", Block: true}}})
	p.until(shown + ` === ''`)
	e.dev.Kill()
	p.until(shown + `.includes('not sent')`)
	p.clean()
}

// TestTheAccountsChoices: sounds are off until they are asked for, and stay on over a reload.
func TestTheAccountsChoices(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("needs a browser") // allowed: make test runs it
	}
	e := begin(t, t.TempDir())
	p := enter(t, e.dev, phone)
	p.visit("#/account")
	p.until(`document.querySelector('#sound') !== null && document.querySelector('main .account-places a[href="#/statistics"]') !== null`)
	for _, each := range []screen{phone, {390, 844, true}, {1440, 900, false}} {
		p.do(chromedp.EmulateViewport(each.width, each.height))
		for _, theme := range []string{"light", "dark"} {
			p.theme(theme)
			p.picture(fmt.Sprintf("around-account-%d-%s", each.width, theme))
		}
		p.fits()
	}
	p.do(chromedp.Evaluate[chromedp.Void](`{
		window.notes = 0;
		const make = AudioContext.prototype.createOscillator;
		AudioContext.prototype.createOscillator = function () { window.notes++; return make.call(this); };
	}`))
	if value[bool](p.page, `document.querySelector('#sound').checked`) {
		t.Error("sounds are on for a new player")
	}
	p.press("#sound")
	p.until(`window.notes === 3 && localStorage.getItem('casino.sound') === 'on'`)
	p.press("#sound")
	p.until(`localStorage.getItem('casino.sound') === 'off'`)
	if notes := value[int](p.page, `window.notes`); notes != 3 {
		t.Errorf("%d notes were played after sounds were turned off", notes)
	}
	p.press("#sign-out")
	p.until(`document.querySelector('.who') === null`)
	p.accessible("account of a visitor")
	p.clean()
}
