package recovery

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/casino-service/casino/app/admin"
	"github.com/casino-service/casino/app/kernel"
	"github.com/casino-service/casino/domain/audit"
	"github.com/casino-service/casino/domain/rbac"
	"github.com/casino-service/casino/domain/restriction"
)

// RecoveredRoles is a recovery's result for the list of admins' roles.
type RecoveredRoles struct {
	// Version is the database's version, Kept the latest version kept outside.
	Version, Kept int64
	// Older means that the database's list is older than the kept version. It is accepted as
	// the present one.
	Older bool
	// Forged means that the list's seal is wrong. It is left unchanged and allows nothing.
	Forged bool
}

// RecoveredRestrictions is a recovery's result for restrictions made since the copy.
type RecoveredRestrictions struct {
	// Since is the time from which restrictions are kept. It is zero if none are kept:
	// earlier restrictions are then unknown.
	Since time.Time
	// Spoiled counts the untrusted ones, Unread are the places that could not be read.
	Spoiled int
	Unread  []string
	// Again are restored restrictions, ByHand are tasks for a person.
	Again  []Forbidden
	ByHand []Forbidden
}

// Forbidden is a restriction and its result.
type Forbidden struct {
	restriction.Restriction
	What string
}

// noteAgain adds a restored restriction, once.
func (r *RecoveredRestrictions) noteAgain(of restriction.Restriction, what string) {
	r.Again = appendNoted(r.Again, Forbidden{of, what})
}

// byHand adds a task for a person, once.
func (r *RecoveredRestrictions) byHand(of restriction.Restriction, what string) {
	r.ByHand = appendNoted(r.ByHand, Forbidden{of, what})
}

func appendNoted(all []Forbidden, f Forbidden) []Forbidden {
	if slices.ContainsFunc(all, func(known Forbidden) bool { return known.Key() == f.Key() && known.What == f.What }) {
		return all
	}
	return append(all, f)
}

// forbiddenAgain is the reason in audit records of restored restrictions.
const forbiddenAgain = "forbidden again after a recovery"

// restrictAgain restores the restrictions made since the copy that the database lacks.
// Without apply it only reports them. A repeat finds everything done.
func (r *Recovery) restrictAgain(ctx context.Context, apply bool) error {
	if err := r.rolesList(ctx, apply); err != nil {
		return err
	}
	kept := KeptRestrictions(ctx, r.report.Ledger, r.options.Restrictions)
	report := &r.report.Restrictions
	report.Since, report.Spoiled, report.Unread = kept.Since, kept.Spoiled, kept.Unread
	agents := map[string][]restriction.Restriction{}
	for _, each := range kept.All {
		var err error
		switch each.Kind {
		case restriction.Role:
			err = r.restrictRole(ctx, each, apply)
		case restriction.Frozen, restriction.Excluded, restriction.Limits:
			err = r.restrictPlayer(ctx, each, apply)
		case restriction.Agent, restriction.Credentials:
			agents[each.Subject] = append(agents[each.Subject], each)
		case restriction.Play:
			err = r.restrictPlay(ctx, each, apply)
		case restriction.Payouts:
			err = r.restrictPayouts(ctx, each, apply)
		}
		if err != nil {
			return err
		}
	}
	for _, code := range slices.Sorted(maps.Keys(agents)) {
		if err := r.restrictAgent(ctx, code, agents[code], apply); err != nil {
			return err
		}
	}
	return nil
}

// rolesList reads the list of roles and accepts it as the present one. It is older than the
// kept version because it was restored too.
func (r *Recovery) rolesList(ctx context.Context, apply bool) error {
	known, err := r.options.Restoration.Known(ctx)
	if err != nil {
		return err
	}
	list, err := r.options.Store.RoleList(ctx)
	if err != nil {
		return err
	}
	if !r.report.Roles.Older { // once accepted it stays noted
		r.report.Roles = RecoveredRoles{
			Version: list.Version, Kept: known.RolesVersion, Older: len(list.All) > 0 && list.Version < known.RolesVersion,
			Forged: list.Check(r.options.Seals, 0) != nil,
		}
	}
	if !apply || r.report.Roles.Forged {
		return nil
	}
	id, at := r.options.Entropy.ID(), kernel.Now(r.options.Clock)
	_, err = r.databaseRoles().Accept(ctx, func(list rbac.List) audit.Record {
		return audit.Record{
			ID: id, Action: audit.RolesAccepted, By: r.options.By, Target: r.report.Ledger, Before: fmt.Sprintf("version %d", list.Version),
			After: fmt.Sprintf("above version %d, after a recovery", r.report.Roles.Kept), At: at,
		}
	})
	if errors.Is(err, rbac.ErrForged) { // changed since it was read
		r.report.Roles.Forged, err = true, nil
	}
	return err
}

