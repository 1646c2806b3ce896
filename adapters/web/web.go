// Package web serves the pages of people beside the API: what is built of the TypeScript in
// pages, which is checked in, so that nobody needs Node.js to run them.
//
// Commands put it before the API's handler; embedders mount it where they like, below any
// path. It knows nothing of the casino: the pages are clients of the published API like any
// other, and everything that they show comes from there.
package web

import (
	"bytes"
	"compress/gzip"
	"context"
	"embed"
	"errors"
	"fmt"
	"html"
	"io/fs"
	"net/http"
	"net/url"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json"
)

//go:embed pages/dist
var built embed.FS

// Config says where the pages are and what they may use.
type Config struct {
	// Path is where they are, without a slash at its end. When it is empty they are at the
	// root, or below PathBesideRoot where the API is there.
	Path string
	// BasePath is the API's, as httpapi.Config has it; "/" where the API has the root.
	BasePath string
	// Manual is where the manual is served, without a slash at its end, for links to what
	// the rules of a game explain; empty where it isn't.
	Manual string
	// Demo offers the demo wallets of casino dev.
	Demo bool
	// Logo is the address of the operator's logo; empty for none. It and the pictures are
	// all that a page may load from elsewhere.
	Logo func(context.Context) string
	// Pictures are where pictures of third-party games come from: addresses, of which the
	// origin counts. Without it such games are shown without.
	Pictures func(context.Context) []string
}

// PathBesideRoot is where the pages are when the API has the root.
const PathBesideRoot = "/ui"

// file is one that was built, as it is sent.
type file struct {
	content, zipped []byte
	kind            string
}

// pages are the handler.
type pages struct {
	config Config
	// site has the pages by their paths, assets what they load.
	site, assets map[string]file
	missing      file
	next         http.Handler
}

// kinds are the types of what is built, by the ending of its name.
var kinds = map[string]string{
	".html": "text/html; charset=utf-8", ".js": "text/javascript; charset=utf-8", ".css": "text/css; charset=utf-8", ".svg": "image/svg+xml",
}

// New returns the pages before another handler, which answers everything that is none of
// theirs: the API. What browsers ask for and nobody has is answered with a page too.
func New(config Config, next http.Handler) (http.Handler, error) {
	config.BasePath = strings.TrimSuffix(config.BasePath, "/")
	if config.BasePath == "" && config.Path == "" {
		config.Path = PathBesideRoot
	}
	p := &pages{config: config, site: map[string]file{}, assets: map[string]file{}, next: next}
	err := fs.WalkDir(built, "pages/dist", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		return p.addFile(name)
	})
	if err != nil {
		return nil, fmt.Errorf("web: %w", err)
	}
	return p, nil
}

// addFile takes a file that was built. index.html is the page at the root, name.html the one
// at /name.
func (p *pages) addFile(name string) error {
	kind, known := kinds[path.Ext(name)]
	if !known {
		return fmt.Errorf("%s is of no type that is served", name)
	}
	content, err := built.ReadFile(name)
	if err != nil {
		return err
	}
	short := strings.TrimPrefix(name, "pages/dist")
	if path.Ext(name) != ".html" {
		p.assets[p.config.Path+short], err = packFile(content, kind)
		return err
	}
	at := p.config.Path + strings.TrimSuffix(short, ".html")
	if short == "/index.html" {
		at = p.config.Path + "/"
		if p.missing, err = p.fillPage(content, true); err != nil {
			return err
		}
	}
	p.site[at], err = p.fillPage(content, false)
	return err
}

// served is what a page needs to know of the service: src/shared/config.ts reads it.
type served struct {
	Path    string `json:"path"`
	Base    string `json:"base"`
	Manual  string `json:"manual"`
	Demo    bool   `json:"demo"`
	Missing bool   `json:"missing"`
}

// fillPage fills in where things are.
func (p *pages) fillPage(content []byte, missing bool) (file, error) {
	says, err := json.Marshal(served{Path: p.config.Path, Base: p.config.BasePath, Manual: p.config.Manual, Demo: p.config.Demo, Missing: missing})
	if err != nil {
		return file{}, err
	}
	const place = `<meta name="casino" content="{}" />`
	if bytes.Count(content, []byte(place)) != 1 {
		return file{}, fmt.Errorf("a page lacks %s", place)
	}
	text := strings.Replace(string(content), place, `<meta name="casino" content="`+html.EscapeString(string(says))+`" />`, 1)
	text = strings.ReplaceAll(text, `="./`, `="`+html.EscapeString(p.config.Path)+`/`)
	return packFile([]byte(text), kinds[".html"])
}

