package e2e_test

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/casino-service/casino/adapters/httpapi/api"
)

// TestConsoleByKeyboardAlone lets finance sign in, filter a list and save it, go back and forth,
// approve a withdrawal with a note, and sign out, without a mouse. The focus must always be
// visible.
func TestConsoleByKeyboardAlone(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("needs a browser") // allowed: make test runs it
	}
	e := begin(t, t.TempDir())
	e.deposit()
	asked := e.requested(2_000_000)
	p := visitor(t, e.dev, desktop, "admin")
	p.do(chromedp.Evaluate[chromedp.Void](saving))
	p.until(`document.querySelector('header .primary') !== null`)
	p.key(kb.Tab)
	p.until(`document.activeElement.matches('.skip')`)
	p.key(kb.Enter)
	p.until(`document.activeElement.matches('#main')`)
	p.tab(`main .primary`)
	p.key(kb.Enter)
	p.until(`document.querySelector('.wallet.demo') !== null && document.activeElement.closest('dialog') !== null`)
	p.key(kb.Escape)
	p.until(`document.querySelector('dialog') === null && document.activeElement.matches('main .primary')`)
	p.key(kb.Enter)
	p.until(`document.querySelector('.wallet.demo') !== null`)
	p.do(chromedp.Evaluate[chromedp.Void](`[...document.querySelectorAll('.wallet.demo')].find((each) => each.textContent.includes('finance')).dataset.finance = ''`))
	p.tab(`[data-finance]`)
	p.key(kb.Enter)
	p.until(`document.querySelector('.side') !== null && document.querySelector('dialog') === null`)

	p.tab(`.side a[href="#/transactions"]`)
	p.key(kb.Enter)
	p.until(`document.activeElement.matches('#main') && document.querySelectorAll('[data-row]').length === 2`)
	p.tab(`.filters select[name=type]`)
	p.key("w") // a select takes the option with this first letter
	p.until(`document.activeElement.value === 'withdrawal'`)
	p.tab(`.filters button[type=submit]`)
	p.key(kb.Enter)
	p.until(`decodeURIComponent(location.hash).includes('type=withdrawal') && document.querySelectorAll('[data-row]').length === 1`)
	p.tab(`.sheet`)
	p.key(kb.Enter)
	p.until(`window.saved !== undefined`)
	p.tab(`.filters a.button`)
	p.key(kb.Enter)
	p.until(`document.querySelectorAll('[data-row]').length === 2`)

	p.tab(`.side a[href="#/withdrawals"]`)
	p.key(kb.Enter)
	p.until(`document.activeElement.matches('#main') && document.querySelector('[data-row] a') !== null`)
	p.tab(fmt.Sprintf(`[data-row=%q] a`, asked.ID))
	p.key(kb.Enter)
	p.until(`document.activeElement.matches('#main') && document.querySelector('#approve') !== null`)
	p.tab(`#approve`)
	p.key(kb.Enter)
	p.until(`document.querySelector('#confirm') !== null && document.activeElement.closest('dialog') !== null`)
	p.key(kb.Escape)
	p.until(`document.querySelector('#confirm') === null && document.activeElement.matches('#approve')`)
	p.key(kb.Enter)
	p.until(`document.querySelector('#confirm') !== null`)
	p.tab(`#confirm input`)
	p.key("by keyboard")
	p.tab(`#confirm button[type=submit]`)
	p.key(kb.Enter)
	p.until(`document.querySelector('#confirm') === null`)
	e.eventually("the payout lands", func() bool { return e.status(asked.ID) == "completed" })
	p.tab(`.who button`)
	p.key(kb.Enter)
	p.until(`document.querySelector('.side') === null && document.querySelector('#main .primary') !== null`)
	p.clean()
}

