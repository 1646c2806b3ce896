package api

import (
	"github.com/casino-service/casino/domain/agent"
	"github.com/casino-service/casino/domain/seamless"
)

// Agent is an agent. RTP and Percent are decimals with two places.
type Agent struct {
	ID           string       `json:"id"`
	AgentCode    string       `json:"agentCode"`
	AgentName    string       `json:"agentName"`
	Status       agent.Status `json:"status"`
	RTP          Number       `json:"rtp"`
	Percent      Number       `json:"percent"`
	SiteEndpoint *string      `json:"siteEndpoint"`
	IPAllowlist  []string     `json:"ipAllowlist"`
	Memo         *string      `json:"memo"`
	Funds        []Funds      `json:"funds"`
	CreatedAt    int64        `json:"createdAt"`
	UpdatedAt    int64        `json:"updatedAt"`
}

// AgentResponse is one agent.
type AgentResponse struct {
	Agent Agent `json:"agent"`
}

// AgentsResponse is the agents.
type AgentsResponse struct {
	Agents []Agent `json:"agents"`
}

// AgentRequest holds the fields of an agent that may be set; nil fields stay, or take
// their defaults when the agent is created.
type AgentRequest struct {
	AgentName    *string  `json:"agentName,omitempty"`
	Status       *string  `json:"status,omitempty"`
	RTP          *Number  `json:"rtp,omitempty"`
	Percent      *Number  `json:"percent,omitempty"`
	SiteEndpoint *string  `json:"siteEndpoint,omitempty"`
	IPAllowlist  []string `json:"ipAllowlist,omitempty"`
	Memo         *string  `json:"memo,omitempty"`
}

// CreateAgentRequest creates an agent, which needs AgentName.
type CreateAgentRequest struct {
	AgentCode    string `json:"agentCode"`
	AgentRequest `json:",inline"`
}

// AgentCredentials is an agent with its credentials, which are shown once.
type AgentCredentials struct {
	Agent  Agent  `json:"agent"`
	Token  string `json:"token"`
	Secret string `json:"secret"`
}

// Funds is an agent's prepaid account: the balance, below zero when the agent owes,
// what is reserved for bets that its site is being asked for, and how far below zero
// the balance may go.
type Funds struct {
	Token       string `json:"token"`
	Balance     int64  `json:"balance" units:"base"`
	Reserved    int64  `json:"reserved" units:"base"`
	CreditLimit int64  `json:"creditLimit" units:"base"`
}

// FundsResponse is one prepaid account.
type FundsResponse struct {
	Funds Funds `json:"funds"`
}

// FundRequest books what an agent paid in (positive amount) or was paid back.
type FundRequest struct {
	AgentID        string `json:"-"`
	Token          string `json:"token"`
	Amount         int64  `json:"amount" units:"base"`
	Reason         string `json:"reason"`
	IdempotencyKey string `json:"-"`
}

// Funded is a booking and the balance after it. For a credit above the token's
// threshold the response is an ApprovalResponse instead: then only Approval is set.
type Funded struct {
	AgentCode string    `json:"agentCode"`
	Token     string    `json:"token"`
	Balance   int64     `json:"balance" units:"base"`
	Booking   Booking   `json:"booking"`
	Approval  *Approval `json:"approval,omitzero"`
	Replayed  bool      `json:"-"`
}

// Booking is a booking on an agent's prepaid account.
type Booking struct {
	ID        string `json:"id"`
	Amount    int64  `json:"amount" units:"base"`
	Reason    string `json:"reason"`
	CreatedAt int64  `json:"createdAt"`
}

// CreditLimitRequest sets how far below zero an agent's prepaid account may go.
type CreditLimitRequest struct {
	Token       string `json:"token"`
	CreditLimit int64  `json:"creditLimit" units:"base"`
}

// Share is an agent's part of a day's revenue in a token.
type Share struct {
	Date      string `json:"date"`
	AgentCode string `json:"agentCode"`
	Token     string `json:"token"`
	Rounds    int64  `json:"rounds"`
	Wagered   Number `json:"wagered" units:"base"`
	Paid      Number `json:"paid" units:"base"`
	GGR       Number `json:"ggr" units:"base"`
	Percent   Number `json:"percent"`
	Share     Number `json:"share" units:"base"`
}

// ShareFilter narrows revenue shares; zero fields don't narrow, and zero Days mean
// the service's default.
type ShareFilter struct {
	Days      int    `query:"days"`
	AgentCode string `query:"agentCode"`
}

// SharesResponse is the shares of the last days.
type SharesResponse struct {
	Days   int     `json:"days"`
	Shares []Share `json:"shares"`
}