// packFile keeps a file beside its compressed form.
func packFile(content []byte, kind string) (file, error) {
	var zipped bytes.Buffer
	to, err := gzip.NewWriterLevel(&zipped, gzip.BestCompression)
	if err != nil {
		return file{}, err
	}
	_, err = to.Write(content)
	if err = errors.Join(err, to.Close()); err != nil {
		return file{}, err
	}
	return file{content: content, zipped: zipped.Bytes(), kind: kind}, nil
}

// ServeHTTP answers one request.
func (p *pages) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	at := r.URL.Path
	if r.Method != http.MethodGet && r.Method != http.MethodHead || p.ofAPI(at) {
		p.next.ServeHTTP(w, r)
		return
	}
	if at == p.config.Path && at != "" {
		http.Redirect(w, r, p.config.Path+"/", http.StatusMovedPermanently)
		return
	}
	if asset, found := p.assets[at]; found {
		w.Header().Set("Cache-Control", "public, max-age=31536000, immutable") // its name has the hash of what it holds
		asset.sendFile(w, r, http.StatusOK)
		return
	}
	page, found := p.site[at]
	status := http.StatusOK
	if !found {
		if !strings.Contains(r.Header.Get("Accept"), "text/html") { // a program, which reads the API's body
			p.next.ServeHTTP(w, r)
			return
		}
		page, status = p.missing, http.StatusNotFound
	}
	p.setSecurityHeaders(w.Header(), r)
	page.sendFile(w, r, status)
}

// ofAPI reports whether a path is the API's: what is below its base path, or everything but
// the pages where it has the root.
func (p *pages) ofAPI(at string) bool {
	if p.config.BasePath == "" {
		return !isWithin(at, p.config.Path)
	}
	return isWithin(at, p.config.BasePath)
}

func isWithin(at, base string) bool { return at == base || strings.HasPrefix(at, base+"/") }

// setSecurityHeaders sets what a page is allowed: its own scripts and styles, requests to this service,
// and pictures of its own and of wallets, which come as data, the operator's logo, and
// pictures of third-party games. Such games themselves are in no frame of a page: see
// launch.ts of the page for players.
func (p *pages) setSecurityHeaders(header http.Header, r *http.Request) {
	pictures := "'self' data:"
	for _, origin := range p.foreignOrigins(r.Context()) {
		pictures += " " + origin
	}
	header.Set("Content-Security-Policy", "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src "+pictures+
		"; base-uri 'none'; form-action 'none'; frame-ancestors 'none'")
	header.Set("Cache-Control", "no-cache")
	header.Set("Referrer-Policy", "no-referrer")
	header.Set("Cross-Origin-Opener-Policy", "same-origin-allow-popups") // wallets open windows
	header.Set("Permissions-Policy", "camera=(), microphone=(), geolocation=()")
}

// foreignOrigins are the origins of the logo and of games' pictures, each once.
func (p *pages) foreignOrigins(ctx context.Context) (origins []string) {
	var named []string
	if p.config.Logo != nil {
		named = append(named, p.config.Logo(ctx))
	}
	if p.config.Pictures != nil {
		named = append(named, p.config.Pictures(ctx)...)
	}
	for _, each := range named {
		if origin := originOf(each); origin != "" && !slices.Contains(origins, origin) {
			origins = append(origins, origin)
		}
	}
	return origins
}

// originOf is the origin of an address, as a policy names it; empty where it is none.
func originOf(address string) string {
	at, err := url.Parse(address)
	if err != nil || at.Scheme != "https" || at.Host == "" || strings.ContainsAny(at.Host, " ;,'\"*") {
		return ""
	}
	return "https://" + at.Host
}

// sendFile writes a file, compressed where the client takes that.
func (f file) sendFile(w http.ResponseWriter, r *http.Request, status int) {
	content, header := f.content, w.Header()
	header.Set("Vary", "Accept-Encoding")
	if takesGzip(r.Header.Get("Accept-Encoding")) && len(f.zipped) < len(content) {
		content = f.zipped
		header.Set("Content-Encoding", "gzip")
	}
	header.Set("Content-Type", f.kind)
	header.Set("X-Content-Type-Options", "nosniff")
	header.Set("Content-Length", strconv.Itoa(len(content)))
	w.WriteHeader(status)
	if r.Method != http.MethodHead {
		_, _ = w.Write(content) // a client that has gone away is nobody's fault here
	}
}

// takesGzip reads Accept-Encoding (RFC 9110, 12.5.3).
func takesGzip(line string) bool {
	for each := range strings.SplitSeq(line, ",") {
		name, weight, _ := strings.Cut(strings.ReplaceAll(each, " ", ""), ";")
		if strings.EqualFold(name, "gzip") {
			at, err := strconv.ParseFloat(strings.TrimPrefix(weight, "q="), 64)
			return weight == "" || err == nil && at > 0
		}
	}
	return false
}
