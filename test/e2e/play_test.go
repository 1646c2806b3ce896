package e2e_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"github.com/casino-service/casino/adapters/httpapi/api"
	"github.com/casino-service/casino/test/services"
)

// watching records what the page's policy refused.
const watching = `
	window.refused = [];
	document.addEventListener('securitypolicyviolation', (event) => window.refused.push(event.violatedDirective + ' ' + event.blockedURI));
`

// player is a user of the page for players.
type player struct {
	*page
	dev *services.Dev
	// took is how many frames the page took for each bet and its outcome, without the wait for
	// the answer.
	took *[]int
}

// root returns the URL of the pages.
func root(dev *services.Dev) string { return dev.Pages }

// visitor returns a user of one of the pages, at a path below the root. The page may only request
// published paths.
func visitor(t *testing.T, dev *services.Dev, on screen, path string) player {
	t.Helper()
	p := player{open(t, on, root(dev)+path), dev, new([]int)}
	p.may = contractOf(t, dev)
	p.do(chromedp.Evaluate[chromedp.Void](watching))
	return p
}

// enter opens the page and signs alice in with her demo wallet.
func enter(t *testing.T, dev *services.Dev, on screen) player {
	t.Helper()
	p := visitor(t, dev, on, "")
	p.until(`document.querySelectorAll('.tile').length > 10`)
	p.press(`header .primary`)
	p.until(`document.querySelector('.wallet.demo') !== null`)
	if said := p.text(`.wallet.demo`); !strings.Contains(said, "Demo") {
		t.Errorf("a demo wallet says %q", said)
	}
	p.do(chromedp.Evaluate[chromedp.Void](`[...document.querySelectorAll('.wallet.demo')].find((each) => each.textContent.includes('alice')).click()`))
	p.until(`document.querySelector('.who') !== null`)
	return p
}

// deposit deposits an amount of the chosen token.
func (p player) deposit(amount string) {
	p.Helper()
	p.visit("#/wallet")
	p.fill("#deposit input", amount)
	p.press("#deposit [type=submit]")
	p.until(`BigInt(document.querySelector('.balance output').dataset.balance) > 0n`)
}

// bet presses the bet button and waits for the outcome, which must be shown in time.
func (p player) bet() string {
	p.Helper()
	before := value[string](p.page, `document.querySelector('.outcome')?.dataset.round ?? ''`)
	p.do(chromedp.Evaluate[chromedp.Void](`{
		window.took = null;
		let frames = 0, asking = false;
		const before = document.querySelector('.outcome')?.dataset.round, fetched = window.fetch;
		const count = () => { if (!asking) frames++; if (window.took === null) requestAnimationFrame(count); };
		window.fetch = async (...all) => {
			if (!String(all[0]).endsWith('/play')) return await fetched(...all);
			asking = true;
			const answer = await fetched(...all);
			asking = false;
			window.fetch = fetched;
			return answer;
		};
		requestAnimationFrame(count);
		const seen = new MutationObserver(() => {
			const now = document.querySelector('.outcome')?.dataset.round;
			if (now && now !== before) { window.took = frames; seen.disconnect(); }
		});
		seen.observe(document.body, { subtree: true, childList: true, attributes: true });
		document.querySelector('.controls button[type=submit]').click();
	}`))
	p.until(`window.took !== null`)
	*p.took = append(*p.took, value[int](p.page, `window.took`))
	round := value[string](p.page, `document.querySelector('.outcome').dataset.round`)
	if round == before || round == "" {
		p.Errorf("the page shows round %q after %q", round, before)
	}
	return round
}

// drawn prints how many frames the page took to send each bet and, after the answer, to show its
// outcome. make page measures frames; here a busy machine would decide.
func (p player) drawn() {
	p.Helper()
	p.Logf("frames for a bet and its outcome: %d", *p.took)
}

// clean fails the test for violations of the policy. Unpublished requests fail it when the page
// is closed.
func (p player) clean() {
	p.Helper()
	if refused := value[[]string](p.page, `window.refused`); len(refused) > 0 {
		p.Errorf("the policy refused %v", refused)
	}
}

// boards are the games with the buttons before the bet, and those of a round by steps until it ends.
var boards = []struct{ game, before, step string }{
	{"dice", "", ""}, {"limbo", "", ""}, {"crash", "", ""}, {"coinflip", "", ""}, {"slots", "", ""}, {"plinko", "", ""}, {"wheel", "", ""},
	{"diamonds", "", ""}, {"keno", ".numbers button", ""}, {"roulette", ".outsides .red", ""}, {"baccarat", ".place", ""},
	{"mines", "", ".tile-button:not(:disabled)"}, {"dragontower", "", ".egg:not(:disabled)"}, {"hilo", "", ".wide-button"},
	{"videopoker", "", ".controls .primary"}, {"blackjack", "", ".wide-button:not(.primary)"},
}

