package documents_test

import (
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// patience is how long a stranger may take, from the clone to the promised result.
const patience = 5 * time.Minute

// stranger is a reader with the documents, a clone without compiled files, and an empty Go cache.
type stranger struct {
	t       *testing.T
	home    string // folder for the clone
	folder  string // working folder of commands
	env     []string
	started time.Time
}

// TestStrangers follows the documents to the letter, one stranger at a time: each has five
// minutes for the promised result, including compilation. Modules are downloaded before.
//
//nolint:paralleltest // strangers have the usual ports and the machine to themselves
func TestStrangers(t *testing.T) {
	if os.Getenv("CASINO_TEST_STRANGERS") == "" {
		t.Skip("compiles everything anew five times") // allowed: make strangers runs it
	}
	only := os.Getenv("CASINO_TEST_STRANGERS")
	for _, each := range []struct {
		name   string
		follow func(*stranger)
	}{
		{"embed", embeds}, {"call", calls}, {"test", tests}, {"operate", operates}, {"audit", audits},
	} {
		if only != "all" && only != each.name {
			continue
		}
		t.Run(each.name, func(t *testing.T) {
			s := arrive(t)
			each.follow(s)
			took := time.Since(s.started).Round(time.Second)
			t.Logf("%s: %v", each.name, took)
			if took > patience {
				t.Errorf("it took %v, more than %v", took, patience)
			}
		})
	}
}

// arrive prepares a stranger. The clone is of this repository, for any address of the remote.
func arrive(t *testing.T) *stranger {
	t.Helper()
	source, err := filepath.Abs(root)
	noError(t, err)
	home := t.TempDir()
	s := &stranger{t: t, home: home, folder: home, started: time.Now(), env: append(os.Environ(),
		"GOCACHE="+filepath.Join(home, "cache"), "GOFLAGS=", "GIT_CONFIG_COUNT=1",
		"GIT_CONFIG_KEY_0=url."+source+".insteadOf", "GIT_CONFIG_VALUE_0=https://github.com/casino-service/casino")}
	return s
}

// clone clones the repository with the first line of docs/embed.md.
func (s *stranger) clone() {
	s.t.Helper()
	s.types("git clone https://github.com/casino-service/casino")
	s.folder = filepath.Join(s.home, "casino")
	s.env = append(s.env, "PATH="+filepath.Join(s.folder, "bin")+":"+os.Getenv("PATH"))
}

// reads returns the block of a page that contains a text.
func (s *stranger) reads(page, with string) string {
	s.t.Helper()
	for _, b := range blocks(s.t) {
		if b.page == page && b.language == "sh" && strings.Contains(b.code, with) {
			return b.code
		}
	}
	s.t.Fatalf("%s has no block with %q", page, with)
	return ""
}

// shell returns a shell in the stranger's folder, which ends with all its processes.
func (s *stranger) shell(code string, out io.Writer) *exec.Cmd {
	shell := exec.CommandContext(s.t.Context(), "bash", "-euo", "pipefail", "-c", code)
	shell.Dir, shell.Env, shell.Stdout, shell.Stderr = s.folder, s.env, out, out
	shell.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	return shell
}

// types runs lines to their end and returns their output.
func (s *stranger) types(code string) string {
	s.t.Helper()
	var out strings.Builder
	if err := s.shell(code, &out).Run(); err != nil {
		s.t.Fatalf("%v after %v\n%s\n%s", err, time.Since(s.started), code, out.String())
	}
	return out.String()
}

// leaves runs lines in the background, until the address answers.
func (s *stranger) leaves(code, address string) {
	s.t.Helper()
	log, err := os.Create(filepath.Join(s.home, "log"))
	noError(s.t, err)
	shell := s.shell(code, log)
	noError(s.t, shell.Start())
	ended := make(chan error, 1)
	go func() { ended <- shell.Wait() }()
	s.t.Cleanup(func() {
		_ = syscall.Kill(-shell.Process.Pid, syscall.SIGTERM) // it may have ended already
		<-ended                                               //nolint:errcheck // it was told to end
		_ = log.Close()                                       // it was only written for this test
	})
	for time.Since(s.started) < patience {
		if answer, err := http.Get(address); err == nil { //nolint:gosec // an address of this machine
			_ = answer.Body.Close() // only its status counts
			return
		}
		select {
		case err := <-ended:
			ended <- err
			text, _ := os.ReadFile(log.Name())
			s.t.Fatalf("it ended: %v\n%s", err, text)
		case <-time.After(100 * time.Millisecond):
		}
	}
	s.t.Fatalf("%s doesn't answer after %v", address, patience)
}

// finds fails unless a text contains all of these.
func (s *stranger) finds(text string, wants ...string) {
	s.t.Helper()
	for _, want := range wants {
		if !strings.Contains(text, want) {
			s.t.Errorf("%q is not in\n%s", want, text)
		}
	}
}

const service = "http://127.0.0.1:8080/casino/health"

// runs runs the first line of README's block in the background and returns the others.
func (s *stranger) runs() (rest string) {
	s.t.Helper()
	run, rest, _ := strings.Cut(s.reads("README.md", "make run"), "\n")
	s.leaves(run, service)
	return rest
}

// embeds makes a program of its own and calls the casino in it.
func embeds(s *stranger) {
	s.leaves(s.reads("docs/embed.md", "go work init"), "http://127.0.0.1:8090/")
	s.finds(s.types(s.reads("docs/embed.md", "127.0.0.1:8090")), "the shop", `"gameType":"dice"`)
}

// calls bets over HTTP with curl, with JavaScript and with the TypeScript client.
func calls(s *stranger) {
	s.clone()
	s.runs()
	s.types("make build")
	s.finds(s.types(s.reads("README.md", "bin/casino pay")), "Paid 1.000000000 SOL in", `"gameType":"dice"`)
	s.finds(s.types(s.reads("docs/call.md", "play.mjs")), "rolled ")
	s.finds(s.types(s.reads("docs/call.md", "client.mjs")), "SOL are left")
}

// tests runs a test that uses the casino.
func tests(s *stranger) {
	s.clone()
	s.finds(s.types(s.reads("docs/testing.md", "go test")), "--- PASS: TestADepositIsCreditedOnceItIsFinal")
}

// operates watches a whole session, audits the ledger, and stops and resumes play and payouts.
func operates(s *stranger) {
	s.clone()
	s.finds(s.types(s.runs()), "The session holds")
	s.finds(s.types(s.reads("docs/README.md", "make audit")), "everything holds")
	s.types("make build")
	s.types(s.reads("docs/operations/README.md", "payouts pause 'odd withdrawals'"))
	s.finds(s.types("casino play list && casino payouts list"), "payouts")
}

// audits captures rounds as shown to a player and verifies them, with the service's own program
// and with one that shares no code with it.
func audits(s *stranger) {
	s.clone()
	s.runs()
	s.types("make build")
	s.finds(s.types(s.reads("docs/fairness/capture.md", "casino fairness check")), "Nothing was found.")
	s.finds(s.types(s.reads("docs/fairness/capture.md", "verify.py")), `"verified": true`)
}
