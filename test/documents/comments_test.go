package documents_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// namedDocument matches a document's path in comments of Go files.
var namedDocument = regexp.MustCompile(`\bdocs/[A-Za-z0-9_/-]+\.md\b`)

// TestDocumentsInCommentsExist names the comments of Go files that refer to a missing document.
func TestDocumentsInCommentsExist(t *testing.T) {
	t.Parallel()
	found := 0
	err := filepath.WalkDir("../..", func(path string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && (entry.Name() == "node_modules" || entry.Name() == ".git"):
			return filepath.SkipDir
		case !strings.HasSuffix(path, ".go"):
			return nil
		}
		source, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		for line := range strings.Lines(string(source)) {
			_, comment, _ := strings.Cut(line, "// ")
			for _, name := range namedDocument.FindAllString(comment, -1) {
				found++
				if _, err := os.Stat(filepath.Join("../..", name)); err != nil {
					t.Errorf("%s names %s, which doesn't exist", path, name)
				}
			}
		}
		return nil
	})
	if err != nil || found == 0 {
		t.Errorf("%d documents are named in comments, %v", found, err)
	}
}
