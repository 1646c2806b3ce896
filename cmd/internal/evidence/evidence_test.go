package evidence_test

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/alecthomas/kong"

	"github.com/casino-service/casino/adapters/sealer"
	"github.com/casino-service/casino/cmd/internal/cli"
	"github.com/casino-service/casino/cmd/internal/evidence"
	"github.com/casino-service/casino/cmd/internal/settings"
)

// run runs casino evidence and returns what it printed.
func run(t *testing.T, args ...string) (string, error) {
	t.Helper()
	var line struct {
		Evidence evidence.Command `cmd:""`
	}
	parser, err := kong.New(&line, kong.Name("casino"), settings.Booleans())
	if err != nil {
		t.Fatal(err)
	}
	command, err := parser.Parse(append([]string{"evidence"}, args...))
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	err = command.Run(cli.Streams{Out: &out, Err: &out})
	return out.String(), err
}

// keyOf returns a key as the settings take it, and its public half as --key takes it.
func keyOf(t *testing.T, digit string) (secret, public string) {
	t.Helper()
	secret = "2026-01:" + strings.Repeat(digit+"a0b", 16)
	ring, err := sealer.ParseKeys([]string{secret})
	if err != nil {
		t.Fatal(err)
	}
	signer, err := sealer.NewStatementSigner(ring)
	if err != nil {
		t.Fatal(err)
	}
	return secret, "2026-01:" + base64.StdEncoding.EncodeToString(signer.PublicKeys()[0].PKIX())
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// TestEvidenceIsGatheredAndVerified gathers signed evidence, verifies it, and finds each change.
func TestEvidenceIsGatheredAndVerified(t *testing.T) {
	t.Parallel()
	secret, public := keyOf(t, "1")
	_, other := keyOf(t, "2")
	folder, log := filepath.Join(t.TempDir(), "evidence"), filepath.Join(t.TempDir(), "test.log")
	write(t, log, "ok a package\n1599 passed, 0 failed\n")
	out, err := run(t, folder, "--checkpoint-keys", secret, "--tests", log)
	if err != nil || !strings.Contains(out, "signed by 2026-01") || strings.Contains(out, secret) {
		t.Fatalf("%v\n%s", err, out)
	}
	for name, text := range map[string]string{
		"documents/compliance/clauses.md": "# The table of clauses", "documents/payouts.md": "## Withdrawals", "openapi.yaml": "openapi: ", "migrations/postgres/0001_casino.tx.up.sql": "CREATE ",
		"build.txt": "sha256 of the program ", "embedded.sha256": "  migrations/sqlite/0001_casino.tx.up.sql\n", "tests.txt": "1599 passed, 0 failed", "manifest.txt": "signed by 2026-01\n\n",
	} {
		raw, err := os.ReadFile(filepath.Join(folder, name))
		if err != nil || !strings.Contains(string(raw), text) {
			t.Errorf("%s: %v, no %q", name, err, text)
		}
	}
	var bom struct {
		BOMFormat, SpecVersion string
		Components             []struct{ Name, Version, Purl string }
	}
	raw, err := os.ReadFile(filepath.Join(folder, "sbom.cdx.json"))
	if err != nil || json.Unmarshal(raw, &bom) != nil || bom.BOMFormat != "CycloneDX" || bom.SpecVersion == "" || len(bom.Components) == 0 || bom.Components[0].Name != "std" {
		t.Errorf("%v, a bill of materials: %.300s", err, raw)
	}
	if out, err := run(t, "--check", folder, "--key", public); err != nil || !strings.Contains(out, "the key that you trust") {
		t.Errorf("%v\n%s", err, out)
	}
	if out, err := run(t, "--check", folder); err != nil || !strings.Contains(out, "compare this key") || !strings.Contains(out, public) {
		t.Errorf("without a key: %v\n%s", err, out)
	}
	if out, err := run(t, "--check", folder, "--key", other); err == nil || !strings.Contains(out, "FOUND the signature isn't of the key that you trust") {
		t.Errorf("another key: %v\n%s", err, out)
	}

	path := filepath.Join(folder, "tests.txt")
	kept, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	manifest, err := os.ReadFile(filepath.Join(folder, "manifest.txt"))
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		change, undo func() error
		want         string
	}{
		"changed": {func() error { return os.WriteFile(path, []byte("1600 passed, 0 failed\n"), 0o600) },
			func() error { return os.WriteFile(path, kept, 0o600) }, "FOUND tests.txt was changed"},
		"missing": {func() error { return os.Rename(path, path+".gone") },
			func() error { return os.Rename(path+".gone", path) }, "FOUND tests.txt is missing"},
		"added": {func() error { return os.WriteFile(filepath.Join(folder, "documents", "more.md"), nil, 0o600) },
			func() error { return os.Remove(filepath.Join(folder, "documents", "more.md")) }, "FOUND documents/more.md was added"},
		"linked": {func() error { return os.Symlink(log, filepath.Join(folder, "documents", "link.md")) },
			func() error { return os.Remove(filepath.Join(folder, "documents", "link.md")) }, "FOUND documents/link.md was added"},
		"another list": {func() error {
			return os.WriteFile(filepath.Join(folder, "manifest.txt"), bytes.Replace(manifest, []byte("version "), []byte("version 9"), 1), 0o600)
		}, func() error { return os.WriteFile(filepath.Join(folder, "manifest.txt"), manifest, 0o600) }, "FOUND the signature isn't of the key that you trust"},
		"no signature": {func() error { return os.Rename(filepath.Join(folder, "manifest.sig.json"), log+".sig") },
			func() error { return os.Rename(log+".sig", filepath.Join(folder, "manifest.sig.json")) }, "FOUND the manifest has no signature"},
	} {
		if err := c.change(); err != nil {
			t.Fatal(err)
		}
		if out, err := run(t, "--check", folder, "--key", public); err == nil || !strings.Contains(out, c.want) {
			t.Errorf("%s: %v\n%s", name, err, out)
		}
		if err := c.undo(); err != nil {
			t.Fatal(err)
		}
	}
	if out, err := run(t, "--check", folder, "--key", public); err != nil {
		t.Errorf("as it was: %v\n%s", err, out)
	}
}

