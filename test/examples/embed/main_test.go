package main

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// TestTheSiteHasBoth: the shop's page is the shop's, and below /casino the casino answers,
// with its games. No worker runs in it, and health says so.
func TestTheSiteHasBoth(t *testing.T) {
	t.Parallel()
	site, err := newSite()
	if err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]string{
		"/": "the shop", "/casino/public/games": `"gameType":"blackjack"`, "/casino/health": `"status":"degraded"`,
	} {
		answer := httptest.NewRecorder()
		site.ServeHTTP(answer, httptest.NewRequestWithContext(t.Context(), http.MethodGet, path, nil))
		if body := answer.Body.String(); answer.Code != http.StatusOK || !strings.Contains(body, want) {
			t.Errorf("%s: %d %s, expected %s", path, answer.Code, body, want)
		}
	}
}
