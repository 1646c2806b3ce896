package outbound

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"testing"
	"time"

	"github.com/casino-service/casino/domain/agent"
	"github.com/casino-service/casino/domain/webhook"
	"github.com/casino-service/casino/test/conformance"
)

// quick is the time-out of answers in these tests.
const quick = 300 * time.Millisecond

// endpoint is a server over TLS, with webhooks that trust and reach it.
func endpoint(t *testing.T, answer http.HandlerFunc) (*Webhooks, string) {
	t.Helper()
	server := httptest.NewTLSServer(answer)
	t.Cleanup(server.CloseClientConnections)
	client := newClient(func(netip.Addr) bool { return true })
	transport := client.Transport.(*http.Transport)
	transport.TLSClientConfig = server.Client().Transport.(*http.Transport).TLSClientConfig
	client.Timeout = quick
	return newWebhooks(client, false), server.URL
}

func TestWebhooksConform(t *testing.T) {
	t.Parallel()
	conformance.WebhookSite(t, func(t *testing.T, receiver http.Handler) conformance.Hook {
		site, url := endpoint(t, receiver.ServeHTTP)
		allowed := newClient(func(a netip.Addr) bool { return !a.IsPrivate() })
		site.transport.(*http.Transport).DialContext = allowed.Transport.(*http.Transport).DialContext
		return conformance.Hook{WebhookSite: site, URL: url, Gone: "https://127.0.0.1:1", Guarded: "https://10.0.0.1"}
	})
}

// speaking starts a server that writes a text to each connection, and closes it.
func speaking(t *testing.T, text string) string {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = listener.Close() })
	go func() {
		for {
			connection, err := listener.Accept()
			if err != nil {
				return
			}
			if _, err := http.ReadRequest(bufio.NewReader(connection)); err == nil {
				_, _ = io.WriteString(connection, text)
			}
			_ = connection.Close()
		}
	}()
	return "http://" + listener.Addr().String()
}

func message(url string) webhook.Message {
	return webhook.Message{URL: url, ID: "0.1.2.3", At: time.Date(2026, 11, 23, 10, 0, 0, 0, time.UTC), Signatures: "v1,abc", Body: []byte(`{"id":"0.1.2.3"}`)}
}

// TestAMessageArrivesAsItWasSigned: headers and body verify at the receiver.
func TestAMessageArrivesAsItWasSigned(t *testing.T) {
	t.Parallel()
	secret := webhook.NewSecret([32]byte{7})
	m := message("")
	var err error
	if m.Signatures, err = webhook.Sign(secret, m.ID, m.At, m.Body); err != nil {
		t.Fatal(err)
	}
	site, url := endpoint(t, func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err == nil {
			err = webhook.Verify(secret, r.Header.Get(webhook.HeaderID), r.Header.Get(webhook.HeaderTimestamp), r.Header.Get(webhook.HeaderSignature), body, m.At)
		}
		if err != nil || r.Method != http.MethodPost || r.Header.Get("Content-Type") != "application/cloudevents+json" || !bytes.Equal(body, m.Body) {
			t.Errorf("%s %v %s: %v", r.Method, r.Header, body, err)
		}
	})
	m.URL = url
	if got, err := site.Send(t.Context(), m); got != (webhook.Response{Status: 200}) || err != nil {
		t.Errorf("%+v, %v", got, err)
	}
}

