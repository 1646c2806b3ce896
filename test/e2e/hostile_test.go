package e2e_test

import (
	"encoding/base64"
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"github.com/casino-service/casino/adapters/httpapi/api"
)

// trap counts the scripts that a page would run if it took a text for more than text.
const trap = `window.ran = 0; window.alert = window.print = () => window.ran++;`

// untouched fails the test if a text chosen by others ran, or broke the page.
func (p player) untouched(where string) {
	p.Helper()
	if ran := value[int](p.page, `window.ran`); ran != 0 {
		p.Errorf("%s: a text ran %d times", where, ran)
	}
	if elements := value[int](p.page, `document.querySelectorAll('main img[src=x], main script, main iframe, main a[href^="javascript:"]').length`); elements != 0 {
		p.Errorf("%s: a text became %d elements", where, elements)
	}
	p.fits()
}

// TestHostileTextsInTheConsole checks that names, reasons and filters chosen by others are shown
// as text, in every view with them, and don't make it wider than a phone's screen.
func TestHostileTextsInTheConsole(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("needs a browser") // allowed: make test runs it
	}
	e := begin(t, t.TempDir())
	const html = `"><img src=x onerror=alert(1)><script>alert(2)</script><a href="javascript:alert(3)">x</a>`
	long := strings.Repeat("W", 480)
	name := html[:60]
	made, err := e.admin.CreateAgent(t.Context(), api.CreateAgentRequest{AgentCode: "evil", AgentRequest: api.AgentRequest{AgentName: &name}})
	e.must(err)
	for _, reason := range []string{html, long, "{amount} ${x} %s \\u003cb\\u003e"} {
		_, err := e.admin.AdjustBalance(t.Context(), e.address, api.AdjustRequest{Token: e.mint, Amount: 1_000, Reason: reason})
		e.must(err)
		_, err = e.admin.AdjustBalance(t.Context(), e.address, api.AdjustRequest{Token: e.mint, Amount: 60_000_000_000, Reason: reason})
		e.must(err)
	}
	p := e.console("superadmin", phone)
	p.do(chromedp.Evaluate[chromedp.Void](trap))
	for _, view := range []string{"#/transactions", "#/approvals", "#/audit", "#/agents", "#/agents/" + made.Agent.ID, "#/players/" + e.address} {
		p.visit(view)
		p.until(fmt.Sprintf(`decodeURIComponent(location.hash) === %q && document.querySelector('main h1') !== null && document.querySelector('main .loading') === null`, view))
		p.until(`document.querySelector('[data-row], #player, #webhooks') !== null`)
		p.untouched(view)
	}
	p.visit("#/approvals")
	p.press(`[data-row] .reject`)
	p.until(`document.querySelector('#confirm') !== null`)
	p.untouched("what is asked again")
	p.key("\x1b")
	p.tolerated = append(p.tolerated, "400", "404") // of filters that the service refuses, and of unknown players
	for _, view := range []string{"#/transactions/wallet=" + html, "#/transactions/__proto__=x", "#/transactions/limit=1e9/from=x", "#/players/" + long, "#/withdrawals/%E0%A4%A", "#/constructor", "#/%", "#//../.."} {
		p.do(chromedp.Evaluate[chromedp.Void](fmt.Sprintf(`location.hash = %q`, view)))
		p.until(`document.querySelector('main h1, main .refused') !== null && document.querySelector('main .loading') === null`)
		p.untouched(view)
	}
}

