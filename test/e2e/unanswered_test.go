package e2e_test

import (
	"fmt"
	"testing"

	"github.com/chromedp/cdproto/network"
	cdppage "github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"

	"github.com/casino-service/casino/adapters/httpapi/api"
)

// lost drops the answers of the next count requests to a URL, after the service has handled them.
const lost = `{
	const fetch = window.fetch; let left = %[2]d;
	window.fetch = async (address, request) => {
		const answer = await fetch(address, request);
		if (String(address).endsWith(%[1]q) && left-- > 0) throw new TypeError('the answer is lost');
		return answer;
	};
}`

// attempts is how often a page sends a request by itself.
const attempts = 3

// loses drops the answers of a request so often that the page gives up.
func (p player) loses(address string, times int) {
	p.Helper()
	p.do(chromedp.Evaluate[chromedp.Void](fmt.Sprintf(lost, address, times)))
}

// unsure waits until the page says that the outcome of a request is unknown.
func (p player) unsure() {
	p.Helper()
	p.until(`[...document.querySelectorAll('.notice.bad, .refused')].some((each) => each.textContent.includes('done once at most'))`)
	p.do(chromedp.Evaluate[chromedp.Void](`document.querySelectorAll('.notice button').forEach((each) => each.click())`))
}

// twice submits a form twice before the page can change.
func (p player) twice(form string) {
	p.Helper()
	p.do(chromedp.Evaluate[chromedp.Void](fmt.Sprintf(`{ const form = document.querySelector(%q); form.requestSubmit(); form.requestSubmit(); }`, form)))
}

// TestNothingIsDoneTwice lets a player lose answers or press twice, at a bet, a deposit, a
// withdrawal and a rotation.
func TestNothingIsDoneTwice(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("needs a browser") // allowed: make test runs it
	}
	e := begin(t, t.TempDir())
	p := enter(t, e.dev, desktop)
	p.visit("#/wallet")
	p.loses("/casino/deposit", attempts+2)
	p.fill("#deposit input", "5")
	p.twice("#deposit")
	p.until(`document.querySelector('#deposit input').value === ''`) // an amount that was sent is not proposed again
	p.until(`BigInt(document.querySelector('.balance output').dataset.balance) === 5000000000n`)

	p.visit("#/game/dice")
	p.until(`document.querySelector('.dice') !== null`)
	p.loses("/casino/play", attempts)
	p.press(".controls button[type=submit]")
	p.unsure()
	round := p.bet()
	history, err := e.player.ListRounds(t.Context(), api.ListRoundsParams{})
	e.must(err)
	if len(history.Rounds) != 1 || history.Rounds[0].ID != round {
		t.Errorf("the page shows round %s of %d", round, len(history.Rounds))
	}
	if next := p.bet(); next == round {
		t.Error("a bet after the lost one is the lost one again")
	}

	p.visit("#/wallet")
	p.loses("/casino/withdraw", attempts)
	p.fill("#withdraw input", "1")
	p.press("#withdraw [type=submit]")
	p.unsure()
	p.twice("#withdraw")
	p.until(`document.querySelectorAll('[data-transaction]').length === 2 && document.querySelector('#withdraw input').value === ''`)
	list, err := e.player.AccountTransactions(t.Context(), api.AccountTransactionsParams{})
	e.must(err)
	if len(list.Transactions) != 2 {
		t.Errorf("one deposit and one withdrawal are %d transactions", len(list.Transactions))
	}

	p.visit("#/fairness")
	p.until(`document.querySelector('#seed code') !== null`)
	p.twice("#rotate")
	p.until(`document.querySelectorAll('[data-pair]').length === 2`)
	p.until(`document.querySelector('.notice.good') !== null`)
	pairs, err := e.player.SeedHistory(t.Context(), api.SeedHistoryParams{})
	e.must(err)
	if len(pairs.Seeds) != 2 { // the page rotated once before the first bet
		t.Errorf("two rotations revealed %d pairs", len(pairs.Seeds))
	}
	p.clean()
}