func TestWhatEndpointsAnswer(t *testing.T) {
	t.Parallel()
	release := make(chan struct{})
	t.Cleanup(func() { close(release) })
	status := func(code int, headers ...string) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) {
			for i := 0; i < len(headers); i += 2 {
				w.Header().Set(headers[i], headers[i+1])
			}
			w.WriteHeader(code)
		}
	}
	for name, c := range map[string]struct {
		answer http.HandlerFunc
		want   webhook.Response
	}{
		"taken":                       {status(204), webhook.Response{Status: 204}},
		"refused":                     {status(404), webhook.Response{Status: 404}},
		"broken":                      {status(500), webhook.Response{Status: 500}},
		"a redirect":                  {status(307, "Location", "https://127.0.0.1/elsewhere"), webhook.Response{Status: 307}},
		"a redirect to nowhere":       {status(302, "Location", "http://%zz/"), webhook.Response{Status: 302}},
		"later, in seconds":           {status(503, "Retry-After", "120"), webhook.Response{Status: 503, RetryAfter: 2 * time.Minute}},
		"later, at a moment":          {status(429, "Retry-After", "Mon, 23 Nov 2026 10:03:00 GMT", "Date", "Mon, 23 Nov 2026 10:00:00 GMT"), webhook.Response{Status: 429, RetryAfter: 3 * time.Minute}},
		"later, at a moment before":   {status(429, "Retry-After", "Mon, 23 Nov 2026 09:03:00 GMT", "Date", "Mon, 23 Nov 2026 10:00:00 GMT"), webhook.Response{Status: 429}},
		"of an hour without a date":   {status(429, "Retry-After", "Mon, 23 Nov 2026 10:05:00 GMT", "Date", ""), webhook.Response{Status: 429, RetryAfter: 5 * time.Minute}},
		"in a thousand years":         {status(429, "Retry-After", "Mon, 23 Nov 3026 09:03:00 GMT"), webhook.Response{Status: 429, RetryAfter: retryAfterMost}},
		"after more than seconds are": {status(503, "Retry-After", "99999999999999999999"), webhook.Response{Status: 503}},
		"after the most seconds":      {status(503, "Retry-After", "4294967295"), webhook.Response{Status: 503, RetryAfter: retryAfterMost}},
		"later, and before":           {status(503, "Retry-After", "-5"), webhook.Response{Status: 503}},
		"later, in words":             {status(503, "Retry-After", "soon"), webhook.Response{Status: 503}},
		"nothing in time":             {func(http.ResponseWriter, *http.Request) { <-release }, webhook.Response{Failure: webhook.TimedOut}},
		"a broken connection":         {func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }, webhook.Response{Failure: webhook.Unreachable}},
		"headers beyond the bound":    {status(200, "X", strings.Repeat("x", 2*headerBytes)), webhook.Response{Failure: webhook.Garbled}},
		"a body that doesn't come": {func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Length", "10")
			_ = http.NewResponseController(w).Flush()
			<-release
		}, webhook.Response{Status: 200}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			site, url := endpoint(t, c.answer)
			begun := time.Now()
			if got, err := site.Send(t.Context(), message(url)); got != c.want || err != nil {
				t.Errorf("%+v, %v", got, err)
			}
			if took := time.Since(begun); took > 10*quick {
				t.Errorf("it took %v", took)
			}
		})
	}
}

// TestOfABodyWithoutEndLittleIsRead: the connection is then closed.
func TestOfABodyWithoutEndLittleIsRead(t *testing.T) {
	t.Parallel()
	written := make(chan int, 1)
	site, url := endpoint(t, func(w http.ResponseWriter, _ *http.Request) {
		sum := 0
		for block := make([]byte, 1<<10); ; {
			n, err := w.Write(block)
			if sum += n; err != nil {
				written <- sum
				return
			}
		}
	})
	if got, err := site.Send(t.Context(), message(url)); got != (webhook.Response{Status: 200}) || err != nil {
		t.Errorf("%+v, %v", got, err)
	}
	if sum := <-written; sum > 16<<20 { // buffers on the way
		t.Errorf("%d bytes were taken", sum)
	}
}

// TestAnAnswerWithoutBeginningEnds: the size of an answer's headers is bounded, however
// fast they arrive.
func TestAnAnswerWithoutBeginningEnds(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ begins, goesOn string }{
		"headers without end":                  {"HTTP/1.1 200 OK\r\n", "X-More: and more\r\n"},
		"one header without end":               {"HTTP/1.1 200 OK\r\nX-More: ", "and more"},
		"informational answers without end":    {"", "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n"},
		"a status line without end":            {"HTTP/1.1 200 ", "OK"},
		"a chunked answer of trailers to come": {"HTTP/1.1 500 No\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n", "X-More: and more\r\n"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			url, written := goingOn(t, c.begins, c.goesOn)
			site := newWebhooks(newClient(func(netip.Addr) bool { return true }), true)
			want := webhook.Response{Failure: webhook.Garbled}
			if strings.Contains(c.begins, "500") {
				want = webhook.Response{Status: 500}
			}
			if got, err := site.Send(t.Context(), message(url)); got != want || err != nil {
				t.Errorf("%+v, %v", got, err)
			}
			if sum := <-written; sum > 16<<20 { // buffers on the way
				t.Errorf("%d bytes were taken", sum)
			}
		})
	}
}