// TestHostileLinks opens links to the page that verifies, and links that decode to nothing: each
// is judged or reported as invalid, in time.
func TestHostileLinks(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("needs a browser") // allowed: make test runs it
	}
	e := begin(t, t.TempDir())
	p := visitor(t, e.dev, phone, "verify#round=%E0%A4%A")
	p.until(`document.querySelector('.verdict.bad') !== null`)
	p.do(chromedp.Evaluate[chromedp.Void](trap))
	seeds := `"rules":"dice/1","serverSeed":"00","serverSeedHash":"00","clientSeed":"mine","nonce":1`
	for i, round := range []string{
		`{"gameType":"<img src=x onerror=alert(1)>",` + seeds + `}`,
		`{"gameType":"__proto__",` + seeds + `,"config":{"__proto__":{"target":1}},"outcome":null}`,
		`{"gameType":"dice",` + seeds + `,"config":{"target":1e999999999},"multiplier":9e999999999,"wager":1e99999999,"payout":-1}`,
		`{"gameType":"mines","rules":"mines/1","serverSeed":"00","serverSeedHash":"00","clientSeed":"x","nonce":99999999999999999999999999,"config":{"mines":24},"actions":[` + strings.Repeat(`{"type":"open","tile":1},`, 400) + `{"type":"cashOut"}]}`,
		`{"gameType":"keno","rules":"keno/1","serverSeed":"00","serverSeedHash":"00","clientSeed":"x","nonce":1,"config":{"risk":"classic","numbers":[` + strings.Repeat("1,", 5000) + `1]}}`,
		strings.Repeat("[", 20_000), strings.Repeat(`{"answered":`, 3000) + "1" + strings.Repeat("}", 3000),
		`{"gameType":"dice","rules":"dice/1","serverSeed":"` + strings.Repeat("a", 30_000) + `","serverSeedHash":"x","clientSeed":"` + "\u202e\u0000" + `","nonce":"1","id":"\"><script>alert(1)</script>","createdAt":"x"}`,
		`null`, `"text"`, `{}`, `{"rounds":[]}`, "\xff\xfe",
	} {
		p.do(chromedp.Evaluate[chromedp.Void](fmt.Sprintf(`location.hash = '#'; document.querySelector('main').dataset.asked = '%d'`, i)))
		p.until(`document.querySelector('#give') !== null`)
		p.visit("#round=" + base64.RawURLEncoding.EncodeToString([]byte(round)))
		p.until(`document.querySelector('.verdict') !== null`)
		if value[bool](p.page, `document.querySelector('[data-verdict=verified]') !== null`) {
			t.Errorf("link %d is verified", i)
		}
		p.untouched(fmt.Sprintf("link %d", i))
	}
	for _, address := range []string{"#/%", "#/game/%E0%A4%A", "#/game/__proto__", "#/game/constructor", "#/history/..%2f..", "#/" + strings.Repeat("a/", 5000)} {
		q := visitor(t, e.dev, phone, address)
		q.until(`document.querySelector('main h1') !== null && document.querySelector('.loading') === null`)
	}
}

// TestASessionThatEnds ends the session elsewhere: the page says so by itself, offers to sign in
// again, and doesn't repeat the old session's requests for another player.
func TestASessionThatEnds(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("needs a browser") // allowed: make test runs it
	}
	e := begin(t, t.TempDir())
	p := enter(t, e.dev, phone)
	p.deposit("2")
	p.visit("#/game/dice")
	p.until(`document.querySelector('.dice') !== null`)
	p.tolerated = append(p.tolerated, "401")
	e.must(e.player.Logout(t.Context())) // ends all sessions of the wallet
	p.until(`document.querySelector('.who') === null && document.querySelector('.session-bar').textContent.includes('Your session has ended')`)
	p.press(".controls button[type=submit]") // asks to sign in
	p.until(`document.querySelector('.wallet.demo') !== null`)
	p.do(chromedp.Evaluate[chromedp.Void](`[...document.querySelectorAll('.wallet.demo')].find((each) => each.textContent.includes('alice')).click()`))
	p.until(`document.querySelector('.who') !== null && document.querySelector('dialog') === null`)
	p.bet()

	desk := e.console("superadmin", desktop)
	desk.tolerated = append(desk.tolerated, "401")
	desk.visit("#/players/" + e.address)
	desk.press(`#freeze`)
	desk.until(`document.querySelector('#confirm') !== null`)
	e.must(e.admin.Logout(t.Context()))
	desk.until(`document.querySelector('#confirm') === null && document.querySelector('.side') === null && document.querySelector('#main .primary') !== null`)
	if said := desk.text(`#main`); strings.Contains(said, e.address) {
		t.Errorf("after the session the console shows %q", said)
	}
}
