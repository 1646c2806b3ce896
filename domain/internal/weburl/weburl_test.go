package weburl_test

import (
	"strings"
	"testing"

	"github.com/casino-service/casino/domain/internal/weburl"
)

func TestPublic(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{
		"https://example.com": true, "https://example.com:8443/api?x=1": true, "https://a.b.example.co.uk/": true,
		"": false, "http://example.com": false, "ftp://example.com": false, "javascript:alert(1)": false, "data:text/html,x": false,
		"file:///etc/passwd": false, "https://user@example.com": false, "https://user:pass@example.com": false, "//example.com": false,
		"https://localhost": false, "https://a.localhost": false, "https://a.LOCALHOST.": false, "https://127.0.0.1.": false, "https://localhost.localdomain": false,
		"https://router.lan": false, "https://router.home.arpa": false, "https://1.0.0.127.in-addr.arpa": false, "https://wiki.corp": false, "https://x.test": false,
		"https://[::ffff:7f00:1]": false, "https://[64:ff9b::7f00:1]": false, "https://0177.0.0.1": false, "https://1.2.3.0x4": false, "https://box.local": false, "https://db.internal": false,
		"https://127.0.0.1": false, "https://127.1": false, "https://2130706433": false, "https://0x7f000001": false, "https://0x7f.0.0.1": false,
		"https://[::1]": false, "https://[::ffff:127.0.0.1]": false, "https://169.254.169.254/latest": false, "https://10.0.0.1": false,
		"https://example.com:0": false, "https://example.com:65536": false, "https://exa mple.com": false, "https://example.com/\r\nX: y": false,
		"https://-a.example.com": false, "https://" + strings.Repeat("a", 64) + ".com": false,
		"https://example.com/" + strings.Repeat("a", 2048): false, "https:example.com": false, "https:///x": false, "https://例え.jp": false,
	} {
		if got := weburl.Public(text); got != want {
			t.Errorf("%.60q: %v", text, got)
		}
	}
}

func TestURLsOfThisMachine(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{
		"http://127.0.0.1:8877/site/": true, "http://localhost": true, "https://localhost:8443/x": true, "http://[::1]:80/": true,
		"http://127.0.0.1:0/": false, "http://127.0.0.1:65536/": false, "http://user@localhost/": false, "ftp://localhost/": false,
		"http://localhost.example/": false, "http://127.0.0.2/": false, "http://10.0.0.1/": false, "http://0.0.0.0/": false, "http://2130706433/": false,
		"//localhost/": false, "localhost": false, "": false, "http://localhost/a b": false, "https://example.com/": false,
		"http://localhost/" + strings.Repeat("a", 2048): false,
	} {
		if got := weburl.Loopback(text); got != want {
			t.Errorf("%.60q: %v", text, got)
		}
	}
}

// host returns a DNS name of this many bytes, with labels of 49.
func host(size int) string {
	name := strings.Repeat(strings.Repeat("a", 49)+".", 4)
	return name + strings.Repeat("b", size-len(name)-4) + ".com"
}

func TestLengthsAndCharactersAtTheirEdges(t *testing.T) {
	t.Parallel()
	prefix := "https://example.com/"
	for text, want := range map[string]bool{
		prefix + strings.Repeat("a", 2048-len(prefix)): true,
		prefix + strings.Repeat("a", 2049-len(prefix)): false,
		"https://example.com:65535":                    true,
		"https://example.com:1":                        true,
		"https://example.com:99999":                    false,
		"https://" + strings.Repeat("a", 63) + ".com":  true,
		"https://" + host(253):                         true,
		"https://" + host(254):                         false,
		"https://com":                                  false,
		"https://com.":                                 false,
		"https://a.b":                                  true,
		"https://example.com.":                         true,
		"https://example.com/!~":                       true, // the first and the last character of a URL
		"https://example.com/ ":                        false,
		"https://example.com/\x7f":                     false,
		"https://example.com/\u0080":                   false,
		"https://example.com/a<b":                      false,
		"https://example.com/\"":                       false,
		"https://example.com/`":                        false,
		"https://example.com/{":                        false,
		"https://example.com/|":                        false,
		"https://example.com/\\":                       false,
		"https://example.com/^":                        false,
	} {
		if got := weburl.Public(text); got != want {
			t.Errorf("%.60q of %d bytes: %v", text, len(text), got)
		}
	}
}
