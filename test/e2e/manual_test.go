package e2e_test

import (
	"net/http"
	"net/http/httptest"
	"path"
	"slices"
	"testing"

	"github.com/chromedp/chromedp"

	"github.com/casino-service/casino/adapters/manual"
	"github.com/casino-service/casino/docs"
)

// TestTheManualFitsEveryScreen checks that on a phone no page is wider than the screen, every
// scrolling text can be reached by keyboard, each page has its style, and nothing that the policy
// refuses is requested (a refusal is logged as an error, which fails the test when the page is
// closed).
func TestTheManualFitsEveryScreen(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("needs a browser") // allowed: make test runs it
	}
	m, err := manual.New(manual.Config{Sources: docs.Files})
	noError(t, err)
	other := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNoContent) }) // a browser requests an icon
	served := httptest.NewServer(manual.Beside(other, manual.Config{Sources: docs.Files}))
	t.Cleanup(served.Close)
	p := open(t, phone, served.URL+manual.Path+"/")
	for _, name := range m.Names() {
		if path.Ext(name) != ".html" {
			continue
		}
		p.do(chromedp.Navigate(served.URL + manual.Path + "/" + name))
		faults := value[[]int](p, `[
			Math.max(0, document.documentElement.scrollWidth - document.documentElement.clientWidth),
			[...document.querySelectorAll('main *')].filter((e) => e.scrollWidth > e.clientWidth + 1 &&
				['auto', 'scroll'].includes(getComputedStyle(e).overflowX) && e.tabIndex < 0).length,
			getComputedStyle(document.querySelector('nav ul')).listStyleType === 'none' ? 0 : 1,
		]`)
		if slices.Max(faults) > 0 {
			t.Errorf("%s is %d wider than the screen, %d of its texts can't be scrolled by keyboard, %d styles are missing", name, faults[0], faults[1], faults[2])
		}
	}
}
