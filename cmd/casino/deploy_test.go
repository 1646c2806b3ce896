package main

import (
	"bytes"
	"io/fs"
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/alecthomas/kong"

	"github.com/casino-service/casino/cmd/internal/settings"
	"github.com/casino-service/casino/domain/token"
)

// notOurs are names with the prefix CASINO_ that the files themselves define.
var notOurs = []string{"CASINO_APP_PASSWORD"}

// TestDeploymentNamesOnlySettingsThatExist compares the documents and the files of deploy/
// with the flags of the commands. A renamed field keeps its setting.
func TestDeploymentNamesOnlySettingsThatExist(t *testing.T) {
	t.Parallel()
	var known []string
	var cli commandLine
	parser, err := kong.New(&cli, kong.DefaultEnvars("CASINO"))
	if err != nil {
		t.Fatal(err)
	}
	if err := kong.Visit(parser.Model, func(node kong.Visitable, next kong.Next) error {
		if flag, ok := node.(*kong.Flag); ok {
			known = append(known, flag.Envs...)
		}
		return next(nil)
	}); err != nil {
		t.Fatal(err)
	}
	if !slices.Contains(known, "CASINO_DATABASE_URL") {
		t.Fatalf("settings are not found: %v", known)
	}
	named, files := 0, deployment(t)
	maps.Copy(files, pages(t))
	for path, text := range files {
		for _, name := range regexp.MustCompile(`\bCASINO_[A-Z0-9_]+`).FindAllString(text, -1) {
			named++
			if !slices.Contains(known, name) && !slices.Contains(notOurs, name) && !strings.HasPrefix(name, "CASINO_TEST_") {
				t.Errorf("%s names %s, which is no setting", path, name)
			}
		}
	}
	if named < 20 {
		t.Errorf("only %d settings were found", named)
	}
}

// TestComposeHasNoDefaultSecret proves that every secret comes from outside, with a name
// that Compose requires.
func TestComposeHasNoDefaultSecret(t *testing.T) {
	t.Parallel()
	text := deployment(t)["compose.yaml"]
	for _, use := range regexp.MustCompile(`\$\{([A-Z_]+)([^}]*)\}`).FindAllStringSubmatch(text, -1) {
		secret := strings.Contains(use[1], "PASSWORD") || strings.Contains(use[1], "WALLETS")
		if secret && !strings.HasPrefix(use[2], ":?") {
			t.Errorf("%s is not asked for", use[0])
		}
	}
	for _, url := range regexp.MustCompile(`(?m)(postgres|redis)://[^"\s]*`).FindAllString(text, -1) {
		if !regexp.MustCompile(`://[a-z_]+:\$\{[A-Z_]+:\?`).MatchString(url) {
			t.Errorf("the password of %s stands in the file", url)
		}
	}
	if !strings.Contains(text, "USER 65532") && !strings.Contains(deployment(t)["Dockerfile"], "USER 65532") {
		t.Error("the image runs as root")
	}
}

func TestTheExampleOfTokensIsAccepted(t *testing.T) {
	t.Parallel()
	terms, err := settings.ReadTokens(strings.NewReader(deployment(t)["tokens.example.json"]), true)
	if err != nil || len(terms) != 2 {
		t.Fatalf("%d tokens, %v", len(terms), err)
	}
	if terms[0] != token.DefaultSOLTerms() {
		t.Errorf("SOL is %+v, the defaults are %+v", terms[0], token.DefaultSOLTerms())
	}
}

// deployment returns the text of every file of deploy/.
func deployment(t *testing.T) map[string]string {
	t.Helper()
	files, root := map[string]string{}, os.DirFS("../../deploy")
	err := fs.WalkDir(root, ".", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		raw, err := fs.ReadFile(root, path)
		files[path] = string(bytes.TrimSpace(raw))
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}
