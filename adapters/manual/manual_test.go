package manual_test

import (
	"net/http"
	"net/http/httptest"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/casino-service/casino/adapters/manual"
	"github.com/casino-service/casino/docs"
)

// whole is the manual as it is published.
func whole(t *testing.T) *manual.Manual {
	t.Helper()
	m, err := manual.New(manual.Config{Sources: docs.Files, Reference: "/casino/docs"})
	if err != nil {
		t.Fatal(err)
	}
	return m
}

var (
	links    = regexp.MustCompile(`(?:href|src)="([^"]*)"`)
	ids      = regexp.MustCompile(` id="([^"]*)"`)
	headings = regexp.MustCompile(`<h([1-6])[ >]`)
	titles   = regexp.MustCompile(`(?m)^#+ (.*)$`)
)

// TestLinksOfPagesLeadSomewhere follows each link of each served page: to a file of the
// manual and its anchor, or to a file of the repository and its heading.
func TestLinksOfPagesLeadSomewhere(t *testing.T) {
	t.Parallel()
	m, found := whole(t), 0
	for _, name := range m.Names() {
		if path.Ext(name) != ".html" {
			continue
		}
		text, _ := m.File(name)
		for _, link := range links.FindAllStringSubmatch(string(text), -1) {
			found++
			if fault := broken(m, name, link[1]); fault != "" {
				t.Errorf("%s links to %s: %s", name, link[1], fault)
			}
		}
	}
	if found < 500 {
		t.Errorf("only %d links were found", found)
	}
}

// broken returns what is wrong with a page's link, "" if nothing.
func broken(m *manual.Manual, from, link string) string {
	target, anchor, _ := strings.Cut(link, "#")
	if file, ours := strings.CutPrefix(target, manual.Repository); ours {
		raw, err := os.ReadFile(filepath.Join("../..", file))
		if info, statErr := os.Stat(filepath.Join("../..", file)); statErr == nil && info.IsDir() {
			return ""
		}
		named := slices.ContainsFunc(titles.FindAllStringSubmatch(string(raw), -1), func(h []string) bool { return manual.Anchor(h[1]) == anchor })
		switch {
		case err != nil:
			return err.Error()
		case anchor != "" && !named:
			return "there is no such heading"
		}
		return ""
	}
	if strings.Contains(link, "://") || link == "/casino/docs" {
		return ""
	}
	name := from
	if target != "" {
		name = path.Join(path.Dir(from), target)
	}
	text, ok := m.File(name)
	named := slices.ContainsFunc(ids.FindAllStringSubmatch(string(text), -1), func(id []string) bool { return id[1] == anchor })
	switch {
	case !ok:
		return "there is no such file"
	case anchor != "" && !named:
		return "there is no such anchor"
	}
	return ""
}

// TestABrokenLinkIsFound.
func TestABrokenLinkIsFound(t *testing.T) {
	t.Parallel()
	m := whole(t)
	for link, want := range map[string]string{
		"events.html": "", "events.html#types": "", "#ways-to-listen": "", "nothing.html": "there is no such file",
		"#nothing": "there is no such anchor", "writer.html#nothing": "there is no such anchor",
		manual.Repository + "ARCHITECTURE.md#code-map": "", manual.Repository + "ARCHITECTURE.md#nothing": "there is no such heading",
		manual.Repository + "NOTHING.md": "open ../../NOTHING.md: no such file or directory",
	} {
		if got := broken(m, "events.html", link); got != want {
			t.Errorf("%s: %q, expected %q", link, got, want)
		}
	}
}

// TestPagesNeedNothingElse: no script, no inline style, no external resource, one title,
// and headings without a gap, for screen readers.
func TestPagesNeedNothingElse(t *testing.T) {
	t.Parallel()
	m, pages := whole(t), 0
	for _, name := range m.Names() {
		if path.Ext(name) != ".html" {
			continue
		}
		pages++
		raw, _ := m.File(name)
		text := string(raw)
		for _, unwanted := range []string{"<script", " style=", "<!-- raw", "<iframe", `src="http`, `src="//`, " on"} {
			if unwanted == " on" {
				if found := regexp.MustCompile(`<[^>]* on[a-z]+="`).FindString(text); found != "" {
					t.Errorf("%s has a handler: %s", name, found)
				}
			} else if strings.Contains(text, unwanted) {
				t.Errorf("%s has %s", name, unwanted)
			}
		}
		main, _, _ := strings.Cut(text[strings.Index(text, "<main"):], "</main>")
		level := "0"
		for i, h := range headings.FindAllStringSubmatch(main, -1) {
			if (i == 0) != (h[1] == "1") || h[1][0] > level[0]+1 {
				t.Errorf("%s has a heading %s after %s", name, h[1], level)
			}
			level = h[1]
		}
		if !strings.Contains(text, `aria-current="page"`) || strings.Contains(text, "<th></th>") || strings.Contains(text, "<title> ·") {
			t.Errorf("%s isn't among its own pages, or lacks words", name)
		}
	}
	if pages < 30 {
		t.Errorf("only %d pages were found", pages)
	}
}

