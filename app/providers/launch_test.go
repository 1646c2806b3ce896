package providers_test

import (
	"context"
	"strings"
	"testing"

	"github.com/casino-service/casino/app"
	"github.com/casino-service/casino/app/kernel"
	"github.com/casino-service/casino/app/providers"
	"github.com/casino-service/casino/domain/catalog"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/ports"
	"github.com/casino-service/casino/test/apptest"
	"github.com/casino-service/casino/test/fakes"
)

// launched is a game provider that keeps the language of the last launch.
type launched struct {
	ports.GameProvider
	language string
}

func (l *launched) Launch(_ context.Context, order ports.LaunchRequest) (string, error) {
	l.language = order.Language
	return "https://games.example/play", nil
}

// TestALaunchWithoutALanguageTakesTheDeployments: the language of the settings, or pt by
// default.
func TestALaunchWithoutALanguageTakesTheDeployments(t *testing.T) {
	t.Parallel()
	for configured, want := range map[string]string{"": kernel.LanguageDefault, "es-419": "es-419"} {
		provider := &launched{}
		h := open(t, func(d *app.Deps) {
			d.Settings.Language = configured
			d.Provider = &app.ProviderConnection{Code: "gold", Games: provider, Token: money.SOL, Scale: 6}
		})
		apptest.OK(h.Store.RegisterGames(h.Ctx, []catalog.Game{
			{Code: "fruits", Provider: "MAKER", Name: "Fruits", Type: "slot", Enabled: true, UpdatedAt: h.Clock.Now()},
		}))(t)
		alice := h.SignIn("alice")
		request := providers.LaunchRequest{GameCode: "fruits", UserCode: string(fakes.Wallet("alice"))}
		apptest.OK(h.Providers.Launch(h.Ctx, alice, request))(t)
		apptest.Equal(t, "language", provider.language, want)
		request.Language = "de-CH"
		apptest.OK(h.Providers.Launch(h.Ctx, alice, request))(t)
		apptest.Equal(t, "language", provider.language, "de-CH")
	}
	deps := bare(t).Deps
	deps.Settings.Language = "../"
	if err := apptest.ErrorOf(app.New(deps)); err == nil || !strings.Contains(err.Error(), "Deps.Settings.Language") {
		t.Errorf("New: %v", err)
	}
}
