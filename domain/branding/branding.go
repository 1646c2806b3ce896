// Package branding is the public face of a casino: a title, a logo, a colour.
//
// Use cases keep it and admins change it; Check holds for whatever is stored.
package branding

import (
	"net/url"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/casino-service/casino/domain/fault"
)

// Branding is what GET /public/whitelabel shows.
type Branding struct {
	Title       string
	LogoURL     string
	AccentColor string
}

// Default is the branding until somebody chooses another.
func Default() Branding {
	return Branding{Title: "Casino", LogoURL: "https://example.com/logo.svg", AccentColor: "#7c3aed"}
}

// titleMax is the longest title in characters, urlMax the longest logo URL in bytes.
const (
	titleMax = 80
	urlMax   = 2048
)

// Check returns a fault naming the first field that can't be shown: "title",
// "logoUrl" or "accentColor".
//
// The service never fetches the logo, browsers do: its URL must name a public
// host, so that a page can't be made to ask its visitor's own network.
func (b Branding) Check() error {
	if n := utf8.RuneCountInString(b.Title); n < 1 || n > titleMax || !utf8.ValidString(b.Title) {
		return fault.Field("title", "must have 1 to %d characters", titleMax)
	}
	if strings.ContainsFunc(b.Title, hidden) || !strings.ContainsFunc(b.Title, visible) {
		return fault.Field("title", "must be visible and without control or text-direction characters")
	}
	if !httpsURL(b.LogoURL) {
		return fault.Field("logoUrl", "must be an absolute https URL of a public host name, without credentials")
	}
	if !hexColor(b.AccentColor) {
		return fault.Field("accentColor", "must be of the form #rrggbb")
	}
	return nil
}

// hidden reports characters that change how the text around them is read:
// controls, separators of lines, and the format characters, which turn the
// direction of writing. The two joiners stay: Persian and emoji need them.
func hidden(r rune) bool {
	const nonJoiner, joiner = '\u200c', '\u200d'
	return r != nonJoiner && r != joiner && unicode.In(r, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp)
}

// visible reports characters that leave ink by themselves.
func visible(r rune) bool { return unicode.In(r, unicode.L, unicode.N, unicode.P, unicode.S) }

func httpsURL(text string) bool {
	if len(text) > urlMax || strings.ContainsFunc(text, notOfURLs) {
		return false
	}
	u, err := url.Parse(text)
	if err != nil || u.Scheme != "https" || u.User != nil {
		return false
	}
	if port := u.Port(); port != "" {
		if n, err := strconv.ParseUint(port, 10, 16); err != nil || n == 0 {
			return false
		}
	}
	return publicName(u.Hostname())
}

// notOfURLs reports characters that RFC 3986 leaves out of every URL.
func notOfURLs(r rune) bool {
	return r <= ' ' || r >= 0x7f || strings.ContainsRune("\"<>\\^`{|}", r)
}

// publicName reports a DNS name of two labels or more (RFC 1123). A last label
// that begins with a digit is an address in one of its spellings (127.0.0.1,
// 127.1, 0x7f.0.0.1), and one label alone is a name of the local network or an
// address as a number.
func publicName(host string) bool {
	labels := strings.Split(strings.TrimSuffix(host, "."), ".")
	if len(host) > 253 || len(labels) < 2 {
		return false
	}
	for _, label := range labels {
		const allowed = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-"
		if label == "" || len(label) > 63 || strings.Trim(label, allowed) != "" ||
			strings.HasPrefix(label, "-") || strings.HasSuffix(label, "-") {
			return false
		}
	}
	last := strings.ToLower(labels[len(labels)-1])
	return !strings.ContainsRune("0123456789", rune(last[0])) && !slices.Contains(localDomains, last)
}

// localDomains are top-level names that never leave a machine or its network
// (RFC 6761, RFC 6762, and ICANN's reservation of "internal").
var localDomains = []string{"localhost", "local", "internal"}

func hexColor(text string) bool {
	if len(text) != len("#rrggbb") || text[0] != '#' {
		return false
	}
	return strings.Trim(text[1:], "0123456789abcdefABCDEF") == ""
}
