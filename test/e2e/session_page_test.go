package e2e_test

import (
	"fmt"
	"strings"
	"testing"

	cdppage "github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"

	"github.com/casino-service/casino/adapters/httpapi/api"
	"github.com/casino-service/casino/adapters/httpapi/client"
	"github.com/casino-service/casino/test/services"
)

// hasty moves the page's clock: window.later(minutes) is what a machine does that slept so long.
const hasty = `{
	const now = Date.now; let ahead = 0;
	Date.now = () => now() + ahead;
	window.later = (minutes) => { ahead += minutes * 60_000; document.dispatchEvent(new Event('visibilitychange', { bubbles: true })); };
}`

// kept is what the tab keeps of its session.
const kept = `JSON.parse(sessionStorage.getItem('casino.session /casino') ?? 'null')`

// prepared opens the page after scripts that run before its own, on each load.
func prepared(t *testing.T, dev *services.Dev, on screen, hash string, scripts ...string) player {
	t.Helper()
	p := visitor(t, dev, on, "verify")
	for _, script := range scripts {
		_, err := chromedp.Call(p.ctx, cdppage.AddScriptToEvaluateOnNewDocument, cdppage.AddScriptToEvaluateOnNewDocumentParams{Source: script})
		noError(t, err)
	}
	p.do(chromedp.Navigate(root(dev)+hash), chromedp.Evaluate[chromedp.Void](watching))
	return p
}

// newTab opens another tab of the same browser, which isn't opened by the page.
func (p player) newTab(path string) player {
	p.Helper()
	ctx, cancel := chromedp.NewContext(p.ctx)
	p.Cleanup(cancel)
	other := player{attach(p.T, ctx), p.dev, new([]int)}
	other.may, other.tolerated = p.may, p.tolerated
	other.do(chromedp.Navigate(root(p.dev)+path), chromedp.Evaluate[chromedp.Void](watching))
	return other
}

// TestAReloadKeepsTheSession reloads the page during an open round: the player is still signed in,
// and the page leads back to the round from anywhere, until it ends.
func TestAReloadKeepsTheSession(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("needs a browser") // allowed: make test runs it
	}
	e := begin(t, t.TempDir())
	p := enter(t, e.dev, phone)
	p.deposit("2")
	p.visit("#/game/mines")
	p.until(`document.querySelector('.controls button[type=submit]') !== null`)
	p.press(".controls button[type=submit]")
	p.until(`document.querySelector('.tile-button:not(:disabled)') !== null && document.querySelector('.controls button[type=submit]') === null`)
	p.do(chromedp.Reload(), chromedp.Evaluate[chromedp.Void](watching))
	p.until(`document.querySelector('.who') !== null && document.querySelector('.tile-button:not(:disabled)') !== null`)
	if value[bool](p.page, `document.querySelector('.open-rounds') !== null`) {
		t.Error("the round's own page tells of it as well")
	}
	p.visit("#/wallet")
	p.until(`document.querySelector('.open-rounds') !== null`)
	p.do(chromedp.Reload(), chromedp.Evaluate[chromedp.Void](watching))
	p.until(`document.querySelector('.open-rounds') !== null && location.hash === '#/wallet'`)
	if said := p.text(".open-rounds"); !strings.Contains(said, "an open round of Mines (0.") || !strings.Contains(said, "SOL") {
		t.Errorf("of the open round the page says %q", said)
	}
	p.picture("session-open-round-phone")
	open, err := e.player.OpenRounds(t.Context())
	e.must(err)
	if len(open) != 1 || value[string](p.page, `document.querySelector('.open-rounds').dataset.open`) != open[0].ID {
		t.Fatalf("open are %+v", open)
	}
	p.press(".open-rounds a")
	p.until(`location.hash === '#/game/mines' && document.querySelector('.tile-button:not(:disabled)') !== null && document.querySelector('.open-rounds') === null`)
	p.visit("#/history")
	p.until(`document.querySelector('.open-rounds') !== null`)
	step(e, open[0]) // elsewhere, which ends it
	p.until(`document.querySelector('.open-rounds') === null && [...document.querySelectorAll('.notice')].some((each) => each.textContent.includes('round of Mines has ended'))`)

	p.press(`.who .menu button`)
	p.until(`document.querySelector('.who') === null`)
	if left := value[bool](p.page, kept+` !== null`); left {
		t.Error("after the sign-out the tab keeps a session")
	}
	p.do(chromedp.Reload())
	p.until(`document.querySelector('header .primary') !== null`)
	p.clean()
}

