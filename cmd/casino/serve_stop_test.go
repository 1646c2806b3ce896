package main

import (
	"bufio"
	"context"
	"database/sql"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/casino-service/casino/adapters/httpapi/api"
	"github.com/casino-service/casino/adapters/httpapi/client"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/test/fakes"
)

// halfway is a request with a handler that waits for the body.
type halfway struct {
	t    *testing.T
	conn net.Conn
	in   *bufio.Reader
}

// begin sends the head of a bet and waits until its handler reads the body.
func (s *running) begin(session api.Session, body string) *halfway {
	s.t.Helper()
	at, err := url.Parse(s.api)
	if err != nil {
		s.t.Fatal(err)
	}
	conn, err := net.Dial("tcp", at.Host)
	if err != nil {
		s.t.Fatal(err)
	}
	s.t.Cleanup(func() { _ = conn.Close() })
	h := &halfway{t: s.t, conn: conn, in: bufio.NewReader(conn)}
	h.send(fmt.Sprintf("POST %s/play HTTP/1.1\r\nHost: casino\r\nAuthorization: Bearer %s\r\nContent-Type: application/json\r\n"+
		"Content-Length: %d\r\nExpect: 100-continue\r\n\r\n", at.Path, session.Token, len(body)))
	line, err := h.in.ReadString('\n')
	if err != nil || !strings.Contains(line, "100 Continue") {
		s.t.Fatalf("the handler did not ask for the body: %q, %v", line, err)
	}
	if _, err := h.in.ReadString('\n'); err != nil {
		s.t.Fatal(err)
	}
	return h
}

func (h *halfway) send(text string) {
	h.t.Helper()
	if _, err := h.conn.Write([]byte(text)); err != nil {
		h.t.Fatal(err)
	}
}

// funded serves a casino with capital and a player with money.
func (w *world) funded() (*running, api.Session) {
	w.t.Helper()
	w.do("migrate", "up")
	w.serve().stop() // registers the tokens
	w.do("capital", "book", string(money.SOL), "10000000000", "founding")
	s := w.serve()
	alice, session, err := client.New(s.api, nil).SignIn(w.t.Context(), fakes.Key("alice"), time.Now())
	if err != nil {
		w.t.Fatal(err)
	}
	credited(w.t, alice, w.pay("alice", 1_000_000_000))
	return s, session
}

const bet = `{"gameType": "dice", "wager": 1000000, "token": "So11111111111111111111111111111111111111112"}`

func TestAStopFinishesOpenRequests(t *testing.T) {
	t.Parallel()
	s, session := newWorld(t).funded()
	open := s.begin(session, bet)
	s.stopping()
	until(t, "readiness is off", func() bool {
		status, _ := s.get("/readyz")
		return status == http.StatusServiceUnavailable
	})
	if status, _ := s.get("/livez"); status != http.StatusOK {
		t.Errorf("a service that stops does not live: %d", status)
	}
	until(t, "nobody new is taken", func() bool {
		_, err := client.New(s.api, &http.Client{Transport: &http.Transport{}}).Health(t.Context())
		return err != nil
	})
	open.send(bet)
	answer, err := http.ReadResponse(open.in, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = answer.Body.Close() }()
	if answer.StatusCode != http.StatusOK {
		t.Errorf("the open bet was answered %s", answer.Status)
	}
	if code := <-s.code; code != exitDone {
		t.Errorf("exit %d", code)
	}
}

func TestALameDuckIsUnreadyAndServes(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.settings["lame-duck"] = "3s"
	w.do("migrate", "up")
	s := w.serve()
	asked := time.Now()
	s.stopping()
	until(t, "readiness is off", func() bool {
		status, _ := s.get("/readyz")
		return status == http.StatusServiceUnavailable
	})
	fresh := client.New(s.api, &http.Client{Transport: &http.Transport{}})
	if _, err := fresh.Health(t.Context()); err != nil && time.Since(asked) < 2*time.Second {
		t.Errorf("a lame duck takes no new connection: %v", err)
	}
	if code := <-s.code; code != exitDone {
		t.Errorf("exit %d", code)
	}
	if took := time.Since(asked); took < 3*time.Second {
		t.Errorf("it stopped after %s", took)
	}
}

func TestAStopDuringTheStartIsNoFailure(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.do("migrate", "up")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	log := newLogLines()
	if code := run(ctx, append([]string{"serve"}, w.flags()...), io.Discard, log); code != exitDone {
		t.Errorf("exit %d: %s", code, log)
	}
}

// TestAStopCutsOffSlowRequests isn't parallel: the load of other tests would use up the
// seconds of a stop.
func TestAStopCutsOffSlowRequests(t *testing.T) {
	if testing.Short() {
		t.Skip("waits for the time that open requests have") // allowed: make test runs it
	}
	s, session := newWorld(t).funded()
	s.begin(session, bet)
	begin := time.Now()
	s.stop()
	if took := time.Since(begin); took > 10*time.Second {
		t.Errorf("the stop took %s", took)
	}
}

// If another version migrates the database of a running service, the service must not write
// into the unknown schema, and must report that before a bet.
func TestASchemaOfAnotherVersionIsUnready(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.do("migrate", "up")
	s := w.serve()
	if status, text := s.get("/readyz"); status != http.StatusOK {
		t.Fatalf("%d %s", status, text)
	}
	db, err := sql.Open("sqlite", "file:"+strings.TrimPrefix(w.settings["database-url"], "sqlite:")+"?_busy_timeout=5000")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = db.Close() }()
	if _, err := db.Exec("INSERT INTO bun_migrations (name, group_id) VALUES ('9999', 9)"); err != nil {
		t.Fatal(err)
	}
	until(t, "the service is unready", func() bool {
		status, _ := s.get("/readyz")
		return status == http.StatusServiceUnavailable
	})
	health, err := client.New(s.api, nil).Health(t.Context())
	if err == nil && health.Status != "down" {
		t.Errorf("GET /health says %s", health.Status)
	}
	if _, err := db.Exec("DELETE FROM bun_migrations WHERE name = '9999'"); err != nil {
		t.Fatal(err)
	}
	until(t, "the service is ready again", func() bool {
		status, _ := s.get("/readyz")
		return status == http.StatusOK
	})
	s.stop()
}
