package e2e_test

import (
	"fmt"
	"testing"

	"github.com/casino-service/casino/adapters/httpapi/api"
)

// TestConsoleAssignsUnclaimedMoney checks that a payment by a wallet that never signed in is
// listed, and that an admin can assign part of it to a player.
func TestConsoleAssignsUnclaimedMoney(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("needs a browser") // allowed: make test runs it
	}
	e := begin(t, t.TempDir())
	e.pay("bob")
	_, bob := e.dev.Key(t, "bob")
	unclaimed := func() int64 {
		found, err := e.admin.UnclaimedBalances(t.Context(), api.UnclaimedBalancesParams{Wallet: bob})
		e.must(err)
		if len(found.Unclaimed) == 0 {
			return 0
		}
		return found.Unclaimed[0].Amount
	}
	e.eventually("the money is unclaimed", func() bool { return unclaimed() == paid })
	p := e.console("superadmin", desktop)
	p.visit("#/unclaimed")
	p.press(`[data-row] .choose`)
	p.until(`document.activeElement.matches('#assign .to') && document.querySelector('#assign .amount').value === '25'`)
	p.fill(`#assign .to`, e.address)
	p.asksWhatAmountIsMeant()
	p.fill(`#assign .evidence`, "receipt 7")
	p.press(`#assign button[type=submit]`)
	p.until(`document.querySelector('.notice.bad') !== null && document.querySelector('#confirm') === null`)
	p.fill(`#assign .amount`, "10.5")
	p.press(`#assign button[type=submit]`)
	p.fill(`#confirm input`, "withdrew from the exchange")
	p.press(`#confirm button[type=submit]`)
	p.until(`document.querySelector('#confirm') === null && document.querySelector('[data-row] .number').textContent.startsWith('14.50')`)
	if unclaimed() != 14_500_000 || e.balance() != 10_500_000 {
		t.Errorf("%d are unclaimed, the player has %d", unclaimed(), e.balance())
	}
	p.clean()
}

// asksWhatAmountIsMeant types amounts that are wrong or can be read in two ways: the form says what
// to do, takes no guess, and fills in the chosen amount. It leaves one that isn't decided.
func (p *page) asksWhatAmountIsMeant() {
	p.Helper()
	const field = `document.querySelector('#assign .amount').closest('.amount-input')`
	for typed, want := range map[string]string{"-1": "remove the minus sign", "two": "Enter digits only", "0": "more than zero", "1.0000001": "at most 6 decimals"} {
		p.fill(`#assign .amount`, typed)
		p.until(fmt.Sprintf(`%[1]s.querySelector('small').textContent.includes(%[2]q) && %[1]s.querySelector('input').ariaInvalid === 'true' && document.getElementById(%[1]s.querySelector('input').getAttribute('aria-describedby')) === %[1]s.querySelector('small')`, field, want))
	}
	p.fill(`#assign .amount`, "1,500")
	p.until(fmt.Sprintf(`%[1]s.querySelector('small').textContent === 'Do you mean 1,500.00 or 1.50?' && %[1]s.querySelectorAll('[role=group] button').length === 2`, field))
	p.press(`#assign .amount-input [role=group] button:last-child`)
	p.until(fmt.Sprintf(`document.activeElement === %[1]s.querySelector('input') && document.activeElement.value === '1.50' && %[1]s.querySelector('[role=group]') === null && document.activeElement.ariaInvalid === 'false'`, field))
	p.fill(`#assign .amount`, "1,0")
}
