package conformance

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/casino-service/casino/domain/stream"
	"github.com/casino-service/casino/domain/webhook"
	"github.com/casino-service/casino/ports"
)

// Hook is an adapter to agents' endpoints under test, with one receiver.
type Hook struct {
	ports.WebhookSite
	// URL is the receiver's URL.
	URL string
	// Gone is a URL without a listener, Guarded one with an address that isn't on the public
	// internet.
	Gone, Guarded string
}

// WebhookSite is the suite of ports.WebhookSite. newHook may wait for answers for any time: the
// suite waits for that too.
func WebhookSite(t *testing.T, newHook func(t *testing.T, receiver http.Handler) Hook) {
	for _, s := range hookCases {
		sub(t, s.sentence, func(t *testing.T) {
			s.prove(t, func(receiver http.HandlerFunc) Hook { return newHook(t, receiver) })
		})
	}
}

var hookCases = []struct {
	sentence string
	prove    func(t *testing.T, newHook func(receiver http.HandlerFunc) Hook)
}{
	{"a message is posted as it is, with its three headers", func(t *testing.T, newHook func(http.HandlerFunc) Hook) {
		var heard atomic.Int64
		h := newHook(func(w http.ResponseWriter, r *http.Request) {
			heard.Add(1)
			body, err := io.ReadAll(r.Body)
			if err != nil || string(body) != `{"id":"3.9.4","ü":1}` || r.Method != http.MethodPost {
				t.Errorf("%s %s, %v", r.Method, body, err)
			}
			for name, want := range map[string]string{
				"Webhook-Id": "3.9.4", "Webhook-Timestamp": "1800000000", "Webhook-Signature": "v1,YQ== v1,Yg==", "Content-Type": "application/cloudevents+json",
			} {
				if got := r.Header.Values(name); len(got) != 1 || got[0] != want {
					t.Errorf("%s is %q", name, got)
				}
			}
		})
		if got, err := h.Send(t.Context(), hookMessage(h)); err != nil || got != (webhook.Response{Status: http.StatusOK}) || heard.Load() != 1 {
			t.Errorf("answered %+v, %v; heard %d times", got, err, heard.Load())
		}
	}},
	{"any status is returned, and nothing else of the answer", func(t *testing.T, newHook func(http.HandlerFunc) Hook) {
		var status atomic.Int64
		h := newHook(func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("X-Secret", "secret")
			w.WriteHeader(int(status.Load()))
			_, _ = io.WriteString(w, "secret")
		})
		for _, want := range []int{200, 202, 299, 400, 404, 408, 410, 422, 429, 451, 500, 503, 599} {
			status.Store(int64(want))
			if got, err := h.Send(t.Context(), hookMessage(h)); err != nil || got != (webhook.Response{Status: want}) {
				t.Errorf("%d is %+v, %v", want, got, err)
			}
		}
	}},
	{"a redirect is a response and is not followed", func(t *testing.T, newHook func(http.HandlerFunc) Hook) {
		var heard atomic.Int64
		h := newHook(func(w http.ResponseWriter, r *http.Request) {
			heard.Add(1)
			http.Redirect(w, r, "/elsewhere", http.StatusTemporaryRedirect)
		})
		got, err := h.Send(t.Context(), hookMessage(h))
		if err != nil || got != (webhook.Response{Status: http.StatusTemporaryRedirect}) || heard.Load() != 1 {
			t.Errorf("answered %+v, %v; heard %d times", got, err, heard.Load())
		}
	}},
	{"Retry-After is returned, in seconds or as a moment", func(t *testing.T, newHook func(http.HandlerFunc) Hook) {
		var after atomic.Value
		h := newHook(func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Retry-After", after.Load().(string))
			w.WriteHeader(http.StatusServiceUnavailable)
		})
		for text, want := range map[string][2]time.Duration{
			"120": {2 * time.Minute, 2 * time.Minute}, "0": {}, "-5": {}, "soon": {}, "99999999999999999999": {}, "": {},
			h.moment(time.Hour): {58 * time.Minute, time.Hour}, h.moment(-time.Hour): {},
		} {
			after.Store(text)
			got, err := h.Send(t.Context(), hookMessage(h))
			errorIf(t, err != nil || got.Status != http.StatusServiceUnavailable || got.RetryAfter < want[0] || got.RetryAfter > want[1],
				"%q is %+v, %v", text, got, err)
		}
	}},
	{"an endpoint that isn't there is unreachable", func(t *testing.T, newHook func(http.HandlerFunc) Hook) {
		h := newHook(func(http.ResponseWriter, *http.Request) { t.Error("heard") })
		m := hookMessage(h)
		m.URL = h.Gone
		if got, err := h.Send(t.Context(), m); err != nil || got != (webhook.Response{Failure: webhook.Unreachable}) {
			t.Errorf("answered %+v, %v", got, err)
		}
	}},
	{"an address that isn't public is not connected to", func(t *testing.T, newHook func(http.HandlerFunc) Hook) {
		h := newHook(func(http.ResponseWriter, *http.Request) { t.Error("heard") })
		m := hookMessage(h)
		m.URL = h.Guarded
		if got, err := h.Send(t.Context(), m); err != nil || got != (webhook.Response{Failure: webhook.Guarded}) {
			t.Errorf("answered %+v, %v", got, err)
		}
	}},
	{"an endpoint that answers nothing times out", func(t *testing.T, newHook func(http.HandlerFunc) Hook) {
		h := newHook(func(_ http.ResponseWriter, r *http.Request) {
			_, _ = io.ReadAll(r.Body)
			<-r.Context().Done()
		})
		if got, err := h.Send(t.Context(), hookMessage(h)); err != nil || got != (webhook.Response{Failure: webhook.TimedOut}) {
			t.Errorf("answered %+v, %v", got, err)
		}
	}},
	{"an answer without end is its status", func(t *testing.T, newHook func(http.HandlerFunc) Hook) {
		h := newHook(func(w http.ResponseWriter, r *http.Request) {
			w.WriteHeader(http.StatusAccepted)
			for line := strings.Repeat("x", 1<<10); r.Context().Err() == nil; {
				if _, err := io.WriteString(w, line); err != nil {
					return
				}
			}
		})
		if got, err := h.Send(t.Context(), hookMessage(h)); err != nil || got != (webhook.Response{Status: http.StatusAccepted}) {
			t.Errorf("answered %+v, %v", got, err)
		}
	}},
	{"the error is that of a context that ended", func(t *testing.T, newHook func(http.HandlerFunc) Hook) {
		ctx, cancel := context.WithCancel(t.Context())
		h := newHook(func(_ http.ResponseWriter, r *http.Request) {
			_, _ = io.ReadAll(r.Body)
			cancel()
			<-r.Context().Done()
		})
		got, err := h.Send(ctx, hookMessage(h))
		errorIf(t, !errors.Is(err, context.Canceled), "answered %+v, %v", got, err)
	}},
}

