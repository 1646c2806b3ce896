// Package fault defines the closed set of reasons for refusing a request.
//
// Every layer returns a *Error for a refusal that the caller can act on, and a plain
// error for an internal failure. Adapters convert a Kind in one place: the HTTP adapter
// has one table from Kind to status and code. Don't add a second error type.
package fault

import (
	"errors"
	"fmt"
	"maps"
)

// Kind is the reason for a refusal. The set is closed: adapters switch over it
// exhaustively, and a test compares their tables with Kinds.
type Kind uint8

// The kinds. Each comment is the rule in one line.
const (
	// Internal is every error that is not a *Error: a defect or a broken dependency.
	Internal Kind = iota
	// Invalid: a field, parameter or header is malformed or out of range; Details["field"] names it.
	Invalid
	// InsufficientFunds: the player's balance doesn't cover the amount.
	InsufficientFunds
	// InsufficientAgentFunds: the agent's prepaid account doesn't cover the amount.
	InsufficientAgentFunds
	// InvalidAgent: no such agent, or one that can't do this.
	InvalidAgent
	// InvalidUser: the user named is not the caller, or not known to the provider.
	InvalidUser
	// InvalidProvider: the game provider doesn't know us or the request.
	InvalidProvider
	// InvalidGame: no such game.
	InvalidGame
	// GameDisabled: the game exists and is switched off.
	GameDisabled
	// TokenNotAccepted: the token is unknown or closing.
	TokenNotAccepted
	// WagerOutOfRange: the wager, or what it could pay, is outside the limits.
	WagerOutOfRange
	// AmountOutOfRange: a deposit or withdrawal is outside the token's limits.
	AmountOutOfRange
	// InvalidDestination: money can't be sent to this address.
	InvalidDestination
	// DepositRejected: the transaction is not the caller's deposit; Details["reason"].
	DepositRejected
	// LimitExceeded: a limit that the player set would be exceeded; Details["limit"].
	LimitExceeded
	// AgentSeamless: the agent's own site failed to respond for its player.
	AgentSeamless
	// InvalidToken: the bearer token is not one of ours, or its session was ended.
	InvalidToken
	// ExpiredToken: the bearer token has expired.
	ExpiredToken
	// InvalidSignature: the signature is not the wallet's over the login message.
	InvalidSignature
	// StaleTimestamp: the login's timestamp is outside the window; Details["serverTime"].
	StaleTimestamp
	// ReplayedLogin: this login message was used before.
	ReplayedLogin
	// AdminForbidden: the role lacks a permission; Details["permission"].
	AdminForbidden
	// Forbidden: the caller may not do this to this thing with any role.
	Forbidden
	// BlockedAgent: the player's agent is blocked.
	BlockedAgent
	// PlayerExcluded: the player is excluded from play.
	PlayerExcluded
	// PlayerFrozen: an admin froze the player.
	PlayerFrozen
	// NotFound: no such thing, or none that the caller may see.
	NotFound
	// DuplicatedAgent: the agent code is taken.
	DuplicatedAgent
	// InvalidState: the thing is not in a state that allows it; Details["status"].
	InvalidState
	// DepositTaken: the transaction was credited to another player.
	DepositTaken
	// IdempotencyConflict: the key was used for another request.
	IdempotencyConflict
	// TooManyOpen: the player has too many open requests of this kind.
	TooManyOpen
	// RateLimited: too many requests; Details["retryAfterMs"].
	RateLimited
	// External: a provider or the chain answered badly.
	External
	// Maintenance: the provider or the service is closed for maintenance.
	Maintenance
	// Unavailable: a dependency is down or a queue is full; for a write Details["outcome"] is "none" or "unknown".
	Unavailable

	kindCount
)

// Kinds returns every kind; adapters test that their tables are complete.
func Kinds() []Kind {
	all := make([]Kind, kindCount)
	for i := range all {
		all[i] = Kind(i)
	}
	return all
}

// Error is a refusal. Message is a sentence for the caller that says what was wrong. It
// never contains a secret or an internal name.
type Error struct {
	Kind    Kind
	Message string
	// Details are values for programs, under the names of the published contract. They are
	// read-only; With makes a copy.
	Details map[string]any
}

// New makes a refusal with a formatted message.
func New(kind Kind, format string, args ...any) *Error {
	return &Error{Kind: kind, Message: fmt.Sprintf(format, args...)}
}

// Field makes an Invalid refusal that names the field in Details["field"] and at the
// start of its message.
func Field(name, format string, args ...any) *Error {
	return New(Invalid, "%s: %s", name, fmt.Sprintf(format, args...)).With("field", name)
}

// Error returns the message.
func (e *Error) Error() string { return e.Message }

// With returns a copy with one more detail.
func (e *Error) With(key string, value any) *Error {
	details := make(map[string]any, len(e.Details)+1)
	maps.Copy(details, e.Details)
	details[key] = value
	return &Error{Kind: e.Kind, Message: e.Message, Details: details}
}

// KindOf returns the kind of the first *Error in err's chain, Internal for any other
// error. err must not be nil.
func KindOf(err error) Kind {
	var e *Error
	if errors.As(err, &e) {
		return e.Kind
	}
	return Internal
}

// Is reports whether err is a refusal of the kind.
func Is(err error, kind Kind) bool { return err != nil && KindOf(err) == kind }
