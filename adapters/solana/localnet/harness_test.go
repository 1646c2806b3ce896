package localnet_test

import (
	"io"
	"math/rand/v2"
	"testing"
)

// seeded is randomness that a failing test can name.
func seeded(t *testing.T, seed byte) io.Reader {
	t.Helper()
	return rand.NewChaCha8([32]byte{seed})
}