func hookMessage(h Hook) webhook.Message {
	return webhook.Message{
		URL: h.URL, ID: "3.9.4", At: time.Unix(1_800_000_000, 5e8), Signatures: "v1,YQ== v1,Yg==", Body: []byte(`{"id":"3.9.4","ü":1}`),
	}
}

// moment returns a time from now in HTTP's format.
func (Hook) moment(from time.Duration) string {
	return time.Now().Add(from).UTC().Format(http.TimeFormat)
}

// EventEncoder is the suite of ports.EventEncoder.
func EventEncoder(t *testing.T, newEncoder func(t *testing.T) ports.EventEncoder) {
	sub(t, "an event is a JSON object, the same whenever it is written", func(t *testing.T) {
		encoder := newEncoder(t)
		for _, entry := range stream.Catalogue() {
			e := stream.Event{ID: "3.9.4", Type: entry.Type, Subject: "x", At: time.Unix(1_800_000_000, 5e8), Data: entry.Holds, Cursor: someCursor(7)}
			first, err := encoder.EncodeEvent("ledger", e)
			ok(t, err)
			var object map[string]any
			if err := json.Unmarshal(first, &object); err != nil || object["id"] != "3.9.4" || !strings.HasSuffix(object["type"].(string), string(e.Type)) {
				t.Errorf("%s is %s, %v", entry.Type, first, err)
			}
			if again, err := encoder.EncodeEvent("ledger", e); err != nil || string(again) != string(first) {
				t.Errorf("%s is %s then, %v", entry.Type, again, err)
			}
			if other, err := encoder.EncodeEvent("another", e); err != nil || string(other) == string(first) {
				t.Errorf("%s doesn't name its ledger: %s, %v", entry.Type, other, err)
			}
		}
	})
}
