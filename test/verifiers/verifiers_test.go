package verifiers_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/casino-service/casino/domain/game"
)

// answer is verify.py's answer about one of many rounds.
type answer struct {
	Verified bool
	Differs  []string
	Error    string
	Void     bool
	Notes    []string
}

// python runs a program of this folder and returns its output and exit code.
func python(t *testing.T, input []byte, arguments ...string) (printed, faults []byte, code int) {
	t.Helper()
	path, err := exec.LookPath("python3")
	if err != nil && os.Getenv("CASINO_TEST_PYTHON") != "1" {
		t.Skip("python3 is missing (make test installs it)") // allowed: make check needs Go alone
	} else if err != nil {
		t.Fatal(err)
	}
	// -S leaves out installed packages, to test with the standard library only. -B writes no
	// bytecode here.
	command := exec.CommandContext(t.Context(), path, append([]string{"-S", "-B"}, arguments...)...)
	var out, errs bytes.Buffer
	command.Stdin, command.Stdout, command.Stderr = bytes.NewReader(input), &out, &errs
	if err := command.Run(); err != nil && !errors.As(err, new(*exec.ExitError)) {
		t.Fatal(err)
	}
	return out.Bytes(), errs.Bytes(), command.ProcessState.ExitCode()
}

// answers returns verify.py's answers to rounds, one per line.
func answers(t *testing.T, rounds [][]byte) []answer {
	t.Helper()
	printed, faults, code := python(t, append(bytes.Join(rounds, []byte("\n")), '\n'), "verify.py", "--lines")
	lines := bytes.Split(bytes.TrimSpace(printed), []byte("\n"))
	if code != 0 || len(faults) > 0 || len(lines) != len(rounds) {
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

// known returns the rules that games.py can play, and those of steps.py with " by steps". Other
// tests skip an unknown game: TestVerifiersKnowEveryGame names it.
func known(t *testing.T) map[string]bool {
	t.Helper()
	printed, faults, _ := python(t, nil, "-c", `import verify; print(*verify.GAMES, *(rules + " by steps" for rules in verify.STEPPED), sep="\n")`)
	rules := map[string]bool{}
	for name := range strings.Lines(string(printed)) {
		rules[strings.TrimSpace(name)] = true
	}
	if len(rules) == 0 {
		t.Fatalf("no games\n%s", faults)
	}
	return rules
}

// count returns a number from the environment, or a default.
func count(t *testing.T, name string, otherwise int) int {
	t.Helper()
	text := os.Getenv(name)
	if text == "" {
		return otherwise
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 {
		t.Fatalf("%s is %q, not a number above 0", name, text)
	}
	return n
}

func TestVerifiersKnowEveryGame(t *testing.T) {
	t.Parallel()
	rules := known(t)
	for _, g := range game.House() {
		t.Run(g.Rules(), func(t *testing.T) {
			t.Parallel()
			isKnown(t, rules, g, "games.py", "steps.py")
		})
	}
}

// isKnown fails if a game isn't known as it is played, in one call or step by step.
func isKnown(t *testing.T, rules map[string]bool, g game.Game, atOnce, bySteps string) {
	t.Helper()
	if game.AtOnce(g) && !rules[g.Rules()] {
		t.Errorf("%s has no %s", atOnce, g.Rules())
	}
	if _, ok := g.(game.Stepped); ok && !rules[g.Rules()+" by steps"] {
		t.Errorf("%s has no %s", bySteps, g.Rules())
	}
}

var documentedRound = regexp.MustCompile("(?s)```json\n(.*?)```")

func TestDocumentedRoundsAreVerified(t *testing.T) {
	t.Parallel()
	games, err := os.ReadFile("../../docs/fairness/games.md")
	steps, err2 := os.ReadFile("../../docs/fairness/steps.md")
	noError(t, errors.Join(err, err2))
	rules, seen := known(t), map[string]bool{}
	var rounds [][]byte
	for _, found := range documentedRound.FindAllSubmatch(append(games, steps...), -1) {
		var r struct {
			Rules   string
			Actions []any
		}
		var line bytes.Buffer
		if err := errors.Join(json.Unmarshal(found[1], &r), json.Compact(&line, found[1])); err != nil {
			t.Fatalf("%s: %v", found[1], err)
		}
		if r.Actions != nil {
			r.Rules += " by steps"
		}
		if seen[r.Rules] = true; rules[r.Rules] { // TestVerifiersKnowEveryGame names the others
			rounds = append(rounds, line.Bytes())
		}
	}
	for i, got := range answers(t, rounds) {
		if !got.Verified {
			t.Errorf("%s\n%+v", rounds[i], got)
		}
	}
	for name := range rules {
		if !seen[name] {
			t.Errorf("%s has no round on the pages", name)
		}
	}
}

// chunk is how many rounds one process gets.
const chunk = 5_000

// TestRoundsAreVerified checks that the programs confirm the drawing code's results.
func TestRoundsAreVerified(t *testing.T) {
	t.Parallel()
	rules, rounds := known(t), count(t, "CASINO_TEST_VERIFIER_ROUNDS", 20_000)
	for seed := range (rounds + chunk - 1) / chunk {
		t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) {
			t.Parallel()
			m := newMaker(t, uint64(seed), rules)
			lines := make([][]byte, min(chunk, rounds-seed*chunk))
			for i := range lines {
				lines[i] = m.json(m.round(t))
			}
			for i, got := range answers(t, lines) {
				if !got.Verified || len(got.Differs) > 0 || got.Error != "" {
					t.Fatalf("%s\n%+v", lines[i], got)
				}
			}
		})
	}
}

// TestForgedRoundsAreRefused checks that they refuse other results, for the same reasons.
func TestForgedRoundsAreRefused(t *testing.T) {
	t.Parallel()
	m, forged := newMaker(t, 500, known(t)), count(t, "CASINO_TEST_VERIFIER_FORGED", 500)
	areRefused(t, m, forged, answers)
}

// areRefused sends forged rounds to a program.
func areRefused(t *testing.T, m maker, forged int, ask func(*testing.T, [][]byte) []answer) {
	t.Helper()
	lines, differs, places := make([][]byte, forged), make([][]string, forged), make([]string, forged)
	for i := range lines {
		r, names, place := m.forged(t, i%len(forgeries))
		lines[i], differs[i], places[i] = m.json(r), names, place
	}
	for i, got := range ask(t, lines) {
		slices.Sort(got.Differs)
		if got.Verified || !slices.Equal(got.Differs, differs[i]) || (got.Error == "") == (len(differs[i]) == 0) || placeOf(got.Error) != places[i] {
			t.Errorf("%s forged: %s\n%+v, in fact %v %s", forgeries[i%len(forgeries)].name, lines[i], got, differs[i], places[i])
		}
	}
}

// TestPublishedRoundsAreReproduced reproduces published rounds if the environment names their
// folder. It counts the rows, so that no row is skipped silently.
func TestPublishedRoundsAreReproduced(t *testing.T) {
	t.Parallel()
	folder := os.Getenv("CASINO_TEST_VECTORS")
	if folder == "" {
		t.Skip("CASINO_TEST_VECTORS is not set: the folder of fairness.json, published rounds of other houses") // allowed: the published rounds are not part of the repository
	}
	printed, faults, code := python(t, nil, "published.py", filepath.Join(folder, "fairness.json"))
	var seen map[string]int
	if err := json.Unmarshal(printed, &seen); err != nil || code != 0 {
		t.Fatalf("exit code %d, %v\n%s%s", code, err, printed, faults)
	}
	for scheme, want := range map[string]int{
		"stake.dice": 62, "stake.limbo.v2": 10, "stake.crash": 10, "stake.flip": 10, "stake.bytes": 9, "commit.sha256utf8": 13,
		"stake.roulette": 52, "stake.wheel": 37, "stake.wheel.index": 15, "stake.keno": 49, "stake.keno.1based": 3,
		"stake.mines": 49, "stake.mines.1based.sorted24": 3, "stake.plinko.directions": 49, "stake.plinko.index": 27,
		"stake.baccarat": 11, "stake.hilo": 11, "stake.hilo.cards": 3, "stake.blackjack": 21, "stake.cards.infinite": 3,
		"stake.diamonds": 3, "stake.diamondpoker": 49, "stake.dragontower": 5, "stake.videopoker": 11, "stake.videopoker.cards": 3,
		"stake.limbo.v1": 52, "stake.crash.raw": 3, "stake.slide.raw": 3, "stake.slots.scarab": 50, "stake.floats": 7, "chain.sha256hex": 9,
	} {
		if seen[scheme] != want {
			t.Errorf("%d rows of %s, want %d", seen[scheme], scheme, want)
		}
	}
	reproducedAll(t, seen)
}

// publishedRows is the number of rows in fairness.json.
const publishedRows = 642

func reproducedAll(t *testing.T, seen map[string]int) {
	t.Helper()
	all := 0
	for _, rows := range seen {
		all += rows
	}
	if all != publishedRows {
		t.Errorf("%d rows were reproduced of %d: %v", all, publishedRows, seen)
	}
	t.Logf("%d rows reproduced: %v", all, seen)
}

// noError ends the test on an error.
func noError(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
