package e2e_test

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/chromedp"

	"github.com/casino-service/casino/adapters/httpapi/api"
)

// autoBets is how many bets the test of auto-bet places, and autoCut after how many the connection is
// cut once. CASINO_AUTO_BETS names another number of bets, without animations; then the connection is
// cut for cutMS every cutEveryMS.
const (
	autoBets, autoCut = 40, 10
	cutEveryMS, cutMS = 20_000, 4_000
)

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

// TestAutoBetPlacesEachBetOnce runs auto-bet while answers are lost and the connection is cut. The
// page's count, balance and statistics are those of the ledger.
func TestAutoBetPlacesEachBetOnce(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("needs a browser") // allowed: make test runs it
	}
	e := begin(t, t.TempDir())
	p := enter(t, e.dev, phone)
	p.tolerated = []string{"ERR_INTERNET_DISCONNECTED"}
	p.deposit("5")
	p.visit("#/game/dice")
	p.until(`document.querySelector('.dice') !== null`)
	count, many := autoBets, os.Getenv("CASINO_AUTO_BETS")
	if many != "" {
		var err error
		count, err = strconv.Atoi(many)
		e.must(err)
		p.press(".turbo")
	}
	p.do(chromedp.Evaluate[chromedp.Void](fmt.Sprintf(losing, attempts+1)))
	p.press(".ways .segments button:last-child")
	p.until(`document.querySelector('.auto') !== null`)
	p.fill(".auto input", fmt.Sprint(count))
	begun := time.Now()
	p.press(".auto .big")
	cuts := p.cutsWhile(many != "")
	lost := value[int](p.page, `window.lostAnswers`)
	if lost < count/7 {
		t.Errorf("%d answers of %d bets were lost", lost, count)
	}

	wagered, net, rounds := e.played()
	if rounds != count {
		t.Errorf("auto-bet of %d bets placed %d", count, rounds)
	}
	const deposited = 5_000_000_000
	if shown := p.balance(); shown != fmt.Sprint(deposited+net) {
		t.Errorf("the page shows %s after a net of %d", shown, net)
	}
	found, err := e.admin.AdminPlayer(t.Context(), e.address, api.AdminPlayerParams{})
	e.must(err)
	if want := (api.Balance{Token: e.dev.Tokens[0].Mint, Balance: deposited + net}); !slices.Contains(found.Balances, want) {
		t.Errorf("the ledger has %+v, the rounds make %+v", found.Balances, want)
	}
	p.visit("#/statistics")
	p.until(fmt.Sprintf(`document.querySelector('#all-time')?.dataset.done === 'true' && document.querySelector('main .shown [data-net]')?.dataset.net === '%d'`, net))
	shown := value[[]string](p.page, `[...document.querySelectorAll('#all-time .fact strong')].map((each) => each.dataset.net ?? each.textContent.replace(/[^0-9.]/g, ''))`)
	if want := []string{fmt.Sprint(rounds), strconv.FormatFloat(float64(wagered)/1e9, 'f', 2, 64), fmt.Sprint(net)}; !slices.Equal(shown, want) {
		t.Errorf("the statistics are %q, the ledger's sums %q", shown, want)
	}
	t.Logf("%d bets in %v: %d answers lost, %d cuts of the connection; wagered %d, net %d", rounds, time.Since(begun).Round(time.Second), lost, cuts, wagered, net)
	p.clean()
}

// cutsWhile cuts the connection while auto-bet runs: again and again, or once. It returns how often.
func (p player) cutsWhile(again bool) (cuts int) {
	p.Helper()
	const over = `document.querySelector('.auto-state').textContent === 'All bets were placed.'`
	due := fmt.Sprintf(`parseInt(document.querySelector('.auto-state').textContent) >= %d`, autoCut)
	if again {
		due = fmt.Sprintf(`performance.now() > window.cutAt + %d`, cutEveryMS)
	}
	for {
		p.do(chromedp.Evaluate[chromedp.Void](`window.cutAt = performance.now()`))
		p.until(due + " || " + over)
		if value[bool](p.page, over) {
			return cuts
		}
		p.offline(true)
		cuts++
		p.until(`document.querySelector('.connection').textContent !== '' && document.querySelector('.auto-state').textContent.includes('Waiting')`)
		if again {
			p.do(chromedp.Evaluate[chromedp.Void](`window.cutAt = performance.now()`))
			p.until(fmt.Sprintf(`performance.now() > window.cutAt + %d`, cutMS))
		}
		p.offline(false)
		if !again {
			p.until(over)
			return cuts
		}
	}
}

// offline cuts the page's connection, also under requests in progress, or restores it.
func (p *page) offline(cut bool) {
	p.Helper()
	p.network(&network.Conditions{Offline: cut, DownloadThroughput: -1, UploadThroughput: -1})
	send(p, network.OverrideNetworkState, network.OverrideNetworkStateParams{Offline: cut, DownloadThroughput: -1, UploadThroughput: -1})
}

// network sets the conditions of the page's connection.
func (p *page) network(conditions *network.Conditions) {
	p.Helper()
	ctx, cancel := context.WithTimeout(p.ctx, timeLimit)
	defer cancel()
	_, err := chromedp.Call(ctx, network.EmulateNetworkConditionsByRule, network.EmulateNetworkConditionsByRuleParams{MatchedNetworkConditions: []*network.Conditions{conditions}})
	noError(p, err)
}

// played returns the sums of the player's rounds in the ledger, and their number.
func (e *evening) played() (wagered, net int64, rounds int) {
	e.Helper()
	for cursor := ""; ; {
		page, err := e.player.ListRounds(e.Context(), api.ListRoundsParams{Limit: 100, Cursor: cursor})
		e.must(err)
		for _, round := range page.Rounds {
			wagered += round.Wager
			net += round.Payout - round.Wager
		}
		rounds += len(page.Rounds)
		if page.NextCursor == nil {
			return wagered, net, rounds
		}
		cursor = *page.NextCursor
	}
}
