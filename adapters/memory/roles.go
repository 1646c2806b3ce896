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
	defer s.locked()()
	assignment, ok := s.roles[w]
	if !ok {
		return rbac.Assignment{}, fault.New(fault.NotFound, "%s has no role", w)
	}
	return assignment, nil
}

// Roles serves ports.Roles.
func (s *Store) Roles(_ context.Context) ([]rbac.Assignment, error) {
	defer s.locked()()
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

// RoleList serves ports.RoleLists.
func (s *Store) RoleList(context.Context) (rbac.List, error) {
	defer s.locked()()
	return s.roleList(), nil
}

func (s *Store) roleList() rbac.List {
	return rbac.List{Version: s.listed.Version, All: s.assignments(), Seal: s.listed.Seal}
}

// ChangeRole serves ports.Roles. The decision must not call the store.
func (s *Store) ChangeRole(ctx context.Context, w wallet.Address, decide ports.RoleDecision) error {
	return s.ChangeRoleList(ctx, w, func(now rbac.List) (rbac.List, audit.Record, error) {
		granted, record, err := decide(now.All)
		return now.With(w, granted, 0), record, err
	})
}

// ChangeRoleList serves ports.RoleLists. The decision must not call the store.
func (s *Store) ChangeRoleList(ctx context.Context, w wallet.Address, decide ports.RoleListDecision) error {
	defer s.locked()()
	if err := ctx.Err(); err != nil {
		return err
	}
	next, record, err := decide(s.roleList())
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
	delete(s.roles, w)
	if granted := next.Of(w); granted.Wallet == w {
		s.roles[w], after = granted, &granted
	}
	s.listed = rbac.List{Version: next.Version, Seal: next.Seal}
	if change, changed := rbac.CoveredChange(before, after); changed {
		content.Events = []event.Event{change}
	}
	s.seal(content)
	return nil
}
