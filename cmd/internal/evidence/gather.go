// Package evidence has `casino evidence`, which gathers what a regulator or an auditor asks for
// into a folder, with a signed list of its files, and verifies such a folder.
package evidence

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"github.com/CycloneDX/cyclonedx-go"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/casino-service/casino/adapters/httpapi"
	"github.com/casino-service/casino/adapters/sqlstore/migrations"
	"github.com/casino-service/casino/adapters/system"
	"github.com/casino-service/casino/adapters/web"
	"github.com/casino-service/casino/cmd/internal/cli"
	"github.com/casino-service/casino/cmd/internal/settings"
	"github.com/casino-service/casino/docs"
)

// Command is `casino evidence`.
type Command struct {
	Folder string `arg:"" type:"path" help:"The folder to write, which is made or empty; with --check the one to verify."`
	Check  bool   `help:"Verify a folder: every file, and the signature. It needs no service."`
	Key    string `placeholder:"KID:KEY" help:"With --check: the key that you trust, as GET /public/checkpoints shows it."`
	Tests  string `type:"path" placeholder:"FILE" help:"The output of make test; its results and closing lines are included."`
	settings.Checkpoints
}

// Run gathers the evidence, or verifies it.
func (c Command) Run(s cli.Streams) error {
	if c.Check {
		return c.verify(s)
	}
	signer, signed, err := c.Signer()
	if err != nil {
		return cli.Usage(err)
	}
	found, err := os.ReadDir(c.Folder)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if len(found) > 0 {
		return cli.Usage(fmt.Errorf("%s isn't empty: name a new folder", c.Folder))
	}
	now := system.Default().Now().Truncate(time.Second)
	files, err := c.gather(now)
	if err != nil {
		return err
	}
	list := manifest{Version: cli.Version, Taken: now, Sums: sums(files)}
	if signed {
		list.Key = signer.PublicKeys()[0].ID
	}
	files[manifestFile] = []byte(list.text())
	if signed {
		made, err := signer.SignText(list.text())
		if err != nil {
			return err
		}
		files[signatureFile], err = json.Marshal(signature{
			Kid: made.Key, Key: base64.StdEncoding.EncodeToString(signer.PublicKeys()[0].PKIX()), Signature: base64.StdEncoding.EncodeToString(made.Signature),
		}, jsontext.WithIndent("  "))
		if err != nil {
			return err
		}
	}
	for name, content := range files {
		path := filepath.Join(c.Folder, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil { // #nosec G301 -- it is made to be handed on
			return err
		}
		if err := os.WriteFile(path, content, 0o644); err != nil { // #nosec G306 -- the same
			return err
		}
	}
	by := "NOT SIGNED: give it --checkpoint-keys-file to sign it"
	if signed {
		by = "signed by " + list.Key
	}
	_, err = fmt.Fprintf(s.Out, "%d files in %s, %s\n%x  %s\n", len(files), c.Folder, by, sha256.Sum256(files[manifestFile]), manifestFile)
	return err
}

// gather returns the files of the evidence by their paths.
func (c Command) gather(now time.Time) (map[string][]byte, error) {
	files := map[string][]byte{"openapi.yaml": httpapi.Contract()}
	embedded := map[string]fs.FS{"documents": docs.Files, "pages": web.Files(), "migrations/sqlite": migrations.SQLite(), "migrations/postgres": migrations.Postgres()}
	all := map[string][]byte{"openapi.yaml": files["openapi.yaml"]}
	for folder, source := range embedded {
		read, err := readAll(source, folder)
		if err != nil {
			return nil, err
		}
		maps.Copy(all, read)
	}
	for name, content := range all {
		if strings.HasPrefix(name, "documents/") && !strings.HasPrefix(name, "documents/pictures/") || strings.HasPrefix(name, "migrations/") {
			files[name] = content
		}
	}
	files["embedded.sha256"] = []byte(sumLines(sums(all)))
	binary, err := binarySum()
	if err != nil {
		return nil, err
	}
	build, ok := debug.ReadBuildInfo()
	if !ok {
		return nil, errors.New("the program has no build information")
	}
	files["build.txt"] = fmt.Appendf(nil, "casino %s\n%s %s/%s\nsha256 of the program %s\ntaken %s\n\n%s", cli.Version, runtime.Version(), runtime.GOOS, runtime.GOARCH,
		binary, now.Format(time.RFC3339), build)
	if files["tests.txt"], err = c.testSummary(); err != nil {
		return nil, err
	}
	files["sbom.cdx.json"], err = billOfMaterials(build, binary, now)
	return files, err
}

// readAll reads the files of a tree, with a folder before their paths.
func readAll(source fs.FS, folder string) (map[string][]byte, error) {
	files := map[string][]byte{}
	return files, fs.WalkDir(source, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		files[folder+"/"+name], err = fs.ReadFile(source, name)
		return err
	})
}

