package httpapi

import (
	"crypto/sha256"
	_ "embed"
	"encoding/hex"
	"fmt"
	"html/template"
	"io/fs"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/oasdiff/yaml"
	"github.com/swaggest/swgui"
	"github.com/swaggest/swgui/v5/static"
	"github.com/swaggest/swgui/v5emb"

	"github.com/casino-service/casino/adapters/httpapi/internal/operation"
	"github.com/casino-service/casino/domain/fault"
)

// docsRoutes returns the routes of the contract and its page.
func (a *API) docsRoutes() []route {
	return []route{
		{operation.OpenAPI, anyone, publicWindow, a.openapiDocument},
		{operation.Docs, anyone, publicWindow, a.docsPage},
		{operation.DocsAsset, anyone, publicWindow, a.docsAsset},
	}
}

//go:embed openapi.yaml
var openapiYAML []byte

// Contract returns the published contract, openapi.yaml.
func Contract() []byte { return slices.Clone(openapiYAML) }

// openapiJSON returns the published contract as JSON, with the base path as its server.
func openapiJSON(base string) ([]byte, error) {
	text, err := yaml.YAMLToJSON(openapiYAML)
	if err != nil {
		return nil, fmt.Errorf("httpapi: openapi.yaml: %w", err)
	}
	var document map[string]jsontext.Value
	if err := json.Unmarshal(text, &document); err != nil {
		return nil, fmt.Errorf("httpapi: openapi.yaml: %w", err)
	}
	if document["servers"], err = json.Marshal([]map[string]string{{"url": base, "description": "this service"}}); err != nil {
		return nil, err
	}
	return json.Marshal(document, json.Deterministic(true))
}

func (a *API) openapiDocument(*request) (answer, error) {
	return answer{status: http.StatusOK, raw: a.openapi}, nil
}

// docsPolicy lets the page only run its own scripts and call this service.
const docsPolicy = "default-src 'none'; script-src 'self' 'unsafe-inline'; style-src 'self' 'unsafe-inline'; " +
	"img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

// demoSignIn has a button for each demo wallet, which signs the page in.
//
//go:embed demo_signin.html
var demoSignIn template.HTML

func docsHandler(base string, demo DemoWallets) http.Handler {
	config := swgui.Config{Title: "Casino", SwaggerJSON: base + "/openapi.json", BasePath: base + "/docs/"}
	if demo != nil {
		config.PrependHTML = demoSignIn
	}
	page := v5emb.NewHandlerWithConfig(config)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Security-Policy", docsPolicy)
		page.ServeHTTP(w, r)
	})
}

func (a *API) docsPage(*request) (answer, error) { return answer{page: a.docs}, nil }

// assetAge is how long a browser may cache a file of the page.
const assetAge = time.Hour

// docsAsset serves the page's files. It rejects unknown ones itself, because the file
// server would answer without the API's error body.
func (a *API) docsAsset(r *request) (answer, error) {
	tags, err := assetTags()
	if err != nil {
		return answer{}, fmt.Errorf("httpapi: the page's files: %w", err)
	}
	tag, ok := tags[r.params["asset"]]
	if !ok {
		return answer{}, fault.New(fault.NotFound, "this path does not exist")
	}
	return answer{page: cached{a.docs, tag}}, nil
}

// assetTags maps the names of the page's files to their tags. A compressed file also has an
// entry without .gz, the name that is requested.
var assetTags = sync.OnceValues(func() (map[string]string, error) {
	tags := map[string]string{}
	return tags, fs.WalkDir(static.FS, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		text, err := fs.ReadFile(static.FS, name)
		tags[name], tags[strings.TrimSuffix(name, ".gz")] = tagOf(text), tagOf(text)
		return err
	})
})

// tagOf returns a file's entity tag: a weak one, because files are served in several
// encodings.
func tagOf(text []byte) string {
	digest := sha256.Sum256(text)
	return `W/"` + hex.EncodeToString(digest[:12]) + `"`
}

// cached serves a file with caching headers, and answers 304 if the client has it. It
// replaces the file server's tag, which is invalid because it lacks the quotes.
type cached struct {
	next http.Handler
	tag  string
}

// ServeHTTP sends the file, or 304 if the client has it.
func (c cached) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	header := w.Header()
	header.Set("Cache-Control", "public, max-age="+wholeSeconds(assetAge))
	if slices.ContainsFunc(r.Header.Values("If-None-Match"), c.matchesTag) {
		header.Set("ETag", c.tag)
		header.Set("Vary", "Accept-Encoding")
		w.WriteHeader(http.StatusNotModified)
		return
	}
	r = r.Clone(r.Context())
	r.Header.Del("If-None-Match")
	out := tagged{w, c.tag}
	c.next.ServeHTTP(out, r)
	if r.Method == http.MethodHead { // the file server sent nothing, not even headers
		out.WriteHeader(http.StatusOK)
	}
}

// matchesTag reports whether a line of If-None-Match contains the file's tag; comparison is
// weak (RFC 9110, 13.1.2).
func (c cached) matchesTag(line string) bool {
	for tag := range strings.SplitSeq(line, ",") {
		tag = strings.TrimSpace(tag)
		if tag == "*" || strings.TrimPrefix(tag, "W/") == strings.TrimPrefix(c.tag, "W/") {
			return true
		}
	}
	return false
}

// tagged replaces the file server's tag.
type tagged struct {
	http.ResponseWriter
	tag string
}

// WriteHeader sends the headers with the tag.
func (t tagged) WriteHeader(status int) {
	t.Header().Set("ETag", t.tag)
	t.ResponseWriter.WriteHeader(status)
}

// Write sends the headers before the first bytes.
func (t tagged) Write(text []byte) (int, error) {
	t.Header().Set("ETag", t.tag)
	return t.ResponseWriter.Write(text)
}
