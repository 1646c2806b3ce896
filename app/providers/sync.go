package providers

import (
	"context"
	"log/slog"
	"slices"
	"strings"
	"time"

	"github.com/casino-service/casino/app/kernel"
	"github.com/casino-service/casino/domain/alarm"
	"github.com/casino-service/casino/domain/catalog"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/game"
	"github.com/casino-service/casino/domain/seamless"
	"github.com/casino-service/casino/ports"
)

// ProviderSyncInterval is the pause between two syncs.
const ProviderSyncInterval = time.Hour

// ProviderSync copies the provider's games into the catalogue. It needs no chain and no
// writer, so a command can run it beside the service.
type ProviderSync struct {
	catalogue  ports.Catalog
	games      *game.Registry
	clock      ports.Clock
	connection *kernel.ProviderConnection
	logger     *slog.Logger
	alarms     kernel.Alarms
	began      func() // called when a step begins
}

// NewProviderSync returns a sync of a connection, which may be nil, into a catalogue. House
// games keep their codes. Without a logger it logs nothing.
func NewProviderSync(catalogue ports.Catalog, games *game.Registry, clock ports.Clock, connection *kernel.ProviderConnection,
	logger *slog.Logger) *ProviderSync {
	if logger == nil {
		logger = slog.New(slog.DiscardHandler)
	}
	return &ProviderSync{catalogue, games, clock, connection, logger, kernel.NewLoggedAlarms(logger, clock), func() {}}
}

// ProviderSync returns a sync of the casino's provider.
func (c *Service) ProviderSync() *ProviderSync {
	sync := NewProviderSync(c.core.Store.Catalog, c.core.Games, c.core.Clock, c.core.Provider, c.core.Logger)
	sync.alarms = c.core.Alarms
	sync.began = func() { c.core.Progress.Began(kernel.ProviderGamesWorker) }
	return sync
}

// ProviderSyncResult counts the results of a sync.
type ProviderSyncResult struct {
	Listed, New, Changed, Vanished int
	// Taken are the codes of listed games that another provider's game already has.
	Taken []string
	// Unread are the entries of the provider's catalogue that could not be read.
	Unread []seamless.UnreadEntry
}

// Step syncs once. Without a provider it does nothing.
func (s *ProviderSync) Step(ctx context.Context) (worked bool, err error) {
	s.began()
	if s.connection == nil {
		return false, nil
	}
	_, err = s.Sync(ctx)
	return false, err
}

// Sync reads the provider's games and updates the catalogue. New games are disabled unless
// the connection enables them; admins' switches stay; games no longer offered are marked as
// vanished, never removed. Unreadable entries are skipped and raise an alarm. An empty list
// counts as a failure of the provider.
func (s *ProviderSync) Sync(ctx context.Context) (ProviderSyncResult, error) {
	if s.connection == nil {
		return ProviderSyncResult{}, fault.New(fault.InvalidProvider, "no game provider is connected")
	}
	// House games come first, so that no provider's game takes their codes.
	if _, err := s.catalogue.RegisterGames(ctx, ownGamesOf(s.games, kernel.Now(s.clock))); err != nil {
		return ProviderSyncResult{}, err
	}
	listed, unread, err := s.connection.Games.Games(ctx)
	if err != nil {
		return ProviderSyncResult{}, err
	}
	s.reportUnread(ctx, unread)
	if len(listed) == 0 {
		return ProviderSyncResult{}, fault.New(fault.External, "the game provider's catalogue is empty")
	}
	known, err := s.knownGames(ctx)
	if err != nil {
		return ProviderSyncResult{}, err
	}
	found, changed := s.compareGames(listed, unread, known)
	found.Taken, err = s.catalogue.RegisterGames(ctx, changed)
	for _, code := range found.Taken {
		s.logger.WarnContext(ctx, "a provider's game has the code of another provider's and is left out", "game", code)
	}
	return found, err
}

// unreadMax is the maximum number of unreadable entries named in an alarm.
const unreadMax = 50

// reportUnread raises or clears the alarm about unreadable entries.
func (s *ProviderSync) reportUnread(ctx context.Context, unread []seamless.UnreadEntry) {
	if len(unread) == 0 {
		s.alarms.Over(ctx, alarm.ProviderCatalogue, s.connection.Code)
		return
	}
	reasons := make([]string, min(len(unread), unreadMax))
	for i := range reasons {
		reasons[i] = unread[i].Reason
	}
	s.alarms.Raise(ctx, alarm.ProviderCatalogue, s.connection.Code, "count", len(unread), "entries", strings.Join(reasons, "; "))
}

// knownGames reads the games of all providers from the catalogue, by code.
func (s *ProviderSync) knownGames(ctx context.Context) (map[string]catalog.Game, error) {
	known := map[string]catalog.Game{}
	for page := (ports.Page{Number: 1, Limit: ports.PageMax}); ; {
		found, err := s.catalogue.ProviderGames(ctx, ports.GameFilter{}, page)
		if err != nil {
			return nil, err
		}
		for _, g := range found.Games {
			known[g.Code] = g
		}
		if page.After = found.Next; page.After == "" {
			return known, nil
		}
	}
}

// compareGames counts new, changed and vanished games, and returns the games to store. A
// game that may be among the unread entries isn't counted as vanished.
func (s *ProviderSync) compareGames(listed []seamless.Game, unread []seamless.UnreadEntry, known map[string]catalog.Game) (found ProviderSyncResult, changed []catalog.Game) {
	at := kernel.Now(s.clock)
	found.Listed, found.Unread = len(listed), unread
	there := map[string]bool{}
	for _, g := range listed {
		offered := catalog.Game{
			Code: g.Code, Provider: g.Provider, Name: g.Name, Type: g.Type, Banner: g.Banner,
			Enabled: s.connection.EnableNew, Vanished: !g.Open, UpdatedAt: at,
		}
		before, is := known[g.Code]
		if is && before.Provider == g.Provider {
			there[g.Code] = true
		}
		switch {
		case !is:
			found.New++
		case offered.Describes(before):
			continue
		case before.Provider == g.Provider:
			found.Changed++
		}
		changed = append(changed, offered)
	}
	for code, gone := range known {
		maybeUnread := slices.ContainsFunc(unread, func(u seamless.UnreadEntry) bool { return u.Provider == "" || u.Provider == gone.Provider })
		if gone.Provider == catalog.Own || there[code] || gone.Vanished || maybeUnread {
			continue
		}
		found.Vanished++
		gone.Vanished = true
		changed = append(changed, gone)
	}
	return found, changed
}
