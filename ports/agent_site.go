package ports

import (
	"context"

	"github.com/casino-service/casino/domain/agent"
	"github.com/casino-service/casino/domain/seamless"
	"github.com/casino-service/casino/domain/wallet"
)

// AgentSite calls the sites of agents who keep their players' money themselves. Such a
// site sees this service as its game provider.
//
// Each call is made once; the caller repeats it. A site that is too slow, redirects,
// rejects our credentials or breaks its protocol is External: the result is unknown. An
// unreachable site is AgentSeamless: nothing was sent. A site that failed several times
// in a row may be refused at once for a while, also with AgentSeamless; other sites
// aren't affected. Errors and logs never contain the secret or anything the site
// answered.
type AgentSite interface {
	// PlayerBalance returns the player's balance at the site, in the provider's money. If
	// the site doesn't know the player, the fault is InvalidUser.
	PlayerBalance(ctx context.Context, to SiteAccess, w wallet.Address) (seamless.Decimal, error)
	// Send sends one leg of a transaction. Callers may repeat a message until they know the
	// site's response; the site repeats its first response. A refusal is a response, not an
	// error.
	Send(ctx context.Context, to SiteAccess, m SiteMessage) (SiteResponse, error)
}

// SiteAccess holds a site's address and our credentials there.
type SiteAccess struct {
	Endpoint string // https
	Agent    string // the agent's code
	Secret   agent.Secret
}

// SiteMessage is a bet to debit or a win to credit at a site.
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
	// Balance is the player's balance at the site afterwards.
	Balance seamless.Decimal
	// Reason is the code of a refusal: one of the protocol's, AgentSeamless for any other.
	Reason seamless.Reason
}
