package api

import (
	"encoding/json"
	"time"
)

// PlayRequest is a bet. Config is encoded as JSON; nil means the game's defaults.
type PlayRequest struct {
	GameType       string `json:"gameType"`
	Wager          int64  `json:"wager" units:"base"`
	Token          string `json:"token"`
	Config         any    `json:"config,omitempty"`
	IdempotencyKey string `json:"-"`
}

// Round is a settled round. Of a provider's round Rules, Config, Outcome and
// everything about seeds are null.
type Round struct {
	ID               string          `json:"id"`
	Provider         string          `json:"provider"` // "casino" for the house's own games
	GameType         string          `json:"gameType"`
	Rules            *string         `json:"rules"`
	Token            string          `json:"token"`
	Wager            int64           `json:"wager" units:"base"`
	Payout           int64           `json:"payout" units:"base"`
	Multiplier       Number          `json:"multiplier"`
	Config           json.RawMessage `json:"config"`
	Outcome          json.RawMessage `json:"outcome"`
	Actions          json.RawMessage `json:"actions,omitzero"` // of a round that was played step by step
	ServerSeedHash   *string         `json:"serverSeedHash"`
	ServerSeed       *string         `json:"serverSeed"` // nil until the pair is rotated
	ClientSeed       *string         `json:"clientSeed"`
	ClientSeedSource *string         `json:"clientSeedSource"`
	Nonce            *int64          `json:"nonce"`
	CreatedAt        int64           `json:"createdAt"`
}

// SettledRound is a round with the player's balance in its token before and after it,
// which are nil for a provider's round.
type SettledRound struct {
	Round         `json:",inline"`
	BalanceBefore *int64 `json:"balanceBefore" units:"base"`
	BalanceAfter  *int64 `json:"balanceAfter" units:"base"`
}

// RoundResponse is one round.
type RoundResponse struct {
	Round SettledRound `json:"round"`
}

// Played is a round and the player's balance after it.
type Played struct {
	Round    Round `json:"round"`
	Balance  int64 `json:"balance" units:"base"`
	Replayed bool  `json:"-"`
}

// RoundFilter narrows a list of the caller's rounds; zero fields don't narrow.
type RoundFilter struct {
	PageRequest
	GameType string    `query:"gameType"`
	Token    string    `query:"token"`
	From     time.Time `query:"from"`
	To       time.Time `query:"to"`
}

// RoundPage is a page of the caller's rounds.
type RoundPage struct {
	Rounds   []Round `json:"rounds"`
	PageInfo `json:",inline"`
}

// AdminRound is a round with the player's wallet and agent.
type AdminRound struct {
	Round     `json:",inline"`
	Wallet    string `json:"wallet"`
	AgentCode string `json:"agentCode"`
}

// AdminRoundFilter narrows a list of all players' rounds; zero fields don't narrow.
type AdminRoundFilter struct {
	PageRequest
	Wallet    string    `query:"wallet"`
	GameType  string    `query:"gameType"`
	Token     string    `query:"token"`
	AgentCode string    `query:"agentCode"`
	From      time.Time `query:"from"`
	To        time.Time `query:"to"`
}

// AdminRoundPage is a page of all players' rounds.
type AdminRoundPage struct {
	Rounds   []AdminRound `json:"rounds"`
	PageInfo `json:",inline"`
}

// LaunchRequest asks for a provider's game. UserCode is the caller's own wallet; an
// empty Language means the service's default.
type LaunchRequest struct {
	GameCode string `json:"gameCode"`
	UserCode string `json:"userCode"`
	Language string `json:"language,omitempty"`
}

// LaunchResponse is where the player plays the game.
type LaunchResponse struct {
	URL string `json:"url"`
}
