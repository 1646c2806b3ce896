package api

import "github.com/casino-service/casino/domain/protection"

// Player is a player as lists show it to admins.
type Player struct {
	Wallet    string            `json:"wallet"`
	AgentCode string            `json:"agentCode"`
	Status    protection.Status `json:"status"`
	CreatedAt int64             `json:"createdAt"`
}

// PlayerResponse is one player.
type PlayerResponse struct {
	Player Player `json:"player"`
}

// PlayerFilter narrows a list of players; zero fields don't narrow.
type PlayerFilter struct {
	PageRequest
	Wallet    string `query:"wallet"`
	AgentCode string `query:"agentCode"`
}

// PlayerPage is a page of players.
type PlayerPage struct {
	Players  []Player `json:"players"`
	PageInfo `json:",inline"`
}

// PlayerDetails is everything about one player.
type PlayerDetails struct {
	Player          `json:",inline"`
	Exclusion       Exclusion    `json:"exclusion"`
	Limits          []Limit      `json:"limits"`
	Balances        []Balance    `json:"balances"`
	Owed            []Balance    `json:"owed"`
	OpenWithdrawals []Withdrawal `json:"openWithdrawals"`
}

// RebindRequest binds a player to another agent, for rounds from now on.
type RebindRequest struct {
	AgentCode string `json:"agentCode"`
	Reason    string `json:"reason"`
}
