package play

import (
	"context"
	"strings"
	"time"

	"github.com/casino-service/casino/app/kernel"
	"github.com/casino-service/casino/domain/audit"
	"github.com/casino-service/casino/domain/bet"
	"github.com/casino-service/casino/domain/catalog"
	"github.com/casino-service/casino/domain/event"
	"github.com/casino-service/casino/domain/game"
	"github.com/casino-service/casino/domain/token"
	"github.com/casino-service/casino/ports"
)

// Limits are what admits bets at the moment.
type Limits struct {
	// Tokens are those that were ever accepted, Games those of the house.
	Tokens []token.Terms
	Games  []GameLimits
	// Paused says that all play is paused.
	Paused bool
}

// GameLimits are those of one game.
type GameLimits struct {
	game.Game
	// Pace is the least time since the player's last round, 0 for none.
	Pace time.Duration
	// Disabled says that the game is switched off, Paused that it is paused.
	Disabled, Paused bool
}

// Limits returns what admits bets at the moment. Pauses of one agent's players aren't among
// them.
func (c *Service) Limits(ctx context.Context) (Limits, error) {
	state, err := c.core.Store.Controls.State(ctx)
	if err != nil {
		return Limits{}, err
	}
	disabled, err := c.disabledGames(ctx)
	if err != nil {
		return Limits{}, err
	}
	limits := Limits{Tokens: c.core.Tokens.All()}
	for _, g := range c.core.Games.Games() {
		limits.Games = append(limits.Games, GameLimits{Game: g, Pace: c.core.Settings.Pace.Least(g.Type()), Disabled: disabled[g.Type()]})
	}
	for _, p := range state.Pauses {
		limits.Paused = limits.Paused || p.AgentCode == "" && p.GameType == ""
		for i := range limits.Games {
			limits.Games[i].Paused = limits.Games[i].Paused || p.AgentCode == "" && p.GameType == limits.Games[i].Type()
		}
	}
	return limits, nil
}

// disabledGames are the games of the house that are switched off, by their types.
func (c *Service) disabledGames(ctx context.Context) (map[string]bool, error) {
	off, enabled := map[string]bool{}, false
	page := ports.Page{Number: 1, Limit: ports.PageMax, Uncounted: true}
	for {
		found, err := c.core.Store.Catalog.ProviderGames(ctx, ports.GameFilter{Provider: catalog.Own, Enabled: &enabled}, page)
		if err != nil {
			return nil, err
		}
		for _, g := range found.Games {
			off[g.Code] = true
		}
		if page.After = found.Next; page.After == "" {
			return off, nil
		}
	}
}

// LimitsInterval is how long to rest between two steps of LimitsWorker.
const LimitsInterval = time.Minute

// LimitsWorker publishes the limits that this service is configured with, once.
func (c *Service) LimitsWorker() kernel.Worker {
	published := false
	return kernel.Worker{Interval: LimitsInterval, Step: func(ctx context.Context) (worked bool, err error) {
		c.core.Progress.Began(kernel.LimitsWorker)
		if published {
			return false, nil
		}
		err = c.PublishLimits(ctx)
		published = err == nil
		return false, err
	}}
}

// PublishLimits says in a block which of the configured limits are others than those that
// were said last. Where none is, nothing is written.
func (c *Service) PublishLimits(ctx context.Context) error {
	record := audit.Record{ID: c.core.Entropy.ID(), Action: audit.LimitsPublished, Target: "limits", At: c.core.Now()}
	inForce := bet.Limits(c.core.Tokens.All(), c.core.Games.Games(), c.core.Settings.Pace.Least, record.At)
	return c.core.Store.PublishedLimits.PublishLimits(ctx, func(newest []event.Event) ([]event.Event, audit.Record, error) {
		changed, written := bet.ChangedLimits(newest, inForce), record
		names := make([]string, len(changed))
		for i, e := range changed {
			names[i] = e.Value(event.LimitsOf)
		}
		written.After = strings.Join(names, ", ")
		return changed, written, nil
	})
}
