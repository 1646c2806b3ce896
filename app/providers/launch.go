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
	Language string // a BCP 47 tag; empty means Settings.Language
}

// Launch returns the URL where the caller plays a provider's game. It records the launch;
// without it the provider may not read the player's balance. The order of refusals is user,
// language, provider, game, the player's restrictions, pauses, the game's switch, token,
// and AgentSeamless if the balance is kept by an agent's site that doesn't answer.
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

// providerGame returns a game that isn't a house game.
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

// recordLaunch commits the launch before the provider is called, because the provider may
// read the balance before it answers.
func (c *Service) recordLaunch(ctx context.Context, caller kernel.Caller, game catalog.Game) error {
	launch := player.ProviderLaunch{
		Connection: c.core.Provider.Code, Token: c.core.Provider.Token, Scale: c.core.Provider.Scale, At: c.core.Now(),
	}
	_, refusal := c.core.Tokens.Open(launch.Token)
	unadmitted, err := c.core.Screening.MayPlay(ctx, caller)
	switch {
	case err != nil:
		return err
	case unadmitted != nil:
		refusal = unadmitted
	}
	_, err = c.core.Store.Writer.Commit(ctx, player.Item{
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

// LaunchableGames is a page of providers' games that players can launch.
type LaunchableGames struct {
	ports.GamePage
	// Token is the currency of these games.
	Token money.Token
}

// LaunchableGames lists the providers' games that players can launch now, by descending
// code: games on offer and switched on, of a connected provider with an accepted token. It
// needs no permission. Restrictions of single players are checked at the launch.
func (c *Service) LaunchableGames(ctx context.Context, page ports.Page) (LaunchableGames, error) {
	if c.core.Provider == nil {
		return LaunchableGames{}, nil
	}
	if _, err := c.core.Tokens.Open(c.core.Provider.Token); err != nil {
		return LaunchableGames{}, nil //nolint:nilerr // a launch would return this error, so no game can be launched
	}
	found, err := c.core.Store.Catalog.ProviderGames(ctx, ports.GameFilter{Launchable: true}, page)
	return LaunchableGames{GamePage: found, Token: c.core.Provider.Token}, err
}

// Limits of the cached picture origins: their number, and their age.
const (
	pictureOriginsMax = 16
	pictureOriginsFor = time.Minute
)

// pictureOrigins caches the origins of the games' pictures.
type pictureOrigins struct {
	mu    sync.Mutex
	at    time.Time
	known []string
}

// PictureOrigins returns the origins (https://cdn.example) of the pictures of launchable
// games, for the content security policy of pages that show them. It returns at most 16, in
// the order of the games, and reads them again after a minute.
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