// step opens a tile and, unless that ended the round, cashes out.
func step(e *evening, round api.OpenRound) {
	e.Helper()
	stepped, err := e.player.Step(e.Context(), round.ID, api.StepRequest{Step: 0, Action: map[string]any{"type": "open", "tile": 1}})
	e.must(err)
	if stepped.Open != nil {
		_, err = e.player.Step(e.Context(), round.ID, api.StepRequest{Step: 1, Action: map[string]any{"type": "cashOut"}})
		e.must(err)
	}
}

// TestASessionIsRenewed renews a session before its end, after it, and after the service refused
// it, each time by one signature at the same place; and never with another account.
func TestASessionIsRenewed(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("needs a browser") // allowed: make test runs it
	}
	dev := services.NewDev(t, t.TempDir()) // the test signs in as often as an address may in a minute
	_, bob := dev.Key(t, "bob")
	wallet := strings.Replace(fmt.Sprintf(testWallet, bob), `connect: async () => ({ accounts: [account] })`, `connect: async (input) => {
		(window.connects ??= []).push(input?.silent === true ? 'silent' : 'asked');
		return { accounts: input?.silent && window.locked ? [] : [{ ...account, address: window.switchedTo ?? account.address }] };
	}`, 1)
	wallet = strings.Replace(wallet, `atob(signature)`, `atob((window.signs++, window.forged ?? signature))`, 1)
	p := prepared(t, dev, phone, "#/game/dice", hasty, `addEventListener('DOMContentLoaded', () => {`+wallet+`})`)
	p.tolerated = append(p.tolerated, "401")
	p.until(`document.querySelector('.dice') !== null`)
	p.press(`header .primary`)
	p.press(`.wallet:not(.demo)`)
	p.until(`document.querySelector('.who') !== null && document.querySelector('dialog') === null`)
	// renews presses the bar's button, which must replace the token by one signature.
	renews := func(when, says string, signatures int) {
		t.Helper()
		p.until(fmt.Sprintf(`document.querySelector('.session-bar [role=status]').textContent.includes(%q)`, says))
		p.picture("session-" + when)
		p.do(chromedp.Evaluate[chromedp.Void](`window.before = ` + kept + `; window.signed = ''; window.signs = 0; window.connects = []`))
		p.press(`.session-bar .primary`)
		p.until(`document.querySelector('.session-bar button') === null && document.querySelector('.who') !== null`)
		if !value[bool](p.page, `window.signed !== '' && `+kept+`.token !== window.before.token && `+kept+`.endsAt > Date.now() + 29 * 60_000 && location.hash === '#/game/dice'`) {
			t.Errorf("%s: the session is %v", when, value[string](p.page, `JSON.stringify([window.before, `+kept+`])`))
		}
		if asked, signs := value[string](p.page, `window.connects.join()`), value[int](p.page, `window.signs`); asked != "silent" || signs != signatures {
			t.Errorf("%s: the wallet was connected %q and signed %d times", when, asked, signs)
		}
	}
	if value[bool](p.page, `document.querySelector('.session-bar button') !== null`) {
		t.Error("a new session is to be renewed")
	}
	p.do(chromedp.Evaluate[chromedp.Void](`window.later(27.5)`))
	p.do(chromedp.Evaluate[chromedp.Void](`window.forged = btoa('A'.repeat(64))`))
	p.press(`.session-bar .primary`)
	p.until(`[...document.querySelectorAll('.notice.bad')].some((each) => each.textContent.includes('signature'))`)
	if value[bool](p.page, `document.querySelector('.who') === null`) {
		t.Error("a refused signature ends the session")
	}
	p.do(chromedp.Evaluate[chromedp.Void](`window.forged = undefined`))
	renews("ending", "Your session ends at", 1)
	p.do(chromedp.Evaluate[chromedp.Void](`window.later(31)`))
	p.until(`document.querySelector('.who') === null`)
	renews("over", "Your session has ended", 2) // the machine's time is stale once more
	noError(t, client.New(dev.BaseURL, nil).WithToken(dev.SignIn(t, "bob")).Logout(t.Context()))
	p.until(`document.querySelector('.who') === null`)
	p.do(chromedp.Reload(), chromedp.Evaluate[chromedp.Void](watching)) // the end outlives a reload
	p.until(`document.querySelector('.dice') !== null`)
	renews("refused", "Your session has ended", 1)

	_, other := dev.Key(t, "alice")
	p.visit("#/wallet")
	p.do(chromedp.Evaluate[chromedp.Void](fmt.Sprintf(`window.switchedTo = %q; window.connects = []`, other)))
	p.fill("#deposit input", "1")
	p.press("#deposit [type=submit]")
	p.until(`[...document.querySelectorAll('.notice.bad')].some((each) => each.textContent.includes('Test Wallet uses another account now'))`)
	if asked := value[string](p.page, `window.connects.join()`); asked != "silent,asked" {
		t.Errorf("for another account the wallet was connected %q", asked)
	}
	p.do(chromedp.Evaluate[chromedp.Void](`window.switchedTo = undefined; window.locked = true`))
	p.press("#deposit [type=submit]")
	p.until(`BigInt(document.querySelector('.balance output').dataset.balance) === 1000000000n`)
	p.clean()
}

