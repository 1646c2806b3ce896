package providers_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/casino-service/casino/app"
	"github.com/casino-service/casino/domain/catalog"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/ports"
	"github.com/casino-service/casino/test/apptest"
)

// offering opens a casino with games of a provider. Only fruits and gems can be launched.
func offering(t *testing.T, connection *app.ProviderConnection, more ...func(*app.Deps)) *house {
	t.Helper()
	h := open(t, func(d *app.Deps) {
		d.Provider = connection
		for _, each := range more {
			each(d)
		}
	})
	made := func(code, provider string, enabled, vanished bool) catalog.Game {
		return catalog.Game{
			Code: code, Provider: provider, Name: code, Type: "slot", Banner: "https://" + code + ".example/a.png",
			Enabled: enabled, Vanished: vanished, UpdatedAt: h.Clock.Now(),
		}
	}
	apptest.OK(h.Store.RegisterGames(h.Ctx, []catalog.Game{
		made("fruits", "MAKER", true, false), made("gems", "RIVAL", true, false), made("off", "MAKER", false, false),
		made("gone", "MAKER", true, true), made("dice", catalog.Own, true, false),
	}))(t)
	return h
}

var launchPage = ports.Page{Number: 1, Limit: 20}

// TestWhatCanBeLaunchedIsListed: the list is empty without a provider, or if the token is
// no longer accepted.
func TestWhatCanBeLaunchedIsListed(t *testing.T) {
	t.Parallel()
	gold := &app.ProviderConnection{Code: "gold", Games: &launched{}, Token: money.SOL, Scale: 6}
	old := *gold
	old.Token = apptest.ClosingTerms.Mint
	for name, c := range map[string]struct {
		house *house
		want  []string
	}{
		"connected":       {offering(t, gold), []string{"gems", "fruits"}},
		"no provider":     {offering(t, nil), nil},
		"a closing token": {offering(t, &old), nil},
	} {
		found := apptest.OK(c.house.Providers.LaunchableGames(c.house.Ctx, launchPage))(t)
		var codes []string
		for _, g := range found.Games {
			codes = append(codes, g.Code)
		}
		if !slices.Equal(codes, c.want) {
			t.Errorf("%s: %v", name, codes)
		}
		if c.want != nil && found.Token != money.SOL {
			t.Errorf("%s: in %s", name, found.Token)
		}
	}
}

// TestPicturesOfGamesAreKnownByTheirOrigins: only of launchable games, at most 16, and read
// again after a minute.
func TestPicturesOfGamesAreKnownByTheirOrigins(t *testing.T) {
	t.Parallel()
	h := offering(t, &app.ProviderConnection{Code: "gold", Games: &launched{}, Token: money.SOL, Scale: 6})
	want := []string{"https://gems.example", "https://fruits.example"}
	apptest.Equal(t, "origins", fmt.Sprint(apptest.OK(h.Providers.PictureOrigins(h.Ctx))(t)), fmt.Sprint(want))
	var many []catalog.Game
	for i := range 150 {
		many = append(many, catalog.Game{
			Code: fmt.Sprintf("m%03d", i), Provider: "MAKER", Name: "Many", Type: "slot", Enabled: true, UpdatedAt: h.Clock.Now(),
			Banner: []string{"", "http://plain.example/a.png", "https://shared.example/a.png", fmt.Sprintf("https://host%d.example/a.png", i)}[min(i/40, 3)],
		})
	}
	apptest.OK(h.Store.RegisterGames(h.Ctx, many))(t)
	h.Clock.Advance(time.Minute - 1)
	apptest.Equal(t, "origins within the minute", fmt.Sprint(apptest.OK(h.Providers.PictureOrigins(h.Ctx))(t)), fmt.Sprint(want))
	h.Clock.Advance(1)
	found := apptest.OK(h.Providers.PictureOrigins(h.Ctx))(t)
	if len(found) != 16 || found[0] != "https://host149.example" {
		t.Errorf("%d origins: %v", len(found), found)
	}
}