// databaseRoles returns the database's roles, checked against the kept version.
func (r *Recovery) databaseRoles() admin.SealedRoles {
	known := &admin.RoleVersionsOfProcess{}
	known.Keep(r.report.Roles.Kept)
	return admin.SealedRoles{Lists: r.options.Store, Seals: r.options.Seals, Versions: known}
}

// restrictRole removes what a wallet's role allows beyond the role that it had last. Roles
// that were granted or extended are not restrictions: an admin grants them again.
func (r *Recovery) restrictRole(ctx context.Context, kept restriction.Restriction, apply bool) error {
	list, err := r.options.Store.RoleList(ctx)
	if err != nil {
		return err
	}
	left := rbac.Assignment{Role: kept.Role, AgentCode: kept.AgentCode}
	for _, a := range list.All {
		if string(a.Wallet) != kept.Subject || a.GrantedAt.After(kept.At) || a.Role == left.Role && a.AgentCode == left.AgentCode {
			continue
		}
		report := &r.report.Restrictions
		switch {
		case r.report.Roles.Forged:
			report.byHand(kept, fmt.Sprintf("the role %s of %s became %q since: repair the list of roles first", admin.DescribeRole(a), a.Wallet, admin.DescribeRole(left)))
			return nil
		case left.Role != "" && !r.options.Policy.AllowsMore(left, a):
			report.byHand(kept, fmt.Sprintf("%s was granted %s since: grant it again", a.Wallet, admin.DescribeRole(left)))
			return nil
		}
		next, what := &rbac.Assignment{}, fmt.Sprintf("the role %s of %s becomes %s", admin.DescribeRole(a), a.Wallet, admin.DescribeRole(left))
		action := audit.RoleGranted
		if *next = r.options.Policy.Follow(a, left); left.Role == "" || r.options.Policy.AllowsMore(a, left) {
			next, action, what = nil, audit.RoleRevoked, fmt.Sprintf("the role %s of %s is revoked", admin.DescribeRole(a), a.Wallet)
		}
		if next == nil && left.Role != "" {
			report.byHand(kept, fmt.Sprintf("%s was left with %s: grant it again", a.Wallet, admin.DescribeRole(left)))
		}
		if r.options.Policy.KeepsTop(list.All, a.Wallet, next) != nil {
			report.byHand(kept, fmt.Sprintf("no wallet is %s any more: grant the role with casino role grant", rbac.Superadmin))
		}
		report.noteAgain(kept, what)
		if !apply {
			return nil
		}
		record := r.newRecord(action, kept.Subject, admin.DescribeRole(a), forbiddenAgain)
		return r.databaseRoles().ChangeRole(ctx, a.Wallet, func([]rbac.Assignment) (*rbac.Assignment, audit.Record, error) { return next, record, nil })
	}
	if left.Role != "" && !slices.ContainsFunc(list.All, func(a rbac.Assignment) bool { return string(a.Wallet) == kept.Subject }) {
		r.report.Restrictions.byHand(kept, fmt.Sprintf("%s was granted %s since: grant it again", kept.Subject, admin.DescribeRole(left)))
	}
	return nil
}

// newRecord returns an audit record of the recovery.
func (r *Recovery) newRecord(action audit.Action, target, before, after string) audit.Record {
	return audit.Record{
		ID: r.options.Entropy.ID(), Action: action, By: r.options.By, Target: target, Before: before, After: after, At: kernel.Now(r.options.Clock),
	}
}
