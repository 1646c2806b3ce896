//go:build cgo

package hsm_test

import (
	"context"
	"crypto/ed25519"
	"errors"
	"fmt"
	"os"
	"strings"
	"sync"
	"testing"

	"github.com/casino-service/casino/adapters/hsm"
	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/test/softhsm"
)

func TestMain(m *testing.M) {
	folder, err := softhsm.Setup()
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	code := m.Run()
	_ = os.RemoveAll(folder)
	os.Exit(code)
}

// newKey returns a key in a token of its own.
func newKey(t *testing.T) (*hsm.Key, *softhsm.Token, ed25519.PublicKey, hsm.Config) {
	t.Helper()
	token := softhsm.NewToken(t)
	public := token.Generate(t, "treasury", true, false)
	config := hsm.Config{Module: softhsm.Module(t), Token: token.Label, Key: "treasury", PIN: softhsm.PIN}
	key, err := hsm.Open(config)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = key.Close() }) // closed twice by some tests
	return key, token, public, config
}

// requireSignature fails the test if the key's signature of a message isn't the public key's.
func requireSignature(t *testing.T, key *hsm.Key, public ed25519.PublicKey, message string) {
	t.Helper()
	signature, err := key.Sign(t.Context(), []byte(message))
	if err != nil {
		t.Fatal(err)
	}
	if !ed25519.Verify(public, []byte(message), signature) {
		t.Fatalf("the signature of %q doesn't verify", message)
	}
}

func TestAKeySignsInItsToken(t *testing.T) { // not parallel: a token's sessions log in and out together
	key, _, public, _ := newKey(t)
	if address, err := wallet.FromPublicKey(public); err != nil || key.Address() != address {
		t.Errorf("%s, want %s (%v)", key.Address(), address, err)
	}
	requireSignature(t, key, public, "a message")
	requireSignature(t, key, public, strings.Repeat("x", 1232)) // the largest transaction
	var all sync.WaitGroup
	for i := range 20 {
		all.Go(func() {
			message := fmt.Appendf(nil, "message %d", i)
			signature, err := key.Sign(t.Context(), message)
			if err != nil || !ed25519.Verify(public, message, signature) {
				t.Errorf("%d: %v", i, err)
			}
		})
	}
	all.Wait()
}

func TestALostSessionIsOpenedAgain(t *testing.T) {
	key, token, public, _ := newKey(t)
	for range 3 {
		token.Disconnect(t)
		requireSignature(t, key, public, "after a restart of the token")
		requireSignature(t, key, public, "again")
	}
}

func TestAnotherKeyWithTheLabelSignsNothing(t *testing.T) {
	key, token, _, _ := newKey(t)
	token.Delete(t, "treasury")
	token.Generate(t, "treasury", true, false)
	token.Disconnect(t)
	if _, err := key.Sign(t.Context(), []byte("a message")); err == nil || !strings.Contains(err.Error(), "has another key") {
		t.Errorf("%v", err)
	}
}

func TestACanceledCallEnds(t *testing.T) {
	key, _, public, _ := newKey(t)
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	for range 20 { // whichever of the two is chosen first, the key is usable afterwards
		if _, err := key.Sign(ended, []byte("a message")); err != nil && !errors.Is(err, context.Canceled) {
			t.Fatal(err)
		}
	}
	requireSignature(t, key, public, "after it")
}

func TestAClosedKeySignsNothing(t *testing.T) {
	key, _, _, _ := newKey(t)
	if err := key.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := key.Sign(t.Context(), []byte("a message")); err == nil || !strings.Contains(err.Error(), "closed") {
		t.Errorf("%v", err)
	}
}

// TestKeysThatAreRefused opens keys that don't exist or could be copied.
func TestKeysThatAreRefused(t *testing.T) {
	_, token, _, right := newKey(t)
	token.Generate(t, "in the clear", false, false)
	token.Generate(t, "extractable", true, true)
	token.Generate(t, "twice", true, false)
	token.Generate(t, "twice", true, false)
	for name, row := range map[string]struct {
		change func(*hsm.Config)
		want   string
	}{
		"no module":            {func(c *hsm.Config) { c.Module = "/nowhere.so" }, "not a PKCS#11 module"},
		"no token":             {func(c *hsm.Config) { c.Token = "nowhere" }, `0 of`},
		"no key":               {func(c *hsm.Config) { c.Key = "nobody" }, `and has 0`},
		"two keys":             {func(c *hsm.Config) { c.Key = "twice" }, "and has 2"},
		"a readable key":       {func(c *hsm.Config) { c.Key = "in the clear" }, "can be copied"},
		"a key that may leave": {func(c *hsm.Config) { c.Key = "extractable" }, "can be copied"},
	} {
		config := right
		row.change(&config)
		if _, err := hsm.Open(config); err == nil || !strings.Contains(err.Error(), row.want) || strings.Contains(err.Error(), softhsm.PIN) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestAWrongPINIsTriedOnce covers tokens that lock their user after some wrong PINs.
func TestAWrongPINIsTriedOnce(t *testing.T) {
	key, token, _, config := newKey(t)
	token.ChangePIN(t, "998877665544")
	token.Disconnect(t)
	if _, err := hsm.Open(config); err == nil || !strings.Contains(err.Error(), "PIN") || strings.Contains(err.Error(), softhsm.PIN) {
		t.Errorf("opened with a wrong PIN: %v", err)
	}
	if _, err := key.Sign(t.Context(), []byte("a message")); err == nil || !strings.Contains(err.Error(), "restart with the right PIN") {
		t.Errorf("signed with a wrong PIN: %v", err)
	}
	token.Connect(t)
	token.ChangePIN(t, softhsm.PIN)
	token.Disconnect(t)
	if _, err := key.Sign(t.Context(), []byte("a message")); err == nil {
		t.Error("the key tried a PIN again that the token had refused")
	}
}
