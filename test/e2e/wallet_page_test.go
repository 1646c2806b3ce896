package e2e_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"github.com/casino-service/casino/adapters/httpapi/api"
)

// told opens a round, which must be told in words and pictures.
func (p player) told(round string) {
	p.Helper()
	p.visit("#/history/" + round)
	p.until(fmt.Sprintf(`location.hash.endsWith(%q) && document.querySelector('#came') !== null && document.querySelector('#verify') !== null`, round))
	said := p.text("main")
	for _, raw := range []string{"{", `"`, "[object", "undefined", "NaN", "null"} {
		if strings.Contains(said, raw) {
			p.Errorf("round %s is told with %s: %q", round, raw, said)
		}
	}
	if wide := value[int](p.page, `document.documentElement.scrollWidth - document.documentElement.clientWidth`); wide > 0 {
		p.Errorf("round %s is %d pixels wider than the screen", round, wide)
	}
}

// shows waits until the list of transactions has one of each of the given states, newest first.
func (p player) shows(states string) {
	p.Helper()
	p.until(fmt.Sprintf(`[...document.querySelectorAll('[data-transaction]')].map((each) => each.dataset.status).join(' ') === %q`, states))
}

// TestTheWalletOnAPhone deposits with Max and by a signature, withdraws, cancels, sees an approval
// arrive, and filters the list by what stays in the address.
func TestTheWalletOnAPhone(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("needs a browser") // allowed: make test runs it
	}
	e := begin(t, t.TempDir())
	p := enter(t, e.dev, phone)
	p.visit("#/wallet")
	held := e.on(e.address)
	p.until(fmt.Sprintf(`document.querySelector('#chain-balance')?.dataset.balance === '%d'`, held))
	p.until(fmt.Sprintf(`document.querySelector('.qr')?.dataset.code === %q && document.querySelector('#address code').textContent === %[1]q`, e.dev.Treasury))
	p.press("#deposit [type=button]")
	p.until(fmt.Sprintf(`Math.round(1e9 * document.querySelector('#deposit input').value.replaceAll(',', '')) === %d`, held-1_000_000))
	p.fill("#deposit input", "100000000")
	p.until(`document.querySelector('#deposit .loss')?.textContent.startsWith('You have')`)
	p.deposit("3")
	p.until(fmt.Sprintf(`Number(document.querySelector('#chain-balance').dataset.balance) <= %d`, held-3_000_000_000))
	p.picture("wallet-deposit")

	// A payment without the page is credited by its signature.
	p.fill(".balance select", e.mint)
	p.fill("#claim input", e.pay("alice"))
	p.press("#claim [type=submit]")
	p.until(fmt.Sprintf(`document.querySelector('.balance output').dataset.balance === '%d'`, paid))
	p.fill(".balance select", e.dev.Tokens[0].Mint)

	p.press("#tab-withdraw")
	p.until(`!document.querySelector('#withdraw').closest('[role=tabpanel]').hidden && location.hash === '#/wallet?tab=withdraw'`)
	p.press("#withdraw [type=button]")
	p.until(`document.querySelector('#arrives')?.textContent === '3.00 SOL'`)
	p.picture("wallet-withdraw")
	p.fill("#withdraw input", "1")
	p.press("#withdraw [type=submit]")
	p.shows("pending credited credited")
	p.until(`document.querySelector('.steps-of [aria-current=step]')?.textContent === 'Requested'`)
	p.picture("wallet-transactions")
	p.press("[data-status=pending] .cancel")
	p.shows("cancelled credited credited")
	p.until(`document.querySelector('.steps-of .ended')?.textContent === 'Cancelled' && document.querySelector('.cancel') === null`)

	asked := e.requested(5_000_000)
	p.shows("pending cancelled credited credited")
	_, err := e.admin.RejectWithdrawal(t.Context(), api.RejectRequest{ID: asked.ID, Reason: "call us first"})
	e.must(err)
	p.shows("rejected cancelled credited credited")
	p.until(`document.querySelector('[data-reason]')?.textContent === 'Reason: call us first'`)

	p.fill("[name=type]", "withdrawal")
	p.shows("rejected cancelled")
	p.fill("[name=status]", "cancelled")
	p.shows("cancelled")
	p.fill("[name=to]", "2020-01-31")
	p.shows("")
	p.do(chromedp.Reload())
	p.until(`document.querySelectorAll('header .primary, .who').length === 1`)
	if value[bool](p.page, `document.querySelector('.who') === null`) {
		p.signInAs("alice")
	}
	p.until(`document.querySelector('[name=status]')?.value === 'cancelled' && document.querySelector('[name=to]').value === '2020-01-31'`)
	p.fill("[name=to]", "")
	p.shows("cancelled")
	p.fits()
	p.clean()
}

// TestTheHistoryIsFiltered by game, and shows what each round changed of the balance.
func TestTheHistoryIsFiltered(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("needs a browser") // allowed: make test runs it
	}
	e := begin(t, t.TempDir())
	p := enter(t, e.dev, phone)
	p.deposit("2")
	rounds := map[string]api.Round{}
	var first, last int64
	for _, game := range []string{"dice", "keno", "plinko", "dice"} {
		played, err := e.player.Play(t.Context(), api.PlayRequest{GameType: game, Token: e.dev.Tokens[0].Mint, Wager: 1_000_000})
		e.must(err)
		rounds[played.Round.ID] = played.Round
		if last = played.Round.CreatedAt; first == 0 {
			first = last
		}
	}
	p.visit("#/history")
	p.until(`document.querySelectorAll('[data-round]').length === 4`)
	for id, round := range rounds {
		net, class := round.Payout-round.Wager, "loss"
		if net == 0 {
			class = "muted"
		} else if net > 0 {
			class = "gain"
		}
		if got := value[string](p.page, fmt.Sprintf(`document.querySelector('[data-round="%s"] .sum strong').className`, id)); got != class {
			t.Errorf("a round of %d that paid %d is shown as %q", round.Wager, round.Payout, got)
		}
	}
	p.picture("history-phone")
	p.fill("[name=gameType]", "dice")
	p.until(`document.querySelectorAll('[data-round]').length === 2 && location.hash === '#/history?gameType=dice'`)
	p.fill("[name=token]", e.mint)
	p.until(`document.querySelectorAll('[data-round]').length === 0 && document.querySelector('main').textContent.includes('Nothing matches')`)
	p.visit("#/history")
	p.until(`document.querySelectorAll('[data-round]').length === 4`)
	// The last day is included, in the reader's time zone.
	day := func(at int64) string {
		return value[string](p.page, fmt.Sprintf(`new Date(%d).toLocaleDateString('sv')`, at))
	}
	const dayMS = 86_400_000
	for _, each := range []struct {
		field  string
		at     int64
		rounds int
	}{{"from", last + dayMS, 0}, {"from", first, 4}, {"to", first - dayMS, 0}, {"to", last, 4}} {
		p.fill("[name="+each.field+"]", day(each.at))
		p.until(fmt.Sprintf(`document.querySelectorAll('[data-round]').length === %d`, each.rounds))
	}
	p.fits()
	p.clean()
}
