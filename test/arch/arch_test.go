package arch_test

import (
	"io/fs"
	"os"
	"strings"
	"testing"
	"testing/fstest"

	"golang.org/x/tools/txtar"

	"github.com/casino-service/casino/test/arch"
)

func TestRepositoryKeepsItsRules(t *testing.T) {
	t.Parallel()
	tree, err := arch.Read(os.DirFS("../.."))
	if err != nil {
		t.Fatal(err)
	}
	if len(tree.Files) < 50 {
		t.Fatalf("only %d Go files were read", len(tree.Files))
	}
	for _, rule := range arch.Rules() {
		t.Run(rule.Name, func(t *testing.T) {
			t.Parallel()
			for _, finding := range rule.Check(tree) {
				t.Error(finding)
			}
		})
	}
}

// TestEveryRuleCanFail gives each rule the tree of its name in testdata/broken.txtar, which
// breaks it, and the tree in testdata/sound.txtar, which breaks no rule.
func TestEveryRuleCanFail(t *testing.T) {
	t.Parallel()
	sound := read(t, files(t, "testdata/sound.txtar", ""))
	for _, rule := range arch.Rules() {
		t.Run(rule.Name, func(t *testing.T) {
			t.Parallel()
			for _, finding := range rule.Check(sound) {
				t.Errorf("the sound tree is refused: %s", finding)
			}
			broken := files(t, "testdata/broken.txtar", strings.ReplaceAll(rule.Name, " ", "-")+"/")
			if len(broken) == 0 {
				t.Fatal("there is no tree that breaks this rule")
			}
			findings := rule.Check(read(t, broken))
			if len(findings) == 0 {
				t.Fatal("the rule accepts a tree that breaks it")
			}
			for _, want := range strings.Split(strings.TrimSpace(string(broken["WANT"].Data)), "\n") {
				if !strings.Contains(strings.Join(findings, "\n"), want) {
					t.Errorf("findings %q don't include %q", findings, want)
				}
			}
		})
	}
}

// files returns the archive's files under a prefix, without the prefix.
func files(t *testing.T, archive, prefix string) fstest.MapFS {
	t.Helper()
	parsed, err := txtar.ParseFile(archive)
	if err != nil {
		t.Fatal(err)
	}
	tree := fstest.MapFS{}
	for _, file := range parsed.Files {
		if name, ok := strings.CutPrefix(file.Name, prefix); ok {
			tree[name] = &fstest.MapFile{Data: file.Data}
		}
	}
	return tree
}

func read(t *testing.T, files fs.FS) arch.Tree {
	t.Helper()
	tree, err := arch.Read(without{files})
	if err != nil {
		t.Fatal(err)
	}
	return tree
}

// without hides the file that a rule requires.
type without struct{ fs.FS }

func (w without) ReadDir(name string) ([]fs.DirEntry, error) {
	entries, err := fs.ReadDir(w.FS, name)
	kept := entries[:0]
	for _, entry := range entries {
		if entry.Name() != "WANT" {
			kept = append(kept, entry)
		}
	}
	return kept, err
}
