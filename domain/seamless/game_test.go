package seamless_test

import (
	"strings"
	"testing"

	"github.com/casino-service/casino/domain/seamless"
)

func TestALanguageIsATag(t *testing.T) {
	t.Parallel()
	for _, tag := range []string{"pt", "pt-BR", "zh-Hans-CN", "es-419", "de-CH-1996", "aaaaaaaa-1"} {
		if !seamless.ValidLanguage(tag) {
			t.Errorf("%q is refused", tag)
		}
	}
	for _, tag := range []string{
		"", "p", "aaaaaaaaa", "pt-", "-pt", "pt--BR", "pt_BR", "1t", "pt-aaaaaaaaa", "../", "pt\n", "português", "pt" + strings.Repeat("-a", 17),
	} {
		if seamless.ValidLanguage(tag) {
			t.Errorf("%q is taken", tag)
		}
	}
}
