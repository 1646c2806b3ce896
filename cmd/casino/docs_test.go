package main

import (
	"fmt"
	"io/fs"
	"os"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/alecthomas/kong"
	"github.com/oasdiff/yaml"
)

// pages returns README, the documents and the alert rules, because their texts name
// commands.
func pages(t *testing.T) map[string]string {
	t.Helper()
	files, root := map[string]string{}, os.DirFS("../..")
	names := []string{"README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "SECURITY.md", "deploy/prometheus/casino.rules.yml"}
	if err := fs.WalkDir(root, "docs", func(name string, entry fs.DirEntry, err error) error {
		if err == nil && strings.HasSuffix(name, ".md") {
			names = append(names, name)
		}
		return err
	}); err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		raw, err := fs.ReadFile(root, name)
		if err != nil {
			t.Fatal(err)
		}
		files[name] = string(raw)
	}
	if len(files) < 12 {
		t.Fatalf("only %d documents were found", len(files))
	}
	return files
}

// mention is a command line in a document. A whole one is in a block of code, to be typed;
// others are in a sentence.
type mention struct {
	text  string
	whole bool
}

var (
	span = regexp.MustCompile("`([^`]+)`")
	// before matches the text before a command in a block: a prompt and environment variables.
	before = regexp.MustCompile(`^(?:\$ )?(?:[A-Z_]+=\S* )*`)
	word   = regexp.MustCompile(`'[^']*'|"[^"]*"|<[^>]*>|\S+`)
)

// mentions returns the command lines of casino in a document.
func mentions(text string) []mention {
	var found []mention
	fenced := false
	for line := range strings.Lines(text) {
		if strings.HasPrefix(strings.TrimSpace(line), "```") {
			fenced = !fenced
			continue
		}
		if fenced || strings.HasPrefix(line, "    ") {
			line, _, _ = strings.Cut(line, " # ")
			for part := range strings.SplitSeq(line, "&&") {
				part = strings.TrimSpace(part)
				if part = part[len(before.FindString(part)):]; strings.HasPrefix(part, "casino ") {
					found = append(found, mention{part, true})
				}
			}
		}
		for _, code := range span.FindAllStringSubmatch(line, -1) {
			if strings.HasPrefix(code[1], "casino ") {
				found = append(found, mention{strings.NewReplacer(`\|`, "|", "[", "", "]", "").Replace(code[1]), false})
			}
		}
	}
	return found
}

// faulty returns the fault of a command line, and the commands that it names.
func faulty(m mention, program *kong.Node) (named []*kong.Node, fault string) {
	named = []*kong.Node{program}
	words := word.FindAllString(m.text, -1)[1:]
	if len(words) > 0 && words[0] == "help" { // the same as --help
		words = words[1:]
	}
	arguments := 0
	for i := 0; i < len(words); i++ {
		node := named[0]
		name, isFlag := strings.CutPrefix(words[i], "--")
		switch {
		case isFlag:
			name, _, assigned := strings.Cut(name, "=")
			at := slices.IndexFunc(slices.Concat(node.AllFlags(false)...), func(f *kong.Flag) bool { return f.Name == name })
			if at < 0 {
				return named, "there is no flag --" + name
			}
			if flag := slices.Concat(node.AllFlags(false)...)[at]; !assigned && !flag.IsBool() {
				i++
			}
		case len(node.Children) > 0 && strings.HasPrefix(words[i], "<"): // any command
			return nil, ""
		case len(node.Children) > 0:
			named = nil
			for choice := range strings.SplitSeq(words[i], "|") {
				at := slices.IndexFunc(node.Children, func(child *kong.Node) bool { return child.Name == choice })
				if at < 0 {
					return []*kong.Node{node}, "there is no command " + choice
				}
				named = append(named, node.Children[at])
			}
		default:
			arguments++
		}
	}
	switch wanted := len(named[0].Positional); {
	case arguments > wanted:
		return named, fmt.Sprintf("%d arguments, the command takes %d", arguments, wanted)
	case m.whole && arguments < wanted:
		return named, fmt.Sprintf("%d arguments, the command needs %d", arguments, wanted)
	case m.whole && len(named[0].Children) > 0 && named[0] != program:
		return named, "which of its commands?"
	}
	return named, ""
}

// program returns the model of the command line.
func program(t *testing.T) *kong.Node {
	t.Helper()
	var cli commandLine
	parser, err := kong.New(&cli, kong.Name("casino"), kong.DefaultEnvars("CASINO"))
	if err != nil {
		t.Fatal(err)
	}
	return parser.Model.Node
}

// signedText matches the first line of a text that the service signs or hashes.
var signedText = regexp.MustCompile(`^casino [a-z ]+ [0-9]+$`)

// TestDocumentsNameCommandsThatExist checks each `casino …` of the documents against the
// commands with their flags and arguments, and each command against the documents.
func TestDocumentsNameCommandsThatExist(t *testing.T) {
	t.Parallel()
	model, documented, found := program(t), map[*kong.Node]bool{}, 0
	for name, text := range pages(t) {
		for _, m := range mentions(text) {
			if signedText.MatchString(m.text) {
				continue
			}
			found++
			named, fault := faulty(m, model)
			if fault != "" {
				t.Errorf("%s: %q: %s", name, m.text, fault)
			}
			for _, node := range named {
				documented[node] = true
			}
		}
	}
	for _, leaf := range model.Leaves(true) {
		if !documented[leaf] {
			t.Errorf("no document names casino %s", leaf.Path())
		}
	}
	if found < 100 {
		t.Errorf("only %d commands were found", found)
	}
}

