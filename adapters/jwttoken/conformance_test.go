package jwttoken_test

import (
	"crypto/sha256"
	"encoding/hex"
	"testing"
	"time"

	"github.com/casino-service/casino/adapters/jwttoken"
	"github.com/casino-service/casino/adapters/system"
	"github.com/casino-service/casino/ports"
	"github.com/casino-service/casino/test/conformance"
	"github.com/casino-service/casino/test/fakes"
)

func TestConformance(t *testing.T) {
	t.Parallel()
	conformance.SessionTokens(t, func(t *testing.T, clock ports.Clock, deployment string) ports.SessionTokens {
		t.Helper()
		secret := sha256.Sum256([]byte(deployment))
		ring, err := jwttoken.ParseKeys([]string{"k1:" + hex.EncodeToString(secret[:])})
		if err != nil {
			t.Fatal(err)
		}
		entropy := system.New(clock.Now, random{fakes.NewEntropy(1)}).SessionIDs()
		return jwttoken.New(ring, "casino", "casino", time.Hour, clock, entropy)
	})
}

// random reads the draws of a fake.
type random struct{ entropy *fakes.Entropy }

func (r random) Read(p []byte) (int, error) {
	seed := r.entropy.Seed()
	return copy(p, seed[:]), nil
}
