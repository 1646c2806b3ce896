package documents_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestChartsShowTheFiguresOfTheirPage searches for each number of a chart's description in a cell
// of the tables of docs/figures.md, or in their text.
func TestChartsShowTheFiguresOfTheirPage(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile(filepath.Join(root, "docs/figures.md"))
	noError(t, err)
	charts, err := filepath.Glob(filepath.Join(root, "docs/charts/*.svg"))
	if err != nil || len(charts) < 2 {
		t.Fatalf("%d charts, %v", len(charts), err)
	}
	description := regexp.MustCompile(`<desc[^>]*>([^<]*)</desc>`)
	label := regexp.MustCompile(`<text[^>]*>([0-9][0-9.,]*)(?: [a-z ]+)?</text>`)
	number := regexp.MustCompile(`\b[0-9][0-9,]*(?:\.[0-9]+)?`)
	for _, file := range charts {
		chart, err := os.ReadFile(file)
		noError(t, err)
		described := description.FindSubmatch(chart)
		if described == nil || !strings.Contains(string(page), "(charts/"+filepath.Base(file)+")") {
			t.Fatalf("%s has no description, or docs/figures.md doesn't show it", file)
		}
		numbers := number.FindAllString(string(described[1]), -1)
		for _, figure := range numbers {
			if figure = strings.TrimRight(figure, ","); !strings.Contains(string(page), "| "+figure+" |") {
				t.Errorf("%s: docs/figures.md has no cell %s", file, figure)
			}
		}
		for _, shown := range label.FindAllSubmatch(chart, -1) {
			if class := string(shown[0]); !strings.Contains(class, `class="small"`) && !strings.Contains(string(described[1]), string(shown[1])) {
				t.Errorf("%s shows %s, its description doesn't", file, shown[1])
			}
		}
	}
}
