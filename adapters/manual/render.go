package manual

import (
	"bytes"
	"html/template"
	"path"
	"regexp"
	"strconv"
	"strings"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	extast "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/renderer"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// page is a rendered document.
type page struct {
	source  string // its path in Markdown
	text    []byte
	Section string
	Title   string // shown by the frame, above the contents
	Anchor  string // the title's
	Summary string // its first sentence, in plain text
	Body    template.HTML
	Parts   []part
}

// part is a heading in the page's contents.
type part struct{ Title, Anchor string }

// htmlPath returns the page's path as HTML. README.md becomes the folder's index.
func (p *page) htmlPath() string { return htmlName(p.source) }

func htmlName(source string) string {
	folder, name := path.Split(source)
	if name == "README.md" {
		return folder + "index.html"
	}
	return folder + strings.TrimSuffix(name, ".md") + ".html"
}

// markdown renders as GitHub does: tables, fenced code, bare links. It leaves out raw HTML.
var markdown = goldmark.New(
	goldmark.WithExtensions(
		extension.Table, extension.Linkify, extension.Strikethrough,
	),
	goldmark.WithParserOptions(parser.WithAutoHeadingID()),
	goldmark.WithRendererOptions(renderer.WithNodeRenderers(util.Prioritized(scrolling{}, 100))),
)

// renderPage renders a document.
func renderPage(source, section string, raw []byte) *page {
	p := &page{source: source, text: raw, Section: section}
	document := markdown.Parser().Parse(text.NewReader(raw), parser.WithContext(parser.NewContext(parser.WithIDs(&anchors{}))))
	p.inspectDocument(document)
	if first, ok := document.FirstChild().(*ast.Heading); ok && first.Level == 1 {
		document.RemoveChild(document, first)
	}
	var body bytes.Buffer
	if err := markdown.Renderer().Render(&body, raw, document); err != nil {
		panic("manual: a buffer takes everything: " + err.Error())
	}
	p.Body = template.HTML(body.String()) // #nosec G203 -- our own documents, without raw HTML
	return p
}

// inspectDocument rewrites the page's links and takes its title, its parts and its first sentence.
func (p *page) inspectDocument(document ast.Node) {
	_ = ast.Walk(document, func(node ast.Node, entering bool) (ast.WalkStatus, error) { // the walk itself never fails
		if !entering {
			return ast.WalkContinue, nil
		}
		switch n := node.(type) {
		case *ast.Link:
			n.Destination = []byte(rewriteLink(p.source, string(n.Destination)))
		case *ast.Image:
			n.Destination = []byte(rewriteLink(p.source, string(n.Destination)))
		case *ast.Heading:
			p.addHeading(n)
		case *ast.Paragraph:
			if p.Summary == "" {
				p.Summary = firstSentence(plainText(n, p.text))
			}
		}
		return ast.WalkContinue, nil
	})
}

func (p *page) addHeading(h *ast.Heading) {
	title := plainText(h, p.text)
	id, _ := h.AttributeString("id")
	anchor, _ := id.([]byte) // the parser names every heading
	switch h.Level {
	case 1:
		p.Title, p.Anchor = title, string(anchor)
	case 2:
		p.Parts = append(p.Parts, part{title, string(anchor)})
	}
}

// rewriteLink returns the target of a document's link as seen from its page: another page,
// a file of the manual, or a file of the repository.
func rewriteLink(source, link string) string {
	if strings.Contains(link, "://") || strings.HasPrefix(link, "#") || strings.HasPrefix(link, "mailto:") {
		return link
	}
	target, anchor, anchored := strings.Cut(link, "#")
	if anchored {
		anchor = "#" + anchor
	}
	if whole := path.Join("docs", path.Dir(source), target); !strings.HasPrefix(whole, "docs/") {
		return Repository + whole + anchor
	}
	if path.Ext(target) == ".md" {
		target = htmlName(target)
	}
	return target + anchor
}

// plainText returns a node's text without its markup.
func plainText(node ast.Node, source []byte) string {
	var out strings.Builder
	_ = ast.Walk(node, func(n ast.Node, entering bool) (ast.WalkStatus, error) { // the walk itself never fails
		switch n := n.(type) {
		case *ast.Text:
			if entering {
				out.Write(n.Segment.Value(source))
				if n.SoftLineBreak() {
					out.WriteByte(' ')
				}
			}
		case *ast.String:
			if entering {
				out.Write(n.Value)
			}
		}
		return ast.WalkContinue, nil
	})
	return out.String()
}

// firstSentence returns the first sentence of a text.
func firstSentence(text string) string {
	first, _, _ := strings.Cut(text, ". ")
	return strings.TrimRight(first, ".:") + "."
}

// anchors names headings as GitHub does, so that links work in both places.
type anchors struct{ used map[string]int }

var notInAnchors = regexp.MustCompile(`[^\p{L}\p{N} _-]`)

// Anchor returns the anchor of the page's first heading with this text.
func Anchor(heading string) string {
	return strings.ReplaceAll(notInAnchors.ReplaceAllString(strings.ToLower(heading), ""), " ", "-")
}

// Generate returns the anchor of a heading, with a number appended if the page already has
// it.
func (a *anchors) Generate(value []byte, _ ast.NodeKind) []byte {
	name := Anchor(string(value))
	if a.used == nil {
		a.used = map[string]int{}
	}
	count := a.used[name]
	a.used[name]++
	if count > 0 {
		name += "-" + strconv.Itoa(count)
	}
	return []byte(name)
}

// Put ignores ids that the document sets itself.
func (a *anchors) Put([]byte) {}

// scrolling renders elements that may be wider than a telephone's screen, so that they
// scroll on their own, also with the keyboard.
type scrolling struct{}

// RegisterFuncs registers tables, their headers and blocks of code.
func (s scrolling) RegisterFuncs(r renderer.NodeRendererFuncRegisterer) {
	r.Register(extast.KindTable, s.renderTable)
	r.Register(extast.KindTableHeader, s.renderHeader)
	r.Register(extast.KindTableCell, s.renderCell)
	r.Register(ast.KindFencedCodeBlock, s.renderCode)
	r.Register(ast.KindCodeBlock, s.renderCode)
}

func (scrolling) renderTable(w util.BufWriter, _ []byte, _ ast.Node, entering bool) (ast.WalkStatus, error) {
	if entering {
		_, _ = w.WriteString(`<div class="wide" role="group" aria-label="Table" tabindex="0"><table>` + "\n")
	} else {
		_, _ = w.WriteString("</table></div>\n")
	}
	return ast.WalkContinue, nil
}

// renderHeader omits an empty header, which Markdown requires.
func (scrolling) renderHeader(w util.BufWriter, source []byte, node ast.Node, entering bool) (ast.WalkStatus, error) {
	if plainText(node, source) == "" {
		if entering {
			_, _ = w.WriteString("<tbody>\n")
		}
		return ast.WalkSkipChildren, nil
	}
	if entering {
		_, _ = w.WriteString("<thead>\n<tr>\n")
	} else {
		_, _ = w.WriteString("</tr>\n</thead>\n<tbody>\n")
	}
	return ast.WalkContinue, nil
}

// renderCell renders a non-empty cell of a header as a heading.
func (scrolling) renderCell(w util.BufWriter, source []byte, node ast.Node, entering bool) (ast.WalkStatus, error) {
	tag := "td"
	if node.Parent().Kind() == extast.KindTableHeader && plainText(node, source) != "" {
		tag = "th"
	}
	if entering {
		_, _ = w.WriteString("<" + tag + ">")
	} else {
		_, _ = w.WriteString("</" + tag + ">\n")
	}
	return ast.WalkContinue, nil
}

func (scrolling) renderCode(w util.BufWriter, source []byte, node ast.Node, entering bool) (ast.WalkStatus, error) {
	if !entering {
		return ast.WalkContinue, nil
	}
	_, _ = w.WriteString(`<pre role="group" aria-label="Code" tabindex="0"><code>`)
	lines := node.Lines()
	for i := range lines.Len() {
		line := lines.At(i)
		_, _ = w.Write(util.EscapeHTML(line.Value(source)))
	}
	_, _ = w.WriteString("</code></pre>\n")
	return ast.WalkSkipChildren, nil
}
