package main

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/casino-service/casino/adapters/system"
	"github.com/casino-service/casino/cmd/internal/dev"
)

// TestBackupOfARunningService: the audit proves the copy, and prints the same head as the
// backup.
func TestBackupOfARunningService(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.do("migrate", "up")
	w.serve()
	w.do("capital", "book", "So11111111111111111111111111111111111111112", "10000000000", "founding")
	copied := filepath.Join(w.folder, "copy.db")
	out := w.do("backup", copied)
	head := out[strings.Index(out, "keep this head"):]
	if !strings.Contains(out, copied) || !strings.Contains(out, "bytes") || head == out {
		t.Errorf("backup: %s", out)
	}
	audited, errOut, code := runCasino(t, "audit", "--database-url", "sqlite:"+copied)
	if code != exitDone || !strings.Contains(audited, strings.TrimSpace(head)) {
		t.Errorf("the copy's audit: exit %d\n%s%s\nthe backup said\n%s", code, audited, errOut, out)
	}
	if _, errOut, code = runCasino(t, append([]string{"backup", copied}, w.flags("database-url")...)...); code != exitFailed {
		t.Errorf("over a file that is there: exit %d, %s", code, errOut)
	}
	if _, errOut, code = runCasino(t, "backup", "--database-url", "postgres://casino@host/casino", copied+"2"); code != exitUsage || !strings.Contains(errOut, "pg_basebackup") {
		t.Errorf("of a server: exit %d, %s", code, errOut)
	}
}

// TestAFolderOnTheCommandLineGoesBeforeTheEnvironment isn't parallel, because it sets the
// environment.
func TestAFolderOnTheCommandLineGoesBeforeTheEnvironment(t *testing.T) {
	folder := dev.Folder(t.TempDir())
	store, err := dev.OpenDatabase(t.Context(), folder, system.Default())
	if err != nil {
		t.Fatal(err)
	}
	if err := store.Close(); err != nil {
		t.Fatal(err)
	}
	t.Setenv("CASINO_DATABASE_URL", "sqlite:"+filepath.Join(t.TempDir(), "none.db"))
	if out, errOut, code := runCasino(t, "payouts", "list", "--data-dir", string(folder)); code != exitDone {
		t.Errorf("the folder was not taken: exit %d\n%s%s", code, out, errOut)
	}
	if _, errOut, code := runCasino(t, "payouts", "list"); code == exitDone || !strings.Contains(errOut, "none.db") {
		t.Errorf("without a folder the environment names it: exit %d, %s", code, errOut)
	}
	t.Setenv("CASINO_DATA_DIR", string(folder))
	if _, errOut, code := runCasino(t, "payouts", "list"); code == exitDone || !strings.Contains(errOut, "none.db") {
		t.Errorf("of two variables the database's counts: exit %d, %s", code, errOut)
	}
}
