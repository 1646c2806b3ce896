package manual

import (
	_ "embed"
	"html/template"
	"path"
	"strings"
)

//go:embed frame.html
var frameText string

// frame is the template around every page.
var frame = template.Must(template.New("frame").Parse(frameText))

// framed is a page with the navigation that its frame shows.
type framed struct {
	*page
	all       []*page
	Reference string
}

// group is a section of the navigation.
type group struct {
	Name  string
	Pages []entry
}

// entry is a link of the navigation.
type entry struct {
	Title, Link string
	Current     bool
}

// Groups returns all pages, by section.
func (f framed) Groups() (groups []group) {
	for _, p := range f.all {
		if len(groups) == 0 || groups[len(groups)-1].Name != p.Section {
			groups = append(groups, group{Name: p.Section})
		}
		last := &groups[len(groups)-1]
		last.Pages = append(last.Pages, entry{p.Title, f.Root() + p.htmlPath(), p == f.page})
	}
	return groups
}

// Root returns the relative path from the page to the manual's root, so that pages work
// below any address and from a folder.
func (f framed) Root() string { return strings.Repeat("../", strings.Count(f.source, "/")) }

// Markdown returns the file name of the page's Markdown.
func (f framed) Markdown() string { return path.Base(f.source) }

// contentsMin is the number of headings from which a page lists its contents.
const contentsMin = 3

// Contents returns the headings listed at the top of the page.
func (f framed) Contents() []part {
	if len(f.Parts) < contentsMin {
		return nil
	}
	return f.Parts
}
