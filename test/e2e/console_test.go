package e2e_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"github.com/casino-service/casino/adapters/httpapi/api"
	"github.com/casino-service/casino/adapters/httpapi/client"
)

// console opens the console and signs in with a demo wallet.
func (e *evening) console(name string, on screen) player {
	e.Helper()
	p := visitor(e.T, e.dev, on, "admin")
	p.signIn(name)
	p.until(`document.querySelector('.side') !== null`)
	return p
}

// requested returns a withdrawal of the player that waits for approval.
func (e *evening) requested(amount int64) api.Withdrawal {
	e.Helper()
	asked, err := e.player.Withdraw(e.Context(), api.WithdrawRequest{Amount: amount, Token: e.mint, Destination: e.address})
	e.must(err)
	return asked.Withdrawal
}

// status returns the status of a withdrawal.
func (e *evening) status(id string) string {
	e.Helper()
	found, err := e.admin.AdminWithdrawal(e.Context(), id)
	e.must(err)
	return string(found.Withdrawal.Status)
}

// confirm answers the console's confirmation dialog, with a text if it takes one.
func (p player) confirm(text string) {
	p.Helper()
	p.until(`document.querySelector('#confirm') !== null`)
	if text != "" {
		p.fill(`#confirm input`, text)
	}
	p.press(`#confirm button[type=submit]`)
	p.until(`document.querySelector('#confirm') === null`)
}

// TestConsoleApprovesAWithdrawal lets finance see a withdrawal arrive without reloading the page,
// see the facts about its player, and approve it; the money lands on the chain.
func TestConsoleApprovesAWithdrawal(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("needs a browser") // allowed: make test runs it
	}
	e := begin(t, t.TempDir())
	e.deposit()
	p := e.console("finance", desktop)
	p.until(`document.querySelector('[data-live="0"]') !== null`)
	e.eventually("the console counts a round as it ends", func() bool {
		_, err := e.player.Play(t.Context(), api.PlayRequest{GameType: "dice", Token: e.mint, Wager: 1_000_000})
		e.must(err)
		return value[bool](p.page, `Number(document.querySelector('[data-live]').dataset.live) > 0`)
	})
	p.until(`document.querySelector('#revenue') !== null`)
	p.visit("#/withdrawals")
	p.until(`document.querySelector('tbody .muted') !== null`)
	asked := e.requested(5_000_000)
	p.press(fmt.Sprintf(`[data-row=%q] a`, asked.ID))
	p.until(`document.querySelector('.flags') !== null`)
	if said := p.text(`.flags`); !strings.Contains(said, "wallet that the player signs in with") || !strings.Contains(said, "paid to this address before") {
		t.Errorf("what an approver should look at: %q", said)
	}
	if said := p.text(`[data-past]`); !strings.Contains(said, "Deposited (1)25.00") {
		t.Errorf("the player so far: %q", said)
	}
	p.picture("console-withdrawal")
	p.press(`#approve`)
	p.until(`document.querySelector('#confirm') !== null`)
	if said := p.text(`#confirm .happens`); !strings.Contains(said, "5.00") || !strings.Contains(said, e.address) {
		t.Errorf("what will happen: %q", said)
	}
	p.picture("console-approve")
	p.confirm("looked at")
	e.eventually("the payout lands", func() bool { return e.status(asked.ID) == "completed" })
	p.until(`document.querySelector('h1').textContent.includes('Paid') && document.querySelector('#approve') === null`)
	if said := p.text(`.flags`); !strings.Contains(said, "Nothing of the player's was paid to this address before") {
		t.Errorf("a withdrawal that is paid counts as one before it: %q", said)
	}
	p.visit("#/overview")
	p.until(`document.querySelector('#revenue canvas') !== null`)
	p.picture("console-overview")
	p.clean()
}

// leave signs out, which ends all sessions of the wallet: if that includes the test's, the test
// signs in again after the service has ended it. The page doesn't wait for that.
func (e *evening) leave(p player) {
	e.Helper()
	_, own := e.dev.Key(e.T, "superadmin")
	same := strings.Contains(p.text(`.who`), own[len(own)-4:])
	p.tolerated = append(p.tolerated, "HTTP 401", "401 (Unauthorized)") // of the view's open requests
	p.press(`.who button`)
	p.until(`document.querySelector('.who') === null && document.querySelector('.side') === null`)
	if same {
		e.eventually("the test's own session ends", func() bool {
			_, err := e.admin.AdminMe(e.Context())
			return err != nil
		})
	}
	e.admin = client.New(e.dev.BaseURL, nil).WithToken(e.dev.SignIn(e.T, "superadmin"))
}

