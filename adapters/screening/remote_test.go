package screening_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/casino-service/casino/adapters/screening"
	"github.com/casino-service/casino/domain/admission"
	"github.com/casino-service/casino/domain/agent"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/webhook"
	"github.com/casino-service/casino/test/fakes"
)

var secret = webhook.NewSecret([32]byte{7})

// remoteAt returns the adapter that asks a server.
func remoteAt(t *testing.T, url string) *screening.Remote {
	t.Helper()
	r, err := screening.NewRemote(screening.RemoteConfig{URL: url, Secret: secret, Timeout: time.Second}, fakes.NewClock(fakes.Start), fakes.NewEntropy(1))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(r.Close)
	return r
}

// serve serves a handler, and returns the adapter that asks it.
func serve(t *testing.T, handler http.HandlerFunc) *screening.Remote {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body) // a server notices that its client left only after the body
		if err != nil {
			t.Error(err)
		}
		r.Body = io.NopCloser(bytes.NewReader(body))
		handler(w, r)
	}))
	t.Cleanup(server.Close)
	return remoteAt(t, server.URL)
}

// answering answers with a status and a text.
func answering(status int, text string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(status)
		_, _ = io.WriteString(w, text)
	}
}

var subject = admission.Subject{
	Point: admission.Withdrawal, Wallet: fakes.Wallet("alice"), Agent: "acme", Remote: netip.MustParseAddr("::ffff:81.2.69.142"),
	Address: string(fakes.Wallet("bob")), ID: "w-1",
}

func TestARequestIsSignedAndWhole(t *testing.T) {
	t.Parallel()
	ids := map[string]bool{}
	r := serve(t, func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		id, at := r.Header.Get("webhook-id"), r.Header.Get("webhook-timestamp")
		if err != nil || r.Method != http.MethodPost || r.Header.Get("Content-Type") != "application/json" || ids[id] {
			t.Errorf("%s %v of id %q, %v", r.Method, r.Header, id, err)
		}
		ids[id] = true
		if err := webhook.Verify(secret, id, at, r.Header.Get("webhook-signature"), body, fakes.Start); err != nil {
			t.Error(err)
		}
		var got map[string]any
		want := map[string]any{
			"point": "withdrawal", "wallet": string(subject.Wallet), "agent": "acme", "remote": "81.2.69.142", "address": subject.Address, "id": "w-1",
			"at": float64(fakes.Start.UnixMilli()),
		}
		if err := json.Unmarshal(body, &got); err != nil || len(got) != len(want) {
			t.Errorf("%s, %v", body, err)
		}
		for name, value := range want {
			if got[name] != value && !(name == "remote" && got[name] == "") {
				t.Errorf("%s is %v, want %v", name, got[name], value)
			}
		}
		_, _ = io.WriteString(w, `{"verdict":"review","evidence":"case; 7\n"}`)
	})
	want(t, r, subject, admission.Review, "case  7 ")
	without := subject
	without.Remote = netip.Addr{}
	want(t, r, without, admission.Review, "case  7 ")
	if len(ids) != 2 {
		t.Errorf("%d requests", len(ids))
	}
}

func TestAnswers(t *testing.T) {
	t.Parallel()
	for text, verdict := range map[string]admission.Verdict{
		`{"verdict":"allow"}`: admission.Allow, "{\"verdict\":\"review\",\"evidence\":\"\"}\n": admission.Review,
		`{"verdict":"deny","evidence":"` + strings.Repeat("ä", 500) + `"}`: admission.Deny,
	} {
		got, err := serve(t, answering(http.StatusOK, text)).Screen(t.Context(), subject)
		if err != nil || got.Verdict != verdict || len(got.Evidence) > admission.EvidenceMax || got.Screener != "remote" {
			t.Errorf("%.40s: %+v, %v", text, got, err)
		}
	}
}

