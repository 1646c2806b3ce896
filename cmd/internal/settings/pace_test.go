package settings_test

import (
	"reflect"
	"testing"
	"time"

	"github.com/casino-service/casino/cmd/internal/settings"
	"github.com/casino-service/casino/domain/protection"
)

func TestThePaceOfRoundsIsReadAsItIsWritten(t *testing.T) {
	t.Parallel()
	for name, row := range map[string]struct {
		written []string
		want    protection.Pace
	}{
		"nothing":       {nil, protection.Pace{Of: map[string]time.Duration{}}},
		"of all":        {[]string{"5s"}, protection.Pace{Any: 5 * time.Second, Of: map[string]time.Duration{}}},
		"of one":        {[]string{"slots=2500ms"}, protection.Pace{Of: map[string]time.Duration{"slots": 2500 * time.Millisecond}}},
		"of all but it": {[]string{"slot=3s", "5s", "dice=0s"}, protection.Pace{Any: 5 * time.Second, Of: map[string]time.Duration{"slot": 3 * time.Second, "dice": 0}}},
	} {
		if got, err := (settings.API{RoundPace: row.written}).Pace(); err != nil || !reflect.DeepEqual(got, row.want) {
			t.Errorf("%s: %+v, %v", name, got, err)
		}
	}
}
