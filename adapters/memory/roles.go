package memory

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/casino-service/casino/domain/audit"
	"github.com/casino-service/casino/domain/event"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/hashchain"
	"github.com/casino-service/casino/domain/rbac"
	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/ports"
)

// Role serves ports.Roles.
func (s *Store) Role(_ context.Context, w wallet.Address) (rbac.Assignment, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	assignment, ok := s.roles[w]
	if !ok {
		return rbac.Assignment{}, fault.New(fault.NotFound, "%s has no role", w)
	}
	return assignment, nil
}

// Roles serves ports.Roles.
func (s *Store) Roles(_ context.Context) ([]rbac.Assignment, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.assignments(), nil
}

func (s *Store) assignments() []rbac.Assignment {
	all := make([]rbac.Assignment, 0, len(s.roles))
	for _, assignment := range s.roles {
		all = append(all, assignment)
	}
	slices.SortFunc(all, func(x, y rbac.Assignment) int { return strings.Compare(string(x.Wallet), string(y.Wallet)) })
	return all
}

// ChangeRole serves ports.Roles. The decision must not call the store.
func (s *Store) ChangeRole(ctx context.Context, w wallet.Address, decide ports.RoleDecision) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := ctx.Err(); err != nil {
		return err
	}
	assignment, record, err := decide(s.assignments())
	if err != nil {
		return err
	}
	if s.records[record.ID] {
		return fmt.Errorf("memory: audit record %q exists already", record.ID)
	}
	content := hashchain.Content{At: record.At, Audit: []audit.Record{record}}
	var before, after *rbac.Assignment
	if old, there := s.roles[w]; there {
		before = &old
	}
	if assignment == nil {
		delete(s.roles, w)
	} else {
		granted := *assignment
		granted.Wallet = w
		s.roles[w], after = granted, &granted
	}
	if change, changed := rbac.CoveredChange(before, after); changed {
		content.Events = []event.Event{change}
	}
	s.seal(content)
	return nil
}
