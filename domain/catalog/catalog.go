// Package catalog describes the games on offer, of providers and of the house, and which
// are switched off.
//
// Use cases list and switch them. The commit that decides on a bet reads whether an own
// game is on.
package catalog

import "time"

// Own is the provider of the house's own games.
const Own = "casino"

// Game is one game on offer.
type Game struct {
	// Code names the game; it is unique among all providers.
	Code     string
	Provider string
	Name     string
	Type     string // the provider's own category: "slot", "table", …
	Banner   string // URL of a picture, empty for none
	Enabled  bool
	// Vanished reports that the provider doesn't offer the game at present. It stays in the
	// catalogue with Enabled unchanged, but can't be launched.
	Vanished bool
	// UpdatedAt is when the game was added or last switched.
	UpdatedAt time.Time
}

// Launchable reports whether players can launch the game: it belongs to a provider, is
// on offer and is switched on. The house's own games aren't launched.
func (g Game) Launchable() bool { return g.Enabled && !g.Vanished && g.Provider != Own }

// Describes reports whether two games are equal in everything but Enabled and
// UpdatedAt.
func (g Game) Describes(other Game) bool {
	g.Enabled, g.UpdatedAt = other.Enabled, other.UpdatedAt
	return g == other
}
