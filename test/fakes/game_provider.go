package fakes

import (
	"cmp"
	"context"
	"fmt"
	"net/url"
	"slices"
	"sync"
	"time"

	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/seamless"
	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/ports"
)

// ProviderHost is the host of a GameProvider's games.
const ProviderHost = "games.example"

// launchMax is the maximum length of a launch URL, in bytes.
const launchMax = 2048

// GameProvider is a provider of third-party games in memory: its API for the service, and its
// record of players. Tests set its record (Record) and its failures; its callbacks to the service
// are the test's own calls of app.Casino.
type GameProvider struct {
	mu      sync.Mutex
	games   []seamless.Game
	funds   seamless.Decimal
	records map[wallet.Address][]seamless.Record
	known   map[wallet.Address]bool
	refusal fault.Kind
	address *string
	garbled bool
	down    bool
}

var _ ports.GameProvider = (*GameProvider)(nil)

// NewGameProvider returns a provider that offers the games and holds 1,000 of its money for us.
func NewGameProvider(games ...seamless.Game) *GameProvider {
	sorted := slices.Clone(games)
	slices.SortFunc(sorted, func(a, b seamless.Game) int {
		return cmp.Or(cmp.Compare(a.Provider, b.Provider), cmp.Compare(a.Code, b.Code))
	})
	return &GameProvider{games: sorted, funds: "1000", records: map[wallet.Address][]seamless.Record{}, known: map[wallet.Address]bool{}}
}

// Record adds a player's transaction to the provider's log.
func (p *GameProvider) Record(w wallet.Address, r seamless.Record) {
	p.mu.Lock()
	defer p.mu.Unlock()
	r.At = r.At.UTC().Truncate(time.Second)
	p.records[w] = append(p.records[w], r)
}

// SetFunds sets the balance of our account, in the provider's money.
func (p *GameProvider) SetFunds(funds seamless.Decimal) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.funds = funds
}

// Refuse makes the next call fail with a fault of the kind.
func (p *GameProvider) Refuse(kind fault.Kind) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.refusal = kind
}

// LaunchAt makes the next launch return this URL.
func (p *GameProvider) LaunchAt(address string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.address = &address
}

// SetGarbled makes every call return an unreadable answer, or ends that.
func (p *GameProvider) SetGarbled(garbled bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.garbled = garbled
}

// SetUnreachable disconnects the provider or connects it again.
func (p *GameProvider) SetUnreachable(down bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.down = down
}

// Knows reports whether the provider knows a player, who launched a game.
func (p *GameProvider) Knows(w wallet.Address) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.known[w]
}

// enter returns the failure of a call. The caller holds the lock.
func (p *GameProvider) enter(ctx context.Context) error {
	refusal := p.refusal
	p.refusal = fault.Internal
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case p.down:
		return fault.New(fault.External, "the game provider can't be reached")
	case p.garbled:
		return fault.New(fault.External, "the game provider answered badly")
	case refusal != fault.Internal:
		return fault.New(refusal, "the game provider refuses")
	}
	return nil
}

// Launch implements ports.GameProvider.
func (p *GameProvider) Launch(ctx context.Context, r ports.LaunchRequest) (string, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if err := p.enter(ctx); err != nil {
		return "", err
	}
	if p.address != nil {
		address := *p.address
		p.address = nil
		if at, err := url.Parse(address); err != nil || at.Scheme != "https" || at.Host != ProviderHost || at.User != nil || len(address) > launchMax {
			return "", fault.New(fault.External, "the game provider launches somewhere else")
		}
		return address, nil
	}
	offered := func(g seamless.Game) bool { return g.Provider == r.Provider }
	switch {
	case !slices.ContainsFunc(p.games, offered):
		return "", fault.New(fault.InvalidProvider, "the game provider doesn't know the maker %s", r.Provider)
	case !slices.ContainsFunc(p.games, func(g seamless.Game) bool { return offered(g) && g.Code == r.Game }):
		return "", fault.New(fault.InvalidGame, "the game provider doesn't know the game %s", r.Game)
	}
	p.known[r.Wallet] = true
	return fmt.Sprintf("https://%s/%s/%s?language=%s&player=%s", ProviderHost, r.Provider, r.Game, r.Language, r.Wallet), nil
}

// Games implements ports.GameProvider.
func (p *GameProvider) Games(ctx context.Context) ([]seamless.Game, []seamless.UnreadEntry, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if err := p.enter(ctx); err != nil {
		return nil, nil, err
	}
	return slices.Clone(p.games), nil, nil
}

// Funds implements ports.GameProvider.
func (p *GameProvider) Funds(ctx context.Context) (seamless.Decimal, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if err := p.enter(ctx); err != nil {
		return "", err
	}
	return p.funds, nil
}

// Log implements ports.GameProvider.
func (p *GameProvider) Log(ctx context.Context, w wallet.Address, from, to time.Time) (found []seamless.Record, _ error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if err := p.enter(ctx); err != nil {
		return nil, err
	}
	for _, r := range p.records[w] {
		if !r.At.Before(from) && r.At.Before(to) {
			found = append(found, r)
		}
	}
	slices.SortStableFunc(found, func(a, b seamless.Record) int { return a.At.Compare(b.At) })
	return found, nil
}