// TestAnAnswerThatNeverComes checks that the page gives up after a time, and says so.
func TestAnAnswerThatNeverComes(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("needs a browser") // allowed: make test runs it
	}
	e := begin(t, t.TempDir())
	p := enter(t, e.dev, phone)
	p.deposit("2")
	p.visit("#/game/dice")
	p.until(`document.querySelector('.dice') !== null`)
	p.do(chromedp.Evaluate[chromedp.Void](`{
		const { fetch } = window, timeout = AbortSignal.timeout.bind(AbortSignal);
		AbortSignal.timeout = (ms) => timeout(ms / 500);
		window.fetch = (address, request) => String(address).endsWith('/play')
			? new Promise((_, refuse) => request.signal.addEventListener('abort', () => refuse(request.signal.reason)))
			: fetch(address, request);
		window.answering = () => { window.fetch = fetch; AbortSignal.timeout = timeout; };
	}`))
	p.press(".controls button[type=submit]")
	p.unsure()
	p.do(chromedp.Evaluate[chromedp.Void](`window.answering()`))
	p.bet()
	p.clean()
}

// TestNothingIsCreditedTwice lets an admin lose answers or press twice.
func TestNothingIsCreditedTwice(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("needs a browser") // allowed: make test runs it
	}
	e := begin(t, t.TempDir())
	p := e.console("superadmin", desktop)
	p.visit("#/players/" + e.address)
	p.fill(`#adjust select:nth-of-type(1)`, "credit")
	p.do(chromedp.Evaluate[chromedp.Void](fmt.Sprintf(`{ const token = document.querySelectorAll('#adjust select')[1]; token.value = %q; token.dispatchEvent(new Event('change', { bubbles: true })); }`, e.mint)))
	p.loses("/casino/admin/balances/"+e.address, attempts)
	p.fill(`#adjust .amount`, "7")
	p.press(`#adjust button`)
	p.fill(`#confirm input`, "an apology")
	p.press(`#confirm button[type=submit]`)
	p.unsure()
	if !value[bool](p.page, `document.querySelector('#confirm input').readOnly`) {
		t.Error("the reason can be changed, which would make it another request")
	}
	p.twice(`#confirm`)
	p.until(`document.querySelector('#confirm') === null`)
	if e.balance() != 7_000_000 {
		t.Errorf("7 were credited, the balance is %d", e.balance())
	}
	p.clean()
}

// without makes a browser without storage for pages, and without a connection until
// window.connected.
const without = `{
	Object.defineProperty(window, 'localStorage', { get() { throw new DOMException('denied', 'SecurityError'); } });
	const { fetch } = window;
	window.fetch = (...request) => window.connected ? fetch(...request) : Promise.reject(new TypeError('no connection'));
}`

// TestPagesFindThemselves opens each page without a connection, and in a browser without storage:
// it is complete once there is a connection, and a board that can't be loaded says what to do.
func TestPagesFindThemselves(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("needs a browser") // allowed: make test runs it
	}
	e := begin(t, t.TempDir())
	p := visitor(t, e.dev, phone, "verify")
	_, err := chromedp.Call(p.ctx, cdppage.AddScriptToEvaluateOnNewDocument, cdppage.AddScriptToEvaluateOnNewDocumentParams{Source: without})
	e.must(err)
	for _, each := range []struct{ path, whole string }{
		{"verify", `document.querySelector('#give') !== null`}, {"admin", `document.querySelector('#main .primary') !== null`}, {"", `document.querySelectorAll('.tile').length > 10`},
	} {
		p.do(chromedp.Navigate(root(e.dev) + each.path))
		if each.path == "" {
			p.until(`document.querySelector('.notice.bad') !== null`)
		}
		p.do(chromedp.Evaluate[chromedp.Void](`window.connected = true`))
		p.until(each.whole)
		p.theme("dark") // for this visit
	}
	p.tolerated = append(p.tolerated, "BLOCKED", "request failed") // of blocked requests
	send(p.page, network.SetBlockedURLs, network.SetBlockedURLsParams{URLPatterns: []*network.BlockPattern{{URLPattern: root(e.dev) + "assets/dice-*", Block: true}}})
	p.visit("#/game/dice")
	p.until(`document.querySelector('.missing[role=alert] button')?.textContent === 'Load again'`)
	send(p.page, network.SetBlockedURLs, network.SetBlockedURLsParams{URLPatterns: []*network.BlockPattern{{URLPattern: "https://nowhere.example/*", Block: true}}})
	p.press(`.missing[role=alert] button`)
	e.eventually("the page is loaded anew", func() bool { // while it reloads, there is no page to query
		anew, err := chromedp.Run(p.ctx, chromedp.Evaluate[bool](`window.connected !== true && document.querySelector('#main') !== null`))
		return err == nil && anew
	})
	p.do(chromedp.Evaluate[chromedp.Void](`window.connected = true`))
	p.until(`document.querySelector('.dice') !== null`)
}
