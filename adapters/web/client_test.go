package web_test

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// client is the npm package that calls the service from TypeScript. Its dist runs without a
// build.
const client = "client"

// runs runs a program in a folder and fails the test if it fails.
func runs(t *testing.T, folder, program string, arguments ...string) {
	t.Helper()
	command := exec.CommandContext(t.Context(), program, arguments...)
	command.Dir = folder
	if printed, err := command.CombinedOutput(); err != nil {
		t.Fatalf("%s %v: %v\n%s", program, arguments, err, printed)
	}
}

// TestTheClientsOwnTests: retries and their keys, failures, lists, interrupted streams,
// integers, and the packed files.
func TestTheClientsOwnTests(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("node"); err != nil && os.Getenv("CASINO_TEST_NODE") != "1" {
		t.Skip("Node.js is missing (make test installs it)") // allowed: make check needs Go alone
	}
	tests, err := filepath.Glob(client + "/test/*.test.mjs")
	if err != nil || len(tests) == 0 {
		t.Fatal("no tests", err)
	}
	for i, name := range tests {
		tests[i] = "test/" + filepath.Base(name)
	}
	runs(t, client, "node", append([]string{"--test"}, tests...)...)
}

// TestTheClientIsBuilt: dist is the build of its sources and the published contract, and
// exactly the valid uses of its types compile. The pages' logic is tested with it.
func TestTheClientIsBuilt(t *testing.T) {
	t.Parallel()
	if os.Getenv("CASINO_TEST_NODE") != "1" {
		t.Skip("set CASINO_TEST_NODE=1 to install TypeScript from npm and build with it (make test does)") // allowed: needs npm
	}
	fresh := t.TempDir()
	at := filepath.Join(fresh, "web", client)
	copied(t, "../httpapi/openapi.yaml", filepath.Join(fresh, "httpapi/openapi.yaml"))
	for _, name := range filesOf(t, client) {
		if !strings.HasPrefix(name, "dist/") {
			copied(t, filepath.Join(client, name), filepath.Join(at, name))
		}
	}
	runs(t, at, "npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund")
	runs(t, at, "npm", "run", "build")
	kept, built := filesOf(t, client+"/dist"), filesOf(t, at+"/dist")
	if strings.Join(kept, " ") != strings.Join(built, " ") {
		t.Fatalf("dist has %v, its sources make %v: make web", kept, built)
	}
	for _, name := range kept {
		is, err := os.ReadFile(filepath.Join(client, "dist", name))
		want, err2 := os.ReadFile(filepath.Join(at, "dist", name))
		if err := errors.Join(err, err2); err != nil || !bytes.Equal(is, want) {
			t.Errorf("dist/%s is not what its source makes: make web (%v)", name, err)
		}
	}
	runs(t, at, "node_modules/.bin/tsc", "-p", "test")
	testPages(t, at)
}

// testPages runs the tests of the pages' logic, compiled against the client built in a
// folder, with its TypeScript.
func testPages(t *testing.T, builtClient string) {
	t.Helper()
	at := filepath.Join(filepath.Dir(builtClient), "pages")
	sources := []string{"src/play/account/tally.ts", "src/play/find.ts", "src/play/sitting.ts", "src/shared/money.ts", "src/shared/plural.ts", "src/shared/refusals.ts", "src/shared/held.ts", "src/shared/wallet-apps.ts",
		"src/play/receipts/rules.ts", "src/play/auto-plan.ts", "src/play/boards/returns.ts", "src/play/boards/roulette-places.ts", "src/play/crash/news.ts", "src/admin/duties.ts", "src/admin/keys.ts", "src/admin/saved.ts"}
	tests := []string{"test/around.test.mjs", "test/money.test.mjs", "test/refusals.test.mjs", "test/session.test.mjs", "test/auto.test.mjs", "test/boards.test.mjs", "test/receipts.test.mjs", "test/console.test.mjs", "test/crash.test.mjs"}
	others := []string{"package.json", "src/locales/refusals.en.json", "src/locales/refusals.pt-BR.json", "src/admin/sections.ts", "src/locales/admin/en.json", "src/locales/admin/pt-BR.json"}
	for _, name := range slices.Concat(others, sources, tests) {
		copied(t, filepath.Join("pages", name), filepath.Join(at, name))
	}
	copied(t, "../httpapi/openapi.yaml", filepath.Join(at, "openapi.yaml"))
	packages := filepath.Join(at, "node_modules", "@casino-service")
	verifier, err := filepath.Abs("verify")
	if err := errors.Join(err, os.MkdirAll(packages, 0o700), os.Symlink(builtClient, filepath.Join(packages, client)), os.Symlink(verifier, filepath.Join(packages, "verify"))); err != nil {
		t.Fatal(err)
	}
	runs(t, at, filepath.Join(builtClient, "node_modules/.bin/tsc"), append([]string{"--module", "nodenext", "--target", "es2022",
		"--lib", "es2023,dom", "--strict", "--rootDir", "src", "--outDir", "built"}, sources...)...)
	runs(t, at, "node", append([]string{"--test"}, tests...)...)
}

func copied(t *testing.T, from, to string) {
	t.Helper()
	text, err := os.ReadFile(from)
	if err := errors.Join(err, os.MkdirAll(filepath.Dir(to), 0o700), os.WriteFile(to, text, 0o600)); err != nil {
		t.Fatal(err)
	}
}

// filesOf lists a folder's files by relative path, without node_modules.
func filesOf(t *testing.T, folder string) (names []string) {
	t.Helper()
	err := fs.WalkDir(os.DirFS(folder), ".", func(name string, entry fs.DirEntry, err error) error {
		if err == nil && entry.Name() == "node_modules" {
			return fs.SkipDir
		}
		if err == nil && !entry.IsDir() {
			names = append(names, name)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return names
}
