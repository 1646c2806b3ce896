package capture_test

import (
	"bytes"
	"math/big"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/casino-service/casino/adapters/verifier"
	"github.com/casino-service/casino/cmd/internal/capture"
	"github.com/casino-service/casino/domain/game"
)

// TestACaptureOfAFairHouseIsClean plays every game and config.
func TestACaptureOfAFairHouseIsClean(t *testing.T) {
	t.Parallel()
	file, summary := house{}.taken(t, 4, nil)
	report := checked(t, file)
	var text bytes.Buffer
	if err := report.Print(&text); err != nil || !strings.HasSuffix(text.String(), "Nothing was found.\n") {
		t.Errorf("%v\n%s", err, text.String())
	}
	if len(report.Games) != len(game.House()) || report.Rounds != summary.Rounds || summary.Rounds != 40*len(game.House()) ||
		report.Pairs != summary.Pairs || !report.Clean || len(report.Tests) < 100 || summary.Stopped != "" ||
		len(summary.Refused) != 2 || len(report.NotPlayed) != 2 {
		t.Errorf("%+v\n%s", summary, text.String())
	}
	t.Logf("%s", text.String())
}

// TestTheConfigsAreTheEnds compares the played configs with the published returns.
func TestTheConfigsAreTheEnds(t *testing.T) {
	t.Parallel()
	games := registry(t)
	for _, g := range games.Games() {
		listed := capture.Configs[g.Type()]
		found := map[string]bool{}
		for _, text := range capture.InSteps[g.Type()] {
			if _, err := verifier.Steps(games, g.Type(), "", []byte(text), 40_000); err != nil {
				t.Errorf("%s %s: %v", g.Type(), text, err)
			}
		}
		if _, steps := g.(game.Stepped); steps != (len(capture.InSteps[g.Type()]) > 0) {
			t.Errorf("%s is played step by step with %q", g.Type(), capture.InSteps[g.Type()])
		}
		if !game.AtOnce(g) {
			continue
		}
		for _, c := range listed {
			plan, err := verifier.Plan(games, g.Type(), "", capture.ConfigFor(c, 40_000), 40_000)
			if err != nil {
				t.Errorf("%s %+v: %v", g.Type(), c, err)
				continue
			}
			name, mean := capture.ConfigName(c), plan.Moments().Mean
			found[name] = true
			if _, steps := g.(game.Stepped); steps { // stepped rounds may have the least or greatest return
				if mean.Cmp(g.RTP().Min) < 0 || mean.Cmp(g.RTP().Max) > 0 {
					t.Errorf("%s %+v returns %s", g.Type(), c, mean.RatString())
				}
				continue
			}
			if want, ends := map[string]*big.Rat{"default": g.RTP().Default, "least": g.RTP().Min, "greatest": g.RTP().Max}[name]; ends && mean.Cmp(want) != 0 {
				t.Errorf("%s %+v returns %s, want %s", g.Type(), c, mean.RatString(), want.RatString())
			}
		}
		one := g.RTP().Min.Cmp(g.RTP().Max) == 0
		if !found["default"] || !one && (!found["least"] || !found["greatest"]) {
			t.Errorf("%s is played with %v", g.Type(), listed)
		}
	}
}

// TestThePageNamesEveryCheck compares docs/fairness/capture.md with the checks and the
// statistical tests.
func TestThePageNamesEveryCheck(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile("../../../docs/fairness/capture.md")
	if err != nil {
		t.Fatal(err)
	}
	report := checked(t, honest(t))
	for _, check := range capture.AllChecks {
		if !strings.Contains(string(page), "\n| `"+check+"` |") && check != "statistics" {
			t.Errorf("the page doesn't say what %q shows", check)
		}
		if report.Checks[check] == 0 && check != "statistics" && check != "form" && check != "hidden" && check != "void" && check != "refusal" && check != "limits" && check != "solvency" && check != "shared crash" {
			t.Errorf("%q was never checked", check)
		}
	}
	for _, test := range report.Tests {
		name, _, _ := strings.Cut(test.Test, " at ")
		if !strings.Contains(string(page), "\n| "+name+" |") {
			t.Errorf("the page doesn't say what %q tests", test.Test)
		}
	}
}

// TestVerifiersReadWhatWasKept extracts the rounds of a capture as the page describes.
func TestVerifiersReadWhatWasKept(t *testing.T) {
	t.Parallel()
	games := registry(t)
	kept := regexp.MustCompile(`(?m)^{"line":"kept".*"answered":(.*)}$`).FindAllSubmatch(honest(t), -1)
	if len(kept) != 180 {
		t.Fatalf("%d of 180 rounds", len(kept))
	}
	for _, one := range kept {
		round, err := verifier.ReadRound(one[1])
		if err != nil {
			t.Fatal(err)
		}
		if differences, err := verifier.Compare(games, round); len(differences) > 0 || err != nil {
			t.Errorf("%s: %v, %v", one[1], differences, err)
		}
	}
}
