package verifier_test

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/casino-service/casino/adapters/verifier"
	"github.com/casino-service/casino/domain/game"
)

const docs = "../../docs/fairness/"

func readDoc(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(docs + name)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// TestTheRoundsOfTheDocumentsAreTrue compares every round of the pages on fairness; each
// game has at least one.
func TestTheRoundsOfTheDocumentsAreTrue(t *testing.T) {
	t.Parallel()
	games, err := game.NewRegistry(game.Standard()...)
	if err != nil {
		t.Fatal(err)
	}
	shown := map[string]int{}
	for _, block := range regexp.MustCompile("(?s)```json\n(.*?)```").FindAllStringSubmatch(readDoc(t, "games.md"), -1) {
		round, err := verifier.ReadRound([]byte(block[1]))
		if err != nil {
			t.Fatalf("%v: %s", err, block[1])
		}
		if differences, err := verifier.Compare(games, round); err != nil || len(differences) > 0 {
			t.Errorf("%v, %v: %s", differences, err, block[1])
		}
		shown[round.Rules]++
	}
	for _, g := range game.Standard() {
		if shown[g.Rules()] == 0 {
			t.Errorf("no round of %s is shown", g.Rules())
		}
		if !strings.Contains(readDoc(t, "games.md"), "(`"+g.Rules()+"`)") {
			t.Errorf("no section on %s", g.Rules())
		}
	}
}

// TestTheStepsOfTheDocumentsAreTrue compares every round of the page on step-by-step play;
// each such game has at least one. It compares each unchanged, without its last action,
// which leaves it open, and with an additional one.
func TestTheStepsOfTheDocumentsAreTrue(t *testing.T) {
	t.Parallel()
	games, err := game.NewRegistry(game.House()...)
	if err != nil {
		t.Fatal(err)
	}
	page, shown := readDoc(t, "steps.md"), map[string]int{}
	for _, block := range regexp.MustCompile("(?s)```json\n(.*?)```").FindAllStringSubmatch(page, -1) {
		round, err := verifier.ReadRound([]byte(block[1]))
		if err != nil {
			t.Fatalf("%v: %s", err, block[1])
		}
		if differences, err := verifier.Compare(games, round); err != nil || len(differences) > 0 {
			t.Errorf("%v, %v: %s", differences, err, block[1])
		}
		if last := strings.LastIndex(string(round.Actions), "{"); last > 0 {
			round.Actions = []byte(strings.TrimSuffix(string(round.Actions[:last]), ",") + "]")
		} else {
			round.Actions = []byte(`[{"type": "stand"}]`)
		}
		if _, err := verifier.Compare(games, round); err == nil {
			t.Errorf("ends without its last action, or after its end: %s", block[1])
		}
		shown[round.Rules]++
	}
	for _, g := range game.House() {
		if _, ok := g.(game.Stepped); ok && (shown[g.Rules()] == 0 || !strings.Contains(page, "(`"+g.Rules()+"`)")) {
			t.Errorf("no round of %s by steps is shown, or no section is on it", g.Rules())
		}
	}
}

// TestTheDrawsOfTheDocumentsAreTrue computes the page's example with the standard
// library.
func TestTheDrawsOfTheDocumentsAreTrue(t *testing.T) {
	t.Parallel()
	page := readDoc(t, "README.md")
	const seed, message = "4f0cbd8d64f4f3b2c0f5a6d2e6f5a1c84c56fd9c9b6e1c3cbfe1e1b7e5a3c901", "my seed:3:0"
	mac := hmac.New(sha256.New, []byte(seed))
	mac.Write([]byte(message))
	block := mac.Sum(nil)
	draws := make([]string, 8)
	for i := range draws {
		draws[i] = fmt.Sprint(binary.BigEndian.Uint32(block[4*i:]))
	}
	first := uint64(binary.BigEndian.Uint32(block))
	for _, line := range []string{
		fmt.Sprintf("commitment  %x\n", sha256.Sum256([]byte(seed))),
		"message     " + message + "\n",
		fmt.Sprintf("block 0     %x\n", block),
		"draws       " + strings.Join(draws, " ") + "\n",
		fmt.Sprintf("⌊%d · 10001 / 4294967296⌋ = %d.", first, first*10001>>32),
	} {
		if !strings.Contains(page, line) {
			t.Errorf("the page lacks %q", line)
		}
	}
}

// TestTheReelsOfTheDocumentsAreThoseThatTurn compares the page's reels, lines and pays with
// the game's published table.
func TestTheReelsOfTheDocumentsAreThoseThatTurn(t *testing.T) {
	t.Parallel()
	page := readDoc(t, "games.md")
	letters := map[string]string{}
	for _, row := range regexp.MustCompile(`(?m)^\| (\S) \| (\w+) \|`).FindAllStringSubmatch(page, -1) {
		letters[row[2]] = row[1]
	}
	table := game.Slots().(game.Tabled).Table()
	for reel := range table.Get("strips").Len() {
		strip := ""
		for symbol := range table.Get("strips").At(reel).Items() {
			strip += letters[symbol.Text()]
		}
		if line := fmt.Sprintf("reel %d  %s\n", reel, strip); !strings.Contains(page, line) {
			t.Errorf("the page lacks %q", line)
		}
	}
	for i := range table.Get("lines").Len() {
		rows := strings.Fields(strings.Trim(table.Get("lines").At(i).String(), "[]"))
		line := fmt.Sprintf("%d  %s", i+1, strings.ReplaceAll(strings.Join(rows, " "), ",", ""))
		if !strings.Contains(page, line) {
			t.Errorf("the page lacks %q", line)
		}
	}
	for pays := range table.Get("pays").Items() {
		cells := []string{letters[pays.Get("symbol").Text()], pays.Get("symbol").Text()}
		for wagers := range pays.Get("pays").Items() {
			text := strings.TrimSuffix(wagers.NumberText(), ".0")
			if text == "0" {
				text = ""
			}
			cells = append(cells, text)
		}
		if row := strings.Join(strings.Fields("| "+strings.Join(cells, " | ")+" |"), " "); !strings.Contains(page, row) {
			t.Errorf("the page lacks %q", row)
		}
	}
}

// TestTheTablesOfTheDocumentsAreThosePaid compares the page's tables with the games'
// published ones.
func TestTheTablesOfTheDocumentsAreThosePaid(t *testing.T) {
	t.Parallel()
	page := readDoc(t, "games.md")
	for _, line := range append(tableLines(), handLines()...) {
		if !strings.Contains(page, line) {
			t.Errorf("the page lacks %q", line)
		}
	}
}

// tableLines returns the tables of plinko, keno and wheel in the page's format: the table's
// parameters and its payouts; for plinko up to the middle, because the other side is the
// same.
func tableLines() (lines []string) {
	for _, by := range []struct {
		game game.Game
		size string
	}{{game.Plinko(), "rows"}, {game.Keno(), "picks"}, {game.Wheel(), "segments"}} {
		for table := range by.game.(game.Tabled).Table().Get("tables").Items() {
			line := fmt.Sprintf("%-8s%3s ", table.Get("risk").Text(), table.Get(by.size).NumberText())
			pays := table.Get("pays")
			shown := pays.Len()
			if by.size == "rows" {
				shown = (shown + 1) / 2
			}
			for i := range shown {
				line += " " + short(pays.At(i))
			}
			lines = append(lines, line+"\n")
		}
	}
	return lines
}

// TestTheHandsOfVideoPokerAreThosePaid compares the page's hands with the game's table.
func TestTheHandsOfVideoPokerAreThosePaid(t *testing.T) {
	t.Parallel()
	page := readDoc(t, "steps.md")
	for hand := range game.VideoPoker().(game.Tabled).Table().Get("hands").Items() {
		if line := fmt.Sprintf("| %s | %s |", hand.Get("name").Text(), hand.Get("pays").NumberText()); !regexp.MustCompile(`(?m)^\| ` + hand.Get("name").Text() + ` \|.*\| ` + hand.Get("pays").NumberText() + ` \|$`).MatchString(page) {
			t.Errorf("the page lacks %q", line)
		}
	}
}

// handLines are the hands of diamonds.
func handLines() (lines []string) {
	for hand := range game.Diamonds().(game.Tabled).Table().Get("hands").Items() {
		lines = append(lines, fmt.Sprintf("| %s | %s |\n", hand.Get("name").Text(), short(hand.Get("pays"))))
	}
	return lines
}

// short formats a number without trailing zeros.
func short(v game.Value) string {
	text := v.NumberText()
	if strings.Contains(text, ".") {
		text = strings.TrimRight(strings.TrimRight(text, "0"), ".")
	}
	return text
}
