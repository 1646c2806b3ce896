package capture_test

import (
	"bytes"
	"context"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/casino-service/casino/cmd/internal/capture"
)

// refusing answers with a refusal like the service's.
func refusing(w http.ResponseWriter, status int, code string) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_, _ = w.Write([]byte(`{"error":"not now","code":"` + code + `"}`))
}

// TestTroubleLosesNoRound: with lost answers, a busy service and ended sessions, the
// capture is still complete and clean.
func TestTroubleLosesNoRound(t *testing.T) {
	t.Parallel()
	var lost, busy, ended atomic.Int64
	troubled := func(honest http.Handler) http.Handler {
		n := int64(0)
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.Header.Get("Authorization") == "" || strings.HasSuffix(r.URL.Path, "/deposit") {
				honest.ServeHTTP(w, r)
				return
			}
			switch n++; {
			case n%7 == 0:
				lost.Add(1)
				honest.ServeHTTP(httptest.NewRecorder(), r)
				panic(http.ErrAbortHandler)
			case n%11 == 0:
				busy.Add(1)
				refusing(w, http.StatusServiceUnavailable, "UNAVAILABLE")
			case n%13 == 0:
				busy.Add(1)
				refusing(w, http.StatusTooManyRequests, "RATE_LIMITED")
			case n%17 == 0:
				ended.Add(1)
				refusing(w, http.StatusUnauthorized, "EXPIRED_TOKEN")
			default:
				honest.ServeHTTP(w, r)
			}
		})
	}
	signIns := 0
	file, summary := house{between: troubled}.taken(t, 1, func(p *capture.Plan) {
		few(p)
		token := p.Players[0].Token
		p.Players[0].SignIn = func(context.Context) (string, error) { signIns++; return token, nil }
	})
	report := checked(t, file)
	if !report.Clean || report.Rounds != 180 || summary.Stopped != "" {
		t.Errorf("%+v %+v", summary, report.Findings)
	}
	if lost.Load() < 20 || busy.Load() < 20 || int64(signIns) != ended.Load() || signIns < 10 {
		t.Errorf("%d lost answers, %d refusals, %d ended sessions, %d sign-ins", lost.Load(), busy.Load(), ended.Load(), signIns)
	}
}

// TestAnInterruptedCaptureIsRevealed: the played rounds can be checked, and the end is
// marked as early.
func TestAnInterruptedCaptureIsRevealed(t *testing.T) {
	t.Parallel()
	for name, stop := range map[string]func(*capture.Plan, context.CancelFunc) house{
		"interrupted": func(p *capture.Plan, cancel context.CancelFunc) house {
			p.Watch = func(done, _ int) {
				if done == 50 {
					cancel()
				}
			}
			return house{}
		},
		"not paid any more": func(*capture.Plan, context.CancelFunc) house {
			played := 0
			return house{between: func(honest http.Handler) http.Handler {
				return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
					if r.Method == http.MethodPost && (strings.HasSuffix(r.URL.Path, "/play") || strings.HasSuffix(r.URL.Path, "/rounds")) {
						if played++; played > 50 {
							refusing(w, http.StatusBadRequest, "INSUFFICIENT_USER_FUNDS")
							return
						}
					}
					honest.ServeHTTP(w, r)
				})
			}}
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			plan := capture.Plan{}
			h := stop(&plan, cancel)
			watch := plan.Watch
			file, summary := h.during(ctx, t, 1, func(p *capture.Plan) {
				few(p)
				p.Watch = watch
			})
			report := checked(t, file)
			if slices.ContainsFunc(report.Findings, notRefusal) || report.Rounds != 50 || summary.Stopped == "" || report.Stopped != summary.Stopped {
				t.Errorf("%+v %+v", summary, report)
			}
		})
	}
}

// TestRoundsThatTheHouseBoundsAreClean: the house limits them to 50 wagers if their config
// has no limit.
func TestRoundsThatTheHouseBoundsAreClean(t *testing.T) {
	t.Parallel()
	file, summary := house{maxPayout: 1_234_567}.taken(t, 2, func(p *capture.Plan) {
		p.Games, p.Rounds = []string{"mines", "hilo", "dragontower"}, 60
	})
	report := checked(t, file)
	bounded := 0
	for line := range bytes.Lines(file) {
		if bytes.Contains(line, []byte(`"line":"open"`)) && !bytes.Contains(line, []byte(`"config":{"mines":1,"maxMultiplier"`)) && bytes.Contains(line, []byte(`"maxMultiplier":50.0000}`)) {
			bounded++
		}
	}
	if !report.Clean || bounded < 3 {
		t.Errorf("%d rounds were bounded, %+v\n%+v", bounded, summary, report.Findings)
	}
}

// notRefusal reports whether a finding is no unsigned refusal, as those of these tests are.
func notRefusal(f capture.Finding) bool { return f.Check != "refusal" }

// TestARefusalForTheMomentIsTriedAgain: a round may be refused while others are open.
func TestARefusalForTheMomentIsTriedAgain(t *testing.T) {
	t.Parallel()
	var opened atomic.Int64
	file, summary := house{between: func(honest http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.Method == http.MethodPost && strings.HasSuffix(r.URL.Path, "/rounds") && opened.Add(1)%4 != 0 {
				refusing(w, http.StatusBadRequest, "WAGER_OUT_OF_RANGE")
				return
			}
			honest.ServeHTTP(w, r)
		})
	}}.taken(t, 2, func(p *capture.Plan) { p.Games, p.Rounds = []string{"videopoker"}, 20 })
	report := checked(t, file)
	if report.Rounds != 20 || len(summary.Refused) != 0 || report.Refusals != 60 {
		t.Errorf("%+v %+v", summary, report)
	}
	for _, f := range report.Findings { // nobody signed these
		if f.Check != "refusal" {
			t.Errorf("%+v", f)
		}
	}
}
