// Package weburl checks URLs that the service stores, and that browsers or the service
// itself will open.
//
// It checks only the text. Clients that connect must check the addresses that a name
// resolves to.
package weburl

import (
	"net/url"
	"slices"
	"strconv"
	"strings"
)

// bytesMax is the longest URL, in bytes.
const bytesMax = 2048

// Loopback reports whether the text is an absolute http or https URL of this machine,
// without credentials. It is for development.
func Loopback(text string) bool {
	if len(text) > bytesMax || strings.ContainsFunc(text, notOfURLs) {
		return false
	}
	u, err := url.Parse(text)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.User != nil || !portInRange(u.Port()) {
		return false
	}
	return slices.Contains([]string{"localhost", "127.0.0.1", "::1"}, u.Hostname())
}

// Public reports whether the text is an absolute https URL of a public DNS name, without
// credentials. Names of this machine or its network and numeric addresses are refused.
func Public(text string) bool {
	if len(text) > bytesMax || strings.ContainsFunc(text, notOfURLs) {
		return false
	}
	u, err := url.Parse(text)
	if err != nil || u.Scheme != "https" || u.User != nil || !portInRange(u.Port()) {
		return false
	}
	return publicName(u.Hostname())
}

// portInRange reports whether the port is empty or can be connected to.
func portInRange(port string) bool {
	if port == "" {
		return true
	}
	n, err := strconv.ParseUint(port, 10, 16)
	return err == nil && n > 0
}

// notOfURLs reports characters that RFC 3986 doesn't allow in a URL.
func notOfURLs(r rune) bool {
	return r <= ' ' || r >= 0x7f || strings.ContainsRune("\"<>\\^`{|}", r)
}

// publicName reports whether the host is a DNS name of two labels or more (RFC 1123). A
// last label that begins with a digit is a spelling of an address (127.0.0.1, 127.1,
// 0x7f.0.0.1). A single label is a name in the local network or a numeric address.
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

// localDomains are top-level names for local use, or without hosts (RFC 6761, 6762,
// 7686, 8375 and 9476, ICANN's reservation of "internal"), and those that ICANN doesn't
// delegate because home and office networks use them.
var localDomains = []string{
	"localhost", "local", "internal", "test", "invalid", "onion", "arpa", "alt",
	"localdomain", "domain", "home", "lan", "corp", "mail", "intranet", "private", "workgroup",
}