// forgive removes an expected error from the page's errors.
func (p player) forgive(expected string) {
	p.Helper()
	p.mu.Lock()
	defer p.mu.Unlock()
	had := len(p.faults)
	if p.faults = slices.DeleteFunc(p.faults, func(fault string) bool { return strings.Contains(fault, expected) }); len(p.faults) == had {
		p.Errorf("nothing on the page says %q", expected)
	}
}

func (p player) signIn(name string) {
	p.Helper()
	p.press(`header .primary`)
	p.until(`document.querySelector('.wallet') !== null`)
	p.do(chromedp.Evaluate[chromedp.Void](fmt.Sprintf(`[...document.querySelectorAll('.wallet')].find((each) => each.textContent.includes(%q)).click()`, name)))
	p.until(`document.querySelector('.who') !== null`)
}

// TestConsoleOfTwoPersons lets one admin request a credit, which another one must approve; play
// and payouts are paused and resumed.
func TestConsoleOfTwoPersons(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("needs a browser") // allowed: make test runs it
	}
	e := begin(t, t.TempDir())
	p := e.console("superadmin", desktop)
	p.visit("#/players/" + e.address)
	p.fill(`#adjust .field:nth-of-type(2) select`, e.mint) // tokens are sorted by their mints, which are random
	p.fill(`#adjust .amount`, "60000.5")
	p.press(`#adjust button`)
	p.confirm("won beyond the limit")
	p.visit("#/approvals")
	p.until(`document.querySelector('[data-row] .reject') !== null`)
	if value[bool](p.page, `document.querySelector('[data-row] .approve') !== null`) || e.balance() != 0 {
		t.Errorf("the admin who requested a credit is offered to approve it; the balance is %d", e.balance())
	}
	e.leave(p)
	p.signIn("finance")
	p.until(`document.querySelector('[data-count=approvals]')?.textContent === '1'`)
	p.press(`[data-row] .approve`)
	p.picture("console-second-person")
	p.confirm("")
	p.until(`document.querySelector('[data-row]') === null`)
	if e.balance() != 60_000_500_000 {
		t.Errorf("the balance is %d", e.balance())
	}
	p.visit("#/status")
	p.until(`document.querySelector('#payouts') !== null`)
	if value[bool](p.page, `document.querySelector('#pause') !== null`) {
		t.Error("finance is offered to pause play")
	}
	p.press(`#payouts .pause`)
	p.confirm("odd payouts")
	p.until(`document.querySelector('#payouts').dataset.paused === 'true'`)
	p.press(`#payouts .resume`)
	p.confirm("looked at")
	e.leave(p)
	p.signIn("superadmin")
	p.fill(`#pause .game`, "dice")
	p.press(`#pause button`)
	p.confirm("odd wins")
	p.until(`document.querySelector('#play .resume') !== null`)
	bet := api.PlayRequest{GameType: "dice", Token: e.mint, Wager: 1_000_000}
	if _, err := e.player.Play(t.Context(), bet); client.CodeOf(err) != "API_CHECKING" {
		t.Errorf("a bet while play is paused: %v", err)
	}
	p.picture("console-operations")
	p.press(`#play .resume`)
	p.confirm("verified")
	p.until(`document.querySelector('#play .resume') === null`)
	if _, err := e.player.Play(t.Context(), bet); err != nil {
		t.Errorf("a bet after play was resumed: %v", err)
	}
	p.visit("#/approvals")
	p.press(`[data-row] .approve`)
	p.confirm("")
	e.eventually("payouts are resumed", func() bool {
		stands, err := e.admin.Payouts(t.Context())
		e.must(err)
		return !stands.Paused
	})
	p.clean()
}

// views are the console's views in the list of sections.
const views = `[...document.querySelectorAll('.side a')].map((each) => each.getAttribute('href'))`

