package documents_test

import (
	"fmt"
	"io/fs"
	"os"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/oasdiff/yaml"
)

var (
	namedTest     = regexp.MustCompile("^`([a-z0-9/]+)\\.(Test\\w+)`$")
	namedEndpoint = regexp.MustCompile("`(GET|POST|PUT|PATCH|DELETE) (/[^`]*)`")
	namedPackage  = regexp.MustCompile("`((?:adapters|app|cmd|domain|ports|test)/[a-z0-9/]+)`")
	namedSetting  = regexp.MustCompile("`(CASINO_[A-Z_]+)`")
	linkedPage    = regexp.MustCompile(`\]\(([^)#]+)(?:#[^)]*)?\)`)
	clauseOf      = map[string]*regexp.Regexp{
		"GLI-19": regexp.MustCompile(`^([2-4A-C]|chapter [2-4]|[2-4A-C](\.\d+){1,2})$`), "UK RTS": regexp.MustCompile(`^(([1-9]|1[0-7])[A-H]?|A\.([5-9]|1[0-8]))$`),
	}
)

// clauses are the columns of the table of clauses.
var clauses = []string{"requirement", "GLI-19", "UK RTS", "Curaçao", "met in", "tests", "state"}

// complianceFaults checks each row of the table of clauses against the repository: its tests,
// endpoints, packages, settings and documents exist, its clauses are written as its sources number
// them, and its state is one of five, with a reason unless it is met.
func complianceFaults(t *testing.T, text string, root fs.FS) (rows int, faults []string) {
	t.Helper()
	var contract struct {
		Paths map[string]map[string]any `json:"paths"`
	}
	raw, err := fs.ReadFile(root, "adapters/httpapi/openapi.yaml")
	noError(t, err)
	_, err = yaml.Unmarshal(raw, &contract, yaml.DecodeOpts{})
	noError(t, err)
	settings, err := fs.ReadFile(root, "docs/settings.md")
	noError(t, err)
	for line := range strings.Lines(text) {
		cells := strings.Split(strings.Trim(strings.TrimSpace(line), "|"), "|")
		if !strings.HasPrefix(line, "|") || strings.HasPrefix(line, "|---") {
			continue
		}
		for i := range cells {
			cells[i] = strings.TrimSpace(cells[i])
		}
		if slices.Equal(cells, clauses) {
			continue
		}
		rows++
		fault := func(format string, args ...any) {
			faults = append(faults, cells[0]+": "+fmt.Sprintf(format, args...))
		}
		if len(cells) != len(clauses) {
			fault("%d cells, the table has %d", len(cells), len(clauses))
			continue
		}
		if cells[1]+cells[2]+cells[3] == "" {
			fault("no clause")
		}
		for i, source := range clauses[:3] {
			for clause := range strings.SplitSeq(cells[i], ", ") {
				if form := clauseOf[source]; form != nil && clause != "" && !form.MatchString(clause) {
					fault("%q is no clause of %s", clause, source)
				}
			}
		}
		tests := 0
		for name := range strings.SplitSeq(cells[5], ", ") {
			if name == "" {
				continue
			}
			tests++
			parts := namedTest.FindStringSubmatch(name)
			if parts == nil || !hasTest(t, root, parts[1], parts[2]) {
				fault("there is no test %s", name)
			}
		}
		for _, e := range namedEndpoint.FindAllStringSubmatch(cells[4], -1) {
			if _, found := contract.Paths[e[2]][strings.ToLower(e[1])]; !found {
				fault("there is no endpoint %s %s", e[1], e[2])
			}
		}
		for _, p := range namedPackage.FindAllStringSubmatch(cells[4], -1) {
			if _, err := fs.Stat(root, p[1]); err != nil {
				fault("there is no package %s", p[1])
			}
		}
		for _, s := range namedSetting.FindAllStringSubmatch(cells[4], -1) {
			if !strings.Contains(string(settings), "`"+s[1]+"`") {
				fault("docs/settings.md has no %s", s[1])
			}
		}
		for _, l := range linkedPage.FindAllStringSubmatch(cells[4], -1) {
			if _, err := fs.Stat(root, path.Join("docs/compliance", l[1])); err != nil {
				fault("there is no document %s", l[1])
			}
		}
		state, reason, _ := strings.Cut(cells[6], ": ")
		switch {
		case state == "met" && (tests == 0 || cells[4] == "" || reason != ""):
			fault("is met, so it names where and a test, and no reason")
		case state != "met" && (!slices.Contains([]string{"partly", "operator's", "not met", "n/a"}, state) || reason == ""):
			fault("%q is no state with its reason", cells[6])
		}
	}
	return rows, faults
}

