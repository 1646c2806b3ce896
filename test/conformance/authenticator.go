package conformance

import (
	"bytes"
	"strings"
	"testing"

	"github.com/casino-service/casino/ports"
)

// Authenticator is the suite of ports.Authenticator. A key's name is all that it is made
// of; the first name is the newest.
func Authenticator(t *testing.T, open func(t *testing.T, names ...string) ports.Authenticator) {
	const purpose = "withdrawal"
	message := []byte("pay ada 5")
	seal := func(t *testing.T, a ports.Authenticator, purpose string, message []byte) string {
		t.Helper()
		made, err := a.Seal(purpose, message)
		if err != nil {
			t.Fatal(err)
		}
		return made
	}
	sub(t, "a seal verifies for the message and the purpose it was made of", func(t *testing.T) {
		one, another := open(t, "k1"), open(t, "k1")
		for _, text := range [][]byte{message, {}, nil, {0}, bytes.Repeat([]byte{0xff}, 100_000)} {
			for _, purpose := range []string{purpose, "", "ü\x00"} {
				if err := another.Verify(purpose, text, seal(t, one, purpose, text)); err != nil {
					t.Errorf("%q: %v", purpose, err)
				}
			}
		}
	})
	sub(t, "the same message has the same seal", func(t *testing.T) {
		a := open(t, "k1")
		if one, two := seal(t, a, purpose, message), seal(t, a, purpose, message); one != two {
			t.Errorf("%q and %q: a decision that runs twice would not give the same", one, two)
		}
	})
	sub(t, "a seal is printable text of at most 200 bytes without a comma or a space", func(t *testing.T) {
		made := seal(t, open(t, strings.Repeat("k", 64)), purpose, message)
		if made == "" || len(made) > 200 || strings.Trim(made, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._-:") != "" {
			t.Errorf("the seal is %q", made)
		}
	})
	sub(t, "another message, purpose, key or seal is an error", func(t *testing.T) {
		a := open(t, "k1")
		right := seal(t, a, purpose, message)
		refused := func(what string, a ports.Authenticator, purpose string, message []byte, seal string) {
			t.Helper()
			if a.Verify(purpose, message, seal) == nil {
				t.Errorf("%s verifies", what)
			}
		}
		refused("another purpose", a, "approval", message, right)
		refused("a longer purpose", a, purpose+"p", message[1:], right)
		refused("a shorter message", a, purpose, message[:len(message)-1], right)
		refused("a longer message", a, purpose, append(bytes.Clone(message), 0), right)
		for i := range message {
			changed := bytes.Clone(message)
			changed[i] ^= 1
			refused("a changed message", a, purpose, changed, right)
		}
		refused("the seal of a key that isn't there", open(t, "k2"), purpose, message, right)
		refused("no seal", a, purpose, message, "")
		for i := range right {
			refused("a seal that was cut", a, purpose, message, right[:i])
			changed := []byte(right)
			changed[i] ^= 1
			refused("a changed seal", a, purpose, message, string(changed))
		}
		refused("a longer seal", a, purpose, message, right+"0")
		refused("a seal in capitals", a, purpose, message, strings.ToUpper(right))
		refused("the seal under another name", open(t, "k2", "k1"), purpose, message, strings.Replace(right, "k1", "k2", 1))
	})
	sub(t, "the newest key seals and older ones verify", func(t *testing.T) {
		old, both, after := open(t, "k1"), open(t, "k2", "k1"), open(t, "k2")
		kept := seal(t, old, purpose, message)
		if err := both.Verify(purpose, message, kept); err != nil {
			t.Errorf("a seal of the older key: %v", err)
		}
		anew := seal(t, both, purpose, message)
		if anew == kept {
			t.Error("the older key still seals")
		}
		if err := after.Verify(purpose, message, anew); err != nil {
			t.Errorf("a seal of the newest key: %v", err)
		}
	})
}
