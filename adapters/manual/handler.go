package manual

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"net/http"
	"path"
	"strings"
	"sync"
	"time"
)

// Path is the URL path of the manual.
const Path = "/manual"

// Content security policies. A page may use its own style and pictures; a picture may use
// the style inside it.
const (
	pagePolicy    = "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
	picturePolicy = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'"
)

// kinds are the content types of the manual's files, by extension.
var kinds = map[string]string{
	".html": "text/html; charset=utf-8", ".css": "text/css; charset=utf-8", ".md": "text/markdown; charset=utf-8",
	".txt": "text/plain; charset=utf-8", ".svg": "image/svg+xml", ".png": "image/png", ".json": "application/json",
}

// Beside returns a handler that serves the manual under Path and llms.txt at the root, and
// passes all other requests to the other handler. Pages are rendered at the first request
// for one.
func Beside(other http.Handler, config Config) http.Handler {
	served := sync.OnceValues(func() (*Manual, error) { return New(config) })
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		name, ours := strings.CutPrefix(r.URL.Path, Path+"/")
		switch {
		case r.URL.Path == Path:
			http.Redirect(w, r, Path+"/", http.StatusMovedPermanently)
			return
		case r.URL.Path == "/"+llmsName:
			http.Redirect(w, r, Path+"/"+llmsName, http.StatusFound)
			return
		case !ours:
			other.ServeHTTP(w, r)
			return
		}
		m, err := served()
		if err != nil {
			http.Error(w, "the manual can't be rendered: "+err.Error(), http.StatusInternalServerError)
			return
		}
		m.servePage(w, r, name)
	})
}

func (m *Manual) servePage(w http.ResponseWriter, r *http.Request, name string) {
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		w.Header().Set("Allow", "GET, HEAD")
		http.Error(w, "the manual is only read", http.StatusMethodNotAllowed)
		return
	}
	if name == "" || strings.HasSuffix(name, "/") {
		name += "index.html"
	}
	header := w.Header()
	header.Set("X-Content-Type-Options", "nosniff")
	header.Set("Referrer-Policy", "no-referrer")
	header.Set("Content-Security-Policy", pagePolicy)
	text, ok := m.File(name)
	if !ok {
		header.Set("Content-Type", kinds[".html"])
		w.WriteHeader(http.StatusNotFound)
		_, _ = fmt.Fprintf(w, missing, Path, Path) // a client that hung up needs no response
		return
	}
	if path.Ext(name) == ".svg" {
		header.Set("Content-Security-Policy", picturePolicy)
	}
	digest := sha256.Sum256(text)
	header.Set("ETag", `"`+hex.EncodeToString(digest[:12])+`"`)
	header.Set("Cache-Control", "no-cache") // cached, and revalidated by its tag
	header.Set("Content-Type", kinds[path.Ext(name)])
	http.ServeContent(w, r, name, time.Time{}, bytes.NewReader(text))
}

// missing is the page for unknown paths; both gaps are Path.
const missing = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>Not found · Casino</title><link rel="stylesheet" href="%s/style.css"></head>
<body><main><h1>This page isn't in the manual</h1><p><a href="%s/index.html">All pages</a></p></main></body></html>
`
