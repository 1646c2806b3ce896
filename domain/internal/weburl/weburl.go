// Package weburl checks URLs that the service keeps and that others, or the
// service itself, will follow.
//
// What a name resolves to is another question, which whoever dials asks again.
// Packages of the domain import it.
package weburl

import (
	"net/url"
	"slices"
	"strconv"
	"strings"
)

// bytesMax is the longest URL, in bytes.
const bytesMax = 2048

// Loopback reports an absolute http or https URL of this machine, without credentials:
// for development, where services stand beside each other.
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

// Public reports an absolute https URL of a public DNS name, without credentials:
// nothing that leads to this machine, its network or an address by number.
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

// portInRange reports a port that can be connected to, or none.
func portInRange(port string) bool {
	if port == "" {
		return true
	}
	n, err := strconv.ParseUint(port, 10, 16)
	return err == nil && n > 0
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

// localDomains are top-level names that never leave a machine or its network, or lead
// nowhere (RFC 6761, 6762, 7686, 8375 and 9476, ICANN's reservation of "internal"), and
// those that ICANN delegates to nobody because home and office networks use them.
var localDomains = []string{
	"localhost", "local", "internal", "test", "invalid", "onion", "arpa", "alt",
	"localdomain", "domain", "home", "lan", "corp", "mail", "intranet", "private", "workgroup",
}
