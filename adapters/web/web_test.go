package web_test

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"context"
	"encoding/json"
	"io"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/casino-service/casino/adapters/web"
)

// behind answers requests that the pages pass on.
var behind = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("X-Behind", "yes")
	w.WriteHeader(http.StatusNotFound)
})

// answer is a response that needn't be closed.
type answer struct {
	StatusCode int
	Header     http.Header
	Body       *bytes.Buffer
}

func pages(t *testing.T, config web.Config) func(method, path string, headers ...string) *answer {
	t.Helper()
	config.BasePath = cmp.Or(config.BasePath, "/casino")
	handler, err := web.New(config, behind)
	if err != nil {
		t.Fatal(err)
	}
	return func(method, path string, headers ...string) *answer {
		request := httptest.NewRequestWithContext(t.Context(), method, path, nil)
		for i := 0; i < len(headers); i += 2 {
			request.Header.Set(headers[i], headers[i+1])
		}
		recorder := httptest.NewRecorder()
		handler.ServeHTTP(recorder, request)
		return &answer{recorder.Code, recorder.Header(), recorder.Body}
	}
}

func body(t *testing.T, answer *answer) string {
	t.Helper()
	var from io.Reader = answer.Body
	if answer.Header.Get("Content-Encoding") == "gzip" {
		unzipped, err := gzip.NewReader(answer.Body)
		if err != nil {
			t.Fatal(err)
		}
		from = unzipped
	}
	text, err := io.ReadAll(from)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

var loaded = regexp.MustCompile(`(?:src|href)="(/[^"]+)"`)

// TestAPageAndWhatItLoads: the page is the same compressed or not, has a policy without
// exceptions, and all files it names exist and are cached permanently.
func TestAPageAndWhatItLoads(t *testing.T) {
	t.Parallel()
	get := pages(t, web.Config{Demo: true, Path: "/ui"})
	plain := body(t, get(http.MethodGet, "/ui/"))
	page := get(http.MethodGet, "/ui/", "Accept-Encoding", "br, gzip;q=0.5")
	if page.StatusCode != http.StatusOK || page.Header.Get("Content-Encoding") != "gzip" || body(t, page) != plain {
		t.Errorf("the page: %d %v", page.StatusCode, page.Header)
	}
	policy := page.Header.Get("Content-Security-Policy")
	if !strings.HasPrefix(policy, "default-src 'none'; script-src 'self'; style-src 'self';") || strings.Contains(policy, "unsafe") {
		t.Errorf("the policy is %q", policy)
	}
	if !strings.Contains(plain, `&#34;base&#34;:&#34;/casino&#34;,&#34;manual&#34;:&#34;&#34;,&#34;demo&#34;:true,&#34;explorer&#34;`) {
		t.Errorf("the page doesn't know the API: %s", plain)
	}
	if strings.Contains(plain, "<style") || strings.Contains(plain, "style=") || regexp.MustCompile(`<script[^>]*>[^<]`).MatchString(plain) {
		t.Error("the page has something inline")
	}
	assets := loaded.FindAllStringSubmatch(plain, -1)
	if len(assets) < 3 {
		t.Fatalf("the page loads %v", assets)
	}
	for _, asset := range assets {
		answer := get(http.MethodGet, asset[1])
		if answer.StatusCode != http.StatusOK || !strings.Contains(answer.Header.Get("Cache-Control"), "immutable") || answer.Header.Get("X-Content-Type-Options") != "nosniff" {
			t.Errorf("%s: %d %v", asset[1], answer.StatusCode, answer.Header)
		}
	}
}

// TestAnAPIAtTheRoot moves the pages to /ui; all other paths belong to the API.
func TestAnAPIAtTheRoot(t *testing.T) {
	t.Parallel()
	get := pages(t, web.Config{BasePath: "/"})
	for _, path := range []string{"/", "/health", "/public/games", "/verify", "/uix", "/nothing"} {
		if answer := get(http.MethodGet, path, "Accept", "text/html"); answer.Header.Get("X-Behind") != "yes" {
			t.Errorf("%s is answered by the pages: %d", path, answer.StatusCode)
		}
	}
	for _, path := range []string{"/ui/", "/ui/verify", "/ui/admin"} {
		answer := get(http.MethodGet, path)
		text := body(t, answer)
		if answer.StatusCode != http.StatusOK || !strings.Contains(text, `path&#34;:&#34;/ui&#34;,&#34;base&#34;:&#34;&#34;`) {
			t.Errorf("%s: %d %.300s", path, answer.StatusCode, text)
		}
		for _, asset := range loaded.FindAllStringSubmatch(text, -1) {
			if found := get(http.MethodGet, asset[1]); found.StatusCode != http.StatusOK {
				t.Errorf("%s loads %s: %d", path, asset[1], found.StatusCode)
			}
		}
	}
	if answer := get(http.MethodGet, "/ui"); answer.StatusCode != http.StatusMovedPermanently || answer.Header.Get("Location") != "/ui/" {
		t.Errorf("/ui: %d %q", answer.StatusCode, answer.Header.Get("Location"))
	}
	if answer := get(http.MethodGet, "/ui/nothing", "Accept", "text/html"); answer.StatusCode != http.StatusNotFound || answer.Header.Get("X-Behind") != "" {
		t.Errorf("/ui/nothing: %d", answer.StatusCode)
	}
}

// TestWhatIsNoPage: programs and the API's paths get the answer of the handler behind;
// browsers get a page that says so.
func TestWhatIsNoPage(t *testing.T) {
	t.Parallel()
	get := pages(t, web.Config{})
	for _, each := range [][2]string{{"GET", "/casino"}, {"GET", "/casino/health"}, {"POST", "/"}, {"GET", "/nothing"}} {
		if answer := get(each[0], each[1]); answer.Header.Get("X-Behind") != "yes" {
			t.Errorf("%s %s is answered by the pages: %d", each[0], each[1], answer.StatusCode)
		}
	}
	answer := get(http.MethodGet, "/nothing", "Accept", "text/html,*/*")
	if text := body(t, answer); answer.StatusCode != http.StatusNotFound || !strings.Contains(text, `missing&#34;:true`) {
		t.Errorf("people who ask for nothing: %d %s", answer.StatusCode, text)
	}
	if text := body(t, get(http.MethodHead, "/")); text != "" {
		t.Errorf("HEAD has a body: %q", text)
	}
}

// TestTheLogoIsAllThatComesFromElsewhere, and only its origin.
func TestTheLogoIsAllThatComesFromElsewhere(t *testing.T) {
	t.Parallel()
	for logo, want := range map[string]string{
		"https://cdn.example.net/a/logo.svg": "img-src 'self' data: https://cdn.example.net;",
		"http://cdn.example.net/logo.svg":    "img-src 'self' data:;",
		"https://a.example;script-src *":     "img-src 'self' data:;",
		"":                                   "img-src 'self' data:;",
	} {
		get := pages(t, web.Config{Logo: func(context.Context) string { return logo }})
		if policy := get(http.MethodGet, "/").Header.Get("Content-Security-Policy"); !strings.Contains(policy, want) {
			t.Errorf("with the logo %q: %q", logo, policy)
		}
	}
}

// TestPicturesOfGamesComeFromTheirOrigins: each origin is named once, and texts that would
// widen the policy aren't.
func TestPicturesOfGamesComeFromTheirOrigins(t *testing.T) {
	t.Parallel()
	get := pages(t, web.Config{
		Logo: func(context.Context) string { return "https://cdn.example.net/logo.svg" },
		Pictures: func(context.Context) []string {
			return []string{"https://img.example:8443", "https://cdn.example.net/b.png", "https://*.example", "https://a.example;script-src *", "data:,x", "http://plain.example"}
		},
	})
	policy := get(http.MethodGet, "/").Header.Get("Content-Security-Policy")
	if want := "img-src 'self' data: https://cdn.example.net https://img.example:8443;"; !strings.Contains(policy, want) {
		t.Errorf("the policy is %q", policy)
	}
	if strings.Contains(policy, "frame-src") || !strings.HasPrefix(policy, "default-src 'none'") {
		t.Errorf("a page may frame something: %q", policy)
	}
}

// TestGamesAreFramedFromNamedOrigins: the policy and the page name them, and a text that would
// widen the policy is refused.
func TestGamesAreFramedFromNamedOrigins(t *testing.T) {
	t.Parallel()
	answer := pages(t, web.Config{Frames: []string{"https://games.example", "https://*.maker.example:8443"}, RealityCheck: 90 * time.Second, Crash: true})(http.MethodGet, "/")
	if policy := answer.Header.Get("Content-Security-Policy"); !strings.Contains(policy, "; frame-src https://games.example https://*.maker.example:8443;") {
		t.Errorf("the policy is %q", policy)
	}
	if page := body(t, answer); !strings.Contains(page, `&#34;frames&#34;:[&#34;https://games.example&#34;,`) || !strings.Contains(page, `&#34;realityCheckMs&#34;:90000`) || !strings.Contains(page, `&#34;crash&#34;:true`) {
		t.Errorf("the page doesn't know them: %s", page)
	}
	for _, wide := range []string{"*", "https://*", "https://*.example", "http://games.example", "https://a.example;script-src *", "https://a.example 'self'", "https://a.example/path", "data:"} {
		if _, err := web.New(web.Config{Frames: []string{wide}}, http.NotFoundHandler()); err == nil {
			t.Errorf("games are framed from %q", wide)
		}
	}
}

// firstPaintMax bounds the compressed size of a page's first load, in bytes.
const firstPaintMax = 150 << 10

// TestThePagesAreSmall measures each page with everything loaded before it is shown,
// without lazily loaded views and boards.
func TestThePagesAreSmall(t *testing.T) {
	t.Parallel()
	get := pages(t, web.Config{})
	for _, page := range []string{"/", "/verify", "/admin"} {
		size := func(address string) int {
			raw, err := io.ReadAll(get(http.MethodGet, address, "Accept-Encoding", "gzip").Body)
			if err != nil || len(raw) == 0 {
				t.Fatalf("%s: %d bytes, %v", address, len(raw), err)
			}
			return len(raw)
		}
		sum := size(page)
		for _, asset := range loaded.FindAllStringSubmatch(body(t, get(http.MethodGet, page)), -1) {
			sum += size(asset[1])
		}
		if sum > firstPaintMax {
			t.Errorf("%s loads %d bytes", page, sum)
		}
		t.Logf("%s loads %d bytes", page, sum)
	}
}

// messages returns a language's texts: those of every page, and those of the console only.
func messages(t *testing.T, language string) map[string]string {
	t.Helper()
	texts := map[string]string{}
	for _, folder := range []string{"", "admin/"} {
		for key, text := range messagesOf(t, folder+language) {
			if _, there := texts[key]; there {
				t.Errorf("%s of %s says %s, which every page says", language, folder, key)
			}
			texts[key] = text
		}
	}
	return texts
}

func messagesOf(t *testing.T, file string) map[string]string {
	t.Helper()
	raw, err := os.ReadFile("pages/src/locales/" + file + ".json")
	if err != nil {
		t.Fatal(err)
	}
	texts := map[string]string{}
	if err := json.Unmarshal(raw, &texts); err != nil {
		t.Fatal(err)
	}
	return texts
}

// putTogether matches prefixes of message keys that the pages complete with the service's
// values.
var putTogether = regexp.MustCompile("(?:maybe|t)\\(`([a-z]+)\\.")

// pluralForm is the end of a counted text's key; src/shared/plural.ts chooses it.
var pluralForm = regexp.MustCompile(`\.(zero|one|two|few|many|other)$`)

var placeholders = regexp.MustCompile(`\{\w+\}`)

// TestLanguagesAreComplete: all languages have every text, with the same placeholders, and no
// unused ones.
func TestLanguagesAreComplete(t *testing.T) {
	t.Parallel()
	english, portuguese := messages(t, "en"), messages(t, "pt-BR")
	var code strings.Builder
	err := filepath.WalkDir("pages/src", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || filepath.Ext(path) != ".tsx" && filepath.Ext(path) != ".ts" {
			return err
		}
		raw, err := os.ReadFile(path)
		code.Write(raw)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	begins := map[string]bool{}
	for _, found := range putTogether.FindAllStringSubmatch(code.String(), -1) {
		begins[found[1]] = true
	}
	for key, text := range english {
		other, there := portuguese[key]
		if !there || other == "" || text == "" {
			t.Errorf("%s is missing in Portuguese or empty", key)
		}
		if len(placeholders.FindAllString(text, -1)) != len(placeholders.FindAllString(other, -1)) {
			t.Errorf("%s has other values in Portuguese: %q, %q", key, text, other)
		}
		first, _, _ := strings.Cut(key, ".")
		counted := pluralForm.ReplaceAllString(key, "")
		if !strings.Contains(code.String(), `"`+key+`"`) && !strings.Contains(code.String(), `"`+counted+`"`) && !begins[first] {
			t.Errorf("no page says %s", key)
		}
	}
	if len(portuguese) != len(english) {
		t.Errorf("%d texts in Portuguese, %d in English", len(portuguese), len(english))
	}
}

var codes = regexp.MustCompile(`enum: \[(INVALID_PARAMETER, INSUFFICIENT_USER_FUNDS, [A-Z_, ]+)\]`)

// TestRefusalsAreTranslated: each code of the contract has a text in both languages. A key
// "CODE.detail" is a text with the values of a refusal, so its code is in the contract too.
func TestRefusalsAreTranslated(t *testing.T) {
	t.Parallel()
	contract, err := os.ReadFile("../httpapi/openapi.yaml")
	if err != nil {
		t.Fatal(err)
	}
	found := codes.FindSubmatch(contract)
	if found == nil {
		t.Fatal("the contract has no list of codes")
	}
	all := strings.Split(string(found[1]), ", ")
	if len(all) < 40 {
		t.Errorf("%d codes", len(all))
	}
	for _, file := range []string{"refusals.en", "refusals.pt-BR"} {
		texts := messagesOf(t, file)
		for _, code := range all {
			if texts[code] == "" {
				t.Errorf("%s has no text for %s", file, code)
			}
		}
		for key := range texts {
			code, _, _ := strings.Cut(key, ".")
			if strings.ToUpper(code) == code && !slices.Contains(all, code) {
				t.Errorf("%s has a text for %s, which the contract doesn't have", file, key)
			}
		}
	}
}
