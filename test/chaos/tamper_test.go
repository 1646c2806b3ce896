package chaos_test

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/casino-service/casino/adapters/httpapi/api"
	"github.com/casino-service/casino/adapters/httpapi/client"
	"github.com/casino-service/casino/test/services"
)

// TestAuditNamesTheBlockThatWasChanged changes one byte of a transfer in the
// database file.
func TestAuditNamesTheBlockThatWasChanged(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("builds and runs the real binary") // allowed: make test runs it
	}
	folder := t.TempDir()
	running := services.NewDev(t, folder)
	mint := running.Tokens[0].Mint
	admin := client.New(running.BaseURL, nil).WithToken(running.SignIn(t, "superadmin"))
	running.SignIn(t, "alice")
	_, address := running.Key(t, "alice")
	if _, err := admin.AdjustBalance(context.Background(), address, api.AdjustRequest{Token: mint, Amount: 7_777_777, Reason: "marked"}); err != nil {
		t.Fatal(err)
	}
	running.Stop(t)
	out, err := services.Audit(t, folder)
	if err != nil {
		t.Fatalf("before the change: %v\n%s", err, out)
	}
	head := strings.TrimSpace(out[strings.LastIndex(out, ": ")+2:])
	if out, err := services.Audit(t, folder, "--head", head); err != nil {
		t.Fatalf("with its own head %s: %v\n%s", head, err, out)
	}
	changeByte(t, filepath.Join(folder, "casino.db"))
	out, err = services.Audit(t, folder)
	if err == nil || !strings.Contains(out, "FOUND block 0:") || !strings.Contains(out, "its content was changed") {
		t.Fatalf("after the change: %v\n%s", err, out)
	}
	t.Log(out)
}

// changeByte changes the amount 7,777,777 to 7,777,776 wherever a row holds it as SQLite's
// three-byte integer.
func changeByte(t *testing.T, path string) {
	t.Helper()
	raw, err := os.ReadFile(path)
	noError(t, err)
	amount := []byte{0x76, 0xAD, 0xF1} // 7,777,777
	at := bytes.Index(raw, []byte("adjustment"))
	found := false
	for at >= 0 {
		end := min(at+400, len(raw))
		if i := bytes.Index(raw[at:end], amount); i >= 0 {
			raw[at+i+2]--
			found = true
			break
		}
		next := bytes.Index(raw[at+1:], []byte("adjustment"))
		if next < 0 {
			break
		}
		at += 1 + next
	}
	if !found {
		t.Fatal("the amount is not in the file")
	}
	noError(t, os.WriteFile(path, raw, 0o600))
}
