package bench_test

import (
	"bytes"
	"context"
	"io"
	"math"
	"net/http"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/casino-service/casino/adapters/httpapi/api"
	"github.com/casino-service/casino/adapters/system"
	"github.com/casino-service/casino/cmd/internal/bench"
)

func TestAMixSaysWhatIsSentAndHowOften(t *testing.T) {
	t.Parallel()
	for text, why := range map[string]string{
		"": "form", "play": "form", "play=": "share", "play=0": "share", "play=-1": "share", "play=1.5": "share", "play=9999999": "share",
		"fun=1": "neither", "play=1,play=2": "twice", "/a b=1": "neither", "/a\r\nX: y=1": "neither", "balance=1": "neither",
	} {
		if _, err := bench.ParseMix(text); err == nil || !strings.Contains(err.Error(), why) {
			t.Errorf("%q: %v", text, err)
		}
	}
	mix, err := bench.ParseMix("play=90,/history?limit=100=10")
	if err != nil || mix.String() != "play=90,/history?limit=100=10" || !mix.Has("/history?limit=100") || mix.Has(bench.Read) {
		t.Fatalf("%v, %v", mix, err)
	}
}

func TestALoadIsItsMix(t *testing.T) {
	t.Parallel()
	casino := newCasino()
	service := casino.start(t)
	load := plan(service, "play=4,receipt=2,read=3,/public/games=1", 7)
	load.Duration = 500 * time.Millisecond
	result := run(t, load)
	if result.Bad > 0 || len(result.Failures) > 0 {
		t.Fatalf("%+v", result)
	}
	for i, share := range []float64{0.4, 0.2, 0.3, 0.1} {
		if got := float64(result.Kinds[i].Requests) / float64(result.Requests); got < share-0.05 || got > share+0.05 {
			t.Errorf("%s is %.2f of %d requests", result.Kinds[i].Kind, got, result.Requests)
		}
	}
	for _, path := range []string{"/play", "/balance", "/seed", "/history", "/public/games"} {
		if casino.requests[path] == 0 {
			t.Errorf("%s was never asked", path)
		}
	}
	if l := result.Latency; result.PerSecond <= 0 || l.P50 <= 0 || !slices.IsSorted([]float64{l.P50, l.P90, l.P99, l.P999, l.Max}) || result.Seconds < 0.49 {
		t.Errorf("%+v", result)
	}
	var text, figures bytes.Buffer
	if err := result.Print(&text); err != nil || !strings.Contains(text.String(), "0 failed, 0 bad answers") {
		t.Errorf("%v\n%s", err, text.String())
	}
	if err := result.PrintHistogram(&figures); err != nil || !strings.Contains(figures.String(), "Total count") {
		t.Errorf("%v\n%s", err, figures.String())
	}
}

