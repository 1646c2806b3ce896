package providers

import (
	"context"
	"fmt"
	"sync/atomic"
	"time"

	"github.com/casino-service/casino/app/kernel"
	"github.com/casino-service/casino/domain/audit"
	"github.com/casino-service/casino/domain/catalog"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/game"
	"github.com/casino-service/casino/domain/rbac"
	"github.com/casino-service/casino/ports"
)

// ProviderGames lists the games of the catalogue; house games have the provider "casino".
// Every admin sees all of them.
func (c *Service) ProviderGames(ctx context.Context, caller kernel.Caller, filter ports.GameFilter, page ports.Page) (ports.GamePage, error) {
	if _, err := c.core.Authorize(ctx, caller, rbac.AdminRead); err != nil {
		return ports.GamePage{}, err
	}
	if err := c.knowOwnGames(ctx); err != nil {
		return ports.GamePage{}, err
	}
	return c.core.Store.Catalog.ProviderGames(ctx, filter, page)
}

// SwitchGame switches a game on or off. The reason may be empty and is kept in the audit
// record. The switch takes effect with the next bet.
func (c *Service) SwitchGame(ctx context.Context, caller kernel.Caller, code string, enabled bool, reason string) (catalog.Game, error) {
	if _, err := c.core.Authorize(ctx, caller, rbac.AdminWrite); err != nil {
		return catalog.Game{}, err
	}
	if reason != "" {
		if err := kernel.CheckReason(reason); err != nil {
			return catalog.Game{}, err
		}
	}
	if err := c.knowOwnGames(ctx); err != nil {
		return catalog.Game{}, err
	}
	record := c.core.Record(caller, audit.GameSwitched, code)
	var next catalog.Game
	err := c.core.Store.Catalog.ChangeGame(ctx, caller.Wallet, code, func(actor rbac.Assignment, present catalog.Game) (catalog.Game, audit.Record, error) {
		if err := c.core.Policy.Check(actor, rbac.AdminWrite); err != nil {
			return catalog.Game{}, audit.Record{}, err
		}
		if actor.AgentCode != "" {
			return catalog.Game{}, audit.Record{}, fault.New(fault.Forbidden, "an admin bound to an agent can't switch games")
		}
		next = present
		next.Enabled, next.UpdatedAt = enabled, record.At
		record.Before, record.After = switchText(present.Enabled), switchText(enabled)
		if reason != "" {
			record.After += fmt.Sprintf(", reason %q", reason)
		}
		return next, record, nil
	})
	return next, err
}

func switchText(on bool) string {
	if on {
		return "enabled"
	}
	return "disabled"
}

// ownGames records that the catalogue has the house games.
type ownGames struct{ known atomic.Bool }

// knowOwnGames registers the house games in the catalogue, once per process, because they
// don't change while it runs.
func (c *Service) knowOwnGames(ctx context.Context) error {
	if c.catalogue.known.Load() {
		return nil
	}
	games := ownGamesOf(c.core.Games, c.core.Now())
	taken, err := c.core.Store.Catalog.RegisterGames(ctx, games)
	if err != nil {
		return err
	}
	for _, code := range taken {
		c.core.Logger.ErrorContext(ctx, "a house game's code belongs to a provider's game: it can't be switched", "game", code)
	}
	c.catalogue.known.Store(true)
	return nil
}

// ownGamesOf returns the house games as catalogue entries.
func ownGamesOf(registry *game.Registry, at time.Time) []catalog.Game {
	var games []catalog.Game
	for _, g := range registry.Games() {
		games = append(games, catalog.Game{
			Code: g.Type(), Provider: catalog.Own, Name: g.Title(), Type: "instant", Enabled: true, UpdatedAt: at,
		})
	}
	return games
}
