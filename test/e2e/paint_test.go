package e2e_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/chromedp"
)

// paintMax bounds what a visitor's browser receives until the lobby is shown, in bytes with headers.
const paintMax = 150 << 10

// received is what a page has received: bytes in all, those until its first contentful paint with the
// entry, and the boards.
type received struct {
	All, Painted int
	Boards       []string
}

// receiving adds up the resources of a page. The bytes of a header are estimated by the browser.
const receiving = `(() => {
	const painted = performance.getEntriesByName('first-contentful-paint')[0].startTime;
	const all = [...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')];
	const sum = (list) => list.reduce((total, { transferSize }) => total + transferSize, 0);
	return {
		all: sum(all),
		painted: sum(all.filter(({ name, responseEnd }) => responseEnd > 0 && responseEnd <= painted || /\/play-[^/]*\.js$/.test(name))),
		boards: all.flatMap(({ name }) => [%s].filter((board) => name.includes('/' + board + '-') && name.endsWith('.js'))),
	};
})()`

// TestTheFirstPaintIsSmall loads the lobby with an empty cache in both languages: it is small, and a
// board comes when its game is opened.
func TestTheFirstPaintIsSmall(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("needs a browser") // allowed: make test runs it
	}
	e := begin(t, t.TempDir())
	p := visitor(t, e.dev, phone, "")
	send(p.page, network.SetCacheDisabled, network.SetCacheDisabledParams{CacheDisabled: true})
	names := ""
	for _, each := range boards {
		names += fmt.Sprintf("%q, ", each.game)
	}
	for _, language := range []string{"en", "pt-BR"} {
		p.visit("#/")
		p.do(chromedp.Evaluate[chromedp.Void](fmt.Sprintf(`localStorage.setItem('casino.language', %q)`, language)), chromedp.Reload())
		p.until(fmt.Sprintf(`document.documentElement.lang === %q && document.querySelectorAll('.tile').length > 10 && document.querySelector('.feed') !== null && performance.getEntriesByName('first-contentful-paint').length === 1`, language))
		lobby := value[received](p.page, fmt.Sprintf(receiving, names))
		t.Logf("%s: %d bytes until the first paint, with the entry; %d until the lobby is shown", language, lobby.Painted, lobby.All)
		if lobby.Painted < 10_000 || lobby.All > paintMax {
			t.Errorf("in %s the lobby needs %d bytes, and its first paint %d", language, lobby.All, lobby.Painted)
		}
		p.atPlay("dice")
		if found := value[received](p.page, fmt.Sprintf(receiving, names)); len(lobby.Boards) > 0 || !slices.Equal(found.Boards, []string{"dice"}) {
			t.Errorf("the lobby loads the boards %q, and dice %q", lobby.Boards, found.Boards)
		}
	}
}
