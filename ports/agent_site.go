package ports

import (
	"context"

	"github.com/casino-service/casino/domain/agent"
	"github.com/casino-service/casino/domain/seamless"
	"github.com/casino-service/casino/domain/wallet"
)

// AgentSite calls the sites of agents who keep their players' money themselves.
// To a site this service is the game provider.
//
// Each call is made once: a caller that needs a response calls again. A site that is
// too slow, redirects, doesn't know us, or answers outside its protocol is External:
// what became of the message isn't known. One that can't be reached at all is
// AgentSeamless: nothing was sent. So is a site that failed several times in a row,
// which may be left alone for a while so that nobody waits for it; other sites are
// not affected. No error and no log holds the secret, nor anything that a site
// answered.
type AgentSite interface {
	// PlayerBalance returns what the player has at the site, in the provider's
	// money. A site that answers that it has no such player is InvalidUser.
	PlayerBalance(ctx context.Context, to SiteAccess, w wallet.Address) (seamless.Decimal, error)
	// Send sends one leg of a transaction. The same message may be sent again until
	// the site's response is known: a site responds as the first time. A refusal is
	// a response, not an error.
	Send(ctx context.Context, to SiteAccess, m SiteMessage) (SiteResponse, error)
}

// SiteAccess is where a site is, and the credentials it knows us by.
type SiteAccess struct {
	Endpoint string // https
	Agent    string // the agent's code
	Secret   agent.Secret
}

// SiteMessage is a bet to be taken, or a win to be credited, at a site.
type SiteMessage struct {
	Wallet   wallet.Address
	TxnID    string
	Leg      seamless.Kind // Debit or Credit
	Provider string
	Game     string
	GameType string
	Amount   seamless.Decimal
}

// SiteResponse is a site's response to a message.
type SiteResponse struct {
	Accepted bool
	// Balance is the player's at the site afterwards.
	Balance seamless.Decimal
	// Reason is why it was refused: one of the protocol's codes, AgentSeamless for
	// any other.
	Reason seamless.Reason
}
