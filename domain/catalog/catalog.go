// Package catalog is the games on offer, of providers and the house's own alike,
// and which of them are switched off.
//
// Use cases list and switch them; whether an own game is on is read in the commit
// that decides on a bet.
package catalog

import "time"

// Own is the provider of the house's own games.
const Own = "casino"

// Game is one game on offer.
type Game struct {
	// Code names the game among all providers'.
	Code     string
	Provider string
	Name     string
	Type     string // the provider's own sort: "slot", "table", …
	Banner   string // URL of a picture, empty for none
	Enabled  bool
	// Vanished says that the provider doesn't offer it at the moment: it stays
	// known, and switched as it is, but can't be launched.
	Vanished bool
	// UpdatedAt is when it became known or was switched last.
	UpdatedAt time.Time
}

// Describes reports whether the game is told by the same facts as another, all
// but whether and when it was switched.
func (g Game) Describes(other Game) bool {
	g.Enabled, g.UpdatedAt = other.Enabled, other.UpdatedAt
	return g == other
}
