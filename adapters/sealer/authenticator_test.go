package sealer_test

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"strings"
	"testing"

	"github.com/casino-service/casino/adapters/sealer"
	"github.com/casino-service/casino/ports"
	"github.com/casino-service/casino/test/conformance"
)

func TestAuthenticatorConforms(t *testing.T) {
	t.Parallel()
	conformance.Authenticator(t, func(t *testing.T, kids ...string) ports.Authenticator {
		t.Helper()
		return sealer.NewAuthenticator(ringOf(t, kids...))
	})
}

func TestRotatedSealsConforms(t *testing.T) {
	t.Parallel()
	conformance.RotatedSeals(t, func(t *testing.T, kids ...string) conformance.Rotated {
		t.Helper()
		return sealer.NewAuthenticator(ringOf(t, kids...))
	})
}

// TestASealIsAsDocumented makes one with HKDF written out from RFC 5869: stored seals must
// verify in ten years.
func TestASealIsAsDocumented(t *testing.T) {
	t.Parallel()
	got, err := sealer.NewAuthenticator(ringOf(t, "key-1")).Seal("casino withdrawal 1", []byte("message"))
	if err != nil {
		t.Fatal(err)
	}
	extract := hmac.New(sha256.New, make([]byte, sha256.Size))
	extract.Write(secretOf("key-1"))
	expand := hmac.New(sha256.New, extract.Sum(nil))
	expand.Write([]byte("casino authenticator: HMAC-SHA256, format 1: casino withdrawal 1\x01"))
	mac := hmac.New(sha256.New, expand.Sum(nil))
	mac.Write([]byte("message"))
	if want := "key-1:" + hex.EncodeToString(mac.Sum(nil)); got != want {
		t.Errorf("sealed as %s, want %s", got, want)
	}
}

func TestNothingIsSealedWithoutAKey(t *testing.T) {
	t.Parallel()
	if seal, err := sealer.NewAuthenticator(sealer.Keyring{}).Seal("p", nil); err == nil {
		t.Errorf("sealed as %q without a key", seal)
	}
	if err := sealer.NewAuthenticator(sealer.Keyring{}).Verify("p", nil, ":"); err == nil {
		t.Error("verified without a key")
	}
}

func TestErrorsOfSealsShowNoSeal(t *testing.T) {
	t.Parallel()
	a := sealer.NewAuthenticator(ringOf(t, "k1"))
	right, err := a.Seal("p", []byte("message"))
	if err != nil {
		t.Fatal(err)
	}
	for _, wrong := range []string{"", "k1:", "k1:" + strings.Repeat("0", 64), "other" + right[2:], right[2:]} {
		err := a.Verify("p", []byte("message"), wrong)
		if err == nil || strings.Contains(err.Error(), right[3:]) || strings.Contains(err.Error(), "message") {
			t.Errorf("%q: %v", wrong, err)
		}
	}
}

func BenchmarkSealOfARow(b *testing.B) {
	a := sealer.NewAuthenticator(ringOf(b, "k1"))
	message := make([]byte, 250)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := a.Seal("casino withdrawal 1", message); err != nil {
			b.Fatal(err)
		}
	}
}