// TestWhatIsNoAnswerIsAnError, and never an allowance.
func TestWhatIsNoAnswerIsAnError(t *testing.T) {
	t.Parallel()
	const allow = `{"verdict":"allow","evidence":""}`
	target := httptest.NewServer(answering(http.StatusOK, allow))
	t.Cleanup(target.Close)
	handlers := map[string]http.HandlerFunc{
		"a redirect": func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, target.URL, http.StatusTemporaryRedirect)
		},
		"a redirect that also allows": func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Location", target.URL)
			answering(http.StatusFound, allow)(w, nil)
		},
		"more than the most": answering(http.StatusOK, allow+strings.Repeat(" ", 5000)),
		"no time left":       func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() },
		"half of an answer": func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Length", "100")
			answering(200, allow)(w, r)
		},
		"too many header": func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("X", strings.Repeat("x", 1<<20))
			answering(200, allow)(w, r)
		},
		"a body after headers": func(w http.ResponseWriter, r *http.Request) { w.(http.Flusher).Flush(); <-r.Context().Done() },
	}
	for _, status := range []int{201, 204, 400, 401, 404, 429, 500, 502, 503} {
		handlers["status "+http.StatusText(status)] = answering(status, map[bool]string{true: "", false: allow}[status == http.StatusNoContent])
	}
	for _, text := range []string{
		``, `null`, `"allow"`, `true`, `[]`, `{}`, `allow`, `{"verdict":""}`, `{"verdict":null}`, `{"verdict":1}`, `{"verdict":"Allow"}`, `{"verdict":"ALLOW"}`,
		`{"verdict":"allowed"}`, `{"verdict":" allow"}`, `{"verdict":["allow"]}`, `{"Verdict":"allow"}`, `{"verdict":"deny","verdict":"allow"}`, `{"verdict":"allow"}{}`,
		`{"verdict":"allow"`, `{"verdict":"allow","evidence":7}`, `{"verdict":"allow","more":1}`, `{"verdict":"allow","Verdict":"deny"}`, "{\"verdict\":\"allow\",\"evidence\":\"\xff\"}",
		`{"evidence":"allow"}`, `<html>allow</html>`,
	} {
		handlers["the answer "+text] = answering(http.StatusOK, text)
	}
	for name, handler := range handlers {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			isAway(t, serve(t, handler))
		})
	}
	t.Run("connection refused", func(t *testing.T) {
		t.Parallel()
		gone := httptest.NewServer(http.NotFoundHandler())
		gone.Close()
		isAway(t, remoteAt(t, gone.URL))
	})
	t.Run("no HTTP", func(t *testing.T) {
		t.Parallel()
		listener, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = listener.Close() })
		go func() {
			if connection, err := listener.Accept(); err == nil {
				_, _ = io.WriteString(connection, allow)
				_ = connection.Close()
			}
		}()
		isAway(t, remoteAt(t, "http://"+listener.Addr().String()))
	})
	t.Run("a certificate of an unknown authority", func(t *testing.T) {
		t.Parallel()
		server := httptest.NewUnstartedServer(answering(http.StatusOK, allow))
		server.Config.ErrorLog = nil
		server.StartTLS()
		t.Cleanup(server.Close)
		isAway(t, remoteAt(t, server.URL))
	})
}

// TestOfALongAnswerLittleIsRead: a server can't fill the memory.
func TestOfALongAnswerLittleIsRead(t *testing.T) {
	t.Parallel()
	written := make(chan int, 1)
	isAway(t, serve(t, func(w http.ResponseWriter, r *http.Request) {
		sum := 0
		for piece := strings.Repeat(" ", 1000); r.Context().Err() == nil; {
			n, err := io.WriteString(w, piece)
			if sum += n; err != nil {
				break
			}
		}
		written <- sum
	}))
	if sum := <-written; sum > 16<<20 { // buffers on the way
		t.Errorf("%d bytes were taken", sum)
	}
}

// isAway checks that a screener tells nothing.
func isAway(t *testing.T, r *screening.Remote) {
	t.Helper()
	if got, err := r.Screen(t.Context(), subject); !fault.Is(err, fault.Unavailable) || got != (admission.Finding{}) {
		t.Errorf("%+v, %v", got, err)
	}
}

func TestConfigurationsThatAreRefused(t *testing.T) {
	t.Parallel()
	good := screening.RemoteConfig{URL: "https://screener.example/casino", Secret: secret}
	for _, url := range []string{good.URL, "http://127.0.0.1:8000/", "http://[::1]:8000", "http://localhost/x", "https://10.0.0.7"} {
		if err := screening.CheckURL(url); err != nil {
			t.Errorf("%s: %v", url, err)
		}
	}
	for name, change := range map[string]func(*screening.RemoteConfig){
		"no URL":            func(c *screening.RemoteConfig) { c.URL = "" },
		"no host":           func(c *screening.RemoteConfig) { c.URL = "https:///x" },
		"no encryption":     func(c *screening.RemoteConfig) { c.URL = "http://screener.example/" },
		"a private network": func(c *screening.RemoteConfig) { c.URL = "http://10.0.0.7/" },
		"almost this host":  func(c *screening.RemoteConfig) { c.URL = "http://localhost.example/" },
		"another protocol":  func(c *screening.RemoteConfig) { c.URL = "ftp://127.0.0.1/" },
		"credentials":       func(c *screening.RemoteConfig) { c.URL = "https://user:pass@screener.example/" },
		"a query":           func(c *screening.RemoteConfig) { c.URL = "https://screener.example/?key=hunter2" },
		"no secret":         func(c *screening.RemoteConfig) { c.Secret = agent.Secret{} },
		"a short secret":    func(c *screening.RemoteConfig) { c.Secret = agent.SecretFrom("whsec_aHVudGVyMg==") },
		"no time":           func(c *screening.RemoteConfig) { c.Timeout = time.Millisecond },
		"too much time":     func(c *screening.RemoteConfig) { c.Timeout = time.Minute },
		"negative time":     func(c *screening.RemoteConfig) { c.Timeout = -time.Second },
	} {
		c := good
		change(&c)
		r, err := screening.NewRemote(c, fakes.NewClock(fakes.Start), fakes.NewEntropy(1))
		if err == nil || r != nil || strings.Contains(err.Error(), "hunter2") || strings.Contains(err.Error(), "aHVudGVyMg") || strings.Contains(err.Error(), "pass") {
			t.Errorf("%s: %v", name, err)
		}
	}
	all, err := screening.NewRemote(good, fakes.NewClock(fakes.Start), fakes.NewEntropy(1))
	if err != nil {
		t.Fatal(err)
	}
	good.Points = []admission.Point{admission.Deposit}
	one, err := screening.NewRemote(good, fakes.NewClock(fakes.Start), fakes.NewEntropy(1))
	if err != nil {
		t.Fatal(err)
	}
	for _, at := range admission.Points() {
		if !all.Screens(at) || one.Screens(at) != (at == admission.Deposit) {
			t.Errorf("%s: %t, %t", at, all.Screens(at), one.Screens(at))
		}
	}
}