// TestConsoleByRole runs on a phone: an agent and its endpoint are created and their secrets
// shown once; a wallet without a role sees only that it has none; support rejects and can't
// approve.
func TestConsoleByRole(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("needs a browser") // allowed: make test runs it
	}
	e := begin(t, t.TempDir())
	e.deposit()
	asked := e.requested(2_000_000)
	_, bob := e.dev.Key(t, "bob")
	p := e.console("superadmin", phone)
	p.visit("#/agents")
	p.fill(`#create .code`, "acme")
	p.fill(`#create .name`, "Acme")
	p.press(`#create button`)
	p.confirm("")
	p.once("acme")
	p.until(`[...document.querySelectorAll('[data-row] a')].some((each) => each.textContent === 'acme')`)
	p.do(chromedp.Evaluate[chromedp.Void](`[...document.querySelectorAll('[data-row] a')].find((each) => each.textContent === 'acme').click()`))
	p.fill(`#webhook .url`, "http://127.0.0.1:9/hooks")
	p.press(`#webhook button`)
	p.confirm("")
	p.once("whsec_")
	p.until(`document.querySelector('#webhooks [data-row]') !== null`)
	p.press(`#webhooks .rotate`)
	p.confirm("")
	p.once("whsec_")
	all := value[[]string](p.page, views)
	if len(all) < 13 {
		t.Errorf("a superadmin is offered %v", all)
	}
	for _, view := range all {
		p.visit(view)
		p.until(fmt.Sprintf(`location.hash === %q && document.querySelector('main h1') !== null && document.querySelector('main .loading') === null`, view))
		p.picture("console-phone-" + strings.TrimPrefix(view, "#/"))
		if cut := value[bool](p.page, `[...document.querySelectorAll('[data-row]')].some((row) => new Set([...row.cells].filter((cell) => cell.offsetHeight > 0).map((cell) => cell.offsetLeft)).size > 1) || [...document.querySelectorAll('.scroll')].some((each) => each.scrollWidth > each.clientWidth)`); cut {
			t.Errorf("the rows of %s are no cards, or wider than a telephone", view)
		}
		if wide := value[int](p.page, `document.documentElement.scrollWidth`); int64(wide) > phone.width {
			t.Errorf("%s is %d wide on a screen of %d", view, wide, phone.width)
		}
	}
	e.leave(p)
	p.do(chromedp.Evaluate[chromedp.Void]("{" + fmt.Sprintf(testWallet, bob) + "}"))
	p.signIn("Test Wallet")
	p.until(`document.querySelector('#stranger') !== null`)
	if said := p.text(`#stranger`); !strings.Contains(said, bob) || value[bool](p.page, `document.querySelector('.side') !== null`) {
		t.Errorf("a wallet without a role sees %q", said)
	}
	p.forgive("403")
	_, err := e.admin.GrantRole(t.Context(), bob, api.GrantRequest{Role: "support"})
	e.must(err)
	e.leave(p)
	p.signIn("Test Wallet")
	p.until(`document.querySelector('.side') !== null`)
	if offered := value[[]string](p.page, views); slices.Contains(offered, "#/branding") || slices.Contains(offered, "#/audit") || len(offered) < 10 {
		t.Errorf("support is offered %v", offered)
	}
	p.visit("#/withdrawals/" + asked.ID)
	p.until(`document.querySelector('#reject') !== null`)
	if value[bool](p.page, `document.querySelector('#approve') !== null`) {
		t.Error("support is offered to approve")
	}
	p.press(`#reject`)
	p.confirm("not of this player's wallet")
	p.until(`document.querySelector('#reject') === null`)
	if e.status(asked.ID) != "rejected" {
		t.Errorf("the withdrawal is %s", e.status(asked.ID))
	}
	p.visit("#/players/" + e.address)
	p.until(`document.querySelector('#player') !== null`)
	if value[bool](p.page, `document.querySelector('#acts') !== null`) {
		t.Error("support is offered to act on players")
	}
}

// once reads secrets that are shown once, and closes them: afterwards the page must not have
// them.
func (p player) once(begins string) {
	p.Helper()
	p.until(`document.querySelector('#secrets') !== null`)
	said := p.text(`#secrets`)
	secret := value[string](p.page, `[...document.querySelectorAll('#secrets code')].at(-1).textContent`)
	if !strings.Contains(p.text(`dialog`), begins) || len(secret) < 20 {
		p.Errorf("secrets that are shown once: %q", said)
	}
	p.press(`#secrets .primary`)
	p.until(`document.querySelector('#secrets') === null`)
	if value[bool](p.page, fmt.Sprintf(`document.documentElement.outerHTML.includes(%q)`, secret)) {
		p.Error("a secret that was shown once is on the page still")
	}
}
