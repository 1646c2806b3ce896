package shape_test

import (
	"slices"
	"testing"
	"time"

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
		{shape.Body(api.PlayRequest{}), []string{"gameType", "wager", "token", "config"}},
		{shape.Body(api.AdminExclusionRequest{}), []string{"until", "permanent", "reason"}},
		{shape.Query(api.ProviderGameFilter{}), []string{"page", "limit", "cursor", "provider", "enabled", "q"}},
	} {
		if !slices.Equal(c.got, c.want) {
			t.Errorf("%q, want %q", c.got, c.want)
		}
	}
}

func TestValuesLeaveOutWhatIsZero(t *testing.T) {
	t.Parallel()
	at := time.UnixMilli(1_700_000_000_001)
	for want, filter := range map[string]any{
		"":                nil,
		"limit=5":         api.PageRequest{Limit: 5},
		"cursor=a&page=1": api.PageRequest{Page: 1, Cursor: "a"},
		"days=3":          api.DaysFilter{Days: 3},
		"gameType=a%26page%3D2&limit=100&to=1700000000001": api.RoundFilter{
			PageRequest: api.PageRequest{Limit: 100}, GameType: "a&page=2", To: at,
		},
	} {
		if got := shape.Values(filter).Encode(); got != want {
			t.Errorf("%+v is asked for by %q, want %q", filter, got, want)
		}
	}
}
