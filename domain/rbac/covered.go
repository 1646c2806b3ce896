package rbac

import "github.com/casino-service/casino/domain/event"

// Covered is what blocks cover of the assignment.
func (a Assignment) Covered() event.Event {
	return event.New(event.Role, string(a.Wallet), a.Wallet,
		event.Text("role", a.Role), event.Text("agent", a.AgentCode), event.Text("grantedBy", a.GrantedBy), event.Time("grantedAt", a.GrantedAt),
		event.Flag("founding", a.Founding))
}

// CoveredChange is what blocks cover of a change of a wallet's role: before is empty where
// there was none, after where there is none any more. It is false where nothing changed.
func CoveredChange(before, after *Assignment) (change event.Event, changed bool) {
	switch {
	case before == nil && after == nil:
		return event.Event{}, false
	case after == nil:
		return before.Covered().Gone(), true
	case before == nil:
		return after.Covered(), true
	}
	change = after.Covered().After(before.Covered())
	return change, change.Was != change.Digest()
}
