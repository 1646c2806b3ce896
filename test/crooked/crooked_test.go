package crooked_test

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/go-json-experiment/json"

	"github.com/casino-service/casino/domain/refusal"
)

// cheat is what a dishonest house does, and the check that finds it.
type cheat struct {
	name, found string
	// row is how docs/fairness/trust.md begins to speak of it.
	row   string
	trick trick
	// games are played, rounds of each, by players: dice, 12 and 1 where they aren't set.
	games           []string
	rounds, players int
	// signs means that the house signs what it changed, in a ledger that is whole; forks that
	// it writes one for each player.
	signs, forks bool
}

var (
	atPlay  = []string{"POST /play"}
	flips   = []string{"coinflip"}
	prizes  = []string{"roulette", "baccarat", "diamonds", "keno", "plinko"}
	history = []string{"GET /history/"}
)

var cheats = []cheat{
	{name: "refuses winners", row: "refuses every bet that would pay more than 2.5 wagers", found: "selection", trick: declining(signedRefusal(nil), above(2.5)), games: prizes, rounds: 80, players: 2},
	{name: "refuses winners more often", row: "refuses 85 % of winners and 5 % of losers", found: "selection", trick: declining(signedRefusal(nil), unsure(0.85, 0.05)), games: prizes, rounds: 80, players: 2},
	{name: "doesn't answer winners", row: "does not answer bets that would pay more than 2.5 wagers", found: "selection", trick: declining(vanish, above(2.5)), games: prizes, rounds: 80, players: 8},
	{name: "makes wins void", row: "makes winning bets void", found: "selection", trick: rounds(func(h *house, r object) { voiding(h, r) }), games: flips, rounds: 220, signs: true},
	{name: "shows wins as void", row: "makes a bet void", found: "void", trick: rounds(func(h *house, r object) { voiding(h, r) }), signs: true},
	{name: "doesn't sign a refusal", row: "does not sign a refusal", found: "refusal", trick: declining(unsignedRefusal, at(3))},
	{name: "refuses by figures that allow the bet", row: "refuses by figures that allow the bet", found: "refusal", trick: declining(signedRefusal(func(r *refusal.Refused) { r.Room = r.MaxPayout }), at(3))},
	{name: "refuses by limits of its own", row: "refuses by limits that it does not publish", found: "limits", trick: declining(signedRefusal(func(r *refusal.Refused) { r.MaxWager = 1 }), at(3))},
	{name: "bounds a stepped round", row: "bounds a stepped round lower than the [published function](steps.md#the-bound)", found: "asked", trick: bounding, games: []string{"mines"}, rounds: 18, signs: true},
	{name: "takes a smaller wager", row: "bets with a wager or a config that you did not send", found: "asked", trick: asking("POST /play", halving), rounds: 24},
	{name: "takes another side", row: "bets with a wager or a config that you did not send", found: "asked", trick: asking("POST /play", losing), games: flips, rounds: 24},
	{name: "opens a mine instead of cashing out", row: "takes an action that you did not send", found: "asked", trick: exploding, games: []string{"mines"}, rounds: 36},
	{name: "draws something else", row: "draws something else than the seeds decide", found: "outcome", signs: true, trick: rounds(func(_ *house, r object) {
		if r.number("payout") > r.number("wager") {
			r.set("payout", r.number("payout")-1)
		}
	})},
	{name: "makes wins void afterwards", row: "makes a win void afterwards", found: "receipt", trick: editing("DROP TRIGGER rounds_update", voidAll)},
	{name: "drops a round afterwards", row: "drops a round from the history", found: "history", trick: editing("DROP TRIGGER rounds_delete", dropOne)},
	{name: "changes the wager afterwards", row: "changes the outcome, the config, the wager or the actions afterwards", found: "receipt", trick: answering(history, func(_ *house, e *exchange) {
		e.got.within("round", func(r object) { r.set("wager", r.number("wager")+1) })
	})},
	{name: "reveals another seed, with a history for it", row: "replaces the server seed after the bet, and rewrites the history by it", found: "commitment", trick: swapping},
	{name: "draws the seed after the client seed is known", row: "draws the server seed after it knows your client seed", found: "commitment", trick: answering([]string{"GET /seed"}, func(_ *house, e *exchange) {
		e.got.set("nextServerSeedHash", strings.Repeat("0123456789abcdef", 4))
	})},
	{name: "plays another bet first", row: "draws a bet at another nonce, as of another bet in your name", found: "nonce", trick: jumping(3)},
	{name: "draws from another pair", row: "draws a round from another pair", found: "bound", signs: true, trick: answering(atPlay, func(_ *house, e *exchange) {
		e.got.within("round", func(r object) { r.set("serverSeedHash", strings.Repeat("0123456789abcdef", 4)) })
	})},
	{name: "shows two histories", row: "shows two histories", found: "receipt", trick: honest, players: 2, rounds: 24, signs: true, forks: true},
	{name: "leaves a debt out", row: "states less than it owes to you", found: "solvency", trick: understating(0)},
	{name: "states half of a debt", row: "states less than it owes to you", found: "solvency", trick: understating(2)},
	{name: "backdates", row: "backdates rounds by more than three minutes", found: "time", signs: true, trick: rounds(func(_ *house, r object) { r.set("createdAt", r.number("createdAt")-5*60_000) })},
	{name: "refuses the player's client seed", row: "takes no client seed of yours", found: "client seed", trick: asking("POST /seed/rotate", func(_ *house, e *exchange) { delete(e.sent, "clientSeed") })},
	{name: "draws with a client seed of its own", row: "draws with a client seed of its own, and shows yours", found: "outcome", trick: ownSeed, signs: true},
}

