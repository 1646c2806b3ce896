package branding_test

import (
	"strings"
	"testing"

	"github.com/casino-service/casino/domain/branding"
	"github.com/casino-service/casino/domain/fault"
)

// check tries the texts as one field of the default branding.
func check(t *testing.T, field string, set func(*branding.Branding, string), good bool, texts ...string) {
	t.Helper()
	for _, text := range texts {
		b := branding.Default()
		set(&b, text)
		err := b.Check()
		if good {
			if err != nil {
				t.Errorf("%s %q: %v", field, text, err)
			}
			continue
		}
		refused, ok := err.(*fault.Error)
		if !ok || refused.Kind != fault.Invalid || refused.Details["field"] != field {
			t.Errorf("%s %.40q: got %#v", field, text, err)
		}
	}
}

func TestDefaultCanBeShown(t *testing.T) {
	t.Parallel()
	if err := branding.Default().Check(); err != nil {
		t.Error(err)
	}
}

func TestTitle(t *testing.T) {
	t.Parallel()
	set := func(b *branding.Branding, text string) { b.Title = text }
	check(t, "title", set, true,
		"C", "Cassino São Paulo", "卡西诺", strings.Repeat("é", 80), "می\u200cخواهم", "Family 👨\u200d👩\u200d👧", "<b>x</b>", "'; DROP TABLE")
	check(t, "title", set, false,
		"", " ", "\t", "a\nb", "a\r\nX: y", "a\x00b", "a\x7fb", "\u0085", // controls
		"abc\u202edef", "a\u2066b", "a\u200fb", "a\u061cb", // text direction
		"a\u2028b", "a\u2029b", "\u200b", "\u200d", "a\ufeffb", "a\U000e0041b", // separators, invisible
		strings.Repeat("é", 81), strings.Repeat("x", 4096), "a\xffb",
	)
}

func TestLogoURL(t *testing.T) {
	t.Parallel()
	set := func(b *branding.Branding, text string) { b.LogoURL = text }
	check(t, "logoUrl", set, true,
		"https://example.com/logo.svg", "https://cdn.example.com:8443/a/b.png?v=2#x", "https://xn--bcher-kva.example/l.png",
		"HTTPS://EXAMPLE.COM/%20x", "https://example.com.", "https://1.example.com/")
	check(t, "logoUrl", set, false,
		"", "logo.svg", "/logo.svg", "//example.com/logo.svg", "https:", "https://", "https:///x", "https:example.com",
		"http://example.com/l.svg", "file:///etc/passwd", "javascript:alert(1)", "data:image/svg+xml,x", "ftp://example.com/",
		"https://127.0.0.1/", "https://169.254.169.254/latest", "https://[::1]/", "https://[::ffff:127.0.0.1]/",
		"https://2130706433/", "https://0x7f000001/", "https://0x7f.0.0.1/", "https://127.1/", "https://017700000001/",
		"https://localhost/", "https://db.localhost/", "https://printer.local/", "https://vault.internal/", "https://intranet/",
		"https://user@example.com/", "https://user:pass@example.com/", "https://example.com@127.0.0.1/",
		"https://example.com:0/", "https://example.com:65536/", "https://example.com:x/",
		"https://exa mple.com/", "https://example.com/a b", "https://example.com/\r\nX: y", "https://example.com/\x00",
		"https://example.com/\"onerror=", "https://example.com/<x>", "https://example.com/\u202ex", "https://münchen.example/",
		"https://-a.example/", "https://a-.example/", "https://a..example/", "https://a_b.example/", "https://%31.example/",
		"https://"+strings.Repeat("a", 64)+".example/", "https://example.com/"+strings.Repeat("a", 2048),
	)
}

func TestAccentColor(t *testing.T) {
	t.Parallel()
	set := func(b *branding.Branding, text string) { b.AccentColor = text }
	check(t, "accentColor", set, true, "#000000", "#ffffff", "#7C3AED", "#09afAF")
	check(t, "accentColor", set, false,
		"", "#", "#fff", "#ffff", "#fffff", "#fffffff", "ffffff", "red", "red;}", "#gggggg", "#12345 ", " #12345", "#１２", "#ffffff\n")
}

func TestTheFirstFaultIsNamed(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		b     branding.Branding
		field string
	}{
		{branding.Branding{}, "title"},
		{branding.Branding{Title: "Casino"}, "logoUrl"},
		{branding.Branding{Title: "Casino", LogoURL: "https://example.com/"}, "accentColor"},
	} {
		if refused, ok := c.b.Check().(*fault.Error); !ok || refused.Details["field"] != c.field {
			t.Errorf("%+v: got %#v, want %s", c.b, refused, c.field)
		}
	}
}

func TestEveryDigitOfAColorCounts(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{
		"#0123Ff": true, "#g00000": false, "#0g0000": false, "#00000g": false, "##00000": false, "0000000": false,
	} {
		b := branding.Default()
		b.AccentColor = text
		if err := b.Check(); (err == nil) != want {
			t.Errorf("%q: %v", text, err)
		}
	}
}
