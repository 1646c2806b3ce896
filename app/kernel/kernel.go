// Package kernel holds what the use cases of all features share: the ports and settings they
// work with, who may do what, how they commit, and their faults. It knows no feature.
package kernel

import (
	"log/slog"

	"github.com/casino-service/casino/domain/branding"
	"github.com/casino-service/casino/domain/game"
	"github.com/casino-service/casino/domain/rbac"
	"github.com/casino-service/casino/domain/seal"
	"github.com/casino-service/casino/domain/token"
	"github.com/casino-service/casino/ports"
)

// Kernel is what every feature works with. Package app fills it; nothing is changed after
// that.
type Kernel struct {
	Clock    ports.Clock
	Entropy  ports.Entropy
	Sessions ports.SessionTokens
	Games    *game.Registry
	Tokens   token.Book
	Policy   rbac.Policy
	Branding branding.Branding
	// Provider is the connection to third-party games; nil for none.
	Provider *ProviderConnection
	Settings Settings
	Logger   *slog.Logger
	Store    Store
	Chain    Chain
	// Seals seals what payouts are decided by.
	Seals seal.Authenticator
	// Limiter counts how often a player has the chain asked; nil counts nothing.
	Limiter ports.Limiter
	// Hosts looks up the hosts of URLs that admins set; nil looks up none.
	Hosts    ports.Hosts
	Alarms   Alarms
	Health   *Health
	Progress *Progress
}
