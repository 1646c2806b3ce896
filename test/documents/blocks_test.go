package documents_test

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/text"
)

// root is the repository.
const root = "../.."

// block is a code block of a document.
type block struct {
	page, language string
	attributes     map[string]string
	code           string
	line           int
}

func (b block) String() string { return fmt.Sprintf("%s:%d", b.page, b.line) }

// documents returns the paths of all pages, from the root.
func documents(t *testing.T) []string {
	t.Helper()
	names := []string{"README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "SECURITY.md"}
	err := fs.WalkDir(os.DirFS(root), "docs", func(name string, _ fs.DirEntry, err error) error {
		if strings.HasSuffix(name, ".md") {
			names = append(names, name)
		}
		return err
	})
	if err != nil || len(names) < 30 {
		t.Fatalf("only %d documents were found: %v", len(names), err)
	}
	return names
}

var attribute = regexp.MustCompile(`([a-z]+)=(?:"([^"]*)"|(\S+))`)

// blocksOf reads the blocks of a page.
func blocksOf(page string, source []byte) (found []block) {
	document := goldmark.DefaultParser().Parse(text.NewReader(source))
	_ = ast.Walk(document, func(node ast.Node, entering bool) (ast.WalkStatus, error) { // the walk itself never fails
		if _, fenced := node.(*ast.FencedCodeBlock); !entering || !fenced && node.Kind() != ast.KindCodeBlock {
			return ast.WalkContinue, nil
		}
		b := block{page: page, attributes: map[string]string{}}
		if fence, ok := node.(*ast.FencedCodeBlock); ok {
			b.language = string(fence.Language(source))
			if fence.Info != nil {
				for _, a := range attribute.FindAllStringSubmatch(string(fence.Info.Segment.Value(source)), -1) {
					b.attributes[a[1]] = a[2] + a[3]
				}
			}
		}
		lines := node.Lines()
		b.code = string(lines.Value(source))
		if lines.Len() > 0 {
			b.line = 1 + strings.Count(string(source[:lines.At(0).Start]), "\n")
		}
		found = append(found, b)
		return ast.WalkContinue, nil
	})
	return found
}

// blocks returns all blocks of all pages.
func blocks(t *testing.T) (all []block) {
	t.Helper()
	for _, page := range documents(t) {
		source, err := os.ReadFile(filepath.Join(root, page))
		noError(t, err)
		all = append(all, blocksOf(page, source)...)
	}
	return all
}

// TestEachBlockIsHeld checks that every block of every document has a kind that something checks.
func TestEachBlockIsHeld(t *testing.T) {
	t.Parallel()
	kinds := map[string]int{}
	for _, b := range blocks(t) {
		kinds[b.language]++
		if fault := faultOf(b); fault != "" {
			t.Errorf("%v: %s", b, fault)
		}
	}
	for language, least := range map[string]int{"go": 5, "js": 4, "json": 20, "sh": 40, "text": 15} {
		if kinds[language] < least {
			t.Errorf("only %d blocks of %s were found", kinds[language], language)
		}
	}
}

func TestABlockThatNothingHoldsIsFound(t *testing.T) {
	t.Parallel()
	for source, want := range map[string]string{
		"    indented\n":                                           "it has no language",
		"```\nplain\n```\n":                                        "it has no language",
		"```rust\nfn main() {}\n```\n":                             "nothing holds blocks of rust",
		"```go\nx := 1\n```\n":                                     "whose lines are these?",
		"```go file=test/nothing.go\nx := 1\n```\n":                "open ../../test/nothing.go: no such file or directory",
		"```go file=test/documents/doc.go\npackage other\n```\n":   "these aren't lines of test/documents/doc.go",
		"```go file=test/documents/doc.go\npackage documents\n```": "",
		"```js test=test/e2e/doc.go\nx()\n```\n":                   "test/e2e/doc.go doesn't name page.md",
		"```json\n{\"a\": 1,}\n```\n":                              "it isn't JSON",
		"```yaml\na: [1\n```\n":                                    "it isn't YAML",
		"```sh\nls\n```\n":                                         "who runs it, or what would it need?",
		"```sh needs=\"root\"\nls\n```\n":                          "what would it need?",
		"```sh run=nowhere\nls\n```\n":                             "nobody runs nowhere",
		"```sh needs=\"a database\"\nif true; the\n```\n":          "it isn't a shell's: ",
		"```sh needs=\"a database\"\npsql -h <the host>\n```\n":    "",
		"```text\nanything\n```\n":                                 "",
	} {
		found := blocksOf("page.md", []byte(source))
		if len(found) != 1 {
			t.Errorf("%q has %d blocks", source, len(found))
			continue
		}
		if got := faultOf(found[0]); !strings.HasPrefix(got, want) || want == "" && got != "" {
			t.Errorf("%q: %q, expected %q", source, got, want)
		}
	}
}
