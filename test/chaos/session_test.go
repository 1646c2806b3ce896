package chaos_test

import (
	"context"
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/casino-service/casino/adapters/httpapi/api"
	"github.com/casino-service/casino/adapters/httpapi/client"
	"github.com/casino-service/casino/test/services"
)

// TestTheWholeSession runs `casino demo` against `casino dev`, restarts it, and checks that all
// data is still there.
func TestTheWholeSession(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("builds and runs the real binary") // allowed: make test runs it
	}
	folder := filepath.Join(t.TempDir(), "made at the start")
	running := services.NewDev(t, folder)
	path, err := services.Binary()
	noError(t, err)
	out, err := exec.Command(path, "demo", "--data-dir", folder).CombinedOutput()
	if err != nil || !strings.Contains(string(out), "The session holds") {
		t.Fatalf("casino demo: %v\n%s\nthe service's log:\n%s", err, out, running.Log)
	}
	t.Logf("%s", out)
	alice := running.SignIn(t, "alice")
	before := balances(t, client.New(running.BaseURL, nil).WithToken(alice))
	running.Stop(t)

	again := services.NewDev(t, folder)
	if again.Treasury != running.Treasury || again.Tokens[1].Mint != running.Tokens[1].Mint {
		t.Error("a restart changed the treasury or the demo token")
	}
	after := balances(t, client.New(again.BaseURL, nil).WithToken(alice))
	if before != after {
		t.Errorf("balances were %s before the restart and are %s", before, after)
	}
	again.Stop(t)
	if out, err := services.Audit(t, folder); err != nil {
		t.Errorf("after the session: %v\n%s", err, out)
	}
	if log := running.Log.String() + again.Log.String(); strings.Contains(log, "eyJ") || strings.Contains(log, `"level":"ERROR"`) {
		t.Errorf("the log holds a token or an error:\n%s", log)
	}
}

func balances(t *testing.T, session *client.Client) string {
	t.Helper()
	all, err := session.Balance(context.Background(), api.BalanceParams{})
	noError(t, err)
	return fmt.Sprint(all)
}
