package e2e_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"github.com/casino-service/casino/adapters/httpapi/api"
)

// saving stores the files that the page saves in window.saved.
const saving = `
	URL.createObjectURL = (blob) => { blob.text().then((text) => window.saved = text); return 'blob:nothing'; };
	HTMLAnchorElement.prototype.click = function () { if (!this.download) this.dispatchEvent(new MouseEvent('click', { bubbles: true })); };
`

// TestVerifyFromThePageForPlayers opens the proof of a round, before the reveal and after it; a
// revealed pair is passed on with all its rounds, more than a list's page has.
func TestVerifyFromThePageForPlayers(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("needs a browser") // allowed: make test runs it
	}
	e := begin(t, t.TempDir())
	p := enter(t, e.dev, desktop)
	p.deposit("3")
	p.visit("#/game/dice")
	p.until(`document.querySelector('.dice') !== null`)
	round := p.bet()
	const more = 104
	for i := range more {
		_, err := e.player.Play(t.Context(), api.PlayRequest{GameType: []string{"limbo", "hilo", "keno", "plinko"}[i%4], Token: e.dev.Tokens[0].Mint, Wager: 1_000_001})
		e.must(err)
	}

	p.visit("#/history")
	p.until(`document.querySelectorAll('[data-round] .row a[href^="#/history/"]').length === 20`) // where the seed can be revealed
	p.visit("#/history/" + round)
	p.until(`document.querySelector('#verify') !== null`)
	hidden := p.opened(func() { p.press("#verify") })
	hidden.until(`document.querySelector('.verdict') !== null`)
	if got := value[string](hidden, `document.querySelector('.verdict').dataset.verdict`); got != "hidden" {
		t.Errorf("before the reveal the page says %q", got)
	}
	if leads := value[string](hidden, `document.querySelector('.verdict a').hash`); leads != "#/fairness" {
		t.Errorf("before the reveal the page leads to %q", leads)
	}

	p.front()
	p.press("#reveal")
	p.until(`document.querySelector('#reveal') === null && document.querySelector('#verify.primary') !== null`)
	revealed := p.opened(func() { p.press("#verify") })
	revealed.until(`document.querySelector('.verdict')?.dataset.verdict === 'verified'`)

	p.front()
	p.visit("#/fairness")
	p.until(`document.querySelector('[data-pair] .verify') !== null`)
	pair := p.opened(func() { p.press("[data-pair] .verify") })
	pair.until(fmt.Sprintf(`document.querySelector('[data-verdict=verified] [data-count=verified]')?.textContent.endsWith(': %d')`, more+1))
	if whole := value[int](pair, `document.querySelectorAll('[data-pair] .mark-of.good').length`); whole != 1 {
		t.Errorf("%d pairs are whole", whole)
	}
	pair.do(chromedp.Reload())
	pair.until(fmt.Sprintf(`document.querySelector('[data-count=verified]')?.textContent.endsWith(': %d')`, more+1))

	p.front()
	p.do(chromedp.Evaluate[chromedp.Void](saving))
	p.press("[data-pair] .save")
	p.until(`window.saved !== undefined`)
	if lines := strings.Split(strings.TrimSpace(value[string](p.page, `window.saved`)), "\n"); len(lines) != more+1 {
		t.Errorf("%d rounds are saved", len(lines))
	}

	p.visit("#/history")
	p.until(`document.querySelectorAll('[data-round] a[target=_blank]').length === 20`)
	shown := p.opened(func() { p.press("[data-round] a[target=_blank]") })
	shown.until(`document.querySelector('[data-verdict=verified]') !== null`)
	p.clean()
}
