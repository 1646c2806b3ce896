package main

import (
	"bytes"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// module writes a small module and returns its folder.
func module(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	files["go.mod"] = "module example.org/small\n\ngo 1.26\n"
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

const fee = `package small

import "errors"

var errLow = errors.New("low")

// Fee of a payment.
func Fee(paid int64, waived bool) (int64, error) {
	if paid < 10 {
		return 0, errLow
	}
	fee := paid / 10
	if waived && fee > 0 {
		fee = 0
	}
	return fee, nil
}

func unused() bool { return true }
`

const feeTest = `package small

import "testing"

func TestFee(t *testing.T) {
	if fee, err := Fee(100, false); fee != 10 || err != nil {
		t.Error(fee, err)
	}
	if _, err := Fee(9, false); err == nil {
		t.Error("9 is too low")
	}
}
`

// examine runs everything over a small module and returns what was printed.
func examine(t *testing.T, s settings, files map[string]string) (bool, string) {
	t.Helper()
	s.dir, s.packages, s.accepted, s.jobs = module(t, files), ".", "accepted", 2
	var out bytes.Buffer
	ok, err := run(s, &out)
	if err != nil {
		t.Fatal(err)
	}
	return ok, out.String()
}

func TestSurvivorsAreWhatTheTestsLeaveOpen(t *testing.T) {
	t.Parallel()
	ok, printed := examine(t, settings{}, map[string]string{"fee.go": fee, "fee_test.go": feeTest, "accepted": "floor . 45\n"})
	if !ok {
		t.Errorf("nearly half are found:\n%s", printed)
	}
	for _, want := range []string{
		"`paid / 10` becomes `*`", "`10` becomes one less in: fee := paid", "the error `nil` becomes `errMutant`",
		"the error `errLow` becomes `nil`", "`paid < 10` becomes `true`", "`paid < 10` becomes `false`",
	} {
		if strings.Contains(printed, want) {
			t.Errorf("%s is reported to survive", want)
		}
	}
	for _, want := range []string{
		"/fee.go:9: Fee: `10` becomes one more in: if paid < 10 {\n", "`fee = 0` is left out in: fee = 0 (no test gets there)",
		"unused: `true` becomes `false` in: func unused() bool { return true } (no test gets there)",
		"`waived && fee > 0` becomes `false`",
	} {
		if !strings.Contains(printed, want) {
			t.Errorf("%q isn't among the survivors:\n%s", want, printed)
		}
	}
}

func TestAFloorIsKeptOrTheRunFails(t *testing.T) {
	t.Parallel()
	files := func(accepted string) map[string]string {
		return map[string]string{"fee.go": fee, "fee_test.go": feeTest, "accepted": accepted}
	}
	ok, printed := examine(t, settings{}, files("floor . 99\nin . Fee\ncode return fee, nil\nbecause it is a test\n"+
		"in . unused\nchange `true` becomes `false`\nchange `true` becomes `maybe`\nbecause nobody calls it\n"))
	for _, want := range []string{"below its floor of 99 %", "line 2 of the accepted survivors names none: . Fee anything", "line 5 of the accepted survivors names none: . unused `true` becomes `maybe`", "1 survivors accepted"} {
		if ok || !strings.Contains(printed, want) {
			t.Errorf("%v, %q isn't printed:\n%s", ok, want, printed)
		}
	}
	accepted := "floor . 1\n\nin . unused\nbecause nobody\nbecause calls it\n"
	if ok, printed = examine(t, settings{}, files(accepted)); !ok || strings.Contains(printed, "unused: ") || !strings.Contains(printed, "1 survivors accepted") {
		t.Errorf("an accepted survivor is printed:\n%s", printed)
	}
	if _, printed := examine(t, settings{all: true, match: "unused"}, files(accepted)); !strings.Contains(printed, "(accepted: nobody calls it)") ||
		strings.Contains(printed, "Fee") {
		t.Errorf("-all -match unused prints\n%s", printed)
	}
}

// TestEveryKindOfChangeIsPlanted names each change once, over source that has a
// place for it, and checks that nothing is changed where it can't be.
func TestEveryKindOfChangeIsPlanted(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("testdata/kinds.go.txt")
	if err != nil {
		t.Fatal(err)
	}
	dir := module(t, map[string]string{"kinds.go": string(text)})
	sources, err := Load(dir, ".")
	if err != nil {
		t.Fatal(err)
	}
	mutants, files := Plant(sources[0])
	planted := map[string][]string{}
	for _, m := range mutants {
		planted[m.Code] = append(planted[m.Code], m.Change)
	}
	var wanted int
	for line := range strings.Lines(string(text)) {
		code, expected, ok := strings.Cut(strings.TrimSpace(line), " // want ")
		if !ok {
			continue
		}
		wanted++
		got := planted[strings.TrimSpace(line)]
		if want := strings.Split(expected, "; "); expected == "none" && len(got) > 0 || expected != "none" && !slices.Equal(got, want) {
			t.Errorf("%s\n got %s\nwant %s", code, strings.Join(got, "; "), expected)
		}
	}
	if wanted < 25 {
		t.Errorf("only %d lines state what they want", wanted)
	}
	for _, changed := range files {
		if _, err := parser.ParseFile(token.NewFileSet(), "kinds.go", changed, 0); err != nil {
			t.Errorf("%v in\n%s", err, changed)
		}
	}
	if _, err := compile(sources[0], files, t.TempDir()); err != nil {
		t.Error(err)
	}
}

func TestEachRunEndsInTime(t *testing.T) {
	t.Parallel()
	loop := "package small\n\nfunc Count(n int) (c int) {\n\tfor i := 0; i < n; {\n\t\ti++\n\t\tc++\n\t}\n\treturn c\n}\n"
	test := "package small\n\nimport \"testing\"\n\nfunc TestCount(t *testing.T) {\n\tif Count(3) != 3 {\n\t\tt.Error()\n\t}\n}\n"
	ok, printed := examine(t, settings{match: "`i++` is left out"}, map[string]string{"l.go": loop, "l_test.go": test, "accepted": ""})
	if !ok || !strings.Contains(printed, "1 of    1 found") {
		t.Errorf("a loop without end isn't found:\n%s", printed)
	}
}

func TestTestsThatFailByThemselvesFindNothing(t *testing.T) {
	t.Parallel()
	dir := module(t, map[string]string{
		"fee.go": fee, "accepted": "",
		"fee_test.go": "package small\n\nimport \"testing\"\n\nfunc TestFee(t *testing.T) { t.Error() }\n",
	})
	if _, err := run(settings{dir: dir, packages: ".", accepted: "accepted", jobs: 1}, &bytes.Buffer{}); err == nil ||
		!strings.Contains(err.Error(), "fail without a mutant") {
		t.Errorf("tests that fail anyway: %v", err)
	}
}

func TestTheAcceptedFileIsReadStrictly(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"floor a much":               "line 1",
		"in a F\n\ncode x":           "line 1: no reason",
		"because x":                  "line 1: because stands for nothing",
		"in a F\nbecause":            "line 2: because stands for nothing",
		"in a F\nbecause y\nwhy not": "line 3: unknown",
	} {
		if _, err := ReadAccepted(strings.NewReader(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
	got, err := ReadAccepted(strings.NewReader("floor a 92.5\nfloor b 80\n"))
	if err != nil || !maps.Equal(got.Floors, map[string]float64{"a": 92.5, "b": 80}) {
		t.Errorf("floors %v, %v", got, err)
	}
}

// TestTheCheckedInFileIsSound reads the repository's own file, which only a long
// run looks at otherwise.
func TestTheCheckedInFileIsSound(t *testing.T) {
	t.Parallel()
	accepted, err := readAccepted("accepted")
	if err != nil {
		t.Fatal(err)
	}
	for _, entry := range accepted.Entries {
		if _, ok := accepted.Floors[entry.Package]; !ok {
			t.Errorf("line %d: %s has no floor", entry.Line, entry.Package)
		}
	}
}
