package kernel

import (
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/player"
	"github.com/casino-service/casino/domain/seamless"
	"github.com/casino-service/casino/ports"
)

// ProviderConnection is the connection to a provider of third-party games.
type ProviderConnection struct {
	// Code names the provider here. It is part of every key of its transactions and
	// never changes.
	Code  string
	Games ports.GameProvider
	// Token and Scale are the money of new launches: one unit of the provider's money is
	// 10^Scale base units of the token.
	Token money.Token
	Scale seamless.Scale
	Caps  player.ProviderCaps
	// Sites reaches the sites of agents that keep their players' balances themselves;
	// without it their players are refused with AgentSeamless.
	Sites ports.AgentSite
	// EnableNew enables games that a sync meets for the first time; without it an admin
	// enables them.
	EnableNew bool
}

// ProviderCall is a provider's transaction as it was received, its texts unchecked.
type ProviderCall struct {
	UserCode string
	TxnID    string
	Kind     string
	GameType string
	Provider string
	Game     string
	Bet, Win seamless.Decimal
}

// ProviderResponse answers a provider: whether the transaction is accepted, the player's
// balance in the provider's money, and why it isn't accepted.
type ProviderResponse struct {
	Accepted bool
	Balance  seamless.Decimal
	Reason   seamless.Reason
}