func TestPoints(t *testing.T) {
	t.Parallel()
	if points, err := screening.ParsePoints([]string{"payout", "signin"}); err != nil || len(points) != 2 || points[0] != admission.Payout {
		t.Errorf("%v, %v", points, err)
	}
	_, err := screening.ParsePoints([]string{"", "Payout", "payout", "payout"})
	if err == nil || strings.Count(err.Error(), "is not a point") != 2 || !strings.Contains(err.Error(), "twice") {
		t.Error(err)
	}
}

// network is a network of one server for a bubble of synctest, in which sockets don't work.
type network struct {
	down  atomic.Bool
	asked atomic.Int64
	// entered receives a value when a request arrives, and release lets it be answered; nil if
	// requests don't wait.
	entered, release chan struct{}
}

func (n *network) RoundTrip(r *http.Request) (*http.Response, error) {
	n.asked.Add(1)
	if n.release != nil {
		n.entered <- struct{}{}
		select {
		case <-n.release:
		case <-r.Context().Done():
			return nil, r.Context().Err()
		}
	}
	if n.down.Load() {
		return nil, errDown
	}
	w := httptest.NewRecorder()
	answering(http.StatusOK, `{"verdict":"allow"}`)(w, r)
	return w.Result(), nil
}

// on returns a screener in the network.
func (n *network) on(t *testing.T) *screening.Remote {
	t.Helper()
	r := remoteAt(t, "https://screener.example/")
	r.Use(n)
	return r
}

// TestTheBreaker leaves a failing screener alone, tries one request after a while, and asks again
// after a good answer.
func TestTheBreaker(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		n := &network{}
		r := n.on(t)
		asks := func(requests int64, fails bool) {
			t.Helper()
			before := n.asked.Load()
			got, err := r.Screen(t.Context(), subject)
			if asked := n.asked.Load() - before; asked != requests || (err != nil) != fails || fails && (got != admission.Finding{} || !fault.Is(err, fault.Unavailable)) {
				t.Errorf("%d requests, %+v, %v", asked, got, err)
			}
		}
		n.down.Store(true)
		for range screening.BreakAfter - 1 {
			asks(1, true)
		}
		n.down.Store(false)
		asks(1, false) // not in a row
		n.down.Store(true)
		for range screening.BreakAfter {
			asks(1, true)
		}
		asks(0, true)
		n.down.Store(false)
		time.Sleep(screening.BreakFor) // allowed: the clock is synctest's
		asks(0, true)
		n.down.Store(true)
		time.Sleep(time.Nanosecond) // allowed: the clock is synctest's
		asks(1, true)               // the trial fails
		asks(0, true)
		time.Sleep(screening.BreakFor + 1) // allowed: the clock is synctest's
		n.down.Store(false)

		n.entered, n.release = make(chan struct{}), make(chan struct{})
		trial := make(chan error)
		go func() {
			_, err := r.Screen(t.Context(), subject)
			trial <- err
		}()
		<-n.entered
		asks(0, true) // one trial at a time
		n.release <- struct{}{}
		if err := <-trial; err != nil {
			t.Error(err)
		}
		n.release = nil
		asks(1, false)
	})
}

// TestAHangingScreenerCostsItsTimeout, and then nothing.
func TestAHangingScreenerCostsItsTimeout(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		n := &network{entered: make(chan struct{}, 100), release: make(chan struct{})}
		r := n.on(t)
		for i := range screening.BreakAfter + 1 {
			begun, took := time.Now(), time.Second
			if i == screening.BreakAfter {
				took = 0
			}
			if isAway(t, r); time.Since(begun) != took {
				t.Errorf("call %d took %s", i, time.Since(begun))
			}
		}
	})
}

// TestCallersThatStopWaiting don't trip the breaker.
func TestCallersThatStopWaiting(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		n := &network{entered: make(chan struct{}, 100), release: make(chan struct{})}
		r := n.on(t)
		for range 2 * screening.BreakAfter {
			ctx, cancel := context.WithCancel(t.Context())
			time.AfterFunc(time.Millisecond, cancel)
			if got, err := r.Screen(ctx, subject); !errors.Is(err, context.Canceled) || got != (admission.Finding{}) {
				t.Errorf("%+v, %v", got, err)
			}
		}
		n.release = nil
		want(t, r, subject, admission.Allow, "")
	})
}
