package verifiers_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/casino-service/casino/adapters/httpapi"
	"github.com/casino-service/casino/domain/token"
	"github.com/casino-service/casino/test/fakes"
	"github.com/casino-service/casino/test/services"
)

// lines are those of a capture.
type lines []string

// A capturing is a capture that is taken once.
type capturing struct {
	rounds, games, sharedRounds string
	once                        sync.Once
	file                        lines
	err                         error
}

var (
	everyKind = &capturing{rounds: "24", games: "dice,roulette,baccarat,plinko,keno,mines,hilo,blackjack,videopoker", sharedRounds: "3"}
	flipped   = &capturing{rounds: "250", games: "coinflip", sharedRounds: "0"}
)

// captured returns a capture of an honest service, with receipts, refusals and a proof of
// solvency, which `casino fairness capture` takes.
func captured(t *testing.T, c *capturing) lines {
	t.Helper()
	python(t, nil, "--version") // skips without it
	c.once.Do(func() { c.file, c.err = c.take(t) })
	noError(t, c.err)
	return append(lines(nil), c.file...)
}

func (c *capturing) take(t *testing.T) (lines, error) {
	t.Helper()
	binary, err := services.Binary()
	if err != nil {
		return nil, err
	}
	s := sitAt(t, fakes.NewClock(time.Now()), token.Terms{MinWager: 10_000, MaxWager: 1_000_000, MaxPayout: 9_000_000})
	server := httptest.NewServer(s.passing())
	defer server.Close()
	folder := t.TempDir()
	sessions, file := filepath.Join(folder, "sessions"), filepath.Join(folder, "capture.jsonl")
	if err := os.WriteFile(sessions, []byte(s.bearer+"\n"), 0o600); err != nil {
		return nil, err
	}
	command := exec.CommandContext(t.Context(), binary, "fairness", "capture", file, "--data-dir", folder, "--base-url", server.URL+httpapi.BasePathDefault,
		"--bet-real-money", "--sessions-file", sessions, "--rounds", c.rounds, "--pair-rounds", "40", "--games", c.games, "--shared-rounds", c.sharedRounds)
	if out, err := command.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("%w\n%s", err, out)
	}
	if _, err := s.casino.Solvency.Step(t.Context()); err != nil {
		return nil, err
	}
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	text = bytes.Replace(text, []byte(`"players":[""]`), fmt.Appendf(nil, `"players":[%q]`, fakes.Wallet("alice")), 1)
	all := lines(strings.SplitAfter(strings.TrimSuffix(string(text), "\n"), "\n"))
	if !strings.Contains(string(text), `{"line":"solvency"`) {
		_, shown := s.ask("GET", "/account/solvency", "")
		at := fmt.Sprintf(`{"line":"solvency","at":%d,"player":1,"answered":%s}`+"\n", time.Now().UnixMilli(), shown)
		all = append(all[:len(all)-1], at, all[len(all)-1])
	}
	return all.ended(), nil
}

// passing returns the API with time that passes for the shared crash as it is looked at: less before
// a bet and a cash-out than after them.
func (s *seat) passing() http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var d time.Duration
		switch {
		case strings.HasSuffix(r.URL.Path, "/crash"):
			d = time.Second
		case strings.Contains(r.URL.Path, "/crash/rounds/"):
			d = 4 * time.Second
		}
		if err := s.pass(d); err != nil {
			s.Error(err)
		}
		s.api.ServeHTTP(w, r)
	})
}

// ended returns the lines with an end that fits them.
func (l lines) ended() lines {
	var end map[string]any
	sum, last := sha256.New(), len(l)-1
	for _, line := range l[:last] {
		sum.Write([]byte(line))
	}
	if err := json.Unmarshal([]byte(l[last]), &end); err != nil {
		panic(err)
	}
	footer, _ := end["end"].(map[string]any)
	footer["sha256"] = hex.EncodeToString(sum.Sum(nil))
	text, err := json.Marshal(map[string]any{"line": "end", "at": end["at"], "end": footer})
	if err != nil {
		panic(err)
	}
	return append(append(lines(nil), l[:last]...), string(text)+"\n")
}

// bare returns the lines as a service without receipt keys would have had them answered.
func (l lines) bare() (all lines) {
	for _, line := range l {
		if strings.HasPrefix(line, `{"line":"solvency"`) {
			continue
		}
		if strings.HasPrefix(line, `{"line":"keys"`) {
			before, _, _ := strings.Cut(line, `"answered":`)
			line = before + `"answered":{"keys":[]}}` + "\n"
		}
		if before, _, found := strings.Cut(line, `,"receipt":{`); found {
			line = before + "}}\n"
		}
		all = append(all, line)
	}
	return all.ended()
}

// checks runs verify.py on captures, and returns the checks that have findings in each,
// in order, and all that was printed.
func checks(t *testing.T, files map[string]lines) (found, printed map[string]string) {
	t.Helper()
	folder, arguments := t.TempDir(), []string{"-c", checkMany}
	for name, file := range files {
		path := filepath.Join(folder, name)
		noError(t, os.WriteFile(path, []byte(strings.Join(file, "")), 0o600))
		arguments = append(arguments, path)
	}
	out, faults, code := python(t, nil, arguments...)
	if code != 0 {
		t.Fatalf("exit code %d\n%s", code, faults)
	}
	found, printed = map[string]string{}, map[string]string{}
	for line := range bytes.Lines(out) {
		var report struct{ Name, Checks, Printed string }
		noError(t, json.Unmarshal(line, &report))
		found[report.Name], printed[report.Name] = report.Checks, report.Printed
	}
	return found, printed
}

const checkMany = `
import contextlib, io, json, os, sys
import captures
for path in sys.argv[1:]:
    checker, printed = captures.Checker(), io.StringIO()
    with open(path, "rb") as file, contextlib.redirect_stdout(printed):
        checker.read(file)
        checker.print()
    print(json.dumps({"name": os.path.basename(path), "checks": ",".join(sorted(checker.counts)), "printed": printed.getvalue()}))
`

// TestACaptureIsChecked has nothing found in an honest capture, with and without receipts.
func TestACaptureIsChecked(t *testing.T) {
	t.Parallel()
	file := captured(t, everyKind)
	found, printed := checks(t, map[string]lines{"whole": file, "bare": file.bare()})
	if found["whole"] != "" || found["bare"] != "" {
		t.Errorf("%v\n%v", found, printed)
	}
	kinds := map[string]int{}
	for _, line := range file {
		kinds[strings.Split(line, `"`)[3]]++
	}
	for _, kind := range []string{"rules", "config", "balance", "seed", "rotation", "round", "open", "step", "kept", "refused", "limits", "keys", "solvency", "shared", "sharedBet", "sharedCashOut", "sharedRound", "end"} {
		if kinds[kind] == 0 {
			t.Errorf("no line %q: %v", kind, kinds)
		}
	}
	path := filepath.Join(t.TempDir(), "capture.jsonl")
	noError(t, os.WriteFile(path, []byte(strings.Join(file, "")), 0o600))
	out, faults, code := python(t, nil, "verify.py", "--capture", path)
	if code != 0 || !strings.HasSuffix(string(out), "nothing was found\n") {
		t.Errorf("exit code %d\n%s%s", code, out, faults)
	}
	t.Logf("%s%v", out, kinds)
	if _, faults, code = python(t, nil, "verify.py", "--capture", "verify.py"); code != 2 || !strings.Contains(string(faults), "can't be verified") {
		t.Errorf("a file that is none: exit code %d, %s", code, faults)
	}
}
