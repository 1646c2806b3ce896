package main

import (
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"

	"github.com/casino-service/casino/cmd/internal/bench"
)

// loaded runs casino bench and returns its result.
func loaded(t *testing.T, args ...string) bench.Result {
	t.Helper()
	out, errOut, code := runCasino(t, append([]string{"bench", "--json"}, args...)...)
	var result bench.Result
	if err := json.Unmarshal([]byte(out), &result); code != exitDone || err != nil {
		t.Fatalf("casino bench %s: exit %d, %v\n%s%s", strings.Join(args, " "), code, err, out, errOut)
	}
	return result
}

// TestBenchLoadsACasino sends every kind of request to a casino dev, plays on with the kept
// sessions, and proves the ledger afterwards.
func TestBenchLoadsACasino(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	line, stop := startFolder(t, folder)
	sessions, figures := filepath.Join(folder, "sessions"), filepath.Join(folder, "figures")
	if err := os.WriteFile(sessions, []byte("of an earlier run"), 0o644); err != nil { //nolint:gosec // so the file exists already
		t.Fatal(err)
	}
	result := loaded(t, "--data-dir", folder, "--players", "12", "--clients", "4", "--duration", "2s", "--warmup", "100ms", "--rate", "30",
		"--mix", "play=4,step=3,read=3,login=1,callback=2,/history?limit=5=1,/public/games=1", "--sessions-out", sessions, "--histogram", figures)
	if len(result.Failures) > 0 || result.Bad > 0 || len(result.Kinds) != 7 || result.Requests+result.NotSent < 58 || result.BaseURL != line.BaseURL {
		t.Fatalf("%+v", result)
	}
	for _, k := range result.Kinds {
		if k.Requests == 0 || k.Latency.P99 == 0 {
			t.Errorf("%+v", k)
		}
	}
	if text, err := os.ReadFile(figures); err != nil || !strings.Contains(string(text), "Total count") {
		t.Errorf("%v: %s", err, text)
	}
	if info, err := os.Stat(sessions); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the sessions that were kept: %v, %v", info, err)
	}
	out, errOut, code := runCasino(t, "bench", "--data-dir", folder, "--sessions-file", sessions, "--clients", "12", "--duration", "200ms", "--warmup", "0s", "--mix", "play=1,callback=1,step=1")
	if code != exitDone || !strings.Contains(out, "12 clients, 12 players") || !strings.Contains(out, "0 failed, 0 bad answers") {
		t.Errorf("exit %d\n%s%s", code, out, errOut)
	}
	out, errOut, code = runCasino(t, "bench", "--data-dir", folder, "--sessions-file", sessions, "--clients", "1", "--duration", "50ms", "--warmup", "0s", "--mix", "play=1",
		"--histogram", filepath.Join(folder, "nowhere", "figures"))
	if code != exitFailed || !strings.Contains(out, "0 failed, 0 bad answers") || !strings.Contains(errOut, "nowhere") {
		t.Errorf("figures that can't be kept: exit %d\n%s%s", code, out, errOut)
	}
	stop()
	if out, errOut, code := runCasino(t, "audit", "--data-dir", folder); code != exitDone || !strings.Contains(out, "everything holds") {
		t.Errorf("exit %d\n%s%s", code, out, errOut)
	}
}

// TestBenchFindsAFalseAnswer uses a proxy that adds a unit to balances.
func TestBenchFindsAFalseAnswer(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	line, _ := startFolder(t, folder)
	at, err := url.Parse(line.BaseURL)
	if err != nil {
		t.Fatal(err)
	}
	proxy := &httputil.ReverseProxy{
		Rewrite: func(r *httputil.ProxyRequest) { r.SetURL(&url.URL{Scheme: at.Scheme, Host: at.Host}) },
		ModifyResponse: func(r *http.Response) error {
			if !strings.HasSuffix(r.Request.URL.Path, "/play") {
				return nil
			}
			text, err := io.ReadAll(r.Body)
			if err != nil {
				return err
			}
			changed := strings.Replace(string(text), `"balance":`, `"balance":1`, 1)
			r.Body, r.ContentLength = io.NopCloser(strings.NewReader(changed)), int64(len(changed))
			r.Header.Del("Content-Length")
			return nil
		},
	}
	server := httptest.NewServer(proxy)
	t.Cleanup(server.Close)
	// Each balance alone is plausible; together with them, none is.
	sessions := filepath.Join(folder, "sessions")
	loaded(t, "--data-dir", folder, "--players", "4", "--clients", "2", "--duration", "100ms", "--warmup", "0s", "--mix", "play=1", "--sessions-out", sessions)
	out, errOut, code := runCasino(t, "bench", "--data-dir", folder, "--base-url", server.URL+at.Path, "--sessions-file", sessions, "--clients", "2",
		"--duration", "300ms", "--warmup", "0s", "--mix", "play=1,/balance=1")
	if code != exitFailed || !strings.Contains(out, "bad: /balance: /balance shows ") || !strings.Contains(errOut, "answers can't be true") {
		t.Errorf("exit %d\n%s%s", code, out, errOut)
	}
}

