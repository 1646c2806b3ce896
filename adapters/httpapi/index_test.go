package httpapi_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// TestTheFirstPathsSayWhereThingsAre follows each link of the base path, which answers like
// the root, with and without its slash.
func TestTheFirstPathsSayWhereThingsAre(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	index := h.get("", "/").ok(http.StatusOK)
	if got := index.text_("version"); got != "test" {
		t.Errorf("the version is %q", got)
	}
	for _, path := range []string{"/", base} { // other spellings of a path that the contract names
		recorder := httptest.NewRecorder()
		h.api.ServeHTTP(recorder, httptest.NewRequestWithContext(t.Context(), http.MethodGet, path, nil))
		if recorder.Code != http.StatusOK || recorder.Body.String() != string(index.text) {
			t.Errorf("GET %s: %d %s", path, recorder.Code, recorder.Body)
		}
	}
	var said struct{ Links map[string]string }
	h.must(json.Unmarshal(index.text, &said))
	if len(said.Links) < 7 {
		t.Errorf("only %d links", len(said.Links))
	}
	for name, link := range said.Links {
		path, below := strings.CutPrefix(link, base)
		want := http.StatusOK
		if name == "login" {
			want = http.StatusMethodNotAllowed // it takes POST
		}
		if got := h.get("", path); !below || got.status != want {
			t.Errorf("%s is %s: %d", name, link, got.status)
		}
	}
	h.get("", "/nothing").is(http.StatusNotFound, "NOT_FOUND")
}
