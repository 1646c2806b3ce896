package providers

import (
	"context"
	"net/url"
	"slices"
	"sync"
	"time"

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

// LaunchableGames is a page of the games of providers that players can launch.
type LaunchableGames struct {
	ports.GamePage
	// Token is what they are played in.
	Token money.Token
}

// LaunchableGames lists the providers' games that players can launch now, by code, the
// greatest first: what is on offer and switched on, of a connected provider whose token is
// accepted. Anybody may ask. Whether one player may play is decided at the launch.
func (c *Service) LaunchableGames(ctx context.Context, page ports.Page) (LaunchableGames, error) {
	if c.core.Provider == nil {
		return LaunchableGames{}, nil
	}
	if _, err := c.core.Tokens.Open(c.core.Provider.Token); err != nil {
		return LaunchableGames{}, nil //nolint:nilerr // a launch would be refused with it: nothing can be launched
	}
	found, err := c.core.Store.Catalog.ProviderGames(ctx, ports.GameFilter{Launchable: true}, page)
	return LaunchableGames{GamePage: found, Token: c.core.Provider.Token}, err
}

// What is kept of the games' pictures: from how many places at most, and for how long.
const (
	pictureOriginsMax = 16
	pictureOriginsFor = time.Minute
)

// pictureOrigins are where pictures of games come from, as they were last read.
type pictureOrigins struct {
	mu    sync.Mutex
	at    time.Time
	known []string
}

// PictureOrigins returns where the pictures of the games that can be launched come from, as
// origins (https://cdn.example), for the policy of pages that show them: at most 16, in the
// order in which the games are listed, and read anew after a minute.
func (c *Service) PictureOrigins(ctx context.Context) ([]string, error) {
	kept := &c.pictures
	kept.mu.Lock()
	defer kept.mu.Unlock()
	if at := c.core.Now(); kept.at.IsZero() || at.Sub(kept.at) >= pictureOriginsFor || at.Before(kept.at) {
		found, err := c.readPictureOrigins(ctx)
		if err != nil {
			return nil, err
		}
		kept.at, kept.known = at, found
	}
	return slices.Clone(kept.known), nil
}

func (c *Service) readPictureOrigins(ctx context.Context) ([]string, error) {
	var origins []string
	for page := (ports.Page{Number: 1, Limit: ports.PageMax, Uncounted: true}); ; {
		found, err := c.LaunchableGames(ctx, page)
		if err != nil {
			return nil, err
		}
		for _, g := range found.Games {
			at, err := url.Parse(g.Banner)
			if err != nil || at.Scheme != "https" || at.Host == "" {
				continue
			}
			if origin := "https://" + at.Host; !slices.Contains(origins, origin) {
				origins = append(origins, origin)
			}
			if len(origins) == pictureOriginsMax {
				return origins, nil
			}
		}
		if page.After = found.Next; page.After == "" {
			return origins, nil
		}
	}
}
