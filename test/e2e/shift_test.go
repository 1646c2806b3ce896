package e2e_test

import (
	"fmt"
	"testing"

	"github.com/chromedp/cdproto/network"
	cdppage "github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
)

// shiftMax is the highest accepted cumulative layout shift of a view or a bet (web.dev/cls).
const shiftMax = 0.05

// latencyMS delays each answer, so that a page paints what it shows before the answer.
const latencyMS = 100

// shifting records layout shifts, except those in answer to a press: within half a second, or two
// frames after the request that it sent is answered. It counts requests without an answer; streams
// have none.
const shifting = `{ // what is declared here must not hide the window's own fetch
	window.shifts = [];
	let unanswered = 0, answeredAt = performance.now(), pressedAt = Infinity, shownAt = -Infinity;
	const name = (node) => node === null ? 'a removed node' : node.nodeType === Node.TEXT_NODE ? name(node.parentNode) + ' text' : node.localName + (node.id && '#' + node.id) + [...node.classList].map((each) => '.' + each).join('');
	const box = ({ x, y, width, height }) => [x, y, width, height].map(Math.round).join(' ');
	const note = (entries) => entries.filter(({ startTime }) => startTime < pressedAt || startTime > shownAt).forEach(({ value, startTime, sources }) => window.shifts.push({
		value, at: startTime, moved: sources.map(({ node, previousRect, currentRect }) => name(node) + ' from ' + box(previousRect) + ' to ' + box(currentRect)),
	}));
	const observer = new PerformanceObserver((list) => note(list.getEntries()));
	observer.observe({ type: 'layout-shift', buffered: true });
	window.takeShifts = () => { note(observer.takeRecords()); return window.shifts.splice(0); };
	addEventListener('click', () => { note(observer.takeRecords()); pressedAt = performance.now(); shownAt = Infinity; }, true);
	window.settled = () => unanswered === 0 && performance.now() - answeredAt > 200 && document.querySelector('.loading') === null;
	const { fetch } = window;
	window.fetch = async (address, request) => {
		if (String(address).endsWith('/events')) return fetch(address, request);
		unanswered++;
		try { return await fetch(address, request); } finally {
			unanswered--;
			answeredAt = performance.now();
			if (shownAt === Infinity) requestAnimationFrame(() => requestAnimationFrame(() => (shownAt = Math.max(pressedAt + 500, performance.now()))));
		}
	};
}`

// shift is a layout shift: its value, moment and the elements that moved.
type shift struct {
	Value, At float64
	Moved     []string
}

// shiftOf returns the cumulative layout shift: the largest sum of a session window, which ends after
// a second without shifts, or five seconds.
func shiftOf(shifts []shift) (most float64) {
	var sum, first, last float64
	for _, each := range shifts {
		if sum == 0 || each.At-last > 1000 || each.At-first > 5000 {
			sum, first = 0, each.At
		}
		sum, last = sum+each.Value, each.At
		most = max(most, sum)
	}
	return most
}

// still fails the test if what is shown has moved too much since the last call.
func (p *page) still(what string) {
	p.Helper()
	p.until(`window.settled()`)
	shifts := value[[]shift](p, `window.takeShifts()`)
	sum := shiftOf(shifts)
	p.Logf("%.4f %s", sum, what)
	if sum > shiftMax {
		p.Errorf("%s: a layout shift of %.3f: %+v", what, sum, shifts)
	}
}

// TestNothingShifts loads views, goes to each, and bets in each game.
func TestNothingShifts(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("needs a browser") // allowed: make test runs it
	}
	for _, on := range []screen{{390, 844, true}, {1440, 900, false}} {
		t.Run(fmt.Sprint(on.width), func(t *testing.T) {
			t.Parallel()
			e := begin(t, t.TempDir())
			e.offered()
			p := enter(t, e.dev, on)
			p.deposit("5")
			views := playViews(e.bets(1_000_000)[0])
			_, err := chromedp.Call(p.ctx, cdppage.AddScriptToEvaluateOnNewDocument, cdppage.AddScriptToEvaluateOnNewDocumentParams{Source: shifting + watching})
			e.must(err)
			p.network(&network.Conditions{Latency: latencyMS, DownloadThroughput: -1, UploadThroughput: -1})
			p.moves()
			for _, each := range views[:12] { // other boards load as the first one does
				p.visit(each.hash)
				p.do(chromedp.Reload())
				p.until(fmt.Sprintf(`document.querySelector(%q) !== null`, each.shown))
				p.still(each.name + ", loaded")
			}
			for _, each := range views[1:] {
				p.visit(each.hash)
				p.until(fmt.Sprintf(`document.querySelector(%q) !== null`, each.shown))
				p.still(each.name)
			}
			for _, each := range boards {
				p.atPlay(each.game)
				p.until(`window.settled()`)
				if each.before != "" {
					p.press(each.before)
				}
				p.do(chromedp.Evaluate[chromedp.Void](`window.takeShifts()`))
				p.round(each.step)
				p.still("a bet at " + each.game)
			}
			p.atPlay("mines")
			p.press(".controls button[type=submit]")
			p.until(`document.querySelector('.opened') !== null`)
			p.visit("#/")
			p.do(chromedp.Reload())
			p.until(`document.querySelector('.open-rounds') !== null`)
			p.still("the lobby with an open round")
			p.press(".who .menu button")
			p.until(`document.querySelector('.who') === null`)
			p.do(chromedp.Reload())
			p.until(`document.querySelector('.feed') !== null`)
			p.still("the lobby of a visitor")
			p.clean()
		})
	}
}
