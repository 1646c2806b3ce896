//go:build cgo

package main

import (
	"os"
	"testing"

	"github.com/casino-service/casino/test/softhsm"
)

// TestASignedApprovalIsPaidFromAToken pays with the treasury's key in a PKCS#11 token. `make
// hsm` runs it.
func TestASignedApprovalIsPaidFromAToken(t *testing.T) {
	folder, err := softhsm.Setup()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(folder) })
	w := newWorld(t)
	token := softhsm.NewToken(t)
	token.Import(t, "treasury", w.treasury)
	token.Disconnect(t)
	payWhatWasSigned(t, w, "--hsm-module", softhsm.Module(t), "--hsm-token", token.Label, "--hsm-key", "treasury", "--hsm-pin", softhsm.PIN)
}
