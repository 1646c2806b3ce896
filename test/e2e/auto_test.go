package e2e_test

import (
	"fmt"
	"os"
	"strconv"
	"testing"

	"github.com/chromedp/chromedp"

	"github.com/casino-service/casino/adapters/httpapi/api"
)

// autoBets is how many bets the test of auto-bet places. CASINO_AUTO_BETS names another number.
const autoBets = 40

// losing drops the answers of each seventh bet so often that the page gives up and begins again.
const losing = `{
	const fetch = window.fetch; let bets = 0, left = 0;
	const seen = new Set();
	window.lostAnswers = 0;
	window.fetch = async (address, request) => {
		const answer = await fetch(address, request);
		if (!String(address).endsWith('/play')) return answer;
		const key = request.headers.get('Idempotency-Key');
		if (!seen.has(key)) { seen.add(key); if (++bets %% 7 === 0) left = %d; }
		if (left-- > 0) { window.lostAnswers++; throw new TypeError('the answer is lost'); }
		return answer;
	};
}`

// TestAutoBetPlacesEachBetOnce runs auto-bet while answers are lost. The page's count and profit are
// those of the ledger.
func TestAutoBetPlacesEachBetOnce(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("needs a browser") // allowed: make test runs it
	}
	e := begin(t, t.TempDir())
	p := enter(t, e.dev, phone)
	p.deposit("5")
	p.visit("#/game/dice")
	p.until(`document.querySelector('.dice') !== null`)
	count := autoBets
	if text := os.Getenv("CASINO_AUTO_BETS"); text != "" {
		var err error
		count, err = strconv.Atoi(text)
		e.must(err)
	}
	p.do(chromedp.Evaluate[chromedp.Void](fmt.Sprintf(losing, attempts+1)))
	p.press(".ways .segments button:last-child")
	p.until(`document.querySelector('.auto') !== null`)
	p.fill(".auto input", fmt.Sprint(count))
	p.press(".auto .big")
	p.until(`document.querySelector('.auto-state').textContent === 'All bets were placed.'`)
	if lost := value[int](p.page, `window.lostAnswers`); lost < count/7 {
		t.Errorf("%d answers of %d bets were lost", lost, count)
	}

	net, rounds := e.played()
	if rounds != count {
		t.Errorf("auto-bet of %d bets placed %d", count, rounds)
	}
	const deposited = 5_000_000_000
	if shown := value[string](p.page, `document.querySelector('.balance output').dataset.balance`); shown != fmt.Sprint(deposited+net) {
		t.Errorf("the page shows %s after a net of %d", shown, net)
	}
	p.clean()
}

// played returns the net of the player's rounds in the ledger, and their number.
func (e *evening) played() (net int64, rounds int) {
	e.Helper()
	for cursor := ""; ; {
		page, err := e.player.ListRounds(e.Context(), api.ListRoundsParams{Limit: 100, Cursor: cursor})
		e.must(err)
		for _, round := range page.Rounds {
			net += int64(round.Payout) - int64(round.Wager)
		}
		rounds += len(page.Rounds)
		if page.NextCursor == nil {
			return net, rounds
		}
		cursor = *page.NextCursor
	}
}
