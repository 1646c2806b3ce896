package documents_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/oasdiff/yaml"
)

// runners are the programs that run shell blocks: TestBlocksRun, and make strangers.
var runners = []string{"dev", "strangers"}

// needMin is the least length of a statement of what a block needs.
const needMin = 8

// faultOf returns why nothing checks a block; empty if something does.
func faultOf(b block) string {
	switch b.language {
	case "":
		return "it has no language"
	case "text":
		return ""
	case "json":
		if !json.Valid([]byte(b.code)) {
			return "it isn't JSON"
		}
		return ""
	case "yaml":
		var into any
		if _, err := yaml.Unmarshal([]byte(b.code), &into, yaml.DecodeOpts{}); err != nil {
			return "it isn't YAML: " + err.Error()
		}
		return ""
	case "sh":
		return faultOfShell(b)
	case "go", "js", "ts", "python":
		return faultOfExcerpt(b)
	case "sql", "ini":
		return faultOfNeed(b)
	}
	return "nothing holds blocks of " + b.language
}

func faultOfNeed(b block) string {
	if len(b.attributes["needs"]) < needMin {
		return "what would it need?"
	}
	return ""
}

// placeholder matches text for the reader to fill in, such as <the primary>.
var placeholder = regexp.MustCompile(`<[^<>\n]*>`)

func faultOfShell(b block) string {
	runner, runs := b.attributes["run"]
	switch _, needs := b.attributes["needs"]; {
	case runs && !slices.Contains(runners, runner):
		return "nobody runs " + runner
	case !runs && !needs:
		return "who runs it, or what would it need?"
	case needs && faultOfNeed(b) != "":
		return faultOfNeed(b)
	}
	check := exec.Command("bash", "-n")
	check.Stdin = strings.NewReader(placeholder.ReplaceAllString(b.code, "placeholder"))
	if out, err := check.CombinedOutput(); err != nil {
		return "it isn't a shell's: " + string(out)
	}
	return ""
}

// faultOfExcerpt compares a block with the lines of its file, in order and without a gap, at any
// indentation; or with the test that runs it.
func faultOfExcerpt(b block) string {
	if test, ok := b.attributes["test"]; ok {
		source, err := os.ReadFile(filepath.Join(root, test))
		switch {
		case err != nil:
			return err.Error()
		case !strings.Contains(string(source), b.page):
			return test + " doesn't name " + b.page
		}
		return ""
	}
	if _, ok := b.attributes["needs"]; ok {
		return faultOfNeed(b)
	}
	file, ok := b.attributes["file"]
	if !ok {
		return "whose lines are these?"
	}
	source, err := os.ReadFile(filepath.Join(root, file))
	switch {
	case err != nil:
		return err.Error()
	case !strings.Contains("\n"+level(string(source))+"\n", "\n"+level(b.code)+"\n"):
		return "these aren't lines of " + file
	}
	return ""
}

// level returns a text without the indentation of its lines.
func level(code string) string {
	lines := strings.Split(strings.TrimSpace(code), "\n")
	for i := range lines {
		lines[i] = strings.TrimSpace(lines[i])
	}
	return strings.Join(lines, "\n")
}