// TestConsoleSavesASheet checks that a sheet has all rows of a filtered list, and that texts
// chosen by others are no formulas.
func TestConsoleSavesASheet(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("needs a browser") // allowed: make test runs it
	}
	e := begin(t, t.TempDir())
	const formula, rows = `=HYPERLINK("https://evil.example","pay")`, 31 // more than a page of the list
	for range rows {
		_, err := e.admin.AdjustBalance(t.Context(), e.address, api.AdjustRequest{Token: e.mint, Amount: 1, Reason: formula})
		e.must(err)
	}
	e.deposit()
	p := e.console("superadmin", desktop)
	p.do(chromedp.Evaluate[chromedp.Void](saving))
	p.visit("#/transactions/type=adjustment")
	p.until(`document.querySelectorAll('[data-row]').length === 25`)
	p.press(`.sheet`)
	p.until(`window.saved !== undefined`)
	sheet, err := csv.NewReader(strings.NewReader(value[string](p.page, `window.saved`))).ReadAll()
	e.must(err)
	if len(sheet) != 1+rows || len(sheet[0]) < 10 {
		t.Fatalf("the sheet has %d rows: %q", len(sheet), sheet[0])
	}
	for _, row := range sheet[1:] {
		if text := strings.Join(row, "|"); !strings.Contains(text, "|'"+formula) || !strings.Contains(text, "adjustment") {
			t.Errorf("a row is %q", text)
		}
	}
	p.clean()
}

// wins sends a player's win at a provider's game, in units of the token.
func (e *evening) wins(folder, txn string, units int) {
	e.Helper()
	secret, err := os.ReadFile(filepath.Join(folder, "provider-secret.key"))
	e.must(err)
	body, err := json.Marshal(map[string]any{
		"method": "transaction", "agent_code": "casino-dev", "agent_secret": strings.TrimSpace(string(secret)), "user_code": e.address, "game_type": "slot",
		"slot": map[string]any{"provider_code": "DEMOSPIN", "game_code": game, "txn_id": txn, "txn_type": "debit_credit", "bet_money": 1, "win_money": units},
	})
	e.must(err)
	answer, err := http.Post(e.dev.BaseURL+"/gold_api", "application/json", bytes.NewReader(body))
	e.must(err)
	defer func() { _ = answer.Body.Close() }()
	var said struct {
		Status int `json:"status"`
	}
	if err := json.NewDecoder(answer.Body).Decode(&said); err != nil || said.Status != 1 {
		e.Fatalf("a win of %d is answered %+v, %v", units, said, err)
	}
}

// TestConsoleDecidesProvidersWins decides wins above the hourly cap of a player: one is paid and
// one is refused, each with a reason, and one above the threshold waits for a second admin.
func TestConsoleDecidesProvidersWins(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("needs a browser") // allowed: make test runs it
	}
	folder := t.TempDir()
	e := begin(t, folder)
	e.deposit()
	e.launch()
	e.wins(folder, "large-1", 6000)
	e.wins(folder, "large-2", 7000)
	had := e.balance()
	p := e.console("superadmin", desktop)
	p.visit("#/provider")
	p.until(`document.querySelectorAll('[data-row] .pay').length === 2`)
	p.picture("console-reviews")
	row := func(amount string) string {
		return fmt.Sprintf(`[...document.querySelectorAll('[data-row]')].find((each) => each.textContent.includes(%q))`, amount)
	}
	p.do(chromedp.Evaluate[chromedp.Void](row("6,000.00") + `.querySelector('.pay').click()`))
	p.until(`document.querySelector('#confirm') !== null`)
	if said := p.text(`#confirm .happens`); !strings.Contains(said, "6,000.00") {
		t.Errorf("what will happen: %q", said)
	}
	p.confirm("the provider's log has it")
	p.until(`document.querySelectorAll('[data-row] .pay').length === 1`)
	if won := e.balance() - had; won != 6_000_000_000 {
		t.Errorf("6000 were paid, the balance went up by %d", won)
	}
	p.do(chromedp.Evaluate[chromedp.Void](row("7,000.00") + `.querySelector('.refuse').click()`))
	p.confirm("the provider took it back")
	p.until(`document.querySelectorAll('[data-row] .pay').length === 0`)
	if won := e.balance() - had; won != 6_000_000_000 {
		t.Errorf("a win was refused, the balance went up by %d", won)
	}
	e.wins(folder, "large-3", 60_000) // above the token's threshold
	had = e.balance()
	p.press(`[data-row] .pay`)
	p.confirm("the provider's log has it too")
	p.until(`[...document.querySelectorAll('.notice')].some((each) => each.textContent.includes('A second person must approve it'))`)
	if won := e.balance() - had; won != 0 {
		t.Errorf("a win waits for a second person, the balance went up by %d", won)
	}
	p.clean()
}
