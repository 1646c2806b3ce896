package apptest

import (
	"context"

	"github.com/casino-service/casino/domain/player"
	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/ports"
)

// BeforeChange runs a function once, right before the next change of the store: between the first
// check of a role and the commit that depends on it.
type BeforeChange struct {
	Store
	Do func()
}

func (s *BeforeChange) runOnce() {
	if s.Do != nil {
		do := s.Do
		s.Do = nil
		do()
	}
}

func (s *BeforeChange) ChangeRoleList(ctx context.Context, w wallet.Address, decide ports.RoleListDecision) error {
	s.runOnce()
	return s.Store.ChangeRoleList(ctx, w, decide)
}

func (s *BeforeChange) Commit(ctx context.Context, item player.Item) (player.Receipt, error) {
	s.runOnce()
	return s.Store.Commit(ctx, item)
}

func (s *BeforeChange) ChangeAgent(ctx context.Context, by wallet.Address, code string, decide ports.AgentDecision) error {
	s.runOnce()
	return s.Store.ChangeAgent(ctx, by, code, decide)
}
