package fairness_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"log/slog"
	"reflect"
	"strings"
	"testing"

	"github.com/casino-service/casino/domain/fairness"
)

// secret is a seed text that must not appear in any output of fmt and the encoders.
const secret = "0f6e8aba300b7f1217ee46606773cf6046b524f74505cf2124ffe181ad6b9dbf"

func showsSecret(output string) bool {
	forms := []string{
		secret, strings.ToUpper(secret),
		hex.EncodeToString([]byte(secret)), strings.ToUpper(hex.EncodeToString([]byte(secret))),
		strings.Trim(fmt.Sprint([]byte(secret)), "[]"), fmt.Sprintf("% x", secret),
	}
	for _, form := range forms {
		if strings.Contains(output, form) || strings.Contains(output, form[:24]) {
			return true
		}
	}
	return false
}

// hiding holds seeds in unexported fields, on which fmt calls no methods.
type hiding struct {
	seed  fairness.ServerSeed
	pair  fairness.Pair
	seeds map[string]fairness.ServerSeed
	list  []fairness.Spare
	any   any
}

func seedHolders() map[string]any {
	seed := fairness.ServerSeedFromText(secret)
	spare := fairness.Spare{ID: "s1", Seed: seed}
	pair := fairness.NewPair(spare, spare, "client", at)
	hidden := hiding{seed, pair, map[string]fairness.ServerSeed{"a": seed}, []fairness.Spare{spare}, seed}
	return map[string]any{
		"seed": seed, "pointer": &seed, "spare": spare, "pair": pair, "pair pointer": &pair,
		"next": pair.Next, "hidden": hidden, "hidden pointer": &hidden,
		"map": map[string]any{"seed": seed}, "slice": []any{seed, pair},
		"stream": fairness.NewStream(seed, "client", 0), "stream value": *fairness.NewStream(seed, "client", 0),
		"error": fmt.Errorf("opening %v: %w", seed, errors.New("wrong key")),
	}
}

func TestServerSeedNeverShows(t *testing.T) {
	t.Parallel()
	for name, holder := range seedHolders() {
		for _, verb := range strings.Split("v +v #v s q x X # x d o b c U e g t p T w 10v -5s", " ") {
			if out := fmt.Sprintf("%"+verb, holder); showsSecret(out) {
				t.Errorf("%%%s of %s shows the seed: %s", verb, name, out)
			}
		}
		for _, out := range []string{fmt.Sprint(holder), fmt.Sprintln(holder), logged(holder)} {
			if showsSecret(out) {
				t.Errorf("%s shows the seed: %s", name, out)
			}
		}
		if out, err := json.Marshal(holder); err == nil && showsSecret(string(out)) {
			t.Errorf("JSON of %s shows the seed: %s", name, out)
		}
		if out, err := xml.Marshal(holder); err == nil && showsSecret(string(out)) {
			t.Errorf("XML of %s shows the seed: %s", name, out)
		}
	}
}

// logged returns the output of both slog handlers for a value.
func logged(holder any) string {
	var out bytes.Buffer
	for _, handler := range []slog.Handler{slog.NewTextHandler(&out, nil), slog.NewJSONHandler(&out, nil)} {
		slog.New(handler).Info("x", "value", holder, slog.Group("g", "value", holder))
	}
	return out.String()
}

func TestServerSeedPrintsAsSealed(t *testing.T) {
	t.Parallel()
	seed := fairness.ServerSeedFromText(secret)
	asJSON, _ := json.Marshal(map[string]any{"seed": seed})
	asKey, _ := json.Marshal(struct{ Seed *fairness.ServerSeed }{&seed})
	asText, _ := seed.MarshalText()
	for _, out := range []string{
		fmt.Sprintf("%v", seed), fmt.Sprintf("%#v", seed), fmt.Sprintf("%x", seed), fmt.Sprintf("%d", seed),
		seed.String(), seed.GoString(), seed.LogValue().String(), string(asText), string(asJSON), string(asKey), logged(seed),
	} {
		if !strings.Contains(out, "[sealed]") {
			t.Errorf("%q does not say [sealed]", out)
		}
	}
	stream := fairness.NewStream(seed, "client", 0)
	if out := fmt.Sprintf("%v %+v", stream, *stream); out != "[sealed] [sealed]" {
		t.Errorf("a stream prints as %q", out)
	}
}

func TestServerSeedRevealsAndCommits(t *testing.T) {
	t.Parallel()
	entropy := sha256.Sum256([]byte("entropy"))
	seed := fairness.NewServerSeed(entropy)
	if want := hex.EncodeToString(entropy[:]); seed.Reveal() != want {
		t.Errorf("text %s, want the entropy's hex %s", seed.Reveal(), want)
	}
	sum := sha256.Sum256([]byte(seed.Reveal()))
	if want := hex.EncodeToString(sum[:]); seed.Commitment() != want {
		t.Errorf("commitment %s, want %s", seed.Commitment(), want)
	}
	if fairness.ServerSeedFromText(seed.Reveal()).Commitment() != seed.Commitment() {
		t.Error("a seed opened from its text commits to something else")
	}
}

func TestServerSeedEquality(t *testing.T) {
	t.Parallel()
	a, b := fairness.ServerSeedFromText(secret), fairness.ServerSeedFromText(strings.Clone(secret))
	if !a.Equal(b) || !reflect.DeepEqual(a, b) {
		t.Error("seeds of the same text differ")
	}
	if other := fairness.ServerSeedFromText("other"); a.Equal(other) || reflect.DeepEqual(a, other) {
		t.Error("seeds of different texts are equal")
	}
	if zero := (fairness.ServerSeed{}); zero.Reveal() != "" || !zero.Equal(fairness.ServerSeedFromText("")) {
		t.Error("the zero seed is not the seed of empty text")
	}
}
