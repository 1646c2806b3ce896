package e2e_test

import (
	"testing"

	"github.com/casino-service/casino/test/services"
)

// TestSwaggerUISignsIn checks that a demo wallet's button signs in and authorizes the page's
// requests with the session.
func TestSwaggerUISignsIn(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("needs a browser") // allowed: make test runs it
	}
	dev := services.NewDev(t, t.TempDir())
	p := open(t, desktop, dev.BaseURL+"/docs")
	p.until(`document.querySelector('#demo-wallets button') !== null && document.querySelector('#operations-Account-balance') !== null`)
	p.press(`#demo-wallets button`)
	p.until(`document.querySelector('#demo-wallets').textContent.startsWith('Signed in as ')`)
	p.press(`#operations-Account-balance button.opblock-summary-control`)
	p.press(`#operations-Account-balance .try-out__btn`)
	p.press(`#operations-Account-balance .execute`)
	p.until(`document.querySelector('#operations-Account-balance .live-responses-table tbody td.response-col_status')?.textContent.startsWith('200') === true`)
}
