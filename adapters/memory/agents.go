package memory

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/casino-service/casino/domain/agent"
	"github.com/casino-service/casino/domain/audit"
	"github.com/casino-service/casino/domain/catalog"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/rbac"
	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/ports"
)

// keptAgent is an agent with its credentials.
type keptAgent struct {
	agent.Agent
	tokenHash string
	secret    *agent.Secret
}

// shown returns the agent by value.
func (k keptAgent) shown() agent.Agent {
	a := k.Agent
	a.IPAllowlist = slices.Clone(a.IPAllowlist)
	return a
}

// Agent serves ports.Agents.
func (s *Store) Agent(_ context.Context, code string) (agent.Agent, error) {
	defer s.locked()()
	found, ok := s.agents[code]
	if !ok {
		return agent.Agent{}, fault.New(fault.NotFound, "no agent %q", code)
	}
	return found.shown(), nil
}

// Agents serves ports.Agents.
func (s *Store) Agents(context.Context) ([]agent.Agent, error) {
	defer s.locked()()
	all := []agent.Agent{}
	for _, kept := range s.agents {
		if !kept.Deleted {
			all = append(all, kept.shown())
		}
	}
	slices.SortFunc(all, func(x, y agent.Agent) int { return strings.Compare(x.Code, y.Code) })
	return all, nil
}

// AgentSecret serves ports.Agents.
func (s *Store) AgentSecret(_ context.Context, code string) (agent.Secret, error) {
	defer s.locked()()
	if found := s.agents[code]; found.secret != nil {
		return *found.secret, nil
	}
	return agent.Secret{}, fault.New(fault.NotFound, "agent %q has no secret", code)
}

// ChangeAgent serves ports.Agents. The decision must not call the store.
func (s *Store) ChangeAgent(ctx context.Context, by wallet.Address, code string, decide ports.AgentDecision) error {
	return s.administer(ctx, by, func(actor rbac.Assignment) (func(), audit.Record, error) {
		kept, known := s.agents[code]
		var present *agent.Agent
		if known {
			shown := kept.shown()
			present = &shown
		}
		next, record, err := decide(actor, present)
		if err != nil {
			return nil, audit.Record{}, err
		}
		for other, one := range s.agents {
			if other != code && one.ID == next.Agent.ID {
				return nil, audit.Record{}, fmt.Errorf("memory: agent %q has the id of %q", code, other)
			}
		}
		if next.Agent.Code != code || known && next.Agent.ID != kept.ID {
			return nil, audit.Record{}, fmt.Errorf("memory: the change of agent %q returned another agent", code)
		}
		kept.Agent = next.Agent
		kept.Agent = kept.shown()
		if c := next.Credentials; c != nil {
			secret := c.Secret
			kept.tokenHash, kept.secret = agent.TokenHash(c.Token), &secret
		}
		return func() { s.agents[code] = kept }, record, nil
	})
}

// blocked reports whether the agent of a code is blocked or deleted.
func (s *Store) blocked(code string) bool {
	kept, ok := s.agents[code]
	return ok && !kept.Open()
}

func gameCode(g catalog.Game) string { return g.Code }

// ProviderGame serves ports.Catalog.
func (s *Store) ProviderGame(_ context.Context, code string) (catalog.Game, error) {
	defer s.locked()()
	at, ok := search(s.games, gameCode, code)
	if !ok {
		return catalog.Game{}, fault.New(fault.NotFound, "no game %q", code)
	}
	return s.games[at], nil
}

// ProviderGames serves ports.Catalog.
func (s *Store) ProviderGames(_ context.Context, f ports.GameFilter, page ports.Page) (ports.GamePage, error) {
	defer s.locked()()
	query := strings.ToLower(f.Query)
	found, info, err := listed(s.games, gameCode, func(g catalog.Game) bool {
		return wants(f.Provider, g.Provider) && (f.Enabled == nil || *f.Enabled == g.Enabled) && (!f.Launchable || g.Launchable()) &&
			(strings.Contains(strings.ToLower(g.Code), query) || strings.Contains(strings.ToLower(g.Name), query))
	}, page)
	return ports.GamePage{Games: found, PageInfo: info}, err
}

// RegisterGames serves ports.Catalog.
func (s *Store) RegisterGames(_ context.Context, games []catalog.Game) ([]string, error) {
	defer s.locked()()
	var taken []string
	for _, g := range games {
		at, known := search(s.games, gameCode, g.Code)
		switch {
		case !known:
			s.games = inserted(s.games, g, gameCode)
		case s.games[at].Provider != g.Provider:
			taken = append(taken, g.Code)
		default:
			g.Enabled, g.UpdatedAt = s.games[at].Enabled, s.games[at].UpdatedAt
			s.games[at] = g
		}
	}
	return taken, nil
}

// ChangeGame serves ports.Catalog. The decision must not call the store.
func (s *Store) ChangeGame(ctx context.Context, by wallet.Address, code string, decide ports.GameDecision) error {
	return s.administer(ctx, by, func(actor rbac.Assignment) (func(), audit.Record, error) {
		at, known := search(s.games, gameCode, code)
		if !known {
			return nil, audit.Record{}, fault.New(fault.NotFound, "no game %q", code)
		}
		next, record, err := decide(actor, s.games[at])
		return func() { s.games[at].Enabled, s.games[at].UpdatedAt = next.Enabled, next.UpdatedAt }, record, err
	})
}

// disabled reports whether one of the house's own games is switched off.
func (s *Store) disabled(game string) bool {
	at, known := search(s.games, gameCode, game)
	return known && s.games[at].Provider == catalog.Own && !s.games[at].Enabled
}