// binarySum returns the SHA-256 of the running program's file.
func binarySum() (string, error) {
	path, err := os.Executable()
	if err != nil {
		return "", err
	}
	file, err := os.Open(path) // #nosec G304 -- the program itself
	if err != nil {
		return "", err
	}
	defer func() { _ = file.Close() }() // it was only read
	sum := sha256.New()
	_, err = io.Copy(sum, file)
	return fmt.Sprintf("%x", sum.Sum(nil)), err
}

// closingLines is how many lines of a test run are kept.
const closingLines = 200

// resultLine matches a line of make test with the result of a package or of a test that didn't pass.
var resultLine = regexp.MustCompile(`^(ok|FAIL|skipped)\s|^\s*--- FAIL: |, which has no result:$| ended without a result of `)

// testSummary returns the closing lines of a run of make test, and the results before them.
func (c Command) testSummary() ([]byte, error) {
	if c.Tests == "" {
		return []byte("not given\n"), nil
	}
	raw, err := os.ReadFile(c.Tests)
	if err != nil {
		return nil, cli.Usage(err)
	}
	lines := slices.Collect(bytes.Lines(raw))
	first := max(0, len(lines)-closingLines)
	kept := bytes.Join(lines[first:], nil)
	if !bytes.Contains(kept, []byte(" passed, ")) {
		return nil, cli.Usage(fmt.Errorf("--tests: %s doesn't end with the summary of make test", c.Tests))
	}
	results := slices.DeleteFunc(lines[:first], func(line []byte) bool { return !resultLine.Match(bytes.TrimSuffix(line, []byte("\n"))) })
	return append(bytes.Join(results, nil), kept...), nil
}

// billOfMaterials returns the modules that the program was built of as a CycloneDX document.
func billOfMaterials(build *debug.BuildInfo, binary string, now time.Time) ([]byte, error) {
	bom := cyclonedx.NewBOM()
	bom.Metadata = &cyclonedx.Metadata{Timestamp: now.Format(time.RFC3339), Component: &cyclonedx.Component{
		BOMRef: "casino", Type: cyclonedx.ComponentTypeApplication, Name: "casino", Version: cli.Version,
		Hashes: &[]cyclonedx.Hash{{Algorithm: cyclonedx.HashAlgoSHA256, Value: binary}},
	}}
	modules := []cyclonedx.Component{{
		BOMRef: "std", Type: cyclonedx.ComponentTypeLibrary, Name: "std", Version: build.GoVersion, PackageURL: "pkg:golang/std@" + strings.TrimPrefix(build.GoVersion, "go"),
	}}
	for _, dep := range build.Deps {
		for dep.Replace != nil {
			dep = dep.Replace
		}
		address := "pkg:golang/" + dep.Path + "@" + dep.Version
		modules = append(modules, cyclonedx.Component{
			BOMRef: address, Type: cyclonedx.ComponentTypeLibrary, Name: dep.Path, Version: dep.Version, PackageURL: address,
			Properties: &[]cyclonedx.Property{{Name: "casino:go.sum", Value: dep.Sum}},
		})
	}
	bom.Components = &modules
	var out bytes.Buffer
	err := cyclonedx.NewBOMEncoder(&out, cyclonedx.BOMFileFormatJSON).SetPretty(true).Encode(bom)
	return out.Bytes(), err
}