// TestAnswersThatCannotBeTrueAreFound changes one value in one answer at a time.
func TestAnswersThatCannotBeTrueAreFound(t *testing.T) {
	t.Parallel()
	replace := func(path, from, to string) func(string, string) string {
		var once sync.Once
		var seen atomic.Int64
		return func(at, body string) string {
			if at == path && seen.Add(1) > 20 && strings.Contains(body, from) {
				once.Do(func() { body = strings.Replace(body, from, to, 1) })
			}
			return body
		}
	}
	for name, c := range map[string]struct {
		wrong func(path, body string) string
		why   string
	}{
		"no receipt":           {replace("/play", `"signature":`, `"left":`), "receipt"},
		"a balance":            {replace("/play", `"balance":`, `"balance":1`), "expected"},
		"a payout":             {replace("/play", `"payout":198,`, `"payout":199198,`), "payout is 199198"},
		"a loss that pays":     {replace("/play", `"payout":0,`, `"payout":50,`), "payout is 50"},
		"a nonce":              {replace("/play", `"nonce":`, `"nonce":7`), "nonce"},
		"another wager":        {replace("/play", `"wager":100,`, `"wager":101,`), "another bet"},
		"another token":        {replace("/play", mint, mint[1:]), "another bet"},
		"another game":         {replace("/play", `"dice"`, `"limbo"`), "another bet"},
		"a seed shown":         {replace("/play", `"serverSeed":null`, `"serverSeed":"x"`), "commitment"},
		"no commitment":        {replace("/play", hash, "abab"), "commitment"},
		"no balance":           {replace("/play", `"balance":`, `"left":`), "not a settled round"},
		"no number":            {replace("/play", `"payout":0`, `"payout":"0"x`), "not a settled round"},
		"half a body":          {replace("/play", `}`, ``), "not a settled round"},
		"no JSON":              {replace("/play", `{"round"`, `<html>`), "not a settled round"},
		"an older balance":     {replace("/balance", `"balance":`, `"balance":1`), "/balance shows"},
		"no balance at all":    {replace("/balance", mint, "another"), "/balance shows nothing"},
		"an older nonce":       {replace("/seed", `"nonce":`, `"nonce":9`), "/seed shows nonce"},
		"a pair without hash":  {replace("/seed", hash, ""), "/seed shows no pair"},
		"a list that is none":  {replace("/history", "rounds", "bounds"), "/history"},
		"a read that is empty": {replace("/history", `{"rounds":[]}`, ""), "no JSON object"},
		"a callback's balance": {replace("/gold_api", `"user_balance":`, `"user_balance":1`), "billionths"},
		"a step too far":       {replace("/rounds/r/steps", `"step":`, `"step":1`), "comes after"},
		"a step that takes":    {replace("/rounds/r/steps", `"balance":`, `"balance":1`), "expected"},
		"another's step":       {replace("/rounds/r/steps", `"id":"r"`, `"id":"s"`), "another round"},
		"a cash-out too large": {replace("/rounds/r/steps", `"payout":495,`, `"payout":995,`), "payout is 995"},
		"a step's shape":       {replace("/rounds/r/steps", `"status":"open"`, `"status":"shut"`), "neither"},
		"an opening's balance": {replace("/rounds", `"balance":`, `"balance":1`), "expected"},
		"an opening's nonce":   {replace("/rounds", `"nonce":`, `"nonce":7`), "nonce"},
		"an opening's game":    {replace("/rounds", `"mines"`, `"hilo"`), "another round"},
		"an opening's step":    {replace("/rounds", `"step":`, `"step":4`), "another round"},
		"an opening's shape":   {replace("/rounds", `"status":"open"`, `"status":"shut"`), "not an open round"},
		"a callback's shape":   {replace("/gold_api", `"user_balance":`, `"user_balance":-`), "not one to a callback"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			casino := newCasino()
			service := casino.start(t)
			casino.wrong = c.wrong
			load := plan(service, "play=4,read=3", 2)
			if name == "no receipt" {
				load = plan(service, "receipt=1", 2)
			}
			if strings.HasPrefix(name, "a callback") {
				load = plan(service, "callback=1", 1)
			}
			requests := int64(300)
			if strings.Contains(name, "step") || strings.Contains(name, "opening") || strings.Contains(name, "cash-out") {
				load, requests = plan(service, "step=6,play=1", 2), 900
			}
			// A second client that starts late could get the changed answer before it has values
			// to compare it with.
			load.Clients = 1
			result := casino.run(t, load, requests)
			if result.Bad != 1 || len(result.BadExamples) != 1 || !strings.Contains(result.BadExamples[0], c.why) {
				t.Errorf("%d bad: %q, want one that says %q", result.Bad, result.BadExamples, c.why)
			}
		})
	}
}

// TestRoundsAreLeftToNobody loads a casino with open rounds of an earlier load: they are
// cashed out; those of other games are left.
func TestRoundsAreLeftToNobody(t *testing.T) {
	t.Parallel()
	casino := newCasino()
	casino.steps["player0"], casino.steps["player1"] = 7, 0
	result := casino.run(t, plan(casino.start(t), "step=3,/balance=1", 2), 200)
	if result.Bad > 0 || len(result.Failures) > 0 {
		t.Fatalf("%+v", result)
	}
	if lists, opened := casino.requests["/rounds"], casino.nonces["player0"]; lists < 4 || opened == 0 {
		t.Errorf("%d requests of /rounds, %d rounds", lists, opened)
	}
}

