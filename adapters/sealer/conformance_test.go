package sealer_test

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"testing"

	"github.com/casino-service/casino/adapters/sealer"
	"github.com/casino-service/casino/ports"
	"github.com/casino-service/casino/test/conformance"
)

func TestConformance(t *testing.T) {
	t.Parallel()
	conformance.Sealer(t, func(t *testing.T, key string) ports.Sealer {
		t.Helper()
		secret := sha256.Sum256([]byte(key))
		ring, err := sealer.ParseKeys([]string{"k1:" + hex.EncodeToString(secret[:])})
		if err != nil {
			t.Fatal(err)
		}
		return sealer.New(ring, rand.Reader)
	})
}
