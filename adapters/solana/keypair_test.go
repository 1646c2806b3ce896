package solana_test

import (
	"bytes"
	"crypto/ed25519"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"

	sol "github.com/gagliardetto/solana-go"

	"github.com/casino-service/casino/adapters/solana"
	"github.com/casino-service/casino/test/fakes"
)

// keyFile writes a keypair as the Solana CLI does.
func keyFile(t *testing.T, text string, mode os.FileMode) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "id.json")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(path, mode); err != nil {
		t.Fatal(err)
	}
	return path
}

func numbers(key []byte) string { return strings.ReplaceAll(fmt.Sprint(key), " ", ",") }

func TestKeypairFilesOfTheCLI(t *testing.T) {
	t.Parallel()
	key := fakes.Key("treasury")
	for _, mode := range []os.FileMode{0o600, 0o400} {
		path := keyFile(t, numbers(key), mode)
		pair, err := solana.ReadKeypair(path)
		if err != nil || pair.Address() != fakes.Wallet("treasury") {
			t.Fatalf("%v, %v", pair, err)
		}
		signature, err := pair.Sign(t.Context(), []byte("message"))
		if err != nil || !ed25519.Verify(key.Public().(ed25519.PublicKey), []byte("message"), signature) {
			t.Errorf("%x, %v", signature, err)
		}
		theirs, err := sol.PrivateKeyFromSolanaKeygenFile(path)
		if err != nil || theirs.PublicKey().String() != string(pair.Address()) {
			t.Errorf("another reader of the same file: %v, %v", theirs.PublicKey(), err)
		}
	}
}

func TestKeypairFilesAreRefused(t *testing.T) {
	t.Parallel()
	key := fakes.Key("treasury")
	swapped := append(bytes.Clone(key[:32]), fakes.Key("other")[32:]...)
	for name, r := range map[string]struct {
		text string
		mode os.FileMode
	}{
		"readable for the group": {numbers(key), 0o640},
		"readable for others":    {numbers(key), 0o604},
		"writable for the group": {numbers(key), 0o620},
		"too short":              {numbers(key[:63]), 0o600},
		"a seed alone":           {numbers(key[:32]), 0o600},
		"another public half":    {numbers(swapped), 0o600},
		"a number too large":     {strings.Replace(numbers(key), "[", "[300,", 1), 0o600},
		"256":                    {"[" + strings.Repeat("256,", 63) + "256]", 0o600},
		"a fraction":             {strings.Replace(numbers(key), ",", ".5,", 1), 0o600},
		"base58":                 {`"` + sol.PrivateKey(key).String() + `"`, 0o600},
		"no JSON":                {string(key), 0o600},
		"empty":                  {"", 0o600},
		"too long":               {numbers(key) + strings.Repeat(" ", 5000), 0o600},
	} {
		_, err := solana.ReadKeypair(keyFile(t, r.text, r.mode))
		if err == nil {
			t.Errorf("%s is accepted", name)
			continue
		}
		if shows(err.Error(), key) || strings.Contains(err.Error(), fmt.Sprint(key[0])+","+fmt.Sprint(key[1])) {
			t.Errorf("%s quotes the key: %v", name, err)
		}
	}
	for _, path := range []string{t.TempDir(), filepath.Join(t.TempDir(), "none.json")} {
		if _, err := solana.ReadKeypair(path); err == nil {
			t.Errorf("%s is accepted", path)
		}
	}
}

// shows reports whether a text holds the secret half of a key in any usual form.
func shows(text string, key ed25519.PrivateKey) bool {
	seed := key.Seed()
	for _, form := range []string{
		hex.EncodeToString(seed), base64.StdEncoding.EncodeToString(seed), sol.PrivateKey(key).String(),
		strings.Trim(fmt.Sprint(seed), "[]"), strings.Trim(numbers(seed), "[]"), string(seed), fmt.Sprintf("%#x", seed)[2:20],
	} {
		if strings.Contains(text, form) {
			return true
		}
	}
	return false
}

func TestKeypairsNeverPrintTheirKey(t *testing.T) {
	t.Parallel()
	key := fakes.Key("treasury")
	pair, err := solana.NewKeypair(key)
	if err != nil {
		t.Fatal(err)
	}
	type holder struct{ Pair, hidden solana.Keypair }
	for _, value := range []any{pair, &pair, holder{pair, pair}, []any{pair}, solana.Config{Treasury: pair}} {
		var log bytes.Buffer
		slog.New(slog.NewTextHandler(&log, nil)).Info("x", "pair", value)
		encoded, err := json.Marshal(value)
		if err != nil {
			t.Fatal(err)
		}
		for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%x", "%q", "%d"} {
			if text := fmt.Sprintf(verb, value); shows(text, key) {
				t.Errorf("%s of %T shows the key", verb, value)
			}
		}
		if shows(log.String(), key) || shows(string(encoded), key) {
			t.Errorf("%T logs or encodes the key", value)
		}
	}
	if text := fmt.Sprint(pair); text != string(fakes.Wallet("treasury")) {
		t.Errorf("prints as %q", text)
	}
	if _, err := (solana.Keypair{}).Sign(t.Context(), nil); err == nil {
		t.Error("the zero keypair signs")
	}
}
