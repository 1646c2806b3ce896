package chaos_test

import (
	"encoding/json"
	"errors"
	"net/http"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/casino-service/casino/test/services"
)

// compared is what `casino provider reconcile --json` prints.
type compared struct {
	Transactions int `json:"transactions"`
	Differences  []struct {
		TxnID  string `json:"txnId"`
		Wallet string `json:"wallet"`
		Ours   *struct {
			Bet int64 `json:"bet"`
			Win int64 `json:"win"`
		} `json:"ours"`
		Theirs *struct{} `json:"theirs"`
	} `json:"differences"`
}

// reconcile runs the command on the folder, for an hour before and after now.
func reconcile(t *testing.T, s *services.Dev, folder string) (reported compared, code int) {
	t.Helper()
	path, err := services.Binary()
	noError(t, err)
	now := time.Now().UTC()
	out, err := exec.Command(path, "provider", "reconcile", "--data-dir", folder, "--provider-addr", strings.TrimPrefix(s.ProviderURL, "http://"),
		"--from", now.Add(-time.Hour).Format(time.RFC3339), "--to", now.Add(time.Hour).Format(time.RFC3339), "--json").Output()
	var exit *exec.ExitError
	switch {
	case errors.As(err, &exit):
		code = exit.ExitCode()
	case err != nil:
		t.Fatal(err)
	}
	if err := json.Unmarshal(out, &reported); err != nil {
		t.Fatalf("%q: %v; %v", out, err, exit)
	}
	return reported, code
}

// TestReconciledAfterAKill plays, kills the service and continues: ledger and provider agree,
// until someone with the provider's secret forges a callback that the provider doesn't know.
func TestReconciledAfterAKill(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("builds and kills the real binary") // allowed: make test runs it
	}
	folder := t.TempDir()
	running := services.NewDev(t, folder)
	bearer, thief, _ := readyToPlay(t, running, folder) // spins once
	running.Kill()
	running = services.NewDev(t, folder)
	game := launch(t, running, bearer)
	for range 3 {
		answer, err := http.Post(game+"/spin", "application/json", strings.NewReader(`{"bet":100}`))
		noError(t, err)
		_ = answer.Body.Close()
	}
	if reported, code := reconcile(t, running, folder); code != 0 || reported.Transactions != 4 || len(reported.Differences) != 0 {
		t.Fatalf("exit code %d, %+v; four spins agree", code, reported)
	}
	url := running.BaseURL + "/gold_api"
	thief.url.Store(&url)
	if _, err := thief.deliver(callback{"forged", "credit", 0, 5}); err != nil {
		t.Fatal(err)
	}
	reported, code := reconcile(t, running, folder)
	if code != 1 || reported.Transactions != 5 || len(reported.Differences) != 1 {
		t.Fatalf("exit code %d, %+v; one of five differs", code, reported)
	}
	if d := reported.Differences[0]; d.TxnID != "forged" || d.Wallet != thief.user || d.Theirs != nil || d.Ours == nil || d.Ours.Win != 5 {
		t.Errorf("the difference is reported as %+v", d)
	}
}
