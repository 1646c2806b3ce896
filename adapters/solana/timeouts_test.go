package solana_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"
	"time"

	"github.com/casino-service/casino/adapters/solana"
	"github.com/casino-service/casino/domain/fault"
)

// scripted is a node that fails as scripted, then answers as a healthy one.
type scripted struct {
	calls atomic.Int64
	fails []func(http.ResponseWriter)
}

func (s *scripted) ServeHTTP(out http.ResponseWriter, in *http.Request) {
	number := s.calls.Add(1)
	if int(number) <= len(s.fails) {
		s.fails[number-1](out)
		return
	}
	var asked struct{ ID json.RawMessage }
	_ = json.NewDecoder(in.Body).Decode(&asked) // the adapter's own JSON
	fmt.Fprintf(out, `{"jsonrpc":"2.0","id":%s,"result":"ok"}`, asked.ID)
}

// says returns an answer with a status and a Retry-After.
func says(status int, after string) func(http.ResponseWriter) {
	return func(out http.ResponseWriter) {
		if after != "" {
			out.Header().Set("Retry-After", after)
		}
		out.WriteHeader(status)
	}
}

func (w *world) withTimeouts(node http.Handler, timeouts solana.Timeouts) *solana.Node {
	w.Helper()
	server := httptest.NewServer(node)
	w.Cleanup(server.Close)
	made, err := solana.New(solana.Config{RPC: server.URL, Treasury: w.pair(), Timeouts: timeouts})
	if err != nil {
		w.Fatal(err)
	}
	w.Cleanup(made.Close)
	return made
}

func TestABusyNodeIsCalledAgain(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	short := solana.Timeouts{Pause: time.Millisecond, Longest: 500 * time.Millisecond}
	for name, r := range map[string]struct {
		fails []func(http.ResponseWriter)
		calls int64
		good  bool
	}{
		"twice too many requests":        {[]func(http.ResponseWriter){says(429, ""), says(429, "0")}, 3, true},
		"a gateway that restarts":        {[]func(http.ResponseWriter){says(502, ""), says(503, "")}, 3, true},
		"three times":                    {[]func(http.ResponseWriter){says(429, ""), says(504, ""), says(429, "")}, 3, false},
		"longer than anybody would wait": {[]func(http.ResponseWriter){says(429, "3600")}, 1, false},
		"a second, which is too long":    {[]func(http.ResponseWriter){says(429, "1")}, 1, false},
		"an invalid Retry-After":         {[]func(http.ResponseWriter){says(429, "tomorrow")}, 2, true},
		"an error of its own":            {[]func(http.ResponseWriter){says(500, "")}, 1, false},
		"a key that is wrong":            {[]func(http.ResponseWriter){says(401, "")}, 1, false},
	} {
		node := &scripted{fails: r.fails}
		err := w.withTimeouts(node, short).Healthy(t.Context())
		if (err == nil) != r.good || err != nil && !fault.Is(err, fault.External) || node.calls.Load() != r.calls {
			t.Errorf("%s: %d calls, %v", name, node.calls.Load(), err)
		}
	}
}

func TestPausesGrowAndJitterShortensThem(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	drawn := 0
	jitter := func() float64 { drawn++; return 0.999 }
	node := &scripted{fails: []func(http.ResponseWriter){says(429, ""), says(429, "")}}
	if err := w.withTimeouts(node, solana.Timeouts{Pause: time.Millisecond, Jitter: jitter}).Healthy(t.Context()); err != nil || drawn != 2 {
		t.Errorf("%d draws for two pauses, %v", drawn, err)
	}
	// A pause of an hour is beyond the longest, shortened or not.
	node = &scripted{fails: []func(http.ResponseWriter){says(429, "")}}
	if err := w.withTimeouts(node, solana.Timeouts{Pause: time.Hour, Jitter: jitter}).Healthy(t.Context()); err == nil || node.calls.Load() != 1 {
		t.Errorf("%d calls, %v", node.calls.Load(), err)
	}
}

func TestANodeThatFailsGetsNoCalls(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	down := make([]func(http.ResponseWriter), 5)
	for i := range down {
		down[i] = says(500, "")
	}
	node := &scripted{fails: down}
	adapter := w.withTimeouts(node, solana.Timeouts{BreakAfter: 5, BreakFor: time.Hour})
	for range 20 {
		if err := adapter.Healthy(t.Context()); !fault.Is(err, fault.External) {
			t.Fatal(err)
		}
	}
	if calls := node.calls.Load(); calls != 5 {
		t.Errorf("asked %d times, want to be left alone after 5", calls)
	}
	node = &scripted{fails: down}
	adapter = w.withTimeouts(node, solana.Timeouts{BreakAfter: 5, BreakFor: time.Nanosecond})
	for range 5 {
		if err := adapter.Healthy(t.Context()); err == nil {
			t.Fatal("healthy")
		}
	}
	for range 3 {
		if err := adapter.Healthy(t.Context()); err != nil {
			t.Errorf("after it came back: %v", err)
		}
	}
}
