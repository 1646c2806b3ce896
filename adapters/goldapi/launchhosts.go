package goldapi

import (
	"fmt"
	"net/netip"
	"net/url"
	"strings"

	"github.com/casino-service/casino/domain/fault"
)

// CheckLaunchHost reports why a launch host would never match a launch URL, and what to
// write instead. It accepts a host (games.example.com, an IP address) and a pattern for
// all its subdomains (*.example.com or .example.com).
func CheckLaunchHost(pattern string) error {
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

// checkLaunchHost rejects a launch URL on a host that isn't configured. The host and the
// setting are named only in the text around the fault, which is logged and not shown.
func (c Config) checkLaunchHost(host string) error {
	for _, pattern := range c.LaunchHosts {
		suffix, is := subdomainsOf(strings.ToLower(pattern))
		if strings.EqualFold(pattern, host) || is && len(host) > len(suffix) && strings.HasSuffix(strings.ToLower(host), suffix) {
			return nil
		}
	}
	return fmt.Errorf("goldapi: the launch URL is on host %.253q; if that is the provider's, add it to CASINO_PROVIDER_LAUNCH_HOSTS: %w",
		host, fault.New(fault.External, "the game can't be opened at the moment"))
}
