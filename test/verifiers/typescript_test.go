package verifiers_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/casino-service/casino/domain/game"
)

// typescript is the package that pages and players use. Its dist runs without a build.
const typescript = "../../adapters/web/verify"

// node runs Node.js in the package's folder and returns its output and exit code.
func node(t *testing.T, input []byte, arguments ...string) (printed, faults []byte, code int) {
	t.Helper()
	path, err := exec.LookPath("node")
	if err != nil && os.Getenv("CASINO_TEST_NODE") != "1" {
		t.Skip("Node.js is missing (make test installs it)") // allowed: make check needs Go alone
	} else if err != nil {
		t.Fatal(err)
	}
	command := exec.CommandContext(t.Context(), path, arguments...)
	var out, errs bytes.Buffer
	command.Dir, command.Stdin, command.Stdout, command.Stderr = typescript, bytes.NewReader(input), &out, &errs
	if err := command.Run(); err != nil && !errors.As(err, new(*exec.ExitError)) {
		t.Fatal(err)
	}
	return out.Bytes(), errs.Bytes(), command.ProcessState.ExitCode()
}

// nodesAnswers returns the package's answers to rounds, one per line.
func nodesAnswers(t *testing.T, rounds [][]byte) []answer {
	t.Helper()
	printed, faults, code := node(t, append(bytes.Join(rounds, []byte("\n")), '\n'), "dist/cli.js", "--lines")
	lines := bytes.Split(bytes.TrimSpace(printed), []byte("\n"))
	if code != 0 || len(lines) != len(rounds) {
		t.Fatalf("%d answers to %d rounds, exit code %d\n%s", len(lines), len(rounds), code, faults)
	}
	all := make([]answer, len(lines))
	for i, line := range lines {
		if err := json.Unmarshal(line, &all[i]); err != nil {
			t.Fatalf("%s: %v", line, err)
		}
	}
	return all
}

// nodeKnows returns the rules that the package can play.
func nodeKnows(t *testing.T) map[string]bool {
	t.Helper()
	printed, faults, _ := node(t, nil, "--input-type=module", "-e", `import { games } from "./dist/index.js";
		for (const [rules, game] of games) console.log((game.play ? rules + "\n" : "") + (game.take ? rules + " by steps" : ""))`)
	rules := map[string]bool{}
	for name := range strings.Lines(string(printed)) {
		rules[strings.TrimSpace(name)] = true
	}
	if len(rules) == 0 {
		t.Fatalf("no games\n%s", faults)
	}
	return rules
}

func TestTypeScriptKnowsEveryGame(t *testing.T) {
	t.Parallel()
	rules := nodeKnows(t)
	for _, g := range game.House() {
		isKnown(t, rules, g, "@casino-service/verify", "@casino-service/verify by steps")
	}
}

// TestTypeScriptsOwnTests runs the package's own tests: vectors of SHA-256 and HMAC, JSON,
// decimals, each game at its limits, and every round of the page on games.
func TestTypeScriptsOwnTests(t *testing.T) {
	t.Parallel()
	tests, err := filepath.Glob(typescript + "/test/*.test.mjs")
	if err != nil || len(tests) == 0 {
		t.Fatal("no tests", err)
	}
	arguments := []string{"--test"}
	for _, name := range tests {
		arguments = append(arguments, "test/"+filepath.Base(name))
	}
	if printed, faults, code := node(t, nil, arguments...); code != 0 {
		t.Fatalf("exit code %d\n%s%s", code, printed, faults)
	}
}

func TestTypeScriptVerifiesRounds(t *testing.T) {
	t.Parallel()
	m, rounds := newMaker(t, 1_000, nodeKnows(t)), count(t, "CASINO_TEST_VERIFIER_ROUNDS", 20_000)
	for done := 0; done < rounds; done += chunk {
		lines := make([][]byte, min(chunk, rounds-done))
		for i := range lines {
			lines[i] = m.json(m.round(t))
		}
		for i, got := range nodesAnswers(t, lines) {
			if !got.Verified || len(got.Differs) > 0 || got.Error != "" {
				t.Fatalf("%s\n%+v", lines[i], got)
			}
		}
	}
}

