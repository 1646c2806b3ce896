package httpapi_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/casino-service/casino/adapters/httpapi"
	"github.com/casino-service/casino/test/fakes"
)

// TestABasePathOfSeveralSegments: all routes are below it, and the contract and its page
// name it.
func TestABasePathOfSeveralSegments(t *testing.T) {
	t.Parallel()
	const deep = "/api/v1/casino"
	h := openHouse(t, setup{config: func(c *httpapi.Config) { c.BasePath = deep }})
	at := func(path string) *httptest.ResponseRecorder {
		answer := httptest.NewRecorder()
		h.api.ServeHTTP(answer, httptest.NewRequestWithContext(t.Context(), http.MethodGet, path, nil))
		return answer
	}
	for path, want := range map[string]struct {
		status int
		holds  string
	}{
		deep + "/health":               {http.StatusOK, `"status":"ok"`},
		deep + "/public/games":         {http.StatusOK, `"dice"`},
		deep + "/balance":              {http.StatusUnauthorized, "MISSING_AUTH"},
		deep + "/openapi.json":         {http.StatusOK, `"url":"` + deep + `"`},
		deep + "/docs":                 {http.StatusOK, deep + "/openapi.json"},
		deep + "/docs/swagger-ui.css":  {http.StatusOK, "swagger"},
		deep + "/no-such-thing":        {http.StatusNotFound, "NOT_FOUND"},
		"/casino/health":               {http.StatusNotFound, "NOT_FOUND"},
		"/api/v1/health":               {http.StatusNotFound, "NOT_FOUND"},
		"/api/v1/casino/casino/health": {http.StatusNotFound, "NOT_FOUND"},
		"/api/v1%2Fcasino/health":      {http.StatusNotFound, "NOT_FOUND"},
	} {
		answer := at(path)
		if answer.Code != want.status || !strings.Contains(answer.Body.String(), want.holds) {
			t.Errorf("%s: %d %.200s", path, answer.Code, answer.Body)
		}
	}
	if page := at(deep + "/docs").Body.String(); strings.Contains(page, `"/casino`) || !strings.Contains(page, deep+"/docs/") {
		t.Errorf("the page looks elsewhere: %.2000s", page)
	}
}

// TestAnAPIAtTheRoot of a host: "/" is not a segment, and the contract names it.
func TestAnAPIAtTheRoot(t *testing.T) {
	t.Parallel()
	h := openHouse(t, setup{config: func(c *httpapi.Config) { c.BasePath = "/" }})
	for path, want := range map[string]struct {
		status int
		holds  string
	}{
		"/":              {http.StatusOK, `"/openapi.json"`},
		"/health":        {http.StatusOK, `"status":"ok"`},
		"/balance":       {http.StatusUnauthorized, "MISSING_AUTH"},
		"/openapi.json":  {http.StatusOK, `"url":"/"`},
		"/docs":          {http.StatusOK, `"/openapi.json"`},
		"/casino/health": {http.StatusNotFound, "NOT_FOUND"},
		"//health":       {http.StatusNotFound, "NOT_FOUND"},
	} {
		answer := httptest.NewRecorder()
		h.api.ServeHTTP(answer, httptest.NewRequestWithContext(t.Context(), http.MethodGet, "http://casino.test"+path, nil))
		if answer.Code != want.status || !strings.Contains(answer.Body.String(), want.holds) {
			t.Errorf("%s: %d %.300s", path, answer.Code, answer.Body)
		}
	}
}

func TestBasePathsThatAreNone(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	for _, path := range []string{"//", "casino", "/casino/", "/a//b", "/a/../b", "/a/.", "/a b", "/a/{id}", "/ä", "/" + strings.Repeat("a", 300)} {
		if _, err := httpapi.New(h.casino, httpapi.Config{BasePath: path, Limiter: fakes.NewLimiter(h.clock)}); err == nil {
			t.Errorf("%.40q is taken", path)
		}
	}
}
