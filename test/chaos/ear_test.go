package chaos_test

import (
	"context"
	"crypto/tls"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/casino-service/casino/adapters/httpapi/api"
	"github.com/casino-service/casino/adapters/httpapi/client"
	"github.com/casino-service/casino/domain/agent"
	"github.com/casino-service/casino/domain/webhook"
)

// ear is an agent's own server: it accepts requests with its endpoint's signature, and keeps each
// event once. A failing one fails every second answer, in three ways in turn: it keeps nothing,
// it keeps the event and reports a failure, it keeps the event and breaks the connection.
type ear struct {
	testing.TB
	url     string
	failing bool

	mu      sync.Mutex
	secret  agent.Secret
	answers int
	failed  int
	open    int
	last    string // the last event, and whether that was answered with success
	taken   bool
	kept    []api.Event
	seen    map[string]bool
	again   int // number of events that were kept already
}

// listen opens an ear at an address of this machine. With certificates it uses TLS.
func listen(t testing.TB, address string, failing bool, certificates ...tls.Certificate) *ear {
	t.Helper()
	e := &ear{TB: t, failing: failing, seen: map[string]bool{}}
	listener, err := new(net.ListenConfig).Listen(t.Context(), "tcp", address)
	noError(t, err)
	server := httptest.NewUnstartedServer(e)
	_ = server.Listener.Close()
	server.Listener = listener
	if len(certificates) > 0 {
		server.TLS = &tls.Config{Certificates: certificates, MinVersion: tls.VersionTLS12}
		server.StartTLS()
	} else {
		server.Start()
	}
	t.Cleanup(server.CloseClientConnections)
	e.url = server.URL + "/"
	return e
}

func (e *ear) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil { // the sender was killed
		return
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.open++; e.open > 1 {
		e.Errorf("%d deliveries at once", e.open)
	}
	defer func() { e.open-- }()
	id, h := r.Header.Get(webhook.HeaderID), r.Header
	var event api.Event
	if err := webhook.Verify(e.secret, id, h.Get(webhook.HeaderTimestamp), h.Get(webhook.HeaderSignature), body, time.Now()); err != nil {
		e.Errorf("%s: %v: %v %s", id, err, h, body)
	} else if err := json.Unmarshal(body, &event); err != nil || event.ID != id || h.Get("Content-Type") != "application/cloudevents+json" {
		e.Errorf("%s: %v %s: %v", id, h, body, err)
	}
	if e.last != "" && e.last != id && !e.taken {
		e.Errorf("%s came before %s was taken", id, e.last)
	}
	e.last, e.taken = id, false
	fails, way := e.failing && e.answers%2 == 0, e.failed%3
	e.answers++
	if fails {
		e.failed++
	}
	if !fails || way > 0 {
		e.keep(event)
	}
	switch {
	case !fails:
		e.taken = true
		w.WriteHeader(http.StatusNoContent)
	case way == 2:
		panic(http.ErrAbortHandler)
	default:
		w.WriteHeader(http.StatusServiceUnavailable)
	}
}

func (e *ear) keep(event api.Event) {
	if e.seen[event.ID] {
		e.again++
		return
	}
	e.seen[event.ID] = true
	e.kept = append(e.kept, event)
}

// heard returns the events kept so far.
func (e *ear) heard() []api.Event {
	e.mu.Lock()
	defer e.mu.Unlock()
	return slices.Clone(e.kept)
}

// committedAfter returns all events after a cursor that an admin may read.
func committedAfter(t testing.TB, admin *client.Client, cursor, types string) []api.Event {
	t.Helper()
	var all []api.Event
	for more := true; more; {
		page, err := admin.AdminEvents(context.Background(), api.AdminEventsParams{Types: types, Cursor: cursor, Limit: 500})
		noError(t, err)
		all = append(all, page.Events...)
		cursor, more = page.NextCursor, page.More
	}
	return all
}

// heardAll waits until the ear has as many events as an operator of its agent may read, and
// compares both: each once, with the same content, and each player's in order.
func (e *ear) heardAll(want []api.Event) {
	e.Helper()
	eventually(e, "an agent's server has every event", func() bool { return e.Failed() || len(e.heard()) >= len(want) })
	got := e.heard()
	if len(got) != len(want) {
		e.Errorf("%d events were heard, %d committed", len(got), len(want))
	}
	heard := map[string]string{}
	last := map[string]string{}
	for _, one := range got {
		heard[one.ID] = said(e, one)
		var of struct{ Wallet string }
		noError(e, one.Read(&of))
		if one.Sequence <= last[of.Wallet] {
			e.Errorf("of %s %s was heard after %s", of.Wallet, one.Sequence, last[of.Wallet])
		}
		last[of.Wallet] = one.Sequence
	}
	for _, one := range want {
		if text := said(e, one); heard[one.ID] != text {
			e.Errorf("committed %s\nheard %s", text, heard[one.ID])
		}
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	e.Logf("%d events heard in %d deliveries, %d of them failed, %d came that were kept already", len(got), e.answers, e.failed, e.again)
	if e.failing && (e.failed*2 < e.answers || e.again == 0) {
		e.Errorf("of %d answers %d failed, and %d events came again: this shows little", e.answers, e.failed, e.again)
	}
}

// said returns an event's content without the cursor.
func said(t testing.TB, e api.Event) string {
	t.Helper()
	e.Cursor = ""
	text, err := json.Marshal(e)
	noError(t, err)
	return string(text)
}