// voidAll makes the wins of the database void, dropOne drops a round.
const (
	voidAll = "UPDATE rounds SET void = 1, outcome = 'null', payout = wager, multiplier_num = 1, multiplier_den = 1 WHERE payout > wager AND id IN (IDS)"
	dropOne = "DELETE FROM rounds WHERE id = (SELECT max(id) FROM rounds WHERE id IN (IDS))"
)

// service is the one that the cheats are at.
func service(t *testing.T) *casino {
	t.Helper()
	if testing.Short() {
		t.Skip("builds and runs the real binary") // allowed: make test runs it
	}
	return startDev(t, t.TempDir())
}

// manyRounds is how many rounds of each game the honest house has in make crooked.
const manyRounds = "CASINO_TEST_CROOKED_ROUNDS"

// TestEachCheatIsFound has a house for each cheat.
func TestEachCheatIsFound(t *testing.T) {
	t.Parallel()
	shared := service(t)
	t.Run("cheats", func(t *testing.T) {
		checks := map[string]bool{}
		for _, c := range cheats {
			// make test has the other programs check one cheat for each check.
			others := os.Getenv(manyRounds) != "" || !checks[c.found]
			checks[c.found] = true
			t.Run(c.name, func(t *testing.T) {
				t.Parallel()
				file := shared.captured(t, c)
				checks := checkedBy(t, shared, file, others)
				if !slices.Contains(checks, c.found) {
					t.Errorf("not found by %q, but %q", c.found, checks)
				}
				t.Logf("found by %q: %q", c.found, checks)
			})
		}
	})
}

// captured captures rounds at a house that cheats, and returns the file.
func (c *casino) captured(t *testing.T, of cheat) (file string) {
	t.Helper()
	ledgers, mu := map[string]*chain{}, sync.Mutex{}
	on := func(wallet string) *chain {
		mu.Lock()
		defer mu.Unlock()
		if !of.forks {
			wallet = ""
		}
		if ledgers[wallet] == nil {
			ledgers[wallet] = &chain{}
		}
		return ledgers[wallet]
	}
	if !of.signs {
		on = nil
	}
	_, address := c.newHouse(t, of.trick, on)
	folder := t.TempDir()
	file = filepath.Join(folder, "capture.jsonl")
	var tokens []string
	for range max(1, of.players) {
		tokens = append(tokens, c.newPlayer(t))
	}
	sessions := filepath.Join(folder, "sessions")
	must(os.WriteFile(sessions, []byte(strings.Join(tokens, "\n")), 0o600))
	if of.games == nil {
		of.games = []string{"dice"}
	}
	if of.rounds == 0 {
		of.rounds = 12
	}
	out, err := exec.CommandContext(t.Context(), c.binary, "fairness", "capture", file, "--base-url", address, "--data-dir", folder, "--bet-real-money",
		"--sessions-file", sessions, "--games", strings.Join(of.games, ","), "--rounds", strconv.Itoa(of.rounds), "--pair-rounds", "100").CombinedOutput()
	if _, missing := os.Stat(file); missing != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	t.Logf("%s", out)
	return file
}

// checkers are the programs that check a file. They share no code.
var checkers = []struct {
	name      string
	arguments func(c *casino) []string
	knows     string // the file that must mention --capture, empty for the service's own
}{
	{"casino fairness check", func(c *casino) []string { return []string{c.binary, "fairness", "check", "--json"} }, ""},
	{"verify.py", func(*casino) []string { return []string{"python3", "-S", "-B", "../verifiers/verify.py", "--capture"} }, "../verifiers/verify.py"},
	{"verify in TypeScript", func(*casino) []string { return []string{"node", "../../adapters/web/verify/dist/cli.js", "--capture"} }, "../../adapters/web/verify/dist/cli.js"},
}

var findingLine = regexp.MustCompile(`(?m)^([a-z ]+): `)