// TestTheOutlineIsWhole: New rejects a document missing from the outline, and a name in it
// without a document.
func TestTheOutlineIsWhole(t *testing.T) {
	t.Parallel()
	_, err := manual.New(manual.Config{Sources: fstest.MapFS{"README.md": {Data: []byte("# Start\n")}, "new.md": {Data: []byte("# New\n")}}})
	for _, want := range []string{"the outline lacks new.md", "the outline names events.md"} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v lacks %q", err, want)
		}
	}
}

// TestEachPageIsThereAsMarkdown, and llms.txt lists all of them with a sentence each.
func TestEachPageIsThereAsMarkdown(t *testing.T) {
	t.Parallel()
	m := whole(t)
	list, _ := m.File("llms.txt")
	for _, name := range m.Names() {
		page, isPage := strings.CutSuffix(name, ".html")
		if !isPage {
			continue
		}
		text, ok := m.File(page + ".md")
		if !ok || !strings.HasPrefix(string(text), "# ") {
			t.Errorf("%s isn't there as Markdown", name)
		}
		source := strings.Replace(page, "index", "README", 1) + ".md"
		if !regexp.MustCompile(`\]\(` + regexp.QuoteMeta(source) + `\): \S.{15,}\.\n`).Match(list) {
			t.Errorf("llms.txt doesn't list %s with what it is", source)
		}
	}
}

// TestBesideTheAPI: pages have the strict policy and are revalidated by their tag; all
// other paths belong to the API.
func TestBesideTheAPI(t *testing.T) {
	t.Parallel()
	api := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusTeapot) })
	served := manual.Beside(api, manual.Config{Sources: docs.Files})
	ask := func(method, target, tag string) *httptest.ResponseRecorder {
		answer, r := httptest.NewRecorder(), httptest.NewRequestWithContext(t.Context(), method, target, nil)
		r.Header.Set("If-None-Match", tag)
		served.ServeHTTP(answer, r)
		return answer
	}
	for _, c := range []struct {
		method, target string
		status         int
		header, want   string
	}{
		{http.MethodGet, "/", http.StatusTeapot, "Etag", ""},
		{http.MethodGet, "/manuals", http.StatusTeapot, "Etag", ""},
		{http.MethodGet, "/manual", http.StatusMovedPermanently, "Location", "/manual/"},
		{http.MethodGet, "/llms.txt", http.StatusFound, "Location", "/manual/llms.txt"},
		{http.MethodGet, "/manual/", http.StatusOK, "Content-Type", "text/html; charset=utf-8"},
		{http.MethodHead, "/manual/operations/", http.StatusOK, "Content-Type", "text/html; charset=utf-8"},
		{http.MethodGet, "/manual/events.md", http.StatusOK, "Content-Type", "text/markdown; charset=utf-8"},
		{http.MethodGet, "/manual/events/v1/round.settled.json", http.StatusOK, "Content-Type", "application/json"},
		{http.MethodGet, "/manual/shape.svg", http.StatusOK, "Content-Type", "image/svg+xml"},
		{http.MethodGet, "/manual/charts/bets.svg", http.StatusOK, "Content-Type", "image/svg+xml"},
		{http.MethodGet, "/manual/llms.txt", http.StatusOK, "Content-Type", "text/plain; charset=utf-8"},
		{http.MethodGet, "/manual/../secret", http.StatusNotFound, "Content-Type", "text/html; charset=utf-8"},
		{http.MethodGet, "/manual/nothing.html", http.StatusNotFound, "X-Content-Type-Options", "nosniff"},
		{http.MethodPost, "/manual/", http.StatusMethodNotAllowed, "Allow", "GET, HEAD"},
	} {
		answer := ask(c.method, c.target, "")
		if answer.Code != c.status || answer.Header().Get(c.header) != c.want {
			t.Errorf("%s %s: %d, %s %q", c.method, c.target, answer.Code, c.header, answer.Header().Get(c.header))
		}
	}
	page := ask(http.MethodGet, "/manual/events.html", "")
	if policy := page.Header().Get("Content-Security-Policy"); !strings.HasPrefix(policy, "default-src 'none'; style-src 'self'") {
		t.Errorf("the policy is %q", policy)
	}
	if again := ask(http.MethodGet, "/manual/events.html", page.Header().Get("ETag")); again.Code != http.StatusNotModified {
		t.Errorf("a page that the reader has is answered %d", again.Code)
	}
}

// TestWrittenFilesAreTheServedOnes.
func TestWrittenFilesAreTheServedOnes(t *testing.T) {
	t.Parallel()
	m, folder := whole(t), filepath.Join(t.TempDir(), "manual")
	if err := m.Write(folder); err != nil {
		t.Fatal(err)
	}
	for _, name := range m.Names() {
		want, _ := m.File(name)
		if got, err := os.ReadFile(filepath.Join(folder, filepath.FromSlash(name))); err != nil || string(got) != string(want) {
			t.Errorf("%s was written otherwise: %v", name, err)
		}
	}
}
