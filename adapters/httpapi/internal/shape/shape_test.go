package shape_test

import (
	"slices"
	"testing"

	"github.com/casino-service/casino/adapters/httpapi/api"
	"github.com/casino-service/casino/adapters/httpapi/internal/shape"
)

func TestNamesAreThoseOfTheTags(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		got, want []string
	}{
		{shape.Body(nil), nil},
		{shape.Query(nil), nil},
		{shape.Body(api.PlayRequest{}), []string{"gameType", "wager", "token", "config", "expectedServerSeedHash", "expectedNonce"}},
		{shape.Body(api.AdminExclusionRequest{}), []string{"until", "permanent", "reason"}},
		{shape.Query(api.ProviderGamesParams{}), []string{"page", "limit", "cursor", "provider", "enabled", "q"}},
	} {
		if !slices.Equal(c.got, c.want) {
			t.Errorf("%q, want %q", c.got, c.want)
		}
	}
}
