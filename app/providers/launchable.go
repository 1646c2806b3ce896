package providers

import (
	"context"
	"net/url"
	"slices"
	"sync"
	"time"

	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/ports"
)

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
