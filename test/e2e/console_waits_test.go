package e2e_test

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/casino-service/casino/adapters/httpapi/api"
	"github.com/casino-service/casino/adapters/httpapi/client"
)

// waits waits until the overview lists what waits for the admin, in order.
func (p player) waits(want ...string) {
	p.Helper()
	expected := fmt.Sprintf(`%q`, want)
	if len(want) == 0 {
		p.until(`document.querySelector('#waits p')?.textContent === 'Nothing waits for you.' && document.querySelector('.side .count') === null`)
		return
	}
	p.until(fmt.Sprintf(`JSON.stringify([...document.querySelectorAll('[data-waits]')].map((each) => each.textContent)).replaceAll('","', '" "') === %q`, expected))
}

// TestConsoleListsWhatWaits checks that the overview lists what an admin may decide and hasn't, as
// it comes and goes, and nothing of it for others.
func TestConsoleListsWhatWaits(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("needs a browser") // allowed: make test runs it
	}
	folder := t.TempDir()
	begin(t, folder).dev.Stop(t)
	terms := filepath.Join(folder, "tokens.json")
	text, err := os.ReadFile(terms)
	noError(t, err)
	above := regexp.MustCompile(`"twoPersonAbove": *\d+`)
	noError(t, os.WriteFile(terms, above.ReplaceAll(text, []byte(`"twoPersonAbove": 4000000`)), 0o600))
	e := begin(t, folder)
	e.deposit()
	finance := client.New(e.dev.BaseURL, nil).WithToken(e.dev.SignIn(t, "finance"))
	p, own := e.console("finance", desktop), e.console("superadmin", desktop)
	p.waits()
	large := e.requested(5_000_000) // takes two persons
	e.requested(1_000_000)
	p.waits("2 withdrawals to approve")
	own.waits("2 withdrawals to approve")
	_, err = finance.ApproveWithdrawal(t.Context(), api.ApproveRequest{ID: large.ID, Note: "once"})
	e.must(err)
	if e.status(large.ID) != "pending" {
		t.Errorf("one approval made it %s", e.status(large.ID))
	}
	p.waits("1 withdrawal to approve")
	own.waits("2 withdrawals to approve")
	_, err = e.admin.AdjustBalance(t.Context(), e.address, api.AdjustRequest{Token: e.mint, Amount: 60_000_000_000, Reason: "won beyond the limit"})
	e.must(err)
	p.waits("1 withdrawal to approve", "1 request that needs a second person")
	own.waits("2 withdrawals to approve") // who asked is no second person
	p.picture("console-waits")
	p.press(`[data-waits=approvals]`)
	p.press(`[data-row] .approve`)
	p.confirm("")
	p.visit("#/overview")
	p.waits("1 withdrawal to approve")
	e.pay("bob") // who never signed in
	p.waits("1 withdrawal to approve", "1 unclaimed balance to assign")
	_, bob := e.dev.Key(t, "bob")
	_, err = e.admin.GrantRole(t.Context(), bob, api.GrantRequest{Role: "readonly"})
	e.must(err)
	e.leave(own)
	own.do(chromedp.Evaluate[chromedp.Void]("{" + fmt.Sprintf(testWallet, bob) + "}"))
	own.signIn("Test Wallet")
	own.until(`document.querySelector('.side') !== null`)
	own.waits()
	p.fill(".switches label:nth-of-type(1) select", "pt-BR")
	p.until(`document.querySelector('[data-waits=withdrawals]')?.textContent === '1 saque a aprovar'`)
	p.clean()
}

// TestConsoleByKeys goes to a section, filters its list, saves the filter, opens a row and comes
// back to the saved filter by keys; typed letters are text, and the keys can be switched off.
func TestConsoleByKeys(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("needs a browser") // allowed: make test runs it
	}
	e := begin(t, t.TempDir())
	e.deposit()
	asked := e.requested(2_000_000)
	p := e.console("finance", desktop)
	p.until(`document.querySelector('#waits a') !== null && document.querySelector('dialog') === null`)
	p.key("?")
	p.until(`document.querySelector('dialog[open] .keys') !== null`)
	if keys := value[int](p.page, `document.querySelectorAll('dialog .keys > div').length`); keys != 5+value[int](p.page, `document.querySelectorAll('.side a').length`) {
		t.Errorf("%d keys are listed", keys)
	}
	p.key("g")
	p.key("t") // not under a dialog
	p.key(kb.Escape)
	p.until(`document.querySelector('dialog') === null && location.hash === ''`)
	p.key("g")
	p.key("t")
	p.until(`location.hash === '#/transactions' && document.querySelectorAll('[data-row]').length === 2`)
	p.key("/")
	p.until(`document.activeElement.matches('.filters select[name=type]')`)
	p.fill(`.filters select[name=type]`, "withdrawal")
	p.press(`.filters button[type=submit]`)
	p.until(`decodeURIComponent(location.hash) === '#/transactions/type=withdrawal' && document.querySelectorAll('[data-row]').length === 1`)
	p.press(`.saved summary`)
	p.key("g") // ended by what is typed next
	p.do(chromedp.Evaluate[chromedp.Void](`document.querySelector('.saved input').focus()`))
	p.key("gp") // letters of a name
	p.until(`document.querySelector('.saved input').value === 'gp'`)
	p.key(kb.Enter)
	p.until(`document.querySelector('.saved li a')?.textContent === 'gp' && document.querySelector('.saved summary').textContent.includes('(1)')`)
	p.do(chromedp.Evaluate[chromedp.Void](`document.activeElement.blur()`))
	p.key("j")
	p.until(fmt.Sprintf(`document.activeElement.matches('[data-row=%q]')`, asked.ID))
	p.picture("console-keys")
	p.key(kb.Enter)
	p.until(fmt.Sprintf(`location.hash === '#/withdrawals/%s' && document.querySelector('#approve') !== null`, asked.ID))
	p.visit("#/transactions")
	p.until(`document.querySelectorAll('[data-row]').length === 2`)
	p.key("j")
	p.key("j")
	p.key("k")
	p.until(fmt.Sprintf(`document.activeElement.matches('[data-row=%q]')`, asked.ID))
	p.press(`.saved li a`)
	p.until(`decodeURIComponent(location.hash) === '#/transactions/type=withdrawal' && document.querySelectorAll('[data-row]').length === 1`)
	p.press(`.saved li button`)
	p.until(`document.querySelector('.saved li') === null`)
	p.press(`#keys`)
	p.press(`dialog input[type=checkbox]`)
	p.press(`dialog .round`)
	p.until(`document.querySelector('dialog') === null`)
	p.key("g")
	p.key("o")
	p.key("?")
	if value[bool](p.page, `document.querySelector('dialog') !== null || location.hash === '#/overview'`) {
		t.Error("keys that are switched off act")
	}
	p.clean()
}
