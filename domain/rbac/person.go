package rbac

import (
	"time"

	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/wallet"
)

// MinAge is how old a role must be to let money move: to credit or to approve, alone or
// as one of two. A role that was granted a moment ago may be granted for this very
// decision.
const MinAge = 24 * time.Hour

// GrantWindow is how long two roles of one origin are one person's.
const GrantWindow = 30 * 24 * time.Hour

// Values of Details["reason"] of Forbidden.
const (
	TooYoung    = "role_too_young"
	SameGrantor = "same_grantor"
)

// CheckAge returns a fault of kind Forbidden with Details["reason"] TooYoung for a role
// younger than MinAge. Details["from"] is when it is old enough, in Unix milliseconds.
func (a Assignment) CheckAge(now time.Time) error {
	from := a.GrantedAt.Add(MinAge)
	if a.Founding || !now.Before(from) {
		return nil
	}
	return fault.New(fault.Forbidden, "a role must be at least %d hours old to credit or approve anything", int(MinAge.Hours())).
		With("reason", TooYoung).With("from", from.UnixMilli())
}

// CheckApart returns a fault of kind Forbidden with Details["reason"] SameGrantor when
// the votes of the two count as one: within GrantWindow one of them granted the other's
// role, or one person granted both. Whoever holds the command line is one person, too;
// founding roles were granted by nobody.
func (a Assignment) CheckApart(other Assignment, now time.Time) error {
	switch mine, others := a.lately(now), other.lately(now); {
	case mine && a.GrantedBy == other.Wallet, others && other.GrantedBy == a.Wallet:
		return oneVote("one of them granted the other one's role")
	case mine && others && a.GrantedBy == other.GrantedBy:
		return oneVote("one person granted both their roles")
	}
	return nil
}

// Origin is who granted the role, and when; both are zero for a founding role. It is
// kept with a vote, whatever becomes of the role.
func (a Assignment) Origin() (by wallet.Address, at time.Time) {
	if a.Founding {
		return "", time.Time{}
	}
	return a.GrantedBy, a.GrantedAt
}

// lately reports whether somebody granted the role within GrantWindow.
func (a Assignment) lately(now time.Time) bool {
	return !a.Founding && a.GrantedAt.After(now.Add(-GrantWindow))
}

func oneVote(why string) error {
	return fault.New(fault.Forbidden, "the votes of these two persons count as one: %s in the last %d days", why, int(GrantWindow.Hours()/24)).
		With("reason", SameGrantor)
}
