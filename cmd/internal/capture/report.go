package capture

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"
	"time"
)

// Basis of a finding.
const (
	ByRecomputing = "recomputing"
	ByStatistics  = "statistics"
)

// Finding is one detected error.
type Finding struct {
	Check  string `json:"check"`
	By     string `json:"by"`
	Line   int    `json:"line,omitzero"`
	Player int    `json:"player,omitzero"`
	Round  string `json:"round,omitzero"`
	Game   string `json:"game,omitzero"`
	Config string `json:"config,omitzero"`
	Text   string `json:"text"`
}

// Test is one statistical test of all rounds, of a game, or of a config.
type Test struct {
	Game    string  `json:"game,omitzero"`
	Config  string  `json:"config,omitzero"`
	Test    string  `json:"test"`
	P       float64 `json:"p"`
	Refused bool    `json:"refused"`
}

func (t Test) testName() string {
	switch {
	case t.Game == "":
		return t.Test + " of all games"
	case t.Config == "":
		return t.Game + ", " + t.Test
	}
	return t.Game + " " + t.Config + ", " + t.Test
}

// Game summarizes the rounds of a game. Returned and Expected are fractions of the wagers.
// Expected is 0 if some rounds were stepped, because their return depends on the actions.
type Game struct {
	Game     string  `json:"game"`
	Configs  int     `json:"configs"`
	Rounds   int     `json:"rounds"`
	Wagered  int64   `json:"wagered"`
	Paid     int64   `json:"paid"`
	Returned float64 `json:"returned"`
	Expected float64 `json:"expected"`
}

// Declined is what the bets of a game come to by their seeds that were refused, unanswered or
// void when they were first asked for, beside those that were taken. A round that is played
// step by step counts as the rules end it for an absent player.
type Declined struct {
	Game string `json:"game"`
	Bets int    `json:"bets"`
	// Won is how many would have paid more than their wagers, Paid what each would have
	// paid of its wager in the mean.
	Won      int     `json:"won"`
	Paid     float64 `json:"paid"`
	Taken    int     `json:"taken"`
	TakenWon int     `json:"takenWon"`
}

// Report is the result of checking a capture.
type Report struct {
	Clean bool `json:"clean"`
	// Header is the first line; From and To limit the time of the capture in Unix
	// milliseconds.
	Header  Header `json:"capture"`
	From    int64  `json:"from"`
	To      int64  `json:"to"`
	Stopped string `json:"stopped,omitzero"`
	SHA256  string `json:"sha256"`
	Rounds  int    `json:"rounds"`
	Pairs   int    `json:"pairs"`
	// Shared counts bets on the shared crash.
	Shared   int `json:"shared"`
	Refusals int `json:"refusals"`
	// Unanswered counts bets without an answer.
	Unanswered int    `json:"unanswered"`
	Games      []Game `json:"games"`
	// Declined are the bets that were refused, unanswered or void, of each game.
	Declined []Declined `json:"declined,omitzero"`
	// NotPlayed are configs without a played round, mostly because the house doesn't accept
	// their prize.
	NotPlayed []string `json:"notPlayed,omitzero"`
	// NoReceiptKeys says that the capture has no key for receipts, so that none was checked.
	NoReceiptKeys bool `json:"noReceiptKeys,omitzero"`
	// UnknownWallets is the number of players whose receipts weren't checked, because the
	// capture doesn't have their wallets.
	UnknownWallets int `json:"unknownWallets,omitzero"`
	// Checks counts how often each check was made.
	Checks map[string]int `json:"checks"`
	// Level is the family-wise level of all Tests together, by Holm's procedure.
	Level float64 `json:"level"`
	Tests []Test  `json:"tests"`
	// Selection are the tests whether refusals depend on outcomes, at a level of 1e-6.
	Selection []Test `json:"selection,omitzero"`
	// Found counts all findings, including those that Findings omits.
	Found    int       `json:"found"`
	Findings []Finding `json:"findings"`
}

// findingsMax is the maximum number of listed findings for each check.
const findingsMax = 20

func (r *Report) addFinding(f Finding) {
	r.Found++
	same := 0
	for _, one := range r.Findings {
		if one.Check == f.Check {
			same++
		}
	}
	if same < findingsMax {
		r.Findings = append(r.Findings, f)
	}
}

// countCheck counts a check.
func (c *checker) countCheck(check string) { c.report.Checks[check]++ }