func TestTypeScriptPlaysChosenDraws(t *testing.T) {
	t.Parallel()
	lines := chosen(t, newMaker(t, 1_009, nodeKnows(t)))
	printed, faults, code := node(t, append(bytes.Join(lines, []byte("\n")), '\n'), "test/chosen.mjs")
	noneDiffers(t, lines, printed, faults, code)
}

func TestTypeScriptReproducesPublishedRounds(t *testing.T) {
	t.Parallel()
	folder := os.Getenv("CASINO_TEST_VECTORS")
	if folder == "" {
		t.Skip("CASINO_TEST_VECTORS is not set: the folder of fairness.json, published rounds of other houses") // allowed: the published rounds are not part of the repository
	}
	printed, faults, code := node(t, nil, "test/published.mjs", filepath.Join(folder, "fairness.json"))
	var seen map[string]int
	if err := json.Unmarshal(printed, &seen); err != nil || code != 0 {
		t.Fatalf("exit code %d, %v\n%s%s", code, err, printed, faults)
	}
	reproducedAll(t, seen)
}

func TestTypeScriptRefusesForgedRounds(t *testing.T) {
	t.Parallel()
	m, forged := newMaker(t, 1_500, nodeKnows(t)), count(t, "CASINO_TEST_VERIFIER_FORGED", 500)
	areRefused(t, m, forged, nodesAnswers)
}

// TestTypeScriptIsBuilt checks that dist, which runs and is published, matches the sources.
func TestTypeScriptIsBuilt(t *testing.T) {
	t.Parallel()
	if os.Getenv("CASINO_TEST_NODE") != "1" {
		t.Skip("set CASINO_TEST_NODE=1 to install TypeScript from npm and build with it (make test does)") // allowed: needs npm
	}
	fresh := t.TempDir()
	sources, err := os.OpenRoot(typescript)
	noError(t, err)
	defer func() { _ = sources.Close() }()
	copied := func(name string) {
		text, err := sources.ReadFile(name)
		noError(t, errors.Join(err, os.MkdirAll(filepath.Dir(filepath.Join(fresh, name)), 0o700), os.WriteFile(filepath.Join(fresh, name), text, 0o600)))
	}
	for _, name := range append(files(t, typescript, "src"), "package.json", "package-lock.json", ".npmrc", "tsconfig.json") {
		copied(name)
	}
	for _, arguments := range [][]string{{"ci", "--ignore-scripts", "--no-audit", "--no-fund"}, {"run", "build"}} {
		command := exec.CommandContext(t.Context(), "npm", arguments...)
		command.Dir = fresh
		if printed, err := command.CombinedOutput(); err != nil {
			t.Fatalf("npm %v: %v\n%s", arguments, err, printed)
		}
	}
	areTheSame(t, typescript, fresh)

	// The example of a webhook receiver is compiled by the same TypeScript.
	const example = "../examples/webhook-ts"
	made := t.TempDir()
	if printed, err := exec.CommandContext(t.Context(), filepath.Join(fresh, "node_modules/.bin/tsc"), "-p", example, "--outDir", filepath.Join(made, "dist")).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, printed)
	}
	areTheSame(t, example, made)
}

// areTheSame compares the checked-in dist folder with the newly built one.
func areTheSame(t *testing.T, checkedIn, fresh string) {
	t.Helper()
	kept, built := files(t, checkedIn, "dist"), files(t, fresh, "dist")
	if !slices.Equal(kept, built) {
		t.Fatalf("%s: dist has %v, its sources make %v: make web", checkedIn, kept, built)
	}
	for _, name := range kept {
		is, err := os.ReadFile(filepath.Join(checkedIn, name))
		want, err2 := os.ReadFile(filepath.Join(fresh, name))
		if err := errors.Join(err, err2); err != nil || !bytes.Equal(is, want) {
			t.Errorf("%s/%s is not what its source makes: make web (%v)", checkedIn, name, err)
		}
	}
}

// files returns the files in a part of a folder, relative to the folder.
func files(t *testing.T, folder, part string) (names []string) {
	t.Helper()
	err := fs.WalkDir(os.DirFS(folder), part, func(name string, entry fs.DirEntry, err error) error {
		if err == nil && !entry.IsDir() {
			names = append(names, name)
		}
		return err
	})
	noError(t, err)
	return names
}