// ProviderGame is a game on offer.
type ProviderGame struct {
	GameCode  string  `json:"gameCode"`
	Provider  string  `json:"provider"`
	Name      string  `json:"name"`
	Type      string  `json:"type"`
	Banner    *string `json:"banner"`
	Enabled   bool    `json:"enabled"`
	Vanished  bool    `json:"vanished"` // the provider doesn't offer it at the moment
	UpdatedAt int64   `json:"updatedAt"`
}

// ProviderGameResponse is one game on offer.
type ProviderGameResponse struct {
	Game ProviderGame `json:"game"`
}

// ProviderGameFilter narrows a list of games; zero fields don't narrow. Enabled is
// "true", "false" or empty, Query a part of the code or the name.
type ProviderGameFilter struct {
	PageRequest
	Provider string `query:"provider"`
	Enabled  string `query:"enabled"`
	Query    string `query:"q"`
}

// ProviderGamePage is a page of games on offer.
type ProviderGamePage struct {
	Games    []ProviderGame `json:"games"`
	PageInfo `json:",inline"`
}

// LaunchableGame is a provider's game that players can launch.
type LaunchableGame struct {
	GameCode string  `json:"gameCode"`
	Provider string  `json:"provider"`
	Name     string  `json:"name"`
	Type     string  `json:"type"`
	Banner   *string `json:"banner"`
	Token    string  `json:"token"` // that it is played in
}

// LaunchableGamePage is a page of the games that players can launch.
type LaunchableGamePage struct {
	Games    []LaunchableGame `json:"games"`
	PageInfo `json:",inline"`
}

// SwitchGameRequest switches a game on or off.
type SwitchGameRequest struct {
	Enabled bool   `json:"enabled"`
	Reason  string `json:"reason,omitzero"` // kept in the audit record
}

// ProviderReview is a provider's win that waits for an admin's decision.
type ProviderReview struct {
	ID        string          `json:"id"`
	Wallet    string          `json:"wallet"`
	AgentCode string          `json:"agentCode"`
	Provider  string          `json:"provider"`
	GameCode  string          `json:"gameCode"`
	TxnID     string          `json:"txnId"`
	Token     string          `json:"token"`
	Amount    int64           `json:"amount" units:"base"`
	Reason    seamless.Reason `json:"reason"`
	CreatedAt int64           `json:"createdAt"`
}

// ProviderReviewFilter chooses a page of the open reviews.
type ProviderReviewFilter struct {
	PageRequest
}

// ProviderReviewPage is a page of them.
type ProviderReviewPage struct {
	Reviews  []ProviderReview `json:"reviews"`
	PageInfo `json:",inline"`
}

// ProviderReviewRequest pays a win or refuses it.
type ProviderReviewRequest struct {
	Pay    bool   `json:"pay"`
	Reason string `json:"reason"`
}

// DecidedReview is a decided win and the player's balance after it.
type DecidedReview struct {
	Review  ProviderReview `json:"review"`
	Paid    bool           `json:"paid"`
	Balance int64          `json:"balance" units:"base"`
	// Approval is what now waits for a second person; the rest is empty then.
	Approval *Approval `json:"approval,omitzero"`
}

// Delivery is a leg of a provider's transaction on its way to an agent's site, which
// the API calls a route.
type Delivery struct {
	ID            string                  `json:"id"`
	TransactionID string                  `json:"transactionId"`
	Leg           seamless.Kind           `json:"leg"`
	Status        seamless.DeliveryStatus `json:"status"`
	Wallet        string                  `json:"wallet"`
	AgentCode     string                  `json:"agentCode"`
	SiteEndpoint  string                  `json:"siteEndpoint"`
	Provider      string                  `json:"provider"`
	GameCode      string                  `json:"gameCode"`
	TxnID         string                  `json:"txnId"` // as the site knows it
	Token         string                  `json:"token"`
	Amount        int64                   `json:"amount" units:"base"`
	CreatedAt     int64                   `json:"createdAt"`
	UpdatedAt     int64                   `json:"updatedAt"`
}

// DeliveryResponse is one delivery.
type DeliveryResponse struct {
	Delivery Delivery `json:"route"`
}

// DeliveryFilter narrows a list of deliveries; empty fields don't narrow. Status
// is one of a delivery's, or "open" for all that are not settled.
type DeliveryFilter struct {
	PageRequest
	Status    string `query:"status"`
	AgentCode string `query:"agentCode"`
}

// DeliveryPage is a page of them.
type DeliveryPage struct {
	Deliveries []Delivery `json:"routes"`
	PageInfo   `json:",inline"`
}

// DeliveryDecisionRequest sends a delivery to its agent's present site ("resend"), or
// ends it because nothing more is to be done ("close").
type DeliveryDecisionRequest struct {
	Action string `json:"action"`
	Reason string `json:"reason"`
}
