// Package gametexts checks texts of a game provider that players meet: the URLs of launches
// and pictures, and the names of games. Protocols share it.
package gametexts

import (
	"fmt"
	"net/netip"
	"net/url"
	"strings"

	"github.com/casino-service/casino/domain/fault"
)

// Check reports why a launch host would never match a launch URL, and what to
// write instead. It accepts a host (games.example.com, an IP address) and a pattern for
// all its subdomains (*.example.com or .example.com).
func Check(pattern string) error {
	if validLaunchHost(pattern) {
		return nil
	}
	instead := "a host such as games.example.com, or *.example.com for its subdomains"
	text := strings.TrimSpace(pattern)
	if !strings.Contains(text, "//") {
		text = "//" + text
	}
	if address, err := url.Parse(text); err == nil && validLaunchHost(address.Hostname()) {
		instead = fmt.Sprintf("%q", address.Hostname())
	}
	return fmt.Errorf("%q can't match a host: write %s, without scheme, port and path", pattern, instead)
}

// subdomainsOf returns the suffix of a pattern for subdomains, with its leading dot.
func subdomainsOf(pattern string) (suffix string, is bool) {
	suffix = strings.TrimPrefix(pattern, "*")
	return suffix, strings.HasPrefix(suffix, ".")
}

func validLaunchHost(pattern string) bool {
	if _, err := netip.ParseAddr(pattern); err == nil {
		return true
	}
	host := pattern
	if suffix, is := subdomainsOf(pattern); is {
		if host = suffix[1:]; !strings.Contains(host, ".") { // *.com would match every .com site
			return false
		}
	}
	for label := range strings.SplitSeq(strings.ToLower(host), ".") {
		if label == "" || strings.Trim(label, "abcdefghijklmnopqrstuvwxyz0123456789-_") != "" {
			return false
		}
	}
	return true
}

// Hosts says where launch URLs may lead.
type Hosts struct {
	// Patterns are the hosts, as Check accepts them.
	Patterns []string
	// Loopback allows the provider and its games plain HTTP on this machine.
	Loopback bool
}

// urlMax is the longest launch URL that is passed on, in bytes.
const urlMax = 4096

// Allow returns nil for a URL that a player may be sent to: https, on one of the hosts.
func (h Hosts) Allow(text string) error {
	refuse := fault.New(fault.External, "the game provider's launch URL is not a valid https URL")
	address, err := url.Parse(text)
	if err != nil || len(text) > urlMax || strings.ContainsFunc(text, func(r rune) bool { return r <= ' ' || r >= 0x7f }) {
		return refuse
	}
	if !h.MayReach(address) {
		return refuse
	}
	return h.checkHost(address.Hostname())
}

// MayReach reports whether we, or a player's browser, may be sent to the address.
func (h Hosts) MayReach(address *url.URL) bool {
	if address.Hostname() == "" || address.User != nil || address.Opaque != "" {
		return false
	}
	return address.Scheme == "https" || h.Loopback && address.Scheme == "http" && isLoopback(address.Hostname())
}

func isLoopback(host string) bool {
	address, err := netip.ParseAddr(host)
	return host == "localhost" || err == nil && address.IsLoopback()
}

// checkHost rejects a launch URL on a host that isn't configured. The host and the setting
// are named only in the text around the fault, which is logged and not shown.
func (h Hosts) checkHost(host string) error {
	for _, pattern := range h.Patterns {
		suffix, is := subdomainsOf(strings.ToLower(pattern))
		if strings.EqualFold(pattern, host) || is && len(host) > len(suffix) && strings.HasSuffix(strings.ToLower(host), suffix) {
			return nil
		}
	}
	return fmt.Errorf("the launch URL is on host %.253q; if that is the provider's, add it to CASINO_PROVIDER_LAUNCH_HOSTS: %w",
		host, fault.New(fault.External, "the game can't be opened at the moment"))
}

// nameMax is the longest game name that is accepted, in characters.
const nameMax = 100

// PrintableName returns the name if all its characters are printable, else the code.
func PrintableName(name, code string) string {
	kept := []rune(strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f || r >= 0x80 && r < 0xa0 || r >= 0x200b && r <= 0x200f || r >= 0x2028 && r <= 0x202e ||
			r >= 0x2060 && r <= 0x206f || r == 0xfeff || r == '\uFFFD' {
			return -1
		}
		return r
	}, name))
	if text := strings.TrimSpace(string(kept[:min(len(kept), nameMax)])); text != "" {
		return text
	}
	return code
}

// PictureURL returns a picture's address if it is https, else "".
func PictureURL(text string) string {
	address, err := url.Parse(text)
	if err != nil || address.Scheme != "https" || address.Hostname() == "" || address.User != nil || len(text) > urlMax {
		return ""
	}
	return text
}
