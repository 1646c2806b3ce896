package e2e_test

import (
	"encoding/json"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"github.com/casino-service/casino/test/services"
)

// contract is what a page may request: the pages themselves with their files, and the paths
// published in the API's document.
type contract struct {
	origin string
	// pages is the prefix of the paths of pages and their files.
	pages  string
	routes []route
}

// route is a method with the paths of a template in the document.
type route struct {
	method string
	path   *regexp.Regexp
}

var parameter = regexp.MustCompile(`\\\{[^}]+\\\}`)

// contractOf reads the document that a service publishes.
func contractOf(t *testing.T, dev *services.Dev) *contract {
	t.Helper()
	answer, err := http.Get(dev.BaseURL + "/openapi.json")
	noError(t, err)
	defer func() { _ = answer.Body.Close() }()
	var document struct {
		Paths map[string]map[string]any `json:"paths"`
	}
	if err := json.NewDecoder(answer.Body).Decode(&document); err != nil || len(document.Paths) < 50 {
		t.Fatalf("the document has %d paths: %v", len(document.Paths), err)
	}
	at, err := url.Parse(root(dev))
	noError(t, err)
	c := &contract{origin: at.Scheme + "://" + at.Host, pages: strings.TrimSuffix(at.Path, "/")}
	base := regexp.QuoteMeta(strings.TrimPrefix(dev.BaseURL, c.origin))
	for path, methods := range document.Paths {
		of := regexp.MustCompile("^" + base + parameter.ReplaceAllString(regexp.QuoteMeta(path), "[^/]+") + "$")
		for method := range methods {
			c.routes = append(c.routes, route{strings.ToUpper(method), of})
		}
	}
	return c
}

var pagesAndAssets, manualPages = regexp.MustCompile(`^/(|verify|admin|nothing|assets/[\w.-]+)$`), regexp.MustCompile(`^/manual/.*$`)

// allows reports whether a page may request a URL.
func (c *contract) allows(method, address string) bool {
	if strings.HasPrefix(address, "data:") || strings.HasPrefix(address, "blob:"+c.origin+"/") {
		return true
	}
	path, ours := strings.CutPrefix(address, c.origin)
	path, _, _ = strings.Cut(path, "#")
	path, _, _ = strings.Cut(path, "?")
	if !ours || !strings.HasPrefix(path, "/") {
		return false
	}
	below, page := strings.CutPrefix(path, c.pages)
	return method == http.MethodGet && (page && pagesAndAssets.MatchString(below) || manualPages.MatchString(path)) ||
		slices.ContainsFunc(c.routes, func(r route) bool { return r.method == method && r.path.MatchString(path) })
}

// TestPagesMayAskForWhatIsPublished checks that contract accepts published paths only.
func TestPagesMayAskForWhatIsPublished(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("needs the service") // allowed: make test runs it
	}
	dev := services.NewDev(t, t.TempDir())
	c := contractOf(t, dev)
	for _, each := range []struct {
		method, address string
		want            bool
	}{
		{"GET", "/", true}, {"GET", "/verify#round=x", true}, {"GET", "/assets/play-x.js", true}, {"POST", "/casino/play", true},
		{"GET", "/casino/admin/games?limit=25", true}, {"POST", "/casino/rounds/01abc/steps", true}, {"POST", "/casino/dev/wallets/alice/sign", true},
		{"GET", "/casino/play", false}, {"GET", "/casino/admin/secrets", false}, {"POST", "/assets/play-x.js", false}, {"GET", "/casino/rounds/a/b/c", false},
		{"GET", "/metrics", false},
	} {
		if got := c.allows(each.method, c.origin+each.address); got != each.want {
			t.Errorf("%s %s may be asked for: %t", each.method, each.address, got)
		}
	}
	for _, elsewhere := range []string{"https://example.net/x.js", dev.RPCURL, c.origin + ".example.net/", "ws" + strings.TrimPrefix(c.origin, "http") + "/casino/play"} {
		if c.allows("GET", elsewhere) {
			t.Errorf("%s may be asked for", elsewhere)
		}
	}
}

// TestWhatAPageMustNotDoIsFound checks that a picture from elsewhere, a script in the page and an
// unpublished request are found on any page of a test.
func TestWhatAPageMustNotDoIsFound(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("needs a browser") // allowed: make test runs it
	}
	e := begin(t, t.TempDir())
	p := visitor(t, e.dev, desktop, "verify")
	p.until(`document.querySelector('#give') !== null`)
	p.do(chromedp.Evaluate[chromedp.Void](`{
		const picture = new Image(), script = document.createElement('script');
		picture.src = 'https://elsewhere.example/x.png';
		script.textContent = 'window.ran = true';
		document.body.append(picture, script);
		void fetch('/metrics').then(() => (window.fetched = true));
	}`))
	p.until(`window.refused.length === 2 && window.fetched === true`)
	if value[bool](p.page, `window.ran === true`) {
		t.Error("a script in the page ran")
	}
	p.forgive("elsewhere.example")
	p.forgive("inline script")
	p.forgive("request failed")
	p.forgive("/metrics") // it doesn't exist
	p.mu.Lock()
	defer p.mu.Unlock()
	had := len(p.asked)
	p.asked = slices.DeleteFunc(p.asked, func(each [2]string) bool { return !p.may.allows(each[0], each[1]) })
	if found := had - len(p.asked); found != 2 {
		t.Errorf("%d unpublished requests were found", found)
	}
}
