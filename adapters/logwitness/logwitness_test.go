package logwitness_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/casino-service/casino/adapters/logwitness"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/test/conformance"
	"github.com/casino-service/casino/test/fakes"
)

// serve serves a witness, and returns the adapter that asks it.
func serve(t *testing.T, key string, handler http.Handler) *logwitness.Witness {
	t.Helper()
	server := httptest.NewServer(handler)
	t.Cleanup(server.Close)
	made, err := logwitness.Parse(server.URL + " " + key)
	if err != nil {
		t.Fatal(err)
	}
	return made
}

func TestConformance(t *testing.T) {
	t.Parallel()
	conformance.LogWitness(t, func(t *testing.T) conformance.LogWitnessUnderTest {
		t.Helper()
		asked := fakes.NewLogWitness("witness.example/one")
		return conformance.LogWitnessUnderTest{LogWitness: serve(t, asked.Verifier().String(), asked), Asked: asked}
	})
}

// TestSettings: whoever configures a witness is told what is wrong.
func TestSettings(t *testing.T) {
	t.Parallel()
	key := fakes.NewLogWitness("witness.example/one").Verifier().String()
	for setting, want := range map[string]string{
		"https://w.example " + key: "", "http://127.0.0.1:7380/prefix/  " + key: "",
		"": "the URL of a witness", "https://w.example": "the URL of a witness", key: "the URL of a witness", "ftp://w.example " + key: "the URL",
		"https://me@w.example " + key: "the URL", "https://w.example?a=b " + key: "the URL",
		"https://w.example a+b": "of the form", "https://w.example " + key[1:]: "hash",
		"https://w.example a+00000000+AAAA": "an Ed25519 key", "https://w.example " + strings.Replace(key, "+", "+f", 1): "hash",
	} {
		made, err := logwitness.Parse(setting)
		if want == "" && (err != nil || made.Name() != "witness.example/one") || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%q: %v", setting, err)
		}
	}
}

// TestAnswersThatCantBeUsed: a cosignature by another key, no cosignature, a strange size, a
// redirect and a server's error are no cosignature and no refusal.
func TestAnswersThatCantBeUsed(t *testing.T) {
	t.Parallel()
	key := fakes.NewLogWitness("witness.example/one").Verifier().String()
	foreign := "— witness.example/one AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA\n"
	for name, c := range map[string]struct {
		status     int
		kind, body string
		want       fault.Kind
	}{
		"another key":    {200, "", foreign, fault.External},
		"nothing":        {200, "", "", fault.External},
		"a strange size": {409, "text/x.tlog.size", "many\n", fault.External},
		"a redirect":     {302, "", "", fault.Unavailable},
		"an error":       {500, "", "", fault.Unavailable},
		"too many":       {429, "", "", fault.Unavailable},
	} {
		w := serve(t, key, http.HandlerFunc(func(to http.ResponseWriter, _ *http.Request) {
			to.Header().Set("Content-Type", c.kind)
			to.Header().Set("Location", "https://elsewhere.example")
			to.WriteHeader(c.status)
			_, _ = io.WriteString(to, c.body)
		}))
		answer, err := w.Cosign(t.Context(), 0, nil, "casino/l/1\n1\nAAAA\n\n— casino/l/1 AAAAAAAA\n")
		if !fault.Is(err, c.want) || answer.Signatures != "" || answer.Refusal != "" || answer.Last != nil {
			t.Errorf("%s: %+v, %v", name, answer, err)
		}
	}
}
