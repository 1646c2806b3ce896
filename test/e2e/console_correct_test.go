package e2e_test

import (
	"testing"

	"github.com/casino-service/casino/adapters/httpapi/api"
)

// TestConsoleCorrectsEntries lets one admin request the corrections of an adjustment and of
// capital, which another one approves; the list of transactions links an entry with its
// correction.
func TestConsoleCorrectsEntries(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("needs a browser") // allowed: make test runs it
	}
	e := begin(t, t.TempDir())
	if _, err := e.admin.AdjustBalance(t.Context(), e.address, api.AdjustRequest{Token: e.mint, Amount: 7_000_000, Reason: "a present"}); err != nil {
		t.Fatal(err)
	}
	p := e.console("superadmin", desktop)
	p.visit("#/transactions")
	p.press(`[data-row] .correct`)
	p.picture("console-correct")
	p.confirm("booked twice")
	p.visit("#/audit?action=capital.booked")
	p.press(`[data-row] .correct`)
	p.confirm("it was a player's")
	p.visit("#/approvals")
	p.until(`document.querySelectorAll('[data-row] .reject').length === 2`)
	if value[bool](p.page, `document.querySelector('[data-row] .approve') !== null`) || e.balance() != 7_000_000 {
		t.Errorf("the admin who requested corrections is offered to approve them; the balance is %d", e.balance())
	}
	e.leave(p)
	p.signIn("finance")
	p.until(`document.querySelector('[data-count=approvals]')?.textContent === '2'`)
	p.press(`[data-row]:last-child .approve`) // the newest is the first
	p.confirm("")
	p.until(`document.querySelectorAll('[data-row]').length === 1`)
	if e.balance() != 0 {
		t.Errorf("the balance is %d", e.balance())
	}
	p.visit("#/transactions")
	p.until(`document.querySelectorAll('[data-row]').length === 2 && document.querySelector('.view, main, body').textContent.includes('Corrected by') && document.querySelector('main, body').textContent.includes('Corrects')`)
	if value[bool](p.page, `document.querySelector('[data-row] .correct') !== null`) {
		t.Error("a corrected entry or a correction is offered to be corrected")
	}
	p.clean()
}
