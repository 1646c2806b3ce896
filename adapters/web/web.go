// Package web serves the web pages beside the API. It embeds the built output of the
// TypeScript in pages, which is checked in, so that running the pages doesn't need Node.js.
//
// Commands put it before the API's handler; embedders may mount it below any path. It
// contains no casino logic: the pages are ordinary clients of the published API.
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
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/go-json-experiment/json"
)

//go:embed pages/dist
var built embed.FS

// Files returns the built pages by their paths.
func Files() fs.FS {
	pages, err := fs.Sub(built, "pages/dist")
	if err != nil {
		panic(err) // the directive above names the folder
	}
	return pages
}

// Config says where the pages are served and what they may use.
type Config struct {
	// Path is the path of the pages, without a trailing slash. If it is empty they are at
	// the root, or below PathBesideRoot if the API is at the root.
	Path string
	// BasePath is the API's path, as in httpapi.Config; "/" if the API is at the root.
	BasePath string
	// Manual is the path of the manual, without a trailing slash, for links to the rules of
	// games; "" if it isn't served.
	Manual string
	// Demo offers the demo wallets of casino dev.
	Demo bool
	// Crash offers the shared crash, which the API then has.
	Crash bool
	// Explorer is the address of a transaction on chain, with {signature} in it; "" for no
	// links.
	Explorer string
	// Logo returns the URL of the operator's logo; "" for none. A page may load only it and
	// the pictures from other origins.
	Logo func(context.Context) string
	// Pictures returns the URLs of pictures of third-party games; their origins are
	// allowed. If nil, such games are shown without pictures.
	Pictures func(context.Context) []string
	// Frames are origins as ValidFrame describes them. The page shows third-party games from
	// these origins in a frame, and opens all others in a tab.
	Frames []string
	// RealityCheck is how long a player plays until the page states time and result and asks
	// whether to go on; 0 for never.
	RealityCheck time.Duration
}

var frameOrigin = regexp.MustCompile(`^https://(\*\.)?[a-z0-9-]+(\.[a-z0-9-]+)+(:[0-9]+)?$|^http://127\.0\.0\.1:([0-9]+|\*)$`)

// ValidFrame reports whether a text is an origin that games may be framed from:
// https://games.example, https://*.games.example with all its subdomains, or
// http://127.0.0.1 with a port or * for any.
func ValidFrame(origin string) bool { return frameOrigin.MatchString(origin) }

// PathBesideRoot is the path of the pages if the API is at the root.
const PathBesideRoot = "/ui"

// file is a built file, ready to be sent.
type file struct {
	content, zipped []byte
	kind            string
}

// pages is the handler.
type pages struct {
	config Config
	// site holds the pages by path, assets the files that they load.
	site, assets map[string]file
	missing      file
	next         http.Handler
}

// kinds are the content types, by extension.
var kinds = map[string]string{
	".html": "text/html; charset=utf-8", ".js": "text/javascript; charset=utf-8", ".css": "text/css; charset=utf-8", ".svg": "image/svg+xml",
}

// New returns a handler for the pages that passes all other requests to next, the API. It
// also answers a browser's request for an unknown path with a page.
func New(config Config, next http.Handler) (http.Handler, error) {
	config.BasePath = strings.TrimSuffix(config.BasePath, "/")
	if config.BasePath == "" && config.Path == "" {
		config.Path = PathBesideRoot
	}
	for _, each := range config.Frames {
		if !ValidFrame(each) {
			return nil, fmt.Errorf("web: %q is not an origin to frame games from", each)
		}
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

// addFile adds a built file. index.html becomes the page at the root, name.html the one at
// /name.
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

// served is the configuration given to a page; src/shared/config.ts reads it.
type served struct {
	Path     string `json:"path"`
	Base     string `json:"base"`
	Manual   string `json:"manual"`
	Demo     bool   `json:"demo"`
	Crash    bool   `json:"crash,omitzero"`
	Explorer string `json:"explorer"`
	Missing  bool   `json:"missing"`

	Frames         []string `json:"frames,omitempty"`
	RealityCheckMS int64    `json:"realityCheckMs,omitzero"`
}

// fillPage inserts the paths into a page.
func (p *pages) fillPage(content []byte, missing bool) (file, error) {
	says, err := json.Marshal(served{
		Path: p.config.Path, Base: p.config.BasePath, Manual: p.config.Manual, Demo: p.config.Demo, Crash: p.config.Crash, Explorer: p.config.Explorer, Missing: missing,
		Frames: p.config.Frames, RealityCheckMS: p.config.RealityCheck.Milliseconds(),
	})
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

// packFile returns a file with its compressed form.
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
		w.Header().Set("Cache-Control", "public, max-age=31536000, immutable") // the name contains the content's hash
		asset.sendFile(w, r, http.StatusOK)
		return
	}
	page, found := p.site[at]
	status := http.StatusOK
	if !found {
		if !strings.Contains(r.Header.Get("Accept"), "text/html") { // not a browser: keep the API's response
			p.next.ServeHTTP(w, r)
			return
		}
		page, status = p.missing, http.StatusNotFound
	}
	p.setSecurityHeaders(w.Header(), r)
	page.sendFile(w, r, status)
}

// ofAPI reports whether a path belongs to the API: if it is below the base path or, with
// the API at the root, not a page.
func (p *pages) ofAPI(at string) bool {
	if p.config.BasePath == "" {
		return !isWithin(at, p.config.Path)
	}
	return isWithin(at, p.config.BasePath)
}

func isWithin(at, base string) bool { return at == base || strings.HasPrefix(at, base+"/") }

// setSecurityHeaders sets what a page may load: its own scripts and styles, requests to
// this service, its own pictures, wallets' pictures (data URLs), the operator's logo,
// pictures of third-party games, and frames of the origins that the operator names.
func (p *pages) setSecurityHeaders(header http.Header, r *http.Request) {
	pictures := "'self' data:"
	for _, origin := range p.foreignOrigins(r.Context()) {
		pictures += " " + origin
	}
	frames := ""
	if len(p.config.Frames) > 0 {
		frames = "; frame-src " + strings.Join(p.config.Frames, " ")
	}
	header.Set("Content-Security-Policy", "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src "+pictures+frames+
		"; base-uri 'none'; form-action 'none'; frame-ancestors 'none'")
	header.Set("Cache-Control", "no-cache")
	header.Set("Referrer-Policy", "no-referrer")
	header.Set("Cross-Origin-Opener-Policy", "same-origin-allow-popups") // wallets open windows
	header.Set("Permissions-Policy", "camera=(), microphone=(), geolocation=()")
}

// foreignOrigins returns the origins of the logo and of games' pictures, without
// duplicates.
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

// originOf returns the origin of a URL as a policy names it; "" if there is none.
func originOf(address string) string {
	at, err := url.Parse(address)
	if err != nil || at.Scheme != "https" || at.Host == "" || strings.ContainsAny(at.Host, " ;,'\"*") {
		return ""
	}
	return "https://" + at.Host
}

// sendFile writes a file, compressed if the client accepts that.
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
		_, _ = w.Write(content) // the client may have hung up
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
