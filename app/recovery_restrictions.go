package app

import (
	"context"
	"errors"
	"fmt"

	"github.com/casino-service/casino/domain/audit"
	"github.com/casino-service/casino/domain/rbac"
)

// RecoveredRoles is what a recovery makes of the list of admins' roles.
type RecoveredRoles struct {
	// Version is the database's, Kept the latest that is kept outside.
	Version, Kept int64
	// Older says that the database's list is an older one than is kept: it is taken as the
	// present one.
	Older bool
	// Forged says that the list isn't the service's own. It is left as it is, and allows
	// nobody anything.
	Forged bool
}

// planRestrictions finds out what restrict would do.
func (r *Recovery) planRestrictions(ctx context.Context) error {
	known, err := r.options.Restoration.Known(ctx)
	if err != nil {
		return err
	}
	list, err := r.options.Store.RoleList(ctx)
	if err != nil {
		return err
	}
	r.report.Roles = RecoveredRoles{
		Version: list.Version, Kept: known.RolesVersion, Older: len(list.All) > 0 && list.Version < known.RolesVersion,
		Forged: list.Check(r.options.Seals, 0) != nil,
	}
	return nil
}

// restrict forbids again what was forbidden since the copy was made. Done again it finds
// everything done.
func (r *Recovery) restrict(ctx context.Context) error {
	if err := r.planRestrictions(ctx); err != nil || r.report.Roles.Forged {
		return err
	}
	return r.acceptRoles(ctx)
}

// acceptRoles takes the database's list of roles as the present one. It is older than the
// one that is kept by right: it went back with everything else.
func (r *Recovery) acceptRoles(ctx context.Context) error {
	known := &RoleVersionsOfProcess{}
	known.Keep(r.report.Roles.Kept)
	id, at := r.options.Entropy.ID(), now(r.options.Clock)
	roles := SealedRoles{Lists: r.options.Store, Seals: r.options.Seals, Versions: known}
	_, err := roles.Accept(ctx, func(list rbac.List) audit.Record {
		return audit.Record{
			ID: id, Action: audit.RolesAccepted, By: r.options.By, Target: r.report.Ledger,
			Before: fmt.Sprintf("version %d", list.Version), After: fmt.Sprintf("above version %d, after a recovery", known.Latest()), At: at,
		}
	})
	if errors.Is(err, rbac.ErrForged) { // changed since it was looked at
		r.report.Roles.Forged, err = true, nil
	}
	return err
}
