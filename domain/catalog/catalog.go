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
	Type     string // the provider's own category: "slot", "table", …
	Banner   string // URL of a picture, empty for none
	Enabled  bool
	// Vanished says that the provider doesn't offer it at the moment: it stays in the
	// catalogue, and Enabled as it is, but can't be launched.
	Vanished bool
	// UpdatedAt is when it was added or last switched on or off.
	UpdatedAt time.Time
}

// Launchable reports whether players can launch the game: a provider's that is on offer
// and switched on. The house's own are played, not launched.
func (g Game) Launchable() bool { return g.Enabled && !g.Vanished && g.Provider != Own }

// Describes reports whether two games are equal in everything but Enabled and
// UpdatedAt.
func (g Game) Describes(other Game) bool {
	g.Enabled, g.UpdatedAt = other.Enabled, other.UpdatedAt
	return g == other
}
