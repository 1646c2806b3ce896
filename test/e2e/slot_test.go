package e2e_test

import (
	"fmt"
	"testing"

	"github.com/chromedp/chromedp"
)

// slot is the demo provider's page of a game.
type slot struct{ *page }

// openSlot opens the page and waits for it to know the balance.
func openSlot(t *testing.T, on screen, address string) slot {
	t.Helper()
	s := slot{open(t, on, address)}
	s.until(`document.getElementById("balance").textContent !== "…"`)
	return s
}

// spun is a line of the page's own list of spins.
type spun struct{ Txn, Line, Bet, Win, Balance string }

// spins returns the page's list of spins, the newest first.
func (s slot) spins() []spun {
	s.Helper()
	return value[[]spun](s.page, `[...document.querySelectorAll("#rounds tbody tr")].map((row) => ({
		Txn: row.dataset.txn, Line: row.cells[0].textContent, Bet: row.cells[1].textContent,
		Win: row.cells[2].textContent, Balance: row.cells[3].textContent}))`)
}

// bet types an amount into the field.
func (s slot) bet(amount string) {
	s.Helper()
	s.do(chromedp.Evaluate[chromedp.Void](`document.getElementById("amount").select()`), chromedp.SendKeys(chromedp.CSS("#amount"), amount))
}

// spin clicks and waits for the round's end, which is another line in the list or a refusal.
func (s slot) spin() {
	s.Helper()
	newest := value[string](s.page, `document.querySelector("#rounds tbody tr")?.dataset.txn ?? ""`)
	s.do(chromedp.Click(chromedp.CSS("#spin")))
	s.ended(newest)
}

// ended waits for the end of the round after the newest one.
func (s slot) ended(newest string) {
	s.Helper()
	s.until(fmt.Sprintf(`document.getElementById("spin").getAttribute("aria-disabled") === "false" &&
		((document.querySelector("#rounds tbody tr")?.dataset.txn ?? "") !== %q || document.getElementById("said").className === "refused")`, newest))
}
