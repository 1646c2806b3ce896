// Package branding is the public face of a casino: a title, a logo, a colour.
//
// Use cases keep it and admins change it; Check holds for whatever is stored.
package branding

import (
	"net/url"
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
func (b Branding) Check() error {
	if n := utf8.RuneCountInString(b.Title); n < 1 || n > titleMax || !utf8.ValidString(b.Title) {
		return fault.Field("title", "must have 1 to %d characters", titleMax)
	}
	if strings.ContainsFunc(b.Title, hidden) || strings.TrimSpace(b.Title) == "" {
		return fault.Field("title", "must not hold control or text-direction characters")
	}
	if !httpsURL(b.LogoURL) {
		return fault.Field("logoUrl", "must be an absolute https URL without credentials")
	}
	if !hexColor(b.AccentColor) {
		return fault.Field("accentColor", "must be of the form #rrggbb")
	}
	return nil
}

// hidden reports characters that change how the text around them is read:
// controls, and the format characters that turn the direction of writing.
func hidden(r rune) bool { return unicode.IsControl(r) || unicode.Is(unicode.Cf, r) }

func httpsURL(text string) bool {
	if len(text) > urlMax || strings.ContainsFunc(text, hidden) {
		return false
	}
	u, err := url.Parse(text)
	return err == nil && u.Scheme == "https" && u.Hostname() != "" && u.User == nil
}

func hexColor(text string) bool {
	if len(text) != len("#rrggbb") || text[0] != '#' {
		return false
	}
	return strings.Trim(text[1:], "0123456789abcdefABCDEF") == ""
}
