//go:build !cgo

package hsm_test

import (
	"strings"
	"testing"

	"github.com/casino-service/casino/adapters/hsm"
)

// TestWithoutCgoOpenSaysSo covers the static binary. `make test` runs the tests with SoftHSM
// in a build with cgo.
func TestWithoutCgoOpenSaysSo(t *testing.T) {
	t.Parallel()
	if _, err := hsm.Open(hsm.Config{Module: "/usr/lib/softhsm/libsofthsm2.so"}); err == nil || !strings.Contains(err.Error(), "CGO_ENABLED=1") {
		t.Errorf("%v", err)
	}
}
