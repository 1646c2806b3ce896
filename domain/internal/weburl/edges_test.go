package weburl_test

import (
	"strings"
	"testing"

	"github.com/casino-service/casino/domain/internal/weburl"
)

// host is a DNS name of so many bytes, with labels of 49.
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
		"https://example.com/!~":                       true, // the first and the last of what a URL may hold
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
