package e2e_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"github.com/casino-service/casino/adapters/httpapi/api"
)

// brands sets the casino's name and colour.
func (e *evening) brands(title, colour string) {
	e.Helper()
	_, err := e.admin.ChangeWhitelabel(e.Context(), api.BrandingRequest{Title: &title, AccentColor: &colour})
	e.must(err)
}

// TestPagesInAnOperatorsColoursHaveNoBarrier checks the page for players, the one that verifies
// and the console, on a large screen and on a phone, light and dark. It draws them for the
// documents.
func TestPagesInAnOperatorsColoursHaveNoBarrier(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("needs a browser") // allowed: make test runs it
	}
	needsAxe(t)
	e := begin(t, t.TempDir())
	e.brands("Aurora", "#0e9f8e")
	e.deposit()
	for i := range 40 {
		_, err := e.player.Play(t.Context(), api.PlayRequest{GameType: []string{"dice", "limbo", "plinko", "wheel", "keno"}[i%5], Token: e.mint, Wager: int64(100_000 + 7_500*i)})
		e.must(err)
	}
	asked := e.requested(5_000_000)
	play, desk := enter(t, e.dev, desktop), e.console("superadmin", desktop)
	verify := visitor(t, e.dev, desktop, "verify"+linked(documented(t)[4]))
	for _, each := range []struct {
		name        string
		on          player
		hash, shown string
	}{
		{"play", play, "#/", `document.querySelectorAll('.tile').length > 10`},
		{"verify", verify, "", `document.querySelector('[data-verdict=verified]') !== null`},
		{"console", desk, "#/overview", `document.querySelector('#revenue canvas') !== null`},
		{"withdrawal", desk, "#/withdrawals/" + asked.ID, `document.querySelector('#past') !== null`},
	} {
		if each.hash != "" {
			each.on.visit(each.hash)
		}
		each.on.until(each.shown + ` && document.title.includes('Aurora') && document.querySelector('.loading') === null`)
		for name, device := range map[string]screen{"desktop": desktop, "phone": phone} {
			each.on.do(chromedp.EmulateViewport(device.width, device.height))
			for _, theme := range []string{"light", "dark"} {
				each.on.theme(theme)
				each.on.do(chromedp.Evaluate[chromedp.Void](`scrollTo(0, 0)`))
				each.on.accessible(each.name+" "+theme, "color-contrast")
				each.on.shot(fmt.Sprintf("branded-%s-%s-%s", each.name, name, theme))
			}
			each.on.fits()
		}
	}
}

// onDeep is the contrast of white on the dark shade of the operator's colour. axe can't measure
// it, because the background is a gradient (WCAG 2.2).
const onDeep = `1.05 / (0.05 + getComputedStyle(document.documentElement).getPropertyValue('--accent-deep').match(/\d+/g).map((part, i) => {
	const c = part / 255;
	return [0.2126, 0.7152, 0.0722][i] * (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4);
}).reduce((sum, part) => sum + part))`

// TestHostileBrandingIsText checks that any name and colour are shown as text, run nothing, don't
// make a page wider than its screen, and leave everything readable.
func TestHostileBrandingIsText(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("needs a browser") // allowed: make test runs it
	}
	needsAxe(t)
	e := begin(t, t.TempDir())
	pages := []string{"", "verify", "", "admin"}
	for i, each := range []struct{ title, colour string }{
		{`"><img src=x onerror=alert(1)><script>alert(2)</script>`, "#ffff00"},
		{strings.Repeat("W", 80), "#000000"},
		{`{name} </title> ' %s ${1} javascript:alert(3) \u003c`, "#ffffff"},
		{"灰" + strings.Repeat("é", 60), "#7f7f7f"},
	} {
		e.brands(each.title, each.colour)
		p := visitor(t, e.dev, phone, pages[i%len(pages)])
		p.until(fmt.Sprintf(`document.title.endsWith(%q) && document.querySelector('.brand').textContent.includes(%[1]q)`, each.title))
		for _, theme := range []string{"light", "dark"} {
			p.theme(theme)
			p.accessible(each.colour+" "+theme, "color-contrast")
		}
		p.picture(fmt.Sprintf("hostile-%d", i))
		p.fits()
		if low := value[float64](p.page, onDeep); low < 5.5 {
			t.Errorf("%s: white on its deep shade has a contrast of %.2f", each.colour, low)
		}
		p.clean()
	}
}
