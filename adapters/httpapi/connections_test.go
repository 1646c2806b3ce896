package httpapi_test

import (
	"bufio"
	"bytes"
	"io"
	"log/slog"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/casino-service/casino/adapters/httpapi"
)

// hall is a server with few connections.
type hall struct {
	*testing.T
	address string
	log     *lockedBuffer
}

func openHall(t *testing.T, connections int) *hall {
	t.Helper()
	listener, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	h := &hall{t, listener.Addr().String(), &lockedBuffer{}}
	server := httpapi.NewServer(h.address, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(w, r.Body)
	}), slog.New(slog.NewTextHandler(h.log, nil)))
	server.ReadHeaderTimeout = 300 * time.Millisecond // not to wait for 5 s
	bound := httpapi.Bound(server, listener, connections)
	var serving sync.WaitGroup
	serving.Go(func() { _ = server.Serve(bound) })
	t.Cleanup(func() {
		if err := server.Close(); err != nil {
			t.Error(err)
		}
		serving.Wait() // also where it waits for a place
	})
	return h
}

// connect opens a connection and sends the text.
func (h *hall) connect(text string) net.Conn {
	h.Helper()
	conn, err := new(net.Dialer).DialContext(h.Context(), "tcp", h.address)
	if err == nil {
		_, err = io.WriteString(conn, text)
	}
	if err == nil {
		err = conn.SetDeadline(time.Now().Add(20 * time.Second))
	}
	if err != nil {
		h.Fatal(err)
	}
	h.Cleanup(func() { _ = conn.Close() })
	return conn
}

// getsAnswer reports whether the service answers the request that was sent.
func getsAnswer(conn net.Conn) bool {
	answer, err := http.ReadResponse(bufio.NewReader(conn), nil)
	if err != nil {
		return false
	}
	defer func() { _ = answer.Body.Close() }()
	_, err = io.Copy(io.Discard, answer.Body)
	return err == nil && answer.StatusCode == http.StatusOK
}

const plainRequest = "GET / HTTP/1.1\r\nHost: casino\r\n\r\n"

// TestIdleConnectionsGiveWay: whoever comes is answered although all connections are
// taken; the one that was idle longest is closed, the others stay.
func TestIdleConnectionsGiveWay(t *testing.T) {
	t.Parallel()
	const connections = 4
	h := openHall(t, connections)
	var idle []net.Conn
	for range connections {
		conn := h.connect(plainRequest)
		if !getsAnswer(conn) {
			t.Fatal("no answer while there is room")
		}
		idle = append(idle, conn)
	}
	if !getsAnswer(h.connect(plainRequest)) {
		t.Error("no answer beside idle connections")
	}
	if n, err := idle[0].Read(make([]byte, 1)); n != 0 || err == nil {
		t.Errorf("the one that was idle longest is open: %d, %v", n, err)
	}
	if _, err := io.WriteString(idle[connections-1], plainRequest); err != nil || !getsAnswer(idle[connections-1]) {
		t.Errorf("one that was idle for a shorter time is closed: %v", err)
	}
	if log := h.log.String(); strings.Count(log, "connections are taken") != 1 {
		t.Errorf("the log: %s", log)
	}
}

// TestSlowConnectionsAreWaitedFor: who comes while all connections are in the middle of
// something is answered when the first of them has run out of time, and those that are
// served are left alone.
func TestSlowConnectionsAreWaitedFor(t *testing.T) {
	t.Parallel()
	h := openHall(t, 4)
	body := bytes.Repeat([]byte("x"), 100)
	uploading := h.connect("POST / HTTP/1.1\r\nHost: casino\r\nContent-Length: 100\r\n\r\n" + string(body[:50]))
	for range 12 {
		h.connect("GET / HTTP/1.1\r\nHost: casino\r\nX-Slow: ")
	}
	if !getsAnswer(h.connect(plainRequest)) {
		t.Error("no answer when the slow ones have ended")
	}
	if _, err := uploading.Write(body[50:]); err != nil || !getsAnswer(uploading) {
		t.Errorf("a request that was being served is not answered: %v", err)
	}
}
