// Package manual renders the documents below docs/ as plain HTML pages, without scripts or
// external resources. They are served beside the API, each with its Markdown, or written as
// files. Only commands import it.
//
// Pages are rendered at the first request, from the Markdown built into the program. HTML
// isn't kept in the repository, so it can't be stale and a change of a document is a change
// of one file. This costs a library in the binary and a few milliseconds once.
package manual

import (
	"bytes"
	_ "embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// Repository is the base URL of files that are not part of the manual.
const Repository = "https://github.com/casino-service/casino/blob/main/"

// Config configures the pages.
type Config struct {
	// Sources holds the documents, by their paths below docs.
	Sources fs.FS
	// Reference is the URL of the API's reference, to which each page links; "" for no
	// link.
	Reference string
}

// Manual holds all files of the manual by path: each page as HTML and as Markdown, pictures
// and schemas, style.css and llms.txt.
type Manual struct{ files map[string][]byte }

//go:embed style.css
var style []byte

const (
	styleName = "style.css"
	llmsName  = "llms.txt"
)

// New renders every page. It returns an error that names pages missing from the outline or
// from Sources.
func New(config Config) (*Manual, error) {
	m := &Manual{files: map[string][]byte{styleName: style}}
	pages, err := m.readSources(config)
	if err != nil {
		return nil, err
	}
	for _, p := range pages {
		var out bytes.Buffer
		if err := frame.Execute(&out, framed{page: p, all: pages, Reference: config.Reference}); err != nil {
			return nil, fmt.Errorf("manual: %s: %w", p.source, err)
		}
		m.files[p.htmlPath()], m.files[p.source] = out.Bytes(), p.text
		m.files[strings.TrimSuffix(p.htmlPath(), ".html")+".md"] = p.text
	}
	m.files[llmsName] = renderLLMs(pages)
	return m, nil
}

// readSources reads every file of the sources: pages in the outline's order, other files
// unchanged.
func (m *Manual) readSources(config Config) (pages []*page, err error) {
	found := map[string]bool{}
	err = fs.WalkDir(config.Sources, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		if path.Ext(name) == ".md" {
			found[name] = true
			return nil
		}
		m.files[name], err = fs.ReadFile(config.Sources, name)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("manual: %w", err)
	}
	var faults []error
	for _, part := range outline {
		for _, name := range part.pages {
			text, err := fs.ReadFile(config.Sources, name)
			if err != nil {
				faults = append(faults, fmt.Errorf("manual: the outline names %s: %w", name, err))
				continue
			}
			delete(found, name)
			pages = append(pages, renderPage(name, part.name, text))
		}
	}
	for name := range found {
		faults = append(faults, fmt.Errorf("manual: the outline lacks %s", name))
	}
	return pages, errors.Join(faults...)
}

// File returns a file by its path from the manual's root.
func (m *Manual) File(name string) ([]byte, bool) {
	text, ok := m.files[name]
	return text, ok
}

// Names returns the paths of all files, sorted.
func (m *Manual) Names() []string {
	names := make([]string, 0, len(m.files))
	for name := range m.files {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// Permissions of the files and folders that Write creates: readable by a web server.
const (
	folderMode = 0o755
	fileMode   = 0o644
)

// Write creates the folder and writes every file below it.
func (m *Manual) Write(folder string) error {
	for _, name := range m.Names() {
		file := filepath.Join(folder, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), folderMode); err != nil { //nolint:gosec // published pages
			return fmt.Errorf("manual: %w", err)
		}
		if err := os.WriteFile(file, m.files[name], fileMode); err != nil { //nolint:gosec // published pages
			return fmt.Errorf("manual: %w", err)
		}
	}
	return nil
}

// renderLLMs lists the pages for language models (llmstxt.org): links to the Markdown, each
// with its first sentence.
func renderLLMs(pages []*page) []byte {
	var out bytes.Buffer
	out.WriteString("# Casino\n\n> The back end of an online casino on Solana, in Go: an HTTP API, a domain library to embed, fakes to test with.\n")
	part := ""
	for _, p := range pages {
		if p.Section != part {
			part = p.Section
			fmt.Fprintf(&out, "\n## %s\n\n", part)
		}
		fmt.Fprintf(&out, "- [%s](%s): %s\n", p.Title, p.source, p.Summary)
	}
	return out.Bytes()
}