// hasTest reports whether a folder has the test function.
func hasTest(t *testing.T, root fs.FS, folder, name string) bool {
	t.Helper()
	files, err := fs.Glob(root, folder+"/*_test.go")
	noError(t, err)
	for _, file := range files {
		source, err := fs.ReadFile(root, file)
		noError(t, err)
		if strings.Contains(string(source), "\nfunc "+name+"(t *testing.T) {\n") {
			return true
		}
	}
	return false
}

// TestTheTableOfClausesIsTrue checks each row of docs/compliance/clauses.md.
func TestTheTableOfClausesIsTrue(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../../docs/compliance/clauses.md")
	noError(t, err)
	rows, faults := complianceFaults(t, string(text), os.DirFS("../.."))
	for _, fault := range faults {
		t.Error(fault)
	}
	if rows < 40 {
		t.Errorf("only %d rows were found", rows)
	}
}

// TestAWrongRowOfClausesIsFound plants a fault in each cell.
func TestAWrongRowOfClausesIsFound(t *testing.T) {
	t.Parallel()
	const sound = "| a rule | 2.5.5 | 12A | limits | `PUT /account/limits`, `domain/protection`, `CASINO_ROUND_PACE`, [pages](../pages.md#bets) | `app/accounts.TestAnExcludedPlayerCanWithdraw` | met |\n"
	for name, c := range map[string]struct{ from, to, want string }{
		"sound":             {"met", "met", ""},
		"a test is gone":    {"TestAnExcludedPlayerCanWithdraw", "TestAnExcludedPlayerCanNotWithdraw", "there is no test"},
		"in another folder": {"app/accounts.Test", "app/play.Test", "there is no test"},
		"an endpoint":       {"PUT /account/limits", "DELETE /account/limits", "there is no endpoint DELETE /account/limits"},
		"a path":            {"PUT /account/limits", "PUT /account/limit", "there is no endpoint PUT /account/limit"},
		"a package":         {"domain/protection", "domain/protect", "there is no package domain/protect"},
		"a setting":         {"CASINO_ROUND_PACE", "CASINO_ROUND_SPEED", "docs/settings.md has no CASINO_ROUND_SPEED"},
		"a document":        {"../pages.md", "../page.md", "there is no document ../page.md"},
		"a clause":          {"2.5.5", "7.5.5", `"7.5.5" is no clause of GLI-19`},
		"a requirement":     {"12A", "18A", `"18A" is no clause of UK RTS`},
		"no clause":         {"2.5.5 | 12A | limits", "| |", "no clause"},
		"no test":           {"`app/accounts.TestAnExcludedPlayerCanWithdraw`", "", "is met, so it names where and a test"},
		"no reason":         {"| met |", "| partly |", "is no state with its reason"},
		"another state":     {"| met |", "| nearly: soon |", "is no state with its reason"},
		"a cell too few":    {"| 12A |", "|", "6 cells"},
	} {
		_, faults := complianceFaults(t, strings.Replace(sound, c.from, c.to, 1), os.DirFS("../.."))
		if got := strings.Join(faults, "; "); !strings.Contains(got, c.want) || (c.want == "") != (got == "") {
			t.Errorf("%s: found %q, expected %q", name, got, c.want)
		}
	}
}