// goingOn starts a server that answers its first connection with an endless text, and
// reports how much of it was read.
func goingOn(t *testing.T, begins, goesOn string) (url string, written <-chan int) {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = listener.Close() })
	taken := make(chan int, 1)
	go func() {
		connection, err := listener.Accept()
		if err != nil {
			return
		}
		defer func() { _ = connection.Close() }()
		sum, err := io.WriteString(connection, begins)
		for more := strings.Repeat(goesOn, 100); err == nil; {
			var n int
			n, err = io.WriteString(connection, more)
			sum += n
		}
		taken <- sum
	}()
	return "http://" + listener.Addr().String(), taken
}

func TestWhatIsNoAnswer(t *testing.T) {
	t.Parallel()
	site := newWebhooks(newClient(func(netip.Addr) bool { return true }), true)
	for name, c := range map[string]struct {
		url  string
		want webhook.Failure
	}{
		"no HTTP":               {speaking(t, "hello, who is there?\r\n\r\n"), webhook.Garbled},
		"nothing but an end":    {speaking(t, ""), webhook.Unreachable},
		"half of its headers":   {speaking(t, "HTTP/1.1 200 OK\r\nContent-Le"), webhook.Garbled},
		"a status beyond three": {speaking(t, "HTTP/1.1 9999 Much\r\n\r\n"), webhook.Garbled},
		"nobody there":          {"http://127.0.0.1:1", webhook.Unreachable},
		"a name of nobody":      {"http://nobody.invalid", webhook.Unreachable},
		"no URL":                {"http://\x7f", webhook.Unreachable},
		"another protocol":      {"ftp://127.0.0.1/", webhook.Unreachable},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got, err := site.Send(t.Context(), message(c.url)); got != (webhook.Response{Failure: c.want}) || err != nil {
				t.Errorf("%+v, %v", got, err)
			}
		})
	}
}

// TestWebhooksReachNothingInside: neither by an address nor without encryption; in
// development only this machine is reachable.
func TestWebhooksReachNothingInside(t *testing.T) {
	t.Parallel()
	server, asked := inside(t, "")
	guarded := webhook.Response{Failure: webhook.Guarded}
	for _, url := range []string{
		server.URL, strings.Replace(server.URL, "http:", "https:", 1), strings.Replace(server.URL, "http://127.0.0.1", "https://localhost", 1),
		"https://169.254.169.254/latest/meta-data", "https://[::ffff:10.0.0.1]/", "http://example.com/", "file:///etc/passwd", "gopher://127.0.0.1/",
	} {
		if got, err := NewWebhooks().Send(t.Context(), message(url)); got != guarded || err != nil {
			t.Errorf("%s: %+v, %v", url, got, err)
		}
	}
	if *asked != 0 {
		t.Errorf("something inside was asked %d times", *asked)
	}
	if got, err := NewLocalWebhooks().Send(t.Context(), message(server.URL)); got.Status != http.StatusOK || err != nil || *asked != 1 {
		t.Errorf("this machine: %+v, %v", got, err)
	}
	if got, err := NewLocalWebhooks().Send(t.Context(), message("http://10.0.0.1/")); got != guarded || err != nil {
		t.Errorf("its network: %+v, %v", got, err)
	}
}

// TestATryThatIsGivenUp ends with its context, whose error it returns.
func TestATryThatIsGivenUp(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	release := make(chan struct{})
	t.Cleanup(func() { close(release) })
	site, url := endpoint(t, func(http.ResponseWriter, *http.Request) {
		cancel()
		<-release
	})
	if _, err := site.Send(ctx, message(url)); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	if _, err := site.Send(ctx, message("ftp://x/")); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

// TestNoSecretOfAnEndpointShows: a response contains only a status or one of four words.
func TestNoSecretOfAnEndpointShows(t *testing.T) {
	t.Parallel()
	site, url := endpoint(t, func(w http.ResponseWriter, _ *http.Request) {
		http.Error(w, agent.SecretFrom("x").String(), http.StatusTeapot)
	})
	if got, err := site.Send(t.Context(), message(url)); got != (webhook.Response{Status: http.StatusTeapot}) || err != nil {
		t.Errorf("%+v, %v", got, err)
	}
}
