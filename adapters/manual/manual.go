// Package manual renders the documents below docs/ as plain HTML: pages that need no script,
// nothing from elsewhere and no server of their own. They are served beside the API, each
// with its Markdown, or written as files. The commands import it; nothing else should.
//
// Pages are rendered from the Markdown that the program was built with, when they are first
// asked for, rather than kept as HTML in the repository: so they can't be stale, and a change
// of a document is a change of one file. It costs a library in the binary and some
// milliseconds once.
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

// Repository is where files that are no part of the manual are read.
const Repository = "https://github.com/casino-service/casino/blob/main/"

// Config says how the pages are made.
type Config struct {
	// Sources are the documents, by their paths below docs.
	Sources fs.FS
	// Reference is the address of the API's reference, to which each page links; none.
	Reference string
}

// Manual is all files of the manual by their paths: each page as HTML and as Markdown,
// pictures and schemas, style.css and llms.txt.
type Manual struct{ files map[string][]byte }

//go:embed style.css
var style []byte

const (
	styleName = "style.css"
	llmsName  = "llms.txt"
)

// New renders every page, or says which of them the outline lacks or names in vain.
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

// readSources takes every file of the sources: pages in the outline's order, everything else as
// it is.
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

// Names are the paths of all files, sorted.
func (m *Manual) Names() []string {
	names := make([]string, 0, len(m.files))
	for name := range m.files {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// The modes of what Write makes: for a web server to read.
const (
	folderMode = 0o755
	fileMode   = 0o644
)

// Write writes every file below the folder, which it makes.
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

// renderLLMs lists the pages for programs that read (llmstxt.org): Markdown, each with its first
// sentence.
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
