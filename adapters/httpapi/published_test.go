package httpapi_test

import (
	"encoding/json"
	"net/http"
	"testing"
)

// TestTheExampleOfVerifyIsTrue sends the published request and compares its answer with the
// published one, and both with the example of a round, which a reader may paste.
func TestTheExampleOfVerifyIsTrue(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	paths := h.spec.doc.Paths
	verify := paths.Value("/public/verify").Post
	asked, promised := verify.RequestBody.Value.Content["application/json"].Example, verify.Responses.Value("200").Value.Content["application/json"].Example
	got := h.ask(question{method: http.MethodPost, path: "/public/verify", body: text(t, asked)}).ok(http.StatusOK)
	var decided any
	h.must(json.Unmarshal(got.text, &decided))
	if got, want := text(t, decided), text(t, promised); got != want {
		t.Errorf("the service says %s, the document %s", got, want)
	}
	play := paths.Value("/play").Post.Responses.Value("200").Value.Content["application/json"].Example.(map[string]any)
	round := play["round"].(map[string]any)
	for _, field := range []string{"gameType", "rules", "config", "clientSeed", "nonce"} {
		if got, want := text(t, round[field]), text(t, asked.(map[string]any)[field]); got != want {
			t.Errorf("the round's %s is %s, the one asked about %s", field, got, want)
		}
	}
	for _, field := range []string{"outcome", "multiplier", "serverSeedHash"} {
		if got, want := text(t, round[field]), text(t, promised.(map[string]any)[field]); got != want {
			t.Errorf("the round's %s is %s, the one decided %s", field, got, want)
		}
	}
}

func text(t *testing.T, value any) string {
	t.Helper()
	written, err := json.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	return string(written)
}
