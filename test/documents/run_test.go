package documents_test

import (
	"errors"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"

	"github.com/casino-service/casino/test/services"
)

// shown is what the blocks of a page must print, among other things.
var shown = map[string][]string{
	"README.md":               {"Paid 1.000000000 SOL in", `"gameType":"dice"`},
	"docs/call.md":            {"Paid 1.000000000 SOL in", `"gameType":"dice"`, "rolled ", "SOL are left"},
	"docs/load.md":            {"0 failed, 0 bad answers"},
	"docs/providers.md":       {`"agentCode":"acme"`, `"balance"`},
	"docs/webhooks.md":        {`"secret":"whsec_`},
	"docs/fairness/README.md": {"43f4ead1721b88240c4ce15b215616a43536527030575db1736346029d38238e", "verified"},
	"docs/fairness/shared-crash.md": {
		"04bbf01610d6c17018a916c42713cf63084d30d10e36ec5250a04d955f236164", "32790ecff02024c4", "\n502\n", "the chain holds: True\nthe beacon is the first: True\nthe table: a171dd69",
		"point 502, end 26924 ms\npaid 1100000\npaid 1160000\npaid 0\nroot: 54b9831a4a554271",
	},
	"docs/fairness/receipts.md": {"Paid 1.000000000 SOL in", "casino receipt 1"},
	"docs/fairness/capture.md":  {"rounds", `"verified": true`},
}

// tools are the programs that blocks use.
var tools = []string{"curl", "jq", "node", "python3"}

// refusal matches the code of a refusal by the service.
var refusal = regexp.MustCompile(`"code":"[A-Z_]+"`)

// TestBlocksRun runs every block marked for it beside a casino dev, which is started again for each
// page, unchanged except for addresses and durations, in a folder with the files of a clone.
func TestBlocksRun(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("builds and runs the real binary") // allowed: make test runs it
	}
	for _, tool := range tools {
		if _, err := exec.LookPath(tool); err != nil {
			t.Fatalf("the documents' shell lines use %s: %v (make test installs it)", tool, err)
		}
	}
	clone := t.TempDir()
	prepare(t, clone)
	pages := map[string]string{}
	var running *services.Dev
	page := ""
	for _, b := range blocks(t) {
		if b.language != "sh" || b.attributes["run"] != "dev" {
			continue
		}
		if b.page != page { // all pages together sign in more often than the limit allows
			if running != nil {
				running.Stop(t)
			}
			running, page = services.NewDev(t, filepath.Join(clone, "data"), "--crash=solana", "--crash-betting=2s", "--crash-cap=2", "--crash-delay=2"), b.page
		}
		pages[b.page] += runBlock(t, b, clone, running)
	}
	for page, wants := range shown {
		for _, want := range wants {
			if !strings.Contains(pages[page], want) {
				t.Errorf("the blocks of %s don't print %q but\n%s", page, want, pages[page])
			}
		}
		delete(pages, page)
	}
	for page := range pages {
		t.Errorf("nothing is expected of what the blocks of %s print", page)
	}
}

// prepare makes a folder like a clone with a binary, with the files that blocks name.
func prepare(t *testing.T, clone string) {
	t.Helper()
	binary, err := services.Binary()
	noError(t, err)
	whole, err := filepath.Abs(root)
	noError(t, err)
	var faults []error
	faults = append(faults, os.Mkdir(filepath.Join(clone, "bin"), 0o700), os.Symlink(binary, filepath.Join(clone, "bin", "casino")))
	for _, name := range []string{"adapters", "test", "go.mod"} {
		faults = append(faults, os.Symlink(filepath.Join(whole, name), filepath.Join(clone, name)))
	}
	games, err := os.ReadFile(filepath.Join(root, "docs/fairness/games.md"))
	for _, b := range blocksOf("docs/fairness/games.md", games) {
		if b.language == "json" { // a round to verify
			faults = append(faults, os.WriteFile(filepath.Join(clone, "round.json"), []byte(b.code), 0o600))
			break
		}
	}
	noError(t, errors.Join(append(faults, err)...))
}

// runBlock runs a block in a new shell and returns its output. Processes that it leaves running
// end with the test.
func runBlock(t *testing.T, b block, clone string, running *services.Dev) string {
	t.Helper()
	code := strings.NewReplacer(
		"http://127.0.0.1:8080/casino", running.BaseURL, "http://127.0.0.1:8877", running.ProviderURL,
		"127.0.0.1:9000", freeAddress(t), "--duration 30s", "--duration 1s", "fairness capture capture.jsonl", "fairness capture capture.jsonl --rounds 20",
	).Replace(b.code)
	out, err := os.CreateTemp(t.TempDir(), "printed")
	noError(t, err)
	defer func() { _ = out.Close() }() // it was only written for this test
	shell := exec.CommandContext(t.Context(), "bash", "-euo", "pipefail", "-c", code)
	shell.Dir, shell.Stdout, shell.Stderr = clone, out, out
	shell.Env = append(os.Environ(), "PATH="+filepath.Join(clone, "bin")+":"+os.Getenv("PATH"))
	shell.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	err = shell.Start()
	if err == nil {
		group := -shell.Process.Pid
		t.Cleanup(func() { _ = syscall.Kill(group, syscall.SIGKILL) }) // it has mostly ended already
		err = shell.Wait()
	}
	printed, readErr := os.ReadFile(out.Name())
	if err := errors.Join(err, readErr); err != nil || refusal.Match(printed) {
		t.Errorf("%v: %v\n%s\n%s", b, err, b.code, printed)
	}
	return string(printed)
}

// freeAddress returns an unused address of this machine.
func freeAddress(t *testing.T) string {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	noError(t, err)
	defer func() { _ = listener.Close() }() // it was never used
	return listener.Addr().String()
}

// noError ends the test on an error.
func noError(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
