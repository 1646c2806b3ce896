package bench_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"
	"time"

	"github.com/casino-service/casino/adapters/httpapi/api"
	"github.com/casino-service/casino/adapters/system"
	"github.com/casino-service/casino/cmd/internal/bench"
)

// TestAnUnknownOutcomeAccusesNobody books bets, and then loses the answer or reports an
// unknown outcome. The player's balance is then unknown, and the next answer must not count
// as bad.
func TestAnUnknownOutcomeAccusesNobody(t *testing.T) {
	t.Parallel()
	for code, answer := range map[string]func(http.ResponseWriter){
		"connection lost": func(http.ResponseWriter) { panic(http.ErrAbortHandler) },
		"UNAVAILABLE":     func(w http.ResponseWriter) { http.Error(w, `{"code":"UNAVAILABLE"}`, http.StatusServiceUnavailable) },
	} {
		for mix, path := range map[string]string{"play=2,/balance=1,/seed=1": "/play", "callback=1": "/gold_api"} {
			casino := newCasino()
			var n atomic.Int64
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if r.URL.Path == path && n.Add(1)%10 == 0 {
					casino.ServeHTTP(httptest.NewRecorder(), r)
					answer(w)
					return
				}
				casino.ServeHTTP(w, r)
			}))
			t.Cleanup(server.Close)
			service, err := bench.NewService(server.URL, time.Second, system.Default())
			noError(t, err)
			load := plan(service, mix, 1)
			load.Clients = 1
			result := casino.run(t, load, 200)
			if result.Bad > 0 || len(result.Failures) != 1 || result.Failures[0].Code != code || result.Answered < 10 {
				t.Errorf("%s, %s: %+v", code, mix, result)
			}
		}
	}
}

// TestCallbacksFailByTheirMessage refuses bets of a provider's game, and then reports
// unknown outcomes.
func TestCallbacksFailByTheirMessage(t *testing.T) {
	t.Parallel()
	for code, status := range map[string]int{"LIMIT_EXCEEDED": 200, "INTERNAL_ERROR": 503} {
		casino := newCasino()
		casino.before = func(w http.ResponseWriter, _ *http.Request) bool {
			w.WriteHeader(status)
			_, _ = w.Write([]byte(`{"status":0,"user_balance":4.5,"msg":"` + code + `"}`))
			return true
		}
		result := run(t, plan(casino.start(t), "callback=1", 2))
		if f := result.Failures; len(f) != 1 || f[0].Status != status || f[0].Code != code || f[0].Count != result.Requests || result.Bad > 0 || result.Answered > 0 {
			t.Errorf("%s: %+v", code, result)
		}
	}
}

// leaping is a clock that advances beyond the idle time of connections at every reading.
type leaping struct{ looks atomic.Int64 }

// Now advances the clock.
func (l *leaping) Now() time.Time {
	return time.Now().Add(time.Duration(l.looks.Add(1)) * time.Minute)
}

// TestAnIdleConnectionIsNotTrusted uses a service that closes idle connections after a
// while, like every service.
func TestAnIdleConnectionIsNotTrusted(t *testing.T) {
	t.Parallel()
	casino := newCasino()
	server := casino.serve(t)
	server.Config.IdleTimeout = 20 * time.Millisecond
	service, err := bench.NewService(server.URL+"/casino", time.Second, &leaping{})
	noError(t, err)
	load := plan(service, "play=1", 2)
	load.Rate, load.Duration = 20, 600*time.Millisecond
	if result := run(t, load); len(result.Failures) > 0 || result.Answered < 8 {
		t.Errorf("%+v", result)
	}
}

// TestRenewalsAreNotMeasured makes sign-ins slow.
func TestRenewalsAreNotMeasured(t *testing.T) {
	t.Parallel()
	const long = 900 * time.Millisecond
	for _, rate := range []float64{0, 5} {
		t.Run(fmt.Sprintf("at a rate of %g", rate), func(t *testing.T) {
			t.Parallel()
			casino := newCasino()
			casino.before = func(_ http.ResponseWriter, r *http.Request) bool {
				if r.URL.Path == "/auth/login" {
					<-time.After(long)
				}
				return false
			}
			load := plan(casino.start(t), "play=1", 1)
			load.Clients, load.Rate = 1, rate
			p := load.Players[0]
			p.ExpiresAt = time.Now().Add(30 * time.Second)
			p.SignIn = func(at time.Time) (api.LoginRequest, error) {
				return api.LoginRequest{Wallet: p.Wallet, Timestamp: at.UnixMilli()}, nil
			}
			if result := run(t, load); casino.requests["/auth/login"] != 1 || result.Requests == 0 || result.Slower(long/2) > 0 {
				t.Errorf("%+v", result)
			}
		})
	}
}

// TestAnInterruptedLoadWaitsForNoService uses a service that no longer answers.
func TestAnInterruptedLoadWaitsForNoService(t *testing.T) {
	t.Parallel()
	casino := newCasino()
	var asked atomic.Int64
	casino.before = func(_ http.ResponseWriter, r *http.Request) bool {
		if asked.Add(1) > 20 {
			<-r.Context().Done() // until the client hangs up
		}
		return false
	}
	server := casino.serve(t)
	service, err := bench.NewService(server.URL+"/casino", 30*time.Second, system.Default())
	noError(t, err)
	load := plan(service, "/history=1", 2)
	load.Duration = time.Hour
	ctx, cancel := context.WithTimeout(t.Context(), 200*time.Millisecond)
	defer cancel()
	begun := time.Now()
	result, err := bench.Run(ctx, load, system.Default(), nil)
	if took := time.Since(begun); err != nil || took > 15*time.Second || len(result.Failures) > 0 || result.Requests == 0 {
		t.Errorf("%v after %s: %+v", err, took, result)
	}
}

// TestABasePathIsSentAsItIsWritten, with characters escaped that a request line can't have.
func TestABasePathIsSentAsItIsWritten(t *testing.T) {
	t.Parallel()
	casino := newCasino()
	var other atomic.Int64
	casino.before = func(_ http.ResponseWriter, r *http.Request) bool {
		if r.URL.EscapedPath() != "/our%20tables%2f1/play" {
			other.Add(1)
		}
		return false
	}
	server := httptest.NewServer(casino)
	t.Cleanup(server.Close)
	service, err := bench.NewService(server.URL+"/our%20tables%2f1/", time.Second, system.Default())
	noError(t, err)
	if run(t, plan(service, "play=1", 2)); other.Load() > 0 || casino.requests["/our tables/1/play"] == 0 {
		t.Errorf("%d requests elsewhere, of %v", other.Load(), casino.requests)
	}
}
