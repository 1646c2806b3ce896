package main

import (
	"io"
	"log/slog"
	"testing"

	"go.uber.org/fx"

	"github.com/casino-service/casino/adapters/solana"
	"github.com/casino-service/casino/adapters/telemetry"
	"github.com/casino-service/casino/cmd/internal/service"
	"github.com/casino-service/casino/cmd/internal/settings"
	"github.com/casino-service/casino/test/fakes"
)

// Every profile's wiring is complete: whatever is required is provided once.
func TestProfilesAreWired(t *testing.T) {
	t.Parallel()
	treasury := solana.WatchOnly(fakes.Wallet("treasury"))
	node := []settings.Secret{"https://node.example"}
	postgres, err := settings.Database{DatabaseURL: "postgres://casino:pw@db/casino"}.Location()
	if err != nil {
		t.Fatal(err)
	}
	for name, profile := range map[string]fx.Option{
		"dev": fx.Options(devProfile(devFlags{}), fx.Supply(streams{io.Discard, io.Discard}), fx.Invoke(func(announcement) {})),
		"serve on SQLite": service.Production(settings.Serve{}, settings.Plan{
			Database: settings.SQLiteAt("casino.db"), RPC: node, Treasury: treasury,
		}, "test", telemetry.NoTraces),
		"serve on Postgres and Redis": service.Production(settings.Serve{}, settings.Plan{
			Database: postgres, Redis: "redis://redis:6379", RPC: node, Treasury: treasury,
		}, "test", telemetry.TracesByVariable),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if err := fx.ValidateApp(profile, fx.Supply(slog.New(slog.DiscardHandler), &service.Held{}, service.StopRequested{Context: t.Context()}), fx.NopLogger); err != nil {
				t.Error(err)
			}
		})
	}
	if err := fx.ValidateApp(service.Core, fx.Supply(slog.New(slog.DiscardHandler), &service.Held{}, service.StopRequested{Context: t.Context()}), fx.NopLogger); err == nil {
		t.Error("the core alone is wired: the profiles supply nothing, and this test can't fail")
	}
}
