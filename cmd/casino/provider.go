package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/casino-service/casino/adapters/sqlstore"
	"github.com/casino-service/casino/adapters/system"
	"github.com/casino-service/casino/app/providers"
	"github.com/casino-service/casino/cmd/internal/service"
	"github.com/casino-service/casino/cmd/internal/settings"
	"github.com/casino-service/casino/domain/game"
)

type providerCommand struct {
	Sync      providerSyncCommand      `cmd:"" help:"Update the catalogue with the provider's games now. Example: casino provider sync"`
	Reconcile providerReconcileCommand `cmd:"" help:"Compare the provider's own log with the ledger and print every difference. Example: casino provider reconcile --since 48h"`
}

type providerSyncCommand struct {
	settings.Database
	settings.Provider
}

// Run reads the games of the provider that serve's settings name, and stores them in
// serve's database.
func (c providerSyncCommand) Run(ctx context.Context, s streams) error {
	plan, err := c.SyncPlan()
	if err != nil {
		return usageError{err}
	}
	connected, err := service.ConnectProvider(plan)
	if err != nil {
		return usageError{err}
	}
	if connected.Connection == nil {
		return usageError{errors.New("CASINO_PROVIDER_URL is missing: no provider is connected")}
	}
	games, err := game.NewRegistry(game.House()...)
	if err != nil {
		return err
	}
	return withDatabase(ctx, c.Database, false, func(store *sqlstore.Store) error {
		if err := service.Migrated(ctx, store); err != nil {
			return err
		}
		sync := providers.NewProviderSync(store, games, system.Default(), connected.Connection, nil)
		found, err := sync.Sync(ctx)
		if err != nil {
			return err
		}
		for _, entry := range found.Unread {
			if _, err := fmt.Fprintf(s.out, "not read: %s\n", entry.Reason); err != nil {
				return err
			}
		}
		_, err = fmt.Fprintf(s.out, "%d games listed: %d new, %d changed, %d vanished, %d left out\n",
			found.Listed, found.New, found.Changed, found.Vanished, len(found.Taken))
		return err
	})
}
