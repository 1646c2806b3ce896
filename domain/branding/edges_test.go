package branding_test

import (
	"testing"

	"github.com/casino-service/casino/domain/branding"
)

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
