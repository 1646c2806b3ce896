package keys_test

import (
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"testing"

	"github.com/casino-service/casino/adapters/internal/keys"
)

// sample is n bytes that differ from one another.
func sample(n int) []byte {
	raw := make([]byte, n)
	for i := range raw {
		raw[i] = byte(251 - 7*i)
	}
	return raw
}

func TestSecretIsReadInEveryEncoding(t *testing.T) {
	t.Parallel()
	for _, n := range []int{32, 33, 34, 48, 64, 1024} {
		raw := sample(n)
		for name, text := range map[string]string{
			"hex":               hex.EncodeToString(raw),
			"HEX":               strings.ToUpper(hex.EncodeToString(raw)),
			"base64":            base64.StdEncoding.EncodeToString(raw),
			"base64 unpadded":   base64.RawStdEncoding.EncodeToString(raw),
			"base64url":         base64.URLEncoding.EncodeToString(raw),
			"base64url, no pad": base64.RawURLEncoding.EncodeToString(raw),
		} {
			ring, err := keys.Parse([]string{"k1:" + text})
			if err != nil {
				t.Errorf("%d bytes as %s: %v", n, name, err)
				continue
			}
			if key, _ := ring.Newest(); !bytes.Equal(key.Secret(), raw) || key.ID() != "k1" {
				t.Errorf("%d bytes as %s read as others", n, name)
			}
		}
	}
}

func TestEntriesThatAreNoKeysAreRefused(t *testing.T) {
	t.Parallel()
	good := hex.EncodeToString(sample(32))
	for name, entries := range map[string][]string{
		"none":               {},
		"empty":              {""},
		"no colon":           {good},
		"no kid":             {":" + good},
		"no secret":          {"k1:"},
		"kid with a slash":   {"../k:" + good},
		"kid with a space":   {"k 1:" + good},
		"kid too long":       {strings.Repeat("k", 65) + ":" + good},
		"31 bytes":           {"k1:" + hex.EncodeToString(sample(31))},
		"1025 bytes":         {"k1:" + hex.EncodeToString(sample(1025))},
		"a password":         {"k1:correct horse battery staple, correct horse"},
		"a line end inside":  {"k1:" + base64.StdEncoding.EncodeToString(sample(33))[:10] + "\n" + base64.StdEncoding.EncodeToString(sample(33))[10:]},
		"zeros":              {"k1:" + strings.Repeat("0", 64)},
		"a kid twice":        {"k1:" + good, "k1:" + hex.EncodeToString(sample(33))},
		"the second is bad":  {"k1:" + good, "k2:" + good[:62]},
		"a colon in between": {"k1:" + good[:32] + ":" + good[32:]},
	} {
		_, err := keys.Parse(entries)
		if err == nil {
			t.Errorf("%s: accepted", name)
			continue
		}
		if strings.Contains(err.Error(), good[:8]) || strings.Contains(err.Error(), "horse") {
			t.Errorf("%s: the error holds the secret: %v", name, err)
		}
	}
}

func TestRingLooksUpWholeNamesInOrder(t *testing.T) {
	t.Parallel()
	ring, err := keys.Parse([]string{"2026-02:" + hex.EncodeToString(sample(40)), "2026-01:" + hex.EncodeToString(sample(32))})
	if err != nil {
		t.Fatal(err)
	}
	if newest, ok := ring.Newest(); !ok || newest.ID() != "2026-02" {
		t.Errorf("newest = %q", newest.ID())
	}
	if old, ok := ring.Lookup("2026-01"); !ok || len(old.Secret()) != 32 {
		t.Error("the older key is not found")
	}
	for _, id := range []string{"", "2026", "2026-03", "2026-01 ", "../2026-01"} {
		if _, ok := ring.Lookup(id); ok {
			t.Errorf("Lookup(%q) found a key", id)
		}
	}
	if !slices.Equal(ring.IDs(), []string{"2026-02", "2026-01"}) {
		t.Errorf("IDs() = %v", ring.IDs())
	}
	if _, ok := (keys.Ring{}).Newest(); ok {
		t.Error("the zero ring has a newest key")
	}
}

func TestSecretsNeverPrint(t *testing.T) {
	t.Parallel()
	raw := sample(32)
	ring, err := keys.Parse([]string{"k1:" + hex.EncodeToString(raw)})
	if err != nil {
		t.Fatal(err)
	}
	key, _ := ring.Newest()
	type holder struct {
		Ring keys.Ring
		Key  *keys.Key
	}
	type hider struct {
		ring keys.Ring
		key  keys.Key
	}
	var out bytes.Buffer
	for _, value := range []any{key, &key, ring, &ring, holder{ring, &key}, []keys.Key{key}, &hider{ring, key}} {
		for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q", "%x", "%X", "%d"} {
			fmt.Fprintf(&out, verb, value)
		}
		for _, handler := range []slog.Handler{slog.NewTextHandler(&out, nil), slog.NewJSONHandler(&out, nil)} {
			slog.New(handler).Info("ring", "value", value)
		}
		text, err := json.Marshal(value)
		if err != nil {
			t.Fatal(err)
		}
		out.Write(text)
	}
	fmt.Fprint(&out, ring.String(), key.String())
	printed := strings.ToLower(out.String())
	for name, leak := range map[string]string{
		"hex":     hex.EncodeToString(raw[:4]),
		"decimal": fmt.Sprintf("%d %d %d", raw[0], raw[1], raw[2]),
		"base64":  strings.ToLower(base64.StdEncoding.EncodeToString(raw[:6])),
		"bytes":   string(raw[1:4]),
		"go":      fmt.Sprintf("0x%x, 0x%x", raw[0], raw[1]),
	} {
		if strings.Contains(printed, leak) {
			t.Errorf("the secret is printed as %s", name)
		}
	}
	if !strings.Contains(printed, "[secret]") {
		t.Error("nothing was printed")
	}
}
