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

// RoleVersions keeps the latest version of the list of roles outside the database, so that
// an older list is detected. It is safe for concurrent use.
type RoleVersions interface {
	// Latest returns the latest known version, or 0 if there is none.
	Latest() int64
	// Keep stores a version unless a later one is known.
	Keep(version int64)
}

// RoleVersionsOfProcess remembers the latest version that this process saw.
type RoleVersionsOfProcess struct{ latest atomic.Int64 }

var _ RoleVersions = (*RoleVersionsOfProcess)(nil)

// Latest implements RoleVersions.
func (r *RoleVersionsOfProcess) Latest() int64 { return r.latest.Load() }

// Keep implements RoleVersions.
func (r *RoleVersionsOfProcess) Keep(version int64) {
	for known := r.latest.Load(); version > known; known = r.latest.Load() {
		if r.latest.CompareAndSwap(known, version) {
			return
		}
	}
}

// SealedRoles implements ports.Roles over a sealed list: a role counts only if the list has
// it. If the list is forged, or older than a known version, all methods return
// rbac.ErrForged.
type SealedRoles struct {
	Lists    ports.RoleLists
	Seals    seal.Authenticator
	Versions RoleVersions
}

var _ ports.Roles = SealedRoles{}

// verifiedList returns the list after checking its seal and version.
func (s SealedRoles) verifiedList(ctx context.Context) (rbac.List, error) {
	// Read the version first: a change between the two reads makes the list newer, not older.
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

// Role implements ports.Roles.
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

// Roles implements ports.Roles.
func (s SealedRoles) Roles(ctx context.Context) ([]rbac.Assignment, error) {
	list, err := s.verifiedList(ctx)
	if err == nil && list.All == nil {
		list.All = []rbac.Assignment{}
	}
	return list.All, err
}

// ChangeRole implements ports.Roles and seals the next list in the same commit.
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

// errAccepted ends a change if the list needs none.
var errAccepted = errors.New("app: the list of roles is already the latest one")

// Accept accepts the database's list although a later version is known: it seals the list
// again with a higher version and adds the audit record. It reports false if the list isn't
// older, and returns rbac.ErrForged if its seal is wrong.
func (s SealedRoles) Accept(ctx context.Context, record func(now rbac.List) audit.Record) (accepted bool, err error) {
	latest, version := s.Versions.Latest(), int64(0)
	found, err := s.Lists.RoleList(ctx)
	if err != nil || len(found.All) == 0 { // an empty list allows nothing, and the next change gets a version above the known ones
		return false, err
	}
	// The change must write a row, so it writes one unchanged.
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

// RoleWriter checks the roles in every decision against the sealed list.
type RoleWriter struct {
	ports.Writer
	Roles SealedRoles
}

// Commit implements ports.Writer.
func (w RoleWriter) Commit(ctx context.Context, item player.Item) (player.Receipt, error) {
	item.Decide = player.UnderSealedRoles(w.Roles.Seals, w.Roles.Versions.Latest(), item.Decide)
	return w.Writer.Commit(ctx, item)
}