// TestFailuresCountByStatusAndCode refuses, fails, disconnects and hangs, and expects each
// failure under its name; a server error is a bad answer too.
func TestFailuresCountByStatusAndCode(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		before func(http.ResponseWriter, *http.Request) bool
		status int
		code   string
		bad    bool
	}{
		"refused": {func(w http.ResponseWriter, _ *http.Request) bool {
			http.Error(w, `{"error":"no","code":"INSUFFICIENT_USER_FUNDS"}`, http.StatusBadRequest)
			return true
		}, 400, "INSUFFICIENT_USER_FUNDS", false},
		"a defect": {func(w http.ResponseWriter, _ *http.Request) bool {
			http.Error(w, `{"error":"no","code":"INTERNAL_ERROR"}`, http.StatusInternalServerError)
			return true
		}, 500, "INTERNAL_ERROR", true},
		"a proxy's": {func(w http.ResponseWriter, _ *http.Request) bool {
			http.Error(w, `<html>`, http.StatusBadGateway)
			return true
		}, 502, "no code", false},
		"hung up": {func(w http.ResponseWriter, _ *http.Request) bool {
			panic(http.ErrAbortHandler)
		}, 0, "connection lost", false},
		"no answer": {func(_ http.ResponseWriter, r *http.Request) bool {
			_, _ = io.Copy(io.Discard, r.Body)
			<-r.Context().Done() // until the client hangs up
			return true
		}, 0, "timeout", false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			casino := newCasino()
			casino.before = c.before
			result := run(t, plan(casino.start(t), "play=1", 2))
			if len(result.Failures) != 1 || result.Failures[0].Status != c.status || result.Failures[0].Code != c.code ||
				result.Failures[0].Count != result.Requests || result.PerSecond != 0 || c.bad != (result.Bad > 0) {
				t.Errorf("%+v", result)
			}
		})
	}
}

// TestARateHidesNoWait stops the service for a while: requests due in that time count as
// waiting, although the single client couldn't send them.
func TestARateHidesNoWait(t *testing.T) {
	t.Parallel()
	for rate, waited := range map[float64]int64{0: 1, 200: 30} {
		casino := newCasino()
		var asked atomic.Int64
		casino.before = func(http.ResponseWriter, *http.Request) bool {
			if asked.Add(1) == 20 {
				<-time.After(800 * time.Millisecond)
			}
			return false
		}
		load := plan(casino.start(t), "play=1", 1)
		load.Clients, load.Rate, load.Duration = 1, rate, 1500*time.Millisecond
		result := run(t, load)
		var text bytes.Buffer
		noError(t, result.PrintHistogram(&text))
		if late := result.Slower(500 * time.Millisecond); late < waited || rate == 0 && late != waited {
			t.Errorf("at a rate of %g, %d requests waited for longer than 500 ms, expected %d", rate, late, waited)
		}
	}
}

// TestARateIsKept sends the exact number of requests, and reports those not sent.
func TestARateIsKept(t *testing.T) {
	t.Parallel()
	casino := newCasino()
	load := plan(casino.start(t), "play=1", 4)
	load.Rate, load.Duration, load.Warmup = 100, 500*time.Millisecond, 100*time.Millisecond
	if result := run(t, load); result.Requests+result.NotSent != 50 || result.Sent != result.Requests+10 || result.Answered != result.Requests {
		t.Errorf("%d requests, %d not sent", result.Requests, result.NotSent)
	}
	stuck := newCasino()
	stuck.before = func(_ http.ResponseWriter, r *http.Request) bool {
		<-time.After(300 * time.Millisecond)
		return false
	}
	load = plan(stuck.start(t), "play=1", 4)
	load.Rate, load.Duration = 100, 500*time.Millisecond
	if result := run(t, load); result.NotSent < 40 || result.NotSent+result.Requests != 50 {
		t.Errorf("%d requests, %d not sent", result.Requests, result.NotSent)
	}
}

// TestSignInsComeFromManyAddresses: no address signs in more often than a service admits,
// before and during the load, and all messages differ.
func TestSignInsComeFromManyAddresses(t *testing.T) {
	t.Parallel()
	casino := newCasino()
	service := casino.start(t)
	if !service.ManyAddresses() {
		t.Fatal("the test's service is at 127.0.0.1")
	}
	load := plan(service, "login=1", 30)
	var mu sync.Mutex
	messages := map[api.LoginRequest]bool{}
	for _, p := range load.Players {
		p.SignIn = func(at time.Time) (api.LoginRequest, error) {
			mu.Lock()
			defer mu.Unlock()
			login := api.LoginRequest{Wallet: p.Wallet, Timestamp: at.UnixMilli(), Signature: "s"}
			if messages[login] {
				t.Errorf("%s signed the moment %d twice", login.Wallet, login.Timestamp)
			}
			messages[login] = true
			return login, nil
		}
	}
	done := 0
	if err := bench.SignIn(t.Context(), service, load.Players, 1, system.Default(), func() { done++ }); err != nil || done != 30 {
		t.Fatalf("%d signed in: %v", done, err)
	}
	result := run(t, load)
	if result.Bad > 0 || len(result.Failures) > 0 || len(casino.signIns) < 4 {
		t.Errorf("from %d addresses: %+v", len(casino.signIns), result)
	}
	for address, n := range casino.signIns {
		if n > 10 {
			t.Errorf("%d sign-ins from %s", n, address)
		}
	}
}