// TestBenchBetsRealMoneyOnlyWhenAllowed loads a casino serve, which has no data folder.
func TestBenchBetsRealMoneyOnlyWhenAllowed(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	s, session := w.funded()
	where := []string{"bench", "--data-dir", t.TempDir(), "--base-url", s.api, "--duration", "300ms", "--warmup", "0s", "--mix", "play=1"}
	sessions := w.file("sessions", "# one a line\n"+session.Token+"\n")
	for name, args := range map[string][]string{
		"wallets of its own": {"--rpc-url", w.node.URL, "--players", "4", "--clients", "2"},
		"sessions":           {"--sessions-file", sessions, "--clients", "1"},
	} {
		_, errOut, code := runCasino(t, append(where, args...)...)
		if code != exitUsage || !strings.Contains(errOut, "--bet-real-money") {
			t.Errorf("%s: exit %d: %s", name, code, errOut)
		}
		out, errOut, code := runCasino(t, append(append(where, "--bet-real-money"), args...)...)
		if code != exitDone || !strings.Contains(out, "0 failed, 0 bad answers") || !strings.Contains(errOut, "is not the casino dev of") {
			t.Errorf("%s, allowed: exit %d\n%s%s", name, code, out, errOut)
		}
	}
}

// TestBenchRefusesWhatItCannotDo expects all mistakes to be reported at once.
func TestBenchRefusesWhatItCannotDo(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	line, _ := startFolder(t, folder)
	empty, odd, twice := filepath.Join(folder, "empty"), filepath.Join(folder, "odd"), filepath.Join(folder, "twice")
	for path, text := range map[string]string{empty: "\n# nobody\n", odd: "\nto ken\n", twice: "# ours\none\nother\none\n"} {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for want, args := range map[string]string{
		"--mix: ":                   "--mix fun=1",
		"--clients: must":           "--clients 0",
		"--duration: must":          "--duration 0s",
		"--warmup and":              "--warmup=-1s",
		"--rate: a rate":            "--rate=-1",
		"from 0.001":                "--rate NaN",
		"--sessions-out: keeps":     "--mix play=1 --sessions-out x --sessions-file " + empty,
		"lines 2 and 4 are of":      "--mix play=1 --clients 1 --sessions-file " + twice,
		"--timeout: must":           "--timeout 0s",
		"--players: must":           "--players 3 --clients 4",
		"login needs players":       "--sessions-file " + empty,
		"0 sessions for":            "--mix play=1 --sessions-file " + empty,
		"line 2 is not a bearer":    "--mix play=1 --sessions-file " + odd,
		"need all three":            "--callback-agent us",
		"--base-url: must":          "--base-url http://casino.example/casino",
		"--rpc-url: must":           "--rpc-url https://api.mainnet-beta.solana.com",
		"--token: the service does": "--token GOLD",
		"--token: wallets that are": "--token DEMO",
		"--stake: the least":        "--stake 0.0000001",
		"--stake: \"much\"":         "--stake much",
	} {
		_, errOut, code := runCasino(t, append([]string{"bench", "--data-dir", folder}, strings.Fields(args)...)...)
		if code != exitUsage || !strings.Contains(errOut, want) {
			t.Errorf("%s: exit %d: %s", args, code, errOut)
		}
	}
	_, errOut, code := runCasino(t, "bench", "--data-dir", t.TempDir(), "--base-url", line.BaseURL)
	if code != exitUsage || !strings.Contains(errOut, "there is no casino in") || !strings.Contains(errOut, "--bet-real-money") {
		t.Errorf("another folder: exit %d: %s", code, errOut)
	}
	if _, errOut, code = runCasino(t, "bench", "--data-dir", t.TempDir(), "--mix", "fun=1", "--clients", "0"); code != exitUsage ||
		!strings.Contains(errOut, "--mix") || !strings.Contains(errOut, "--clients") {
		t.Errorf("two mistakes: exit %d: %s", code, errOut)
	}
}
