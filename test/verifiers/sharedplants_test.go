package verifiers_test

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/casino-service/casino/test/services"
)

const (
	aLook        = `{"line":"shared"`
	aSharedBet   = `{"line":"sharedBet"`
	aCashOut     = `{"line":"sharedCashOut"`
	aSharedRound = `{"line":"sharedRound"`
)

// sharedPlants are cheats at the shared crash in a capture without receipts, by the checks that
// find them.
var sharedPlants = map[string]struct {
	check string
	plant func(*planter)
}{
	"another point":                {"shared crash", func(p *planter) { p.change(p.find(0, aSharedRound), `"point":`, `"point":1`) }},
	"a payout a unit more":         {"balance,shared crash", func(p *planter) { p.change(p.find(0, aSharedRound), `"payout":\d*`, `"payout":1`) }},
	"another automatic cash-out":   {"shared crash", func(p *planter) { p.change(p.find(0, aSharedRound), `"cashOut":1.50`, `"cashOut":1.51`) }},
	"a cash-out by hand left out":  {"shared crash", func(p *planter) { p.change(p.find(0, aSharedRound, `"cashedOut"`), `"cashedOut":[\d.]+,`, ``) }},
	"a bet left out":               {"shared crash", func(p *planter) { p.change(p.find(0, aSharedRound), `"bets":\[.*\]`, `"bets":[]`) }},
	"another chain after the bet":  {"shared crash", func(p *planter) { p.change(p.find(0, aSharedRound), `delay: 2`, `delay: 1`) }},
	"another terminal hash before": {"shared crash", func(p *planter) { p.change(p.find(0, aLook), `terminal: \w+`, `terminal: `+otherHash) }},
	"a hash shown early": {"hidden,shared crash", func(p *planter) {
		p.change(p.find(0, aLook), `"status":"betting"`, `"status":"betting","hash":"`+otherHash+`"`)
	}},
	"a round other than seen before the bet": {"asked,shared crash", func(p *planter) { p.change(p.find(0, aLook), `"number":`, `"number":1`) }},
	"another wager taken": {"asked,shared crash", func(p *planter) {
		p.change(p.find(0, aSharedBet), `"wager":(\d+),"cashOut":[\d.]+,"createdAt"`, `"wager":1$1,"cashOut":1.50,"createdAt"`)
	}},
	"another cash-out taken": {"asked,shared crash", func(p *planter) {
		p.change(p.find(0, aSharedBet), `"cashOut":1.50,"createdAt"`, `"cashOut":1.51,"createdAt"`)
	}},
	"a bet that came twice":       {"balance,nonce,shared crash", sameBetAgain},
	"a balance too high":          {"balance", func(p *planter) { p.change(p.find(0, aSharedBet), `"balance":`, `"balance":1`) }},
	"a bet backdated":             {"time", func(p *planter) { p.change(p.find(0, aSharedBet), `"createdAt":\d`, `"createdAt":2`) }},
	"a cash-out backdated":        {"shared crash,time", func(p *planter) { p.change(p.find(0, aCashOut), `"receivedAt":\d`, `"receivedAt":2`) }},
	"a cash-out received earlier": {"shared crash", receivedEarlier},
	"a cash-out of another wager": {"asked,shared crash", func(p *planter) { p.change(p.find(0, aCashOut), `"wager":`, `"wager":1`) }},
	"a cash-out that is none":     {"asked,shared crash", func(p *planter) { p.change(p.find(0, aCashOut), `"cashedOut":[\d.]+,`, ``) }},
	"a second cash-out":           {"asked", func(p *planter) { at := p.find(0, aCashOut); p.lines = slices.Insert(p.lines, at, p.lines[at]) }},
	"a second cash-out of another wager": {"asked,shared crash", func(p *planter) {
		at := p.find(0, aCashOut)
		p.lines = slices.Insert(p.lines, at+1, p.lines[at])
		p.change(at+1, `"wager":`, `"wager":1`)
	}},
	"a round not read": {"balance,shared crash", func(p *planter) {
		at := p.find(p.find(0, aSharedRound, `"cashedOut"`)+1, aSharedRound)
		p.lines = slices.Delete(p.lines, at, at+1)
	}},
	"a round read twice":   {"form", func(p *planter) { at := p.find(0, aSharedRound); p.lines = slices.Insert(p.lines, at, p.lines[at]) }},
	"no look before a bet": {"balance,form", func(p *planter) { at := p.find(0, aLook); p.lines = slices.Delete(p.lines, at, at+1) }},
}

