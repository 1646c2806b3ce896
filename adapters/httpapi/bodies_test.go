package httpapi_test

import (
	"bufio"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/casino-service/casino/adapters/httpapi"
	"github.com/casino-service/casino/adapters/system"
	"github.com/casino-service/casino/test/fakes"
)

// trickle is a connection that receives a byte of a body every second, until its read
// deadline.
type trickle struct {
	http.ResponseWriter
	clock    *fakes.Clock
	deadline time.Time
	sent     int
}

func (c *trickle) SetReadDeadline(until time.Time) error {
	c.deadline = until
	return nil
}

func (c *trickle) Read(into []byte) (int, error) {
	if next := c.clock.Now().Add(time.Second); next.After(c.deadline) {
		c.clock.Advance(c.deadline.Sub(c.clock.Now()))
		return 0, os.ErrDeadlineExceeded
	}
	c.clock.Advance(time.Second)
	c.sent++
	return copy(into, "x"), nil
}

func (c *trickle) Close() error { return nil }

// TestABodyHasToComeAtAPace reads bodies that arrive at a byte a second.
func TestABodyHasToComeAtAPace(t *testing.T) {
	t.Parallel()
	for name, row := range map[string]struct {
		pace  httpapi.BodyPace
		bytes int
	}{
		"slower than the default":                 {httpapi.BodyPace{}, 5},
		"slower, with a short grace":              {httpapi.BodyPace{Grace: 2 * time.Second, BytesPerSecond: 100}, 2},
		"half as fast":                            {httpapi.BodyPace{Grace: 2 * time.Second, BytesPerSecond: 2}, 3},
		"as fast, longer than a request may take": {httpapi.BodyPace{Grace: 2 * time.Second, BytesPerSecond: 1}, 15},
	} {
		clock := &fakes.Clock{}
		conn := &trickle{ResponseWriter: httptest.NewRecorder(), clock: clock}
		r := httptest.NewRequest(http.MethodPost, "/", conn)
		r.ContentLength = 100
		httpapi.PaceBodies(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
			if text, err := io.ReadAll(r.Body); err == nil || len(text) != row.bytes {
				t.Errorf("%s: %d bytes were read, want %d, %v", name, len(text), row.bytes, err)
			}
		}), clock, row.pace).ServeHTTP(conn, r)
	}
}

// TestWhatReadersDoMeanwhileIsNotCounted: a body that arrives while its handler is busy is
// read.
func TestWhatReadersDoMeanwhileIsNotCounted(t *testing.T) {
	t.Parallel()
	clock := &fakes.Clock{}
	conn := &trickle{ResponseWriter: httptest.NewRecorder(), clock: clock}
	r := httptest.NewRequest(http.MethodPost, "/", conn)
	r.ContentLength = 1
	httpapi.PaceBodies(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		clock.Advance(10 * time.Second)
		if n, err := r.Body.Read(make([]byte, 1)); n != 1 || err != nil {
			t.Errorf("%d, %v", n, err)
		}
	}), clock, httpapi.BodyPace{}).ServeHTTP(conn, r)
}

// serveHouse serves a house on a port, with a pace that ends bodies at once.
func serveHouse(t *testing.T, h *house) (address string) {
	t.Helper()
	server := httptest.NewUnstartedServer(h.api)
	server.Config = httpapi.NewServer("", httpapi.PaceBodies(h.api, system.Default(), httpapi.BodyPace{Grace: 50 * time.Millisecond}), slog.New(slog.DiscardHandler))
	server.Config.ReadTimeout = 0 // which would end them too, much later
	server.Start()
	t.Cleanup(server.Close)
	return server.Listener.Addr().String()
}

// TestABodyThatDoesNotComeIsAnswered with 408 if the handler reads it; the connection is
// closed in any case.
func TestABodyThatDoesNotComeIsAnswered(t *testing.T) {
	t.Parallel()
	at := serveHouse(t, newHouse(t))
	for path, status := range map[string]int{"/public/verify": http.StatusRequestTimeout, "/play": http.StatusUnauthorized, "/nowhere": http.StatusNotFound} {
		conn := (&hall{T: t, address: at}).connect("POST /casino" + path + " HTTP/1.1\r\nHost: casino\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{")
		answer, err := http.ReadResponse(bufio.NewReader(conn), nil)
		if err != nil {
			t.Fatalf("%s: %v", path, err)
		}
		text, err := io.ReadAll(answer.Body)
		_ = answer.Body.Close()
		if err != nil || answer.StatusCode != status || !answer.Close {
			t.Errorf("%s: %s, closed %v, %v: %s", path, answer.Status, answer.Close, err, text)
		}
		if status == http.StatusRequestTimeout && !strings.Contains(string(text), `"BODY_TOO_SLOW"`) {
			t.Errorf("%s: %s", path, text)
		}
	}
}

// TestAConnectionEndsWithADoubtfulLength: of several requests in a row only the first is
// answered if another server may have delimited it differently.
func TestAConnectionEndsWithADoubtfulLength(t *testing.T) {
	t.Parallel()
	at := serveHouse(t, newHouse(t))
	second := "GET /casino/health HTTP/1.1\r\nHost: casino\r\nConnection: close\r\n\r\n"
	for name, row := range map[string]struct {
		first   string
		answers int
	}{
		"a length":            {"POST /casino/auth/login HTTP/1.1\r\nHost: casino\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}", 2},
		"a length and chunks": {"POST /casino/auth/login HTTP/1.1\r\nHost: casino\r\nContent-Type: application/json\r\nContent-Length: 6\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n", 1},
		"chunks in HTTP/1.0":  {"POST /casino/auth/login HTTP/1.0\r\nHost: casino\r\nConnection: keep-alive\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n", 1},
	} {
		if got := answersTo(t, at, row.first+second); got != row.answers {
			t.Errorf("%s: %d answers, want %d", name, got, row.answers)
		}
	}
}

// answersTo counts the answers on one connection, until it is closed.
func answersTo(t *testing.T, address, sent string) (n int) {
	t.Helper()
	h := &hall{T: t, address: address}
	from := bufio.NewReader(h.connect(sent))
	for {
		answer, err := http.ReadResponse(from, nil)
		if err != nil {
			return n
		}
		if _, err := io.Copy(io.Discard, answer.Body); err != nil {
			t.Fatal(fmt.Errorf("answer %d: %w", n, err))
		}
		_ = answer.Body.Close()
		n++
	}
}