// everyGame plays a round of every game on its board, and returns them in order.
func (p player) everyGame() (rounds []string) {
	p.Helper()
	for _, each := range boards {
		p.visit("#/game/" + each.game)
		p.until(fmt.Sprintf(`document.querySelector('h1')?.textContent.length > 0 && document.querySelector('.stage') !== null && location.hash.endsWith(%q)`, each.game))
		if each.before != "" {
			p.press(each.before)
		}
		rounds = append(rounds, p.round(each.step))
		p.picture("play-" + each.game)
	}
	return rounds
}

// round bets, and presses the steps of a round by steps until it ends.
func (p player) round(step string) string {
	p.Helper()
	if step == "" {
		return p.bet()
	}
	return p.steps(step)
}

// steps plays a round by steps: it presses until the round has ended, and cashes out if that is
// offered after the first step.
func (p player) steps(step string) string {
	p.Helper()
	p.press(".controls button[type=submit]")
	for range 12 {
		p.until(`Boolean(document.querySelector('.outcome')?.dataset.round) || document.querySelector('.controls button[type=submit]') === null`)
		if round := value[string](p.page, `document.querySelector('.outcome')?.dataset.round ?? ''`); round != "" {
			return round
		}
		at := value[string](p.page, `document.querySelector('.board').innerHTML`)
		p.press(step)
		p.until(fmt.Sprintf(`document.querySelector('.board').innerHTML !== %q`, at))
		p.until(`document.querySelector('[aria-disabled=true]') === null`)
		p.do(chromedp.Evaluate[chromedp.Void](`[...document.querySelectorAll('.controls .primary')].find((each) => each.textContent.startsWith('Cash out'))?.click()`))
		p.until(`document.querySelector('[aria-disabled=true]') === null`)
	}
	p.Fatalf("the round by %s doesn't end", step)
	return ""
}

// lostSteps skips a card whose answer is lost once, and one whose answer is always lost: either
// way the page shows what the service did.
func (p player) lostSteps() {
	p.Helper()
	p.visit("#/game/hilo")
	p.until(`document.querySelector('.hilo') !== null`)
	p.press(".controls button[type=submit]")
	for before, times := range []int{1, attempts} {
		p.until(`document.querySelector('.wide-button') !== null && document.querySelector('[aria-disabled=true]') === null`)
		p.loses("/steps", times)
		p.do(chromedp.Evaluate[chromedp.Void](`[...document.querySelectorAll('.wide-button')].find((each) => each.textContent.startsWith('Skip')).click()`))
		p.until(fmt.Sprintf(`document.querySelectorAll('.trail > *').length === %d`, before+1))
	}
	p.until(`document.querySelector('.notice.bad') !== null`)
	p.press(".controls .primary") // cashes out
	p.until(`Boolean(document.querySelector('.outcome')?.dataset.round)`)
}

// TestPlayAnAccount rotates seeds, sets a limit and requests a withdrawal on a phone's screen;
// the service has them.
func TestPlayAnAccount(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("needs a browser") // allowed: make test runs it
	}
	e := begin(t, t.TempDir())
	p := enter(t, e.dev, phone)
	p.picture("play-phone-lobby")
	p.deposit("3")
	p.visit("#/game/dice")
	p.until(`document.querySelector('.dice') !== null`)
	p.bet()
	p.picture("play-phone-dice")
	p.lostSteps()
	p.visit("#/fairness")
	p.fill("#rotate input", "my own choice")
	p.press("#rotate button")
	p.until(`document.querySelector('#seed')?.textContent.includes('my own choice')`)
	p.picture("play-phone-fairness")
	seeds, err := e.player.Seed(t.Context())
	e.must(err)
	if seeds.ClientSeed != "my own choice" {
		t.Errorf("the client seed is %q", seeds.ClientSeed)
	}
	p.visit("#/limits")
	p.fill("#limit input:not([type=radio])", "2")
	p.press("#limit button")
	p.until(`document.querySelectorAll('#limits li').length === 1`)
	p.picture("play-phone-limits")
	p.visit("#/wallet")
	p.fill("#withdraw input", "1")
	p.press("#withdraw [type=submit]")
	p.until(`document.querySelectorAll('[data-transaction]').length === 2`)
	p.picture("play-phone-wallet")
	list, err := e.player.AccountTransactions(t.Context(), api.AccountTransactionsParams{})
	e.must(err)
	if i := slices.IndexFunc(list.Transactions, func(each api.Transaction) bool { return each.Type == "withdrawal" }); i < 0 || list.Transactions[i].Status != "pending" {
		t.Errorf("the transactions are %+v", list.Transactions)
	}
	if wide := value[int](p.page, `document.documentElement.scrollWidth`); int64(wide) > phone.width {
		t.Errorf("the page is %d wide on a screen of %d", wide, phone.width)
	}
	p.clean()
}