// signedSharedPlants are cheats at the shared crash in a capture with receipts.
var signedSharedPlants = map[string]struct {
	check string
	plant func(*planter)
}{
	"a bet without receipt":      {"receipt", func(p *planter) { p.change(p.find(0, aSharedBet), `,"receipt":{.*`, "}}") }},
	"a cash-out without receipt": {"receipt", func(p *planter) { p.change(p.find(0, aCashOut), `,"receipt":{.*`, "}}") }},
	"a receipt of another bet": {"receipt", func(p *planter) {
		p.change(p.find(0, aSharedBet), `"receipt":.*`, p.rest(aCashOut, `"receipt":{`)+"}}")
	}},
	"a receipt of something else's": {"receipt", func(p *planter) {
		p.change(p.find(0, aSharedBet), `"receipt":.*`, p.rest(aRotation, `"receipt":{`)+"}}")
	}},
}

func sameBetAgain(p *planter) {
	first := p.find(0, aSharedBet)
	id := regexp.MustCompile(`"bet":{"id":"([^"]*)"`).FindStringSubmatch(p.lines[first])[1]
	p.change(p.find(p.find(first+1, aSharedBet)+1, aSharedBet), `"bet":{"id":"[^"]*"`, `"bet":{"id":"`+id+`"`)
}

func receivedEarlier(p *planter) {
	at := p.find(0, aCashOut)
	received := regexp.MustCompile(`"receivedAt":(\d+)`).FindStringSubmatch(p.lines[at])[1]
	p.change(at, `"receivedAt":\d+`, fmt.Sprintf(`"receivedAt":%d`, whole(p.T, received)-900))
}

// TestCheatsAtTheSharedCrashAreFound plants one thing at a time, and has exactly the named checks
// of all three programs find it.
func TestCheatsAtTheSharedCrashAreFound(t *testing.T) {
	t.Parallel()
	honest := captured(t, everyKind)
	files, want := map[string]lines{"honest": honest}, map[string]string{"honest": ""}
	plant := func(name, check string, file lines, change func(*planter)) {
		p := &planter{t, file}
		change(p)
		files[name], want[name] = p.lines.ended(), check
	}
	for name, row := range sharedPlants {
		plant(name, row.check, honest.bare(), row.plant)
	}
	for name, row := range signedSharedPlants {
		plant(name, row.check, slices.Clone(honest), row.plant)
	}
	folder := t.TempDir()
	for name, file := range files {
		noError(t, os.WriteFile(filepath.Join(folder, name), []byte(strings.Join(file, "")), 0o600))
	}
	inPython, printed := checks(t, files)
	inNode, inGo := checksOfNode(t, folder), map[string]string{}
	for name := range files {
		inGo[name] = checksOfGo(t, filepath.Join(folder, name))
	}
	for name, check := range want {
		for program, got := range map[string]string{"casino fairness check": inGo[name], "verify.py": inPython[name], "cli.js": inNode[name]} {
			if got != check {
				t.Errorf("%s: found by %q of %s, not %q\n%s", name, got, program, check, printed[name][:min(1500, len(printed[name]))])
			}
		}
	}
}

// checksOfNode runs the program in TypeScript on the captures of a folder, and returns the checks
// that have findings.
func checksOfNode(t *testing.T, folder string) (found map[string]string) {
	t.Helper()
	out, faults, code := node(t, nil, "--input-type=module", "-e", `
		import { readFileSync, readdirSync } from "node:fs";
		import { checkCapture } from "./dist/index.js";
		const [folder] = process.argv.slice(1), found = {};
		for (const name of readdirSync(folder)) {
			const { findings } = await checkCapture(readFileSync(folder + "/" + name, "utf8").trimEnd().split("\n"));
			found[name] = [...new Set(findings.map(({ check }) => check))].sort().join();
		}
		console.log(JSON.stringify(found));
	`, folder)
	if code != 0 {
		t.Fatalf("exit code %d\n%s", code, faults)
	}
	noError(t, json.Unmarshal(out, &found))
	return found
}

// checksOfGo runs casino fairness check on a capture.
func checksOfGo(t *testing.T, file string) string {
	t.Helper()
	binary, err := services.Binary()
	noError(t, err)
	out, err := exec.CommandContext(t.Context(), binary, "fairness", "check", "--json", file).Output()
	var report struct{ Findings []struct{ Check string } }
	if json.Unmarshal(out, &report) != nil {
		t.Fatalf("%s: %v\n%s", file, err, out)
	}
	var found []string
	for _, f := range report.Findings {
		found = append(found, f.Check)
	}
	slices.Sort(found)
	return strings.Join(slices.Compact(found), ",")
}
