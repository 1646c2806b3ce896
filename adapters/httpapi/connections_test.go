package httpapi_test

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/casino-service/casino/adapters/httpapi"
	"github.com/casino-service/casino/domain/limit"
)

// hall is a server with few connections.
type hall struct {
	*testing.T
	address string
	log     *lockedBuffer
}

// openHall opens one in which every address may have all connections.
func openHall(t *testing.T, connections int) *hall {
	return openBoundedHall(t, httpapi.Connections{Max: connections, Exempt: []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}})
}

func openBoundedHall(t *testing.T, limits httpapi.Connections) *hall {
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
	bound := httpapi.Bound(server, listener, limits)
	var serving sync.WaitGroup
	serving.Go(func() { _ = server.Serve(bound) })
	t.Cleanup(func() {
		if err := server.Close(); err != nil {
			t.Error(err)
		}
		serving.Wait() // even while it waits for a place
	})
	return h
}

// connect opens a connection and sends the text.
func (h *hall) connect(text string) net.Conn { return h.connectFrom("127.0.0.1", text) }

// connectFrom opens a connection from an address of this machine.
func (h *hall) connectFrom(address, text string) net.Conn {
	h.Helper()
	from := net.Dialer{LocalAddr: &net.TCPAddr{IP: net.ParseIP(address)}}
	conn, err := from.DialContext(h.Context(), "tcp", h.address)
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

// TestIdleConnectionsGiveWay: a new connection is served although all are taken; the one
// that was idle longest is closed, the others stay.
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

// TestSlowConnectionsAreWaitedFor: if all connections are in the middle of a request, a new
// one is served when the first of them times out, and requests being served are not
// affected.
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

const (
	crowdedAddress = "127.0.0.2"
	otherAddress   = "127.0.0.3"
	// openRequest is a request without its body.
	openRequest = "POST / HTTP/1.1\r\nHost: casino\r\nContent-Length: 1\r\n\r\n"
)

// ended reports whether the service has closed the connection.
func ended(conn net.Conn) bool {
	n, err := conn.Read(make([]byte, 1))
	return n == 0 && err != nil && !errors.Is(err, os.ErrDeadlineExceeded)
}

// TestOneAddressHasSoManyConnections: at its limit, further connections of one address are
// closed and another address is served. When one has ended or is idle, a new one is served.
func TestOneAddressHasSoManyConnections(t *testing.T) {
	t.Parallel()
	const most = 3
	h := openBoundedHall(t, httpapi.Connections{Max: 8 * most, PerAddress: most})
	var busy []net.Conn
	for range most {
		busy = append(busy, h.connectFrom(crowdedAddress, openRequest))
	}
	for range 2 * most {
		if !ended(h.connectFrom(crowdedAddress, "")) {
			t.Fatal("an address has more connections than its bound")
		}
	}
	if !getsAnswer(h.connectFrom(otherAddress, plainRequest)) {
		t.Error("another address is not served")
	}
	if log := h.log.String(); strings.Count(log, crowdedAddress+" has all of its 3 connections") != 1 {
		t.Errorf("the log: %s", log)
	}
	if _, err := io.WriteString(busy[0], "x"); err != nil || !getsAnswer(busy[0]) {
		t.Fatalf("a request of an address at its bound: %v", err)
	}
	// This connection is idle now or soon; then it is replaced.
	for !getsAnswer(h.connectFrom(crowdedAddress, plainRequest)) {
		runtime.Gosched()
	}
	if !ended(busy[0]) {
		t.Error("the idle connection is open beside the new one")
	}
}

// TestTrustedProxiesHaveAllConnections, because they connect for many clients.
func TestTrustedProxiesHaveAllConnections(t *testing.T) {
	t.Parallel()
	const all = 8
	h := openBoundedHall(t, httpapi.Connections{Max: all, PerAddress: 1, Exempt: []netip.Prefix{netip.MustParsePrefix("127.0.0.2/32")}})
	for range all - 1 {
		h.connectFrom(crowdedAddress, openRequest)
	}
	if !getsAnswer(h.connectFrom(crowdedAddress, plainRequest)) {
		t.Error("a proxy is refused the last connection")
	}
}

// arriving is a listener of connections from addresses that this machine doesn't have.
type arriving struct {
	net.Listener
	from chan string
}

type arrived struct {
	net.Conn
	from string
}

func (a arriving) Accept() (net.Conn, error) {
	from, open := <-a.from
	if !open {
		return nil, net.ErrClosed
	}
	conn, _ := net.Pipe()
	return arrived{conn, from}, nil
}

func (a arrived) RemoteAddr() net.Addr {
	return net.TCPAddrFromAddrPort(netip.MustParseAddrPort(a.from))
}

// TestConnectionsOfIPv6CountByNetwork: a customer has a /64.
func TestConnectionsOfIPv6CountByNetwork(t *testing.T) {
	t.Parallel()
	arrivals := arriving{from: make(chan string, 8)}
	for _, from := range []string{"[2001:db8::1]:1", "[2001:db8::2]:1", "[2001:db8::1:0:0:3]:1", "[2001:db8:0:1::1]:1", "192.0.2.1:1", "[::ffff:192.0.2.1]:2"} {
		arrivals.from <- from
	}
	close(arrivals.from)
	listener := httpapi.Bound(httpapi.NewServer("", http.NotFoundHandler(), slog.New(slog.DiscardHandler)), arrivals, httpapi.Connections{Max: 8, PerAddress: 1})
	var got []string
	for {
		conn, err := listener.Accept()
		if err != nil {
			break
		}
		got = append(got, conn.RemoteAddr().String())
	}
	if want := []string{"[2001:db8::1]:1", "[2001:db8:0:1::1]:1", "192.0.2.1:1"}; !slices.Equal(got, want) {
		t.Errorf("accepted %v, want %v", got, want)
	}
}

// TestAUnixSocketIsATrustedProxy: its connections have no limit per address, and its
// requests count by the forwarded address.
func TestAUnixSocketIsATrustedProxy(t *testing.T) {
	t.Parallel()
	h := openHouse(t, setup{config: func(c *httpapi.Config) { c.Limits.Public = limit.Rule{Max: 1, Window: time.Minute} }})
	socket := filepath.Join(t.TempDir(), "api")
	listener, err := new(net.ListenConfig).Listen(t.Context(), "unix", socket)
	h.must(err)
	server := httpapi.NewServer("", h.api, slog.New(slog.DiscardHandler))
	bounded := httpapi.Bound(server, listener, httpapi.Connections{Max: 8, PerAddress: 1})
	var serving sync.WaitGroup
	serving.Go(func() { _ = server.Serve(bounded) })
	t.Cleanup(func() { _ = server.Close(); serving.Wait() })
	connect := func() net.Conn {
		conn, err := new(net.Dialer).DialContext(t.Context(), "unix", socket)
		h.must(err)
		t.Cleanup(func() { _ = conn.Close() })
		return conn
	}
	ask := func(conn net.Conn, from string) int {
		_, err := fmt.Fprintf(conn, "GET %s/public/tokens HTTP/1.1\r\nHost: api\r\nX-Forwarded-For: %s\r\n\r\n", base, from)
		h.must(err)
		response, err := http.ReadResponse(bufio.NewReader(conn), nil)
		h.must(err)
		_, err = io.Copy(io.Discard, response.Body)
		h.must(err)
		h.must(response.Body.Close())
		return response.StatusCode
	}
	first := connect()
	for i, want := range []int{http.StatusOK, http.StatusTooManyRequests, http.StatusOK} {
		if got := ask(connect(), []string{"192.0.2.1", "192.0.2.1", "192.0.2.2"}[i]); got != want {
			t.Errorf("request %d: %d, want %d", i+1, got, want)
		}
	}
	if got := ask(first, "192.0.2.3"); got != http.StatusOK { // it is still open
		t.Errorf("the first connection: %d", got)
	}
}
