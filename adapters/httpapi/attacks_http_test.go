package httpapi_test

import (
	"bufio"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/casino-service/casino/adapters/httpapi"
)

func TestMethods(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.token("alice")
	for _, row := range []struct{ method, path, allow string }{
		{http.MethodGet, "/play", "POST, OPTIONS"},
		{http.MethodDelete, "/balance", "GET, HEAD, OPTIONS"},
		{http.MethodPut, "/history", "GET, HEAD, OPTIONS"},
		{http.MethodTrace, "/balance", "GET, HEAD, OPTIONS"},
		{"PROPFIND", "/seed/rotate", "POST, OPTIONS"},
	} {
		got := h.ask(question{method: row.method, path: row.path, as: "alice"}).is(http.StatusMethodNotAllowed, "METHOD_NOT_ALLOWED")
		want := strings.Split(row.allow, ", ")
		have := strings.Split(got.header.Get("Allow"), ", ")
		for _, method := range want[:len(want)-1] {
			if !slices.Contains(have, method) {
				t.Errorf("%s %s allows %q, want %s", row.method, row.path, have, method)
			}
		}
		if slices.Contains(have, row.method) {
			t.Errorf("%s %s is refused and allowed", row.method, row.path)
		}
	}
	// An override is only a header.
	override := map[string]string{"X-HTTP-Method-Override": "POST", "X-HTTP-Method": "POST", "X-Method-Override": "POST"}
	h.ask(question{method: http.MethodGet, path: "/seed/rotate", as: "alice", header: override}).is(http.StatusMethodNotAllowed, "METHOD_NOT_ALLOWED")
	head := h.ask(question{method: http.MethodHead, path: "/balance", as: "alice"}).ok(http.StatusOK)
	if len(head.text) != 0 {
		t.Errorf("HEAD has a body: %s", head.text)
	}
}

func TestWhatTheHeadersOfARequestCantChange(t *testing.T) {
	t.Parallel()
	h := openHouse(t, setup{config: func(c *httpapi.Config) { c.Origins = []string{"https://casino.example"} }})
	r := h.request(question{method: http.MethodGet, path: "/public/tokens"})
	r.Host = "evil.example"
	r.Header.Set("X-Forwarded-Host", "evil.example")
	if got := h.serve(r).ok(http.StatusOK); strings.Contains(fmt.Sprint(got.header, string(got.text)), "evil.example") {
		t.Errorf("the host is echoed: %v %s", got.header, got.text)
	}
	for origin, allowed := range map[string]bool{
		"https://casino.example": true, "http://casino.example": false, "https://casino.example.evil": false,
		"https://evil-casino.example": false, "null": false, "*": false,
	} {
		got := h.ask(question{method: http.MethodGet, path: "/public/tokens", header: map[string]string{"Origin": origin}}).ok(http.StatusOK)
		if has := got.header.Get("Access-Control-Allow-Origin"); (has != "") != allowed || allowed && has != origin {
			t.Errorf("origin %s gets %q", origin, has)
		}
	}
	for id, kept := range map[string]bool{
		"abc-1.2_3": true, strings.Repeat("a", 64): true, strings.Repeat("a", 65): false, "a b": false, "a\r\nSet-Cookie: x=1": false, "é": false, "": false,
	} {
		got := h.ask(question{method: http.MethodGet, path: "/public/tokens", header: map[string]string{"X-Request-Id": id}})
		if has := got.header.Get("X-Request-Id"); has == "" || (has == id) != kept || strings.ContainsAny(has, "\r\n ") {
			t.Errorf("request id %q becomes %q", id, has)
		}
	}
}

// TestPagesOfThisMachineMayCallWhereThatIsWanted: not without the setting, and not from
// names that only look like this machine.
func TestPagesOfThisMachineMayCallWhereThatIsWanted(t *testing.T) {
	t.Parallel()
	const named = "https://casino.example"
	local := openHouse(t, setup{config: func(c *httpapi.Config) { c.LoopbackOrigins, c.Origins = true, []string{named} }})
	plain := openHouse(t, setup{config: func(c *httpapi.Config) { c.Origins = []string{named} }})
	for origin, allowed := range map[string]bool{
		"http://localhost": true, "http://localhost:5173": true, "https://localhost:8443": true, "http://127.0.0.1:3000": true, "http://[::1]:3000": true,
		"http://localhost.evil.example": false, "http://localhost:80.evil.example": false, "http://evil.example:5173": false, "http://127.0.0.1.evil.example": false,
		"http://127.0.0.2:1": false, "http://192.168.0.7:3000": false, "http://evil@localhost:1": false, "http://localhost:1/": false, "file://": false, "null": false,
		"ftp://localhost": false, "http://LOCALHOST.": false,
	} {
		ask := func(h *house, origin string) string {
			preflight := map[string]string{"Origin": origin, "Access-Control-Request-Method": "POST", "Access-Control-Request-Headers": "authorization,content-type"}
			got := h.ask(question{method: http.MethodOptions, path: "/play", header: preflight})
			return got.header.Get("Access-Control-Allow-Origin")
		}
		if has := ask(local, origin); (has == origin) != allowed || !allowed && has != "" {
			t.Errorf("%s gets %q where pages of this machine may call", origin, has)
		}
		if has := ask(plain, origin); has != "" {
			t.Errorf("%s gets %q where only %s may call", origin, has, named)
		}
		if has := ask(local, named); has != named {
			t.Errorf("%s gets %q", named, has)
		}
	}
}

