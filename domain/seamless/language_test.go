package seamless_test

import (
	"strings"
	"testing"

	"github.com/casino-service/casino/domain/seamless"
)

func TestALanguageHasAtMost35Bytes(t *testing.T) {
	t.Parallel()
	subtags := strings.Repeat("-a", 16)
	if longest := "por" + subtags; len(longest) != 35 || !seamless.ValidLanguage(longest) {
		t.Errorf("%q, of %d bytes, is refused", longest, len(longest))
	}
	if longer := "port" + subtags; seamless.ValidLanguage(longer) {
		t.Errorf("%q, of %d bytes, is taken", longer, len(longer))
	}
}
