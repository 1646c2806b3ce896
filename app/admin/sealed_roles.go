package admin

import (
	"context"
	"errors"
	"sync/atomic"

	"github.com/casino-service/casino/domain/audit"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/player"
	"github.com/casino-service/casino/domain/rbac"
	"github.com/casino-service/casino/domain/seal"
	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/ports"
)

// RoleVersions is the latest version of the list of roles that is known outside the
// database, where an earlier list can't be put back. It is safe for concurrent use.
type RoleVersions interface {
	// Latest returns the latest version that is known, 0 for none.
	Latest() int64
	// Keep keeps a version. It only goes forward.
	Keep(version int64)
}

// RoleVersionsOfProcess are those that this process met: they end with it.
type RoleVersionsOfProcess struct{ latest atomic.Int64 }

var _ RoleVersions = (*RoleVersionsOfProcess)(nil)

// Latest serves RoleVersions.
func (r *RoleVersionsOfProcess) Latest() int64 { return r.latest.Load() }

// Keep serves RoleVersions.
func (r *RoleVersionsOfProcess) Keep(version int64) {
	for known := r.latest.Load(); version > known; known = r.latest.Load() {
		if r.latest.CompareAndSwap(known, version) {
			return
		}
	}
}

// SealedRoles are the roles as a sealed list: it believes none that the list doesn't
// have, and refuses everything with rbac.ErrForged where the list is not the service's
// own, or older than one that is known. It serves ports.Roles.
type SealedRoles struct {
	Lists    ports.RoleLists
	Seals    seal.Authenticator
	Versions RoleVersions
}

var _ ports.Roles = SealedRoles{}

// verifiedList returns the list when it is to be believed.
func (s SealedRoles) verifiedList(ctx context.Context) (rbac.List, error) {
	// The version is asked for first: a change between the two makes the list newer.
	latest := s.Versions.Latest()
	list, err := s.Lists.RoleList(ctx)
	if err == nil {
		err = list.Check(s.Seals, latest)
	}
	if err != nil {
		return rbac.List{}, err
	}
	s.Versions.Keep(list.Version)
	return list, nil
}

// Role serves ports.Roles.
func (s SealedRoles) Role(ctx context.Context, w wallet.Address) (rbac.Assignment, error) {
	list, err := s.verifiedList(ctx)
	if err != nil {
		return rbac.Assignment{}, err
	}
	if found := list.Of(w); found.Role != "" {
		return found, nil
	}
	return rbac.Assignment{}, fault.New(fault.NotFound, "%s has no role", w)
}

// Roles serves ports.Roles.
func (s SealedRoles) Roles(ctx context.Context) ([]rbac.Assignment, error) {
	list, err := s.verifiedList(ctx)
	if err == nil && list.All == nil {
		list.All = []rbac.Assignment{}
	}
	return list.All, err
}

// ChangeRole serves ports.Roles: the next list is sealed in the same commit.
func (s SealedRoles) ChangeRole(ctx context.Context, w wallet.Address, decide ports.RoleDecision) error {
	latest, version := s.Versions.Latest(), int64(0)
	err := s.Lists.ChangeRoleList(ctx, w, func(now rbac.List) (next rbac.List, record audit.Record, err error) {
		if err := now.Check(s.Seals, latest); err != nil {
			return rbac.List{}, audit.Record{}, err
		}
		granted, record, err := decide(now.All)
		if err != nil {
			return rbac.List{}, audit.Record{}, err
		}
		next = now.With(w, granted, latest)
		next.Seal, err = s.Seals.Seal(rbac.RolesPurpose, next.Sealed())
		version = next.Version
		return next, record, err
	})
	if err == nil {
		s.Versions.Keep(version)
	}
	return err
}

// errAccepted ends a change that has nothing to change.
var errAccepted = errors.New("app: the list of roles is the present one already")

// Accept makes the list that the database has the present one although a later version is
// known: it is sealed anew, above all of them, with the record that is made of it. It
// reports false where the list is not older. One that is not the service's own is
// rbac.ErrForged.
func (s SealedRoles) Accept(ctx context.Context, record func(now rbac.List) audit.Record) (accepted bool, err error) {
	latest, version := s.Versions.Latest(), int64(0)
	found, err := s.Lists.RoleList(ctx)
	if err != nil || len(found.All) == 0 { // an empty one allows nothing, and the next one goes above what is known
		return false, err
	}
	// Some row has to be written: one that stays as it is.
	kept := found.All[0]
	err = s.Lists.ChangeRoleList(ctx, kept.Wallet, func(now rbac.List) (next rbac.List, _ audit.Record, err error) {
		if err := now.Check(s.Seals, 0); err != nil {
			return rbac.List{}, audit.Record{}, err
		}
		if now.Version >= latest {
			return rbac.List{}, audit.Record{}, errAccepted
		}
		if now.Of(kept.Wallet) != kept {
			return rbac.List{}, audit.Record{}, errRolesChanged
		}
		next = now.With(kept.Wallet, &kept, latest)
		next.Seal, err = s.Seals.Seal(rbac.RolesPurpose, next.Sealed())
		version = next.Version
		return next, record(now), err
	})
	if errors.Is(err, errAccepted) {
		return false, nil
	}
	if err == nil {
		s.Versions.Keep(version)
	}
	return err == nil, err
}

var errRolesChanged = fault.New(fault.InvalidState, "the roles were changed meanwhile: try again")

// RoleWriter holds every decision that sees roles against the sealed list.
type RoleWriter struct {
	ports.Writer
	Roles SealedRoles
}

// Commit serves ports.Writer.
func (w RoleWriter) Commit(ctx context.Context, item player.Item) (player.Receipt, error) {
	item.Decide = player.UnderSealedRoles(w.Roles.Seals, w.Roles.Versions.Latest(), item.Decide)
	return w.Writer.Commit(ctx, item)
}
