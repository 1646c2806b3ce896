package e2e_test

import (
	"testing"

	"github.com/casino-service/casino/test/services"
)

// TestPagesBesideAnAPIAtTheRoot checks that without a base path the pages are below /ui and work
// there.
func TestPagesBesideAnAPIAtTheRoot(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("needs a browser") // allowed: make test runs it
	}
	dev := services.NewDev(t, t.TempDir(), "--base-path", "/")
	p := enter(t, dev, phone)
	p.deposit("2")
	p.visit("#/game/dice")
	p.until(`document.querySelector('.dice') !== null`)
	p.bet()
	p.clean()
	verifying := visitor(t, dev, phone, "verify")
	verifying.until(`document.querySelector('#give') !== null`)
	verifying.clean()
	console := visitor(t, dev, desktop, "admin")
	console.signIn("superadmin")
	console.until(`document.querySelector('.side') !== null`)
	console.clean()
}