// checkedBy returns the checks that find something in a file. The other programs must agree.
func checkedBy(t *testing.T, c *casino, file string, others bool) (first []string) {
	t.Helper()
	for i, of := range checkers {
		if i > 0 && !others {
			break
		}
		if source, err := os.ReadFile(of.knows); of.knows != "" && (err != nil || !strings.Contains(string(source), "--capture")) {
			t.Logf("%s doesn't check captures", of.name)
			continue
		}
		begun := time.Now()
		line := append(of.arguments(c), file)
		command := exec.CommandContext(t.Context(), line[0], line[1:]...)
		var errs strings.Builder
		command.Stderr = &errs
		out, err := command.Output()
		if exit := new(exec.ExitError); err != nil && (!errors.As(err, &exit) || exit.ExitCode() != 1) {
			t.Errorf("%s: %v\n%s%s", of.name, err, out, &errs)
			continue
		}
		checks := []string{}
		if i == 0 {
			var report struct {
				Findings []struct {
					Check, Text string
					Line        int
				} `json:"findings"`
			}
			must(json.Unmarshal(out, &report, json.MatchCaseInsensitiveNames(true)))
			for _, f := range report.Findings {
				if !slices.Contains(checks, f.Check) {
					t.Logf("%s, after %d rounds: %.300s", f.Check, roundsBefore(file, f.Line), f.Text)
					checks = append(checks, f.Check)
				}
			}
		} else {
			for _, found := range findingLine.FindAllStringSubmatch(string(out), -1) {
				if !slices.Contains(checks, found[1]) {
					checks = append(checks, found[1])
				}
			}
		}
		if clean := err == nil; clean != (len(checks) == 0) {
			t.Errorf("%s: %v, and it found %q", of.name, err, checks)
		}
		t.Logf("%s took %s", of.name, time.Since(begun).Round(time.Millisecond))
		checks = slices.DeleteFunc(checks, func(check string) bool { return check == "statistics" }) // only one of them makes tests
		slices.Sort(checks)
		if i == 0 {
			first = checks
		} else if !slices.Equal(first, checks) {
			t.Errorf("%s finds %q, casino fairness check %q\n%s", of.name, checks, first, out)
		}
	}
	return first
}

// roundsBefore counts the rounds of a file up to a line, or all of them for 0.
func roundsBefore(file string, line int) (n int) {
	raw, err := os.ReadFile(file)
	must(err)
	for i, text := range strings.Split(string(raw), "\n") {
		if (line == 0 || i < line) && (strings.HasPrefix(text, `{"line":"round"`) || strings.HasPrefix(text, `{"line":"open"`)) {
			n++
		}
	}
	return n
}

// notPlanted are rows of the page that other tests plant: the house can't know the client seed
// of a capture, a million flips would be needed for small parts, and a capture has no checkpoints
// (test/verifiers forks a log).
var notPlanted = []string{
	"picks server seeds that draw low, knowing the client seed", "refuses 30 % of winners and 10 % of losers",
	"shows you another [public log](log.md#verify-with-a-program) than others, or changes it",
}

// TestThePageHasEachCheat compares the tables of docs/fairness/trust.md with the cheats.
func TestThePageHasEachCheat(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile("../../docs/fairness/trust.md")
	must(err)
	found := map[string][]string{} // by row
	for _, c := range cheats {
		found[c.row] = append(found[c.row], c.found)
	}
	tables, _, _ := strings.Cut(string(page), "## What you still have to trust")
	rows := map[string]bool{}
	for _, line := range regexp.MustCompile(`(?m)^\| (.+?) \|(.*)$`).FindAllStringSubmatch(tables, -1) {
		row, rest := line[1], line[2]
		if row == "the house" || slices.Contains(notPlanted, row) {
			continue
		}
		rows[row] = true
		if found[row] == nil {
			t.Errorf("no cheat is planted for %q", row)
		}
		for _, check := range found[row] {
			if !strings.Contains(rest, "`"+check+"`") {
				t.Errorf("the row %q doesn't name the check %q", row, check)
			}
		}
	}
	for row := range found {
		if !rows[row] {
			t.Errorf("the page has no row %q", row)
		}
	}
}

// TestAnHonestHouseIsNotAccused plays every game, through the same proxy: CASINO_TEST_CROOKED_ROUNDS
// of each. A house that signs another ledger, without a lie in it, isn't accused either.
func TestAnHonestHouseIsNotAccused(t *testing.T) {
	t.Parallel()
	shared := service(t)
	played := 7
	if text := os.Getenv(manyRounds); text != "" {
		var err error
		played, err = strconv.Atoi(text)
		must(err)
	}
	var all []string
	for _, g := range games().Games() {
		all = append(all, g.Type())
	}
	runs := []cheat{{name: "as it is", games: all, rounds: played}, {name: "signed again", games: []string{"dice", "mines", "blackjack"}, rounds: 12, signs: true}}
	if played > 100 { // one game after the other: a session lasts half an hour
		runs = nil
		for _, one := range all {
			runs = append(runs, cheat{name: one, games: []string{one}, rounds: played})
		}
	}
	for _, run := range runs {
		t.Run(run.name, func(t *testing.T) {
			run.trick, run.players = honest, 8
			begun := time.Now()
			file := shared.captured(t, run)
			t.Logf("played in %s", time.Since(begun).Round(time.Second))
			if checks := checkedBy(t, shared, file, true); len(checks) > 0 {
				t.Errorf("accused by %q", checks)
			}
		})
	}
}