func TestAPanicShowsNothing(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	api, ok := h.api.(*httpapi.API)
	if !ok {
		t.Fatalf("the surface is a %T", h.api)
	}
	api.Break("secret of the inside")
	got := h.get("", "/health").is(http.StatusInternalServerError, "INTERNAL_ERROR")
	if id := got.text_("requestId"); id == "" || id != got.header.Get("X-Request-Id") {
		t.Errorf("request id %q", id)
	}
	if text := string(got.text); strings.Contains(text, "secret") || strings.Contains(text, "goroutine") || strings.Contains(text, ".go") {
		t.Errorf("the response shows: %s", text)
	}
}

// TestConnections writes raw bytes to the server, as a hostile client does.
func TestConnections(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	server := httptest.NewUnstartedServer(h.api)
	server.Config = httpapi.NewServer("", h.api, slog.New(slog.DiscardHandler))
	server.Start()
	t.Cleanup(server.Close)
	body := fmt.Sprintf(`{"gameType":"dice","wager":%d,"token":%q}`, minimum, sol)
	h.funded("alice", sol, 1_000_000)
	bearer := "Authorization: Bearer " + h.token("alice") + "\r\n"
	request := func(headers string) string {
		return "POST /casino/play HTTP/1.1\r\nHost: casino.test\r\nConnection: close\r\nContent-Type: application/json\r\n" + bearer + headers + "\r\n"
	}
	for name, row := range map[string]struct {
		sent   string
		status []int
	}{
		"two lengths that differ": {request("Content-Length: 5\r\nContent-Length: 6\r\n") + body, []int{400}},
		"a length and chunks":     {request("Content-Length: 5\r\nTransfer-Encoding: chunked\r\n") + "0\r\n\r\n", []int{400}},
		"another encoding":        {request("Transfer-Encoding: gzip, chunked\r\n") + "0\r\n\r\n", []int{400, 501}},
		"a folded header":         {request("X-Long: one\r\n two\r\nContent-Length: 0\r\n"), []int{400}},
		"a header without colon":  {request("Nonsense\r\nContent-Length: 0\r\n"), []int{400}},
		"NUL in a header":         {request("X-Nul: a\x00b\r\nContent-Length: 0\r\n"), []int{400}},
		"no host":                 {"GET /casino/health HTTP/1.1\r\n\r\n", []int{400}},
		"two hosts":               {"GET /casino/health HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n", []int{400}},
		"16 KiB of headers":       {request("X-Big: " + strings.Repeat("a", 17<<10) + "\r\nContent-Length: 0\r\n"), []int{431}},
		"an absolute target":      {"GET http://evil.example/casino/balance HTTP/1.1\r\nHost: casino.test\r\nConnection: close\r\n\r\n", []int{401}},
		"TRACE":                   {"TRACE /casino/health HTTP/1.1\r\nHost: casino.test\r\nConnection: close\r\nCookie: secret=1\r\n\r\n", []int{405}},
	} {
		answer := speak(t, server.Listener.Addr().String(), row.sent)
		text, err := io.ReadAll(answer.Body)
		_ = answer.Body.Close()
		if err != nil || !slices.Contains(row.status, answer.StatusCode) || strings.Contains(string(text), "secret=1") {
			t.Errorf("%s: %d %s, %v", name, answer.StatusCode, text, err)
		}
	}
	if rounds := h.get("alice", "/history").ok(http.StatusOK).integer("total"); rounds != 0 {
		t.Errorf("%d rounds were played by requests that are none", rounds)
	}
	answer := speak(t, server.Listener.Addr().String(), request(fmt.Sprintf("Content-Length: %d\r\n", len(body)))+body)
	_ = answer.Body.Close()
	if answer.StatusCode != http.StatusOK {
		t.Errorf("a sound request: %s", answer.Status)
	}
}

func speak(t *testing.T, address, sent string) *http.Response {
	t.Helper()
	connection, err := net.Dial("tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = connection.Close() })
	if _, err := io.WriteString(connection, sent); err != nil {
		t.Fatal(err)
	}
	answer, err := http.ReadResponse(bufio.NewReader(connection), nil)
	if err != nil {
		t.Fatal(err)
	}
	return answer
}
