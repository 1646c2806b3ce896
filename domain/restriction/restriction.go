// Package restriction is what somebody forbade: a role that was revoked, a player who is
// frozen, excluded or limited, an agent whose credentials were replaced, play and payouts
// that are paused.
//
// A database that is put back forgets what was forbidden since. So the latest state of
// each is kept outside it, beside the heads (package witness), and a recovery forbids it
// again.
package restriction

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/casino-service/casino/domain/audit"
	"github.com/casino-service/casino/domain/protection"
	"github.com/casino-service/casino/domain/wallet"
)

// Kind is what a restriction is about.
type Kind string

// The kinds, with what their subjects name.
const (
	Role        Kind = "role"        // a wallet
	Frozen      Kind = "frozen"      // a player
	Excluded    Kind = "excluded"    // a player
	Limits      Kind = "limits"      // a player
	Agent       Kind = "agent"       // an agent's code: blocked or deleted
	Credentials Kind = "credentials" // an agent's code
	Play        Kind = "play"        // see PlaySubject
	Payouts     Kind = "payouts"     // nothing: there is one switch
)

// Kinds returns every kind.
func Kinds() []Kind {
	return []Kind{Role, Frozen, Excluded, Limits, Agent, Credentials, Play, Payouts}
}

// kinds says of which kind what an audit record notes is: the one list of what is kept.
var kinds = map[audit.Action]Kind{
	audit.RoleGranted: Role, audit.RoleRevoked: Role,
	audit.PlayerFrozen: Frozen, audit.PlayerReleased: Frozen,
	audit.PlayerExcluded: Excluded, audit.PlayerCooledOff: Excluded, audit.LimitsChanged: Limits,
	audit.AgentChanged: Agent, audit.AgentDeleted: Agent, audit.CredentialsRotated: Credentials,
	audit.PlayPaused: Play, audit.PlayResumed: Play,
	audit.PayoutsPaused: Payouts, audit.PayoutsResumed: Payouts,
}

// KindOf returns the kind of what an action changes, false for what is not kept.
func KindOf(action audit.Action) (Kind, bool) {
	kind, kept := kinds[action]
	return kind, kept
}

// Restriction is the state of one subject from a moment on.
type Restriction struct {
	Kind    Kind
	Subject string
	At      time.Time
	// Holds says that something is forbidden; false once that was lifted.
	Holds bool
	// Protection is what a player's own kinds restrict: of each kind its own part.
	Protection protection.State
	// Role and Agent are what a wallet is left with; empty for nothing.
	Role, AgentCode string
	// By and Reason are of a pause.
	By     wallet.Address
	Reason string
}

// OfPlayer is the part of a player's protection that is of a kind.
func OfPlayer(kind Kind, w wallet.Address, s protection.State, at time.Time) Restriction {
	r := Restriction{Kind: kind, Subject: string(w), At: at}
	switch kind {
	case Frozen:
		r.Protection.Frozen = s.Frozen
	case Excluded:
		r.Protection.Excluded, r.Protection.ExcludedUntil, r.Protection.CoolOffUntil = s.Excluded, s.ExcludedUntil, s.CoolOffUntil
	case Limits:
		r.Protection.Limits = slices.Clone(s.Limits)
		for i := range r.Protection.Limits { // how much is used is the database's
			r.Protection.Limits[i].Used, r.Protection.Limits[i].Since = 0, time.Time{}
		}
	case Role, Agent, Credentials, Play, Payouts:
	}
	r.Holds = !r.Protection.Empty()
	return r
}

// PlaySubject names a pause: a game type and an agent's code, either of which may be empty.
func PlaySubject(gameType, agentCode string) string { return agentCode + "/" + gameType }

// Paused splits the subject of a pause. An agent's code has no slash.
func (r Restriction) Paused() (gameType, agentCode string) {
	agentCode, gameType, _ = strings.Cut(r.Subject, "/")
	return gameType, agentCode
}

// Key is what tells subjects apart.
type Key struct {
	Kind    Kind
	Subject string
}

// Key returns the restriction's.
func (r Restriction) Key() Key { return Key{r.Kind, r.Subject} }

// Tightened is the restriction with whatever another one of the same player restricts
// more, for one that was made without knowing it.
func (r Restriction) Tightened(by Restriction) Restriction {
	switch r.Kind {
	case Frozen, Excluded, Limits:
		r.Protection, _ = r.Protection.Tightened(by.Protection, r.At)
		r.Holds = !r.Protection.Empty()
	case Role, Agent, Credentials, Play, Payouts:
	}
	return r
}

// Latest merges what several places keep: of each subject the latest, by kind and
// subject.
func Latest(places ...[]Restriction) []Restriction {
	latest := map[Key]Restriction{}
	for _, place := range places {
		for _, r := range place {
			if known, some := latest[r.Key()]; !some || r.At.After(known.At) {
				latest[r.Key()] = r
			}
		}
	}
	all := make([]Restriction, 0, len(latest))
	for _, r := range latest {
		all = append(all, r)
	}
	slices.SortFunc(all, func(a, b Restriction) int {
		return cmp.Or(cmp.Compare(slices.Index(Kinds(), a.Kind), slices.Index(Kinds(), b.Kind)), cmp.Compare(a.Subject, b.Subject))
	})
	return all
}

// Earliest is the first moment of all, zero of none.
func Earliest(all []Restriction) (at time.Time) {
	for _, r := range all {
		if at.IsZero() || r.At.Before(at) {
			at = r.At
		}
	}
	return at
}
