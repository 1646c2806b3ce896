package ops_test

import (
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/casino-service/casino/adapters/ops"
)

func handler(ready func() error) http.Handler {
	return ops.New(ops.Config{
		Ready:   ready,
		Metrics: http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "metric 1\n") }),
	})
}

func ask(h http.Handler, method, path string) (int, string) {
	answer := httptest.NewRecorder()
	h.ServeHTTP(answer, httptest.NewRequest(method, path, nil))
	return answer.Code, answer.Body.String()
}

func TestReadinessOpensAndCloses(t *testing.T) {
	t.Parallel()
	var ready ops.Readiness
	h := handler(ready.Ready)
	if status, text := ask(h, "GET", "/readyz"); status != http.StatusServiceUnavailable || !strings.Contains(text, "starting or stopping") {
		t.Errorf("before it opened: %d %q", status, text)
	}
	ready.Open()
	if status, _ := ask(h, "GET", "/readyz"); status != http.StatusOK {
		t.Errorf("open: %d", status)
	}
	ready.Close()
	if status, _ := ask(h, "GET", "/readyz"); status != http.StatusServiceUnavailable {
		t.Errorf("closed: %d", status)
	}
	if status, _ := ask(h, "GET", "/livez"); status != http.StatusOK {
		t.Errorf("a service that stops still lives: %d", status)
	}
}

func TestResponses(t *testing.T) {
	t.Parallel()
	h := handler(func() error { return errors.New("the database does not answer") })
	for path, want := range map[string]struct {
		status int
		text   string
	}{
		"/livez":            {200, "ok"},
		"/readyz":           {503, "the database does not answer"},
		"/metrics":          {200, "metric 1"},
		"/debug/pprof/":     {200, "goroutine"},
		"/debug/pprof/heap": {200, ""},
		"/":                 {404, ""},
		"/casino/health":    {404, ""},
	} {
		if status, text := ask(h, "GET", path); status != want.status || !strings.Contains(text, want.text) {
			t.Errorf("GET %s: %d %q", path, status, text)
		}
	}
	if status, _ := ask(h, "POST", "/readyz"); status != http.StatusMethodNotAllowed {
		t.Errorf("POST /readyz: %d", status)
	}
}
