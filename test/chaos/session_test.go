package chaos_test

import (
	"context"
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/casino-service/casino/adapters/httpapi/client"
)

// TestTheWholeSession runs `casino demo` against `casino dev`, restarts it, and
// looks whether everything is still there.
func TestTheWholeSession(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("builds and runs the real binary") // allowed: make test runs it
	}
	folder := filepath.Join(t.TempDir(), "made at the start")
	running := start(t, folder)
	path, err := binary()
	if err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command(path, "demo", "--data-dir", folder, "--base-url", running.BaseURL, "--rpc-url", running.RPCURL).CombinedOutput()
	if err != nil || !strings.Contains(string(out), "The session holds") {
		t.Fatalf("casino demo: %v\n%s\nthe service said:\n%s", err, out, running.log)
	}
	t.Logf("%s", out)
	alice := running.signIn(t, "alice")
	before := balances(t, client.New(running.BaseURL, nil).WithToken(alice))
	running.stop(t)

	again := start(t, folder)
	if again.Treasury != running.Treasury || again.Tokens[1].Mint != running.Tokens[1].Mint {
		t.Error("a restart changed the treasury or the demo token")
	}
	after := balances(t, client.New(again.BaseURL, nil).WithToken(alice))
	if before != after {
		t.Errorf("balances were %s before the restart and are %s", before, after)
	}
	again.stop(t)
	if out, err := audit(t, folder); err != nil {
		t.Errorf("after the session: %v\n%s", err, out)
	}
	if log := running.log.String() + again.log.String(); strings.Contains(log, "eyJ") || strings.Contains(log, `"level":"ERROR"`) {
		t.Errorf("the log holds a token or an error:\n%s", log)
	}
}

func balances(t *testing.T, session *client.Client) string {
	t.Helper()
	all, err := session.Balances(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	return fmt.Sprint(all)
}