// TestASessionIsRenewedBeforeItEnds gives a player a session of half a minute.
func TestASessionIsRenewedBeforeItEnds(t *testing.T) {
	t.Parallel()
	casino := newCasino()
	load := plan(casino.start(t), "play=1", 2)
	for _, p := range load.Players {
		p.ExpiresAt = time.Now().Add(30 * time.Second)
		p.SignIn = func(at time.Time) (api.LoginRequest, error) {
			return api.LoginRequest{Wallet: p.Wallet, Timestamp: at.UnixMilli()}, nil
		}
	}
	if result := run(t, load); result.Bad > 0 || len(result.Failures) > 0 || casino.requests["/auth/login"] != 2 {
		t.Errorf("%d sign-ins, %+v", casino.requests["/auth/login"], result)
	}
	for _, p := range load.Players {
		if !strings.HasPrefix(p.Token, p.Wallet) {
			t.Errorf("%s plays with %s", p.Wallet, p.Token)
		}
	}
}

// TestALoadEndsWhenItIsInterrupted returns the result so far.
func TestALoadEndsWhenItIsInterrupted(t *testing.T) {
	t.Parallel()
	casino := newCasino()
	load := plan(casino.start(t), "play=1", 2)
	load.Duration = time.Hour
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	result, err := bench.Run(ctx, load, system.Default(), func(p bench.Progress) {
		if !strings.Contains(p.Line(), "of 3600 s") {
			t.Errorf("progress: %s", p.Line())
		}
		cancel()
	})
	if err != nil || result.Requests == 0 || result.PerSecond == 0 || result.Seconds > 60 || len(result.Failures) > 0 {
		t.Errorf("%v, %+v", err, result)
	}
}

func TestAPlanThatCannotRunIsRefused(t *testing.T) {
	t.Parallel()
	service := newCasino().start(t)
	for name, spoil := range map[string]func(*bench.Plan){
		"no clients": func(p *bench.Plan) { p.Clients = 0 }, "more clients than players": func(p *bench.Plan) { p.Clients = 3 },
		"no time": func(p *bench.Plan) { p.Duration = 0 }, "an empty mix": func(p *bench.Plan) { p.Mix = nil },
		"a negative rate": func(p *bench.Plan) { p.Rate = -1 },
		"no rate at all":  func(p *bench.Plan) { p.Rate = math.NaN() }, "a rate without end": func(p *bench.Plan) { p.Rate = math.Inf(1) },
		"a rate of years": func(p *bench.Plan) { p.Rate = 1e-12 },
	} {
		load := plan(service, "play=1", 2)
		spoil(&load)
		if _, err := bench.Run(t.Context(), load, system.Default(), nil); err == nil {
			t.Errorf("%s: it ran", name)
		}
	}
	for _, url := range []string{"", "127.0.0.1:8080", "ftp://host/casino", "://"} {
		if _, err := bench.NewService(url, time.Second, system.Default()); err == nil {
			t.Errorf("%q is taken for a service", url)
		}
	}
}

// TestAnswersOfAnyLengthAreRead uses chunked bodies, and closed connections.
func TestAnswersOfAnyLengthAreRead(t *testing.T) {
	t.Parallel()
	casino := newCasino()
	long := `{"rounds":[` + strings.Repeat(`{"id":"x"},`, 50_000) + `{}]}`
	casino.wrong = func(path, body string) string {
		if path == "/history" {
			return long // too long for net/http to set a length
		}
		return body
	}
	var n atomic.Int64
	casino.before = func(w http.ResponseWriter, _ *http.Request) bool {
		if n.Add(1)%3 == 0 {
			w.Header().Set("Connection", "close")
		}
		return false
	}
	result := casino.run(t, plan(casino.start(t), "/history=1,play=1", 2), 60)
	if result.Bad > 0 || len(result.Failures) > 0 || result.Requests < 10 {
		t.Errorf("%+v", result)
	}
}

// noError ends the test on an error.
func noError(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