// Print writes the report as text.
func (r Report) Print(to io.Writer) error {
	out := &strings.Builder{}
	fmt.Fprintf(out, "%d rounds in %d pairs of %d players at %s (version %s), in %s\n", r.Rounds, r.Pairs, len(r.Header.Players), r.Header.BaseURL, r.Header.Version, r.Header.Symbol)
	fmt.Fprintf(out, "taken %s to %s, SHA-256 %s\n", formatTime(r.From), formatTime(r.To), r.SHA256)
	if r.Stopped != "" {
		fmt.Fprintf(out, "it ended early: %s\n", r.Stopped)
	}
	table := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintf(table, "\nGAME\tCONFIGS\tROUNDS\tWAGERED\tPAID\tRETURNED\tEXPECTED\n")
	for _, g := range r.Games {
		expected := "-"
		if g.Expected > 0 {
			expected = fmt.Sprintf("%.2f %%", 100*g.Expected)
		}
		fmt.Fprintf(table, "%s\t%d\t%d\t%d\t%d\t%.2f %%\t%s\n", g.Game, g.Configs, g.Rounds, g.Wagered, g.Paid, 100*g.Returned, expected)
	}
	_ = table.Flush() // writes to memory
	if r.Shared > 0 {
		fmt.Fprintf(out, "shared crash: %d bets; the beacon was not compared with its network (casino verify --crash --rpc does)\n", r.Shared)
	}
	for _, d := range r.Declined {
		fmt.Fprintf(out, "%s: %d bets were refused, unanswered or void, of which %d would have won, %.2f %% of their wagers in all; of %d that were taken %d won\n",
			d.Game, d.Bets, d.Won, 100*d.Paid, d.Taken, d.TakenWon)
	}
	for _, config := range r.NotPlayed {
		fmt.Fprintf(out, "not played: %s\n", config)
	}
	if r.NoReceiptKeys {
		fmt.Fprintln(out, "not checked: receipts, signed refusals, signed limits and solvency, because the service showed no key for receipts")
	}
	if r.UnknownWallets > 0 {
		fmt.Fprintf(out, "not checked: the receipts of %d players, whose wallets the capture doesn't have\n", r.UnknownWallets)
	}
	fmt.Fprint(out, "\nChecked: ")
	var checks []string
	for name := range r.Checks {
		checks = append(checks, name)
	}
	slices.Sort(checks)
	for i, name := range checks {
		if i > 0 {
			fmt.Fprint(out, ", ")
		}
		fmt.Fprintf(out, "%s %d times", name, r.Checks[name])
	}
	if len(r.Tests) > 0 {
		least := slices.MinFunc(r.Tests, func(a, b Test) int {
			switch {
			case a.P < b.P:
				return -1
			case a.P > b.P:
				return 1
			}
			return 0
		})
		fmt.Fprintf(out, ".\n%d statistical tests at a level of %g for all of them together (Holm): the least chance is %.2g (%s), refused is what lies below %.2g.\n",
			len(r.Tests), r.Level, least.P, least.testName(), r.Level/float64(len(r.Tests)))
	} else {
		fmt.Fprint(out, ".\n")
	}
	if len(r.Selection) > 0 {
		fmt.Fprintf(out, "%d tests at a level of %g for all of them together: whether refusals depend on outcomes.\n", len(r.Selection), selectionLevel)
	}
	r.printFindings(out)
	_, err := io.WriteString(to, out.String())
	return err
}

func (r Report) printFindings(out io.Writer) {
	if r.Clean {
		fmt.Fprintln(out, "\nNothing was found.")
		return
	}
	fmt.Fprintf(out, "\n%d findings:\n", r.Found)
	for _, f := range r.Findings {
		fmt.Fprintf(out, "  %s (by %s)", f.Check, f.By)
		if f.Line > 0 {
			fmt.Fprintf(out, ", line %d", f.Line)
		}
		if f.Round != "" {
			fmt.Fprintf(out, ", round %s", f.Round)
		}
		if f.Game != "" {
			fmt.Fprintf(out, ", %s %s", f.Game, f.Config)
		}
		fmt.Fprintf(out, ": %s\n", f.Text)
	}
	if r.Found > len(r.Findings) {
		fmt.Fprintf(out, "  and %d more like these\n", r.Found-len(r.Findings))
	}
}

func formatTime(millis int64) string {
	return time.UnixMilli(millis).UTC().Format("2006-01-02 15:04:05")
}
