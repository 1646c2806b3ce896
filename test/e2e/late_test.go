package e2e_test

import (
	"fmt"
	"slices"
	"testing"

	cdppage "github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"

	"github.com/casino-service/casino/adapters/httpapi/api"
)

// held holds the requests to a URL until the page is told to continue, and lists the order in
// which these and the sign-ins were sent.
const held = `{
	const { fetch } = window; window.sent = [];
	const released = new Promise((release) => { window.release = release; });
	window.fetch = async (address, request) => {
		const path = new URL(address, location).pathname;
		if (path.endsWith(%q)) await released;
		window.sent.push(path);
		return fetch(address, request);
	};
}`

// holds holds the page's requests to a URL until release.
func (p player) holds(address string) {
	p.Helper()
	p.do(chromedp.Evaluate[chromedp.Void](fmt.Sprintf(held, address)))
}

// release lets held requests continue.
func (p player) release() {
	p.Helper()
	p.do(chromedp.Evaluate[chromedp.Void](`window.release()`))
}

// TestTokensThatComeLate checks that a form of the console shown before the tokens are known uses
// the token that it shows, in its own units.
func TestTokensThatComeLate(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("needs a browser") // allowed: make test runs it
	}
	e := begin(t, t.TempDir())
	p := visitor(t, e.dev, desktop, "verify")
	_, err := chromedp.Call(p.ctx, cdppage.AddScriptToEvaluateOnNewDocument,
		cdppage.AddScriptToEvaluateOnNewDocumentParams{Source: fmt.Sprintf(held, "/public/tokens")})
	e.must(err)
	p.do(chromedp.Navigate(root(e.dev) + "admin"))
	p.do(chromedp.Evaluate[chromedp.Void](watching))
	p.signIn("superadmin")
	p.visit("#/players/" + e.address)
	p.until(`document.querySelector('#adjust') !== null`)
	p.fill(`#adjust .amount`, "3")
	p.release()
	p.until(`document.querySelectorAll('#adjust option').length > 2`)
	chosen := value[string](p.page, `document.querySelectorAll('#adjust select')[1].value`)
	p.press(`#adjust button`)
	p.confirm("the one that is shown")
	p.until(`document.querySelector('.notice.good') !== null`)
	terms, err := e.player.Tokens(t.Context())
	e.must(err)
	of := terms[slices.IndexFunc(terms, func(each api.TokenTerms) bool { return each.Token == chosen })]
	units := int64(3)
	for range of.Decimals {
		units *= 10
	}
	found, err := e.admin.AdminPlayer(t.Context(), e.address, api.AdminPlayerParams{})
	e.must(err)
	if want := (api.Balance{Token: chosen, Balance: units}); !slices.Contains(found.Balances, want) {
		t.Errorf("3 %s were credited, balances are %+v", of.Symbol, found.Balances)
	}
	p.clean()
}

// TestSigningInWaitsForSigningOut checks the order: signing out ends every session that began
// before, so if it were sent after the sign-in, it would end the new one.
func TestSigningInWaitsForSigningOut(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("needs a browser") // allowed: make test runs it
	}
	e := begin(t, t.TempDir())
	p := enter(t, e.dev, desktop)
	p.holds("/auth/logout")
	p.press(`.who button`)
	p.until(`document.querySelector('.who') === null`)
	p.press(`header .primary`)
	p.until(`document.querySelector('.wallet.demo') !== null`)
	p.do(chromedp.Evaluate[chromedp.Void](`[...document.querySelectorAll('.wallet.demo')].find((each) => each.textContent.includes('alice')).click()`))
	p.release() // by now a page that doesn't wait has asked the wallet to sign
	p.until(`document.querySelector('.who') !== null`)
	sent := value[[]string](p.page, `window.sent`)
	out, in := slices.Index(sent, "/casino/auth/logout"), slices.Index(sent, "/casino/dev/wallets/alice/sign")
	if out < 0 || in < out {
		t.Errorf("the page sent %q", sent)
	}
	p.deposit("1") // the session works
	p.clean()
}
