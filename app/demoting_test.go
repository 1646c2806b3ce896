package app_test

import (
	"context"

	"github.com/casino-service/casino/domain/player"
	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/ports"
)

// demotingStore runs something once between the first check of a role and the next
// commit that depends on it.
type demotingStore struct {
	Store
	before func()
}

func (s *demotingStore) strike() {
	if s.before != nil {
		do := s.before
		s.before = nil
		do()
	}
}

func (s *demotingStore) ChangeRoleList(ctx context.Context, w wallet.Address, decide ports.RoleListDecision) error {
	s.strike()
	return s.Store.ChangeRoleList(ctx, w, decide)
}

func (s *demotingStore) Commit(ctx context.Context, item player.Item) (player.Receipt, error) {
	s.strike()
	return s.Store.Commit(ctx, item)
}

func (s *demotingStore) ChangeAgent(ctx context.Context, by wallet.Address, code string, decide ports.AgentDecision) error {
	s.strike()
	return s.Store.ChangeAgent(ctx, by, code, decide)
}
