package e2e_test

import (
	"fmt"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// stops is how many times Tab is pressed at most to reach an element.
const stops = 120

// tab moves the focus to an element from its current place. The focus must be visible on the way.
func (p *page) tab(selector string) {
	p.Helper()
	for range stops {
		p.do(chromedp.KeyEvent(kb.Tab))
		at := value[string](p, fmt.Sprintf(`(() => {
			const at = document.activeElement;
			if (at.matches(%q)) return 'there';
			if (at === document.body) return 'out';
			const shown = [at, at.parentElement].some((each) => { const style = getComputedStyle(each); return style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) > 0; });
			return shown ? 'on' : 'unseen: ' + at.outerHTML.slice(0, 200);
		})()`, selector))
		switch at {
		case "there":
			return
		case "on", "out":
		default:
			p.Errorf("on the way to %s the focus is %s", selector, at)
		}
	}
	p.Fatalf("the focus doesn't come to %s by Tab", selector)
}

// key presses a key on the focused element.
func (p *page) key(key string) {
	p.Helper()
	p.do(chromedp.KeyEvent(key))
}

// TestPlayByKeyboardAlone signs in, deposits, bets at dice, rotates, and verifies the round.
func TestPlayByKeyboardAlone(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("needs a browser") // allowed: make test runs it
	}
	e := begin(t, t.TempDir())
	p := visitor(t, e.dev, desktop, "")
	p.until(`document.querySelectorAll('.tile').length > 10`)
	p.key(kb.Tab)
	p.until(`document.activeElement.matches('.skip')`)
	p.key(kb.Enter)
	p.until(`document.activeElement.matches('#main')`)
	p.tab(`header .primary`)
	p.key(kb.Enter)
	p.until(`document.querySelector('.wallet.demo') !== null && document.activeElement.closest('dialog') !== null`)
	p.key(kb.Escape)
	p.until(`document.querySelector('dialog') === null && document.activeElement.matches('header .primary')`)
	p.key(kb.Enter)
	p.until(`document.querySelector('.wallet.demo') !== null`)
	p.tab(`.wallet.demo`)
	p.key(kb.Enter)
	p.until(`document.querySelector('.who') !== null`)

	p.tab(`.sections a[href="#/wallet"]`)
	p.key(kb.Enter)
	p.until(`document.activeElement.matches('#main') && document.querySelector('#deposit input') !== null`)
	p.tab(`#deposit input`)
	p.key("2")
	p.key(kb.Enter)
	p.until(`BigInt(document.querySelector('.balance output').dataset.balance) > 0n`)
	p.tab(`.sections a[href="#/"]`)
	p.key(kb.Enter)
	p.until(`document.activeElement.matches('#main') && document.querySelector('[data-game=dice]') !== null`)
	p.tab(`[data-game=dice]`)
	p.key(kb.Enter)
	p.until(`document.activeElement.matches('#main') && document.querySelector('.dice') !== null`)
	p.tab(`.dice input`)
	for range 3 {
		p.key(kb.ArrowRight)
	}
	p.until(`document.querySelector('.controls input[type=number]').value === '50.03'`)
	p.tab(`.controls button[type=submit]`)
	p.key(kb.Enter)
	p.until(`Boolean(document.querySelector('.outcome')?.dataset.round)`)

	p.tab(`.sections a[href="#/fairness"]`)
	p.key(kb.Enter)
	p.until(`document.activeElement.matches('#main') && document.querySelector('#rotate') !== null`)
	p.tab(`#rotate input`)
	p.key("by keyboard")
	p.key(kb.Enter)
	p.until(`document.querySelector('#seed')?.textContent.includes('by keyboard') && document.querySelector('[data-pair] .verify') !== null`)
	p.tab(`[data-pair] .verify`)
	verify := p.opened(func() { p.key(kb.Enter) })
	verify.until(`document.querySelector('[data-verdict=verified] [data-count=verified]') !== null`)
	verify.tab(`tbody a`)
	verify.key(kb.Enter)
	verify.until(`document.activeElement.matches('#main') && document.querySelectorAll('.proof > li').length === 4`)
	verify.tab(`#commitment input`)
	verify.key("00")
	verify.until(`document.querySelector('#commitment .loss[role=status]') !== null`)
	verify.tab(`#draws .scroll`)
	verify.tab(`main a.button`)
	verify.key(kb.Enter)
	verify.until(`document.activeElement.matches('#main') && document.querySelector('#give') !== null`)
	verify.tab(`#example`)
	verify.key(" ")
	verify.until(`document.querySelector('#give textarea').value.includes('dice/1')`)
	verify.tab(`#give button[type=submit]`)
	verify.key(kb.Enter)
	verify.until(`document.querySelector('[data-verdict=verified]') !== null`)

	p.front()
	p.tab(`.who summary`)
	p.key(kb.Enter)
	p.until(`document.querySelector('.who').open`)
	p.key(kb.Escape)
	p.until(`!document.querySelector('.who').open && document.activeElement.matches('.who summary')`)
	p.key(kb.Enter)
	p.tab(`.who .menu button`)
	p.key(kb.Enter)
	p.until(`document.querySelector('.who') === null`)
	p.clean()
}
