package rbac

import (
	"slices"
	"strings"

	"github.com/casino-service/casino/domain/canonical"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/seal"
	"github.com/casino-service/casino/domain/wallet"
)

// RolesPurpose is the purpose of the seal of the list of roles.
const RolesPurpose = "roles"

// ReasonRoles is Details["reason"] of a refusal because of a forged list of roles.
const ReasonRoles = "roles"

// List is all role assignments as one list. Its seal covers all of them, so that none can
// be put in, taken out or put back; its version counts the changes, so that no earlier
// list passes for the present one where the latest version is known elsewhere.
type List struct {
	Version int64
	All     []Assignment // by wallet
	Seal    string
}

// Of returns a wallet's assignment, the zero one when it has none.
func (l List) Of(w wallet.Address) Assignment {
	if at := slices.IndexFunc(l.All, func(a Assignment) bool { return a.Wallet == w }); at >= 0 {
		return l.All[at]
	}
	return Assignment{}
}

// With returns the next list, in which the wallet has the assignment, or none for nil. It
// has no seal yet, and its version is above the latest that is known.
func (l List) With(w wallet.Address, granted *Assignment, latest int64) List {
	next := List{Version: max(l.Version, latest) + 1, All: slices.DeleteFunc(slices.Clone(l.All), func(a Assignment) bool { return a.Wallet == w })}
	if granted != nil {
		added := *granted
		added.Wallet = w
		next.All = append(next.All, added)
	}
	slices.SortFunc(next.All, func(a, b Assignment) int { return strings.Compare(string(a.Wallet), string(b.Wallet)) })
	return next
}

// Sealed is the message of the list's seal.
func (l List) Sealed() []byte {
	return canonical.Message("casino roles 1", func(e *canonical.Encoder) {
		e.Integer(l.Version)
		e.Integer(int64(len(l.All)))
		for _, a := range l.All {
			e.Text(string(a.Wallet))
			e.Text(a.Role)
			e.Text(a.AgentCode)
			e.Text(string(a.GrantedBy))
			e.Moment(a.GrantedAt)
			e.Flag(a.Founding)
		}
	})
}

// ErrForged is the refusal of whatever a forged list of roles would decide about.
var ErrForged = fault.New(fault.Maintenance, "the service is being checked: the roles of the admins are not as they were granted").
	With("reason", ReasonRoles)

// Check returns ErrForged for a list that is not the service's own, or that is older than
// the latest version that is known. An empty list needs no seal: it allows nothing.
func (l List) Check(seals seal.Authenticator, latest int64) error {
	if seal.Off(seals) || len(l.All) == 0 {
		return nil
	}
	if l.Version < latest || seals.Verify(RolesPurpose, l.Sealed(), l.Seal) != nil {
		return ErrForged
	}
	return nil
}
