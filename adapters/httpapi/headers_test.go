package httpapi_test

import (
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/casino-service/casino/adapters/httpapi"
	"github.com/casino-service/casino/domain/limit"
)

// TestAnswersNameTheirWindow counts one down until a request is rejected.
func TestAnswersNameTheirWindow(t *testing.T) {
	t.Parallel()
	h := openHouse(t, setup{config: func(c *httpapi.Config) {
		c.Limits.Public = limit.Rule{Max: 3, Window: 90 * time.Second}
		c.Limits.Writes = limit.Rule{Max: 2, Window: time.Minute}
	}})
	h.token("alice")
	for _, row := range []struct {
		as, method, path, policy string
		max                      int
	}{
		{"", http.MethodGet, "/public/tokens", `"public";q=3;w=90`, 3},
		{"alice", http.MethodPost, "/seed/rotate", `"rotate";q=2;w=60`, 2},
	} {
		for left := row.max - 1; left >= -1; left-- {
			got := h.ask(question{method: row.method, path: row.path, as: row.as})
			want, status := `;r=`+string(rune('0'+max(left, 0))), http.StatusOK
			if left < 0 {
				status = http.StatusTooManyRequests
			}
			limit := got.header.Get("RateLimit")
			if got.status != status || got.header.Get("RateLimit-Policy") != row.policy || !strings.Contains(limit, want) {
				t.Errorf("%s with %d left: %d, %q, %q", row.path, left, got.status, got.header.Get("RateLimit-Policy"), limit)
			}
			name, _, _ := strings.Cut(row.policy, ";")
			if refused := name + ";r=0;t=" + got.header.Get("Retry-After"); left < 0 && limit != refused {
				t.Errorf("refused with %q, want %q", limit, refused)
			}
		}
	}
	for _, path := range []string{"/health", "/balance"} {
		if got := h.get("alice", path).ok(http.StatusOK); got.header.Get("RateLimit") != "" || got.header.Get("RateLimit-Policy") != "" {
			t.Errorf("%s has no window and names one: %v", path, got.header)
		}
	}
}

// TestFilesOfTheDocsAreCached requests each again with its tag.
func TestFilesOfTheDocsAreCached(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	asks := func(method, name string, header http.Header) *httptest.ResponseRecorder {
		r := httptest.NewRequestWithContext(t.Context(), method, base+"/docs/"+name, nil)
		r.Header = header
		recorder := httptest.NewRecorder()
		h.api.ServeHTTP(recorder, r)
		return recorder
	}
	ask := func(name string, header http.Header) *httptest.ResponseRecorder {
		return asks(http.MethodGet, name, header)
	}
	tags := map[string]bool{}
	for _, name := range []string{"swagger-ui.css", "swagger-ui-bundle.js", "favicon-32x32.png"} {
		for _, encoding := range []string{"gzip", "identity"} {
			got := ask(name, http.Header{"Accept-Encoding": {encoding}})
			tag := got.Header().Get("ETag")
			if !strings.HasPrefix(tag, `W/"`) || !strings.HasSuffix(tag, `"`) || len(tag) < 10 || len(got.Header().Values("ETag")) != 1 {
				t.Errorf("%s has the tag %q", name, got.Header().Values("ETag"))
			}
			if got.Code != http.StatusOK || got.Header().Get("Cache-Control") != "public, max-age=3600" || got.Body.Len() == 0 {
				t.Errorf("%s: %d %v", name, got.Code, got.Header())
			}
			tags[tag] = true
			head := asks(http.MethodHead, name, http.Header{"Accept-Encoding": {encoding}})
			if !slices.Equal(head.Header().Values("ETag"), []string{tag}) || head.Code != http.StatusOK {
				t.Errorf("HEAD of %s: %d, the tag %q", name, head.Code, head.Header().Values("ETag"))
			}
			for sent, has := range map[string]bool{
				tag: true, strings.TrimPrefix(tag, "W/"): true, `"x", ` + tag: true, "*": true,
				`"x"`: false, strings.Trim(strings.TrimPrefix(tag, "W/"), `"`): false, "": false,
			} {
				again := ask(name, http.Header{"If-None-Match": {sent}})
				if (again.Code == http.StatusNotModified) != has || has && (again.Body.Len() > 0 || again.Header().Get("ETag") != tag) {
					t.Errorf("%s with If-None-Match %s: %d, %d bytes, %v", name, sent, again.Code, again.Body.Len(), again.Header())
				}
			}
		}
	}
	if len(tags) != 3 {
		t.Errorf("three files have the tags %v", tags)
	}
	for tag := range tags { // as the contract says it
		h.ask(question{method: http.MethodGet, path: "/docs/swagger-ui.css", header: map[string]string{"If-None-Match": tag}})
	}
	if got := h.get("", "/docs/nothing.js"); got.header.Get("Cache-Control") != "no-store" || got.header.Get("ETag") != "" {
		t.Errorf("what doesn't exist may be kept: %v", got.header)
	}
	for _, path := range []string{"/docs", "/openapi.json", "/public/tokens"} {
		if got := h.get("", path).ok(http.StatusOK); got.header.Get("Cache-Control") != "no-store" {
			t.Errorf("%s: %v", path, got.header)
		}
	}
}
