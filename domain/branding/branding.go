// Package branding holds the public branding of a casino: title, logo and colour.
//
// Admins change it; stored values have passed Check.
package branding

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/internal/weburl"
)

// Branding is the content of GET /public/whitelabel.
type Branding struct {
	Title       string
	LogoURL     string
	AccentColor string
}

// Default returns the branding before any change.
func Default() Branding {
	return Branding{Title: "Casino", LogoURL: "https://example.com/logo.svg", AccentColor: "#7c3aed"}
}

// titleMax is the longest title in characters.
const titleMax = 80

// Check returns a fault naming the first invalid field: "title", "logoUrl" or
// "accentColor".
//
// The service never fetches the logo, but browsers do. Its URL must name a public host,
// so that a page can't send requests into its visitor's own network.
func (b Branding) Check() error {
	if n := utf8.RuneCountInString(b.Title); n < 1 || n > titleMax || !utf8.ValidString(b.Title) {
		return fault.Field("title", "must have 1 to %d characters", titleMax)
	}
	if strings.ContainsFunc(b.Title, isHiddenRune) || !strings.ContainsFunc(b.Title, isVisibleRune) {
		return fault.Field("title", "must be visible and without control or text-direction characters")
	}
	if !weburl.Public(b.LogoURL) {
		return fault.Field("logoUrl", "must be an absolute https URL of a public host name, without credentials")
	}
	if !hexColor(b.AccentColor) {
		return fault.Field("accentColor", "must be of the form #rrggbb")
	}
	return nil
}

// isHiddenRune reports characters that change how the text around them is read:
// controls, line separators, and format characters, which can turn the direction of
// writing. The two joiners are allowed: Persian and emoji need them.
func isHiddenRune(r rune) bool {
	const nonJoiner, joiner = '\u200c', '\u200d'
	return r != nonJoiner && r != joiner && unicode.In(r, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp)
}

// isVisibleRune reports characters that are visible on their own.
func isVisibleRune(r rune) bool { return unicode.In(r, unicode.L, unicode.N, unicode.P, unicode.S) }

func hexColor(text string) bool {
	if len(text) != len("#rrggbb") || text[0] != '#' {
		return false
	}
	return strings.Trim(text[1:], "0123456789abcdefABCDEF") == ""
}
