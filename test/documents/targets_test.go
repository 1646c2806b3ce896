package documents_test

import (
	"os"
	"regexp"
	"strings"
	"testing"
)

// TestEachTargetIsListed checks that docs/make.md explains exactly the targets that `make help`
// lists.
func TestEachTargetIsListed(t *testing.T) {
	t.Parallel()
	read := func(path string) string {
		text, err := os.ReadFile(path)
		noError(t, err)
		return string(text)
	}
	explained := map[string]bool{}
	for line := range strings.Lines(read("../../docs/make.md")) {
		first, _, _ := strings.Cut(strings.TrimPrefix(line, "|"), "|")
		for _, named := range regexp.MustCompile("`make ([a-z0-9-]+)`").FindAllStringSubmatch(first, -1) {
			explained[named[1]] = true
		}
	}
	listed := regexp.MustCompile(`(?m)^([a-z0-9-]+):.*?## `).FindAllStringSubmatch(read("../../Makefile"), -1)
	if len(listed) < 30 {
		t.Fatalf("the Makefile lists %d targets", len(listed))
	}
	for _, target := range listed {
		if name := target[1]; !explained[name] && name != "help" {
			t.Errorf("docs/make.md doesn't explain make %s", name)
		}
		delete(explained, target[1])
	}
	for name := range explained {
		t.Errorf("docs/make.md explains make %s, which there is not", name)
	}
}
