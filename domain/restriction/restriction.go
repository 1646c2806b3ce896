// Package restriction defines prohibitions: a revoked role, a frozen, excluded or
// limited player, an agent's replaced credentials, paused play and payouts.
//
// A restored database lacks the newest of them. So the latest state of each is kept
// outside it, beside the heads (package witness), and a recovery applies it again.
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

// Kind is a kind of restriction.
type Kind string

// The kinds, with the content of their subjects.
const (
	Role        Kind = "role"        // a wallet
	Frozen      Kind = "frozen"      // a player
	Excluded    Kind = "excluded"    // a player
	Limits      Kind = "limits"      // a player
	Agent       Kind = "agent"       // an agent's code: blocked or deleted
	Credentials Kind = "credentials" // an agent's code
	Play        Kind = "play"        // see PlaySubject
	Payouts     Kind = "payouts"     // empty: there is one switch
)

// Kinds returns every kind.
func Kinds() []Kind {
	return []Kind{Role, Frozen, Excluded, Limits, Agent, Credentials, Play, Payouts}
}

// kinds maps the audited actions that are kept to their kinds.
var kinds = map[audit.Action]Kind{
	audit.RoleGranted: Role, audit.RoleRevoked: Role,
	audit.PlayerFrozen: Frozen, audit.PlayerReleased: Frozen,
	audit.PlayerExcluded: Excluded, audit.PlayerCooledOff: Excluded, audit.LimitsChanged: Limits,
	audit.AgentChanged: Agent, audit.AgentDeleted: Agent, audit.CredentialsRotated: Credentials,
	audit.PlayPaused: Play, audit.PlayResumed: Play,
	audit.PayoutsPaused: Payouts, audit.PayoutsResumed: Payouts,
}

// KindOf returns the kind that an action changes, false if it isn't kept.
func KindOf(action audit.Action) (Kind, bool) {
	kind, kept := kinds[action]
	return kind, kept
}

// Restriction is the state of one subject since a moment.
type Restriction struct {
	Kind    Kind
	Subject string
	At      time.Time
	// Holds reports that the prohibition is in force, not lifted.
	Holds bool
	// Protection holds the restrictions of a player that belong to the kind.
	Protection protection.State
	// Role and AgentCode are what a wallet is left with; empty for nothing.
	Role, AgentCode string
	// By and Reason are set for pauses.
	By     wallet.Address
	Reason string
}

// OfPlayer returns the part of a player's protection that belongs to a kind.
func OfPlayer(kind Kind, w wallet.Address, s protection.State, at time.Time) Restriction {
	r := Restriction{Kind: kind, Subject: string(w), At: at}
	switch kind {
	case Frozen:
		r.Protection.Frozen = s.Frozen
	case Excluded:
		r.Protection.Excluded, r.Protection.ExcludedUntil, r.Protection.CoolOffUntil = s.Excluded, s.ExcludedUntil, s.CoolOffUntil
	case Limits:
		r.Protection.Limits = slices.Clone(s.Limits)
		for i := range r.Protection.Limits { // the database knows how much is used
			r.Protection.Limits[i].Used, r.Protection.Limits[i].Since = 0, time.Time{}
		}
	case Role, Agent, Credentials, Play, Payouts:
	}
	r.Holds = !r.Protection.Empty()
	return r
}

// PlaySubject returns the subject of a pause: a game type and an agent's code, either of
// which may be empty.
func PlaySubject(gameType, agentCode string) string { return agentCode + "/" + gameType }

// Paused splits the subject of a pause. An agent's code has no slash.
func (r Restriction) Paused() (gameType, agentCode string) {
	agentCode, gameType, _ = strings.Cut(r.Subject, "/")
	return gameType, agentCode
}

// Key identifies a subject.
type Key struct {
	Kind    Kind
	Subject string
}

// Key returns the restriction's key.
func (r Restriction) Key() Key { return Key{r.Kind, r.Subject} }

// Tightened returns the restriction tightened by another of the same player, for one
// that was made without knowledge of the other.
func (r Restriction) Tightened(by Restriction) Restriction {
	switch r.Kind {
	case Frozen, Excluded, Limits:
		r.Protection, _ = r.Protection.Tightened(by.Protection, r.At)
		r.Holds = !r.Protection.Empty()
	case Role, Agent, Credentials, Play, Payouts:
	}
	return r
}

// Latest merges the restrictions of several places: the latest of each subject, sorted
// by kind and subject.
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

// Earliest returns the earliest time of all, zero if there are none.
func Earliest(all []Restriction) (at time.Time) {
	for _, r := range all {
		if at.IsZero() || r.At.Before(at) {
			at = r.At
		}
	}
	return at
}
