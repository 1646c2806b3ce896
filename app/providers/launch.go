package providers

import (
	"context"

	"github.com/casino-service/casino/app/kernel"
	"github.com/casino-service/casino/domain/catalog"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/player"
	"github.com/casino-service/casino/domain/seamless"
	"github.com/casino-service/casino/ports"
)

// LaunchRequest is a player's request to launch a provider's game.
type LaunchRequest struct {
	GameCode string
	// UserCode is the player's name at the provider: the caller's wallet.
	UserCode string
	Language string // a BCP 47 tag; empty for Settings.Language
}

// Launch returns the URL at which the caller plays a provider's game, and records the
// launch, without which the provider may not ask for the player's balance. The order of
// refusals is user, language, provider, game, what bars the player, whether play is
// paused, whether the game is enabled, token, and AgentSeamless when the agent's site, which keeps the player's
// money, doesn't answer.
func (c *Service) Launch(ctx context.Context, caller kernel.Caller, r LaunchRequest) (string, error) {
	if r.UserCode != string(caller.Wallet) {
		return "", fault.New(fault.InvalidUser, "userCode: must be your own wallet").With("field", "userCode")
	}
	if r.Language == "" {
		r.Language = c.core.Settings.Language
	}
	if !seamless.ValidLanguage(r.Language) {
		return "", fault.Field("language", "must be a language tag such as pt or pt-BR")
	}
	if c.core.Provider == nil {
		return "", fault.New(fault.InvalidProvider, "no game provider is connected")
	}
	game, err := c.providerGame(ctx, r.GameCode)
	if err != nil {
		return "", err
	}
	funds, err := c.fundsOf(ctx, caller.Wallet)
	if err != nil {
		return "", err
	}
	if err := c.recordLaunch(ctx, caller, game); err != nil {
		return "", err
	}
	if funds.Site != "" {
		if _, err := c.sites.Balance(ctx, funds, caller.Wallet); err != nil {
			return "", err
		}
	}
	return c.core.Provider.Games.Launch(ctx, ports.LaunchRequest{
		Wallet: caller.Wallet, Provider: game.Provider, Game: game.Code, Language: r.Language,
	})
}

// providerGame returns a game that isn't the house's own.
func (c *Service) providerGame(ctx context.Context, code string) (catalog.Game, error) {
	unknown := fault.New(fault.InvalidGame, "gameCode: no such game of a provider").With("field", "gameCode")
	if !seamless.ValidCode(code) {
		return catalog.Game{}, unknown
	}
	game, err := c.core.Store.Catalog.ProviderGame(ctx, code)
	if fault.Is(err, fault.NotFound) || err == nil && game.Provider == catalog.Own {
		return catalog.Game{}, unknown
	}
	return game, err
}

// recordLaunch commits the launch before the provider is called: the provider may ask
// for the balance before it answers.
func (c *Service) recordLaunch(ctx context.Context, caller kernel.Caller, game catalog.Game) error {
	launch := player.ProviderLaunch{
		Connection: c.core.Provider.Code, Token: c.core.Provider.Token, Scale: c.core.Provider.Scale, At: c.core.Now(),
	}
	_, refusal := c.core.Tokens.Open(launch.Token)
	_, err := c.core.Store.Writer.Commit(ctx, player.Item{
		Wallet: caller.Wallet,
		Keys:   []player.UniqueKey{{Kind: player.OperationKey, ID: c.core.Entropy.ID()}},
		Needs:  player.Needs{Tokens: []money.Token{launch.Token}, Launches: []string{launch.Connection}},
		At:     launch.At,
		Decide: func(v player.View) (player.Change, error) {
			if err := v.MayBet(game.Code, launch.Token, 0, launch.At); err != nil {
				return player.Change{}, err
			}
			if !game.Enabled || game.Vanished {
				return player.Change{}, fault.New(fault.GameDisabled, "the game is switched off")
			}
			if refusal != nil {
				return player.Change{}, refusal
			}
			return player.Launch(v, launch)
		},
	})
	return err
}