// TestADemoSessionRenewsItself: nobody signs for a demo wallet.
func TestADemoSessionRenewsItself(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("needs a browser") // allowed: make test runs it
	}
	dev := services.NewDev(t, t.TempDir())
	p := prepared(t, dev, desktop, "", hasty)
	p.tolerated = append(p.tolerated, "401")
	p.signInAs("alice")
	p.do(chromedp.Evaluate[chromedp.Void](`window.before = ` + kept + `; window.later(28)`))
	p.until(kept + `.token !== window.before.token`)
	p.until(`document.querySelector('.session-bar button') === null && document.querySelector('.who') !== null`)
	p.clean()
}

// TestTabsStayInStep: tabs share a session, its renewal, its end and another wallet's; the console
// takes no part.
func TestTabsStayInStep(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("needs a browser") // allowed: make test runs it
	}
	e := begin(t, t.TempDir())
	p := enter(t, e.dev, desktop)
	p.tolerated = append(p.tolerated, "401") // a tab may ask before it hears of the other's sign-out
	second := p.newTab("#/wallet")
	second.until(`document.querySelector('.who') !== null && document.querySelector('#withdraw') !== null`)
	p.deposit("1")
	e.bets(100_000)
	second.visit("#/history")
	second.until(`document.querySelector('[data-round]') !== null`)
	// No list is answered any more, so what a tab shows of the next wallet is what it kept.
	second.do(chromedp.Evaluate[chromedp.Void](`{ const fetched = window.fetch; window.fetch = (at, init) => (String(at).includes('/history') ? new Promise(() => {}) : fetched(at, init)); }`))
	desk := p.newTab("admin")
	desk.until(`document.querySelector('#main .primary') !== null`)
	desk.do(chromedp.Evaluate[chromedp.Void](`{
		const tabs = new BroadcastChannel('casino.session /casino');
		tabs.onmessage = ({ data }) => { if (data.kind === 'answer') window.answered = data.held; };
		tabs.postMessage({ kind: 'ask' });
		window.say = (said) => tabs.postMessage(said);
	}`))
	desk.until(`window.answered !== undefined`)
	if value[bool](desk.page, `document.querySelector('.who') !== null || sessionStorage.length > 0`) {
		t.Error("the console takes a session of the player's page")
	}
	token := e.dev.SignIn(t, "bob")
	_, bob := e.dev.Key(t, "bob")
	desk.do(chromedp.Evaluate[chromedp.Void](fmt.Sprintf(`window.say({ kind: 'in', held: { ...window.answered, wallet: %q, token: %q, endsAt: window.answered.endsAt + 1000 } })`, bob, token)))
	for _, each := range []player{p, second} {
		each.until(fmt.Sprintf(`document.querySelector('.who code')?.title === %q && %s.token === %q`, bob, kept, token))
		each.until(`[...document.querySelectorAll('.notice')].some((each) => each.textContent.includes('in another tab'))`)
	}
	if value[bool](second.page, `document.querySelector('[data-round]') !== null`) {
		t.Error("the history of a wallet is shown to the next one")
	}
	desk.do(chromedp.Evaluate[chromedp.Void](`window.say({ kind: 'answer', held: window.answered })`)) // of an older session
	for _, each := range []player{p, second} {                                                         // which each has heard once it answers
		desk.do(chromedp.Evaluate[chromedp.Void](`window.answered = undefined; window.say({ kind: 'ask' })`))
		desk.until(`window.answered !== undefined`)
		if now := value[string](each.page, `document.querySelector('.who code').title`); now != bob {
			t.Errorf("after an older session's answer a tab shows %s", now)
		}
	}
	second.press(`.who .menu button`)
	for _, each := range []player{p, second} {
		each.until(`document.querySelector('.who') === null && ` + kept + ` === null`)
	}
	p.until(`[...document.querySelectorAll('.notice')].some((each) => each.textContent.includes('signed out in another tab'))`)
	p.signInAs("alice")
	second.until(fmt.Sprintf(`document.querySelector('.who code')?.title === %q`, e.address))
	desk.signIn("superadmin")
	desk.until(`document.querySelector('.side') !== null`)
	if value[bool](desk.page, `sessionStorage.length > 0`) {
		t.Error("the console keeps a session in the browser's storage")
	}
	if now := value[string](p.page, `document.querySelector('.who code').title`); now != e.address {
		t.Errorf("after the console's sign-in the player's page shows %s", now)
	}
	for _, each := range []player{p, second, desk} {
		each.clean()
	}
}

// TestWalletsAreOfferedElsewhere: without a wallet in the browser a telephone opens the page in a
// wallet's app, at the same place; a desktop says where to get one.
func TestWalletsAreOfferedElsewhere(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("needs a browser") // allowed: make test runs it
	}
	dev := services.NewDev(t, t.TempDir())
	for name, each := range map[string]struct {
		on    screen
		first string
	}{
		"phone":   {phone, "https://phantom.app/ul/browse/' + encodeURIComponent(location.href) + '?ref=' + encodeURIComponent(location.origin) + '"},
		"desktop": {desktop, "https://phantom.com/download"},
	} {
		p := visitor(t, dev, each.on, "#/game/mines")
		p.press(`header .primary`)
		p.until(`document.querySelectorAll('.elsewhere a').length === 3`)
		if !value[bool](p.page, `location.hash === '#/game/mines' && document.querySelector('.elsewhere a').href === '`+each.first+`'`) {
			t.Errorf("%s: the first link is %s", name, value[string](p.page, `document.querySelector('.elsewhere a').href`))
		}
		p.until(`document.querySelector('.wallet.demo') !== null`)
		p.picture("session-elsewhere-" + name)
		p.clean()
	}
}