func TestAWrongCommandInADocumentIsFound(t *testing.T) {
	t.Parallel()
	model := program(t)
	for text, want := range map[string]string{
		"    casino audits\n":                               "there is no command audits",
		"say `casino audits`":                               "there is no command audits",
		"    casino audit --heads 0:1:ab\n":                 "there is no flag --heads",
		"    CASINO_X=1 casino audit --seeds x\n":           "there is no flag --seeds",
		"    casino config serve && casino server\n":        "there is no command server",
		"    casino backup one two\n":                       "2 arguments, the command takes 1",
		"    casino capital book <mint> <base units>\n":     "2 arguments, the command needs 3",
		"    casino role # which?\n":                        "which of its commands?",
		"| `casino role grant\\|take` |":                    "there is no command take",
		"```\ncasino payouts stop 'now'\n```\n":             "there is no command stop",
		"    casino payouts pause 'odd withdrawals' # \n":   "",
		"say `casino recover [--apply]`, `casino role`":     "",
		"    casino play pause --game dice 'odd'\n":         "",
		"`casino <command> --help`, `casino backup FILE`\n": "",
	} {
		var faults []string
		all := mentions(text)
		for _, m := range all {
			if _, fault := faulty(m, model); fault != "" {
				faults = append(faults, fault)
			}
		}
		if got := strings.Join(faults, "; "); got != want || len(all) == 0 {
			t.Errorf("%q: %d commands, %q, expected %q", text, len(all), got, want)
		}
	}
}

// heading matches the headings of a document.
var heading = regexp.MustCompile(`(?m)^#+ (.*)$`)

// anchors returns the link names of a document's headings.
func anchors(text string) []string {
	var names []string
	for _, h := range heading.FindAllStringSubmatch(text, -1) {
		name := regexp.MustCompile(`[^\p{L}\p{N} _-]`).ReplaceAllString(strings.ToLower(h[1]), "")
		names = append(names, strings.ReplaceAll(name, " ", "-"))
	}
	return names
}

// TestLinksOfDocumentsLeadSomewhere follows each link to a file of the repository, and to
// the heading in it.
func TestLinksOfDocumentsLeadSomewhere(t *testing.T) {
	t.Parallel()
	files, found := pages(t), 0
	history, err := os.ReadFile("../../CHANGELOG.md") // its commands may be gone
	if err != nil {
		t.Fatal(err)
	}
	files["CHANGELOG.md"] = string(history)
	for name, text := range files {
		for _, link := range regexp.MustCompile(`\]\(([^)\s]+)\)`).FindAllStringSubmatch(text, -1) {
			if strings.Contains(link[1], "://") {
				continue
			}
			found++
			target, anchor, _ := strings.Cut(link[1], "#")
			if target = path.Join(path.Dir(name), target); strings.HasPrefix(link[1], "#") {
				target = name
			}
			raw, err := os.ReadFile(path.Join("../..", target))
			if err != nil {
				t.Errorf("%s links to %s: %v", name, link[1], err)
				continue
			}
			if anchor != "" && !slices.Contains(anchors(string(raw)), anchor) {
				t.Errorf("%s links to %s, which has no such heading", name, link[1])
			}
		}
	}
	if found < 40 {
		t.Errorf("only %d links were found", found)
	}
}

// TestEachAlertHasItsPage: an alert links to its heading in docs/operations, which says
// what it means, where to look and what to do. No heading is of an alert that is gone.
func TestEachAlertHasItsPage(t *testing.T) {
	t.Parallel()
	const address, folder = "https://github.com/casino-service/casino/blob/main/", "docs/operations/"
	files := pages(t)
	var rules struct {
		Groups []struct {
			Rules []struct {
				Alert       string            `json:"alert"`
				Labels      map[string]string `json:"labels"`
				Annotations map[string]string `json:"annotations"`
			} `json:"rules"`
		} `json:"groups"`
	}
	if _, err := yaml.Unmarshal([]byte(files["deploy/prometheus/casino.rules.yml"]), &rules, yaml.DecodeOpts{}); err != nil {
		t.Fatal(err)
	}
	sections := map[string]string{} // by their link
	for name, text := range files {
		if !strings.HasPrefix(name, folder+"alerts-") {
			continue
		}
		for _, section := range strings.Split(text, "\n## ")[1:] {
			alert, body, _ := strings.Cut(section, "\n")
			sections[address+name+"#"+strings.ToLower(alert)] = body
		}
	}
	if len(sections) < 20 {
		t.Fatalf("only %d headings were found", len(sections))
	}
	for _, group := range rules.Groups {
		for _, rule := range group.Rules {
			link := rule.Annotations["runbook_url"]
			body, found := sections[link]
			if !found || !strings.HasSuffix(link, "#"+strings.ToLower(rule.Alert)) {
				t.Errorf("%s links to %q, which is not its heading", rule.Alert, link)
			}
			delete(sections, link)
			for _, part := range []string{"*" + rule.Labels["severity"] + ".* **Means:**", "**Look:**", "**Do:**"} {
				if !strings.Contains(body, part) {
					t.Errorf("what %s says of %s lacks %q", folder, rule.Alert, part)
				}
			}
		}
	}
	for link := range sections {
		t.Errorf("%s is the heading of no alert", link)
	}
}