// TestEvidenceWithoutAKeySaysSo gathers evidence without keys and without a test run.
func TestEvidenceWithoutAKeySaysSo(t *testing.T) {
	t.Parallel()
	_, public := keyOf(t, "1")
	folder := t.TempDir()
	out, err := run(t, folder)
	if err != nil || !strings.Contains(out, "NOT SIGNED") {
		t.Fatalf("%v\n%s", err, out)
	}
	if raw, err := os.ReadFile(filepath.Join(folder, "tests.txt")); err != nil || string(raw) != "not given\n" {
		t.Errorf("tests.txt: %q, %v", raw, err)
	}
	raw, err := os.ReadFile(filepath.Join(folder, "manifest.txt"))
	if head := fmt.Sprintf("casino evidence 1\nversion %s\ntaken %d-", cli.Version, time.Now().UTC().Year()); err != nil || !strings.HasPrefix(string(raw), head) || !strings.Contains(string(raw), "Z\nunsigned\n\n") {
		t.Errorf("manifest.txt: %.200q, %v", raw, err)
	}
	if out, err := run(t, "--check", folder); err != nil || !strings.Contains(out, "NOT SIGNED") {
		t.Errorf("%v\n%s", err, out)
	}
	if out, err := run(t, "--check", folder, "--key", public); err == nil {
		t.Errorf("unsigned evidence was taken for signed:\n%s", out)
	}
	if _, err := run(t, folder); err == nil || !cli.IsUsage(err) || !strings.Contains(err.Error(), "isn't empty") {
		t.Errorf("written into a folder with files: %v", err)
	}
	log := filepath.Join(t.TempDir(), "test.log")
	write(t, log, "ok a package\n")
	if _, err := run(t, filepath.Join(t.TempDir(), "new"), "--tests", log); err == nil || !cli.IsUsage(err) {
		t.Errorf("a log without a summary: %v", err)
	}
}

// TestEachResultOfTheTestsIsKept gives a run with more lines than are kept: those before them that
// are the result of a package, or name a test that failed, was skipped or didn't end, are there too.
func TestEachResultOfTheTestsIsKept(t *testing.T) {
	t.Parallel()
	results := "skipped m/a.TestSkipped\nok  \tm/a\t0.1s\n    --- FAIL: TestB/sub (0.00s)\n--- FAIL: TestB (0.00s)\nTestC, which has no result:\n" +
		"m/b ended without a result of 2 tests that printed nothing\nFAIL\tm/b\t0.1s\n"
	closing := strings.Repeat("    b_test.go:1: chatter, FAIL and ok\n", 198) + "1 skipped\n1 passed, 2 failed\n"
	folder, log := filepath.Join(t.TempDir(), "evidence"), filepath.Join(t.TempDir(), "test.log")
	write(t, log, "    a_test.go:1: chatter, FAIL and ok\n"+results+closing)
	if out, err := run(t, folder, "--tests", log); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if raw, err := os.ReadFile(filepath.Join(folder, "tests.txt")); err != nil || string(raw) != results+closing {
		t.Errorf("%v, tests.txt:\n%s", err, raw)
	}
}
