package manual

import (
	_ "embed"
	"html/template"
	"path"
	"strings"
)

//go:embed frame.html
var frameText string

// frame is what every page is shown in.
var frame = template.Must(template.New("frame").Parse(frameText))

// framed is a page with what its frame shows of the others.
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

// Groups are all pages, by section.
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

// Root leads from the page's folder to the manual's, so that pages work below any address
// and from a folder.
func (f framed) Root() string { return strings.Repeat("../", strings.Count(f.source, "/")) }

// Markdown is where the page's own text is.
func (f framed) Markdown() string { return path.Base(f.source) }

// contentsMin is how many parts a page has that names them first.
const contentsMin = 3

// Contents are the parts that the page names first.
func (f framed) Contents() []part {
	if len(f.Parts) < contentsMin {
		return nil
	}
	return f.Parts
}
