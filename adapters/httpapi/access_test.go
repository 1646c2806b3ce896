package httpapi_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/casino-service/casino/adapters/httpapi/api"
	"github.com/casino-service/casino/app"
	"github.com/casino-service/casino/ports"
)

// opened begins a request and returns its response, which may be endless.
func (h eventTest) opened(as, path, accept string) *bufio.Reader {
	h.Helper()
	request, err := http.NewRequestWithContext(h.Context(), http.MethodGet, h.url+path, nil)
	h.must(err)
	request.Header.Set("Authorization", "Bearer "+h.token(as))
	request.Header.Set("Accept", accept)
	sent, err := h.http.Do(request)
	h.must(err)
	h.Cleanup(func() { _ = sent.Body.Close() })
	if sent.StatusCode != http.StatusOK {
		h.Fatalf("%s: %d", path, sent.StatusCode)
	}
	return bufio.NewReader(sent.Body)
}

// TestAStreamEndsWithWhatItWasAdmittedBy: a role changed elsewhere, or a session that was
// ended or expired, ends the stream before another event is sent, with any filter. The
// clock stands still, so no heartbeat ends it.
func TestAStreamEndsWithWhatItWasAdmittedBy(t *testing.T) {
	t.Parallel()
	const settled = "?types=round.settled"
	for what, one := range map[string]struct {
		path string
		ends func(h eventTest)
	}{
		"role revoked":             {"/admin/events" + settled, func(h eventTest) { h.unrole("finance") }},
		"role of another scope":    {"/admin/events", func(h eventTest) { h.role("finance", "operator", "acme") }},
		"an admin signed out":      {"/admin/events" + settled, func(h eventTest) { h.must(h.signedIn("finance").Logout(h.Context())) }},
		"a player signed out":      {"/events" + settled, func(h eventTest) { h.must(h.signedIn("finance").Logout(h.Context())) }},
		"an admin's token expired": {"/admin/events", func(h eventTest) { h.clock.Advance(10 * time.Second) }},
		"a player's token expired": {"/events", func(h eventTest) { h.clock.Advance(10 * time.Second) }},
	} {
		t.Run(what, func(t *testing.T) {
			t.Parallel()
			h := newEventTest(t, setup{})
			h.role("finance", "finance", "")
			h.token("finance")
			h.clock.Advance(30*time.Minute - 5*time.Second)
			stream := h.opened("finance", one.path, "text/event-stream")
			if line, err := stream.ReadString('\n'); err != nil || !strings.HasPrefix(line, "id: ") {
				t.Fatalf("%q, %v", line, err)
			}
			one.ends(h)
			h.role("root", "superadmin", "")
			_, err := h.signedIn("root").Freeze(t.Context(), address("finance"), api.FreezeRequest{Frozen: true, Reason: "a dispute"})
			h.must(err)
			rest, err := io.ReadAll(stream)
			if err != nil || strings.Contains(string(rest), "frozen") {
				t.Errorf("sent is %q, %v", rest, err)
			}
		})
	}
}

// afterPage runs a function after the first page of the audit log was read.
type afterPage struct {
	ports.AuditLog
	happens func()
}

func (a *afterPage) Records(ctx context.Context, f ports.AuditFilter, p ports.Page) (ports.AuditPage, error) {
	page, err := a.AuditLog.Records(ctx, f, p)
	if a.happens != nil {
		a.happens()
		a.happens = nil
	}
	return page, err
}

// TestASheetEndsWithWhatItWasAdmittedBy: a sheet in progress is interrupted, so that it
// doesn't look complete, even if the new role may read the rest.
func TestASheetEndsWithWhatItWasAdmittedBy(t *testing.T) {
	t.Parallel()
	for what, ends := range map[string]func(h eventTest){
		"nothing":      func(eventTest) {},
		"role revoked": func(h eventTest) { h.unrole("boss") },
		"another role": func(h eventTest) { h.role("boss", "admin", "") },
		"signed out":   func(h eventTest) { h.must(h.signedIn("boss").Logout(h.Context())) },
	} {
		t.Run(what, func(t *testing.T) {
			t.Parallel()
			log := &afterPage{}
			h := newEventTest(t, setup{deps: func(d *app.Deps) { log.AuditLog, d.Store.AuditLog = d.Store.AuditLog, log }})
			h.role("boss", "superadmin", "")
			for i := range ports.PageMax + 50 {
				h.role(fmt.Sprint("admin ", i), "readonly", "")
			}
			h.token("boss")
			log.happens = func() { ends(h) }
			sheet, err := io.ReadAll(h.opened("boss", "/admin/audit", "text/csv"))
			if whole := err == nil; whole != (what == "nothing") || err != nil && !errors.Is(err, io.ErrUnexpectedEOF) {
				t.Errorf("%d lines, %v", strings.Count(string(sheet), "\n"), err)
			}
		})
	}
}
