package verifiers_test

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"testing"

	"github.com/casino-service/casino/test/services"
)

// capturedByDev captures rounds of a `casino dev`, as its users do, and returns the file.
func capturedByDev(t *testing.T) string {
	t.Helper()
	folder := t.TempDir()
	dev := services.NewDev(t, folder)
	binary, err := services.Binary()
	noError(t, err)
	file := filepath.Join(t.TempDir(), "capture.jsonl")
	command := exec.CommandContext(t.Context(), binary, "fairness", "capture", "--data-dir", folder, "--base-url", dev.BaseURL, "--rpc-url", dev.RPCURL,
		"--rounds", "10", "--shared-rounds", "1", "--pair-rounds", "20", "--players", "2", "--games", "dice,limbo,coinflip,roulette,mines,dragontower,hilo,videopoker,blackjack", file)
	if printed, err := command.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, printed)
	}
	return file
}

// TestTypeScriptChecksCaptures checks an honest capture, and copies of it with one cheat each, which
// exactly the named checks have to find.
func TestTypeScriptChecksCaptures(t *testing.T) {
	t.Parallel()
	if os.Getenv("CASINO_TEST_NODE") != "1" {
		t.Skip("set CASINO_TEST_NODE=1 to check captures of a casino dev (make test does)") // allowed: builds and runs the casino
	}
	file := capturedByDev(t)
	printed, faults, code := node(t, nil, "dist/cli.js", "--capture", file)
	if code != 0 || !regexp.MustCompile(`^90 rounds in [0-9]+ pairs of 2 players, 1[0-9]{2} receipts: nothing was found\n$`).Match(printed) {
		t.Fatalf("exit code %d\n%s%s", code, printed, faults)
	}
	printed, faults, code = node(t, nil, "test/plants.mjs", file)
	if code != 0 {
		t.Fatalf("exit code %d\n%s%s", code, printed, faults)
	}
	plants := 0
	for line := range bytes.Lines(printed) {
		var planted struct {
			Name        string
			Want, Found []string
			First       json.RawMessage
		}
		noError(t, json.Unmarshal(line, &planted))
		slices.Sort(planted.Want)
		if plants++; !slices.Equal(planted.Want, planted.Found) {
			t.Errorf("%s: found by %q, want %q\n%s", planted.Name, planted.Found, planted.Want, planted.First)
		}
	}
	if plants < 70 {
		t.Errorf("%d plants", plants)
	}
	printsFindings(t, file)
}

// printsFindings checks the output and the exit codes of the command.
func printsFindings(t *testing.T, file string) {
	t.Helper()
	lines, err := os.ReadFile(file)
	noError(t, err)
	broken := filepath.Join(t.TempDir(), "broken.jsonl")
	noError(t, os.WriteFile(broken, bytes.Replace(lines, []byte(`"symbol":"SOL"`), []byte(`"symbol":"LOS"`), 1), 0o600))
	if printed, _, code := node(t, nil, "dist/cli.js", "--capture", broken); code != 1 || !regexp.MustCompile(`(?m)\Aform: line [0-9]+: .+\n.*: 1 findings\n\z`).Match(printed) {
		t.Errorf("exit code %d\n%s", code, printed)
	}
	if printed, faults, code := node(t, nil, "dist/cli.js", "--capture", broken+".missing"); code != 2 || len(printed) > 0 {
		t.Errorf("exit code %d\n%s%s", code, printed, faults)
	}
}

// TestTypeScriptVerifiesSolvency verifies the published example, and not a changed one.
func TestTypeScriptVerifiesSolvency(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile("../../docs/fairness/solvency.md")
	noError(t, err)
	example := documentedRound.FindSubmatch(page)[1]
	key := regexp.MustCompile("The key is `([^:]*):([^`]*)`").FindSubmatch(page)
	folder := t.TempDir()
	keys, file := filepath.Join(folder, "keys.json"), filepath.Join(folder, "solvency.json")
	noError(t, os.WriteFile(keys, []byte(`{"keys":[{"use":"receipts","kid":"`+string(key[1])+`","publicKey":"`+string(key[2])+`"}]}`), 0o600))
	for _, c := range []struct {
		from, to string
		code     int
		says     string
	}{
		{"", "", 0, "available 52989797, held 13000, staked 0, unclaimed 0"},
		{`"available": 52989797`, `"available": 52989798`, 1, "solvency: "},
		{`"proofs": [`, `"proofs": `, 2, ""},
	} {
		noError(t, os.WriteFile(file, bytes.Replace(example, []byte(c.from), []byte(c.to), 1), 0o600))
		if printed, faults, code := node(t, nil, "dist/cli.js", "--solvency", file, "--keys", keys); code != c.code || !bytes.Contains(printed, []byte(c.says)) {
			t.Errorf("%s: exit code %d\n%s%s", c.to, code, printed, faults)
		}
	}
}
