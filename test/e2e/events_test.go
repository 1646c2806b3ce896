package e2e_test

import (
	"fmt"
	"math"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"github.com/casino-service/casino/adapters/httpapi/api"
)

// published is the example of docs/events.md, as a page runs it.
func published(t *testing.T) string {
	t.Helper()
	raw, err := os.ReadFile("../../docs/events.md")
	noError(t, err)
	_, rest, found := strings.Cut(string(raw), "```js test=test/e2e/events_test.go\n")
	code, _, ends := strings.Cut(rest, "```")
	if !found || !ends {
		t.Fatal("docs/events.md has no example in JavaScript")
	}
	return code
}

// heardWithin is within how many milliseconds after its answer a page must read a bet. Only one
// of heardBets must be: the machine may be busy with other tests.
const heardWithin, heardBets = 100.0, 20

// TestAPageHearsBetsAndGoesOn: the published example hears its player's own events, a lost
// connection costs none of them, and EventSource reads everybody's bets.
func TestAPageHearsBetsAndGoesOn(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("needs a browser") // allowed: make test runs it
	}
	e := begin(t, t.TempDir())
	e.deposit()
	const wager = 1_000_000
	p := open(t, desktop, e.dev.BaseURL+"/docs")
	p.do(chromedp.Evaluate[chromedp.Void](fmt.Sprintf(`
		window.heard = []; window.feed = []; window.streams = []; window.begun = 0;
		const token = %q, plain = window.fetch;
		// What the page can take away is its connection, once the stream has begun.
		window.fetch = (url, options = {}) => {
			const lost = new AbortController();
			window.streams.push(lost);
			return plain(url, { ...options, signal: lost.signal }).then((response) => { window.begun++; return response; });
		};
		const handle = (event) => window.heard.push({ type: event.type, round: event.subject, at: performance.now() });
		(async () => {%s})();
		const feed = new EventSource('/casino/public/feed');
		feed.onopen = () => window.begun++;
		feed.onmessage = (message) => window.feed.push(JSON.parse(message.data).id);
		window.play = async () => {
			window.bet = null;
			const response = await plain('/casino/play', { method: 'POST', headers: { Authorization: 'Bearer ' + token, 'Content-Type': 'application/json' },
				body: JSON.stringify({ gameType: 'dice', wager: %d, token: %q }) });
			window.bet = { round: (await response.json()).round.id, at: performance.now() };
		};`, e.dev.SignIn(t, "alice"), published(t), wager, e.mint)))
	p.until(`window.begun === 2`)
	var rounds []string
	heard := func() {
		p.Helper()
		last := rounds[len(rounds)-1]
		p.until(fmt.Sprintf(`window.heard.some((e) => e.round === %q && e.type === 'casino.balance.changed') && window.feed.includes(%q)`, last, last))
	}
	fastest := math.Inf(1)
	for n := 0; n < 3 || n < heardBets && fastest > heardWithin; n++ {
		p.do(chromedp.Evaluate[chromedp.Void](`window.play()`))
		p.until(`window.bet !== null`)
		rounds = append(rounds, value[string](p, `window.bet.round`))
		heard()
		took := value[float64](p, `window.heard.find((e) => e.round === window.bet.round).at - window.bet.at`)
		t.Logf("a bet is heard %.1f ms after its answer", took)
		fastest = min(fastest, took)
	}
	if fastest > heardWithin {
		t.Errorf("the fastest of %d bets took %.1f ms to be heard", heardBets, fastest)
	}
	p.do(chromedp.Evaluate[chromedp.Void](`window.streams.at(-1).abort()`))
	for range 4 { // while no page listens
		played, err := e.player.Play(t.Context(), api.PlayRequest{GameType: "dice", Wager: wager, Token: e.mint})
		e.must(err)
		rounds = append(rounds, played.Round.ID)
	}
	heard()
	settled := value[[]string](p, `window.heard.filter((e) => e.type === 'casino.round.settled').map((e) => e.round)`)
	if !slices.Equal(settled, rounds) {
		t.Errorf("the page heard %v, want %v", settled, rounds)
	}
	if n := value[int](p, `window.streams.length`); n < 2 {
		t.Errorf("the page connected %d times", n)
	}
}
